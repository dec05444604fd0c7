"""From the detector's maps to places: each peak is the middle of something, and the maps around it tell its shape.

Maps of tiles, at a quarter of the picture's size: 0 middle of a face-up tile, 1 middle of a face-down tile (both as
logits), 2 and 3 cosine and sine of twice the tile's direction (a tile turned by half looks the same from afar), 4 and
5 the logarithms of its length and width, 6 and 7 where nearby its middle lies.
Maps of pieces, at an eighth: 0 to 4 middles of dice, pawns, tokens, squares of light and of dark tetrominoes (logits),
5 and 6 cosine and sine of four times the direction of a square, 7 the logarithm of its edge or of a round thing's
width, 8 and 9 the way from a square to the middle of its tetromino in edges, 10 and 11 where nearby its middle lies.
Middles as peaks: after CenterNet (Zhou 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.odds import chances_of

Floats = NDArray[np.float32]

STRIDE, PIECE_STRIDE = 4, 8  # pixels of the picture a cell of the maps
LENGTH_UNIT, WIDTH_UNIT, EDGE_UNIT = 48.0, 24.0, 24.0  # pixels
PIECES = ("die", "pawn", "token", "light", "dark")
SAME_PLACE = 0.3  # candidates closer than this part of their width are one
SAME_SPOT, SAME_SIZE = 0.5, 0.4  # spots closer than this part of the larger edge and as alike in size (log) are one


@dataclass(frozen=True)
class Candidate:
    """A place where a tile may lie: a parallelogram with an unknown head, in pixels of the frame."""

    center: tuple[float, float]
    along: tuple[float, float]  # from the middle to the middle of one short edge
    across: tuple[float, float]  # from the middle to the middle of one long edge
    score: float
    face_up: bool

    @cached_property
    def corners(self) -> NDArray[np.float32]:
        """(4, 2), in the order of TileDetection.corners_px."""
        c, a, b = (np.array(v, np.float32) for v in (self.center, self.along, self.across))
        return np.stack([c - a - b, c - a + b, c + a + b, c + a - b])


@dataclass(frozen=True)
class Spot:
    """A place where a piece may be: one of PIECES, its middle, edge or width, and turn, in pixels of the frame.

    way: from the middle of a tetromino's square to the middle of the whole tetromino, in pixels.
    """

    kind: str
    center: tuple[float, float]
    edge_px: float
    angle_deg: float
    way: tuple[float, float]
    score: float

    @cached_property
    def corners(self) -> NDArray[np.float32]:
        """(4, 2), going round: the square that the spot takes."""
        a = np.deg2rad(self.angle_deg)
        along = self.edge_px / 2 * np.array([np.cos(a), np.sin(a)], np.float32)
        across, c = np.array([-along[1], along[0]]), np.array(self.center, np.float32)
        return np.asarray([c - along - across, c - along + across, c + along + across, c + along - across], np.float32)


def candidates(maps: Floats, threshold: float, scale: float) -> tuple[Candidate, ...]:
    """The tiles that maps of a picture show, whose pixels are `scale` times those of the frame."""
    chance = chances_of(maps[:2])
    rows, cols = _peaks(chance.max(axis=0), threshold)
    cells = zip(rows.tolist(), cols.tolist(), strict=True)
    return tuple(_candidate(maps[:, r, c], (c, r), chance[:, r, c], scale) for r, c in cells)


def spots(maps: Floats, threshold: float, scale: float) -> tuple[Spot, ...]:
    """The pieces that maps of a picture show."""
    chance = chances_of(maps[: len(PIECES)])
    found = []
    for k, kind in enumerate(PIECES):
        rows, cols = _peaks(chance[k], threshold)
        cells = zip(rows.tolist(), cols.tolist(), strict=True)
        found += [_spot(kind, maps[:, r, c], (c, r), float(chance[k, r, c]), scale) for r, c in cells]
    return tuple(found)


def distinct(found: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """One spot a thing, the likeliest first: the same one is found at neighbouring scales."""
    kept: list[Spot] = []
    for spot in found:
        if not any(_same(spot, k) for k in kept):
            kept.append(spot)
    return tuple(kept)


def _same(a: Spot, b: Spot) -> bool:
    alike = abs(float(np.log(a.edge_px / b.edge_px))) < SAME_SIZE
    return a.kind == b.kind and alike and apart(a, b) < SAME_SPOT


def apart(a: Spot, b: Spot) -> float:
    """How far apart the middles of two spots are, in edges of the larger one."""
    return float(np.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1])) / max(a.edge_px, b.edge_px)


def one_a_tile(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a tile: the same one is found at neighbouring scales."""
    if not candidates:
        return []
    middles, along = np.array([c.center for c in candidates]), np.array([c.along for c in candidates])
    way = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    wide = np.maximum(2 * np.linalg.norm([c.across for c in candidates], axis=1), 1e-3)
    kept: list[int] = []
    for k in range(len(candidates)):
        near = np.linalg.norm(middles[kept] - middles[k], axis=1) < SAME_PLACE * np.minimum(wide[kept], wide[k])
        alike = abs(np.log(wide[kept] / wide[k])) < 0.4
        aligned = abs(way[kept] @ way[k]) > 0.9
        if not (near & alike & aligned).any():
            kept.append(k)
    return [candidates[k] for k in kept]


def _peaks(chance: Floats, threshold: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    around = cv2.dilate(chance, np.ones((3, 3), np.uint8))
    rows, cols = np.nonzero((chance >= around) & (chance > threshold))
    return rows, cols


def _middle(cell: tuple[int, int], near: Floats, cell_px: float) -> tuple[float, float]:
    x, y = ((k + float(d) + 0.5) * cell_px - 0.5 for k, d in zip(cell, near, strict=True))
    return x, y


def _candidate(values: Floats, cell: tuple[int, int], chance: Floats, scale: float) -> Candidate:
    """Decode one peak into the frame's pixels."""
    angle = 0.5 * float(np.arctan2(values[3], values[2]))
    length = LENGTH_UNIT * float(np.exp(np.clip(values[4], -2, 2))) / scale
    width = WIDTH_UNIT * float(np.exp(np.clip(values[5], -2, 2))) / scale
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return Candidate(
        _middle(cell, values[6:8], STRIDE / scale),
        (c * length / 2, s * length / 2),
        (-s * width / 2, c * width / 2),
        float(chance.max()),
        bool(chance[0] >= chance[1]),
    )


def _spot(kind: str, values: Floats, cell: tuple[int, int], chance: float, scale: float) -> Spot:
    edge = EDGE_UNIT * float(np.exp(np.clip(values[7], -2, 2))) / scale
    angle = float(np.rad2deg(np.arctan2(values[6], values[5]))) / 4
    way = (float(values[8]) * edge, float(values[9]) * edge)
    return Spot(kind, _middle(cell, values[10:12], PIECE_STRIDE / scale), edge, angle, way, chance)
