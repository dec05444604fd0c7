"""Marks for what is no domino: dice with their numbers, pawns and tokens in their colours, tetrominoes."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.scene import DieDetection, Point, Scene, TetrominoDetection

    Frame = NDArray[np.uint8]

Color = tuple[int, int, int]
PIECE: Color = (222, 120, 190)
DOUBT: Color = (0, 176, 255)
DARK: Color = (30, 26, 24)
LIGHT: Color = (245, 245, 245)
SMALLEST_PX = 6.0  # a ring smaller than this could not be seen


def mark_pieces(canvas: Frame, scene: Scene) -> None:
    """Draw every die, pawn, token and tetromino of a scene onto the BGR picture."""
    for tetromino in scene.tetrominoes:
        _tetromino(canvas, tetromino)
    for piece in (*scene.pawns, *scene.tokens):
        r, g, b = piece.color
        _ring(canvas, piece.center_px, piece.width_px, PIECE)
        _ring(canvas, piece.center_px, piece.width_px / 2, (b, g, r))
    for die in scene.dice:
        _die(canvas, die)


def _die(canvas: Frame, die: DieDetection) -> None:
    """The number below the die, where it hides no pip."""
    color = DOUBT if die.doubtful else PIECE
    _ring(canvas, die.center_px, 1.3 * die.edge_px, color)
    size = max(0.4, die.edge_px / 60)
    x, y = _pixel(die.center_px)
    at = (x - int(9 * size), y + int(0.65 * die.edge_px + 24 * size))
    text = f"{die.value}{'?' if die.doubtful else ''}"
    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, DARK, max(2, round(5 * size)), cv2.LINE_AA)
    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, color, max(1, round(2 * size)), cv2.LINE_AA)


def _tetromino(canvas: Frame, tetromino: TetrominoDetection) -> None:
    """Lines between the squares that adjoin, on a light or a dark ground as the side that is up."""
    edge = min(float(np.hypot(a[0] - b[0], a[1] - b[1])) for a, b in combinations(tetromino.centers_px, 2))
    inner, outer = (LIGHT, DARK) if tetromino.light else (DARK, LIGHT)
    for color, width in ((outer, max(3, round(edge / 6))), (inner, max(1, round(edge / 12)))):
        for a, b in combinations(tetromino.centers_px, 2):
            if float(np.hypot(a[0] - b[0], a[1] - b[1])) < 1.25 * edge:
                cv2.line(canvas, _pixel(a), _pixel(b), color, width, cv2.LINE_AA)


def _ring(canvas: Frame, center: Point, width_px: float, color: Color) -> None:
    across = max(SMALLEST_PX, width_px)
    cv2.circle(canvas, _pixel(center), round(across / 2), color, max(2, round(across / 14)), cv2.LINE_AA)


def _pixel(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])
