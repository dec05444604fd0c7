"""How likely a hand has touched a place, and when: what two kinds of eyes saw of it, weighed together.

The quick eyes, a network, say in every frame how likely a touch was lately; the slow ones tell of fingers that rested.
Whoever takes the tile away has touched it, however little was seen of that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import exp

import numpy as np

from rules.table import TableSide
from vision.hands.landing import Landing
from vision.hands.touches import LIKELY, Contact
from vision.odds import log_odds

# The log odds of a touch, see Touch.evidence: by these many first players of films to learn from were named rightly and
# few wrongly; benchmarks/believing.py compares them with others, most of which do about as well. What
# training/calibrate_touches.py fits trusts the landing more, for it counts each touch alone, and sure ones most.
LANDING_WEIGHT, UPON_WEIGHT, REST_WEIGHT, OFFSET = 0.6, 0.6, 0.2, -0.5
ALONE, BELIEVED = 0.1, 0.9  # where the slow eyes alone saw it, while something is hunted and else: a hunt has feints
SURE, EARLY = 0.95, 2.5  # likelier than this a touch is told after so many frames
SOON, DECIDED_S = 0.6, 0.2  # likelier than this after so many seconds: by then the network hardly learns more
ASIDE = 0.88  # what nobody hunts is touched only if that is likelier than this
RUMOUR, HEARD_S = 0.05, 0.45  # until then the slow eyes have spoken; and less likely it is not worth a word
FAINT = 0.15  # of what the network finds less likely the slow eyes tell the moment better
GLIMPSED = 0.01  # what the network finds less likely begins no track
CHANGED = 0.05  # a chance that differs by less is not told anew
FEINT_S = 0.3  # so long after it came down a hand that only feints has left again
STAYS_S = 0.6  # so long after a touch it tells that the hand is still there
SAME_S, AGREED_S = 0.12, 0.15  # moments so near are of one touch, of one kind of eyes and of both
ONCE_S, AGAIN_S = 0.3, 1.0  # so soon a hand does not touch the same place again, for one kind of eyes and the other
BLURRED_S = 0.055  # a moment that is less sure than this is that of something that leaves the network's memory
OLDEST = 6.0  # frames: what was longer ago when it is first seen is no new touch
WAVERS, MUCH_LESS = 0.03, 1.3  # a little less likely is as likely; so much less sure of the moment is worse
LATEST, HELD_S = 3, 0.215  # frames of which the last word is the mean, and how long after a touch it may be spoken
FORGOTTEN_S = 2.0
TAKEN = 0.97  # the chance that a hand has touched the tile that it takes away
LEAST_S, BROADER = 0.006, 1.2  # no moment is surer than this; and all are less sure than the network believes

Key = tuple[int, TableSide]  # a place, and the side that a hand came from
Seen = Mapping[int, Mapping[TableSide, Landing]]


@dataclass(frozen=True)
class Touch:
    """A hand of a side may have touched a place at a moment, give or take.

    evidence: the log odds that the network gives it, those that the hand was on the tile then, how surely a finger was
    seen to rest there, and 1.
    rest: what the slow eyes told of it. taken: whether that hand took the tile away. number: what is told anew, as more
    is seen of it, has the same.
    """

    place: int
    side: TableSide
    time_s: float
    sigma_s: float
    chance: float
    evidence: tuple[float, float, float, float]
    rest: Contact | None = None
    taken: bool = False
    number: int = 0


@dataclass(eq=False)
class _Track:
    """What may be one touch. best: its chance in the frame that shows its moment best; latest: in the last frames.

    upon: how likely the hand was on the tile in the last frames; stays: as likely as it was since feints are over.
    told: whether it was told as a likely one; said: as it was told last; over: whether nothing more is to be told.
    taken: whether that hand took the tile.
    """

    time_s: float
    sigma_s: float
    best: float = 0.0
    latest: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST))
    upon: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST))
    stays: float = 0.0
    rest: Contact | None = None
    told: bool = False
    said: Touch | None = None
    over: bool = False
    taken: bool = False
    number: int = field(default_factory=count().__next__)

    def sees(self, landing: Landing, now_s: float, time_s: float, sigma_s: float) -> None:
        """Take in what a further frame shows: its word, and the moment if it shows that better."""
        if landing.ago >= 1 and now_s - self.time_s <= HELD_S:
            self.latest.append(landing.chance)
        if self.over or sigma_s > BLURRED_S or landing.ago <= 1 or landing.chance < self.best - WAVERS:
            return
        if landing.chance > self.best + WAVERS or sigma_s <= MUCH_LESS * self.sigma_s:
            self.time_s, self.sigma_s = time_s, sigma_s
        self.best = max(self.best, landing.chance)

    def lies(self, upon: float, now_s: float) -> None:
        """Take in how likely the hand is on the tile in a further frame; a rumour may turn out to be true.

        Who feints has left by then; who leaves later had touched.
        """
        self.upon.append(upon)
        if now_s - self.time_s > FEINT_S:
            self.stays = max(self.stays, float(np.mean(self.upon)))
        self.over &= self.chance(0.0) <= max(LIKELY, self.said.chance + CHANGED if self.said else 0.0)

    @property
    def evidence(self) -> tuple[float, float, float, float]:
        """As of Touch."""
        landing = float(np.mean(self.latest)) if self.latest else self.best
        upon = self.stays or (float(np.mean(self.upon)) if self.upon else 0.0)
        return float(log_odds(landing)), float(log_odds(upon)), self.rest.chance if self.rest else 0.0, 1.0

    def chance(self, alone: float) -> float:
        """How likely it is a touch; alone: how far the slow eyes are believed by themselves."""
        landing, upon, rest, one = self.evidence
        told = LANDING_WEIGHT * landing + UPON_WEIGHT * upon + REST_WEIGHT * rest + OFFSET * one
        weighed = 1 / (1 + exp(-told))
        return max(weighed, alone * rest, TAKEN if self.taken else 0.0)

    def as_touch(self, key: Key, alone: float) -> Touch:
        """What is believed of it now."""
        sigma_s, chance = max(LEAST_S, BROADER * self.sigma_s), self.chance(alone)
        return Touch(*key, self.time_s, sigma_s, chance, self.evidence, self.rest, taken=self.taken, number=self.number)


class Weighing:
    """Weighs what was seen frame by frame. pending: what may be touches and is not settled yet."""

    def __init__(self) -> None:
        self._tracks: dict[Key, list[_Track]] = {}
        self.pending: tuple[Touch, ...] = ()

    def see(
        self,
        seen: Seen,
        rested: Mapping[Key, Contact],
        now_s: float,
        pause_s: float,
        sought: Collection[int] = (),
    ) -> tuple[Touch, ...]:
        """What may be touches and is settled by this frame.

        seen: by the quick eyes, by place and side. rested: by the slow ones. pause_s: the time between frames.
        sought: the places that all reach for; of them even an unlikely touch is told, for it may have been the first.
        """
        for place, landings in seen.items():
            for side, landing in landings.items():
                self._follow((place, side), landing, now_s, pause_s)
        for key, rest in rested.items():
            self._hear(key, rest, alone=not sought or key[0] in sought)
        self._forget(now_s)
        settled = tuple(self._settled(now_s, pause_s, sought))
        self.pending = tuple(one for track, one in self._open(sought) if not track.said and one.chance > RUMOUR)
        return settled

    def knows(self, key: Key, time_s: float) -> bool:
        """Whether a touch of that hand there, at about that moment, is weighed or was told."""
        own = self._tracks.get(key, ())
        return any(abs(one.time_s - time_s) < (AGAIN_S if one.told else AGREED_S) for one in own)

    def suspected(self, place: int) -> tuple[TableSide, ...]:
        """The sides from which hands may have touched a place lately."""
        return tuple(side for at, side in self._tracks if at == place)

    def takes(self, key: Key) -> None:
        """Take in that a hand which may have touched a place takes its tile away: it did touch it."""
        if own := self._tracks.get(key):
            track = max(own, key=lambda one: one.chance(ALONE))
            track.taken, track.over = True, False

    def _follow(self, key: Key, landing: Landing, now_s: float, pause_s: float) -> None:
        """Take in what a frame shows of one hand at one place."""
        if landing.chance > GLIMPSED:
            self._glimpse(key, landing, now_s, pause_s)
        lately = [one for one in self._tracks.get(key, ()) if 0 <= now_s - one.time_s <= STAYS_S]
        if lately:
            max(lately, key=lambda one: one.best).lies(landing.upon, now_s)

    def _glimpse(self, key: Key, landing: Landing, now_s: float, pause_s: float) -> None:
        """Take in a moment at which a hand may have touched a place."""
        time_s, sigma_s = now_s - landing.ago * pause_s, landing.spread * pause_s
        own = self._tracks.setdefault(key, [])
        last = own[-1] if own else None
        if last and abs(time_s - last.time_s) < SAME_S:
            last.sees(landing, now_s, time_s, sigma_s)
        elif sigma_s < BLURRED_S and landing.ago < OLDEST and (not last or _is_new(time_s, last)):
            own.append(_Track(time_s, sigma_s, landing.chance))

    def _hear(self, key: Key, rest: Contact, *, alone: bool) -> None:
        """Take in what the slow eyes tell; alone: whether that counts where the quick ones saw nothing."""
        own = self._tracks.setdefault(key, [])
        near = self._borne_out(own, rest)
        if near:
            near.rest, near.over = rest, near.over and near.told
            if near.best < FAINT:
                near.time_s, near.sigma_s = _halted_s(rest), rest.sigma_s
        elif alone and not self.knows(key, rest.time_s):
            own.append(_Track(_halted_s(rest), rest.sigma_s, rest=rest))
        own.sort(key=lambda one: one.time_s)

    @staticmethod
    def _borne_out(own: Sequence[_Track], rest: Contact) -> _Track | None:
        """Which of the touches that the quick eyes saw of a hand is the one that the slow ones tell of.

        It is the one at about that moment; where there is none, one since the hand came to a halt there: what was told
        already sooner than a rumour, and the likeliest of these.
        """
        near = min(own, key=lambda one: abs(one.time_s - rest.time_s), default=None)
        if near and abs(near.time_s - rest.time_s) < AGREED_S:
            return near
        during = [one for one in own if _halted_s(rest) - AGREED_S < one.time_s < rest.time_s]
        return max(during, key=lambda one: (one.told, one.best), default=None)

    def _forget(self, now_s: float) -> None:
        kept = {key: [one for one in own if now_s - one.time_s < FORGOTTEN_S] for key, own in self._tracks.items()}
        self._tracks = {key: own for key, own in kept.items() if own}

    def _open(self, sought: Collection[int]) -> Iterator[tuple[_Track, Touch]]:
        """What is not settled yet, as it is believed now."""
        alone = ALONE if sought else BELIEVED
        for key, own in self._tracks.items():
            for track in own:
                if not track.over:
                    yield track, track.as_touch(key, alone)

    def _settled(self, now_s: float, pause_s: float, sought: Collection[int]) -> Iterator[Touch]:
        for track, touch in self._open(sought):
            hunted, age_s = touch.place in sought, now_s - touch.time_s
            likely = touch.chance > (LIKELY if hunted else ASIDE)
            track.over = age_s > HEARD_S
            if track.said:
                worth = hunted and _differs(touch, track.said, final=track.over)
            else:
                sure = touch.chance > SURE and age_s > EARLY * pause_s
                soon = touch.chance > (SOON if hunted else ASIDE) and age_s > DECIDED_S
                worth = (sure or soon or track.over) and (likely or (hunted and touch.chance > RUMOUR))
            if worth:
                track.told, track.said = track.told or likely, touch
                yield touch


def _differs(touch: Touch, said: Touch, *, final: bool) -> bool:
    """Whether a touch has to be told anew: it is likelier, or less likely and nothing more will be seen of it."""
    change = touch.chance - said.chance
    return touch.taken != said.taken or change > CHANGED or (final and change < -CHANGED)


def _halted_s(rest: Contact) -> float:
    """When the hand came to a halt whose finger was then seen to rest: one that grasps something rests late."""
    return rest.time_s if rest.halted_s is None else rest.halted_s


def _is_new(time_s: float, last: _Track) -> bool:
    """Whether a moment is that of another touch than the last one."""
    return time_s > last.time_s + (ONCE_S if last.told else 0.0)
