"""Whether a camera keeps its exposure, its white balance and its focus: drivers say so, the picture tells."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Image

CELLS = (32, 18)  # across and down; the middle one of them is judged, so that a hand or a sheet changes nothing
FEWEST_FRAMES = 20
EXPOSURE, BALANCE, FOCUS = 0.10, 0.05, 0.35  # by so much brightness, colour and fine detail may differ, as logarithms
FINEST = 0.15  # of the cells: those with the most detail tell the focus
SIDE = 640  # pixels: fine detail is compared at this width

WORDS = {
    "exposure": "The camera changes its exposure by itself: the picture became {:.0%} lighter or darker.",
    "balance": "The camera changes its white balance by itself: colours shifted by {:.0%}.",
    "focus": "The camera focuses by itself: fine detail changed by {:.0%}.",
}
ADVICE = " Switch that off in the camera's own settings."

Floats = NDArray[np.float64]


class Steadiness:
    """Compares frames of a table, over which hands and a sheet may move, with the first ones."""

    def __init__(self) -> None:
        self._told: list[tuple[Floats, Floats]] = []

    def see(self, frame: Image) -> None:
        """Take note of a frame, (height, width, 3)."""
        width = min(SIDE, frame.shape[1])
        small = cv2.resize(frame, (width, width * frame.shape[0] // frame.shape[1]), interpolation=cv2.INTER_AREA)
        fine = cv2.absdiff(small, cv2.GaussianBlur(small, (0, 0), 1.2))
        shades = cv2.resize(small, CELLS, interpolation=cv2.INTER_AREA).astype(np.float64).reshape(-1, 3)
        detail = cv2.resize(fine, CELLS, interpolation=cv2.INTER_AREA).astype(np.float64).reshape(-1, 3).mean(axis=1)
        self._told.append((np.log(shades + 4), np.log(detail + 0.3)))

    def changes(self) -> dict[str, float]:
        """By how much the exposure, the balance and the focus changed at most, as shares; empty after few frames."""
        if len(self._told) < FEWEST_FRAMES:
            return {}
        shades, details = (np.array(part) for part in zip(*self._told, strict=True))
        # What the middle cell did between two frames is the camera's doing; it is summed up over time.
        steps = np.median(np.diff(shades, axis=0), axis=1)
        light, colour = steps.mean(axis=1), steps - steps.mean(axis=1, keepdims=True)
        fine = details[0] >= np.quantile(details[0], 1 - FINEST)  # elsewhere there is nothing but noise to blur
        contrast = (details - shades.mean(axis=2))[:, fine]  # a darker picture has less of both
        focus = np.median(np.diff(contrast, axis=0), axis=1)
        return {
            "exposure": float(np.expm1(_swing(light))),
            "balance": float(np.expm1(max(_swing(colour[:, channel]) for channel in range(3)))),
            "focus": float(np.expm1(_swing(focus))),
        }

    def warnings(self) -> tuple[str, ...]:
        """Sentences for what the camera did not keep; none if it kept all."""
        limits = {"exposure": EXPOSURE, "balance": BALANCE, "focus": FOCUS}
        changed = self.changes()
        return tuple(WORDS[name].format(by) + ADVICE for name, by in changed.items() if by > np.expm1(limits[name]))


def _swing(steps: Floats) -> float:
    """How far a value went from its lowest to its highest, after smoothing away what single frames do."""
    course = np.concatenate([[0.0], np.cumsum(steps)])
    smooth = np.convolve(course, np.ones(5) / 5, mode="valid")
    return float(np.ptp(smooth))
