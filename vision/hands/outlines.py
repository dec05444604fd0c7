"""Hands over a known still table: arms that come in over the picture's border, with their fingertips."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.hands.arms import Arm, Arms, shifted
from vision.hands.fingertips import fingertips
from vision.hands.foreground import Bytes, Foreground
from vision.hands.stir import Stir
from vision.scene import HandDetection, Point
from vision.straighten import Image

Floats = NDArray[np.float64]

MOVES, SHADOW = 0.15, 9.0  # fingers' widths from frame to frame; and how far off a hand's shadow may fall
TILE = 3.0  # fingers' widths: about how long a tile is
FINGER = 1 / 70  # of a frame's longer side: about how wide a finger is where nobody says it
BODY = 8.0  # squares of a finger's width: what is smaller is no hand, but a bit of one or a tile that was moved
SMALLEST = 2.0  # fingers' widths: a hand that reaches in less far has no fingertips yet
SWINGS, SWING_S = 0.25, 0.3  # by so much more than on the whole the light's logarithm changes somewhere in that time
CLOSED = np.ones((5, 5), np.uint8)  # gaps in a hand that are filled
SIMPLER = 0.7  # pixels of the mask by which an outline may be simplified


class Hands:
    """Follows the hands over a still table; the table is known from a picture without hands.

    finger_px: about how wide a finger is, in pixels of the frame. moves: how far each hand, by its number, has gone in
    pixels since the frame before. mask: what lies over the table, 255 there; scale: pixels of the frame a pixel of it.

    >>> hands = Hands(still)  # doctest: +SKIP
    >>> hands.see(frame)[0].tips_px  # doctest: +SKIP
    """

    def __init__(self, still: Image, finger_px: float | None = None) -> None:
        self._foreground = Foreground(still)
        self.scale, self._size = self._foreground.scale, self._foreground.size
        self._finger = (finger_px or FINGER * max(still.shape[:2])) / self.scale
        self._arms = Arms(self._size, self._finger)
        self._stir = Stir(TILE * self._finger)
        self._seen: tuple[Arm, ...] = ()
        self._lights: deque[tuple[float, Floats]] = deque()
        self.moves: dict[int, Point] = {}
        self.mask = np.zeros(self._size[::-1], np.uint8)

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[HandDetection, ...]:
        """The hands in a frame, each with the number it had before; lit: polygons where lamps of our own shine."""
        mask = cv2.morphologyEx(self._foreground.of(frame.image, lit), cv2.MORPH_CLOSE, CLOSED)
        self.mask = np.asarray(mask, np.uint8)
        light = self._foreground.light.astype(np.float64)
        self._lights.append((frame.time_s, light - np.median(light, axis=0)))
        while frame.time_s - self._lights[0][0] > SWING_S:
            self._lights.popleft()
        arms = self._seen = self._arms.see(self.mask, self._foreground.seen)
        self._stir.see(self._foreground.seen)
        self.moves = {arm.number: (arm.moves[0] * self.scale, arm.moves[1] * self.scale) for arm in arms}
        return tuple(hand for arm in arms if (hand := self._hand(arm)) is not None)

    def stir(self, number: int, tips: Sequence[Point]) -> float:
        """How much stirs about some fingertips of a hand: 1 where nothing does, or where another hand comes near."""
        others = np.zeros(self._size[::-1], np.uint8)
        here = [((x + 0.5) / self.scale - 0.5, (y + 0.5) / self.scale - 0.5) for x, y in tips]
        for arm in self._seen:
            if arm.number != number:
                if hypot(*arm.moves) > MOVES * self._finger:
                    here = [tip for tip in here if not self._is_near(arm, tip)]
                others |= arm.shape
        return self._stir.about(here, others)

    def shape(self, number: int) -> Bytes:
        """The mask of a hand with its arm, in the last frame."""
        return next((arm.shape for arm in self._seen if arm.number == number), np.zeros(self._size[::-1], np.uint8))

    @property
    def covered(self) -> Bytes:
        """Where hands and arms are, 255 there, with a rim of a few pixels."""
        shapes = [arm.shape for arm in self._seen] or [np.zeros(self._size[::-1], np.uint8)]
        return np.asarray(cv2.dilate(np.bitwise_or.reduce(shapes), CLOSED), np.uint8)

    def beside(self, number: int, shape: Bytes, by: Point) -> Bytes:
        """What lies over the table and is no hand: neither another one, nor this one, once of a shape, moved on."""
        own = shifted(shape, (by[0] / self.scale, by[1] / self.scale))
        others = [arm.shape for arm in self._seen if arm.number != number]
        hands = cv2.dilate(np.bitwise_or.reduce([own, *others]), CLOSED)
        return np.asarray(cv2.bitwise_and(self.mask, cv2.bitwise_not(hands)), np.uint8)

    def _is_near(self, arm: Arm, tip: Point) -> bool:
        """Whether an arm is so near to a fingertip that its shadow may stir there."""
        reach = SHADOW * self._finger
        rows, cols = (slice(max(0, round(at - reach)), max(0, round(at + reach)) + 1) for at in (tip[1], tip[0]))
        return bool(arm.shape[rows, cols].any())

    def came(self, number: int) -> bool:
        """Whether a hand has moved since it was first seen: light that changed somewhere looks like one that lies."""
        return any(arm.number == number and arm.came for arm in self._seen)

    @property
    def swings(self) -> bool:
        """Whether the light swings, as where somebody leans over the table: a shadow then looks like a hand at rest.

        That a camera makes all of it lighter or darker does not count.
        """
        return bool(np.ptp([light for _, light in self._lights], axis=0).max(initial=0.0) > SWINGS)

    def knows(self, number: int) -> bool:
        """Whether a hand is in the picture, or was a moment ago."""
        return self._arms.knows(number)

    def _hand(self, arm: Arm) -> HandDetection | None:
        """The hand of an arm; None while no more than a bit of it is seen."""
        outlines = cv2.findContours(arm.shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        least = BODY * self._finger**2
        parts = [np.asarray(one[:, 0], np.float64) for one in outlines if cv2.contourArea(one) > least]
        if not parts:
            return None
        far = max(parts, key=lambda part: float(np.hypot(*(part - arm.entry).T).max()))
        tips = fingertips(far, arm.entry, self._finger, self._size)
        if not tips or hypot(tips[0][0] - arm.entry[0], tips[0][1] - arm.entry[1]) < SMALLEST * self._finger:
            return None
        simple = cv2.approxPolyDP(far.astype(np.float32)[:, None], SIMPLER, True)[:, 0]
        outline, ends = tuple(map(self._full, simple)), tuple(map(self._full, tips))
        return HandDetection(outline, 1.0, arm.number, self._full(arm.entry), ends)

    def _full(self, point: Sequence[float] | Floats) -> Point:
        """A place of the mask in the frame's pixels."""
        return (float(point[0]) + 0.5) * self.scale - 0.5, (float(point[1]) + 0.5) * self.scale - 0.5
