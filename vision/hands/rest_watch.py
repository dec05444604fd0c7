"""Fingertips that come to rest on tiles, by following the outline of each hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot, inf

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.hands.approach import Rest, first_halt
from vision.hands.fingers import HandPath
from vision.hands.outlines import Hands
from vision.hands.takings import Takings, Visit
from vision.hands.touches import FINGER, Contact, usual_length
from vision.scene import HandDetection, Point
from vision.straighten import Image

RESTED_S = 0.26  # a feint stops for 0.2 s at most, and its slowing down looks like rest too
SURELY_S = 0.3  # since the moment of contact, where frames are far apart
PAD = 0.35  # of a finger's width: how far behind its end a finger touches
FRONT = 1.5  # fingers' widths behind its farthest end in which a hand's knuckles may hide the finger that touches
BEHIND = 3.0  # fingers' widths behind its farthest fingertip what looks like one is a knuckle, or a fold of a sleeve
MARGIN = 0.04  # of a tile's length: so much beyond its edge still counts as on it
GRASPS_S = 0.5  # so long fingers may stir about what they grasp before they rest
SHORTEST_S = 0.06  # after a contact a tile that is pulled or lifted begins to move
LATEST_S = 0.26  # so long after the hand's halt it has done so
# Of a tile: how much more of it looks otherwise once it moves, in a frame and since the touch.
PULLED, MOVED = 0.05, 0.12
NEAR = 0.3  # of a tile's length: a hand so near a tile's middle may touch it
LEFT = 0.5  # of a tile's length: a hand so far from where it rested has left


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A contact not yet sure, with the hand's mask and place on its path when it was last seen to halt, at seen_s."""

    contact: Contact
    seen_s: float
    shape: NDArray[np.uint8]
    at_px: Point


