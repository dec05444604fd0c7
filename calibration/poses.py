"""Which look at the sheet would tell most about the lens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from calibration.certainty import LEAST_NOISE_PX, TableError, inverse, told_by
from calibration.lens import Lens, Points
from calibration.target import SHEET, Target
from calibration.views import Pose, solid

PLACES = tuple(product((0.25, 0.5, 0.75), (0.3, 0.5, 0.7)))  # of the sheet's middle, as shares of the picture
SIZES = (0.55, 0.9)  # how much of the picture's height the sheet takes up, or of its width where that is scarcer
TILTS_DEG = ((0, 0), (35, 0), (-35, 0), (0, 35), (0, -35))
MARGIN = 0.025  # of the picture's width: nobody holds a sheet exactly
SEEN = 0.75  # of the sheet's corners must be within


def wanted_pose(
    lens: Lens, known: Points, error: TableError, target: Target = SHEET, passed: int = 0
) -> tuple[Pose, float]:
    """The pose of the sheet that makes the table's error least, and the error after it in millimetres.

    passed: how many of the best poses could not be held, and are passed over.
    """
    noise = max(lens.rms_px / np.sqrt(2), LEAST_NOISE_PX)
    poses = [(error.of(inverse(known + told / noise**2)), pose) for pose, told in _candidates(lens, target)]
    if not poses:
        raise ValueError("no pose of the sheet is seen whole by this lens")
    poses.sort(key=lambda one: one[0])
    after, pose = poses[passed % len(poses)]
    return pose, after


def after_view(lens: Lens, known: Points, error: TableError, points_mm: Points, pose: Pose) -> float:
    """The table's error in millimetres once a view of these points from this pose is taken."""
    noise = max(lens.rms_px / np.sqrt(2), LEAST_NOISE_PX)
    return error.of(inverse(known + told_by(lens, points_mm, pose) / noise**2))


@lru_cache(maxsize=8)
def _candidates(lens: Lens, target: Target) -> tuple[tuple[Pose, Points], ...]:
    return tuple((pose, told_by(lens, seen, pose)) for pose, seen in _seen(lens, target))


def _seen(lens: Lens, target: Target) -> Iterator[tuple[Pose, Points]]:
    """Poses all over the picture, near and far, level and tilted, with the corners of the sheet that are seen."""
    corners = target.corners_mm()
    for place, size, tilt in product(PLACES, SIZES, TILTS_DEG):
        pose = _pose(lens, place, size, tilt, target)
        pixels = lens.project(solid(corners), pose.turn, pose.shift)
        depth = (solid(corners) @ pose.rotation.T + pose.shift)[:, 2]
        margin = MARGIN * lens.size_px[0]
        inside = (pixels > margin) & (pixels < np.array(lens.size_px) - 1 - margin)
        seen = inside.all(axis=1) & (depth > 0)
        if seen.mean() >= SEEN:
            yield pose, corners[seen]


def _pose(lens: Lens, place: tuple[float, float], size: float, tilt: tuple[float, float], target: Target) -> Pose:
    """The sheet with its middle at a place of the picture, so large there, facing the camera but for a tilt."""
    middle = np.array(target.size_mm) / 2
    x, y = lens.ideal([np.array(place) * lens.size_px])[0]
    ray = np.linalg.inv(np.array(lens.matrix)) @ (x, y, 1.0)
    ray /= np.linalg.norm(ray)
    away = max(target.size_mm[k] * lens.matrix[k][k] / (size * lens.size_px[k]) for k in (0, 1))
    facing = np.cross([0.0, 0.0, 1.0], ray)  # turned so that a sheet at the picture's rim looks at the camera as well
    turn = cv2.Rodrigues(facing)[0] @ cv2.Rodrigues(np.radians([tilt[0], tilt[1], 0.0]))[0]
    return Pose(np.asarray(cv2.Rodrigues(turn)[0], np.float64).ravel(), ray * away - turn[:, :2] @ middle)
