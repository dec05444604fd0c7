"""Pawns of many shapes and round tokens, standing on the table, beside tiles and on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.placing import USUAL_UPON, placed
from training.sets import Color, Face, dimmed, random_color, tinted
from training.solids import Box, Points, Solid, Stack, circle, fill, hull, paint_face, paint_sides, silhouette
from training.truth import TruePiece

Rng = np.random.Generator
Image = NDArray[np.uint8]
Profile = tuple[tuple[float, float], ...]  # (height, radius) from foot to top, both in foot radii

SIDE = 96  # pixels across a token's face
_COLORS: tuple[Color, ...] = (
    (35, 35, 200), (180, 90, 30), (60, 150, 40), (40, 210, 240), (30, 30, 30), (240, 242, 242), (120, 175, 215),
    (40, 130, 240), (140, 50, 120), (130, 130, 130),
)  # fmt: skip


def _ball(middle: float, radius: float, start: float = -0.9) -> Profile:
    turns = np.arcsin(np.linspace(start, 1.0, 7))
    return tuple((middle + radius * float(np.sin(t)), max(0.02, radius * float(np.cos(t)))) for t in turns)


PAWNS: dict[str, Profile] = {
    "halma": ((0.0, 1.0), (0.15, 1.0), (0.6, 0.72), (1.1, 0.5), (1.7, 0.36), *_ball(2.15, 0.6)),
    "peg": ((0.0, 1.0), (2.4, 1.0), (2.5, 0.92)),
    "stub": ((0.0, 1.0), (1.2, 1.0), (1.3, 0.9)),
    "cone": ((0.0, 1.0), (0.1, 1.0), (1.2, 0.55), (2.6, 0.08)),
    "chess": ((0.0, 1.0), (0.25, 1.0), (0.4, 0.8), (0.8, 0.5), (1.5, 0.36), (1.6, 0.62), (1.75, 0.3), *_ball(2.2, 0.5)),
    "bowl": ((0.0, 1.0), (0.3, 0.9), (0.6, 0.55), *_ball(1.3, 0.8, -0.85)),
}
_MEEPLE = (  # across and up, in half widths
    (-1.0, 0.0), (-0.25, 0.0), (0.0, 0.5), (0.25, 0.0), (1.0, 0.0), (0.55, 0.85), (1.0, 1.15), (0.9, 1.4),
    (0.35, 1.35), (0.42, 1.75), (0.2, 2.05), (-0.2, 2.05), (-0.42, 1.75), (-0.35, 1.35), (-0.9, 1.4), (-1.0, 1.15),
    (-0.55, 0.85),
)  # fmt: skip


@dataclass(frozen=True)
class PieceStyle:
    """How one kind of piece looks: its shape, its foot's width in halves, its gloss."""

    shape: str
    width: float
    gloss: float
    thickness: float  # of a token, in foot radii
    seed: int


def random_pawn(rng: Rng) -> PieceStyle:
    """A pawn of some game."""
    shape = str(rng.choice([*PAWNS, "meeple", "cube"], p=[0.3, 0.12, 0.1, 0.12, 0.14, 0.08, 0.1, 0.04]))
    return PieceStyle(shape, float(rng.uniform(0.35, 0.95)), float(rng.beta(1.2, 1.6)), 0.0, int(rng.integers(2**31)))


def random_token(rng: Rng) -> PieceStyle:
    """A disc, a poker chip, a checker, a coin or a drop of glass."""
    shape = str(rng.choice(["disc", "chip", "checker", "coin", "drop"], p=[0.28, 0.15, 0.2, 0.22, 0.15]))
    thick = float(rng.uniform(0.08, 0.3)) if shape != "checker" else float(rng.uniform(0.25, 0.5))
    width = float(rng.uniform(0.35, 1.15))
    return PieceStyle(shape, width, float(rng.beta(1.2, 1.6)), thick, int(rng.integers(2**31)))


def _piece_color(rng: Rng, shape: str) -> Color:
    if shape == "coin":
        metals = ((165.0, 172.0, 175.0), (95.0, 165.0, 195.0), (70.0, 105.0, 160.0))
        return tinted(rng, metals[int(rng.integers(0, 3))], 12)
    if rng.random() < 0.25:
        return random_color(rng)
    return tinted(rng, _COLORS[int(rng.integers(0, len(_COLORS)))], 12)


