"""Six-sided dice of every make: sharp or round edges, flat or cupped pips, plain, see-through and wooden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.placing import USUAL_UPON, placed
from training.placing import room as has_room
from training.sets import Color, Face, dimmed, layout, random_color, tinted
from training.solids import Box, Points, Solid, fill, hull, paint_face, shade_of
from training.truth import TrueDie

Rng = np.random.Generator
Image = NDArray[np.uint8]

SIDE = 128  # pixels a face of a die
HUDDLED = 0.35  # how often dice are pushed together: two of them then look much like a domino
GAP, SLIDE, ASKEW_DEG = 0.015, 0.06, 1.5  # edges and degrees: how straight and close dice lie that were pushed together
_TONES: dict[str, tuple[Color, Color]] = {  # body and pips, (blue, green, red)
    "white": ((240, 242, 243), (25, 25, 25)),
    "ivory": ((196, 224, 238), (30, 30, 35)),
    "black": ((32, 30, 30), (242, 244, 244)),
    "red": ((40, 35, 190), (244, 244, 244)),
    "green": ((70, 130, 30), (240, 244, 240)),
    "blue": ((170, 80, 25), (244, 244, 240)),
    "wood": ((120, 172, 212), (35, 40, 50)),
}
_SHARES = (0.34, 0.1, 0.1, 0.12, 0.07, 0.07, 0.06)  # the rest: any colour at all


@dataclass(frozen=True)
class DieStyle:
    """How one die looks; lengths in edges. inks: the colour of the pips of each number, 0 to 6."""

    body: Color
    inks: tuple[Color, ...]
    radius: float
    one_radius: float
    spread: float
    rounding: float
    cupped: bool
    turned: bool
    glow: float  # how much light shines through, 0 for none
    grain: float
    wooden: bool
    gloss: float
    seed: int


def random_die(rng: Rng) -> DieStyle:
    """A die that some maker might sell."""
    tone = str(rng.choice([*_TONES, "any"], p=[*_SHARES, 1 - sum(_SHARES)]))
    body, ink = _TONES[tone] if tone != "any" else (random_color(rng), (244.0, 244.0, 244.0))
    body = tinted(rng, body, 10)
    light = sum(body) > 480
    if tone == "any" and light:
        ink = (25.0, 25.0, 25.0)
    if rng.random() < 0.12:
        ink = random_color(rng) if light and rng.random() < 0.6 else ((60.0, 185.0, 215.0) if not light else ink)
    if abs(sum(ink) - sum(body)) < 150:
        ink = (25.0, 25.0, 25.0) if light else (244.0, 244.0, 244.0)
    inks = [tinted(rng, ink, 5)] * 7
    if light and rng.random() < 0.22:
        inks[1] = (40.0, 30.0, 200.0)
        inks[4] = inks[1] if rng.random() < 0.6 else inks[4]
    radius = float(rng.uniform(0.062, 0.125))
    rounding = float(rng.choice([0.02, 0.08, 0.16, rng.uniform(0.16, 0.3)]))
    widest = 0.5 - 0.55 * rounding - 0.8 * radius  # beyond it pips would lie on the round edge
    return DieStyle(
        body, tuple(inks), radius, one_radius=radius * float(rng.choice([1.0, 1.0, rng.uniform(1.2, 2.0)])),
        spread=min(widest, float(rng.uniform(0.2, 0.33))), rounding=rounding,
        cupped=bool(rng.random() < 0.6), turned=bool(rng.random() < 0.5),
        glow=float(rng.uniform(0.3, 1.0)) if tone not in ("white", "ivory", "wood") and rng.random() < 0.35 else 0.0,
        grain=14.0 if tone == "wood" else float(rng.choice([0.0, rng.uniform(0, 9)])), wooden=tone == "wood",
        gloss=float(rng.beta(1.3, 1.8)), seed=int(rng.integers(2**31)),
    )  # fmt: skip


def lay_dice(rng: Rng, lens: Lens, light_deg: float, span: float, count: int, room: Lay) -> list[tuple[Solid, TrueDie]]:
    """Cast up to `count` dice: alone, touching one another, beside tiles and on top of them, or pushed together."""
    mixed, size = bool(rng.random() < 0.3), float(np.exp(rng.uniform(*np.log(room.sizes))))
    style, cast = random_die(rng), list[tuple[Solid, TrueDie]]()
    size = size if room.upon_share == USUAL_UPON else min(size, float(rng.uniform(0.4, 0.85)))
    upon = [t for t in room.tiles if size < 0.95] if room.upon_share > USUAL_UPON or rng.random() < 0.5 else []
    huddled = np.random.default_rng(style.seed).random() < HUDDLED  # by the style: other scenes stay what they were
    for _ in range(count):
        edge = size * float(rng.uniform(0.8, 1.2)) if mixed else size
        if huddled and cast and not upon:
            box = _pushed(rng, room, len(cast))
        elif upon:
            box = placed(rng, (edge, edge), span, upon, room.taken, room.upon_share)
        else:
            box = _on_table(rng, edge, span, room)
        if box is not None:
            one = random_die(rng) if mixed else style
            cast.append(die(lens, box, one, int(rng.integers(1, 7)), light_deg, rng))
    return cast


@dataclass(frozen=True)
class Lay:
    """What already lies there, and how large dice may be, in halves; taken grows with each die.

    upon_share: how often a die lies on top of a tile.
    """

    tiles: Sequence[Box]
    taken: list[Box]
    sizes: tuple[float, float]
    upon_share: float = USUAL_UPON


def _pushed(rng: Rng, room: Lay, cast: int) -> Box | None:
    """A die side to side with one of those cast before, and as large: in rows and blocks, as people push them."""
    for _ in range(8):
        beside = _side_to_side(rng, room.taken[-int(rng.integers(1, cast + 1))])
        if has_room(beside, [*room.tiles, *room.taken]):
            room.taken.append(beside)
            return beside
    return None


def _side_to_side(rng: Rng, other: Box) -> Box:
    """A box as large as another, which touches one of its four sides straight, up to what a hand leaves."""
    turn = np.deg2rad(other.angle_deg + 90 * int(rng.integers(0, 4)))
    far = 2 * other.along * float(1 + abs(rng.normal(0, GAP)))
    slide = 2 * other.along * float(rng.normal(0, SLIDE)) if rng.random() < 0.5 else 0.0
    x, y = other.x + far * np.cos(turn) - slide * np.sin(turn), other.y + far * np.sin(turn) + slide * np.cos(turn)
    return replace(other, x=float(x), y=float(y), angle_deg=other.angle_deg + float(rng.normal(0, ASKEW_DEG)))


def _on_table(rng: Rng, edge: float, span: float, room: Lay) -> Box | None:
    blocked = [*room.tiles, *room.taken]
    box = placed(rng, (edge, edge), span, (), blocked)
    if box is not None:
        room.taken.append(box)
    return box


def die(lens: Lens, box: Box, style: DieStyle, value: int, light_deg: float, rng: Rng) -> tuple[Solid, TrueDie]:
    """One die with this number on top, whose sides show numbers that fit it."""
    a = int(rng.choice([n for n in range(1, 7) if n not in (value, 7 - value)]))
    b = int(rng.choice([n for n in range(1, 7) if n not in (value, 7 - value, a, 7 - a)]))
    numbers = (value, a, b, 7 - a, 7 - b)
    turn = int(rng.integers(0, 4))
    quad = lens.project(box.top)

    def paint(image: Image) -> None:
        _paint_body(image, lens, box, style, light_deg)
        _paint_sides(image, lens, box, style, numbers[1:], light_deg)
        _paint_top(image, lens, box, style, light_deg)
        lit_from = round((light_deg - box.angle_deg - 90 * turn) / 15) * 15 % 360  # as the turned face sees it
        paint_face(image, _face(style, value, lit_from), np.roll(quad, turn, axis=0))

    corners = tuple((float(x), float(y)) for x, y in quad)
    return Solid(box.x, box.y, box.z0, (_slices(box, style.rounding),), (quad,), paint), TrueDie(corners, value)


def _rounded(box: Box, z: float, inset: float, corner: float) -> Points:
    """The outline of a die at one height: a square with round corners."""
    ring = box.ring(z)
    middle = ring.mean(0)
    core = middle + (ring - middle) * (1 - (inset + corner) / box.along)
    angles = np.arange(8) * (np.pi / 4)
    around = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(8)]) * corner
    return hull_of_level(np.vstack([core[:, None] + around[None]]).reshape(-1, 3), z)


def hull_of_level(points: Points, z: float) -> Points:
    """The outline of points that lie at one height."""
    flat = hull(points[:, :2])
    return np.column_stack([flat, np.full(len(flat), z)])


def _slices(box: Box, rounding: float) -> tuple[Points, ...]:
    """Outlines from foot to top."""
    r = rounding * 2 * box.along
    low, high = box.z0, box.z0 + box.height
    steps = [(low, r * 0.8), (low + r, 0.0), (high - r, 0.0)]
    steps += [(high - r + r * float(np.sin(t)), r * (1 - float(np.cos(t)))) for t in (0.5, 0.9, 1.25, 1.57)]
    return tuple(_rounded(box, z, inset, max(1e-3, r - inset * 0.5)) for z, inset in steps)


def _paint_body(image: Image, lens: Lens, box: Box, style: DieStyle, light_deg: float) -> None:
    slices = [lens.project(s) for s in _slices(box, style.rounding)[:4]]
    for low, high in pairwise(slices):
        fill(image, hull(low, high), dimmed(style.body, 0.66 + 0.2 * style.glow))


def _paint_sides(
    image: Image, lens: Lens, box: Box, style: DieStyle, numbers: tuple[int, ...], light_deg: float
) -> None:
    """The flat part of each side that the camera sees, with its number, obliquely."""
    top, foot = lens.project(box.top), lens.project(box.foot)
    for k in range(4):
        j = (k + 1) % 4
        quad = np.array([top[k], top[j], foot[j], foot[k]])
        x, y = quad[:, 0], quad[:, 1]
        if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) <= 0:
            continue
        edge = box.top[j, :2] - box.top[k, :2]
        shade = shade_of(float(np.rad2deg(np.arctan2(edge[0], -edge[1]))), light_deg)
        paint_face(image, _face(style, numbers[k], light_deg), quad[[0, 3, 2, 1]], shade + 0.25 * style.glow)


def _paint_top(image: Image, lens: Lens, box: Box, style: DieStyle, light_deg: float) -> None:
    """The round rim of the top, ever lighter upwards."""
    for k, outline in enumerate(_slices(box, style.rounding)[2:]):
        fill(image, hull(lens.project(outline)), dimmed(style.body, 0.78 + 0.055 * k))


@lru_cache(maxsize=128)
def _face(style: DieStyle, value: int, light_deg: float) -> Face:
    rng = np.random.default_rng((style.seed, value))
    picture = np.empty((SIDE, SIDE, 3), np.float32)
    picture[:] = style.body
    picture += _material(style, light_deg, rng)[..., None]
    picture = np.clip(picture, 0, 255)
    drawn, alpha = np.asarray(picture, np.uint8), _cover(round(style.rounding, 2)).copy()
    radius = style.one_radius if value == 1 else style.radius
    mirror = -1 if style.turned and value in (2, 3) else 1
    for x, y in layout(value, 0, style.turned):
        at = (SIDE * (0.5 + mirror * x * style.spread), SIDE * (0.5 + y * style.spread))
        _pip(drawn, at, radius * SIDE, style.inks[value], style, light_deg)
        _spot(alpha, at, radius * SIDE, (255.0, 255.0, 255.0))  # the ink goes on where the edge bends away
    return Face(drawn, alpha, ())


def _material(style: DieStyle, light_deg: float, rng: Rng) -> NDArray[np.float32]:
    """What makes the body uneven: grain, light that shines through, a sheen."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE - 0.5
    a = np.deg2rad(light_deg)
    slope = x * np.cos(a) + y * np.sin(a)
    uneven = style.grain * rng.standard_normal((SIDE, SIDE), np.float32)
    if style.grain:
        along, across = (6.0, 0.8) if style.wooden else (3.0, 3.0)  # fibres, or clouds in the plastic
        uneven = np.asarray(cv2.GaussianBlur(uneven, (0, 0), along, sigmaY=across), np.float32) * 3
    return np.asarray(uneven - 90 * style.glow * slope * abs(slope) * 2 + 14 * slope, np.float32)


