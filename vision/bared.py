"""Places that may be touched, and what a hand that leaves bares of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene import Point
from vision.straighten import Image

Bytes = NDArray[np.uint8]

SAME = 12.0  # grey levels: what is bared stays as it is from frame to frame, while a hand goes on


class Place:
    """One place that may be touched, as corners in pixels of the frame and as a piece of the masks.

    size: (height, width) of the masks. scale: pixels of the frame a pixel of them. area: in pixels of the masks.
    """

    def __init__(self, corners: Sequence[Point], size: tuple[int, ...], scale: int) -> None:
        self.corners = np.asarray(corners, np.float32)
        small = (self.corners / scale).round().astype(np.int32)
        (x, y), (right, bottom) = np.maximum(small.min(axis=0), 0), small.max(axis=0)
        self._window = slice(int(y), int(bottom) + 1), slice(int(x), int(right) + 1)
        self._shape = np.zeros(size, np.uint8)[self._window]
        cv2.fillConvexPoly(self._shape, small - (int(x), int(y)), (255,))
        self.area = max(1, cv2.countNonZero(self._shape))

    def covered(self, mask: Bytes) -> float:
        """How much of it, 0 to 1, looks otherwise than it did."""
        return cv2.countNonZero(self._within(mask)) / self.area

    def bared(self, mask: Bytes, picture: Image) -> Bared:
        """What of a mask lies in it, and the picture there."""
        return Bared(self._within(mask), picture[self._window])

    def _within(self, mask: Bytes) -> Bytes:
        return np.asarray(cv2.bitwise_and(mask[self._window], self._shape), np.uint8)


@dataclass(frozen=True, eq=False)
class Bared:
    """What is seen of a place beside hands: a mask, and the picture there."""

    mask: Bytes
    picture: Image

    def stays(self, before: Bared, least: float) -> bool:
        """Whether more than so many pixels of it were bared before, and look the same now."""
        both = cv2.bitwise_and(self.mask, before.mask)
        if cv2.countNonZero(both) <= least:
            return False
        return max(cv2.mean(cv2.absdiff(self.picture, before.picture), both)) < SAME
