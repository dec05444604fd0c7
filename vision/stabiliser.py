"""A camera that trembles or sags a little -> frames as if it stood still.

Each frame is laid over a slow mean of those before it, seen small, by the shift and turn that fit best (Lucas and
Kanade 1981). The fit is robust: hands and what they move are few beside the table and go their own ways.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.straighten import Image

Floats = NDArray[np.float32]

SMALL = 320  # pixels of the longest side at which frames are laid over each other
DARK = 24.0  # added to the light, so that noise in the dark does not count for more than noise in the light
SOFT = 1.2  # small pixels: the blur without which a part of a pixel cannot be told
AROUND = 15  # small pixels: what changes more slowly across the picture is the light's
CLOSE = (0.2, 0.12, 0.12)  # widths of the robust fit, round by round, by the grain's strength
WIDE = (1.2, 0.6, 0.3, 0.15, 0.12)  # the same where little fits close by
ENOUGH, MORE = 0.4, 2.0  # of all slopes: so much fits close by; so many times more has to fit farther away
STANDS = 0.01  # small pixels: after a first step no longer than that the fit is done
NEAR = 9  # small pixels: a place counts as far as all around it fits
FAINT = 0.03  # of the logarithm of light: a table's weaker grain hardly counts beside the camera's noise
STIFF = 2.0  # added to the sums of the fit: a table without a pattern tells of no shift
LITTLE = 0.25  # of all slopes: where less fits, too much is hidden or pushed to tell
FARTHEST, AWAY = 4.0, 2.0  # small pixels: so far a camera may swing, and so far stand from where it stood
LEAST = 0.04  # small pixels: a smaller shift is not worth a warp
FOLLOWS = 0.003  # how quickly the mean follows, a frame
LATELY_S = 0.6  # so long nothing fits, or most frames fit elsewhere, and the camera stands otherwise
UNTURNED = 0.03  # small pixels at the sides: a smaller turn is none
_SLOPE = np.array([[-0.5, 0.0, 0.5]], np.float32)

STILL = np.zeros(3, np.float32)
"""No shift: in small pixels to the right, downwards, and clockwise at the sides."""


class Stabiliser:
    """Holds the frames of one camera still, as long as it moves by some pixels only.

    >>> stabiliser = Stabiliser()  # doctest: +SKIP
    >>> frame = stabiliser.held(frame)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._shift = STILL  # of the last frame that fitted
        self._newest, self._lies = np.zeros((0, 0), np.float32), False  # the last frame, and whether it fitted
        self._anchor(np.zeros((0, 0), np.float32), 0.0)

    def _anchor(self, small: Floats, time_s: float) -> None:
        """Lay what comes over this picture from now on."""
        self._mean, self._fits_s = small, time_s  # when a frame last fitted
        self._shifts: deque[tuple[float, Floats]] = deque()  # lately, each with its time

    def held(self, frame: Frame) -> Frame:
        """The frame as a camera would show it that stands where this one stood at first."""
        small, by = _small(frame.image)
        if small.shape != self._mean.shape:
            self._shift = STILL
            self._anchor(small, frame.time_s)
        elif frame.time_s - self._fits_s > LATELY_S:
            self._anchor(_moved(small, self._shift), frame.time_s)
        if not np.array_equal(small, self._newest):  # what a camera that froze sends again stays the very same
            self._newest, self._lies = small, self._finds(small)
        if self._lies:
            self._follow(small, frame.time_s)
        if np.linalg.norm(self._shift) < LEAST:
            return frame
        return replace(frame, image=_moved(frame.image, by * self._shift))

    def _finds(self, small: Floats) -> bool:
        """Find how far a picture lies beside those before it; whether it lies anywhere near."""
        shift, fits = _fitted(self._mean, small, self._shift)
        if fits < LITTLE or np.linalg.norm(shift) > FARTHEST:
            return False
        self._shift = shift
        return True

    def _follow(self, small: Floats, time_s: float) -> None:
        """Take in a picture that fits where it is moved by now; a camera that stands otherwise now is left there."""
        self._fits_s = time_s
        self._mean += np.float32(FOLLOWS) * (_moved(small, self._shift) - self._mean)
        self._shifts.append((time_s, self._shift))
        if time_s - self._shifts[0][0] < LATELY_S:
            return
        middle = np.median([shift for _, shift in self._shifts], axis=0).astype(np.float32)
        while time_s - self._shifts[0][0] >= LATELY_S:
            self._shifts.popleft()
        if np.linalg.norm(middle) > AWAY:
            self._mean, self._shift = _moved(self._mean, -middle), self._shift - middle
            self._shifts.clear()