class Room(NamedTuple):
    """What already lies there: the tiles, and all else, which grows; how often a piece stands upon a tile."""

    tiles: list[Box]
    taken: list[Box]
    upon_share: float = USUAL_UPON


def lay_pieces(
    rng: Rng, lens: Lens, light_deg: float, span: float, styles: Sequence[PieceStyle], room: Room
) -> list[tuple[Solid, TruePiece]]:
    """Stand one piece of each style on the table or on a tile."""
    found = []
    tiles, taken, upon_share = room
    colors: dict[PieceStyle, list[Color]] = {s: [_piece_color(rng, s.shape) for _ in range(2)] for s in styles}
    for style in styles:
        box = placed(rng, (style.width, height_of(style)), span, tiles, taken, upon_share)
        if box is not None:
            color = colors[style][int(rng.integers(0, 2))]
            found.append(piece(lens, box, style, color, light_deg))
    return found


def height_of(style: PieceStyle) -> float:
    """How high a piece stands, in halves."""
    if style.shape in PAWNS:
        return PAWNS[style.shape][-1][0] * style.width / 2
    if style.shape in ("meeple", "cube"):
        return style.width
    return style.thickness * style.width / 2


def piece(lens: Lens, box: Box, style: PieceStyle, color: Color, light_deg: float) -> tuple[Solid, TruePiece]:
    """One piece standing in this box, as a solid and as its truth."""
    make = {"meeple": _meeple, "cube": _cube}.get(style.shape, _turning if style.shape in PAWNS else _token)
    solid = make(lens, box, style, color, light_deg)
    foot = lens.project(circle(box.x, box.y, box.z0, style.width / 2))
    middle = lens.project([[box.x, box.y, box.z0]])[0]
    wide = 2 * float(np.linalg.norm(foot - middle, axis=1).max())
    kind = "pawn" if style.shape in (*PAWNS, "meeple", "cube") else "token"
    b, g, r = (int(round(c)) for c in color)
    return solid, TruePiece(kind, (float(middle[0]), float(middle[1])), wide, (r, g, b))


def _stack(box: Box, profile: Profile) -> Stack:
    r = box.along
    return tuple(circle(box.x, box.y, box.z0 + h * r, w * r) for h, w in profile)


def _turning(lens: Lens, box: Box, style: PieceStyle, color: Color, light_deg: float) -> Solid:
    profile = PAWNS[style.shape]
    stack = _stack(box, profile)

    def paint(image: Image) -> None:
        _paint_turning(image, lens, (stack, profile), color, light_deg, style.gloss)

    return Solid(box.x, box.y, box.z0, (stack,), silhouette(lens, stack), paint)


def _paint_turning(
    image: Image, lens: Lens, shape: tuple[Stack, Profile], color: Color, light_deg: float, gloss: float
) -> None:
    """A stack of discs: each ring as light as its slope looks up, then darker on the side away from the lamp."""
    stack, profile = shape
    polygons = silhouette(lens, stack)
    (x0, y0), (x1, y1) = _window(image, polygons)
    if x1 <= x0 or y1 <= y0:
        return
    part, mask = image[y0:y1, x0:x1].copy(), np.zeros((y1 - y0, x1 - x0), np.uint8)
    for k, polygon in enumerate(polygons):
        rise, shrink = profile[k + 1][0] - profile[k][0], profile[k][1] - profile[k + 1][1]
        up = max(-0.4, shrink / float(np.hypot(rise, shrink)))
        fill(part, polygon - [x0, y0], dimmed(color, 0.72 + 0.28 * up))
        fill(mask, polygon - [x0, y0], 255.0)
    lit = part * _from_one_side(lens, stack, light_deg, part.shape, (x0, y0))[..., None]
    cover = mask[..., None].astype(np.float32) / 255
    lit = np.clip(image[y0:y1, x0:x1] + cover * (lit - image[y0:y1, x0:x1]), 0, 255)
    image[y0:y1, x0:x1] = lit.astype(np.uint8)
    if profile[-1][1] > 0.5:
        fill(image, lens.project(stack[-1]), _brighter(color, 1.04, 6))
    elif gloss > 0.3 and len(profile) > 6:  # it ends in a ball
        _glint(image, lens, stack[-3], light_deg, gloss)


