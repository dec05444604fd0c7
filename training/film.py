"""A course of play as a camera would film it: hands that move the pieces, a nudge of the table, a passing shadow.

A table changes under the hand: where two pictures differ, the hand lies over it while the one becomes the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.table import Table
from training.stage import Stage
from training.surfaces import hand
from vision.camera import Frame
from vision.straighten import Image

Rng = np.random.Generator

RATE = 30.0
COMING_S, OVER_S, GOING_S = 0.35, 0.3, 0.35
GRAINS = 4
HAND = 7.0  # halves: how long a hand with its wrist is
ARM = 5  # hands: how far the arm reaches behind it, out of any picture
FINGERS = 0.3  # of a hand: how far behind its tips the fingers hold a tile
SHADE = 0.6
TURNED_S = 1.0  # how long a domino lies open before a pawn goes on to it
DIFFERENT = 12  # grey levels by which a pixel changes where something was moved


@dataclass(frozen=True)
class Shot:
    """What lies on the table for some time, and how it came to lie so.

    hold_s: how long nothing moves then. hand: whether a hand makes the change. nudged: how far the whole table was
    pushed, in halves. shadow: whether somebody's shadow passes meanwhile. rests: whether the hand stays in the picture.
    """

    table: Table
    hold_s: float = 1.0
    hand: bool = True
    nudged: tuple[float, float] = (0.0, 0.0)
    shadow: bool = False
    rests: bool = False


@dataclass(frozen=True)
class Taking:
    """What the camera adds: noise in grey levels, and how far the light swings slowly, as a share."""

    noise: float = 3.0
    drift: float = 0.03


def film(
    stage: Stage, shots: Sequence[Shot], seed: int, taking: Taking = Taking(), rate: float = RATE
) -> Iterator[Frame]:
    """The frames of a course of play, the first shot without a hand."""
    rng = np.random.default_rng(seed)
    grain = [_grain(stage, taking, rng) for _ in range(GRAINS)]
    for number, image in enumerate(_pictures(stage, shots, rng, rate)):
        light = 1 + taking.drift * np.sin(number / 60)
        noise = grain[int(rng.integers(GRAINS))]
        rolled = np.roll(noise, tuple(int(v) for v in rng.integers(0, noise.shape[:2])), axis=(0, 1))
        lit = cv2.convertScaleAbs(image, alpha=float(light))
        yield Frame(np.asarray(cv2.add(lit, rolled, dtype=cv2.CV_8U), np.uint8), number / rate)


def ends(shots: Sequence[Shot], rate: float = RATE) -> list[float]:
    """When each shot of a film ends, in seconds."""
    reach = sum(max(2, round(part * rate)) for part in (COMING_S, OVER_S, GOING_S))
    holds = (max(1, round(shot.hold_s * rate)) for shot in shots)
    lasts = ((reach if number and shots[number].hand else 0) + hold for number, hold in enumerate(holds))
    return [frames / rate for frames in accumulate(lasts)]


def unhurried(shots: Iterable[Shot]) -> Iterator[Shot]:
    """The same shots, but a domino is turned for all to see before a pawn is set upon it."""
    before: Table | None = None
    for shot in shots:
        table = shot.table
        turned = before and len(table.board.placed) > len(before.board.placed)
        if before and turned and table.pawns != before.pawns:
            yield replace(shot, table=replace(table, pawns=before.pawns), hold_s=TURNED_S, shadow=False)
        yield shot
        before = table


def _grain(stage: Stage, taking: Taking, rng: Rng) -> NDArray[np.int16]:
    return np.asarray(rng.normal(0, taking.noise, (stage.lens.height, stage.lens.width, 3)), np.int16)


def _pictures(stage: Stage, shots: Sequence[Shot], rng: Rng, rate: float) -> Iterator[Image]:
    """The pictures without noise."""
    still = stage.picture(shots[0].table)[0]
    yield from _held(still, shots[0], rate)
    for _, shot in pairwise(shots):
        across, down = stage.middle
        stage = replace(stage, middle=(across - shot.nudged[0], down - shot.nudged[1]))
        after = stage.picture(shot.table)[0]
        over = still
        if shot.hand:
            reach = Reach(stage, still, after, rng)
            for picture in reach.pictures(still, after, rate, rests=shot.rests):
                over = picture
                yield picture
        still = after
        yield from _held(over if shot.rests else still, shot, rate)


def _held(still: Image, shot: Shot, rate: float) -> Iterator[Image]:
    count = max(1, round(shot.hold_s * rate))
    for k in range(count):
        yield _shaded(still, k / count) if shot.shadow else still


def _shaded(still: Image, done: float) -> Image:
    """A soft shadow's edge on its way across the picture and back."""
    width = still.shape[1]
    edge = width * (1.2 * np.sin(np.pi * done) - 0.1)
    fall = 1 - (1 - SHADE) / (1 + np.exp((np.arange(width) - edge) / (0.04 * width)))
    return np.asarray(still * fall[None, :, None], np.uint8)


