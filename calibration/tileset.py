"""A taught set: what its tiles look like and which dominoes it has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Color = tuple[int, int, int]  # red, green, blue, 0 to 255
Point = tuple[float, float]

VERSION = 1
CELLS = 22  # rows and columns of a half's picture
CELLS_A_HALF = 24  # what a whole half would be; its rim is left out
SHADES = "." + "123456789abcde" + "#"  # how far a pip covers a cell, from not at all to wholly


@dataclass(frozen=True)
class HalfLook:
    """What one number looks like on a half whose outer end is at the left.

    pip: the colour of its pips. spots: the middle of each pip, (along, across) in halves from the half's own middle.
    rows: its picture, a letter of SHADES a cell; None where it was never seen.
    """

    pips: int
    pip: Color
    spots: tuple[Point, ...] = ()
    rows: tuple[str, ...] | None = None

    @cached_property
    def cover(self) -> Floats:
        """(22, 22) how far a pip covers each cell, 0 to 1; (0, 0) in size where the number was never seen."""
        if self.rows is None:
            return np.zeros((0, 0), np.float32)
        shades = [[SHADES.index(letter) / (len(SHADES) - 1) for letter in row] for row in self.rows]
        return np.array(shades, np.float32)


@dataclass(frozen=True)
class Seam:
    """What divides the halves: the bar's width and length, the spinner's radius, in halves; 0 for what is not there."""

    bar_width: float = 0.0
    bar_length: float = 0.0
    spinner: float = 0.0
    color: Color = (0, 0, 0)


@dataclass(frozen=True)
class TileSet:
    """A set of dominoes that somebody taught.

    highest: its highest number. made: when it was taught. length_mm: of a tile, None where nobody said. width: of a
    tile, in lengths. face, back: colours in the light of the teaching; back None where none was seen. pip_radius: in
    halves. missing, twice: dominoes as "42" that the set lacks or has two of. halves: one for each number.
    """

    name: str
    highest: int
    made: datetime
    halves: tuple[HalfLook, ...]
    face: Color
    back: Color | None = None
    length_mm: float | None = None
    width: float = 0.5
    seam: Seam = Seam()
    pip_radius: float = 0.1
    missing: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    version: int = VERSION

    @cached_property
    def known(self) -> tuple[int, ...]:
        """The numbers that were seen."""
        return tuple(half.pips for half in self.halves if half.rows is not None)

    @cached_property
    def exemplars(self) -> Floats:
        """(known, 22, 22, 3): each known number as blue, green and red above the tile's face."""
        return np.stack([self._exemplar(half) for half in self.halves if half.rows is not None])

    def _exemplar(self, half: HalfLook) -> Floats:
        ink = np.array(half.pip[::-1], np.float32) - np.array(self.face[::-1], np.float32)
        return np.asarray(half.cover[..., None] * ink, np.float32)


def drawn(half: HalfLook, pip_radius: float) -> HalfLook:
    """A number as its layout alone tells it: round pips of one size."""
    row, col = np.mgrid[:CELLS, :CELLS] - (CELLS - 1) / 2
    cover = np.zeros((CELLS, CELLS))
    for along, across in half.spots:
        far = np.hypot(col - along * CELLS_A_HALF, row - across * CELLS_A_HALF)
        cover = np.maximum(cover, np.clip(pip_radius * CELLS_A_HALF + 0.5 - far, 0, 1))
    return replace(half, rows=in_letters(cover))


def in_letters(cover: NDArray[np.floating]) -> tuple[str, ...]:
    """A picture (22, 22) of 0 to 1 as rows of SHADES."""
    return tuple("".join(SHADES[k] for k in row) for row in np.rint(cover * (len(SHADES) - 1)).astype(int))
