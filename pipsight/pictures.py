"""The newest picture of a table, small enough to send, and its last seconds as a film."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from vision.clip import clip, small

if TYPE_CHECKING:
    from vision.camera import Frame

CLIP_RATE, CLIP_S = 6.0, 10.0


class Pictures:
    """What a table's camera has shown of late."""

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._small: tuple[int, bytes] = (0, b"")
        self._film: deque[tuple[float, bytes]] = deque(maxlen=round(CLIP_RATE * CLIP_S))
        self.number = 0

    def see(self, frame: Frame) -> None:
        """Take one frame, by its number from 1."""
        self._frame, self.number = frame, self.number + 1

    def keep(self, frame: Frame) -> None:
        """Keep a frame for the film, unless it is too soon after the last one that was kept."""
        if not self._film or not 0 <= frame.time_s - self._film[-1][0] < 1 / CLIP_RATE:
            self._film.append((frame.time_s, self.newest()[1]))

    def newest(self) -> tuple[int, bytes]:
        """The newest picture, small, as a JPEG, and its number; 0 and nothing where none was taken yet."""
        frame, number = self._frame, self.number
        if frame is None:
            return 0, b""
        if self._small[0] != number:
            self._small = (number, small(frame.image))
        return self._small

    def clip(self) -> bytes:
        """The last seconds as an .mp4 film. Raises PictureError where nothing was seen yet."""
        return clip([data for _, data in list(self._film)], CLIP_RATE)
