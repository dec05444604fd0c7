"""Hands that land on tiles, told apart by the sides that they come from: what a network makes of close-ups."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.table import TableSide
from vision.camera import Frame
from vision.hands.foreground import Bytes
from vision.hands.landing import LandingEyes, Landings, Watched
from vision.hands.touches import FINGER, usual_length
from vision.hands.weighing import Seen
from vision.layout.seats import SIDES
from vision.scene import HandDetection, Point
from vision.straighten import Image

Floats = NDArray[np.float64]

AROUND = 0.15  # of a tile's length: a hand so near may be about to touch it
OVER = 4  # pixels of the mask that are a hand there
MOST = 10  # tiles that are watched at a time, those nearest to fingertips
LINGERS = 8  # frames for which a tile is watched on that no hand is over any more
USUAL_S = 1 / 30  # between frames, until it is known
KNOWN, UNSTEADY = 3, 0.7  # pauses that tell the pace; frames that come so much faster or slower let more look, or fewer
LATELY_S = 0.5  # a side whose arm was seen so lately is one that hands come from


@dataclass(eq=False)
class _Turn:
    """What was seen of late by one of those that look in turn: the tiles, and the frame before."""

    tiles: list[Watched]
    before: Image


class LandingWatch:
    """Watches the places of a still table on which hands may land.

    The network knows hands at the usual pace: of frames that follow sooner it looks at each second one, or third, and
    then at the others, as if several cameras looked.

    still: the table without hands. places: the corners in pixels of every tile that may be touched. eyes: the network.
    seats: the sides of the picture where somebody sits. pause_s: the time between the frames that one of them looks at.
    """

    def __init__(
        self, still: Image, places: Sequence[Sequence[Point]], eyes: LandingEyes, seats: Sequence[TableSide] = SIDES
    ) -> None:
        self._seats = seats
        self._length = usual_length(places)
        self._corners = [np.asarray(corners, np.float64) for corners in places]
        self._size = still.shape[1::-1]
        self._landings, self._still = Landings(eyes), still
        self._turns: list[_Turn] = [self._turn()]
        self._pace: deque[float] = deque(maxlen=9)
        self._seen_s: float | None = None
        self._sides: dict[TableSide, float] = {}
        self._busy: dict[int, int] = {}  # places that hands are over, and frames since one was
        self._sought: frozenset[int] = frozenset()
        self.pause_s = USUAL_S

    def see(self, frame: Frame, mask: Bytes, hands: Sequence[HandDetection], sought: Collection[int] = ()) -> Seen:
        """What the hands over each place may have done, by the sides that they come from.

        mask: what lies over the table, 255 there; hands: those seen. sought: places that are watched whether or not
        anything is seen over them, for some hands look like the table.
        """
        if self._seen_s is not None:
            self._pace.append(frame.time_s - self._seen_s)
        self._seen_s = frame.time_s
        self._arrive(mask, hands)
        self._sought = frozenset(sought)
        pause_s = float(np.median(self._pace)) if self._pace else USUAL_S
        self._take_turns(USUAL_S / pause_s if len(self._pace) >= KNOWN else 1.0)
        self.pause_s = pause_s * len(self._turns)
        return self._look(frame.image)

    def _turn(self) -> _Turn:
        return _Turn([Watched(corners, self._length, self._still) for corners in self._corners], self._still)

    def _take_turns(self, faster: float) -> None:
        """Let the next one look; so many look in turn as frames come faster than usual."""
        if abs(faster - len(self._turns)) > UNSTEADY:
            self._turns = [self._turn() for _ in range(max(1, round(faster)))]
        self._turns.append(self._turns.pop(0))

    def _look(self, image: Image) -> Seen:
        places = sorted(self._busy.keys() | self._sought)
        sides = [self._seats if k in self._sought else sorted(self._sides) for k in places]
        turn = self._turns[-1]
        seen = self._landings.see([turn.tiles[k] for k in places], image, turn.before, sides)
        turn.before = image
        return dict(zip(places, seen, strict=True))

    def _arrive(self, mask: Bytes, hands: Sequence[HandDetection]) -> None:
        """Note over which sides arms come in, and over which places there are hands."""
        scale, now_s = self._size[0] / mask.shape[1], self._seen_s or 0.0
        edges = (mask[-1], mask[:, 0], mask[0], mask[:, -1])
        for side, edge in zip(SIDES, edges, strict=True):
            if side in self._seats and cv2.countNonZero(edge) > 0.5 * FINGER * self._length / scale:
                self._sides[side] = now_s
        self._sides = {side: when for side, when in self._sides.items() if now_s - when < LATELY_S}
        over = [k for k, quad in enumerate(self._corners) if self._is_over(mask, quad, scale)]
        self._busy = {k: frames + 1 for k, frames in self._busy.items() if frames < LINGERS * len(self._turns)}
        for k in sorted(over, key=lambda k: self._reach(k, hands))[:MOST]:
            self._busy[k] = 0
        for turn in self._turns:
            for k, tile in enumerate(turn.tiles):
                if k not in self._busy and k not in self._sought:
                    tile.forget()

    def _is_over(self, mask: Bytes, quad: Floats, scale: float) -> bool:
        """Whether something is over a place or close by."""
        around = AROUND * self._length
        left, top = (max(0, round(at)) for at in (quad.min(axis=0) - around) / scale)
        right, bottom = (max(0, round(at)) + 1 for at in (quad.max(axis=0) + around) / scale)
        return cv2.countNonZero(mask[top:bottom, left:right]) > OVER

    def _reach(self, place: int, hands: Sequence[HandDetection]) -> float:
        """How far the nearest fingertip is from a place's middle."""
        x, y = self._turns[0].tiles[place].view.middle
        return min((hypot(u - x, v - y) for hand in hands for u, v in hand.tips_px), default=0.0)
