"""What moves and what has changed on the table, told from lights that flicker and from camera noise.

Frames are compared as logarithms of light, so that a lamp adds a smooth field to all of them; that field, a robustly
fitted quadratic, is taken off before anything counts as changed (homomorphic filtering, Oppenheim 1968). How much the
light differs within a place counts, too: a white die with black pips is on the whole as light as a grey table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import Image

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Polygon: TypeAlias = tuple[tuple[float, float], ...]
"""Corners in pixels, (x, y), going round."""

WORKING = 640  # pixels of the longest side at which tiles are compared
CELL = 4  # pixels of the working picture a cell: 160 x 90 cells for a wide frame
EARLIER = 3  # frames between two that are compared for motion: one frame apart a slow hand hides in the noise
SETTLED = 5  # frames without motion after which a place may be read
LINGERING_S = 1.6  # seconds without motion after which an arm may be a part of the table: some hands hesitate
SWEPT = 0.3  # of the picture: where so much moves at once the light does, and what lies still only seems to change
DARK = 24.0  # added to the light, so that noise in the dark does not count for more than noise in the light
LEAST, SIGMAS = 0.07, 6.0  # a smaller change of the logarithm, or one of fewer deviations of the noise, is none
COARSE = 6.0  # grey levels: so far cameras that compress let the faint colours of the dark jump, now here and now there
CONTRAST = 0.5  # how much a change of the contrast within a cell counts beside one of the logarithm of its light
BARED, GONE, RESTING = 0.6, 0.2, 4  # of an arm: what is bare once it goes, what is left once it went; so many rest
RIM = 4  # cells on both sides of an arm's outline that are compared
FOLLOW = 0.05  # how quickly the remembered table follows what little changes
ALIKE, KEPT = 7, 0.88  # cells: over so many, each way, light changes alike; without that so much of noise is left
SPARSE = 4  # every so many cells, each way, tell the noise and the tint of all
FIT_ROUNDS, FIT_WIDTH = 6, 0.04  # of the light's field


@dataclass(frozen=True)
class Movement:
    """What one frame shows against the table as remembered, in cells.

    changed: cells that look otherwise. calm: for each cell the frames since something last moved there. cleared:
    whether an arm went in this frame that had rested for so long that it was taken for a part of the table.
    """

    changed: Mask
    calm: NDArray[np.int32]
    cleared: bool = False

    @property
    def moving(self) -> Mask:
        """Cells in or near which something moved a moment ago."""
        return np.asarray(self.calm < SETTLED, np.bool_)


@dataclass(frozen=True)
class Region:
    """Changed cells that hang together: as a mask, and whether nothing moves there.

    enters: whether it reaches in from outside the picture. That is mostly an arm that will soon go: it has to lie still
    for longer.
    """

    cells: Mask
    settled: bool
    enters: bool = False


def working(frame: Image) -> Image:
    """A BGR frame in grey, its longest side about 640 pixels; see `shrink`."""
    by = shrink(frame)
    size = (frame.shape[1] // by, frame.shape[0] // by)
    whole = frame[: size[1] * by, : size[0] * by]
    if by > 2:  # OpenCV halves colours quickly, but by more it shrinks them slower than it makes them grey
        return np.asarray(cv2.resize(_grey(whole), size, interpolation=cv2.INTER_AREA), np.uint8)
    return _grey(np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8))


def _grey(frame: Image) -> Image:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def shrink(frame: Image) -> int:
    """How many pixels of a frame one pixel of its working picture is wide."""
    height, width = frame.shape[:2]
    return int(max(1, min(round(max(height, width) / WORKING), height, width)))


class Backdrop:
    """Remembers how the table looks, cell by cell, and says where a frame differs.

    Colours are compared one by one: a hand may be just as bright as the cloth that it lies on.

    >>> movement = Backdrop().see(frame)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._table: Floats | None = None
        self._recent: deque[tuple[Floats, Mask]] = deque(maxlen=EARLIER)  # with the cells that were lit then
        self._unknown: Mask = np.zeros((0, 0), np.bool_)  # cells that were lit whenever they were looked at
        self._beneath: list[tuple[Mask, Floats]] = []  # how the table looked beneath what reaches in and rests
        self._again = False
        self._now = np.zeros((0, 0, 4), np.float32)
        self._calm = np.zeros((0, 0), np.int32)

    def see(self, frame: Image, lit: Sequence[Polygon] = (), hidden: Mask | None = None) -> Movement:
        """Compare a BGR frame with the table remembered and with the last few frames.

        lit: where LEDs may shine in this frame; what changes there is their light, and tells nothing. hidden: the cells
        of tiles that look otherwise than they are known: an arm may come over those.
        """
        now = _look(frame)
        shining = _cells_of(lit, frame, now.shape[:2])
        if self._again or self._table is None or self._table.shape != now.shape:
            self._begin(now, shining)
        table, before = self._remembered(now, shining), self._recent[0][0] if self._recent else now
        stepped = _without_light(now - before)
        differs, least = _without_light(now - table), _least(stepped, now)
        cleared = self._uncovered(differs, least, hidden)
        moved, changed = (_anywhere(abs(d) > least) for d in (stepped, differs))
        for _, shone in self._recent:
            moved &= ~shone
        moved, changed = moved & ~shining, changed & ~shining
        self._calm = np.where(grown(moved, 2), 0, self._calm + 1).astype(np.int32)
        still = ~grown(changed, 1) & ~shining
        table += np.float32(FOLLOW) * still[..., None] * differs
        self._recent.append((now, shining))
        self._now = now
        return Movement(grown(changed, 1) & ~shining, self._calm, cleared)

    def _begin(self, now: Floats, shining: Mask) -> None:
        """Take a first frame for the table; what lies beneath arms stays known, in the light of now."""
        if self._again and self._table is not None and self._table.shape == now.shape:
            light = self._light(now)
            self._beneath = [(covered, before + light) for covered, before in self._beneath]
        else:
            self._beneath = []
        self._table, self._again = now.copy(), False
        self._recent.clear()
        self._calm = np.full(now.shape[:2], SETTLED, np.int32)
        self._unknown = shining

    def _remembered(self, now: Floats, shining: Mask) -> Floats:
        """The table as it was remembered; where LEDs have gone out that shone ever since, as it is now."""
        assert self._table is not None
        seen = self._unknown & ~shining
        if seen.any():
            self._table[seen] = now[seen]
            self._unknown = self._unknown & shining
        return self._table

    def _uncovered(self, differs: Floats, least: Floats, hidden: Mask | None) -> bool:
        """Whether what reached in and rested has gone: then the table is remembered as it looked beneath.

        differs: how the frame differs from the table, which is brought in step.
        """
        assert self._table is not None
        cleared, resting = False, list[tuple[Mask, Floats]]()
        for covered, before in self._beneath:
            arm = covered & ~_alike(self._table - before, least)  # the rest was accepted anew since then
            apart = differs + self._table - before
            bared = arm.any() and _alike(apart, least)[arm].mean() > BARED
            if bared and (hidden is None or not (hidden & covered).any() or _stands_out(self._table, before, arm)):
                self._table[covered], differs[covered], cleared = before[covered], apart[covered], True
            elif arm.sum() > GONE * covered.sum():
                resting.append((covered, before))
        self._beneath = resting
        return cleared

    def begin_again(self) -> None:
        """Take the next frame for the table, but remember what lies beneath arms that rest there."""
        self._again = True

    def accept(self, cells: Mask, *, rests: bool = False) -> None:
        """From now on these cells are how the table looks, as the last frame showed them.

        rests: whether what lies there reaches in from outside, and may go again.
        """
        assert self._table is not None
        if rests:
            bare = self._table.copy()
            for covered, before in self._beneath:  # the arm shifted while it rested
                bare[covered] = before[covered]
            self._beneath = sorted([*self._beneath, (cells, bare)], key=lambda one: -int(one[0].sum()))[:RESTING]
        self._table[cells] = (self._now - self._light(self._now))[cells]

    def _light(self, now: Floats) -> Floats:
        """How much more light there is now than in the table as remembered."""
        assert self._table is not None
        return np.asarray(now - self._table - _without_light(now - self._table), np.float32)