class RestWatch:
    """Watches the hands over a still table for fingers that come to rest on its places.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. hands: those of
    the last frame. pending: fingers that rest on a place and may yet turn out to hover.

    >>> watch = RestWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(self, still: Image, places: Sequence[Sequence[Point]]) -> None:
        self._length = usual_length(places)
        self._watched = Hands(still, FINGER * self._length)
        self._places = [_Place(corners, still, self._watched.scale) for corners in places]
        self._covers = [0.0] * len(self._places)
        small = [np.asarray(corners) / self._watched.scale for corners in places]
        self._takings = Takings(small, self._watched.mask.shape[::-1])
        self._waiting: dict[tuple[int, int], _Waiting] = {}
        self._paths: dict[int, HandPath] = {}
        self._told: dict[tuple[int, int], Point] = {}
        self._ever: set[tuple[int, int]] = set()  # hands and places of all contacts that were told
        self._away: dict[tuple[int, int], float] = {}  # when a hand was last seen beside a place, nowhere over it
        self.hands: tuple[HandDetection, ...] = ()
        self.pending: tuple[Contact, ...] = ()

    @property
    def mask(self) -> NDArray[np.uint8]:
        """What lies over the table in the last frame, 255 there, coarser than the frame."""
        return self._watched.mask

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[Contact, ...]:
        """The contacts that this frame made sure; lit: polygons in pixels where lamps of our own shine."""
        self.hands = self._watched.see(frame, lit)
        covers = [place.covered(self._watched.mask) for place in self._places]
        for hand in self.hands:
            self._follow(hand, frame.time_s, covers)
        self._covers = covers
        self._arrive()
        self._paths = {number: path for number, path in self._paths.items() if self._watched.knows(number)}
        self._forget()
        sure = [] if self._watched.swings else [*self._weigh(frame.time_s), *self._taken(frame.time_s)]
        self.pending = tuple(waiting.contact for waiting in self._waiting.values())
        return tuple(sure)

    def _follow(self, hand: HandDetection, time_s: float, covers: Sequence[float]) -> None:
        """Lead a hand's path on. Where a tile is being moved what stirs there tells nothing about the hand."""
        path = self._paths.setdefault(hand.number, HandPath(self._length, hand))
        path.goes(hand, self._watched.moves.get(hand.number, (0.0, 0.0)), time_s)
        on = {tip: place for tip in path.tips if (place := self._place_of(tip, hand.entry_px)) is not None}
        calm = [tip for tip, place in on.items() if covers[place] - self._covers[place] < PULLED]
        path.stirs(self._watched.stir(hand.number, calm))

    def _weigh(self, now_s: float) -> list[Contact]:
        """Those of the fingers at rest that have rested long enough, or whose tile has begun to move.

        A hand at a halt whose fingers stir may grasp the tile: what it then moves along it has touched.
        """
        paths = [path for path in self._paths.values() if path.positions[-1].time_s == now_s]
        halting = {(one.hand, one.place): one for path in paths for one in self._at_rest(path, path.halt)}
        resting = {(one.hand, one.place): one for path in paths for one in self._at_rest(path, path.rest)}
        for key, contact in (halting | resting).items():
            if key not in self._told:
                self._waiting[key] = _Waiting(contact, now_s, self._watched.shape(key[0]), self._at(key[0]))
        sure = []
        for key, waiting in list(self._waiting.items()):
            contact, goes = waiting.contact, waiting.seen_s < now_s
            since_s = now_s - contact.time_s
            shown_s = min(since_s, self._paths[key[0]].shown_for)
            rested = key in resting and (shown_s >= RESTED_S or since_s > SURELY_S)
            if rested or (goes and since_s > SHORTEST_S and self._pulled(waiting)):
                sure.append(replace(contact, confirmed_s=now_s, halted_s=self._halted_s(key, contact.time_s)))
                self._told[key] = self._at(key[0])
                self._ever.add(key)
            if key in self._told or now_s - waiting.seen_s > LATEST_S:
                del self._waiting[key]
        return sure

    def _taken(self, now_s: float) -> Iterator[Contact]:
        """The contacts of those who were over a tile that turns out to be gone, where none is known.

        Whoever has touched a tile already may have pushed others with it, or laid it on them.
        """
        for place, visits in self._takings.see(self._watched.mask, self._watched.covered, now_s):
            if not any((visit.hand, place) in self._ever for visit in visits):
                busy = {hand for hand, _ in self._ever}
                for visit in visits:
                    if visit.hand not in busy:
                        yield from self._halted(visit, place, now_s, 1 / len(visits))

    def _halted(self, visit: Visit, place: int, now_s: float, chance: float) -> Iterator[Contact]:
        """The contact of a hand that took a tile along before its rest was sure: where it first came to a halt."""
        halt = first_halt(visit.path, self._length)
        if halt:
            self._ever.add((visit.hand, place))
            self._told[visit.hand, place] = self._at(visit.hand)
            told = halt.since_s, halt.sigma_s, self._places[place].middle, now_s, chance
            yield Contact(visit.hand, visit.entry_px, place, *told)

    def _halted_s(self, key: tuple[int, int], rests_s: float) -> float | None:
        """When a hand came to a halt over a place not long before: fingers that grasp what lies there rest later."""
        visit = self._takings.visit(key[1], key[0])
        halt = first_halt(visit.path, self._length) if visit else None
        return halt.since_s if halt and 0 < rests_s - halt.since_s < GRASPS_S else None

    def _arrive(self) -> None:
        """Note which hand is over which place, and which lies beside it: it has not rested there before."""
        for hand in self.hands:
            outline = np.array(hand.outline_px, np.float32)
            position = self._paths[hand.number].positions[-1]
            for k, place in enumerate(self._places):
                off = -cv2.pointPolygonTest(outline, place.middle, True) if len(outline) > 2 else inf
                if off < NEAR * self._length:
                    self._takings.visited(k, hand.number, hand.entry_px, position)
                if off > place.reach:
                    self._away[hand.number, k] = position.time_s

    def _pulled(self, waiting: _Waiting) -> bool:
        """Whether the tile under a finger that rested has begun to move, so that it was touched."""
        contact, (x, y) = waiting.contact, waiting.at_px
        here = self._at(contact.hand)
        beside = self._watched.beside(contact.hand, waiting.shape, (here[0] - x, here[1] - y))
        return self._places[contact.place].covered(beside) > MOVED

    def _at(self, number: int) -> Point:
        return self._paths[number].positions[-1].at_px if number in self._paths else (0.0, 0.0)

    def _at_rest(self, path: HandPath, rest: Rest | None) -> Iterator[Contact]:
        """The places on which a hand that rests has its fingers."""
        number, entry = path.hand.number, path.hand.entry_px
        if rest is None or not self._watched.came(number):
            return
        reach = max((dist(tip, entry) for tip in (*path.tips, *path.hand.tips_px)), default=0.0)
        least = reach - BEHIND * FINGER * self._length
        ends = [tip for tip in path.tips if dist(tip, entry) > least]
        on = [(tip, place) for tip in ends if (place := self._place_of(tip, entry)) is not None]
        for tip, place in on or self._under_the_front(path.hand):
            since_s = max(rest.since_s, self._away.get((number, place), -inf))
            yield Contact(number, entry, place, since_s, rest.sigma_s, tip, path.positions[-1].time_s)

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
        self._away = {key: time_s for key, time_s in self._away.items() if key[0] in self._paths}
        for (hand, place), (x, y) in list(self._told.items()):
            path = self._paths.get(hand)
            here = path.positions[-1].at_px if path else (np.inf, np.inf)
            if hypot(here[0] - x, here[1] - y) > LEFT * self._length:
                del self._told[hand, place]


class _Place:
    """One place that may be touched, as corners and middle in pixels and as a piece of the masks.

    reach: how far its corners are from its middle.
    """

    def __init__(self, corners: Sequence[Point], still: Image, scale: int) -> None:
        self.corners = np.asarray(corners, np.float32)
        middle = np.mean(self.corners, axis=0)
        self.middle = float(middle[0]), float(middle[1])
        self.reach = max(dist(self.middle, corner) for corner in corners)
        small = (self.corners / scale).round().astype(np.int32)
        (x, y), (right, bottom) = np.maximum(small.min(axis=0), 0), small.max(axis=0)
        self._window = slice(int(y), int(bottom) + 1), slice(int(x), int(right) + 1)
        self._shape = np.zeros(still.shape[:2], np.uint8)[self._window]
        cv2.fillConvexPoly(self._shape, small - (int(x), int(y)), (255,))
        self._area = max(1, cv2.countNonZero(self._shape))

    def covered(self, mask: NDArray[np.uint8]) -> float:
        """How much of it, 0 to 1, looks otherwise than it did."""
        here = mask[self._window]
        return cv2.countNonZero(cv2.bitwise_and(here, self._shape[: here.shape[0], : here.shape[1]])) / self._area
