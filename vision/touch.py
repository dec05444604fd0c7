"""Who touched what, and when: a fingertip that comes to rest on a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist, hypot
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.approach import first_halt, slow
from vision.bared import Bared, Place
from vision.camera import Frame
from vision.fingers import HandPath
from vision.hands import Hands
from vision.scene import HandDetection, Point
from vision.straighten import Image
from vision.takings import Takings, Visit

Side: TypeAlias = Literal["bottom", "top", "left", "right"]

RESTED_S = 0.24  # a feint stops for 0.2 s at most, and its slowing down looks like rest too
BREAK_S = 0.12  # a rest goes on after so short a break: a hand beside it was in the way, or pushed it
PUSHED = 0.1  # of a tile's length, if it has not moved farther
BRIEF_S = 0.1  # but after a shorter rest than this the finger came down only then
SURELY_S = 0.3  # since the moment of contact, where frames are far apart
FINGER = 0.33  # of a tile's length: about how wide a finger is
PAD = 0.35  # of a finger's width: how far behind its end a finger touches
FRONT = 1.5  # fingers' widths behind its farthest end in which a hand's knuckles may hide the finger that touches
MARGIN = 0.04  # of a tile's length: so much beyond its edge still counts as on it
PATIENCE_S = 0.5  # so long after a brief rest it may stay hidden whether the tile was taken along
MOVED = 0.12  # of a tile: so much of its place has to be bared
PULLED = 0.05  # of a tile: how much more of it looks otherwise in a frame in which it moves
APART_S = 0.028  # frames that follow sooner tell no more than noise of how fast a hand is, and are passed over
NEAR = 0.3  # of a tile's length: a hand so near a tile's middle may touch it
TOGETHER_S = 0.07  # who is over a tile so soon after a touch may have touched it first
SLOW = 0.1  # of a tile's length in the time of a step: what goes faster touches nothing
LEAVING = 0.25  # of a tile's length: a finger so far from where it rested is on it no longer
LEFT = 0.5  # of a tile's length: a hand so far from where it rested has left


@dataclass(frozen=True)
class Contact:
    """A finger that came to rest on a place.

    hand: the hand's number. entry_px: where its arm comes in. place: which of the places. time_s: the moment, in
    frame time, with its standard deviation sigma_s. at_px: the fingertip. confirmed_s: the frame that made it sure.
    contested: whether another hand was over the place by then, whose own touch nobody saw.
    """

    hand: int
    entry_px: Point
    place: int
    time_s: float
    sigma_s: float
    at_px: Point
    confirmed_s: float
    contested: bool = False


@dataclass(eq=False)
class _Waiting:
    """A contact that is not told yet.

    shape, at_px: the hand's mask and place on its path when it was last seen at rest. shown_s, last_s: the first frame
    that showed it at rest, and the last. broken: whether the rest was broken off for a moment. sure: whether it is no
    feint. bared: what the leaving hand bared of its place.
    """

    contact: Contact
    shape: NDArray[np.uint8]
    at_px: Point
    shown_s: float
    last_s: float
    broken: bool = False
    sure: bool = False
    bared: Bared | None = None

    def goes_on(self, begins_s: float, moved: float) -> bool:
        """Whether a rest that begins at a frame, so many tiles' lengths off, is this one, be it after a short break."""
        after_break = begins_s <= self.last_s + BREAK_S and self.rested_s >= BRIEF_S and moved < PUSHED
        return begins_s <= self.last_s or after_break

    @property
    def rested_s(self) -> float:
        """How long it has rested since the moment of contact."""
        return self.last_s - self.contact.time_s

    def long_enough(self, now_s: float) -> bool:
        """Whether it has rested for so long that it is no feint."""
        return now_s - self.shown_s >= RESTED_S or now_s - self.contact.time_s > SURELY_S


