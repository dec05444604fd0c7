"""Hands over a known still table: arms that come in over the picture's border, with their fingertips."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import Arm, Arms
from vision.camera import Frame
from vision.fingertips import fingertips
from vision.foreground import Foreground
from vision.scene import HandDetection, Point
from vision.straighten import Image

Floats = NDArray[np.float64]

FINGER = 1 / 70  # of a frame's longer side: about how wide a finger is where nobody says it
BODY = 8.0  # squares of a finger's width: what is smaller is no hand, but a bit of one or a tile that was moved
SMALLEST = 2.0  # fingers' widths: a hand that reaches in less far has no fingertips yet
CLOSED = np.ones((5, 5), np.uint8)  # gaps in a hand that are filled
SIMPLER = 0.7  # pixels of the mask by which an outline may be simplified


class Hands:
    """Follows the hands over a still table; the table is known from a picture without hands.

    finger_px: about how wide a finger is, in pixels of the frame.

    >>> hands = Hands(still)  # doctest: +SKIP
    >>> hands.see(frame)[0].tips_px  # doctest: +SKIP
    """

    def __init__(self, still: Image, finger_px: float | None = None) -> None:
        self._foreground = Foreground(still)
        self._scale, self._size = self._foreground.scale, self._foreground.size
        self._finger = (finger_px or FINGER * max(still.shape[:2])) / self._scale
        self._arms = Arms(self._size, self._finger)

    def see(self, frame: Frame, lit: Sequence[Sequence[Point]] = ()) -> tuple[HandDetection, ...]:
        """The hands in a frame, each with the number it had before; lit: polygons where lamps of our own shine."""
        mask = cv2.morphologyEx(self._foreground.of(frame.image, lit), cv2.MORPH_CLOSE, CLOSED)
        arms = self._arms.see(np.asarray(mask, np.uint8), self._foreground.seen)
        return tuple(hand for arm in arms if (hand := self._hand(arm)) is not None)

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
        return (float(point[0]) + 0.5) * self._scale - 0.5, (float(point[1]) + 0.5) * self._scale - 0.5
