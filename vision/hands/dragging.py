"""A tile that is pulled away toward a side of the picture: whoever takes it has touched it."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from math import hypot

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.table import TableSide
from vision.hands.closeup import View
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
BEGUN, TURNED = 1.5, 0.05  # what is turned is seen so near its place first, and has to be so much liker
REACH = round(3.9 * LENGTH)  # pixels around its place in which it is looked for
TURNS = (-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0)  # degrees by which a finger turns what it pulls
STEP, STRIDE = 10.0, 20  # so much a tile turns, and so many pixels it goes, from one frame to the next
FOLLOWED = 0.5  # what is liker the tile than this is followed so
GRAIN = 2.0  # grey levels that each picture is roughened by: what is all one colour is then like nothing


@dataclass(frozen=True)
class Seen:
    """What may be the tile: how like it that is, how far down and to the right of its place, and turned by how much."""

    likeness: float = -1.0
    down: int = 0
    right: int = 0
    turn: float = 0.0

    @property
    def away(self) -> float:
        """How many tiles' lengths it is from its place."""
        return hypot(self.down, self.right) / LENGTH


NOTHING = Seen()
Box = tuple[tuple[int, int], tuple[int, int]]  # so far down, from and to, and so far to the right, in pixels
HERE: Box = ((-1, 1), (-1, 1))
WAYS: dict[TableSide, tuple[int, int]] = {"bottom": (0, 1), "left": (-1, 0), "top": (0, -1), "right": (1, 0)}


@dataclass(frozen=True, eq=False)
class _Front:
    """The part of a tile that shows while a player takes it, turned a little: a template and where it starts.

    template, mask: (rows, cols, 3). corner: its row and column where the tile lies in its place, only turned.
    """

    template: Floats
    mask: Floats
    corner: tuple[int, int]

    @classmethod
    def of(cls, still: Floats, face: Floats, way: tuple[int, int], turn: float) -> _Front:
        """still: a picture in the middle of which the tile lies; face: 1 where its face is. turn: in degrees."""
        middle = (len(face) - 1) / 2
        turning = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
        picture, turned = (cv2.warpAffine(one, turning, face.shape[::-1]) for one in (still, face))
        rows, cols = np.nonzero(turned > 0.5)
        toward = cols * way[0] + rows * way[1]
        shown = toward <= np.quantile(toward, FRONT)
        rows, cols = rows[shown], cols[shown]
        top, left = int(rows.min()), int(cols.min())
        mask = np.zeros((int(rows.max()) - top + 1, int(cols.max()) - left + 1, 3), np.float32)
        mask[rows - top, cols - left] = 1.0
        part = picture[top : top + mask.shape[0], left : left + mask.shape[1]]
        return cls(np.asarray(part, np.float32).copy(), mask, (top, left))

    def likeness(self, image: Floats, box: Box) -> Floats:
        """How like it is what lies so far down and to the right of its start: normalised cross-correlation.

        What lies outside of the picture is like nothing.
        """
        (up, down), (left, right) = box
        told = np.full((down - up + 1, right - left + 1), -1.0, np.float32)
        top, side = self.corner[0] + up, self.corner[1] + left
        y, x = max(0, -top), max(0, -side)
        low, far = top + told.shape[0] + self.mask.shape[0] - 1, side + told.shape[1] + self.mask.shape[1] - 1
        part = image[top + y : max(0, low), side + x : max(0, far)]
        if part.shape[0] >= self.mask.shape[0] and part.shape[1] >= self.mask.shape[1]:
            found = cv2.matchTemplate(part, self.template, cv2.TM_CCOEFF_NORMED, mask=self.mask)
            told[y : y + found.shape[0], x : x + found.shape[1]] = found
        return told