def _pip(image: Image, at: tuple[float, float], radius: float, ink: Color, style: DieStyle, light_deg: float) -> None:
    """A flat spot, or a cup whose far rim catches the light."""
    _spot(image, at, radius, ink if not style.cupped else dimmed(ink, 0.72))
    if not style.cupped:
        return
    a = np.deg2rad(light_deg)
    way = np.array([np.cos(a), np.sin(a)])
    lit = tuple(min(255.0, c + 25 + 50 * style.gloss) for c in ink)
    _spot(image, tuple(np.array(at) - 0.16 * radius * way), 0.84 * radius, (lit[0], lit[1], lit[2]))
    _spot(image, tuple(np.array(at) - 0.02 * radius * way), 0.8 * radius, ink)
    if style.gloss > 0.5:
        _spot(image, tuple(np.array(at) - 0.45 * radius * way), 0.16 * radius, (255.0, 255.0, 255.0))


def _spot(image: Image, at: tuple[float, ...], radius: float, color: Color) -> None:
    center = (int(round((at[0] - 0.5) * 16)), int(round((at[1] - 0.5) * 16)))
    cv2.circle(image, center, int(round(radius * 16)), color, -1, cv2.LINE_AA, 4)


@lru_cache(maxsize=64)
def _cover(rounding: float) -> Image:
    """The flat part of a face; its border fades into the round edge."""
    alpha = np.zeros((SIDE, SIDE), np.uint8)
    inset, corner = int(SIDE * rounding * 0.55), max(1, int(SIDE * min(0.42, rounding * 1.1)))
    lo, hi = inset, SIDE - 1 - inset
    cv2.rectangle(alpha, (lo + corner, lo), (hi - corner, hi), 255, -1)
    cv2.rectangle(alpha, (lo, lo + corner), (hi, hi - corner), 255, -1)
    for x in (lo + corner, hi - corner):
        for y in (lo + corner, hi - corner):
            cv2.circle(alpha, (x, y), corner, 255, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.5 + 14 * rounding), np.uint8) if rounding > 0.05 else alpha
