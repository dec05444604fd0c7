"""Whether a camera still shows a table: a hand over the lens, a frozen picture, a dark room are told in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.camera import Frame
    from vision.straighten import Image

FROZEN_S = 4.0  # no camera sends the very same picture for so long: its noise alone changes it
COVERED_S = 1.0
PLAIN = 6.0  # grey levels: a picture that varies less shows no table
DARK = 12.0  # grey levels: a mean below it is a room without light, unless something there shines
SHINES, SHARE = 60.0, 99.5  # grey levels, and the percentile of the picture that one domino on black cloth lifts so far
WIDTH = 160


class Health:
    """Follows the frames of one camera and says what keeps them from showing the table."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._changed_s = self._clear_s = 0.0
        self._size = (0, 0)

    def trouble(self, frame: Frame, *, live: bool) -> str:
        """What is wrong with the camera by now, in a sentence; "" where nothing is.

        live: whether it takes pictures at this moment, so that even of a still table no two are the same.
        """
        small = _shrunk(frame.image)
        size = (frame.image.shape[1], frame.image.shape[0])
        if self._last is None or size != self._size or not np.array_equal(small, self._last):
            self._changed_s = frame.time_s
        self._last, self._size = small, size
        dark = small.mean() <= DARK and np.percentile(small, SHARE) < SHINES
        if small.std() > PLAIN and not dark:
            self._clear_s = frame.time_s
        if live and frame.time_s - self._changed_s > FROZEN_S:
            return "The camera sends the same picture again and again: unplug it and plug it in."
        if frame.time_s - self._clear_s > COVERED_S:
            return (
                "The room is too dark to see the table: switch a light on."
                if dark
                else "Something covers the camera: take it away."
            )
        return ""


def _shrunk(image: Image) -> Image:
    """Every so many pixels of the picture, as they are: a mean would hide the noise."""
    step = max(1, image.shape[1] // WIDTH)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY), np.uint8)
