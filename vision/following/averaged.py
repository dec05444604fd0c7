"""Many frames of a still table as one picture: noise that differs from frame to frame averages out, as with stars."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import Mask
from vision.straighten import Image

NOISY = 5.0  # grey levels: with less noise one frame shows all that there is
SPARSE = 15  # every so many pixels, each way, tell the noise; not always at the same place of a block of a JPEG
ENOUGH = (8, 40)  # frames after which their mean is worth reading, once each
BLACK = 10  # grey levels: what is as dark shows half of its noise, or none
STIRRED = 0.02  # of the picture: where more moves a hand comes, and what moves in less is left out


class Averaged:
    """The mean of the frames since something came to the table, if the camera is noisy.

    clear: the mean as it was taken last, as long as nothing has moved since.

    >>> averaged = Averaged()  # doctest: +SKIP
    >>> averaged.see(frame, moving)  # doctest: +SKIP
    >>> if averaged.due: reader.read(averaged.taken(frame))  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._sum: NDArray[np.float32] | None = None
        self._last: NDArray[np.int16] | None = None
        self._counts = np.zeros((0, 0), np.float32)  # of frames in each cell's sum
        self._frames = self._taken = 0
        self.clear: Image | None = None

    def see(self, frame: Image, moving: Mask) -> None:
        """Take in a BGR frame; moving: the cells where something moves."""
        sparse = frame[::SPARSE, ::SPARSE].astype(np.int16)
        noisy = self._last is not None and self._last.shape == sparse.shape and _noise(self._last, sparse) > NOISY
        self._last = sparse
        if moving.mean() > STIRRED:
            self._sum, self._frames, self._taken, self.clear = None, 0, 0, None
            return
        if moving.any():
            self.clear = None
        if (noisy or self._frames) and self._taken < len(ENOUGH):  # one frame that seems calm changes nothing
            self._add(frame, moving)

    def drifts(self) -> None:
        """The camera drifted: the mean begins anew, or it would be a smear, and is read once it is much clearer."""
        self._sum, self._frames, self._taken, self.clear = None, 0, min(self._taken, 1), None

    def _add(self, frame: Image, moving: Mask) -> None:
        if self._sum is None:
            self._sum, self._counts = np.zeros(frame.shape, np.float32), np.zeros(moving.shape, np.float32)
        cv2.accumulate(frame, self._sum)
        self._counts += 1
        if moving.any():
            self._sum[_each_pixel(moving.astype(np.float32), frame) > 0] = 0
            self._counts[moving] = 0
        self._frames += 1

    @property
    def due(self) -> bool:
        """Whether the mean has become clear enough to be read, or much clearer than when it was taken."""
        return self._taken < len(ENOUGH) and self._frames >= ENOUGH[self._taken]

    def taken(self, frame: Image) -> Image:
        """The mean as it is now, where it is due; where something moved just now it is the last frame that shows."""
        assert self._sum is not None
        self._taken += 1
        counts = _each_pixel(self._counts, frame)[..., None]
        mean = np.where(counts > 0, np.rint(self._sum / np.maximum(counts, 1)), frame).astype(np.uint8)
        self.clear = mean
        return mean


def _noise(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    """The standard deviation of the noise in one frame, by how two of them differ; a lamp changes all alike."""
    apart = (other - one)[one.min(axis=2) > BLACK]
    return float(1.4826 / np.sqrt(2) * np.median(abs(apart - np.median(apart, axis=0)))) if len(apart) else 0.0


def _each_pixel(cells: NDArray[np.float32], frame: Image) -> NDArray[np.float32]:
    height, width = frame.shape[:2]
    return np.asarray(cv2.resize(cells, (width, height), interpolation=cv2.INTER_NEAREST), np.float32)
