"""One light that came on: where it shines in the picture, and how far."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import DARK
from vision.straighten import Image

Floats = NDArray[np.float32]

BLUR_PX = 1.5
BRIGHTER, SIGMAS = 0.3, 10.0  # of the logarithm: what shines less, or less above the noise, may be anything
FAINTEST, FAINT_SIGMAS = 0.05, 3.0  # to here a glow is followed
CORE = 0.5  # of its brightest: the LED itself
LARGEST = 0.12  # of the picture's width: what reaches farther is a hand, or a lamp
LEAST_PX = 30  # so many pixels may change elsewhere; where more do, a hand moves
BEYOND = 1.15  # LEDs side by side add up


@dataclass(frozen=True)
class LightSpot:
    """A light in the picture: its middle (x, y) and how far its glow reaches, in pixels."""

    at_px: tuple[float, float]
    radius_px: float


def find_light(lit: Image, *dark: Image) -> LightSpot | None:
    """The light that shines in one BGR picture and in none of those taken without it; None where none surely does."""
    rise = _logarithm(lit) - np.max([_logarithm(one) for one in dark], axis=0)
    rise = np.asarray((rise - np.median(rise, axis=(0, 1))).max(axis=2), np.float32)
    noise = 1.4826 * float(np.median(abs(rise - np.median(rise))))
    peak = float(rise.max())
    if peak < max(BRIGHTER, SIGMAS * noise):
        return None
    y, x = np.unravel_index(int(rise.argmax()), rise.shape)
    _, parts = cv2.connectedComponents((rise > max(FAINTEST, FAINT_SIGMAS * noise)).astype(np.uint8))
    glow = parts == parts[y, x]
    middle = _middle(np.where(glow & (rise > CORE * peak), rise, 0))
    far = np.linalg.norm(np.argwhere(glow)[:, ::-1] - middle, axis=1)
    radius = BEYOND * float(np.percentile(far, 98)) + BLUR_PX
    elsewhere = (abs(rise) > BRIGHTER) & ~glow
    if radius > LARGEST * lit.shape[1] or elsewhere.sum() > max(LEAST_PX, glow.sum()):
        return None
    return LightSpot((float(middle[0]), float(middle[1])), radius)


def _logarithm(picture: Image) -> Floats:
    """The logarithm of each colour's light, without the finest noise."""
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR_PX)
    return np.asarray(np.log(soft + DARK), np.float32)


def _middle(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """The middle (x, y) of what weighs something."""
    rows, cols = np.nonzero(weights)
    return np.average(np.column_stack([cols, rows]).astype(np.float64), axis=0, weights=weights[rows, cols])