def _brighter(color: Color, times: float, plus: float) -> Color:
    b, g, r = (min(255.0, times * c + plus) for c in color)
    return (b, g, r)


def _from_one_side(
    lens: Lens, stack: Stack, light_deg: float, shape: tuple[int, ...], at: tuple[int, int]
) -> NDArray[np.float32]:
    """Light across a standing piece, 1 in its middle."""
    a = np.deg2rad(light_deg)
    foot = stack[0].mean(0)
    ends = lens.project([foot, foot + [np.cos(a), np.sin(a), 0.0], stack[-1].mean(0)])
    way = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-6)
    radius = float(np.linalg.norm(lens.project(stack[0]) - ends[0], axis=1).max())
    axis = ends[2] - ends[0]
    across = np.array([-axis[1], axis[0]]) / max(float(np.linalg.norm(axis)), 1e-6)
    if np.linalg.norm(axis) > 0.5 * radius:  # seen from the side: the light falls across the axis
        way = across * float(np.sign(across @ way) or 1.0)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    offset = (x + at[0] - ends[0][0]) * way[0] + (y + at[1] - ends[0][1]) * way[1]
    return np.clip(1 + 0.34 * offset / max(radius, 1.0), 0.55, 1.35).astype(np.float32)


def _glint(image: Image, lens: Lens, ring: Points, light_deg: float, gloss: float) -> None:
    """The lamp mirrored in a polished ball."""
    a, middle = np.deg2rad(light_deg), ring.mean(0)
    radius = float(np.linalg.norm(ring[0] - middle))
    spot = middle + [0.5 * radius * np.cos(a), 0.5 * radius * np.sin(a), 0.0]
    level = 255.0 * (0.6 + 0.4 * gloss)
    fill(image, lens.project(circle(spot[0], spot[1], spot[2], 0.25 * radius, 10)), (level, level, level))


def _window(image: Image, polygons: Sequence[Points]) -> tuple[tuple[int, int], tuple[int, int]]:
    h, w = image.shape[:2]
    points = np.vstack(polygons)
    lo = np.clip(np.floor(points.min(0)) - 1, 0, [w, h]).astype(int)
    hi = np.clip(np.ceil(points.max(0)) + 2, 0, [w, h]).astype(int)
    return (int(lo[0]), int(lo[1])), (int(hi[0]), int(hi[1]))


def _cube(lens: Lens, box: Box, style: PieceStyle, color: Color, light_deg: float) -> Solid:
    quad = lens.project(box.top)

    def paint(image: Image) -> None:
        paint_sides(image, lens, box, color, light_deg)
        fill(image, quad, color)

    stack = (box.foot, box.top)
    return Solid(box.x, box.y, box.z0, (stack,), silhouette(lens, stack), paint)


def _meeple(lens: Lens, box: Box, style: PieceStyle, color: Color, light_deg: float) -> Solid:
    """A flat wooden figure standing upright: its edges, then the face that is nearer to the camera."""
    a, half = np.deg2rad(box.angle_deg), style.width / 2
    ux, uy = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])

    def layer(depth: float) -> Points:
        flat = [np.array([box.x, box.y]) + ux * x * half + uy * depth * half for x, _ in _MEEPLE]
        return np.column_stack([np.array(flat), [box.z0 + y * half for _, y in _MEEPLE]])

    far, near = layer(-0.35), layer(0.35)
    if lens.depth([far.mean(0)])[0] < lens.depth([near.mean(0)])[0]:
        far, near = near, far
    behind, before = lens.project(far), lens.project(near)
    edges = np.stack([behind, np.roll(behind, -1, 0), np.roll(before, -1, 0), before], axis=1)

    def paint(image: Image) -> None:
        for edge in edges:
            fill(image, hull(edge), dimmed(color, 0.78))
        cv2.fillPoly(image, [np.round(before * 16).astype(np.int32)], color, cv2.LINE_AA, 4)

    upper = np.vstack([far[[6, 7, 14, 15]], near[[6, 7, 14, 15]]])
    head = np.vstack([far[[9, 10, 11, 12]], near[[9, 10, 11, 12]]])
    feet = np.vstack([far[[0, 4]], near[[4, 0]]])
    stack = (feet, upper, head)
    return Solid(box.x, box.y, box.z0, (stack,), silhouette(lens, stack), paint)


