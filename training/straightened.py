"""Pictures taken aslant, made to look as from above: so a table seen from a chair is looked at a second time.

See vision.aslant. There what stands on the table leans away from the camera, and its sides are as long as its top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Array, mapped
from training.lens import Lens
from training.truth import Point, Truth

Rng = np.random.Generator
Image = NDArray[np.uint8]

THICK = 0.5  # halves: a usual tile's thickness, for their faces tell how the table lies
SQUARE = np.array([[-2.0, -2.0], [-2.0, 2.0], [2.0, 2.0], [2.0, -2.0]])  # on the table, in halves
ASTRAY = 0.03  # halves, a deviation: how far off tiles tell the corners of that square
AROUND = (1.0, 8.0)  # halves around what lies there are shown
LONGEST_SIDE = 1000  # pixels


@dataclass(frozen=True, eq=False)
class _Way:
    """What takes the points of one picture to another: a homography (3, 3), and the other's (width, height)."""

    onto: Array
    size_px: tuple[int, int]

    def at(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Where some points are then."""
        return tuple((float(x), float(y)) for x, y in mapped(self.onto, np.array(points, float).reshape(-1, 2)))

    def shows(self, points: Sequence[Point]) -> bool:
        """Whether the middle of some points is seen then."""
        if not all(_is_ahead(self.onto, point) for point in points):
            return False
        x, y = np.mean(self.at(points), axis=0)
        return bool(0 <= x < self.size_px[0] and 0 <= y < self.size_px[1])

    def growth(self, point: Point) -> float:
        """How much larger than before things are then at a point."""
        x, y = point
        (a, b), (c, d), (e, f) = self.at([point, (x + 1, y), (x, y + 1)])
        return float(np.sqrt(abs((c - a) * (f - b) - (d - b) * (e - a))))


def straightened(picture: Image, truth: Truth, lens: Lens, rng: Rng) -> tuple[Image, Truth]:
    """The table of a picture as it looks from above, so far as tiles tell how it lies, and the truth there."""
    pixels = lens.project(np.column_stack([SQUARE, np.full(4, THICK)]))
    told = SQUARE + rng.normal(0, ASTRAY, SQUARE.shape)
    to_table = cv2.getPerspectiveTransform(pixels.astype(np.float32), told.astype(np.float32))
    way = _way(truth, np.asarray(to_table, np.float64), _half_px(pixels), float(rng.uniform(*AROUND)))
    return np.asarray(cv2.warpPerspective(picture, way.onto, way.size_px), np.uint8), _carried(truth, way)


def _half_px(square: Array) -> float:
    """How long a half looks along the direction that looks longest, by the pixels (4, 2) of the square."""
    sides = np.array([square[3] - square[0], square[1] - square[0]]) / float(np.ptp(SQUARE[:, 0]))
    return float(np.linalg.svd(sides, compute_uv=False)[0])


def _way(truth: Truth, to_table: Array, half_px: float, around: float) -> _Way:
    """The way to the picture of what is around dominoes and dice, a half as long as there is room for."""
    low, high = _region(truth, to_table, around)
    half_px = min(half_px, LONGEST_SIDE / float((high - low).max()))
    width, height = (int(length) for length in np.ceil((high - low) * half_px))
    onto = np.array([[half_px, 0, -half_px * low[0]], [0, half_px, -half_px * low[1]], [0, 0, 1]]) @ to_table
    return _Way(onto, (width, height))


def _region(truth: Truth, to_table: Array, around: float) -> tuple[Array, Array]:
    """The part of the table, from (x, y) to (x, y), around dominoes and dice, so far as the picture shows it."""
    faces = [t.corners_px for t in truth.tiles if t.visible > 0] + [d.corners_px for d in truth.dice]
    middles = [middle for middle in (np.mean(face, axis=0) for face in faces) if _is_ahead(to_table, middle)]
    width, height = truth.size_px
    there = mapped(to_table, np.array(middles or [(width / 2, height / 2)]))
    low, high = there.min(axis=0) - around, there.max(axis=0) + around
    corners = [(0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height))]
    if all(_is_ahead(to_table, corner) for corner in corners):
        shown = mapped(to_table, np.array(corners))
        low, high = np.maximum(low, shown.min(axis=0)), np.minimum(high, shown.max(axis=0))
    return low, np.maximum(high, low + 1)


def _is_ahead(to_table: Array, point: Sequence[float] | Array) -> bool:
    """Whether a point of the picture is below the horizon."""
    return bool(to_table[2] @ [*point, 1.0] > 0)


def _carried(truth: Truth, way: _Way) -> Truth:
    """The truth of the other picture; of what that does not show nothing is left."""
    return Truth(
        way.size_px,
        tuple(
            replace(tile, corners_px=way.at(tile.corners_px), pips_px=way.at(tile.pips_px))
            for tile in truth.tiles
            if way.shows(tile.corners_px)
        ),
        tuple(replace(die, corners_px=way.at(die.corners_px)) for die in truth.dice if way.shows(die.corners_px)),
        tuple(
            replace(one, center_px=way.at([one.center_px])[0], width_px=one.width_px * way.growth(one.center_px))
            for one in truth.pieces
            if way.shows([one.center_px])
        ),
        tuple(
            replace(one, squares_px=tuple(way.at(square) for square in one.squares_px))
            for one in truth.tetrominoes
            if all(way.shows(square) for square in one.squares_px)
        ),
        *(tuple(way.at(quad) for quad in quads if way.shows(quad)) for quads in (truth.decoys, truth.squares)),
    )
