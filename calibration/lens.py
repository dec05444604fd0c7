"""A camera's lens: where a ray of light meets the picture, and which ray a pixel saw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import UnsuitableCalibration

Points = NDArray[np.float64]
Image = NDArray[np.uint8]
Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]
Size = tuple[int, int]
Model = Literal["pinhole", "fisheye"]

ASPECT_TOLERANCE = 0.01  # a size rounded to whole or even pixels differs by less
_TERMINATION = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-10)


@dataclass(frozen=True)
class Lens:
    """How a camera bends the picture, and how surely that is known.

    size_px: (width, height) of the pictures it holds for. matrix: the 3x3 camera matrix in pixels.
    distortion: OpenCV's coefficients; none, 5 or 8 for a pinhole, 4 for a fisheye.
    rms_px: how far, by root mean square, the fit missed the corners it was made from.
    deviations: the standard deviations of fx, fy, cx, cy, and of the distortion; empty where unknown.
    """

    size_px: Size
    matrix: Matrix
    distortion: tuple[float, ...] = ()
    model: Model = "pinhole"
    rms_px: float = 0.0
    deviations: tuple[float, ...] = ()

    def ideal(self, points_px: ArrayLike) -> Points:
        """Where pixels (n, 2) of the picture would lie in a camera with the same matrix and no distortion, (n, 2)."""
        points, matrix = as_points(points_px), np.array(self.matrix, np.float64)
        if not self.distortion or not len(points):
            return points
        flat = points[:, None]
        if self.model == "fisheye":
            straight = cv2.fisheye.undistortPoints(
                flat, matrix, np.array(self.distortion, np.float64), None, None, matrix
            )
        else:
            coefficients = np.array(self.distortion, np.float64)
            straight = cv2.undistortPoints(flat, matrix, coefficients, None, None, matrix, _TERMINATION)
        return as_points(straight)

    def seen(self, points_px: ArrayLike) -> Points:
        """Where pixels (n, 2) of a camera without distortion lie in this camera's picture, (n, 2)."""
        points, matrix = as_points(points_px), np.array(self.matrix, np.float64)
        if not self.distortion or not len(points):
            return points
        rays = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(matrix).T
        return self.project(rays, np.zeros(3), np.zeros(3))

    def project(self, points: ArrayLike, turn: ArrayLike, shift: ArrayLike) -> Points:
        """Pixels (n, 2) of points (n, 3), first turned by a rotation vector and shifted, in any one unit of length."""
        return self.sensitivity(points, turn, shift)[0]

    def sensitivity(self, points: ArrayLike, turn: ArrayLike, shift: ArrayLike) -> tuple[Points, Points]:
        """Pixels (n, 2) of points (n, 3), and how they move, (2n, 6 + 4 + number of distortion coefficients).

        The columns stand for the turn, the shift, fx, fy, cx, cy and the distortion, in this order.
        """
        solid = np.asarray(points, np.float64).reshape(-1, 1, 3)
        turn, shift = (np.asarray(v, np.float64).reshape(3, 1) for v in (turn, shift))
        matrix, coefficients = np.array(self.matrix, np.float64), np.array(self.distortion, np.float64)
        if self.model == "fisheye":
            pixels, by = cv2.fisheye.projectPoints(solid, turn, shift, matrix, coefficients)
            by = by[:, [8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7]]
        else:
            pixels, by = cv2.projectPoints(solid, turn, shift, matrix, coefficients)
        return as_points(pixels), np.asarray(by[:, : 10 + len(coefficients)], np.float64)

    def scaled(self, size_px: Size) -> Lens:
        """The same lens for pictures of another size and the same shape; UnsuitableCalibration for another shape."""
        if size_px == self.size_px:
            return self
        across, down = scale_between(self.size_px, size_px)
        (fx, skew, cx), (_, fy, cy), last = self.matrix
        matrix = (
            (fx * across, skew * across, (cx + 0.5) * across - 0.5),
            (0.0, fy * down, (cy + 0.5) * down - 0.5),
            last,
        )
        factors = (across, down, across, down)
        spreads = tuple(d * f for d, f in zip(self.deviations[:4], factors, strict=False)) + self.deviations[4:]
        return replace(self, size_px=size_px, matrix=matrix, rms_px=self.rms_px * across, deviations=spreads)


def scale_between(old_px: Size, new_px: Size) -> tuple[float, float]:
    """How much larger pictures became in width and in height; UnsuitableCalibration where their shape changed."""
    across, down = new_px[0] / old_px[0], new_px[1] / old_px[1]
    if abs(across / down - 1) > ASPECT_TOLERANCE:
        raise UnsuitableCalibration(
            f"the camera was calibrated at {old_px[0]}x{old_px[1]} and now gives {new_px[0]}x{new_px[1]}, "
            "which is another shape of picture: choose the old shape, or calibrate once more"
        )
    return across, down


def as_points(points: ArrayLike) -> Points:
    """Points as an array (n, 2)."""
    return np.asarray(points, np.float64).reshape(-1, 2)


def as_matrix(values: ArrayLike) -> Matrix:
    """A 3x3 array as nested tuples."""
    a, b, c = (tuple(float(v) for v in row) for row in np.asarray(values, np.float64).reshape(3, 3))
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])
