"""Where dice, pawns and other things find room: on the table, touching one another, on a tile."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from training.solids import Box

Rng = np.random.Generator

LOOSE = 0.06  # of a half, as a deviation: how far from its middle something is set on it


def room(box: Box, taken: Sequence[Box], gap: float = 0.0) -> bool:
    """Whether nothing that stands on the same level is in the way."""
    for other in taken:
        if box.z0 > other.z0 + 1e-6 or other.z0 > box.z0 + box.height:
            continue
        reach = box.along + box.across + other.along + other.across + gap
        if (box.x - other.x) ** 2 + (box.y - other.y) ** 2 > reach**2:
            continue
        if cv2.rotatedRectangleIntersection(box.rect(gap - 0.02), other.rect(-0.02))[0]:
            return False
    return True


def anywhere(rng: Rng, size: float, height: float, span: float) -> Box:
    """A place for a square foot somewhere on the table."""
    x, y = (float(v) for v in rng.uniform(-span, span, 2))
    return Box(x, y, size / 2, size / 2, float(rng.uniform(0, 90)), height)


def against(rng: Rng, other: Box, size: float, height: float) -> Box:
    """A place on the same level that touches one side of another thing: straight, a little askew, or with a corner."""
    along = rng.random() < 0.5
    askew = float(rng.choice([0.0, rng.normal(0, 2), rng.uniform(-45, 45)], p=[0.35, 0.35, 0.3]))
    turn = abs(np.deg2rad(askew))
    reach = (other.along if along else other.across) + size / 2 * float(np.cos(turn) + np.sin(turn))
    reach += float(abs(rng.normal(0.01, 0.02)))
    slide = float(rng.choice([0.0, rng.uniform(-0.7, 0.7)])) * (other.across if along else other.along)
    local = np.array([reach, slide] if along else [slide, reach]) * rng.choice([-1, 1])
    a = np.deg2rad(other.angle_deg)
    x = other.x + local[0] * np.cos(a) - local[1] * np.sin(a)
    y = other.y + local[0] * np.sin(a) + local[1] * np.cos(a)
    return Box(float(x), float(y), size / 2, size / 2, other.angle_deg + askew, height, other.z0)


def upon(rng: Rng, tile: Box, size: float, height: float) -> Box:
    """A place on top of a tile: on the middle of one half, more or less."""
    a = np.deg2rad(tile.angle_deg)
    along = 0.5 * tile.along * float(rng.choice([-1, 1])) + float(rng.normal(0, LOOSE))
    across = float(rng.normal(0, LOOSE))
    x, y = tile.x + along * np.cos(a) - across * np.sin(a), tile.y + along * np.sin(a) + across * np.cos(a)
    turn = float(rng.normal(0, 6)) if rng.random() < 0.5 else float(rng.uniform(0, 90))
    return Box(float(x), float(y), size / 2, size / 2, tile.angle_deg + turn, height, tile.z0 + tile.height)


USUAL_UPON = 0.35


def placed(
    rng: Rng,
    foot: tuple[float, float],
    span: float,
    tiles: Sequence[Box],
    taken: list[Box],
    upon_share: float = USUAL_UPON,
) -> Box | None:
    """Room for a foot (its size, its height): on the table, beside something or upon a tile; None if there is none.

    upon_share: how often it stands upon a tile, where there are some.
    """
    size, height = foot
    for _ in range(8):
        kind = rng.random()
        if tiles and kind < upon_share:
            box = upon(rng, tiles[int(rng.integers(0, len(tiles)))], size, height)
        elif (tiles or taken) and kind < max(0.65, upon_share):
            others = taken if taken and (rng.random() < 0.6 or not tiles) else tiles
            box = against(rng, others[int(rng.integers(0, len(others)))], size, height)
        else:
            box = anywhere(rng, size, height, span)
        if room(box, [*tiles, *taken]):
            taken.append(box)
            return box
    return None
