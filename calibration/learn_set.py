"""Tiles whose dominoes are known go in, what the set looks like comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import UnsuitableCalibration
from calibration.likeness import NEAR_LIGHT, SHIFTS, WAYS, Comparison, compare, contrast, light_of, turned
from calibration.seam import seam_of
from calibration.tileset import CELLS, CELLS_A_HALF, Color, HalfLook, Point, TileSet, in_letters

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

ROUNDS = 2  # of laying all halves of a number over each other
FAINT = 0.1  # of the strongest ink: what is fainter than this is no pip but the grain of the face
MIDDLE = ((2 * SHIFTS + 1) ** 2 // 2) * WAYS  # the window that is not shifted, seen as it is


@dataclass(frozen=True, eq=False)
class Lesson:
    """A tile and its domino.

    picture: the number of the picture it is on, all of whose tiles are in one light. squares: its head and its tail,
    (30, 30, 3) each, the outer end at the left. seam: (30, 30, 3) about its middle, its head at the left.
    """

    picture: int
    pips: tuple[int, int]
    squares: tuple[Image, Image]
    seam: Image


@dataclass(frozen=True)
class Known:
    """What is known of a set besides its looks: see TileSet."""

    name: str
    highest: int
    made: datetime
    length_mm: float | None = None
    width: float = 0.5
    back: Color | None = None
    missing: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()


def learn(lessons: Sequence[Lesson], known: Known) -> TileSet:
    """What a set looks like. UnsuitableCalibration where there is no tile to learn from."""
    if not lessons:
        raise UnsuitableCalibration("no domino of the set was found: lay its tiles on a plain table, all face up")
    squares = [square for lesson in lessons for square in lesson.squares]
    pips = np.array([number for lesson in lessons for number in lesson.pips])
    picture = np.repeat([lesson.picture for lesson in lessons], 2)
    lifted = np.stack([_lifted(square) for square in squares])
    shown = _laid_over(squares, lifted, pips, picture)
    face = _color(np.median([_face(square) for square in squares], axis=0))
    halves = _halves(shown, face, known.highest)
    return TileSet(
        name=known.name,
        highest=known.highest,
        made=known.made,
        halves=halves,
        face=face,
        back=known.back,
        length_mm=known.length_mm,
        width=known.width,
        seam=seam_of(np.stack([lesson.seam for lesson in lessons])),
        pip_radius=_radius(halves),
        missing=known.missing,
        twice=known.twice,
    )


def _face(square: Image) -> Floats:
    return np.asarray(np.median(square[4:-4, 4:-4].reshape(-1, 3), axis=0), np.float32)


def _lifted(square: Image) -> Floats:
    """(25, 22, 22, 3): every shifted window of a half, its face's colour taken away."""
    first = (len(square) - CELLS) // 2 - SHIFTS
    steps = range(first, first + 2 * SHIFTS + 1)
    cut = np.stack([square[y : y + CELLS, x : x + CELLS] for y in steps for x in steps])
    return np.asarray(cut.astype(np.float32) - _face(square))


def _laid_over(
    squares: Sequence[Image], lifted: Floats, pips: NDArray[np.int64], picture: NDArray[np.int64]
) -> dict[int, Floats]:
    """Each number's picture (22, 22, 3): all halves that show it, shifted and turned until they agree."""
    numbers = sorted(set(pips.tolist()))
    own = np.array([numbers.index(n) for n in pips.tolist()])
    best, gain = np.full(len(squares), MIDDLE), np.ones(len(squares), np.float32)
    shown = np.stack([_middle_of(lifted, best, gain, own == k) for k in range(len(numbers))])
    for _ in range(ROUNDS):
        for one in set(picture.tolist()):
            on = np.flatnonzero(picture == one)
            best[on], gain[on] = _fitted(compare([squares[int(k)] for k in on], shown), own[on], contrast(shown))
        shown = np.stack([_middle_of(lifted, best, gain, own == k) for k in range(len(numbers))])
    return dict(zip(numbers, shown, strict=True))


def _fitted(beside: Comparison, own: NDArray[np.int64], usual: float) -> tuple[NDArray[np.intp], float]:
    light = light_of(beside, usual)
    _, _, best = beside.residual((NEAR_LIGHT[0] * light, NEAR_LIGHT[1] * light))
    return best[np.arange(len(own)), own], light


def _middle_of(lifted: Floats, best: NDArray[np.intp], gain: Floats, of: NDArray[np.bool_]) -> Floats:
    """What is usual among the halves of one number."""
    halves = [turned(lifted[k, best[k] // WAYS], int(best[k] % WAYS)) / gain[k] for k in np.flatnonzero(of)]
    return np.asarray(np.median(halves, axis=0), np.float32)


def _halves(shown: dict[int, Floats], face: Color, highest: int) -> tuple[HalfLook, ...]:
    inks = {number: _ink(picture) for number, picture in shown.items()}
    strongest = max(float(np.linalg.norm(ink)) for ink in inks.values())
    return tuple(
        _half(number, shown[number], inks[number], face, FAINT * strongest)
        if number in shown
        else HalfLook(number, face)
        for number in range(highest + 1)
    )


def _ink(picture: Floats) -> Floats:
    """(3,): how the pips' colour differs from the face's; the cells that differ most tell most."""
    weight = (picture**2).sum(axis=-1, keepdims=True)
    return np.asarray((weight * picture).sum(axis=(0, 1)) / max(float(weight.sum()), 1e-6), np.float32)


def _half(number: int, picture: Floats, ink: Floats, face: Color, faint: float) -> HalfLook:
    strength = float(np.linalg.norm(ink))
    if strength <= faint:  # pips that cannot be seen were not learnt: only the blank may look like this
        return HalfLook(number, face, (), None if number else ("." * CELLS,) * CELLS)
    cover = np.clip(picture @ ink / strength**2, 0, 1)
    return HalfLook(number, _color(np.array(face[::-1]) + ink), _spots(cover, number), in_letters(cover))


def _color(bgr: NDArray[np.floating]) -> Color:
    b, g, r = (int(round(float(np.clip(v, 0, 255)))) for v in bgr)
    return r, g, b


def _spots(cover: Floats, count: int) -> tuple[Point, ...]:
    """The middles of so many pips: one after the other where most cover is left."""
    if count == 0:
        return ()
    left, radius = cover.astype(np.float32), float(np.sqrt(max(cover.sum(), 1.0) / (np.pi * count)))
    row, col = np.mgrid[:CELLS, :CELLS]
    found = []
    for _ in range(count):
        around = cv2.GaussianBlur(left, (0, 0), max(0.6 * radius, 0.5))
        top, side = divmod(int(around.argmax()), CELLS)
        near = np.exp(-((row - top) ** 2 + (col - side) ** 2) / (0.8 * radius**2)) * left
        weight = max(float(near.sum()), 1e-6)
        y, x = float((near * row).sum()) / weight, float((near * col).sum()) / weight
        left = np.where(np.hypot(row - y, col - x) < 1.3 * radius, 0, left).astype(np.float32)
        found.append((round((x - CELLS / 2 + 0.5) / CELLS_A_HALF, 3), round((y - CELLS / 2 + 0.5) / CELLS_A_HALF, 3)))
    return tuple(sorted(found))


def _radius(halves: Sequence[HalfLook]) -> float:
    """The usual radius of a pip, in halves, from how much of each half its pips cover."""
    areas = [float(half.cover.sum()) / CELLS_A_HALF**2 / half.pips for half in halves if half.pips and half.rows]
    return round(float(np.sqrt(np.median(areas) / np.pi)), 3) if areas else 0.0
