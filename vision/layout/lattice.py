"""One grid fitted over many tiles: where its cells lie on the table, true in perspective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped
from vision.level import robust_fit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.homography import Array
    from vision.layout.contacts import Spot
    from vision.level import Level

# A tile's middle shows where the cells are; its ends and sides show it less, for gaps keep them off the cells' edges.
_TRUSTS = np.array([10.0, 2.5, 2.5, 1.5, 1.5])
# Whatever tilt the tiles' sizes left over is at most about this, a cell.
_TILT_LEFT = 0.01


@dataclass(frozen=True)
class Lattice:
    """A grid's homography (3, 3) from cells, as (x, y) with the first cell between 0 and 1, to the table in halves."""

    matrix: Array

    def cells_at(self, points: Array) -> Array:
        """Where table points (..., 2) lie on the grid, in cells."""
        return mapped(inverse(self.matrix), points)

    def view(self, level: Level) -> View:
        """All tiles as this grid sees them."""
        half = np.column_stack([np.cos(level.angles), np.sin(level.angles)]) / 2
        step = self.cells_at(level.middles + half) - self.cells_at(level.middles - half)
        return View(self.cells_at(level.middles), np.arctan2(step[:, 1], step[:, 0]))


@dataclass(frozen=True)
class View:
    """Tiles as a grid sees them: their middles (n, 2) in cells, their directions (n,) in radians from its own right."""

    middles: Array
    headings: Array


def fitted(level: Level, spots: Mapping[int, Spot]) -> Lattice:
    """Return the grid that fits best under tiles whose spots are known."""
    tiles = np.fromiter(spots, int)
    cells = np.array([spot.cells for spot in spots.values()], float) + 0.5
    along, goal_along = cells[:, 1] - cells[:, 0], np.column_stack([np.cos(level.angles), np.sin(level.angles)])[tiles]
    source = _points(cells.mean(1), along)
    goal = _points(level.middles[tiles], goal_along)
    center = source.mean((0, 1))
    weights = np.broadcast_to(_TRUSTS, source.shape[:2]).ravel()
    matrix = _homography((source - center).reshape(-1, 2), goal.reshape(-1, 2), weights)
    return Lattice(matrix @ np.array([[1, 0, -center[0]], [0, 1, -center[1]], [0, 0, 1]]))


def middle_of(spot: Spot) -> Array:
    """Return the middle (x, y) of a spot in cells."""
    return np.asarray(np.array(spot.cells, float).mean(0) + 0.5)


def _points(middles: Array, along: Array) -> Array:
    """Return each tile's middle, the middles of its halves and those of its long sides: (n, 5, 2)."""
    across = along[:, ::-1] * [-1, 1]
    return np.stack([middles, middles - along / 2, middles + along / 2, middles - across / 2, middles + across / 2], 1)


def _homography(source: Array, goal: Array, weights: Array) -> Array:
    one, none = np.ones(len(source)), np.zeros((len(source), 3))
    flat = np.column_stack([source, one])
    right = np.column_stack([flat, none, -source * goal[:, :1]])
    down = np.column_stack([none, flat, -source * goal[:, 1:]])
    ties = np.array([0.01] * 6 + [1 / _TILT_LEFT] * 2)
    middle = goal.mean(0)
    start = np.array([1, 0, middle[0], 0, 1, middle[1], 0, 0])
    x = robust_fit(np.concatenate([right, down]), goal.T.ravel(), np.tile(weights, 2), ties, start)
    return np.append(x, 1.0).reshape(3, 3)