class Reach:
    """One hand that comes in from below or above to where two pictures differ, rests there, and goes."""

    def __init__(self, stage: Stage, before: Image, after: Image, rng: Rng) -> None:
        self._size = (stage.lens.width, stage.lens.height)
        cut = _with_arm(hand(rng))
        x, y = _changed(before, after)
        self._below = y > 0.4 * stage.lens.height
        self._cut, self._at = cut, (x, y)
        self._scale = HAND * stage.lens.focal_px / stage.lens.distance / (cut.shape[0] / ARM)

    def pictures(self, before: Image, after: Image, rate: float, *, rests: bool) -> Iterator[Image]:
        """The hand's way over the table."""
        steps = ((COMING_S, before, 0.0, 1.0), (OVER_S, after, 1.0, 1.0), (GOING_S, after, 1.0, 0.75 if rests else 0.0))
        for length, still, first, last in steps:
            for part in np.linspace(first, last, max(2, round(length * rate))):
                yield self._over(still, float(part))

    def _over(self, still: Image, inside: float) -> Image:
        """The hand over a picture; inside: 0 out of sight, 1 where it is needed."""
        width, height = self._size
        side = -1.0 if self._below else 1.0
        scale = self._scale
        x = self._at[0] - scale * self._cut.shape[1] / 2
        away = (height - self._at[1] if self._below else self._at[1]) + scale * self._cut.shape[0] / ARM
        tip = self._at[1] - side * ((1 - inside) * away + FINGERS * scale * self._cut.shape[0] / ARM)
        left, right = (int(np.clip(edge, 0, width)) for edge in (x - 2, x + scale * self._cut.shape[1] + 2))
        shown = still.copy()
        if right > left:  # only where the hand is: a film is long
            turn = np.array([[scale, 0, x - left], [0, -side * scale, tip]])  # the cut-out's fingers point up
            seen = cv2.warpAffine(self._cut, turn, (right - left, height))
            part = still[:, left:right]
            cover = seen[..., 3:].astype(np.float32) / 255
            shown[:, left:right] = part + cover * (seen[..., :3].astype(np.float32) - part)
        return np.asarray(shown, np.uint8)


def _with_arm(cut: Image) -> Image:
    """A hand with a long arm: cut-outs end at the wrist or the elbow, people do not."""
    arm = np.repeat(cut[-8:-4].mean(axis=0, keepdims=True).astype(np.uint8), (ARM - 1) * cut.shape[0], axis=0)
    return np.concatenate([cut[:-4], arm, arm[:4]])


def _changed(before: Image, after: Image) -> tuple[float, float]:
    """The middle of what differs between two pictures; of the picture where nothing does."""
    apart = cv2.absdiff(before, after).max(axis=2) > DIFFERENT
    rows, cols = np.nonzero(apart)
    if len(rows) == 0:
        return before.shape[1] / 2, before.shape[0] / 2
    return float((cols.min() + cols.max()) / 2), float((rows.min() + rows.max()) / 2)