def _token(lens: Lens, box: Box, style: PieceStyle, color: Color, light_deg: float) -> Solid:
    tall = style.thickness
    profile: Profile = ((0.0, 1.0), (tall, 1.0))
    if style.shape == "drop":
        profile = ((0.0, 1.0), (0.4 * tall, 0.98), (0.9 * tall, 0.8), (1.2 * tall, 0.5))
    stack = _stack(box, profile)
    top = Box(box.x, box.y, box.along, box.across, box.angle_deg, tall * box.along, box.z0)

    def paint(image: Image) -> None:
        for polygon in silhouette(lens, stack):
            fill(image, polygon, dimmed(color, 0.62))
        paint_face(image, _token_face(style, color, light_deg - box.angle_deg), lens.project(top.top))

    return Solid(box.x, box.y, box.z0, (stack,), silhouette(lens, stack), paint)


def _token_face(style: PieceStyle, color: Color, light_deg: float) -> Face:
    rng = np.random.default_rng(style.seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / (SIDE / 2) - 1
    a = np.deg2rad(light_deg)
    slope = (x * np.cos(a) + y * np.sin(a))[..., None]
    drawn = np.empty((SIDE, SIDE, 3), np.uint8)
    drawn[:] = color
    _decorated(drawn, style, color, rng)
    picture = drawn.astype(np.float32)
    if style.shape == "drop":
        picture -= 55 * slope  # light gathers on the far side of glass
        glint = np.exp(-((x - 0.4 * np.cos(a)) ** 2 + (y - 0.4 * np.sin(a)) ** 2) / 0.03)
        picture += 200 * style.gloss * glint[..., None]
    else:
        picture += (
            26 * style.gloss * slope + float(rng.uniform(0, 5)) * rng.standard_normal(x.shape, np.float32)[..., None]
        )
    alpha = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(alpha, (SIDE // 2, SIDE // 2), SIDE // 2 - 1, 255, -1, cv2.LINE_AA)
    return Face(np.clip(picture, 0, 255).astype(np.uint8), alpha, ())


def _decorated(picture: Image, style: PieceStyle, color: Color, rng: Rng) -> None:
    """Rings of a checker, edge spots of a chip, the stamp of a coin."""
    c, middle = SIDE // 2, (SIDE // 2, SIDE // 2)
    dark, lit = dimmed(color, 0.72), _brighter(color, 1.18, 14)
    if style.shape == "checker":
        for r in rng.permutation([14, 20, 26, 32, 38])[: int(rng.integers(1, 5))]:
            cv2.circle(picture, middle, int(r), dark, 2, cv2.LINE_AA)
            cv2.circle(picture, (c - 1, c - 1), int(r) + 2, lit, 1, cv2.LINE_AA)
    elif style.shape == "chip":
        spot = (240.0, 244.0, 244.0) if sum(color) < 560 else (40.0, 40.0, 60.0)
        count = int(rng.integers(4, 9))
        for k in range(count):
            at = 360 / count * k
            cv2.ellipse(picture, middle, (c - 6, c - 6), 0, at, at + 150 / count, spot, 11)
        cv2.circle(picture, middle, int(c * 0.62), spot if rng.random() < 0.5 else dark, 2, cv2.LINE_AA)
        cv2.putText(picture, str(int(rng.choice([1, 5, 10, 25, 50]))), (c - 18, c + 12), 0, 0.9, spot, 2, cv2.LINE_AA)
    elif style.shape == "coin":
        cv2.circle(picture, middle, c - 4, dark, 2, cv2.LINE_AA)
        cv2.ellipse(picture, middle, (int(c * 0.4), int(c * 0.55)), float(rng.uniform(0, 180)), 0, 360, lit, -1)
        cv2.putText(
            picture, str(int(rng.choice([1, 2, 5, 10, 20, 50]))), (c - 20, c + 14), 0, 1.2, dark, 3, cv2.LINE_AA
        )
    elif rng.random() < 0.3:
        cv2.circle(picture, middle, int(c * rng.uniform(0.3, 0.85)), dark, 2, cv2.LINE_AA)
