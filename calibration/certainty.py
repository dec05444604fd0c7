"""How surely a lens is known: what views tell of it, and how far off that leaves a point on the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.lens import Lens, Points
from calibration.target import SHEET
from calibration.views import Pose, View, solid

TABLE_MM = 600.0  # the play area whose width fills the picture
TABLE_TILT_DEG = 25.0
LEAST_NOISE_PX = 0.05  # corners are not seen better than this, whatever few views say
ERROR_95 = 1.73  # the radius that holds 95% of a round normal distribution, by the root of its whole variance
_GRID = np.stack(np.meshgrid(np.linspace(0.06, 0.94, 7), np.linspace(0.08, 0.92, 5)), axis=-1).reshape(-1, 2)


def told_by(lens: Lens, points_mm: Points, pose: Pose) -> Points:
    """What one view tells of a lens: its Fisher information about fx, fy, cx, cy and the distortion, for noise of 1 px.

    Where the sheet lay is unknown too, and takes its part of what the view tells (Schur's complement).
    """
    by = lens.sensitivity(solid(points_mm), pose.turn, pose.shift)[1]
    place, bends = by[:, :6], by[:, 6:]
    rest = bends - place @ np.linalg.lstsq(place, bends, rcond=None)[0]
    return np.asarray(rest.T @ rest, np.float64)


def known_before(lens: Lens) -> Points:
    """What is known of any lens before it is looked through: its numbers are not absurd."""
    width = lens.size_px[0]
    usual = [0.5 * width, 0.5 * width, 0.1 * width, 0.1 * width, *(max(1.0, abs(b)) for b in lens.distortion)]
    return np.diag(1 / np.square(usual))


def information(lens: Lens, views: Sequence[View], poses: Sequence[Pose]) -> Points:
    """What all views together tell of a lens."""
    noise = max(lens.rms_px / np.sqrt(2), LEAST_NOISE_PX)
    told = (told_by(lens, v.points_mm, p) for v, p in zip(views, poses, strict=True))
    before = known_before(lens)
    return np.asarray(before + sum(told, np.zeros_like(before)) / noise**2, np.float64)


def spread_of(lens: Lens, views: Sequence[View], poses: Sequence[Pose]) -> Points:
    """The covariance of fx, fy, cx, cy and the distortion."""
    return inverse(information(lens, views, poses))


def inverse(known: Points) -> Points:
    """The inverse of a matrix of information whose numbers differ in size by many orders."""
    scale = 1 / np.sqrt(np.diag(known))
    even = known * scale[:, None] * scale
    values, ways = np.linalg.eigh(even)
    return np.asarray((ways / np.maximum(values, 1e-12)) @ ways.T * scale[:, None] * scale, np.float64)


def usual_table(lens: Lens) -> Pose:
    """The table as it is mostly seen: its play area as wide as the picture, looked at a little aslant."""
    width, height = lens.size_px
    ends = lens.ideal([[0.03 * width, height / 2], [0.97 * width, height / 2]])
    across = (ends[1, 0] - ends[0, 0]) / lens.matrix[0][0]
    return Pose(np.array([-np.radians(TABLE_TILT_DEG), 0.0, 0.0]), np.array([0.0, 0.0, TABLE_MM / max(across, 0.1)]))


class TableError:
    """How far off, in millimetres, points on the usual table are when the lens is known only so well.

    The table's plane is found through the same lens from a sheet in its middle, which takes up much of the error.
    """

    def __init__(self, lens: Lens) -> None:
        table = usual_table(lens)
        size = np.array(SHEET.size_mm)
        near = lens.sensitivity(solid(SHEET.corners_mm() - size / 2), table.turn, table.shift)[1]
        taken_up = -np.linalg.lstsq(near[:, :6], near[:, 6:], rcond=None)[0]
        points = self._points(lens, table)
        by = lens.sensitivity(solid(points), table.turn, table.shift)[1].reshape(len(points), 2, -1)
        to_px = by[..., 3:6] @ table.rotation[:, :2]
        self._to_mm = np.linalg.solve(to_px, by[..., 6:] + by[..., :6] @ taken_up)

    def of(self, spread: Points) -> float:
        """The distance that 95% of the table's points keep below, for this covariance of the lens."""
        variance = np.einsum("nij,jk,nik->n", self._to_mm, spread, self._to_mm)
        return float(ERROR_95 * np.sqrt(np.percentile(variance, 95)))

    @staticmethod
    def _points(lens: Lens, table: Pose) -> Points:
        """Points of the table spread over the picture, in millimetres, (n, 2)."""
        straight = lens.ideal(_GRID * lens.size_px)
        rays = np.column_stack([straight, np.ones(len(straight))]) @ np.linalg.inv(np.array(lens.matrix)).T
        met = rays @ np.linalg.inv(table.to_rays).T
        return np.asarray(met[:, :2] / met[:, 2:], np.float64)
