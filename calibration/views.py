"""Views of the sheet: which corner of it was seen where, and from where it was looked at."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.lens import Lens, Points, as_points


@dataclass(frozen=True, eq=False)
class View:
    """One look at something flat: points of it in millimetres (n, 2), and the pixels where they were seen (n, 2)."""

    points_mm: Points
    points_px: Points


@dataclass(frozen=True, eq=False)
class Pose:
    """Where something flat lies before the camera: a rotation vector (3,) and a shift (3,) in millimetres."""

    turn: Points
    shift: Points

    @property
    def rotation(self) -> Points:
        """The rotation as a matrix (3, 3)."""
        return np.asarray(cv2.Rodrigues(np.asarray(self.turn, np.float64))[0], np.float64)

    @property
    def to_rays(self) -> Points:
        """3x3, from millimetres on the flat thing to rays of the camera."""
        return np.column_stack([self.rotation[:, :2], self.shift])


def solid(points_mm: Points) -> Points:
    """Points (n, 2) of something flat as points in space, (n, 3), on z = 0."""
    flat = as_points(points_mm)
    return np.column_stack([flat, np.zeros(len(flat))])


def pose_of(view: View, lens: Lens) -> Pose | None:
    """Where the thing in a view lies, by least squares on its pixels; None where four points do not tell."""
    if len(view.points_mm) < 4:
        return None
    matrix, straight = np.array(lens.matrix, np.float64), lens.ideal(view.points_px)
    middle = view.points_mm.mean(axis=0)
    known = solid(view.points_mm - middle)
    good, turn, shift = cv2.solvePnP(known, straight, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not good or not np.isfinite(shift).all():
        return None
    turn, shift = _refined(known, view.points_px, lens, np.concatenate([np.ravel(turn), np.ravel(shift)]))
    rotation = cv2.Rodrigues(turn)[0]
    return Pose(turn, shift - rotation[:, :2] @ middle)


def _refined(known: Points, pixels: Points, lens: Lens, place: Points) -> tuple[Points, Points]:
    """A pose, turn and shift in one row, improved until the pixels fit best, by Gauss and Newton."""
    for _ in range(8):
        seen, by = lens.sensitivity(known, place[:3], place[3:])
        step = np.linalg.lstsq(by[:, :6], (pixels - seen).ravel(), rcond=None)[0]
        place = place + step
        if np.abs(step).max() < 1e-9:
            break
    return place[:3], place[3:]


def misses_px(view: View, pose: Pose, lens: Lens) -> Points:
    """How far each point of a view lies from where the lens would see it, (n, 2)."""
    return view.points_px - lens.project(solid(view.points_mm), pose.turn, pose.shift)


def rms(misses: Points) -> float:
    """The root mean square of distances (n, 2), in their own unit."""
    return float(np.sqrt((misses**2).sum(axis=1).mean())) if len(misses) else 0.0
