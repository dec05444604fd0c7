"""Who touched what, and when: hands over a still table, watched with two kinds of eyes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.table import TableSide
from vision.camera import Frame
from vision.closeup import SIDES
from vision.landing import LandingEyes
from vision.landing_watch import LandingWatch
from vision.opinions import Opinions
from vision.rest_watch import RestWatch
from vision.scene import HandDetection, Point
from vision.straighten import Image
from vision.touches import Contact

APART_S = 0.028  # of frames that follow sooner outlines tell no more than noise of how fast a hand is


class TouchWatch:
    """Watches the hands over a still table for those that touch its places.

    `LandingWatch`, a network that sees each place close by, tells touches soon; `RestWatch` follows the outlines of
    hands until they rest, which takes longer, and sees what the network was never taught. The network watches what all
    reach for all the time: many hands that race have no outline of their own.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. eyes: the network,
    loaded once for several tables. seats: the sides of the picture where somebody sits, if that is known.
    hands: those of the last frame. pending: what may be touches and is not sure yet.

    >>> watch = TouchWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(
        self,
        still: Image,
        places: Sequence[Sequence[Point]],
        eyes: LandingEyes | None = None,
        seats: Sequence[TableSide] = SIDES,
    ) -> None:
        height, width = still.shape[:2]
        self._rests = RestWatch(still, places)
        self._landings = LandingWatch(still, places, eyes or LandingEyes(), seats)
        self._opinions = Opinions((width, height))
        self._seen_s: float | None = None
        self.hands: tuple[HandDetection, ...] = ()
        self.pending: tuple[Contact, ...] = ()

    def see(
        self, frame: Frame, lit: Sequence[Sequence[Point]] = (), sought: Collection[int] = ()
    ) -> tuple[Contact, ...]:
        """The contacts that this frame made sure.

        lit: polygons in pixels where lamps of our own shine. sought: the places that all reach for just now.
        """
        rested = self._rested(frame, lit)
        landed = self._landings.see(frame, self._rests.mask, self.hands, sought)
        if sought:  # fingers that rest elsewhere are but some of a hand that races
            rested = tuple(one for one in rested if one.place in sought or self._opinions.doubts(one))
        sure = self._opinions.hear(landed, rested, frame.time_s)
        waiting = (*self._opinions.doubted, *self._landings.pending, *self._rests.pending)
        self.pending = tuple(one for one in waiting if not self._opinions.is_told(one))
        return sure

    def _rested(self, frame: Frame, lit: Sequence[Sequence[Point]]) -> tuple[Contact, ...]:
        """What the slower eyes saw, if they look at this frame."""
        if self._seen_s is not None and 0 <= frame.time_s - self._seen_s < APART_S:
            return ()
        self._seen_s = frame.time_s
        contacts = self._rests.see(frame, lit)
        self.hands = self._rests.hands
        return contacts
