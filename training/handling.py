"""Hands that change a table on film: one that reaches for what changes, one that takes it up, carries and lays it.

Cut-out hands with long arms over pictures of the same table: before, without what is moved, and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.reaching import minimum_jerk
from training.stage import Stage
from training.surfaces import hand
from vision.straighten import Image

Rng = np.random.Generator
Point = NDArray[np.float64]
Mask = NDArray[np.bool_]

COMING_S, OVER_S, GOING_S = 0.35, 0.3, 0.35
GRASPS_S, WAY_S, HESITATES_S, DOWN_S, PUSHES_S = 0.25, 0.6, 0.9, 0.3, 0.3
HAND = 7.0  # halves: how long a hand with its wrist is
ARM = 5  # hands: how far the arm reaches behind it, out of any picture
FINGERS = 0.3  # of a hand: how far behind its tips the fingers hold a tile
BY_THE_END = 0.06  # and where they hold it by its end
RESTING = 0.75  # how far in a hand stays that stays
DIFFERENT = 12  # grey levels by which a pixel changes where something was moved
LARGEST = 6.0  # halves: what is wider is not carried in one hand
MOVED = 1.0  # halves: what goes less far is turned over where it lies
HIGHER = 0.08  # by how much what is carried looks larger
TURNED_DEG, CROOKED_DEG = 60.0, 12.0  # how far it is turned in the air, and when it is laid down
BESIDE = 0.4  # halves: how far from its place it is laid down before it is pushed there
ABOUT = 2.2  # halves: how far from it a hand hesitates
DARK, ASIDE, SOFT = 0.72, 0.6, 0.5  # a hand's shadow: how dark; how far aside and how soft, in halves


def parts_s(*, carried: bool, hesitates: bool) -> list[float]:
    """How long each part of a hand's way takes, in seconds; the first and the last are those there and back."""
    if not carried:
        return [COMING_S, OVER_S, GOING_S]
    return [COMING_S, GRASPS_S, WAY_S, *[HESITATES_S] * hesitates, DOWN_S, PUSHES_S, GOING_S]


class FilmedHand:
    """A hand with its arm that comes in from below or from above; places are in pixels.

    holds: where its fingers hold things, of a hand behind their tips. shadow: how much light is left in its shadow.
    """

    def __init__(self, stage: Stage, rng: Rng, below: bool, holds: float = FINGERS, shadow: float = 1.0) -> None:
        self._half_px = _half_px(stage)
        self._size = (stage.lens.width, stage.lens.height)
        self._cut = _with_arm(hand(rng))
        self._scale = HAND * self._half_px / (self._cut.shape[0] / ARM)
        self._side = 1.0 if below else -1.0
        self._holds, self._shadow = holds * HAND * self._half_px, shadow

    def outside(self, place: Point) -> Point:
        """Where the hand would hold things out of sight, on its way to a place."""
        edge = self._size[1] if self._side > 0 else 0.0
        return np.array([place[0], edge + self._side * (HAND * self._half_px + self._holds)])

    def over(self, still: Image, place: Point) -> Image:
        """The hand over a picture, holding what lies in a place."""
        width, height = self._size
        x = place[0] - self._scale * self._cut.shape[1] / 2
        tips = place[1] - self._side * self._holds
        room = round((ASIDE + 4 * SOFT) * self._half_px)
        left, right = (int(np.clip(edge, 0, width)) for edge in (x - room, x + self._scale * self._cut.shape[1] + room))
        shown = still.copy()
        if right > left:  # only where the hand is: a film is long
            turn = np.array([[self._scale, 0, x - left], [0, self._side * self._scale, tips]])  # its fingers point up
            seen = cv2.warpAffine(self._cut, turn, (right - left, height))
            part = self._shaded(still[:, left:right], np.asarray(seen[..., 3], np.uint8))
            cover = seen[..., 3:].astype(np.float32) / 255
            shown[:, left:right] = part + cover * (seen[..., :3].astype(np.float32) - part)
        return shown

    def _shaded(self, part: Image, cover: NDArray[np.uint8]) -> NDArray[np.float32]:
        """A part of the picture with the hand's soft shadow, aside of it."""
        if self._shadow == 1.0:
            return np.asarray(part, np.float32)
        aside, soft = ASIDE * self._half_px, 2 * round(SOFT * self._half_px) + 1
        fallen = cv2.warpAffine(cover, np.array([[1, 0, aside], [0, 1, aside]]), cover.shape[::-1])
        fallen = cv2.blur(cv2.blur(fallen, (soft, soft)), (soft, soft))
        return np.asarray(part * (1 - (1 - self._shadow) / 255 * fallen[..., None].astype(np.float32)), np.float32)


