"""What the controller's clock says, told in the computer's time.

Each round trip bounds the moment at which the controller looked at its clock; the quickest ones bound it best (Cristian
1989) and weigh most. A line through them also follows a clock that runs too fast or too slow; as long as they are few
and close together it leans towards what clocks usually do (ridge regression).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

ROUND = 1 << 32
_KEPT = 240
_EXACT_S = 0.0005  # how far off the quickest round trip may be
_LIKELY_DRIFT, _MOST_DRIFT = 0.003, 0.01
_SLEPT_S = 0.05  # one of the two stood still meanwhile, and what was known holds no more


@dataclass(frozen=True)
class _Trip:
    """One round trip: the controller's clock in seconds, when that was here in the middle of it, how long it took."""

    there_s: float
    here_s: float
    took_s: float

    def weight(self, quickest_s: float) -> float:
        """How much it tells beside the quickest one: what it took longer was spent on the way there or the way back."""
        return (_EXACT_S + (self.took_s - quickest_s) / 2) ** -2


class Clock:
    """The controller's microseconds in seconds of time.monotonic.

    >>> clock = Clock()
    >>> clock.add(sent_s=100.000, received_s=100.004, micros=5_000_000)
    >>> round(clock.here_s(6_000_000), 6)
    101.002
    """

    def __init__(self) -> None:
        self._trips: deque[_Trip] = deque(maxlen=_KEPT)
        self._newest = 0

    def add(self, sent_s: float, received_s: float, micros: int) -> None:
        """Learn from a round trip: when it left and came back here, and what the controller's clock said meanwhile."""
        expected = self.here_s(micros)
        if expected is not None and not sent_s - _SLEPT_S < expected < received_s + _SLEPT_S:
            self._trips.clear()
        there_s = self._unrolled(micros) / 1e6
        self._newest = round(there_s * 1e6)
        self._trips.append(_Trip(there_s, (sent_s + received_s) / 2, received_s - sent_s))

    def here_s(self, micros: int) -> float | None:
        """When the controller's clock said so, by time.monotonic; None as long as nothing is known."""
        if not self._trips:
            return None
        quickest_s = min(trip.took_s for trip in self._trips)
        weighed = [(trip.weight(quickest_s), trip) for trip in self._trips]
        total = sum(weight for weight, _ in weighed)
        there_s = sum(weight * trip.there_s for weight, trip in weighed) / total
        here_s = sum(weight * trip.here_s for weight, trip in weighed) / total
        return here_s + (self._unrolled(micros) / 1e6 - there_s) * (1 + self._drift(weighed, there_s, here_s))

    def _unrolled(self, micros: int) -> int:
        """The microseconds without the rounds of 2**32: as near to the newest ones as they can be."""
        return self._newest + (micros - self._newest + ROUND // 2) % ROUND - ROUND // 2

    @staticmethod
    def _drift(weighed: list[tuple[float, _Trip]], there_s: float, here_s: float) -> float:
        """How much longer a second of the controller is than one here."""
        known, gained = _LIKELY_DRIFT**-2, 0.0
        for weight, trip in weighed:
            since_s = trip.there_s - there_s
            known += weight * since_s**2
            gained += weight * since_s * (trip.here_s - here_s - since_s)
        return max(-_MOST_DRIFT, min(_MOST_DRIFT, gained / known))