class _Way:
    """The way to one player, on which a tile may be seen that goes there."""

    def __init__(self, still: Floats, face: Floats, way: tuple[int, int]) -> None:
        self._front = cache(partial(_Front.of, still, face, way))  # by turn; few are ever asked for
        y, x = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1] / LENGTH
        away, along = np.hypot(x, y), x * way[0] + y * way[1]
        ahead = (away > NEAREST) & (away < FARTHEST) & (along * ASIDE > away)
        rows, cols = np.flatnonzero(ahead.any(axis=1)), np.flatnonzero(ahead.any(axis=0))
        self._box: Box = (int(rows[0]) - REACH, int(rows[-1]) - REACH), (int(cols[0]) - REACH, int(cols[-1]) - REACH)
        self._ahead = ahead[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
        before = self._front(0.0).likeness(still, self._box)
        self._before = np.asarray(cv2.dilate(np.maximum(before, 0), np.ones((5, 5))), np.float32)
        self._seen: deque[tuple[Seen, ...]] = deque(maxlen=LATEST)

    def see(self, now: Floats) -> None:
        """Take in a frame: what is seen on the way that is most like the tile, and like nothing that lay there.

        What was most like it in the last frame is followed, turned a little further.
        """
        if self._front(0.0).likeness(now, HERE).max() > STAYS:
            self._seen.append(())
            return
        found = [self._search(now, 0.0, self._box)]
        last = max(self._seen[-1] if self._seen else (), key=lambda one: one.likeness, default=NOTHING)
        if last.likeness > FOLLOWED:
            near = _around(last, self._box)
            followed = (self._search(now, turn, near) for turn in TURNS if abs(turn - last.turn) <= STEP)
            found.append(max(followed, key=lambda one: one.likeness))
        self._seen.append(tuple(found))

    def _search(self, now: Floats, turn: float, box: Box) -> Seen:
        (up, down), (left, right) = box
        (top, _), (side, _) = self._box
        part = slice(up - top, down - top + 1), slice(left - side, right - side + 1)
        likeness = self._front(turn).likeness(now, box)
        new = np.where(self._ahead[part] & (likeness - self._before[part] > MORE), likeness, -1.0)
        row, col = np.unravel_index(int(new.argmax()), new.shape)
        return Seen(float(new[row, col]), int(row) + up, int(col) + left, turn)

    @property
    def pulled(self) -> float:
        """How like the tile something is that goes away from its place, by the two frames that show that best."""
        pairs = ((one, later) for some, others in combinations(self._seen, 2) for one in some for later in others)
        return max((_likeness(one, later) for one, later in pairs if later.away - one.away > OUTWARD), default=-1.0)


def _around(last: Seen, box: Box) -> Box:
    """Where something may be a frame later, inside of a box."""
    (up, down), (left, right) = box
    rows = max(up, last.down - STRIDE), min(down, last.down + STRIDE)
    return rows, (max(left, last.right - STRIDE), min(right, last.right + STRIDE))


def _likeness(one: Seen, later: Seen) -> float:
    """How like the tile both are; what is turned has to be so a little more, and to have begun near its place."""
    least = min(one.likeness, later.likeness)
    if one.turn == later.turn == 0:
        return least
    return least - TURNED if one.away < BEGUN else -1.0


class Drag:
    """Watches one tile of a still table for being pulled away.

    still: the table without hands. corners, length: of the tile's face and of a usual tile, in pixels. seats: the sides
    where somebody sits.
    """

    def __init__(self, still: Image, corners: ArrayLike, length: float, seats: Sequence[TableSide]) -> None:
        quad = np.asarray(corners, np.float64)
        x, y = (float(v) for v in quad.mean(axis=0))
        self._view = View((x, y), length, round(ACROSS * LENGTH), ACROSS)
        face = np.zeros((self._view.size, self._view.size), np.float32)
        cv2.fillConvexPoly(face, np.round(self._view.onto(quad)).astype(np.int32), (1.0,))
        self._grain = np.random.default_rng(0).normal(0, GRAIN, (*face.shape, 3)).astype(np.float32)
        here = self._see(still)
        self._ways = {side: _Way(here, face, WAYS[side]) for side in seats}
        self._told = False

    def see(self, frame: Image, sides: Collection[TableSide]) -> TableSide | None:
        """The side toward which the tile goes, once: in the frame that makes it sure.

        sides: those from which hands may have touched it.
        """
        ways = {side: way for side, way in self._ways.items() if side in sides}
        if self._told or not ways:
            return None
        now = self._see(frame)
        for way in ways.values():
            way.see(now)
        likeness = {side: way.pulled for side, way in ways.items()}
        first, *others = sorted(likeness, key=lambda side: -likeness[side])
        if likeness[first] < ALIKE or any(likeness[first] - likeness[other] < PLAINLY for other in others):
            return None
        self._told = True
        return first

    def _see(self, frame: Image) -> Floats:
        return self._view.see(frame) + self._grain
