"""When each frame was taken, by this machine's own clock; buttons and lights are timed by that."""

from __future__ import annotations

from collections import deque

KEPT = 90  # frames
JUMP_S = 1.0  # a camera that was away, or another one


class FrameClock:
    """The times of a table's frames against time.monotonic.

    No frame is seen before it was taken: the quickest of the last frames tells best how the two clocks stand.

    >>> clock = FrameClock()
    >>> clock.saw(time_s=2.0, here_s=102.5)
    >>> clock.saw(time_s=3.0, here_s=103.1)
    >>> clock.table_s(110.5), clock.here_s(10.0)
    (10.4, 110.1)
    """

    def __init__(self) -> None:
        self._apart: deque[float] = deque(maxlen=KEPT)

    def saw(self, time_s: float, here_s: float) -> None:
        """Learn from a frame: its own time, and when it was there to be looked at."""
        apart = here_s - time_s
        if self._apart and abs(apart - self._apart[-1]) > JUMP_S:
            self._apart.clear()
        self._apart.append(apart)

    def here_s(self, time_s: float) -> float:
        """A frame's time by time.monotonic, in seconds."""
        return time_s + min(self._apart, default=0.0)

    def table_s(self, here_s: float, before_s: float = 0.0) -> float:
        """A moment of time.monotonic by the clock of the frames, which stands at before_s until the first one."""
        return max(0.0, here_s - min(self._apart)) if self._apart else before_s
