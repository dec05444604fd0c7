"""How a scene's tiles lie on one grid: on two cells each, or on one square each, counted as the picture shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped
from rules.board import Cell
from vision.layout.checkered import SIDE, first_square
from vision.layout.grid import snapped
from vision.layout.lattice import fitted
from vision.layout.upon import Raised, raised
from vision.layout.upright import quarters_of, turned_back

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.homography import Array
    from vision.layout.checkered import Frame
    from vision.layout.contacts import Rivals
    from vision.layout.cornerwise import Squares
    from vision.layout.grid import Grid
    from vision.layout.viewpoint import Viewpoint
    from vision.level import Level
    from vision.scene import Scene

Cells = tuple[Cell, Cell]

_ON_IT = 0.4  # squares: what lies farther from the middle of each lies between them


@dataclass(frozen=True, eq=False)
class Laying:
    """Which cells or which square each tile lies on, by its index, and which tiles lie upon others.

    to_table: (3, 3) homography from (column, row) to the table in halves. room: cells of the board beyond the tiles.
    """

    pairs: Mapping[int, Cells] = field(default_factory=dict)
    singles: Mapping[int, Cell] = field(default_factory=dict)
    raised: Raised = Raised()
    to_table: Array = field(default_factory=lambda: np.eye(3))
    room: frozenset[Cell] = frozenset()

    @property
    def covered(self) -> frozenset[Cell]:
        """Every cell that a tile lies on."""
        return frozenset(self.singles.values()).union(*self.pairs.values())


def on_cells(level: Level, grid: Grid, claims: Rivals, scene: Scene, view: Viewpoint) -> Laying:
    """Return how tiles lie on two cells each; those that a better one displaced too, if their place is on the board."""
    high = raised(level, scene.tiles, grid, view)
    spots = {**grid.spots, **dict(high.spots)}
    flat = {k: spot for k, spot in grid.spots.items() if k not in high.surely}
    lattice = fitted(level, flat) if high.surely else grid.lattice
    quarters = quarters_of(level.to_table, lattice, level.middles[np.fromiter(grid.spots, int)].mean(0))
    used = np.array([cell for spot in spots.values() for cell in spot.turned(quarters).cells])
    (left, top), (right, low) = used.min(0), used.max(0)
    for k in claims.better:
        spot = snapped(level, lattice, k)
        if spot and all(left <= x <= right and top <= y <= low for x, y in spot.turned(quarters).cells):
            spots[k] = spot
    pairs = {}
    for k, spot in spots.items():
        head, tail = (Cell(int(y - top), int(x - left)) for x, y in spot.turned(quarters).cells)
        pairs[k] = head, tail
    return Laying(pairs, {}, high, lattice.matrix @ turned_back(quarters, int(left), int(top)))


def on_squares(level: Level, found: Squares, scene: Scene, frame: Frame | None) -> Laying:
    """Return how tiles lie on one square each, from the board's own corner where the frame shows it.

    Where it does not, the first row and column in use are the first ones, and the board may reach on every side.
    """
    quarters = quarters_of(level.to_table, found.lattice, level.middles[np.fromiter(found.spots, int)].mean(0))
    turned = found.lattice.matrix @ turned_back(quarters, 0, 0)
    at = {k: _turned(square, quarters) for k, square in found.spots.items()}
    corner = frame is not None and first_square(frame, inverse(level.to_table) @ turned, at.values(), scene.tiles)
    left, top = corner or np.array(list(at.values())).min(0)
    right, low = np.array(list(at.values())).max(0) - [left, top]
    rows, cols = (range(SIDE), range(SIDE)) if corner else (range(low - SIDE + 1, SIDE), range(right - SIDE + 1, SIDE))
    room = frozenset(Cell(int(row), int(col)) for row in rows for col in cols)
    singles = {k: Cell(int(y - top), int(x - left)) for k, (x, y) in at.items()}
    to_table = turned @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    return Laying({}, singles, Raised(), to_table, room)


def on_board(level: Level, board: Array, scene: Scene) -> Laying:
    """Return how tiles lie on one square each of a checkered board that was found by itself.

    board: (3, 3) homography from squares, as (column, row), to pixels. What lies between squares or off the board lies
    on none.
    """
    to_table = level.to_table @ board
    singles: dict[int, Cell] = {}
    at = mapped(inverse(to_table), level.middles)
    for k in np.flatnonzero(level.usable):
        col, row = np.floor(at[k])
        on_it = 0 <= col < SIDE and 0 <= row < SIDE and np.abs(at[k] - [col, row] - 0.5).max() < _ON_IT
        if on_it and scene.tiles[k].face_up:
            singles[int(k)] = Cell(int(row), int(col))
    room = frozenset(Cell(row, col) for row in range(SIDE) for col in range(SIDE))
    return Laying({}, singles, Raised(), to_table, room)


def _turned(square: tuple[int, int], quarters: int) -> tuple[int, int]:
    x, y = square
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y