def regions(movement: Movement, lingering: int) -> list[Region]:
    """The changed cells as regions, the largest first; one is settled once nothing moves anywhere in it.

    lingering: the frames without motion after which what reaches in is settled, too. None is while a shadow sweeps over
    the table: the rest of it then differs from what the light is taken to be.
    """
    swept = movement.moving.mean() > SWEPT
    count, labels, stats, _ = cv2.connectedComponentsWithStats(movement.changed.astype(np.uint8))
    order = sorted(range(1, count), key=lambda k: -int(stats[k, cv2.CC_STAT_AREA]))
    found = []
    for k in order:
        x, y, w, h = (int(v) for v in stats[k, :4])
        cells = labels == k
        enters = x == 0 or y == 0 or x + w == cells.shape[1] or y + h == cells.shape[0]
        least = lingering if enters else SETTLED
        found.append(Region(cells, not swept and bool(movement.calm[cells].min() >= least), enters))
    return found


def _cells_of(polygons: Sequence[Polygon], frame: Image, shape: tuple[int, int]) -> Mask:
    """The cells that polygons in pixels of a frame touch, and those beside them, into which a cell's blur reaches."""
    mask = np.zeros(shape, np.uint8)
    side = CELL * shrink(frame)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round((np.array(polygon) + 0.5) / side - 0.5).astype(np.int32)], 1)
    return grown(mask > 0, 1) if polygons else mask > 0


