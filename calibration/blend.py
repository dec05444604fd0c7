"""Frames of a still table put together: what lies there stays, and the noise of a dark room goes."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import Image

CELLS = (80, 45)  # across and down, in which frames are compared: so large that noise does not count
CHANGED = 8.0  # grey levels by which a cell differs where something moved


class Blend:
    """The mean of the frames since something last moved. count: how many they are.

    >>> blend = Blend()
    >>> for shade in (10, 12): blend.see(np.full((45, 80, 3), shade, np.uint8))
    >>> blend.count, int(blend.mean[0, 0, 0])
    (2, 11)
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = np.zeros((0, 0, 3), np.float32)

    def see(self, frame: Image) -> None:
        """Add a BGR frame; where it shows something else than those before it, they are forgotten."""
        if not self.count or frame.shape != self._sum.shape or self._moved(frame):
            self.count, self._sum = 0, np.zeros(frame.shape, np.float32)
        self._sum += frame
        self.count += 1

    @property
    def mean(self) -> Image:
        """The frames put together."""
        return np.asarray(np.rint(self._sum / max(1, self.count)), np.uint8)

    def _moved(self, frame: Image) -> bool:
        """Whether anything moved; light that changes everywhere is no motion."""
        now, before = (
            cv2.resize(one, CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)
            for one in (frame, self._sum / np.float32(self.count))
        )
        step = (now - before).mean(axis=2)
        return bool(np.abs(step - np.median(step)).max() > CHANGED)
