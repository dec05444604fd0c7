"""Whether the sheet was flat: a bent one fits no plane, and how it misses tells by how much it is bent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.certainty import inverse
from calibration.lens import Lens, Points
from calibration.views import Pose, View, misses_px, solid

BENT_MM, SURE = 1.0, 4.0  # so far from flat, and so many times its own deviation, is bent
_SHAPES = 3  # a bow along x, one along y, and a twist


@dataclass(frozen=True)
class Sag:
    """How far the sheet bulges out of a plane, in millimetres, and the standard deviation of that."""

    height_mm: float
    deviation_mm: float

    @property
    def bent(self) -> bool:
        """Whether the sheet was not flat, surely enough to say so."""
        return self.height_mm > BENT_MM and self.height_mm > SURE * self.deviation_mm


def sag(views: Sequence[View], poses: Sequence[Pose], lens: Lens, *, lens_known: bool) -> Sag:
    """How bent the sheet is, the same in all views; one step of Gauss and Newton from the flat fit.

    Where the lens is not known from elsewhere, what it could explain is not laid at the sheet's door.
    """
    if not sum(len(view.points_mm) for view in views):
        return Sag(0.0, float("inf"))
    looks = list(zip(views, poses, strict=True))
    by = np.concatenate([_columns(view, pose, lens, lens_known) for view, pose in looks])
    missed = np.concatenate([misses_px(view, pose, lens).ravel() for view, pose in looks])
    spread = inverse(by.T @ by + 1e-9 * np.eye(by.shape[1]))
    shape, noise = (spread @ by.T @ missed)[-_SHAPES:], float(np.mean(missed**2))
    bulge = np.ptp(_bows(np.concatenate([v.points_mm for v in views])) @ shape)
    deviation = np.sqrt(np.trace(spread[-_SHAPES:, -_SHAPES:]) * noise)
    return Sag(float(bulge), float(deviation))


def _columns(view: View, pose: Pose, lens: Lens, lens_known: bool) -> Points:
    """How the pixels of a view move with the lens and with the bows, less what another pose would explain."""
    by = lens.sensitivity(solid(view.points_mm), pose.turn, pose.shift)[1]
    rising = by[:, 3:6] @ pose.rotation[:, 2]
    bows = rising[:, None] * np.repeat(_bows(view.points_mm), 2, axis=0)
    free = bows if lens_known else np.column_stack([by[:, 6:], bows])
    place = by[:, :6]
    return np.asarray(free - place @ np.linalg.lstsq(place, free, rcond=None)[0], np.float64)


def _bows(points_mm: Points) -> Points:
    """The height of each point (n, 2) for a bow along x, one along y and a twist, each 1 mm high, (n, 3)."""
    reach = max(float(np.abs(points_mm).max()), 1.0)
    x, y = (2 * points_mm / reach - 1).T
    return np.column_stack([1 - x**2, 1 - y**2, x * y])