def _look(frame: Image) -> Floats:
    """(rows, cols, 4): the logarithm of each colour's light in and around each cell, and the contrast there."""
    side = CELL * shrink(frame)
    size = (max(1, frame.shape[1] // side), max(1, frame.shape[0] // side))
    cells = cv2.resize(frame[: size[1] * side, : size[0] * side], size, interpolation=cv2.INTER_AREA)
    colors = np.log(cv2.blur(cells.astype(np.float32), (3, 3)) + DARK)
    return np.asarray(np.dstack([colors, CONTRAST * _contrast(working(frame), size)]), np.float32)


def _contrast(grey: Image, size: tuple[int, int]) -> Floats:
    """(rows, cols): how far the light in and around each cell strays, by how much there is."""
    light = grey[: size[1] * CELL, : size[0] * CELL].astype(np.float32)
    mean, square = (cv2.blur(cv2.resize(one, size, interpolation=cv2.INTER_AREA), (3, 3)) for one in (light, light**2))
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0)) / (mean + DARK), np.float32)


def _least(stepped: Floats, now: Floats) -> Floats:
    """(rows, cols, 4): the least change of a look that is one."""
    least = np.maximum(LEAST, SIGMAS * _noise(stepped, now))
    least[..., :3] = np.maximum(least[..., :3], COARSE / np.exp(now[..., :3]))
    return np.asarray(least, np.float32)


def _noise(stepped: Floats, now: Floats) -> Floats:
    """(rows, cols, 4): the deviation of the noise in steps of a look; in the dark a grey level is a large one.

    Some cameras have as much noise in the dark as in the light, by their logarithm others: the larger one counts. What
    neighbouring cells have in common is light that the fitted field leaves, and no noise of so many levels.
    """
    light = np.exp(now)
    even = np.median(abs(stepped[::SPARSE, ::SPARSE]).reshape(-1, 4), axis=0)
    alone = (stepped - cv2.blur(stepped, (ALIKE, ALIKE)))[::SPARSE, ::SPARSE] * light[::SPARSE, ::SPARSE]
    levels = np.median(abs(alone).reshape(-1, 4), axis=0) / KEPT
    return np.asarray(1.4826 * np.maximum(even, levels / light), np.float32)


def _anywhere(parts: Mask) -> Mask:
    """Where any of the three colours is set, or the contrast."""
    return np.asarray(parts[..., 0] | parts[..., 1] | parts[..., 2] | parts[..., 3], np.bool_)


def _alike(apart: Floats, least: Floats) -> Mask:
    """Where no colour differs by more than the least that counts."""
    return np.asarray((abs(apart) <= least).all(axis=2))


def _stands_out(look: Floats, other: Floats, cells: Mask) -> bool:
    """Whether some cells show an arm in the one look and the bare table in the other.

    An arm ends where they end; the table goes on (Martiriggiano and others 2006).
    """
    beside = (grown(cells, RIM) & ~grown(cells, 1)).astype(np.float32)
    size = 2 * RIM + 1, 2 * RIM + 1
    near = cv2.blur(beside, size)
    rim = cells & (near > 0)

    def ends(one: Floats) -> float:
        return float(abs(one[rim] - cv2.blur(one * beside[..., None], size)[rim] / near[rim][:, None]).mean())

    return bool(rim.any()) and ends(look) > ends(other)


def grown(mask: Mask, by: int) -> Mask:
    """A mask and so many cells around it, each way."""
    side = 2 * by + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0, np.bool_)


def _without_light(difference: Floats) -> Floats:
    """What a smooth field that fits most of it, and a tint of all, leave of a difference of looks; none of contrast."""
    h, w, _ = difference.shape
    light = np.ascontiguousarray(difference @ np.array([1 / 3, 1 / 3, 1 / 3, 0], np.float32))
    coarse = cv2.resize(light, (min(w, 32), min(h, 18)), interpolation=cv2.INTER_AREA)
    values = coarse.ravel().astype(np.float64)
    basis = _quadratic(*coarse.shape)
    field: NDArray[np.floating] = np.zeros(basis.shape[1])
    field[0] = np.median(values)
    for _ in range(FIT_ROUNDS):
        weighted = basis / (1 + ((values - basis @ field) / FIT_WIDTH) ** 2)[:, None] ** 2
        field = np.linalg.solve(weighted.T @ basis + 1e-3 * np.eye(len(field)), weighted.T @ values)
    left = difference.copy()
    left[..., :3] -= (_quadratic(h, w) @ field).reshape(h, w, 1).astype(np.float32)
    left[..., :3] -= np.median(left[::SPARSE, ::SPARSE, :3].reshape(-1, 3), axis=0)
    return left


def _quadratic(rows: int, cols: int) -> NDArray[np.float64]:
    """(rows * cols, 6): 1, x, y and their products, x and y from -1 to 1."""
    key = (rows, cols)
    if key not in _BASES:
        x = np.tile((np.arange(cols) + 0.5) / cols * 2 - 1, rows)
        y = np.repeat((np.arange(rows) + 0.5) / rows * 2 - 1, cols)
        _BASES[key] = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    return _BASES[key]


_BASES: dict[tuple[int, int], NDArray[np.float64]] = {}