class Reach:
    """A hand that comes to where two pictures differ, rests there while one becomes the other, and goes."""

    def __init__(self, stage: Stage, before: Image, after: Image, rng: Rng) -> None:
        self._before, self._after = before, after
        self._at = _middle(_changed(before, after))
        self._hand = FilmedHand(stage, rng, _from_below(stage, self._at))

    def pictures(self, rate: float, parts: Sequence[float], *, rests: bool) -> Iterator[Image]:
        """The hand's way over the table; parts: how long each takes, in seconds. rests: whether it stays in sight."""
        coming, *over, going = (max(2, round(part * rate)) for part in parts)
        ways = ((coming, self._before, 0.0, 1.0), (sum(over), self._after, 1.0, 1.0))
        for count, still, first, last in (*ways, (going, self._after, 1.0, RESTING if rests else 0.0)):
            for inside in np.linspace(first, last, count):
                outside = self._hand.outside(self._at)
                yield self._hand.over(still, outside + float(inside) * (self._at - outside))


@dataclass(frozen=True, eq=False)
class CutOut:
    """What is carried, as it shows: its pixels, and how much of each it covers, 0 to 1."""

    pixels: NDArray[np.float32]
    cover: NDArray[np.float32]

    def put(self, still: Image, place: Point, turned_deg: float, scale: float) -> Image:
        """The picture with it in another place, turned, and larger."""
        high, wide = self.cover.shape
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), turned_deg, scale)
        turn[:, 2] += place - (wide / 2, high / 2)
        reach = np.hypot(high, wide) * scale / 2 + 2
        low, top = (np.clip(np.floor(place + way * reach), 0, still.shape[1::-1]).astype(int) for way in (-1, 1))
        shown = still.copy()
        if (top > low).all():
            turn[:, 2] -= low
            pixels, cover = (cv2.warpAffine(one, turn, tuple(top - low)) for one in (self.pixels, self.cover))
            part = shown[low[1] : top[1], low[0] : top[0]]
            part[:] = part + cover[..., None] * (pixels - part)
        return shown


