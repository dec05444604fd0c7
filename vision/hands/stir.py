"""How much stirs about a fingertip from frame to frame: a strike from just above shows in its shadow first."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene import Point

Bytes = NDArray[np.uint8]

AROUND = 0.8  # of a tile's length about a fingertip
FEW = 5  # pixels between those that tell how much the whole picture stirs
ASIDE = np.ones((5, 5), np.uint8)  # about another hand: its edges and the shadow under it
LEAST = 0.15  # of a window has to be free of other hands


class Stir:
    """Compares each picture with the one before. length: a tile's, in pixels of the pictures."""

    def __init__(self, length: float) -> None:
        self._reach = max(3, round(AROUND * length))
        self._before: Bytes | None = None
        self._apart: NDArray[np.float32] | None = None
        self._usual = 1.0

    def see(self, picture: Bytes) -> None:
        """Look at the next picture."""
        if self._before is not None:
            apart = cv2.transform(cv2.absdiff(picture, self._before), np.full((1, 3), 1 / 3, np.float32))
            self._apart = np.asarray(apart, np.float32)
            self._usual = max(0.3, float(np.median(self._apart[::FEW, ::FEW])))
        self._before = picture

    def about(self, tips: Sequence[Point], others: Bytes) -> float:
        """How much stirs about the liveliest of some fingertips, 1 where nothing does; others: a mask to leave out."""
        return max((self._at(tip, others) for tip in tips), default=1.0)

    def _at(self, tip: Point, others: Bytes) -> float:
        if self._apart is None:
            return 1.0
        x, y = (max(0, round(value) - self._reach) for value in tip)
        window = slice(y, round(tip[1]) + self._reach + 1), slice(x, round(tip[0]) + self._reach + 1)
        apart = self._apart[window]
        free = cv2.dilate(others[window], ASIDE) == 0 if apart.size else np.zeros(0, np.bool_)
        if np.count_nonzero(free) <= LEAST * apart.size:
            return 1.0
        return float(apart[free].mean()) / self._usual
