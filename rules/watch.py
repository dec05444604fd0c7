"""Keeping an eye on long work: its limits in time and in positions, and somebody who is told how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Progress = Callable[[int, int], None]

MOST_STATES = 1_000_000


@dataclass
class Watch:
    """Says how long a search may go on, and tells `progress` about it.

    limit_s: seconds from now on, None for as long as it takes. most_states: positions that may be kept, which bounds
    the memory. progress: called now and then with the positions seen and the moves looked ahead; whatever it raises
    ends the search.
    """

    limit_s: float | None = None
    most_states: int = MOST_STATES
    progress: Progress | None = None
    every: int = 500
    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)
    _told: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def left_s(self) -> float | None:
        """The seconds that are left, for a part of the search; None for as long as it takes."""
        return None if self.limit_s is None else max(0.0, self.limit_s - self.clock() + self._began)

    def goes_on(self, states_seen: int, ahead: int) -> bool:
        """Whether the search may go on after so many positions, with so many moves looked ahead."""
        if self.progress and states_seen >= self._told + self.every:
            self._told = states_seen
            self.progress(states_seen, ahead)
        if states_seen > self.most_states:
            return False
        return self.limit_s is None or self.clock() - self._began < self.limit_s
