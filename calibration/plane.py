"""The table as a plane: pixels of the picture and millimetres on the table, both ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import inverse, mapped
from calibration.lens import Lens, Matrix, Points, Size, as_matrix, as_points, scale_between

USUAL_TILE_MM = 48.0  # how long a tile is taken to be where nobody tells

Side = Literal["bottom", "left", "top", "right"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Viewpoint:
    """Where the camera is: its height over the table, how far it looks aslant, 0 straight down."""

    height_mm: float
    tilt_deg: float


@dataclass(frozen=True)
class Tag:
    """A printed tag that stays on the table: its number, and its four corners in millimetres, going round."""

    number: int
    corners_mm: tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Plane:
    """Where the table lies before the camera.

    to_mm: 3x3 homography from ideal pixels (those of a camera without distortion) to millimetres on the table.
    area_mm: the corners of the play area, going round. seats: the sides of the picture where players sit.
    scale_known: whether a millimetre here is one; where it is not, only shapes and proportions hold.
    tags: the tags that lie on the table, by which a camera that was moved is noticed.
    """

    to_mm: Matrix
    area_mm: tuple[Point, ...] = ()
    seats: tuple[Side, ...] = ()
    scale_known: bool = True
    tags: tuple[Tag, ...] = ()

    def to_table(self, points_px: ArrayLike, lens: Lens | None = None) -> Points:
        """Millimetres (n, 2) on the table of pixels (n, 2) of the picture."""
        return mapped(self.to_mm, lens.ideal(points_px) if lens else as_points(points_px))

    def to_picture(self, points_mm: ArrayLike, lens: Lens | None = None) -> Points:
        """Pixels (n, 2) of the picture of millimetres (n, 2) on the table."""
        pixels = mapped(inverse(self.to_mm), as_points(points_mm))
        return lens.seen(pixels) if lens else pixels

    def shown_by(self, points_px: ArrayLike, lens: Lens | None = None) -> NDArray[np.bool_]:
        """Which pixels (n, 2) show the table: beyond its horizon a homography comes back from behind the camera."""
        points = lens.ideal(points_px) if lens else as_points(points_px)
        depths = np.column_stack([points, np.ones(len(points))]) @ np.array(self.to_mm)[2]
        return np.asarray(depths * inverse(self.to_mm)[2, 2] > 0)  # millimetres begin where the picture shows the table

    def viewpoint(self, lens: Lens) -> Viewpoint:
        """Where the camera is; only a known lens tells it."""
        turn, shift = self.pose(lens)
        middle = -turn.T @ shift
        tilt = float(np.degrees(np.arccos(np.clip(abs(turn[2, 2]), 0, 1))))
        return Viewpoint(float(abs(middle[2])), tilt)

    def pose(self, lens: Lens) -> tuple[Points, Points]:
        """The rotation (3, 3) and the shift (3,), in millimetres, from the table (z = 0) to the camera."""
        columns = np.linalg.inv(np.array(lens.matrix, np.float64)) @ np.linalg.inv(np.array(self.to_mm))
        columns /= np.sign(columns[2, 2]) * np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
        across, down, shift = columns.T
        left, _, right = np.linalg.svd(np.column_stack([across, down, np.cross(across, down)]))
        return np.asarray(left @ right, np.float64), np.asarray(shift, np.float64)

    def raised(self, height_mm: float, lens: Lens) -> Plane:
        """The plane so many millimetres above this one, such as that of the faces of tiles that lie on the table."""
        turn, shift = self.pose(lens)
        toward = np.sign((turn.T @ shift)[2]) * -1.0  # the camera's side of the table
        higher = np.column_stack([turn[:, 0], turn[:, 1], shift + toward * height_mm * turn[:, 2]])
        return replace(self, to_mm=as_matrix(np.linalg.inv(np.array(lens.matrix, np.float64) @ higher)))

    def scaled(self, old_px: Size, new_px: Size) -> Plane:
        """The same plane for pictures of another size; UnsuitableCalibration where their shape changed."""
        across, down = scale_between(old_px, new_px)
        back = np.array([[1 / across, 0, 0.5 / across - 0.5], [0, 1 / down, 0.5 / down - 0.5], [0, 0, 1]])
        return replace(self, to_mm=as_matrix(np.array(self.to_mm) @ back))
