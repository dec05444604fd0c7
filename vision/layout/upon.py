"""Which tiles lie upon others: the camera sees them larger, and pushed away from the point right below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import mapped
from rules.table import Doubt
from rules.words import where
from vision.layout.grid import Grid, snapped
from vision.layout.lattice import middle_of
from vision.level import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from calibration.homography import Array
    from rules.board import Cell
    from vision.layout.contacts import Spot
    from vision.layout.grid import Group
    from vision.layout.viewpoint import Viewpoint
    from vision.scene import TileDetection

TILE_HEIGHT = 0.4  # how thick tiles usually are, in halves
_HEIGHTS = np.linspace(0.25, 0.7, 10)  # how thick they may be
# What a tile strays by at the least: its middle in halves, its size as a share.
_LEAST_ASTRAY, _LEAST_UNLIKE = 0.04, 0.012
# Two that a hand pushed askew the same way look raised, which is seldom: so much more likely has raised to be.
_SURELY, _PERHAPS = 12.0, 7.0
_SEEMS_RAISED = 0.1
_AROUND, _LEAST_AROUND = 8, 6  # tiles whose places and sizes tell what is usual around one
_FEWEST = 2  # one tile alone is more often pushed than raised
_SNUG = 0.16  # how far off its cells, in cells, a tile may lie that was lowered onto them


@dataclass(frozen=True)
class Raised:
    """Tiles that lie upon others: those that surely do, those of which one cannot tell, and spots found for some."""

    surely: frozenset[int] = frozenset()
    perhaps: frozenset[int] = frozenset()
    spots: tuple[tuple[int, Spot], ...] = ()


@dataclass(frozen=True, eq=False)
class _Heights:
    """How high each tile seems to lie above the others: (n,) in halves, and how far that strays."""

    seen: Array
    stray: Array

    def speak_for(self, height: float) -> Array:
        """How much (n,) each tile's place and size speak for that height, against none: a logarithm of chances."""
        return np.asarray((self.seen**2 - (self.seen - height) ** 2) / (2 * self.stray**2))


def raised(level: Level, tiles: Sequence[TileDetection], grid: Grid, view: Viewpoint) -> Raised:
    """Return which of the grid's tiles lie upon others: at least two side by side, all by the same height.

    Tiles that lie too far off the grid for their height, but fill gaps in it once they are lowered, come with spots.
    """
    more = _lowered_into_gaps(level, grid, view)
    spots = grid.spots | more
    if len(spots) < _LEAST_AROUND:
        return Raised()
    heights = _heights(level, tiles, Grid(spots, grid.lattice), view)
    order = list(spots)
    surely, perhaps = set(more), set[int]()
    for group in _groups({order[k]: spots[order[k]] for k in np.flatnonzero(heights.seen > _SEEMS_RAISED)}):
        rows = [order.index(k) for k in group]
        told = max(float(heights.speak_for(height)[rows].sum()) for height in _HEIGHTS)
        if _FEWEST <= len(group) <= len(spots) // 3 and told > _PERHAPS:
            (surely if told > _SURELY else perhaps).update(group)
    return Raised(frozenset(surely), frozenset(perhaps - surely), tuple(more.items()))


def _heights(level: Level, tiles: Sequence[TileDetection], grid: Grid, view: Viewpoint) -> _Heights:
    """Return what the tiles' places on the grid and their sizes tell together, weighed by how far each strays."""
    order = np.fromiter(grid.spots, int)
    places = mapped(grid.lattice.matrix, np.array([middle_of(spot) for spot in grid.spots.values()]))
    off = _against_neighbours(places, level.middles[order] - places)
    larger = _against_neighbours(places, _sizes(level, tiles, order)[:, None])[:, 0]
    astray, unlike = max(_LEAST_ASTRAY, _usual(off)), max(_LEAST_UNLIKE, _usual(larger))
    lever = places - view.foot
    worth = (lever**2).sum(1) / astray**2 + 1 / unlike**2
    growth = ((lever * off).sum(1) / astray**2 + larger / unlike**2) / worth
    return _Heights(view.height * growth / (1 + growth), view.height / np.sqrt(worth))


def _sizes(level: Level, tiles: Sequence[TileDetection], order: NDArray[np.intp]) -> Array:
    """How large each tile is on the table, as a logarithm of its length."""
    corners = mapped(level.to_table, np.array([tiles[k].corners_px for k in order], float))
    across, other = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    areas = np.abs(across[:, 0] * other[:, 1] - across[:, 1] * other[:, 0]) / 2
    return np.asarray(np.log(np.maximum(areas, 1e-6)) / 2)


def _against_neighbours(places: Array, values: Array) -> Array:
    """Values (n, k) less those usual around each place: a bent lens shifts whole corners of a board."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    near = np.argsort(apart, axis=1, kind="stable")[:, 1 : _AROUND + 1]
    return np.asarray(values - np.median(values[near], axis=1))


def _usual(errors: Array) -> float:
    return 1.48 * float(np.median(np.abs(errors)))


def _groups(spots: Group) -> list[set[int]]:
    """The tiles parted into those that touch one another."""
    groups: list[set[int]] = []
    for tile, spot in spots.items():
        touched = [group for group in groups if any(_touch(spot, spots[other]) for other in group)]
        groups = [group for group in groups if group not in touched] + [{tile}.union(*touched)]
    return groups


def _touch(one: Spot, other: Spot) -> bool:
    return any(abs(x - u) + abs(y - v) == 1 for x, y in one.cells for u, v in other.cells)


def _snug(lower: Level, grid: Grid, tile: int) -> Spot | None:
    """The spot that a lowered tile lies on; None if it still lies off it."""
    spot = snapped(lower, grid.lattice, tile)
    off = 1.0 if spot is None else np.abs(grid.lattice.cells_at(lower.middles[tile]) - middle_of(spot)).max()
    return spot if off < _SNUG else None


def _lowered_into_gaps(level: Level, grid: Grid, view: Viewpoint) -> Group:
    """Return spots of tiles that are not on the grid but fill gaps inside it if they are lowered, all by one height."""
    free = [int(k) for k in np.flatnonzero(level.usable) if k not in grid.spots]
    taken = {cell for spot in grid.spots.values() for cell in spot.cells}
    (left, top), (right, low) = (np.array(sorted(taken)).min(0), np.array(sorted(taken)).max(0))
    best: Group = {}
    for height in _HEIGHTS if len(free) >= _FEWEST else ():
        lower = Level(level.to_table, view.lowered(level.middles, height), level.angles, level.usable)
        fits = {k: spot for k in free if (spot := _snug(lower, grid, k))}
        inside = {
            k: spot
            for k, spot in fits.items()
            if all(left <= x <= right and top <= y <= low and (x, y) not in taken for x, y in spot.cells)
        }
        largest = max(_groups(inside), key=len, default=set[int]())
        best = {k: inside[k] for k in largest} if max(len(best), _FEWEST - 1) < len(largest) else best
    cells = [cell for spot in best.values() for cell in spot.cells]
    return best if len(set(cells)) == len(cells) else {}


def doubt_whether_raised(cells: tuple[Cell, ...]) -> Doubt:
    """Return the doubt about tiles on these cells that may lie upon others."""
    text = f"It is not sure whether the tiles at {where(cells)} lie on others or were pushed askew."
    return Doubt(cells, "raised", ("flat",), 0.5, f"{text} Seen from lower down it would show.")
