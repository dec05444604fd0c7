"""What the detector should answer: maps of the middles of tiles, dice, pawns, tokens and tetromino squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.truth import Truth
from vision.peaks import EDGE_UNIT, LENGTH_UNIT, PIECE_STRIDE, PIECES, STRIDE, WIDTH_UNIT

Floats = NDArray[np.float32]
Placing = Callable[[object], Floats]  # points (..., 2) of the scene -> the same points in the crop

CROP = 256
SHORTEST, LONGEST = 20.0, 115.0  # tile lengths, in pixels, that one level of the pyramid answers for
SMALLEST, LARGEST = 12.0, 64.0  # and edges of dice, widths of pawns
TILE_MAPS, PIECE_MAPS = 8, 12


@dataclass(frozen=True)
class Target:
    """maps as the network should answer; weight (2, n, n): how much a cell counts, for the middles and the shapes."""

    maps: Floats
    weight: Floats
    stride: int

    @classmethod
    def empty(cls, maps: int, stride: int) -> Target:
        """Nothing there, and all of it counts; so many pixels a cell."""
        n = CROP // stride
        weight = np.ones((2, n, n), np.float32)
        weight[1] = 0
        return cls(np.zeros((maps, n, n), np.float32), weight, stride)

    def ignore(self, middle: Floats, reach_px: float) -> None:
        """Let nothing count around a thing that can neither be asked for nor denied."""
        (x, y), at = self._grid(), self._cells(middle)
        near = (x - at[0]) ** 2 + (y - at[1]) ** 2 < (reach_px / self.stride) ** 2
        self.weight[0][near] = 0

    def mark(self, channel: int, first: int, middle: Floats, width_px: float, values: tuple[float, ...]) -> None:
        """A bump at the middle, and around it the values from map `first` on, then the way to the middle."""
        (x, y), at = self._grid(), self._cells(middle)
        cx, cy = int(round(float(at[0]))), int(round(float(at[1])))
        if not (0 <= cx < x.shape[1] and 0 <= cy < x.shape[0]):
            return
        bump = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * max(0.8, 0.14 * width_px / self.stride) ** 2))
        np.maximum(self.maps[channel], bump, out=self.maps[channel])
        near = (bump > 0.3) & (bump > self.weight[1])  # where two things meet, the nearer one speaks
        for k, value in enumerate(values):
            self.maps[first + k][near] = value
        self.maps[first + len(values)][near] = (at[0] - x)[near]
        self.maps[first + len(values) + 1][near] = (at[1] - y)[near]
        self.weight[1][near] = bump[near]

    def _grid(self) -> tuple[Floats, Floats]:
        y, x = np.mgrid[0 : CROP // self.stride, 0 : CROP // self.stride].astype(np.float32)
        return x, y

    def _cells(self, point: Floats) -> Floats:
        return np.asarray((point + 0.5) / self.stride - 0.5, np.float32)


def _far(middle: Floats, reach_px: float) -> bool:
    return bool((middle < -reach_px).any() or (middle > CROP + reach_px).any())


def _inside(quad: Floats) -> float:
    """The part of a face that the crop shows."""
    frame = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float32)
    try:
        common, _ = cv2.intersectConvexConvex(quad, frame)
    except cv2.error:
        return 0.0
    return float(common / max(cv2.contourArea(quad), 1e-3))


def tile_target(truth: Truth, placed: Placing) -> Target:
    """The eight maps of tiles, as vision.detector describes them."""
    target = Target.empty(TILE_MAPS, STRIDE)
    for tile in truth.tiles:
        quad = placed(tile.corners_px)
        middle, along = quad.mean(0), (quad[2] + quad[3] - quad[0] - quad[1]) / 2
        length = float(np.linalg.norm(along))
        across = float(np.linalg.norm((quad[1] + quad[2] - quad[0] - quad[3]) / 2))
        if _far(middle, 2 * length) or (seen := tile.visible * _inside(quad)) < 0.25:
            continue
        if seen < 0.95 or tile.pip_hidden or not SHORTEST <= length <= LONGEST or across < 8:
            target.ignore(middle, 0.45 * length)
            continue
        angle = 2 * np.arctan2(along[1], along[0])
        shape = (np.cos(angle), np.sin(angle), np.log(length / LENGTH_UNIT), np.log(across / WIDTH_UNIT))
        target.mark(0 if tile.face_up else 1, 2, middle, across, tuple(float(v) for v in shape))
    return target


def piece_target(truth: Truth, placed: Placing) -> Target:
    """The twelve maps of everything else that stands and lies on the table."""
    target = Target.empty(PIECE_MAPS, PIECE_STRIDE)
    for die in truth.dice:
        _square(target, "die", placed(die.corners_px), die.visible)
    for tetromino in truth.tetrominoes:
        squares = placed(tetromino.squares_px)
        middle = squares.mean(axis=(0, 1))
        for square in squares:
            _square(target, "light" if tetromino.light else "dark", square, tetromino.visible, middle)
    for piece in truth.pieces:
        _round(target, piece.kind, placed(piece.center_px), placed, piece.center_px, piece.width_px, piece.visible)
    return target


def _square(target: Target, kind: str, quad: Floats, visible: float, whole: Floats | None = None) -> None:
    """A die's top face, or one square of a tetromino whose middle is `whole`."""
    middle, along = quad.mean(0), (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    edge = float(np.sqrt(np.linalg.norm(along) * np.linalg.norm(across)))
    if _far(middle, 2 * edge) or (seen := visible * _inside(quad)) < 0.3:
        return
    if seen < 0.9 or not SMALLEST <= edge <= LARGEST:
        target.ignore(middle, 0.5 * edge)
        return
    angle = 4 * np.arctan2(along[1], along[0])
    dx, dy = (0.0, 0.0) if whole is None else (whole - middle) / edge
    _mark(target, kind, middle, edge, (float(np.cos(angle)), float(np.sin(angle))), (float(dx), float(dy)))


def _round(
    target: Target, kind: str, middle: Floats, placed: Placing, at: tuple[float, float], width_px: float, visible: float
) -> None:
    """A pawn or a token: it has no direction."""
    width = float(np.linalg.norm(placed((at[0] + width_px, at[1])) - middle))
    if _far(middle, 2 * width) or visible < 0.3:
        return
    if visible < 0.7 or not SMALLEST <= width <= LARGEST or _far(middle, -0.3 * width):
        target.ignore(middle, 0.6 * width)
        return
    _mark(target, kind, middle, width, (0.0, 0.0), (0.0, 0.0))


def _mark(
    target: Target, kind: str, middle: Floats, edge: float, turn: tuple[float, float], way: tuple[float, float]
) -> None:
    values = (*turn, float(np.log(edge / EDGE_UNIT)), *way)
    target.mark(PIECES.index(kind), len(PIECES), middle, edge, values)
