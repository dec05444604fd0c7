"""Who touched what, and when: hands over a still table, watched with two kinds of eyes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from rules.table import TableSide
from vision.camera import Frame
from vision.hands.dragging import Drag
from vision.hands.landing import LandingEyes
from vision.hands.landing_watch import LandingWatch
from vision.hands.rest_watch import RestWatch
from vision.hands.touches import Contact, side_of, usual_length
from vision.hands.weighing import Key, Touch, Weighing
from vision.layout.seats import SIDES
from vision.scene import HandDetection, Point
from vision.straighten import Image

APART_S = 0.028  # of frames that follow sooner outlines tell no more than noise of how fast a hand is
NEAR = 1.2  # of a tile's length: so far from a tile's middle its finger's end may be seen
HOVERS = 0.3  # the chance that a finger which rests, and may yet leave, has touched


class TouchWatch:
    """Watches the hands over a still table for those that touch its places.

    `LandingWatch`, a network that sees each place close by, tells touches soon; `RestWatch` follows the outlines of
    hands until they rest, which takes longer, and sees what the network was never taught. The network watches what all
    reach for all the time: many hands that race have no outline of their own. `Drag` sees who takes the tile away.
    `Weighing` joins what all saw.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. eyes: the network,
    loaded once for several tables. seats: the sides of the picture where somebody sits, if that is known. weighing:
    joins what they see. hands: those of the last frame. pending: what may be touches and is not settled yet.

    >>> watch = TouchWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(
        self,
        still: Image,
        places: Sequence[Sequence[Point]],
        eyes: LandingEyes | None = None,
        seats: Sequence[TableSide] = SIDES,
        weighing: Weighing | None = None,
    ) -> None:
        height, width = still.shape[:2]
        self._size = width, height
        self._middles = [(float(x), float(y)) for x, y in (np.mean(corners, axis=0) for corners in places)]
        self._length = usual_length(places)
        self._rests = RestWatch(still, places)
        self._landings = LandingWatch(still, places, eyes or LandingEyes(), seats)
        self._weighing = weighing or Weighing()
        self._still, self._corners, self._seats = still, places, seats
        self._drags: dict[int, Drag] = {}
        self._seen_s: float | None = None
        self.hands: tuple[HandDetection, ...] = ()
        self.pending: tuple[Contact, ...] = ()

    def see(
        self, frame: Frame, lit: Sequence[Sequence[Point]] = (), sought: Collection[int] = ()
    ) -> tuple[Contact, ...]:
        """The contacts that this frame settles; those that are not likely count only as rivals of others.

        lit: polygons in pixels where lamps of our own shine. sought: the places that all reach for just now.
        """
        settled = tuple(self._contact(touch, frame.time_s) for touch in self.weighed(frame, lit, sought))
        self.pending = tuple(self._pending(frame.time_s))
        return settled

    def weighed(
        self, frame: Frame, lit: Sequence[Sequence[Point]] = (), sought: Collection[int] = ()
    ) -> tuple[Touch, ...]:
        """The same, before it is known which of the hands it was."""
        slowly = self._seen_s is None or not 0 <= frame.time_s - self._seen_s < APART_S
        rested = self._rested(frame, lit) if slowly else {}
        seen = self._landings.see(frame, self._rests.mask, self.hands, sought)
        if slowly:
            self._seen_s = frame.time_s
            self._follow_taken(frame, sought)
        return self._weighing.see(seen, rested, frame.time_s, self._landings.pause_s, sought)

    def _follow_taken(self, frame: Frame, sought: Collection[int]) -> None:
        """Note who takes one of these tiles away, where hands may have touched it."""
        for place in sought:
            if place not in self._drags:  # before anybody comes: then there is no time for it
                self._drags[place] = Drag(self._still, self._corners[place], self._length, self._seats)
            if not (sides := self._weighing.suspected(place)):
                continue
            side = self._drags[place].see(frame.image, sides)
            if side is not None:
                self._weighing.takes((place, side))

    def _rested(self, frame: Frame, lit: Sequence[Sequence[Point]]) -> dict[Key, Contact]:
        """What the slower eyes saw."""
        contacts = self._rests.see(frame, lit)
        self.hands = self._rests.hands
        return {self._key(one): one for one in sorted(contacts, key=lambda one: -one.time_s)}

    @property
    def hovering(self) -> Iterator[Contact]:
        """Fingers that rest over a place just now, and may yet leave it."""
        return (replace(one, chance=HOVERS) for one in self._rests.pending)

    def _pending(self, now_s: float) -> Iterator[Contact]:
        """What may be touches by either kind of eyes."""
        yield from (self._contact(touch, now_s) for touch in self._weighing.pending)
        yield from (one for one in self.hovering if not self._weighing.knows(self._key(one), one.time_s))

    def _key(self, contact: Contact) -> Key:
        return contact.place, side_of(contact.entry_px, self._size)

    def _contact(self, touch: Touch, now_s: float) -> Contact:
        """A touch with the hand that made it, so far as it is seen."""
        if touch.rest:
            weighed = replace(touch.rest, time_s=touch.time_s, sigma_s=touch.sigma_s, chance=touch.chance)
            return replace(weighed, confirmed_s=now_s, taken=touch.taken, number=touch.number)
        x, y = middle = self._middles[touch.place]
        hand = self._hand(touch)
        tip = min(hand.tips_px if hand else (), key=lambda at: hypot(at[0] - x, at[1] - y), default=middle)
        at = tip if hypot(tip[0] - x, tip[1] - y) < NEAR * self._length else middle
        number = hand.number if hand else -1 - SIDES.index(touch.side)
        entry = hand.entry_px if hand else self._edge(middle, touch.side)
        told = touch.time_s, touch.sigma_s, at, now_s, touch.chance, touch.taken
        return Contact(number, entry, touch.place, *told, number=touch.number)

    def _hand(self, touch: Touch) -> HandDetection | None:
        """The hand of the touch's side that reaches nearest to its place."""
        x, y = self._middles[touch.place]
        mine = [hand for hand in self.hands if hand.tips_px and side_of(hand.entry_px, self._size) == touch.side]
        return min(mine, key=lambda hand: min(hypot(u - x, v - y) for u, v in hand.tips_px), default=None)

    def _edge(self, middle: Point, side: TableSide) -> Point:
        """The place on a side's edge that is nearest to a place."""
        (x, y), (width, height) = middle, self._size
        ways: dict[TableSide, Point] = {
            "bottom": (x, height - 1.0), "top": (x, 0.0), "left": (0.0, y), "right": (width - 1.0, y)
        }  # fmt: skip
        return ways[side]
