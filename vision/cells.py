"""The cells on which known dominoes lie, and the squares of cardboard upon them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene import Point
from vision.squares import BLANK, MOST, Square

if TYPE_CHECKING:
    from vision.before import Unseen
    from vision.peaks import Spot

Points = NDArray[np.float64]
Quad = NDArray[np.floating]
Cell = tuple[int, int]

AROUND = 4  # cells: so far around a domino its cells are told well enough
ALIGNED = 0.15  # of a cell: how far off the middles of cells a domino's halves may be that shows the same ones
OFF, LARGER = 0.35, 0.35  # of a cell: how far from its middle a square on it is seen, and how much larger (log)
SHOWN = 0.5  # a half likelier than this still shows its pips
HIDDEN, HELD = 0.15, 0.25  # the chance of either colour where a half does not show, and where it lay there already
COVERED = 0.4  # and where the other half shows, so that the tile was not lifted


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells around a domino: cell (0, 0) is its head's, (1, 0) its tail's."""

    middle: Points
    axes: Points

    @classmethod
    def of(cls, tile: Quad) -> Cells:
        along = (tile[2:].sum(axis=0) - tile[:2].sum(axis=0)) / 4
        across = (tile[1:3].sum(axis=0) - tile[0] - tile[3]) / 2
        return cls(tile.mean(axis=0) - along / 2, np.array([along, across], np.float64))

    @property
    def edge(self) -> float:
        """How long a cell's edge is, in pixels."""
        return float(np.linalg.norm(self.axes, axis=1).mean())

    def at(self, points: Sequence[Point] | Points) -> Points:
        """Where points (n, 2) lie, in cells."""
        return np.asarray(np.linalg.solve(self.axes.T, (np.asarray(points, np.float64) - self.middle).T).T)

    def cell(self, point: Point) -> Cell:
        """The cell on which a point lies."""
        (place,) = self.at([point]).round()
        return int(place[0]), int(place[1])

    def center(self, cell: Cell) -> Points:
        """The middle of a cell, in pixels."""
        return np.asarray(self.middle + np.array(cell, np.float64) @ self.axes)

    def hold(self, tile: Quad) -> bool:
        """Whether another domino lies near, on two of these cells, so that it shows the same ones."""
        other = Cells.of(tile)
        halves = self.at(np.array([other.center((0, 0)), other.center((1, 0))]))
        return bool(np.abs(halves - halves.round()).max() < ALIGNED and np.abs(halves).max() < AROUND / 2)


def grids(tiles: Sequence[Quad]) -> list[Cells]:
    """The cells that dominoes show, each once."""
    told = list[Cells]()
    for tile in tiles:
        if cv2.contourArea(tile.astype(np.float32)) > 1 and not any(grid.hold(tile) for grid in told):
            told.append(Cells.of(tile))
    return told


def squares_on(found: Sequence[Spot], grid: Cells, before: Sequence[Unseen]) -> list[Square]:
    """The squares that the spots show where known dominoes do not show, each in the middle of its cell."""
    known = {
        cell: Square(at := grid.center(cell), grid.edge, at, (chance, chance))
        for one in before
        for cell, chance in _hidden(one, grid)
    }
    seen = [(spot, _covered(spot, grid)) for spot in found if spot.kind in ("dark", "light")]
    if not any(known.keys() & cells for _, cells in seen):
        return []
    for spot, cells in seen:
        whole = np.array(spot.center) + (spot.way if len(cells) == 1 else (0.0, 0.0))
        for cell in known.keys() & cells:
            known[cell] = _with(known[cell], spot, whole)
    for cell in known.keys() & _blank(before, grid):
        known[cell] = replace(known[cell], blank=BLANK)
    return sorted(known.values(), key=lambda one: -max(one.chances))[:MOST]


def _hidden(one: Unseen, grid: Cells) -> Iterator[tuple[Cell, float]]:
    """The near cells of those halves that do not show, and how likely either colour lies there, whatever it looks like:
    where the other half shows the tile was not lifted."""
    for half, at in enumerate(one.tile.centers_px):
        cell = grid.cell(at)
        if one.shows[half] < SHOWN and max(map(abs, cell)) <= AROUND:
            yield cell, HELD if one.held[half] else COVERED if one.shows[1 - half] > SHOWN else HIDDEN


def _blank(before: Sequence[Unseen], grid: Cells) -> set[Cell]:
    """The cells of blank halves, which look like light cardboard."""
    tiles = [one.tile for one in before]
    return {grid.cell(at) for tile in tiles for at, n in zip(tile.centers_px, tile.pips, strict=True) if not n}


def _covered(spot: Spot, grid: Cells) -> list[Cell]:
    """The cells that a square takes up: one, or four if it is twice as large, as a square of four looks from afar."""
    (place,) = grid.at([spot.center])
    for side, ways in ((1, ((0.0, 0.0),)), (2, ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)))):
        cells = np.round(place + ways).astype(int)
        off = np.abs(cells.mean(axis=0) - place).max()
        if abs(math.log(spot.edge_px / (side * grid.edge))) < LARGER and off < OFF:
            return [(int(x), int(y)) for x, y in cells]
    return []


def _with(known: Square, spot: Spot, whole: Points) -> Square:
    """A square of which one more spot tells; the likeliest spot tells where the middle of its piece is."""
    dark, light = known.chances
    chances = (dark, max(light, spot.score)) if spot.kind == "light" else (max(dark, spot.score), light)
    return replace(known, whole=known.whole if spot.score < max(dark, light) else whole, chances=chances)
