"""Which of the pixels that lie over the table belong to which arm, also where arms cross or hands meet.

How far each hand went is found by laying its last picture over the new one where it fits best. Pixels that several
arms could claim go to the one that is then nearest, measured by how freely it moves: a hand that rests stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import dist, hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.border import Border
from vision.scene import Point

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Window = tuple[slice, slice]

SMALLEST = 2.0  # fingers' widths: a shape smaller than their square is none
APART = 3.0  # fingers' widths: places where arms come in that are nearer to each other are one
WIDTH = 0.7  # fingers' widths of the border that an arm covers, at least
OVERLAP = 0.1  # of a shape or of an arm: as much of the one on the other is a claim
LOOSE = 1.0  # pixels of the mask by which a resting hand strays from frame to frame
FRONT = 4.0  # fingers' widths about the farthest end of a hand by which it is recognised
STRIDE = 5.0  # fingers' widths that a hand goes farther or less far than in the frame before, at most
STEADY, UNLIKELY = 0.7, 0.3  # of the last step a hand mostly goes on with; how much a full stride more speaks against
COARSER = 2  # pixels of the mask, each way, that are one where hands are laid over each other
BRIGHT = 96  # grey levels by which hands stand out from the table there
FORGOTTEN = 8  # frames after which an arm that is gone is a new one when it comes back
YOUNG, HAND = 10, 7.0  # frames, and fingers' widths, within which what came in apart may still be one hand
ISLAND = 14.0  # squares of a finger's width: what is so large is a hand, even where its arm looks like the table
BREAK = 2.0  # fingers' widths of an arm that may look like the table
NEW = 6.0  # fingers' widths that an arm comes in from one frame to the next
ASTRAY = 0.4  # of an arm as expected and as seen: where so much is in one alone, its picture fits nowhere
CAME = 0.3  # of an arm and its first sight: what never looked so much otherwise is light that changed, and no arm


@dataclass(frozen=True, eq=False)
class Front:
    """The foremost part of a hand: its picture, black where it is not, and the corner (x, y) where that was."""

    picture: Bytes
    weight: NDArray[np.float32]
    corner: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Arm:
    """One arm with its hand, in pixels of the mask.

    number: the same from frame to frame. shape: its mask. entry: where it comes in. moves: how far it went since the
    last frame. front: its foremost part as last seen, and where that was. unseen: frames since it was last seen.
    age: frames in which it was. first: its mask when it was first seen. came: whether it has moved since.
    """

    number: int
    shape: Bytes
    entry: Point
    moves: Point = (0.0, 0.0)
    front: Front | None = None
    unseen: int = 0
    age: int = 0
    first: Bytes | None = None
    came: bool = False

    @property
    def pace(self) -> float:
        """How far it may be from where it is expected."""
        return LOOSE + 0.5 * hypot(*self.moves)


class Arms:
    """Follows arms from mask to mask. finger: how wide one is, in pixels of the mask.

    >>> arms = Arms((640, 360), finger=9.0)
    >>> arms.see(np.zeros((360, 640), np.uint8), np.zeros((360, 640, 3), np.uint8))
    ()
    """

    def __init__(self, size: tuple[int, int], finger: float) -> None:
        self._border, self._finger = Border(size), finger
        self._arms: list[Arm] = []
        self._numbers = count(1)

    def see(self, mask: Bytes, picture: Bytes) -> tuple[Arm, ...]:
        """The arms in a mask of everything that lies over the table, 255 there, and the picture that it belongs to."""
        over = _standing_out(mask, picture)
        self._arms = [replace(arm, moves=self._moves(arm, over)) for arm in self._arms]
        expected = [shifted(arm.shape, arm.moves) for arm in self._arms]
        shapes: dict[int, Bytes] = {}
        fresh: list[Arm] = []
        for window, shape in self._pieces(mask):
            claims = [k for k, one in enumerate(expected) if self._claims(one[window], shape, self._arms[k])]
            claims = self._without_fingers(claims, window, shape) or self._near(window, shape, expected)
            new = self._newcomers(window, shape, claims, expected)
            if not claims and not new and cv2.countNonZero(shape) > ISLAND * self._finger**2:
                new = [Arm(next(self._numbers), np.zeros_like(mask), self._border.nearest(window))]
            rivals = [*((self._arms[k].pace, expected[k][window]) for k in claims)]
            rivals += [(NEW * self._finger, self._around(arm.entry, window)) for arm in new]
            for place, part in enumerate(_parted(shape, rivals)):
                if place < len(claims):
                    own = shapes.setdefault(claims[place], np.zeros_like(mask))
                else:
                    own = new[place - len(claims)].shape
                own[window] |= part
            fresh += new
        followed = self._followed(shapes, expected)
        self._arms = [replace(arm, front=self._front(arm, over)) for arm in (*followed, *fresh)]
        return tuple(arm for arm in self._arms if not arm.unseen)

    def knows(self, number: int) -> bool:
        """Whether an arm is in the picture, or was a moment ago."""
        return any(arm.number == number for arm in self._arms)

    def _front(self, arm: Arm, over: Bytes) -> Front | None:
        """The part of a hand about its farthest end from where it comes in."""
        small = arm.shape[::COARSER, ::COARSER]
        end = _farthest(small, arm.entry)
        if arm.unseen or end is None:
            return arm.front
        col, row = end
        reach = round(FRONT * self._finger / COARSER)
        x, y = max(0, col - reach), max(0, row - reach)
        window = slice(y, row + reach + 1), slice(x, col + reach + 1)
        own = over[window] * (small[window] > 0)[: over[window].shape[0], : over[window].shape[1], None]
        weight = cv2.dilate((own.max(axis=2) > 0).astype(np.float32), np.ones((5, 5), np.uint8))
        return Front(np.asarray(own, np.uint8), np.asarray(cv2.merge([weight] * 3), np.float32), (x, y))

    def _moves(self, arm: Arm, over: Bytes) -> Point:
        """How far a hand has gone: where its foremost part fits best now."""
        if arm.front is None or arm.unseen:
            return 0.0, 0.0
        (x, y), (height, width) = arm.front.corner, arm.front.picture.shape[:2]
        stride = round(STRIDE * self._finger / COARSER)
        dx, dy = (round(step / COARSER) for step in arm.moves)
        left, top = max(0, x + min(0, dx) - stride), max(0, y + min(0, dy) - stride)
        near = over[top : y + max(0, dy) + height + stride, left : x + max(0, dx) + width + stride]
        if near.shape[0] < height or near.shape[1] < width:
            return 0.0, 0.0
        unlike = cv2.matchTemplate(near, arm.front.picture, cv2.TM_SQDIFF, mask=arm.front.weight)
        rows, cols = np.ogrid[: unlike.shape[0], : unlike.shape[1]]
        away = (rows + top - y - STEADY * dy) ** 2 + (cols + left - x - STEADY * dx) ** 2
        unlike = unlike * (1 + UNLIKELY * away / stride**2)
        row, col = np.unravel_index(int(np.argmin(unlike)), unlike.shape)
        right, down = _between(unlike[row], int(col)), _between(unlike[:, col], int(row))
        return (left + right - x) * COARSER, (top + down - y) * COARSER

    def _end_went(self, arm: Arm, shape: Bytes) -> Point:
        """How far a hand has gone that is nowhere near where its picture seemed to fit: as far as its farthest end."""
        ends = [_farthest(one[::COARSER, ::COARSER], arm.entry) for one in (arm.shape, shape)]
        if ends[0] is None or ends[1] is None:
            return arm.moves
        return float(ends[1][0] - ends[0][0]) * COARSER, float(ends[1][1] - ends[0][1]) * COARSER

    def _pieces(self, mask: Bytes) -> Iterator[tuple[Window, Bytes]]:
        """The connected shapes that are large enough, each in its window, the largest first."""
        left, top, wide, high = cv2.boundingRect(mask)
        if not wide or not high:
            return
        total, labels, stats, _ = cv2.connectedComponentsWithStats(mask[top : top + high, left : left + wide])
        order = sorted(range(1, total), key=lambda k: -int(stats[k, cv2.CC_STAT_AREA]))
        for k in order:
            x, y, w, h, area = stats[k].tolist()
            if area < (SMALLEST * self._finger) ** 2:
                return
            shape = (labels[y : y + h, x : x + w] == k).astype(np.uint8) * np.uint8(255)
            yield (slice(top + y, top + y + h), slice(left + x, left + x + w)), shape

    def _claims(self, expected: Bytes, shape: Bytes, arm: Arm) -> bool:
        """Whether a shape holds some of an arm."""
        common = cv2.countNonZero(cv2.bitwise_and(expected, shape))
        whole = min(cv2.countNonZero(shape), cv2.countNonZero(arm.shape))
        return common > OVERLAP * max(1, whole)

    def _without_fingers(self, claims: list[int], window: Window, shape: Bytes) -> list[int]:
        """Fingers that came in one by one turn out to be one hand: the oldest claims all that comes in at one place."""
        entries = self._entries(window, shape)
        came: dict[Point, int] = {}
        kept = []
        for k in claims:
            arm = self._arms[k]
            at = min(entries, key=lambda e: dist(e, arm.entry), default=None)
            first = came.setdefault(at, k) if at is not None else k
            if first == k or arm.age > YOUNG or dist(arm.entry, self._arms[first].entry) > HAND * self._finger:
                kept.append(k)
        return kept

    def _near(self, window: Window, shape: Bytes, expected: Sequence[Bytes]) -> list[int]:
        """The arm that a shape apart from all belongs to, as a bit of a sleeve or of a hand much like the table."""
        rows, cols = window
        reach = round(BREAK * self._finger)
        wide = (
            slice(max(0, rows.start - reach), rows.stop + reach),
            slice(max(0, cols.start - reach), cols.stop + reach),
        )
        near = [cv2.countNonZero(one[wide]) for one in expected]
        if not near or max(near) < SMALLEST * self._finger**2 or self._entries(window, shape):
            return []
        return [int(np.argmax(near))]

    def _entries(self, window: Window, shape: Bytes) -> list[Point]:
        """Where a shape in a window comes in over the border."""
        whole = np.zeros(self._border.size[::-1], np.uint8)
        whole[window] = shape
        return self._border.entries(whole, APART * self._finger, WIDTH * self._finger)

    def _newcomers(self, window: Window, shape: Bytes, claims: Sequence[int], expected: Sequence[Bytes]) -> list[Arm]:
        """Arms that a shape brings in where none of those that claim it came in."""
        return [
            Arm(next(self._numbers), np.zeros(self._border.size[::-1], np.uint8), entry)
            for entry in self._entries(window, shape)
            if not any(self._comes_in(self._arms[k], expected[k], entry) for k in claims)
        ]

    def _comes_in(self, arm: Arm, expected: Bytes, entry: Point) -> bool:
        """Whether an arm was or is expected where a shape comes in."""
        if dist(arm.entry, entry) < 2 * APART * self._finger:
            return True
        reach = round(APART * self._finger)
        x, y = round(entry[0]), round(entry[1])
        near = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
        return bool(expected[near].any() or arm.shape[near].any())

    def _around(self, entry: Point, window: Window) -> Bytes:
        """The neighbourhood of an entry, in a window."""
        spot = np.zeros(self._border.size[::-1], np.uint8)
        cv2.circle(spot, (round(entry[0]), round(entry[1])), round(2 * self._finger), 255, -1)
        return np.asarray(spot[window], np.uint8)

    def _followed(self, shapes: dict[int, Bytes], expected: Sequence[Bytes]) -> Iterator[Arm]:
        """The arms that were known, as they are now."""
        for k, arm in enumerate(self._arms):
            if k in shapes:
                entry = self._border.followed(arm.entry, shapes[k], APART * self._finger, WIDTH * self._finger)
                first = arm.shape if arm.first is None else arm.first
                came = arm.came or _unlike(first, shapes[k]) > CAME
                went = arm.moves if _unlike(expected[k], shapes[k]) < ASTRAY else self._end_went(arm, shapes[k])
                seen = replace(arm, shape=shapes[k], moves=went, entry=entry, first=first, came=came)
                yield replace(seen, unseen=0, age=arm.age + 1)
            elif arm.unseen < FORGOTTEN:
                yield replace(arm, moves=(0.0, 0.0), unseen=arm.unseen + 1)


def _farthest(small: Bytes, entry: Point) -> tuple[int, int] | None:
    """The place (x, y) in a coarser mask that is farthest from where an arm comes in; None where it is empty."""
    covered = cv2.findNonZero(np.ascontiguousarray(small))
    if covered is None:
        return None
    cols, rows = covered.reshape(-1, 2).T
    far = int(np.argmax(np.hypot(cols - entry[0] / COARSER, rows - entry[1] / COARSER)))
    return int(cols[far]), int(rows[far])


def _unlike(one: Bytes, other: Bytes) -> float:
    """The part of two masks together, 0 to 1, that is in one of them alone."""
    return cv2.countNonZero(cv2.bitwise_xor(one, other)) / max(1, cv2.countNonZero(cv2.bitwise_or(one, other)))


def _parted(shape: Bytes, rivals: Sequence[tuple[float, Bytes]]) -> list[Bytes]:
    """A shape divided among rivals, each with its pace and the place where it is expected."""
    if len(rivals) < 2:
        return [shape] * len(rivals)
    costs = []
    for pace, expected in rivals:
        far = cv2.distanceTransform(255 - expected, cv2.DIST_L2, 3) if expected.any() else np.full(shape.shape, 1e4)
        costs.append(np.asarray(far, np.float32) / np.float32(pace) + np.float32(1e-3 * pace))
    nearest = np.argmin(costs, axis=0)
    return [np.where(nearest == k, shape, 0).astype(np.uint8) for k in range(len(rivals))]


def _standing_out(mask: Bytes, picture: Bytes) -> Bytes:
    """What lies over the table, coarser, on black."""
    size = mask.shape[1] // COARSER, mask.shape[0] // COARSER
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) // 2 + BRIGHT
    cover = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.multiply(small, cv2.merge([cover] * 3), scale=1 / 255), np.uint8)


def _between(costs: NDArray[np.floating], least: int) -> float:
    """The least of a row of costs, finer than its steps: the bottom of a parabola through three of them."""
    if not 0 < least < len(costs) - 1:
        return float(least)
    before, here, after = (float(cost) for cost in costs[least - 1 : least + 2])
    bend = before - 2 * here + after
    return least + (0.5 * (before - after) / bend if bend > 0 else 0.0)


def shifted(shape: Bytes, by: Point) -> Bytes:
    """A mask moved by whole pixels."""
    dx, dy = round(by[0]), round(by[1])
    if not dx and not dy:
        return shape
    moved = np.zeros_like(shape)
    height, width = shape.shape
    moved[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = shape[
        max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
    ]
    return moved
