"""A hand on its way: where it went, and which fingertips it has, also where they cannot be seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist

from vision.hands.approach import Position, Rest, rest_of
from vision.scene import HandDetection, Point

MEMORY = 24  # frames of a hand's path
ONE = 0.2  # of a tile's length: fingertips as near as this are one
FOLLOW = 0.5  # how quickly a fingertip's remembered place follows what is seen
SEEN, UNSEEN, MOST = 1.0, 0.25, 4.0  # what a sighting of a fingertip counts for, and what a frame without one costs
BELIEVED = 2.0  # a fingertip that counts for less may be a fold of a sleeve or a shadow's end


@dataclass(frozen=True)
class _Fingertip:
    """A fingertip in the hand's own frame, and how much it is believed."""

    at_px: Point
    weight: float = SEEN


@dataclass(eq=False)
class HandPath:
    """The path of one hand, and its fingertips, which go with it. length: a tile's, in pixels."""

    length: float
    hand: HandDetection
    positions: deque[Position] = field(default_factory=lambda: deque(maxlen=MEMORY))
    _tips: list[_Fingertip] = field(default_factory=list)

    def goes(self, hand: HandDetection, move: Point, time_s: float) -> None:
        """Tell where the hand is seen now, and how far it went since the frame before."""
        x, y = self.positions[-1].at_px if self.positions else (0.0, 0.0)
        x, y = x + move[0], y + move[1]
        self.hand = hand
        self.positions.append(Position(time_s, (x, y)))
        self._tips = list(self._followed([(u - x, v - y) for u, v in hand.tips_px]))

    def stirs(self, stir: float) -> None:
        """Tell how much stirs about its fingertips now."""
        self.positions[-1] = replace(self.positions[-1], stir=stir)

    @property
    def rest(self) -> Rest | None:
        """The rest in which it is; None while it moves."""
        return rest_of(self.positions, self.length)

    @property
    def halt(self) -> Rest | None:
        """The same, though its fingers may stir: those that grasp something do."""
        return rest_of([replace(position, stir=1.0) for position in self.positions], self.length)

    @property
    def shown_for(self) -> float:
        """For how many seconds its rest has been seen, 0 while it moves."""
        rest = self.rest
        return self.positions[-1].time_s - rest.shown_s if rest else 0.0

    @property
    def tips(self) -> tuple[Point, ...]:
        """Where its fingertips are now, in pixels."""
        x, y = self.positions[-1].at_px
        return tuple((tip.at_px[0] + x, tip.at_px[1] + y) for tip in self._tips if tip.weight >= BELIEVED)

    def _followed(self, seen: Sequence[Point]) -> list[_Fingertip]:
        """The fingertips as they were, each led on to the nearest that is seen now, and those that are new."""
        left = list(seen)
        tips = []
        for tip in sorted(self._tips, key=lambda one: -one.weight):
            near = min(left, key=lambda at: dist(at, tip.at_px), default=None)
            if near is not None and dist(near, tip.at_px) < ONE * self.length:
                left.remove(near)
                x, y = (old + FOLLOW * (new - old) for old, new in zip(tip.at_px, near, strict=True))
                tips.append(_Fingertip((x, y), min(MOST, tip.weight + SEEN)))
            elif tip.weight > UNSEEN:
                tips.append(replace(tip, weight=tip.weight - UNSEEN))
        return [*tips, *map(_Fingertip, left)]
