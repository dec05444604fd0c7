"""Who touched what, and when: a fingertip that comes to rest on a tile."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import Literal, TypeAlias

import cv2
import numpy as np

from vision.camera import Frame
from vision.contact import ContactReader, Spot
from vision.hands import Hands
from vision.scene import HandDetection, Point
from vision.straighten import Image
from vision.visit import Verdict, Visit

Side: TypeAlias = Literal["bottom", "top", "left", "right"]
Key = tuple[int, int]  # a hand's number, a place's index

FINGER = 0.33  # of a tile's length: about how wide a finger is
STEP_S = 1 / 30  # between the frames of a strip
REMEMBERED_S = 0.6
APART_S = 0.028  # hands are looked for no more often; between, only the tiles that they are near
NEAR = 0.8  # of a tile's length: a fingertip so near to a tile's middle may touch it
BESIDE = 1.2  # of a tile's length: a hand so near may have a finger there that another hand hides
EACH, MOST = 3, 8  # places that are looked at for one hand, and hands over places in one frame
LOST_S = 0.3  # a hand that was so long not near a tile has left it
DUE, SOON = 6, 3  # frames of a strip after which a contact should be sure, and after which others wait for it
LIKELY, OPEN = 0.6, 0.25  # how surely a contact was that is told, and one that is waited for
MAYBE = 0.5  # how likely a touch seemed to a single frame that may have been one, though it was never sure
TOGETHER_S = 0.07  # who is over a tile so soon after a touch may have touched it first
TURNED = 0.9  # the cosine of an angle by which an arm may swing


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


class TouchWatch:
    """Watches the hands over a still table for fingers that come to rest on its places.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. hands: those of
    the last frame. pending: fingers that may rest on a place and are not yet sure.

    >>> watch = TouchWatch(still, places)  # doctest: +SKIP
    >>> for frame in camera: print(watch.see(frame))  # doctest: +SKIP
    """

    def __init__(self, still: Image, places: Sequence[Sequence[Point]]) -> None:
        self._still, self._length = still, _length(places)
        self._places = [tuple((float(x), float(y)) for x, y in corners) for corners in places]
        self._middles = np.array([np.mean(corners, axis=0) for corners in self._places]).reshape(-1, 2)
        self._watched, self._reader = Hands(still, FINGER * self._length), ContactReader()
        self._frames: deque[Frame] = deque()
        self._seen_s = -1.0
        self._close: list[Key] = []
        self._visits: dict[Key, Visit] = {}
        self._told: dict[Key, Contact] = {}
        self.hands: tuple[HandDetection, ...] = ()
        self.pending: tuple[Contact, ...] = ()

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[Contact, ...]:
        """The contacts that this frame made sure; lit: polygons in pixels where lamps of our own shine."""
        for visit in self._visits.values():
            visit.sees(frame)
        self._remember(frame)
        if not 0 <= frame.time_s - self._seen_s < APART_S:
            self._seen_s = frame.time_s
            self.hands = self._watched.see(frame, lit)
            self._close = self._near(frame.time_s)
        stride = self._stride
        chances = self._reader.look([self._visits[key].strip(stride) for key in self._close])
        for key, told in zip(self._close, chances, strict=True):
            self._visits[key].hears(told, stride)
        self._forget(frame.time_s)
        return self._weighed(self._close, frame.time_s)

    def _remember(self, frame: Frame) -> None:
        self._frames.append(frame)
        while frame.time_s - self._frames[0].time_s > REMEMBERED_S:
            self._frames.popleft()

    @property
    def _stride(self) -> int:
        """Every how manieth frame makes up a strip."""
        pauses = np.diff([frame.time_s for frame in self._frames])
        return max(1, min(4, round(STEP_S / max(float(np.median(pauses)), 1e-3)))) if len(pauses) else 1

    def _near(self, now_s: float) -> list[Key]:
        """The hands over places that are worth a look: where something was seen, before fingertips, beside those."""
        keys = [key for key, visit in self._visits.items() if visit.chance > OPEN]
        keys += [key for _, key in sorted(pair for hand in self.hands for pair in self._before(hand))]
        places = dict.fromkeys(place for _, place in keys)
        keys += [(hand.number, place) for place in places for hand in self.hands if self._is_beside(hand, place)]
        hands = {hand.number: hand for hand in self.hands}
        near = list(dict.fromkeys(keys))[:MOST]
        for key in near:
            if key[0] in hands:
                self._keep(hands[key[0]], key[1], now_s)
        return near

    def _before(self, hand: HandDetection) -> list[tuple[float, Key]]:
        """A hand over the places before its fingertips, and how far their middles are from those, in pixels."""
        tips = np.array(hand.tips_px).reshape(-1, 2)
        far = np.linalg.norm(self._middles[:, None] - tips, axis=2).min(axis=1, initial=np.inf)
        near = [int(k) for k in np.argsort(far)[:EACH] if far[k] < NEAR * self._length]
        return [(float(far[k]), (hand.number, k)) for k in near]

    def _is_beside(self, hand: HandDetection, place: int) -> bool:
        """Whether a hand is so near to a place that it may be on it, though another one hides that."""
        x, y = (float(v) for v in self._middles[place])
        outline = np.array(hand.outline_px, np.float32)
        return len(outline) > 2 and cv2.pointPolygonTest(outline, (x, y), True) > -BESIDE * self._length

    def _keep(self, hand: HandDetection, place: int, now_s: float) -> None:
        """Go on looking at a hand over a place, or begin."""
        (x, y), (left, top) = hand.entry_px, (float(v) for v in self._middles[place])
        visit, toward = self._visits.get((hand.number, place)), (x - left, y - top)
        if visit is None or _turned(visit.spot.toward, toward):
            spot = Spot((left, top), self._places[place], self._length, toward)
            visit = self._visits[hand.number, place] = Visit(hand, spot, self._still, self._frames)
        visit.hand, visit.near_s = hand, now_s

    def _weighed(self, near: Sequence[Key], now_s: float) -> tuple[Contact, ...]:
        """Those of the hands over places that touched them, as far as is known now."""
        sure, pending = {}, []
        for key in near:
            due, soon = self._visits[key].verdict(DUE), self._visits[key].verdict(SOON)
            if key in self._told:
                continue
            if due and due.surety > LIKELY:
                sure[key] = self._told[key] = self._contact(key, due, now_s)
            elif soon and soon.surety > OPEN:
                pending.append(self._contact(key, soon, now_s))
        self.pending = tuple(pending)
        return tuple(replace(contact, contested=self._contested(contact)) for contact in sure.values())

    def _contact(self, key: Key, told: Verdict, now_s: float) -> Contact:
        number, place = key
        hand, middle = self._visits[key].hand, self._middles[place]
        tip = min(hand.tips_px, key=lambda at: hypot(at[0] - middle[0], at[1] - middle[1]))
        return Contact(number, hand.entry_px, place, told.time_s, told.sigma_s, tip, now_s)

    def _contested(self, contact: Contact) -> bool:
        """Whether another hand may have touched the place before, whose own touch is not known."""
        maybe = [(one.hand, one.place, one.time_s) for one in self.pending]
        maybe += [(*key, visit.most_s) for key, visit in self._visits.items() if visit.most > MAYBE]
        return any(
            place == contact.place
            and hand != contact.hand
            and when_s < contact.time_s + TOGETHER_S
            and (hand, place) not in self._told
            for hand, place, when_s in maybe
        )

    def _forget(self, now_s: float) -> None:
        """A hand that has left a place may touch it again."""
        left = [key for key, visit in self._visits.items() if now_s - visit.near_s > LOST_S]
        for key in left:
            del self._visits[key]
            self._told.pop(key, None)
        self._close = [key for key in self._close if key not in left]


def side_of(entry_px: Point, size_px: tuple[int, int]) -> Side:
    """The side of a picture, (width, height), over which an arm comes in."""
    (x, y), (width, height) = entry_px, size_px
    ways: dict[Side, float] = {"bottom": height - 1 - y, "top": y, "left": x, "right": width - 1 - x}
    return min(ways, key=lambda side: ways[side])


def _turned(before: Point, now: Point) -> bool:
    """Whether an arm comes from so much another way that its strips have to be cut anew."""
    cosine = (before[0] * now[0] + before[1] * now[1]) / max(hypot(*before) * hypot(*now), 1e-9)
    return cosine < TURNED


def _length(places: Sequence[Sequence[Point]]) -> float:
    """The usual length of a tile's longer side, in pixels."""
    longer = [max(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise([*place, place[0]])) for place in places]
    return float(np.median(longer)) if longer else 60.0