class TouchWatch:
    """Watches the hands over a still table for fingers that come to rest on its places.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. hands: those of
    the last frame.

    >>> watch = TouchWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(self, still: Image, places: Sequence[Sequence[Point]]) -> None:
        self._length = _length(places)
        self._watched = Hands(still, FINGER * self._length)
        self._places = [Place(corners, self._watched.mask.shape, self._watched.scale) for corners in places]
        self._covers = [0.0] * len(self._places)
        small = [np.asarray(corners) / self._watched.scale for corners in places]
        self._takings = Takings(small, self._watched.mask.shape[::-1])
        self._waiting: dict[tuple[int, int], _Waiting] = {}
        self._paths: dict[int, HandPath] = {}
        self._doubts: list[_Waiting] = []
        self._feints: set[tuple[int, int]] = set()
        self._told: dict[tuple[int, int], Point] = {}
        self._ever: set[tuple[int, int]] = set()  # hands and places of all contacts that were told
        self._seen_s = -1.0
        self.hands: tuple[HandDetection, ...] = ()

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[Contact, ...]:
        """The contacts that this frame made sure; lit: polygons in pixels where lamps of our own shine."""
        if 0 <= frame.time_s - self._seen_s < APART_S:
            return ()
        self._seen_s = frame.time_s
        self.hands = self._watched.see(frame, lit)
        covers = [place.covered(self._watched.mask) for place in self._places]
        for hand in self.hands:
            self._follow(hand, frame.time_s, covers)
        self._covers = covers
        self._arrive()
        self._paths = {number: path for number, path in self._paths.items() if self._watched.knows(number)}
        self._forget()
        taken = list(self._takings.see(self._watched.mask, self._watched.covered, frame.time_s))
        return (*self._weigh(frame.time_s), *self._taken(taken, frame.time_s))

    def _follow(self, hand: HandDetection, time_s: float, covers: Sequence[float]) -> None:
        """Lead a hand's path on. Where a tile is being moved what stirs there tells nothing about the hand."""
        path = self._paths.setdefault(hand.number, HandPath(self._length, hand))
        path.goes(hand, self._watched.moves.get(hand.number, (0.0, 0.0)), time_s)
        on = {tip: place for tip in path.tips if (place := self._place_of(tip, hand.entry_px)) is not None}
        calm = [tip for tip, place in on.items() if covers[place] - self._covers[place] < PULLED]
        path.stirs(self._watched.stir(hand.number, calm))

    def _weigh(self, now_s: float) -> list[Contact]:
        """Those of the fingers at rest that have rested long enough, or whose tile has begun to move.

        One is told once no other finger on the same tile, of which that is not known yet, may have been earlier.
        """
        for path in self._paths.values():
            for contact in self._resting(path, now_s):
                if (contact.hand, contact.place) not in self._told and not self._takings.gone(contact.place):
                    self._waits(contact, now_s)
        for waiting in list(self._waiting.values()):
            self._goes_on(waiting, now_s)
            resting = waiting.last_s == now_s
            waiting.sure = waiting.sure or (waiting.long_enough(now_s) if resting else self._took(waiting))
            if not waiting.sure and not resting:
                self._give_up(waiting, now_s)
        self._doubts = [one for one in self._doubts if not self._takings.lies(one.contact.place)]
        return [self._tell(waiting, now_s) for waiting in list(self._waiting.values()) if self._is_due(waiting)]

    def _waits(self, contact: Contact, now_s: float) -> None:
        """A finger rests on a place; after a short break it is the same rest as before."""
        key, rest = (contact.hand, contact.place), self._paths[contact.hand].rest
        before = self._waiting.get(key)
        assert rest
        if before and (before.sure or before.goes_on(rest.shown_s, self._gone_from(before))):
            before.broken |= before.last_s < rest.shown_s
            if not before.sure and not before.broken:
                before.contact = contact
            return
        self._feints.discard(key)
        self._waiting[key] = _Waiting(contact, self._watched.shape(key[0]), self._at(key[0]), rest.shown_s, now_s)

    def _goes_on(self, waiting: _Waiting, now_s: float) -> None:
        """Note whether a hand still rests as it did, be its finger seen or not."""
        hand = waiting.contact.hand
        path = self._paths.get(hand)
        rest = path.rest if path and path.spots[-1].time_s == now_s else None
        if rest and waiting.goes_on(rest.shown_s, self._gone_from(waiting)):
            waiting.last_s, waiting.shape, waiting.at_px = now_s, self._watched.shape(hand), self._at(hand)

    def _gone_from(self, waiting: _Waiting) -> float:
        """How far a hand has gone from where it rested, in tiles' lengths."""
        return dist(self._at(waiting.contact.hand), waiting.at_px) / self._length

    def _give_up(self, waiting: _Waiting, now_s: float) -> None:
        """Forget a finger that has left without its tile; after a while also one of which nobody can say that."""
        contact = waiting.contact
        key = contact.hand, contact.place
        if self._gone_from(waiting) > LEAVING and self._takings.lies(contact.place):
            self._feints.add(key)
            del self._waiting[key]
        elif now_s - waiting.last_s > PATIENCE_S:
            self._doubts.append(waiting)
            del self._waiting[key]

    def _is_due(self, waiting: _Waiting) -> bool:
        """Whether a contact is sure, and no other on its place that is not sure yet may have been earlier."""
        mine = waiting.contact
        rivals = [one for one in self._waiting.values() if one.contact.place == mine.place and not one.sure]
        return waiting.sure and not any(one.contact.time_s < mine.time_s + TOGETHER_S for one in rivals)

    def _tell(self, waiting: _Waiting, now_s: float) -> Contact:
        """A contact that is sure, once it can be said whether another hand contests it."""
        contact = waiting.contact
        key = contact.hand, contact.place
        del self._waiting[key]
        self._told[key] = self._at(contact.hand)
        self._ever.add(key)
        return replace(contact, confirmed_s=now_s, contested=self._contested(contact))

    def _taken(self, taken: Sequence[tuple[int, Sequence[Visit]]], now_s: float) -> Iterator[Contact]:
        """The contacts of those who were over a tile that turns out to be gone, where none is known.

        Whoever has touched a tile already may have pushed others with it, or laid it on them.
        """
        for place, visits in taken:
            if not any((visit.hand, place) in self._ever for visit in visits):
                busy = {hand for hand, _ in self._ever}
                for visit in visits:
                    if visit.hand not in busy:
                        yield from self._halted(visit, place, now_s, alone=len(visits) == 1)

    def _halted(self, visit: Visit, place: int, now_s: float, *, alone: bool) -> Iterator[Contact]:
        """The contact of a hand that took a tile along before its rest was sure: where it first came to a halt."""
        halt = first_halt(visit.spots, self._length)
        if halt:
            x, y = (float(v) for v in np.mean(self._places[place].corners, axis=0))
            self._ever.add((visit.hand, place))
            self._told[visit.hand, place] = self._at(visit.hand)
            yield Contact(visit.hand, visit.entry_px, place, halt.since_s, halt.sigma_s, (x, y), now_s, not alone)

    def _arrive(self) -> None:
        """Note which hand is over which place."""
        for hand in self.hands:
            outline = np.array(hand.outline_px, np.float32)
            for k, place in enumerate(self._places):
                x, y = (float(v) for v in np.mean(place.corners, axis=0))
                if len(outline) > 2 and cv2.pointPolygonTest(outline, (x, y), True) > -NEAR * self._length:
                    self._takings.visited(k, hand.number, hand.entry_px, self._paths[hand.number].spots[-1])

    def _contested(self, contact: Contact) -> bool:
        """Whether another hand may have touched the place before, whose own touch is not known.

        One may that slowed down over it before the touch, or hardly later, since its tile was last seen to lie there
        alone; or that rested there and left, so that nobody could see whether it took the tile.
        """
        place, latest_s = contact.place, contact.time_s + TOGETHER_S
        known = {hand for hand, at in self._told.keys() | self._feints | self._waiting.keys() if at == place}
        rivals = [visit for visit in self._takings.visits(place) if visit.hand not in known | {contact.hand}]
        early = [spot for visit in rivals for spot in slow(visit.spots, SLOW * self._length) if spot.time_s <= latest_s]
        doubts = [one for one in self._doubts if one.contact.place == place and one.contact.hand != contact.hand]
        return bool(early) or any(one.contact.time_s < latest_s and one.last_s > contact.time_s for one in doubts)

    def _took(self, waiting: _Waiting) -> bool:
        """Whether a finger that rests no longer took its tile along."""
        return self._takings.gone(waiting.contact.place) or self._pulled(waiting)

    def _pulled(self, waiting: _Waiting) -> bool:
        """Whether the tile under a finger that rested is gone from its place, where the hand that leaves bares it."""
        contact, (x, y) = waiting.contact, waiting.at_px
        here, place = self._at(contact.hand), self._places[contact.place]
        beside = self._watched.beside(contact.hand, waiting.shape, (here[0] - x, here[1] - y))
        before, waiting.bared = waiting.bared, place.bared(beside, self._watched.seen)
        return before is not None and waiting.bared.stays(before, MOVED * place.area)

    def _at(self, number: int) -> Point:
        return self._paths[number].spots[-1].at_px if number in self._paths else (0.0, 0.0)

    def _resting(self, path: HandPath, now_s: float) -> Iterator[Contact]:
        """The places on which a hand that rests has its fingers."""
        rest = path.rest if path.spots[-1].time_s == now_s else None
        if rest is None:
            return
        number, entry = path.hand.number, path.hand.entry_px
        on = [(tip, place) for tip in path.tips if (place := self._place_of(tip, entry)) is not None]
        for tip, place in on or self._under_the_front(path.hand):
            yield Contact(number, entry, place, rest.since_s, rest.sigma_s, tip, now_s)

    def _under_the_front(self, hand: HandDetection) -> list[tuple[Point, int]]:
        """The place under a hand's farthest ends, where they are too blunt for fingertips."""
        reach = {point: hypot(point[0] - hand.entry_px[0], point[1] - hand.entry_px[1]) for point in hand.outline_px}
        least = max(reach.values(), default=0.0) - FRONT * FINGER * self._length
        for point in sorted(reach, key=lambda point: -reach[point]):
            place = self._place_of(point, hand.entry_px) if reach[point] > least else None
            if place is not None:
                return [(point, place)]
        return []

    def _place_of(self, tip: Point, entry: Point) -> int | None:
        """The place on which a fingertip's pad lies."""
        x, y = tip
        back = PAD * FINGER * self._length / max(hypot(entry[0] - x, entry[1] - y), 1e-6)
        pad = (x + back * (entry[0] - x), y + back * (entry[1] - y))
        depths = [cv2.pointPolygonTest(place.corners, pad, True) for place in self._places]
        best = int(np.argmax(depths)) if depths else -1
        return best if depths and depths[best] > -MARGIN * self._length else None

    def _forget(self) -> None:
        """A contact that was told may be told again once its hand has left the place."""
        for (hand, place), (x, y) in list(self._told.items()):
            path = self._paths.get(hand)
            if path is None or hypot(path.spots[-1].at_px[0] - x, path.spots[-1].at_px[1] - y) > LEFT * self._length:
                del self._told[hand, place]


def side_of(entry_px: Point, size_px: tuple[int, int]) -> Side:
    """The side of a picture, (width, height), over which an arm comes in."""
    (x, y), (width, height) = entry_px, size_px
    ways: dict[Side, float] = {"bottom": height - 1 - y, "top": y, "left": x, "right": width - 1 - x}
    return min(ways, key=lambda side: ways[side])


def _length(places: Sequence[Sequence[Point]]) -> float:
    """The usual length of a tile's longer side, in pixels."""
    longer = [max(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise([*place, place[0]])) for place in places]
    return float(np.median(longer)) if longer else 60.0
