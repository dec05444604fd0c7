"""Whether a camera still shows a table: a hand over the lens, a frozen picture, a dark room are told in a sentence."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.camera import Frame
    from vision.straighten import Image

FROZEN_S = 4.0  # no camera sends the very same picture for so long: its noise alone changes it
COVERED_S = 1.0
PLAIN = 6.0  # grey levels: a picture that varies less shows nothing: a hand over the lens, or a bare table
OTHER, MOST = 20.0, 0.5  # grey levels, and the share of the picture that differs by so many where it is no bare table
REMEMBERED, APART_S = 3, 0.5  # pictures from before a hand came, so far apart in time
DARK = 12.0  # grey levels: a mean below it is a room without light, unless something there shines
SHINES, SHARE = 60.0, 99.5  # grey levels, and the percentile of the picture that one domino on black cloth lifts so far
WIDTH = 160


class Health:
    """Follows the frames of one camera and says what keeps them from showing the table."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._changed_s = self._clear_s = 0.0
        self._size = (0, 0)
        self._clear: deque[tuple[float, Image]] = deque(maxlen=REMEMBERED)
        self.shows = True
        """Whether the last frame shows a table: one that is dark or covered says nothing of what lies there."""

    def trouble(self, frame: Frame, *, live: bool) -> str:
        """What is wrong with the camera by now, in a sentence; "" where nothing is.

        live: whether it takes pictures at this moment, so that even of a still table no two are the same.
        """
        small = _shrunk(frame.image)
        size = (frame.image.shape[1], frame.image.shape[0])
        if self._last is None or size != self._size or not np.array_equal(small, self._last):
            self._changed_s = frame.time_s
        if size != self._size:
            self._clear.clear()
        self._last, self._size = small, size
        dark = small.mean() <= DARK and np.percentile(small, SHARE) < SHINES
        self.shows = bool(not dark and (small.std() > PLAIN or self._is_bare(small)))
        if self.shows:
            self._remember(frame.time_s, small)
        if live and frame.time_s - self._changed_s > FROZEN_S:
            return "The camera sends the same picture again and again: unplug it and plug it in."
        if frame.time_s - self._clear_s > COVERED_S:
            return (
                "The room is too dark to see the table: switch a light on."
                if dark
                else "Something covers the camera: take it away."
            )
        return ""

    def _remember(self, time_s: float, small: Image) -> None:
        """The camera shows a table."""
        self._clear_s = time_s
        if not self._clear or time_s - self._clear[-1][0] >= APART_S:
            self._clear.append((time_s, small))

    def _is_bare(self, small: Image) -> bool:
        """Whether a plain picture is that of a table on which nothing lies: most of it is as it was a while ago."""
        if not self._clear:
            return True
        apart = np.abs(small.astype(np.float32) - self._clear[0][1])
        return bool((apart > OTHER).mean() < MOST)


def _shrunk(image: Image) -> Image:
    """Every so many pixels of the picture, as they are: a mean would hide the noise."""
    step = max(1, image.shape[1] // WIDTH)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY), np.uint8)
