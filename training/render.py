"""One picture of a table with its exact truth, from a seed: the whole of it on the processor, by OpenCV alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training import arrangements, boards, clutter, light, surfaces
from training.arrangements import Arrangement, Lying
from training.boards import PrintedBoard
from training.lens import Lens, looking_down, random_lens
from training.sets import Face, SetStyle, back, face, random_style
from training.solids import Box, fill, paint_face, paint_sides, tile_box
from training.truth import TrueDie, TrueTile, Truth

Rng = np.random.Generator
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Look:
    """What a whole scene is seen with: camera, set, table, and how much lies about."""

    lens: Lens
    style: SetStyle
    clutter: int = 0
    dice: int = 0
    standing: int = 0
    hand: bool = False
    board: PrintedBoard | None = None


def _shadow(image: Image, lens: Lens, boxes: list[Box], style: SetStyle, rng: Rng) -> None:
    """Darken the table beside the tiles: the dark line where they touch it, and the shadow that a lamp throws."""
    h, w = lens.height // 2, lens.width // 2
    near, far = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    a = np.deg2rad(style.light_deg)
    length = float(rng.uniform(0.0, 1.6))
    throw = -length * np.array([np.cos(a), np.sin(a), 0.0])
    for box in boxes:
        foot = box.foot
        seen = lens.project(foot) / 2
        fill(near, seen, 255.0)
        thrown = lens.project(box.top * [1, 1, 0] + [0, 0, box.z0] + throw * box.height) / 2
        hull = cv2.convexHull(np.vstack([seen, thrown]).astype(np.float32))[:, 0].astype(np.float64)
        fill(far, hull, 255.0)
    half_px = lens.focal_px / lens.distance / 2  # the masks are half as large as the picture
    near = np.asarray(cv2.GaussianBlur(near, (0, 0), max(0.6, 0.03 * half_px)), np.uint8)
    far = np.asarray(cv2.GaussianBlur(far, (0, 0), max(0.6, half_px * float(rng.choice([0.02, 0.08, 0.2])))), np.uint8)
    dark = 1 - (near / 255.0) * rng.uniform(0.1, 0.6)
    dark *= 1 - (far / 255.0) * rng.uniform(0.0, 0.65)
    light_left = cv2.resize(dark.astype(np.float32), (lens.width, lens.height))[..., None]
    image[:] = (image * light_left).astype(np.uint8)


def _faces(laid: Arrangement, style: SetStyle, rng: Rng) -> list[Face]:
    return [face(style, t.head, t.tail, rng) if t.face_up else back(style, rng) for t in laid]


def _paint_tiles(image: Image, look: Look, laid: Arrangement, rng: Rng) -> tuple[list[TrueTile], NDArray[np.int32]]:
    """Paint far tiles first; returns their truth and which tile each pixel belongs to."""
    lens, style = look.lens, look.style
    owner = np.zeros((lens.height, lens.width), np.int32)
    faces = _faces(laid, style, rng)
    boxes = [_resting(style, laid, k) for k in range(len(laid))]
    _shadow(image, lens, boxes, style, rng)
    layer = style.back_color if style.back == "other" and style.thickness > 0.2 else None
    order = sorted(range(len(laid)), key=lambda k: (boxes[k].z0, -float(lens.depth([[laid[k].x, laid[k].y, 0]])[0])))
    quads: dict[int, NDArray[np.float64]] = {}
    for k in order:
        paint_sides(image, lens, boxes[k], style.side, style.light_deg, layer)
        quads[k] = lens.project(boxes[k].top)
        paint_face(image, faces[k], quads[k], float(rng.normal(1.0, 0.02)))
        hull = cv2.convexHull(np.vstack([quads[k], lens.project(boxes[k].foot)]).astype(np.float32))[:, 0]
        fill(owner, hull.astype(np.float64), 0.0)
        fill(owner, quads[k], float(k + 1))
    tiles = [_true_tile(lens, laid[k], boxes[k], faces[k], quads[k]) for k in range(len(laid))]
    return tiles, owner


def _resting(style: SetStyle, laid: Arrangement, k: int) -> Box:
    """A tile that overlaps an earlier one rests on it."""
    raised = any(
        cv2.rotatedRectangleIntersection(laid[k].rect(-0.06), laid[j].rect(-0.06))[0]
        and (laid[k].x - laid[j].x) ** 2 + (laid[k].y - laid[j].y) ** 2 < 5
        for j in range(k)
    )
    t = laid[k]
    return tile_box(style, t.x, t.y, t.angle_deg, style.thickness if raised else 0.0)


def _true_tile(lens: Lens, t: Lying, box: Box, shown: Face, quad: NDArray[np.float64]) -> TrueTile:
    top = box.top
    middle, ux, uy = top.mean(0), (top[3] - top[0]) / 2 / box.along, (top[1] - top[0]) / 2 / box.across
    pips = [lens.project(middle + x * ux * box.along + y * uy * 2 * box.across)[0] for x, y in shown.pips_at]
    return TrueTile(
        tuple((float(x), float(y)) for x, y in quad),
        (t.head, t.tail) if t.face_up else (0, 0),
        t.face_up,
        tuple((float(x), float(y)) for x, y in pips),
        1.0,
    )


def _seen_part(tile: TrueTile, number: int, owner: NDArray[np.int32]) -> float:
    """The part of the face that is in the picture and uncovered; 0 if a pip is hidden."""
    h, w = owner.shape
    quad = np.array(tile.corners_px)
    lo, hi = np.floor(quad.min(0)).astype(int), np.ceil(quad.max(0)).astype(int) + 1
    size = hi - lo
    if (size > 4 * max(h, w)).any() or (hi < 0).any() or (lo > (w, h)).any():
        return 0.0
    whole = np.zeros((size[1], size[0]), np.int32)  # drawn as the owners were, so that the same pixels count
    fill(whole, quad - lo, 1.0)
    total = int((whole > 0).sum())
    x0, y0, x1, y1 = max(lo[0], 0), max(lo[1], 0), min(hi[0], w), min(hi[1], h)
    if x1 <= x0 or y1 <= y0 or total == 0:
        return 0.0
    seen = int((owner[y0:y1, x0:x1] == number).sum()) / total
    for x, y in tile.pips_px:
        c, r = int(round(x)), int(round(y))
        if not (0 <= r < h and 0 <= c < w) or owner[r, c] != number:
            return min(seen, 0.5)
    return min(1.0, seen)


def _in_view(lens: Lens, laid: Arrangement) -> Arrangement:
    """The tiles in the picture or near it: not those beside the camera or behind it."""
    if not laid:
        return laid
    middles = np.array([[t.x, t.y, 0.0] for t in laid])
    near = lens.depth(middles) > 0.4 * lens.distance
    seen = (abs(lens.project(middles) - [lens.width / 2, lens.height / 2]) < [lens.width, lens.height]).all(axis=1)
    return tuple(t for t, shown in zip(laid, near & seen, strict=True) if shown)


def render(look: Look, laid: Arrangement, rng: Rng) -> tuple[Image, Truth]:
    """The picture of these tiles, and the truth in its pixels."""
    lens, style = look.lens, look.style
    reach = lens.distance * max(lens.width, lens.height) / lens.focal_px / 2
    image = surfaces.table(lens, rng, reach)
    if look.board:
        boards.paint_board(image, lens, look.board, rng)
    half_px = lens.focal_px / lens.distance
    clutter.paint_things(image, rng, half_px, look.clutter)
    for _ in range(look.standing):
        clutter.paint_standing(image, lens, style, rng, reach)
    dice: tuple[TrueDie, ...] = ()
    if look.dice:
        dice = clutter.paint_dice(image, lens, style, rng, reach * 0.8, look.dice)
    tiles, owner = _paint_tiles(image, look, _in_view(lens, laid), rng)
    covered = clutter.paint_hand(image, rng, half_px) if look.hand else np.zeros(owner.shape, bool)
    owner[covered] = 0
    lit = image.astype(np.float32) * light.illumination((lens.height, lens.width), rng)[..., None]
    if rng.random() < 0.45:
        shine = light.glare((lens.height, lens.width), rng, style.gloss * float(rng.uniform(0.2, 1.0)))
        lit += (shine * np.where(owner > 0, 1.0, rng.uniform(0, 0.5)))[..., None]
    seen = tuple(
        TrueTile(t.corners_px, t.pips, t.face_up, t.pips_px, _seen_part(t, k + 1, owner)) for k, t in enumerate(tiles)
    )
    dice = tuple(d for d in dice if _free(d, tiles, covered))
    decoys = boards.decoys(lens, look.board, laid, rng) if look.board else ()
    return light.photographed(lit, rng), Truth((lens.width, lens.height), seen, dice, decoys)


def _free(die: TrueDie, tiles: list[TrueTile], covered: NDArray[np.bool_]) -> bool:
    x, y = die.center_px
    h, w = covered.shape
    under = any(cv2.pointPolygonTest(np.array(t.corners_px, np.float32), (x, y), False) >= 0 for t in tiles)
    return 0 <= x < w and 0 <= y < h and not covered[int(y), int(x)] and not under


def random_scene(rng: Rng, size: int = 640) -> tuple[Image, Truth]:
    """A scene for training: any set, any arrangement, any light; one in eight holds no domino."""
    half_px = float(np.exp(rng.uniform(np.log(17), np.log(105))))
    lens = random_lens(rng, size, size, half_px)
    style = random_style(rng, surfaces.texture)
    span = size / half_px / 2
    most = int(np.clip(0.35 * (2 * span) ** 2 / 2, 2, 36))
    kind = str(rng.choice(list(arrangements.KINDS)))
    laid: Arrangement = ()
    if rng.random() > 0.13:
        laid = arrangements.KINDS[kind](rng, style.highest, int(rng.integers(1, most + 1)), span)
        laid = arrangements.some_face_down(arrangements.turned(laid, float(rng.uniform(0, 360))), rng)
    look = Look(
        lens,
        style,
        clutter=int(rng.integers(0, 9)) if rng.random() < 0.5 else 0,
        dice=int(rng.integers(1, 7)) if rng.random() < (0.2 if laid else 0.75) else 0,
        standing=int(rng.integers(1, 5)) if rng.random() < 0.12 else 0,
        hand=bool(rng.random() < 0.12),
        board=boards.random_board(rng, laid) if rng.random() < (0.5 if kind == "lattice" else 0.12) else None,
    )
    return render(look, laid, rng)


def staged(
    laid: Arrangement,
    style: SetStyle,
    rng: Rng,
    width: int = 1280,
    height: int = 720,
    *,
    tilt_deg: float = 10.0,
    turn_deg: float = 0.0,
    half_px: float = 60.0,
) -> tuple[Image, Truth]:
    """A scene laid on purpose, for samples and tests: these tiles, this set, seen from here."""
    return render(Look(looking_down(width, height, half_px, tilt_deg, turn_deg), style), laid, rng)
