"""A tile that is pulled away toward a side of the picture: whoever takes it has touched it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.table import TableSide
from vision.closeup import Spot
from vision.straighten import Image

Floats = NDArray[np.float32]

LENGTH = 24  # pixels of the tile that is looked for: more shows no more of it
ACROSS = 8.0  # tiles' lengths of the picture in which it is looked for, each way
FRONT = 0.45  # of the tile: what is farthest from a player shows before the fingers that take it
NEAREST, FARTHEST = 0.3, 3.8  # tiles' lengths that it is away from its place
ASIDE = 1.5  # a tile that goes a player's way goes at most so much farther than toward that side
ALIKE = 0.72  # how much what is seen there has to be like the tile (a correlation)
MORE = 0.25  # and so much more than what lay there before
PLAINLY = 0.05  # and so much liker on the way to one side than on that to any other
STAYS = 0.6  # what is as much like the tile in its own place is the tile
OUTWARD, LATEST = 0.2, 8  # tiles' lengths that it is farther away in one of two frames, of the latest so many
GRAIN = 2.0  # grey levels that each picture is roughened by: what is all one colour is then like nothing

Seen = tuple[float, float]  # how like the tile something is, and how many tiles' lengths from its place

NOTHING: Seen = (-1.0, 0.0)
WAYS: dict[TableSide, tuple[int, int]] = {"bottom": (0, 1), "left": (-1, 0), "top": (0, -1), "right": (1, 0)}


@dataclass(frozen=True, eq=False)
class _Front:
    """The part of a tile that shows while a player takes it: a template with its mask, and its corner at the start.

    open: where it may be seen on the way to that player, by place of the template's corner. before: how like it is what
    lay there.
    """

    template: Floats
    mask: Floats
    corner: tuple[int, int]
    open: NDArray[np.bool_]
    before: Floats

    @classmethod
    def of(cls, still: Floats, face: NDArray[np.bool_], way: tuple[int, int]) -> _Front:
        rows, cols = np.nonzero(face)
        toward = cols * way[0] + rows * way[1]
        shown = toward <= np.quantile(toward, FRONT)
        rows, cols = rows[shown], cols[shown]
        top, left = int(rows.min()), int(cols.min())
        mask = np.zeros((int(rows.max()) - top + 1, int(cols.max()) - left + 1, 3), np.float32)
        mask[rows - top, cols - left] = 1.0
        template = still[top : top + mask.shape[0], left : left + mask.shape[1]].copy()
        likeness = _likeness(still, template, mask)
        y, x = np.indices(likeness.shape) - np.array([top, left])[:, None, None]
        away, along = np.hypot(x, y) / LENGTH, (x * way[0] + y * way[1]) / LENGTH
        ahead = (away > NEAREST) & (away < FARTHEST) & (along * ASIDE > away)
        before = np.asarray(cv2.dilate(np.maximum(likeness, 0), np.ones((5, 5))), np.float32)
        return cls(template, mask, (top, left), ahead, before)

    def seen(self, now: Floats) -> Seen:
        """What is seen on the way that is most like it; nothing where the tile still lies in its place."""
        top, left = self.corner
        bottom, right = top + self.mask.shape[0], left + self.mask.shape[1]
        if _likeness(now[top - 1 : bottom + 1, left - 1 : right + 1], self.template, self.mask).max() > STAYS:
            return NOTHING
        likeness = _likeness(now, self.template, self.mask)
        open_ = np.where(self.open & (likeness - self.before > MORE), likeness, -1.0)
        y, x = np.unravel_index(int(open_.argmax()), open_.shape)
        return float(open_[y, x]), float(np.hypot(x - left, y - top)) / LENGTH


def _pulled(seen: Iterable[Seen]) -> float:
    """How like the tile something is that goes away from its place, by the two frames that show that best."""
    pairs = combinations(seen, 2)
    return max((min(one[0], later[0]) for one, later in pairs if later[1] - one[1] > OUTWARD), default=-1.0)


def _likeness(image: Floats, template: Floats, mask: Floats) -> Floats:
    """How like a template each place of a picture is: normalised cross-correlation, light and contrast left out."""
    return np.asarray(cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED, mask=mask), np.float32)


class Drag:
    """Watches one tile of a still table for being pulled away.

    still: the table without hands. corners, length: of the tile's face and of a usual tile, in pixels. seats: the sides
    where somebody sits.
    """

    def __init__(self, still: Image, corners: ArrayLike, length: float, seats: Sequence[TableSide]) -> None:
        quad = np.asarray(corners, np.float64)
        x, y = (float(v) for v in quad.mean(axis=0))
        self._spot = Spot((x, y), length, round(ACROSS * LENGTH), ACROSS)
        face = np.zeros((self._spot.size, self._spot.size), np.uint8)
        cv2.fillConvexPoly(face, np.round(self._spot.onto(quad)).astype(np.int32), (1,))
        self._grain = np.random.default_rng(0).normal(0, GRAIN, (*face.shape, 3)).astype(np.float32)
        bare = self._see(still)
        self._fronts = {side: _Front.of(bare, face > 0, WAYS[side]) for side in seats}
        self._seen: dict[TableSide, deque[Seen]] = {side: deque(maxlen=LATEST) for side in seats}
        self._told = False

    def see(self, frame: Image) -> TableSide | None:
        """The side toward which the tile goes, once: in the frame that makes it sure."""
        if self._told:
            return None
        now = self._see(frame)
        for side, front in self._fronts.items():
            self._seen[side].append(front.seen(now))
        likeness = {side: _pulled(seen) for side, seen in self._seen.items()}
        first, *others = sorted(likeness, key=lambda side: -likeness[side])
        if likeness[first] < ALIKE or any(likeness[first] - likeness[other] < PLAINLY for other in others):
            return None
        self._told = True
        return first

    def _see(self, frame: Image) -> Floats:
        return self._spot.see(frame) + self._grain