def _small(image: Image) -> tuple[Floats, int]:
    """The grain of a picture, and how many times smaller it is. It is as strong everywhere: a table counts, too."""
    by = max(1, round(max(image.shape[:2]) / SMALL))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    size = (image.shape[1] // by, image.shape[0] // by)
    light = np.log(cv2.resize(grey[: size[1] * by, : size[0] * by], size, interpolation=cv2.INTER_AREA) + DARK)
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), SOFT), np.float32)
    grain = soft - cv2.blur(soft, (AROUND, AROUND))
    strength = np.sqrt(cv2.blur(grain * grain, (AROUND, AROUND)))
    return np.asarray(grain / (strength + FAINT), np.float32), by


def _fitted(mean: Floats, small: Floats, guess: Floats) -> tuple[Floats, float]:
    """How far a picture lies beside the mean, and how much of the mean's slopes fits that.

    It lies near the first guess, unless hardly anything fits there: dominoes that a hand pushes leave the table behind.
    """
    slopes = _slopes(mean)
    near, fits = _refined(mean, small, slopes, guess, CLOSE)
    if fits >= ENOUGH:
        return near, fits
    far, fits_far = _refined(mean, small, slopes, guess, WIDE)
    return (far, fits_far) if fits_far > MORE * fits else (near, fits)


def _refined(
    mean: Floats, small: Floats, slopes: Floats, shift: Floats, widths: Sequence[float]
) -> tuple[Floats, float]:
    """A shift brought nearer to where a picture lies, and how much of the slopes fits there."""
    fits = 0.0
    for width in widths:
        apart = _moved(small, shift) - mean
        beside = cv2.blur(apart * apart, (NEAR, NEAR))  # what came to the table is like it at some of its edges
        weighted = slopes / (1 + beside.ravel() / np.float32(width**2)) ** 2
        sums = weighted @ slopes.T
        fits = float(np.trace(sums) / max(1e-6, float((slopes**2).sum())))
        step = np.linalg.solve(sums + STIFF * np.eye(len(shift), dtype=np.float32), weighted @ apart.ravel())
        shift = np.asarray(shift - step, np.float32)
        if np.linalg.norm(step) < STANDS or np.linalg.norm(shift) > 2 * FARTHEST:
            break
    return shift, fits


def _slopes(mean: Floats) -> Floats:
    """(3, pixels): how the mean changes with each part of a shift."""
    height, width = mean.shape
    across, down = (cv2.filter2D(mean, -1, step) for step in (_SLOPE, _SLOPE.T))
    x = (np.arange(width, dtype=np.float32) - (width - 1) / 2) * 2 / width
    y = (np.arange(height, dtype=np.float32)[:, None] - (height - 1) / 2) * 2 / width
    return np.stack([across.ravel(), down.ravel(), (down * x - across * y).ravel()])


def _moved(picture: Image | Floats, shift: Floats) -> Any:
    """What a picture shows so many pixels farther to the right and downwards, turned by so many at its sides."""
    height, width = picture.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    if abs(shift[2]) < UNTURNED:
        return cv2.getRectSubPix(picture, (width, height), tuple(middle + shift[:2]))
    angle = 2 * float(shift[2]) / width
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    step = np.column_stack([turn, middle + shift[:2] - turn @ middle])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, step, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
