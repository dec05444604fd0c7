"""Which of what may be touches is told as one, when, and whether anybody may be named by it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import erf, hypot, sqrt

from rules.table import TableSide
from vision.landing import Landing

# A touch is told once it is likelier than SURE and so many frames old, or likelier than HALF and so many seconds.
SURE, EARLY, HALF, DECIDED_S = 0.95, 2.5, 0.7, 0.16
NAMED, ASIDE = 0.7, 0.95  # touches that are less likely are faint: of what all reach for, and of other tiles
RIVAL, PERHAPS = 0.05, 0.35  # the chance that another hand was there first for which one waits, or nobody is named
SAME_S, ONCE_S = 0.12, 0.3  # moments so near are of one touch; and after one that was told a hand does not touch again
BLURRED_S = 0.055  # a moment that is less sure than this is that of something that leaves the network's memory
OLDEST = 6.0  # frames: what was longer ago when it is first seen is no new touch
WAVERS, MUCH_LESS = 0.03, 1.3  # a little less likely is as likely; so much less sure of the moment is worse
CLEAR, ECHO_S = 0.9, 0.04  # a touch less likely than that is another hand's sure one, if they are no farther apart
DOUBTED_S, TOGETHER_S = 1.0, 0.2  # so long before or after a touch another hand's counts that was never told
LEAST_S, BROADER = 0.006, 1.2  # no moment is surer than this; and all are less sure than the network believes

Key = tuple[int, TableSide]  # a place, and the side that a hand came from
Seen = Mapping[int, Mapping[TableSide, Landing]]


@dataclass(frozen=True)
class Touch:
    """A hand of a side touched a place at a moment, give or take.

    contested: whether a hand of another side may have been there before. faint: whether it may have been no touch.
    """

    place: int
    side: TableSide
    time_s: float
    sigma_s: float
    contested: bool = False
    faint: bool = False


@dataclass
class _Track:
    """What may be one touch, as it was seen best so far. told: whether it was told; over: whether that is decided."""

    time_s: float
    sigma_s: float
    chance: float
    told: bool = False
    over: bool = False

    def improves(self, landing: Landing, time_s: float, sigma_s: float) -> None:
        """Take over what a further frame shows, if it shows the touch better."""
        if self.over or sigma_s > BLURRED_S or landing.ago <= 1 or landing.chance < self.chance - WAVERS:
            return
        if landing.chance > self.chance + WAVERS or sigma_s <= MUCH_LESS * self.sigma_s:
            self.time_s, self.sigma_s = time_s, sigma_s
        self.chance = max(self.chance, landing.chance)

    def echoes(self, other: _Track) -> bool:
        """Whether another hand was so surely there at that very moment that this one is hardly meant."""
        return self.chance < CLEAR <= SURE <= other.chance and abs(self.time_s - other.time_s) < ECHO_S

    def before(self, other: _Track) -> float:
        """How likely it is a touch, and was before another one."""
        apart = (other.time_s - self.time_s) / hypot(self.sigma_s, other.sigma_s, 1e-3)
        return self.chance * 0.5 * (1 + erf(apart / sqrt(2)))


class Weighing:
    """Weighs what was seen frame by frame. pending: what may be touches and is not sure yet."""

    def __init__(self) -> None:
        self._tracks: dict[Key, list[_Track]] = {}
        self.pending: tuple[Touch, ...] = ()

    def see(self, seen: Seen, now_s: float, pause_s: float, sought: Collection[int] = ()) -> tuple[Touch, ...]:
        """The touches that this frame makes sure.

        seen: by place and side; pause_s: the time between frames; sought: the places that all reach for.
        """
        for place, landings in seen.items():
            for side, landing in landings.items():
                self._follow((place, side), landing, now_s, pause_s)
        self._forget(now_s)
        sure = tuple(self._decided(now_s, pause_s, sought))
        self.pending = tuple(
            self._touch(key, one, 0.0, sought)
            for key, own in self._tracks.items()
            for one in own
            if not one.over and one.chance > PERHAPS
        )
        return sure

    def _follow(self, key: Key, landing: Landing, now_s: float, pause_s: float) -> None:
        """Take in what a frame shows of one hand at one place."""
        if landing.chance < RIVAL:
            return
        time_s, sigma_s = now_s - landing.ago * pause_s, landing.spread * pause_s
        own = self._tracks.setdefault(key, [])
        last = own[-1] if own else None
        if last and abs(time_s - last.time_s) < SAME_S:
            last.improves(landing, time_s, sigma_s)
        elif sigma_s < BLURRED_S and landing.ago < OLDEST and (not last or _is_new(time_s, last)):
            own.append(_Track(time_s, sigma_s, landing.chance))

    def _forget(self, now_s: float) -> None:
        kept = {key: [one for one in own if now_s - one.time_s < 2 * DOUBTED_S] for key, own in self._tracks.items()}
        self._tracks = {key: own for key, own in kept.items() if own}

    def _decided(self, now_s: float, pause_s: float, sought: Collection[int]) -> Iterator[Touch]:
        for key, (*_, last) in self._tracks.items():
            age_s, rival = now_s - last.time_s, self._rival(key, last)
            soon = last.chance > SURE and age_s > EARLY * pause_s and rival < RIVAL
            if not last.over and (soon or age_s >= DECIDED_S):
                last.over, last.told = True, last.chance >= HALF and not self._echoes(key, last)
                if last.told:
                    yield self._touch(key, last, rival, sought)

    def _rival(self, key: Key, touch: _Track) -> float:
        """The chance that a hand of another side touched the place before, of which nobody was told."""
        others = [own for (place, side), own in self._tracks.items() if place == key[0] and side != key[1]]
        near = [one for own in others for one in own if -DOUBTED_S < one.time_s - touch.time_s < TOGETHER_S]
        return max((one.before(touch) for one in near if not one.told and not one.echoes(touch)), default=0.0)

    def _echoes(self, key: Key, touch: _Track) -> bool:
        """Whether what seems to be a touch is another hand's, of which this hand only was a witness."""
        others = [own for (place, side), own in self._tracks.items() if place == key[0] and side != key[1]]
        return any(touch.echoes(one) for own in others for one in own)

    def _touch(self, key: Key, track: _Track, rival: float, sought: Collection[int]) -> Touch:
        faint = track.chance < (NAMED if key[0] in sought else ASIDE)
        sigma_s = max(LEAST_S, BROADER * track.sigma_s)
        return Touch(*key, track.time_s, sigma_s, contested=rival > PERHAPS, faint=faint)


def _is_new(time_s: float, last: _Track) -> bool:
    """Whether a moment is that of another touch than the last one."""
    return time_s > last.time_s + (ONCE_S if last.told else 0.0)
