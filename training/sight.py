"""Whether a fingertip that lands is seen from above, or lies under somebody else's hand or arm."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from training.overhead import Pose, View, homography
from training.shooting import Moved

Points = NDArray[np.float64]

AROUND_S = (-0.033, 0.0, 0.033, 0.067, 0.1)  # moments about a touch at which its fingertip is looked for
BACK_MM, WIDE_MM = (
    5.0,
    7.0,
)  # from a fingertip's end to the middle of its nail, and how far around that it is looked for
COVERS = 0.5


def in_sight(view: View, moved: Moved, above: Sequence[Moved], contact_s: float) -> float:
    """The share of a fingertip that no other arm covers when it lands, 0 to 1, in the mean of some moments.

    above: the arms that are painted over its own.
    """
    return float(np.mean([_seen(view, moved, above, contact_s + later_s) for later_s in AROUND_S]))


def _seen(view: View, moved: Moved, above: Sequence[Moved], time_s: float) -> float:
    pose = _pose(view, moved, time_s)
    points = view.project(_fingertip(pose))
    own = _covers(view, pose, points)
    others = np.zeros(len(points), bool)
    for other in above:
        if not other.arm.sheet.ghost and other.way.start_s < time_s:
            others |= _covers(view, _pose(view, other, time_s), points)
    return float((~others[own]).mean()) if own.any() else 0.0


def _pose(view: View, moved: Moved, time_s: float) -> Pose:
    return moved.pose(np.array([time_s]), view.face_mm)


def _fingertip(pose: Pose) -> Points:
    """(n, 3) places in millimetres over a fingertip's end."""
    steps = np.linspace(-WIDE_MM, WIDE_MM, 9)
    x, y = (side.ravel() for side in np.meshgrid(steps, steps))
    disc = np.column_stack([x, y])[np.hypot(x, y) <= WIDE_MM]
    tip = pose.middle
    way = pose.elbow_mm[:2] - tip[:2]
    middle = tip[:2] + BACK_MM * way / np.hypot(*way)
    return np.column_stack([middle + disc, np.full(len(disc), tip[2])])


def _covers(view: View, pose: Pose, points: Points) -> NDArray[np.bool_]:
    """Which of some pixels (n, 2) an arm covers."""
    sheet = pose.sheet
    back = np.linalg.inv(homography(sheet, view.project(sheet.corners(pose.middle, pose.elbow_mm))))
    at = np.rint(cv2.perspectiveTransform(points.reshape(-1, 1, 2), back)[:, 0]).astype(int)
    height, width = sheet.picture.shape[:2]
    inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
    covered = np.zeros(len(points), bool)
    covered[inside] = sheet.picture[at[inside, 1], at[inside, 0], 3] > 255 * COVERS
    return covered
