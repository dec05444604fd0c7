"""Somebody who holds the sheet as the guide asks for it: slow to react, not exact, and with a hand that shakes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import SHEET
from training.sheet_video import Eye, Pose

Rng = np.random.Generator
Points = NDArray[np.float64]

REACTION_S, MOVING_S = 0.4, 1.4
PLACED_MM, PLACED_DEG, DISTANCE = 14.0, 4.0, 0.06  # deviations of how well an outline is matched
SHAKE_MM, SHAKE_DEG = 0.5, 0.12
_MIDDLE = np.append(np.array(SHEET.size_mm) / 2, 0.0)


class Holder:
    """Moves the sheet's middle and turn smoothly from where it is to where an outline in the picture asks for it."""

    def __init__(self, eye: Eye, start: Pose, rng: Rng) -> None:
        self._eye, self._rng = eye, rng
        self._from = self._to = _split(start)
        self._since = 0.0
        self._wanted: Points | None = None
        self._rates = rng.uniform(0.7, 5.0, (6, 3)) * 2 * np.pi
        self._phases = rng.uniform(0, 2 * np.pi, (6, 3))

    def ask(self, outline_px: Points, time_s: float) -> None:
        """Show the outline (4, 2) that the sheet should fill; the same one again changes nothing."""
        if self._wanted is not None and np.allclose(self._wanted, outline_px):
            return
        self._wanted = outline_px
        self._from, self._since = self._between(time_s), time_s + REACTION_S
        self._to = self._matched(outline_px)

    @property
    def there_s(self) -> float:
        """When the sheet is where it was asked for; until then it moves too fast for any picture."""
        return self._since + MOVING_S

    def squares(self, time_s: float) -> Pose:
        """Where the squares are at a moment."""
        turn, middle = self._between(time_s)
        swing = np.sin(self._rates * time_s + self._phases).mean(axis=1)
        shaken = cv2.Rodrigues(np.radians(SHAKE_DEG) * swing[:3])[0] @ cv2.Rodrigues(turn)[0]
        place = middle + SHAKE_MM * swing[3:]
        return Pose(shaken, place - shaken @ _MIDDLE)

    def _between(self, time_s: float) -> tuple[Points, Points]:
        """The rotation vector and the middle on the way; speed begins and ends at zero."""
        share = float(np.clip((time_s - self._since) / MOVING_S, 0, 1))
        eased = share**3 * (10 - 15 * share + 6 * share**2)
        return tuple(a + eased * (b - a) for a, b in zip(self._from, self._to, strict=True))  # type: ignore[return-value]

    def _matched(self, outline_px: Points) -> tuple[Points, Points]:
        """The pose that fills an outline through the true lens, as well as somebody manages."""
        rays = self._eye.rays(outline_px)
        flat = rays[:, :2] / np.maximum(rays[:, 2:], 0.05)
        known = np.column_stack([SHEET.outline_mm() - _MIDDLE[:2], np.zeros(4)])
        _, turn, middle = cv2.solvePnP(known, flat, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
        turn = np.ravel(np.asarray(turn, np.float64)) + np.radians(self._rng.normal(0, PLACED_DEG, 3))
        placed = np.ravel(np.asarray(middle, np.float64)) * (1 + self._rng.normal(0, DISTANCE)) + self._rng.normal(
            0, PLACED_MM, 3
        )
        return np.asarray(turn, np.float64), placed


def _split(pose: Pose) -> tuple[Points, Points]:
    return np.asarray(cv2.Rodrigues(pose.turn)[0], np.float64).ravel(), pose.shift + pose.turn @ _MIDDLE
