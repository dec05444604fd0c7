"""The sheet that is shown to the camera: a chessboard with a numbered marker in each white square (ChArUco)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Image, Points

DICTIONARY = cv2.aruco.DICT_4X4_50
MARKER_MODULES = 6  # four by four bits and the black frame round them
RULER_SQUARES = 8  # the ruler is as long as this many squares: 200 mm where the printer keeps the scale
RULER_LIMITS_MM = (30.0, 2000.0)  # from a telephone's screen to a wall's: centimetres and inches count fewer
TAG_NUMBERS = (46, 47, 48, 49)  # for the corners of a table; no sheet has them


@dataclass(frozen=True)
class Target:
    """A ChArUco board: so many squares across and down, the side of one in millimetres.

    The first corner where squares meet is at (1, 1) squares; x runs right, y runs down, from the board's outer corner.
    """

    columns: int = 7
    rows: int = 9
    square_mm: float = 25.0
    marker_share: float = 0.72

    @property
    def marker_mm(self) -> float:
        """The side of one marker, its black frame included."""
        return self.square_mm * self.marker_share

    @property
    def ruler_mm(self) -> float:
        """How long the ruler beside the squares is."""
        return self.square_mm * RULER_SQUARES

    @property
    def size_mm(self) -> tuple[float, float]:
        """The width and height of all squares together."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    def measured(self, ruler_mm: float) -> Target:
        """The same board as it really is, once somebody has measured its ruler."""
        return Target(self.columns, self.rows, ruler_mm / RULER_SQUARES, self.marker_share)

    @property
    def swapped(self) -> Target:
        """The board with its sides swapped: the same markers in another order."""
        return Target(self.rows, self.columns, self.square_mm, self.marker_share)

    def corners_mm(self) -> Points:
        """Where squares meet, (n, 2), by the numbers that the detector gives them."""
        inner = np.asarray(board(self).getChessboardCorners(), np.float64)
        return inner[:, :2]

    def markers_mm(self) -> Points:
        """The corners of each marker by its number, (n, 4, 2), going round."""
        return np.array(board(self).getObjPoints(), np.float64)[:, :, :2]

    def outline_mm(self) -> Points:
        """The corners of the board, (4, 2), going round."""
        width, height = self.size_mm
        return np.array([[0, 0], [width, 0], [width, height], [0, height]])


SHEET = Target()
"""The printed sheet of A4 and of Letter: the same squares on both."""


@cache
def board(target: Target) -> cv2.aruco.CharucoBoard:
    """OpenCV's own description of a board."""
    size = (target.columns, target.rows)
    return cv2.aruco.CharucoBoard(size, target.square_mm, target.marker_mm, dictionary())


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The markers, by number."""
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


def modules(number: int) -> NDArray[np.bool_]:
    """Which of the 6 x 6 small squares of a marker are black, its frame included."""
    drawn: Image = np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, MARKER_MODULES), np.uint8)
    return drawn < 128
