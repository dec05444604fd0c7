"""A course of play as a camera would film it: hands that move the pieces, a nudge of the table, a passing shadow.

A table changes under the hand: where two pictures differ the hand lies over it while the one becomes the other, or
it takes up what is moved and carries it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from random import Random
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.table import Table
from training.handling import Carry, Reach, parts_s
from training.stage import Stage
from vision.camera import Frame
from vision.straighten import Image

Rng = np.random.Generator
T = TypeVar("T")

RATE = 30.0
GRAINS = 4
EXPOSES_S, SPARSE = 0.25, 8  # how soon a camera makes up for other light, by every so many pixels each way
DIM = 40.0  # grey levels: a picture much darker than that is hardly made brighter for it
SHADE = 0.6
TURNED_S = 1.0  # how long a domino lies open before a pawn goes on to it


@dataclass(frozen=True)
class Shot:
    """What lies on the table for some time, and how it came to lie so.

    hold_s: how long nothing moves then. hand: whether a hand makes the change. nudged: how far the whole table was
    pushed, in halves. shadow: whether somebody's shadow passes meanwhile. rests: whether the hand stays in the picture.
    carried: whether the hand carries what it moves through the air. hesitates: and waits with it before it lays it.
    """

    table: Table
    hold_s: float = 1.0
    hand: bool = True
    nudged: tuple[float, float] = (0.0, 0.0)
    shadow: bool = False
    rests: bool = False
    carried: bool = False
    hesitates: bool = False

    @property
    def parts_s(self) -> list[float]:
        """How long each part of the hand's way takes, in seconds."""
        return parts_s(carried=self.carried, hesitates=self.hesitates)


@dataclass(frozen=True)
class Mishaps:
    """How often somebody nudges a table, how far at most in halves, and how often a shadow passes over it."""

    nudged: float
    far: float
    shadows: float

    def befall(self, table: Table, hold_s: float, chance: Random) -> list[Shot]:
        """The table as it lies, and what befalls it by chance."""
        shots = [Shot(table, hold_s)]
        if chance.random() < self.nudged:
            by = chance.uniform(-self.far, self.far), chance.uniform(-self.far, self.far)
            shots.append(Shot(table, hold_s, hand=False, nudged=by))
        if chance.random() < self.shadows:
            shots.append(Shot(table, hold_s, hand=False, shadow=True))
        return shots


@dataclass(frozen=True)
class Taking:
    """What the camera adds: noise in grey levels, and how far the light swings slowly, as a share.

    exposes, balances: how far it makes up for a picture that grows darker or lighter, or more colourful, as shares.
    """

    noise: float = 3.0
    drift: float = 0.03
    exposes: float = 0.8
    balances: float = 0.5


def film(
    stage: Stage, shots: Sequence[Shot], seed: int, taking: Taking = Taking(), rate: float = RATE
) -> Iterator[Frame]:
    """The frames of a course of play, the first shot without a hand."""
    rng = np.random.default_rng(seed)
    grain = [_grain(stage, taking, rng) for _ in range(GRAINS)]
    seen = _Exposed(taking, rate)
    for number, image in enumerate(_pictures(stage, shots, rng, rate)):
        light = 1 + taking.drift * np.sin(number / 60)
        noise = grain[int(rng.integers(GRAINS))]
        rolled = np.roll(noise, tuple(int(v) for v in rng.integers(0, noise.shape[:2])), axis=(0, 1))
        lit = seen.picture(image, float(light))
        yield Frame(np.asarray(cv2.add(lit, rolled, dtype=cv2.CV_8U), np.uint8), number / rate)


class _Exposed:
    """A camera that keeps a picture about as bright and as grey as at first: a dark sleeve makes the table brighter."""

    def __init__(self, taking: Taking, rate: float) -> None:
        self._taking, self._step = taking, min(1.0, 1 / (EXPOSES_S * rate))
        self._first: NDArray[np.float64] | None = None
        self._gain = np.ones(3)

    def picture(self, image: Image, light: float) -> Image:
        """The next picture in this light, as the camera is set by then."""
        mean = image[::SPARSE, ::SPARSE].reshape(-1, 3).mean(axis=0) + DIM
        self._first = mean if self._first is None else self._first
        darker = self._first.mean() / mean.mean()
        paler = self._first / mean / darker
        self._gain += self._step * (darker**self._taking.exposes * paler**self._taking.balances - self._gain)
        levels = np.clip(np.arange(256)[:, None] * self._gain * light, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(image, levels[None]), np.uint8)


def ends(shots: Sequence[Shot], rate: float = RATE) -> list[float]:
    """When each shot of a film ends, in seconds."""
    ways = (sum(max(2, round(part * rate)) for part in shot.parts_s) if shot.hand else 0 for shot in shots[1:])
    holds = (max(1, round(shot.hold_s * rate)) for shot in shots)
    return [frames / rate for frames in accumulate(way + hold for way, hold in zip((0, *ways), holds, strict=True))]


def pushed(stage: Stage, shots: Iterable[Shot]) -> Stage:
    """The camera over the table as it lies after all nudges in some shots."""
    for shot in shots:
        across, down = stage.middle
        stage = replace(stage, middle=(across - shot.nudged[0], down - shot.nudged[1]))
    return stage


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
    for before, shot in pairwise(shots):
        stage = pushed(stage, [shot])
        after = stage.picture(shot.table)[0]
        over = still
        for picture in _made(stage, before.table, shot, (still, after), rng, rate) if shot.hand else ():
            over = picture
            yield picture
        still = after
        yield from _held(over if shot.rests else still, shot, rate)


def _made(
    stage: Stage, before: Table, shot: Shot, pictures: tuple[Image, Image], rng: Rng, rate: float
) -> Iterator[Image]:
    """A hand that makes what is seen before what is seen after."""
    still, after = pictures
    if shot.carried:
        between = stage.picture(_staying(before, shot.table))[0]
        if Carry.possible(stage, still, between, after):
            return Carry(stage, still, between, after, rng).pictures(rate, hesitates=shot.hesitates)
    return Reach(stage, still, after, rng).pictures(rate, shot.parts_s, rests=shot.rests)


def _staying(before: Table, after: Table) -> Table:
    """What lies on both tables."""
    return replace(
        before,
        board=Board(_both(before.board.placed, after.board.placed)),
        spots=_both(before.spots, after.spots),
        loose=_both(before.loose, after.loose),
        dice=_both(before.dice, after.dice),
        pawns=_both(before.pawns, after.pawns),
        tokens=_both(before.tokens, after.tokens),
        tetrominoes=_both(before.tetrominoes, after.tetrominoes),
        raised=_both(before.raised, after.raised),
        face_down=_both(before.face_down, after.face_down),
    )


def _both(some: Sequence[T], others: Sequence[T]) -> tuple[T, ...]:
    return tuple(one for one in some if one in others)


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
