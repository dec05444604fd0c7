"""Who touched what, and when: a fingertip that comes to rest on a tile."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Literal, TypeAlias

import cv2
import numpy as np

from vision.approach import LEAVES, Rest, Spot, rest_of
from vision.camera import Frame
from vision.hands import Hands
from vision.scene import HandDetection, Point
from vision.straighten import Image

Side: TypeAlias = Literal["bottom", "top", "left", "right"]

RESTED_S = 0.205  # a feint stops for 0.2 s at most
MEMORY = 24  # frames of a fingertip's path
LOST_S = 0.12  # a fingertip that was not seen for so long is another one
STRAYS = 0.2  # of a tile's length: how far from where it is expected a fingertip may be found
COASTS = 12  # frames for which a fingertip that cannot be told goes with its hand
FINGER = 0.33  # of a tile's length: about how wide a finger is
PAD = 0.3  # of a finger's width: how far behind its end a finger touches
MARGIN = 0.05  # of a tile's length: so much beyond its edge still counts as on it


@dataclass(frozen=True)
class Contact:
    """A finger that came to rest on a place.

    hand: the hand's number. entry_px: where its arm comes in. place: which of the places. time_s: the moment, in
    frame time, with its standard deviation sigma_s. at_px: the fingertip. confirmed_s: the frame that made it sure.
    """

    hand: int
    entry_px: Point
    place: int
    time_s: float
    sigma_s: float
    at_px: Point
    confirmed_s: float


@dataclass(eq=False)
class _Fingertip:
    """One fingertip of one hand on its way."""

    hand: HandDetection
    coasted: int = 0
    path: deque[Spot] = field(default_factory=lambda: deque(maxlen=MEMORY))

    @property
    def last(self) -> Spot:
        return self.path[-1]

    def expected(self, move: Point) -> Point:
        """Where it is now if it went with its hand."""
        (x, y) = self.last.at_px
        return x + move[0], y + move[1]


class TouchWatch:
    """Watches the hands over a still table for fingers that come to rest on its places.

    still: the table without hands. places: the corners in pixels of every tile that may be touched.

    >>> watch = TouchWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(self, still: Image, places: Sequence[Sequence[Point]]) -> None:
        self._places = [np.asarray(place, np.float32) for place in places]
        sides = [hypot(*(place[k] - place[k - 1])) for place in self._places for k in range(len(place))]
        self._length = 2 * float(np.sqrt(np.mean(np.square(sides)) / 2.5)) if sides else 60.0
        self._watched = Hands(still, FINGER * self._length)
        self._tips: list[_Fingertip] = []
        self._told: set[tuple[int, int]] = set()
        self.hands: tuple[HandDetection, ...] = ()
        self.pending: tuple[Contact, ...] = ()

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[Contact, ...]:
        """The contacts that this frame made sure; lit: polygons in pixels where lamps of our own shine."""
        self.hands = self._watched.see(frame, lit)
        for hand in self.hands:
            self._follow(hand, frame.time_s)
        self._tips = [tip for tip in self._tips if frame.time_s - tip.last.time_s < LOST_S]
        resting = [contact for tip in self._tips if (contact := self._resting(tip, frame.time_s))]
        self._forget()
        sure: dict[tuple[int, int], Contact] = {}
        waiting: dict[tuple[int, int], Contact] = {}
        for contact in sorted(resting, key=lambda one: one.time_s):
            key = contact.hand, contact.place
            rested = contact.confirmed_s - contact.time_s >= RESTED_S
            if key not in self._told:
                (sure if rested else waiting).setdefault(key, contact)
        self._told |= set(sure)
        self.pending = tuple(contact for key, contact in waiting.items() if key not in sure)
        return tuple(sure.values())

    def _follow(self, hand: HandDetection, time_s: float) -> None:
        """Each fingertip of a hand goes on the path that leads to it, the nearest first, or begins one."""
        own = [tip for tip in self._tips if tip.hand.number == hand.number and tip.last.time_s < time_s]
        move = self._watched.moves.get(hand.number, (0.0, 0.0))
        pairs = sorted(
            (_apart(tip.expected(move), at), k, n) for k, tip in enumerate(own) for n, at in enumerate(hand.tips_px)
        )
        strays = STRAYS * self._length + 0.5 * hypot(*move)
        followed: dict[int, int] = {}
        for apart, k, n in pairs:
            if apart < strays and n not in followed and k not in followed.values():
                followed[n] = k
        for n, at in enumerate(hand.tips_px):
            tip = own[followed[n]] if n in followed else _Fingertip(hand)
            tip.hand = hand
            tip.path.append(Spot(time_s, at))
            tip.coasted = 0
            if n not in followed:
                self._tips.append(tip)
        for k, tip in enumerate(own):
            if k not in followed.values() and tip.coasted < COASTS and len(tip.path) > 1:
                tip.hand = hand
                tip.path.append(Spot(time_s, tip.expected(move)))
                tip.coasted += 1

    def _resting(self, tip: _Fingertip, now_s: float) -> Contact | None:
        rest = rest_of(tip.path, self._length) if tip.last.time_s == now_s else None
        place = self._place_of(rest, tip.hand) if rest else None
        if rest is None or place is None:
            return None
        return Contact(tip.hand.number, tip.hand.entry_px, place, rest.since_s, rest.sigma_s, rest.at_px, now_s)

    def _place_of(self, rest: Rest, hand: HandDetection) -> int | None:
        """The place on which the fingertip's pad lies."""
        x, y = rest.at_px
        back = np.array(hand.entry_px) - (x, y)
        back *= PAD * FINGER * self._length / max(float(np.hypot(*back)), 1e-6)
        pad = (float(x + back[0]), float(y + back[1]))
        depths = [cv2.pointPolygonTest(place, pad, True) for place in self._places]
        best = int(np.argmax(depths)) if depths else -1
        return best if depths and depths[best] > -MARGIN * self._length else None

    def _forget(self) -> None:
        """A contact that was told may be told again once its hand has left the place."""
        near = {
            (tip.hand.number, k)
            for tip in self._tips
            for k, place in enumerate(self._places)
            if cv2.pointPolygonTest(place, tip.last.at_px, True) > -LEAVES * self._length
        }
        self._told &= near


def side_of(entry_px: Point, size_px: tuple[int, int]) -> Side:
    """The side of a picture, (width, height), over which an arm comes in."""
    (x, y), (width, height) = entry_px, size_px
    ways: dict[Side, float] = {"bottom": height - 1 - y, "top": y, "left": x, "right": width - 1 - x}
    return min(ways, key=lambda side: ways[side])


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
