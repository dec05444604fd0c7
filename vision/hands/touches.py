"""What a touch is: which hand came to lie on which place, when, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

import numpy as np

from rules.table import TableSide
from vision.scene import Point

FINGER = 0.33  # of a tile's length: about how wide a finger is
LIKELY = 0.5  # what has a smaller chance is but a rumour


@dataclass(frozen=True)
class Contact:
    """A hand that touched a place.

    hand: the hand's number. entry_px: where its arm comes in. place: which of the places. time_s: the moment, in
    frame time, with its standard deviation sigma_s. at_px: the fingertip. confirmed_s: the frame that made it sure.
    chance: that it was a touch at all. taken: whether that hand took the tile away. halted_s: when it came
    to a halt over the place, if that was before its finger rested. number: what is told anew, as more is seen of it,
    has the same; None for what is told once.
    """

    hand: int
    entry_px: Point
    place: int
    time_s: float
    sigma_s: float
    at_px: Point
    confirmed_s: float
    chance: float = 1.0
    taken: bool = False
    halted_s: float | None = None
    number: int | None = None

    @property
    def likely(self) -> bool:
        """Whether it was a touch sooner than none."""
        return self.chance > LIKELY


def side_of(entry_px: Point, size_px: tuple[int, int]) -> TableSide:
    """The side of a picture, (width, height), over which an arm comes in."""
    (x, y), (width, height) = entry_px, size_px
    ways: dict[TableSide, float] = {"bottom": height - 1 - y, "top": y, "left": x, "right": width - 1 - x}
    return min(ways, key=lambda side: ways[side])


def usual_length(places: Sequence[Sequence[Point]]) -> float:
    """The usual length of a tile's longer side, in pixels."""
    longer = [max(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise([*place, place[0]])) for place in places]
    return float(np.median(longer)) if longer else 60.0