class Carry:
    """A hand that takes up what lies there before, and lays it where it lies after, somewhat beside at first.

    between: the table without it. What was not there is brought in, what is not there any more is carried off.
    """

    def __init__(self, stage: Stage, before: Image, between: Image, after: Image, rng: Rng) -> None:
        gone, new = _changed(before, between), _changed(between, after)
        self._before, self._between, self._after = before, between, after
        self._taken = _middle(gone) if gone.any() else None
        self._laid = _middle(new) if new.any() else None
        self._thing = _cut_out(after, new) if new.any() else _cut_out(before, gone)
        below = _from_below(stage, np.mean([at for at in (self._taken, self._laid) if at is not None], axis=0))
        self._hand = FilmedHand(stage, rng, below, float(rng.uniform(BY_THE_END, FINGERS)), DARK)
        self._turned, self._crooked = rng.uniform(-1, 1, 2) * (TURNED_DEG, CROOKED_DEG)
        self._beside, self._about = rng.uniform(-1, 1, (2, 2)) * np.array([[BESIDE], [ABOUT]]) * _half_px(stage)

    @staticmethod
    def possible(stage: Stage, before: Image, between: Image, after: Image) -> bool:
        """Whether one hand can carry all that is moved, and does not merely turn it over."""
        gone, new = _changed(before, between), _changed(between, after)
        half_px = _half_px(stage)
        wide = [max(np.ptp(np.nonzero(mask), axis=1)) for mask in (gone, new) if mask.any()]
        far = float(np.hypot(*(_middle(gone) - _middle(new)))) if len(wide) == 2 else np.inf
        return bool(wide) and max(wide) < LARGEST * half_px and far > MOVED * half_px

    def pictures(self, rate: float, *, hesitates: bool) -> Iterator[Image]:
        """The hand's way over the table. hesitates: whether it waits in the air before it lays anything."""
        coming, grasps, *carries, going = (
            max(2, round(part * rate)) for part in parts_s(carried=True, hesitates=hesitates)
        )
        for inside in (*np.linspace(0.0, 1.0, coming), *[1.0] * grasps):
            yield self._alone(self._before, self._taken, float(inside))
        for (at, turned, high), (to, to_turned, to_high), count in zip(
            *zip(*pairwise(self._stops(hesitates)), strict=True), carries, strict=True
        ):
            for done in np.linspace(0.0, 1.0, count):
                far = float(minimum_jerk(np.array(done)))
                yield self._holding(
                    at + (to - at) * far, turned + (to_turned - turned) * far, high + (to_high - high) * far
                )
        for inside in np.linspace(1.0, 0.0, going):
            yield self._alone(self._after, self._laid, float(inside))

    def _stops(self, hesitates: bool) -> list[tuple[Point, float, float]]:
        """Where it holds the thing from part to part, how far turned in degrees, and whether in the air (1)."""
        start, end = self._or_outside(self._taken), self._or_outside(self._laid)
        beside = end + self._beside
        air = [(beside + self._about, self._turned, 1.0)] * (1 + hesitates)
        if self._laid is None:
            return [(start, 0.0, 0.0), *air, (end, self._turned, 1.0), (end, self._turned, 1.0)]
        return [(start, 0.0, 0.0), *air, (beside, self._crooked, 0.0), (end, 0.0, 0.0)]

    def _or_outside(self, place: Point | None) -> Point:
        if place is not None:
            return place
        other = self._laid if self._taken is None else self._taken
        assert other is not None
        return self._hand.outside(other)

    def _holding(self, at: Point, turned_deg: float, high: float) -> Image:
        return self._hand.over(self._thing.put(self._between, at, turned_deg, 1 + HIGHER * high), at)

    def _alone(self, still: Image, place: Point | None, inside: float) -> Image:
        """The hand with nothing in it, on its way to a place; no hand where there is no such place."""
        if place is None:
            return still
        outside = self._hand.outside(place)
        return self._hand.over(still, outside + inside * (place - outside))


def _half_px(stage: Stage) -> float:
    return stage.lens.focal_px / stage.lens.distance


def _from_below(stage: Stage, place: Point) -> bool:
    return bool(place[1] > 0.4 * stage.lens.height)


def _with_arm(cut: Image) -> Image:
    """A hand with a long arm: cut-outs end at the wrist or the elbow, people do not."""
    arm = np.repeat(cut[-8:-4].mean(axis=0, keepdims=True).astype(np.uint8), (ARM - 1) * cut.shape[0], axis=0)
    return np.concatenate([cut[:-4], arm, arm[:4]])


def _changed(before: Image, after: Image) -> Mask:
    """Where two pictures differ."""
    return np.asarray(cv2.absdiff(before, after).max(axis=2) > DIFFERENT)


def _middle(mask: Mask) -> Point:
    """The middle of what a mask marks; of the picture where it marks nothing."""
    rows, cols = np.nonzero(mask)
    if len(rows) == 0:
        return np.array(mask.shape[::-1]) / 2
    return np.array([(cols.min() + cols.max()) / 2, (rows.min() + rows.max()) / 2])


def _cut_out(image: Image, mask: Mask) -> CutOut:
    """What a mask marks, without the holes in it and with soft edges."""
    rows, cols = np.nonzero(mask)
    box = np.s_[max(0, rows.min() - 3) : rows.max() + 4, max(0, cols.min() - 3) : cols.max() + 4]
    edges, _ = cv2.findContours(mask[box].astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cover = np.zeros(mask[box].shape, np.float32)
    cv2.drawContours(cover, edges, -1, (1.0,), cv2.FILLED)
    return CutOut(image[box].astype(np.float32), np.asarray(cv2.GaussianBlur(cover, (3, 3), 0), np.float32))
