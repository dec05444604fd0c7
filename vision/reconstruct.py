"""From what the camera saw to what lies on the table: tiles onto cells, lines into chains, doubts by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.board import Board, Cell, Placed
from rules.table import Chain, LooseTile, Place, Table
from vision.chains import longest_line
from vision.contacts import rivals
from vision.doubting import doubt_about, doubt_between, pips_of
from vision.grid import largest_grid, snapped
from vision.level import inverse, leveled, moved
from vision.standing import Ground

if TYPE_CHECKING:
    from rules.table import Doubt
    from vision.contacts import Rivals
    from vision.grid import Grid
    from vision.level import Array, Level
    from vision.scene import Point, Scene, TileDetection

Cells = tuple[Cell, Cell]
Quad = tuple["Point", "Point", "Point", "Point"]


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """The table, and how its cells and the picture belong together.

    cells: for each tile of the scene the cell of its head half and that of its tail half; None if it lies on no cells.
    to_picture: (3, 3) homography from the grid, as (column, row) with cell (0, 0) between 0 and 1, to pixels.
    """

    table: Table
    cells: tuple[Cells | None, ...]
    to_picture: Array

    def quad_px(self, cell: Cell) -> Quad:
        """Where a cell lies in the picture: its corners (x, y) in pixels, going round from the top left one."""
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) + [cell.col, cell.row]
        one, two, three, four = ((float(x), float(y)) for x, y in moved(self.to_picture, square))
        return one, two, three, four


def rebuild(scene: Scene) -> Rebuilt:
    """Return the board, the chain and the loose tiles that a scene shows.

    The tiles give the grid by themselves, whatever the camera's turn and tilt: no calibration is needed. The top left
    cell in use is (0, 0) and rows grow down the picture as nearly as the tiles allow. A line of play is also given as
    the table's chain, whether or not its tiles stand on cells; face-up tiles on no cells and in no chain are loose.
    Where two tiles claim the same place, the surer one keeps it and a doubt names both.
    """
    level = leveled(scene.tiles)
    claims = rivals(level, np.array([_rank(tile) for tile in scene.tiles]) + 4.0 * ~level.usable)
    sound = np.array([k for k in np.flatnonzero(level.usable) if k not in claims.better], int)
    grid = largest_grid(level, sound)
    spread = _Spread(scene, level, claims, *_on_cells(level, grid, claims, len(scene.tiles)))
    return Rebuilt(spread.table(), spread.cells, inverse(level.to_table) @ spread.to_table)


def _rank(tile: TileDetection) -> float:
    """Return a number that is the lower, the more a tile is to be believed."""
    certainty = tile.confidence if np.isfinite(tile.confidence) else 0.0
    return 2.0 * (not tile.face_up) + tile.doubtful - certainty


def _on_cells(level: Level, grid: Grid | None, claims: Rivals, count: int) -> tuple[tuple[Cells | None, ...], Array]:
    """Return each tile's cells, and the homography from (column, row) to the table."""
    if grid is None:
        return (None,) * count, np.eye(3)
    spots = dict(grid.spots)
    spots |= {k: spot for k in claims.better if (spot := snapped(level, grid.lattice, k))}
    quarters = _quarters(level, grid)
    turned = {k: spot.turned(quarters) for k, spot in spots.items()}
    used = np.array([cell for k in grid.spots for cell in turned[k].cells])
    left, top = (int(v) for v in used.min(0))
    cells: list[Cells | None] = [None] * count
    for k, spot in turned.items():
        head, tail = (Cell(y - top, x - left) for x, y in spot.cells)
        cells[k] = head, tail
    return tuple(cells), grid.lattice.matrix @ _back(quarters, left, top)


def _quarters(level: Level, grid: Grid) -> int:
    """Return the quarter turns after which the grid's columns run right and its rows down, as seen in the picture."""
    middle = level.middles[np.fromiter(grid.spots, int)].mean(0)
    at = grid.lattice.cells_at(middle)
    ends = moved(inverse(level.to_table) @ grid.lattice.matrix, at + np.array([[-0.5, 0], [0.5, 0]]))
    right, down = ends[1] - ends[0]
    return round(float(np.arctan2(down, right)) / (np.pi / 2))


def _back(quarters: int, left: int, top: int) -> Array:
    """Return the map from normalised cells back to the grid's own; cells turn as wholes, so it pivots on a middle."""
    turn = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), quarters % 4)
    shift = turn @ [left - 0.5, top - 0.5] + 0.5
    return np.block([[turn, shift[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])


@dataclass(frozen=True, eq=False)
class _Spread:
    """A scene's tiles spread over the table: which lie on the board, which in the chain, which loose."""

    scene: Scene
    level: Level
    claims: Rivals
    cells: tuple[Cells | None, ...]
    to_table: Array

    def table(self) -> Table:
        tiles = self.scene.tiles
        own = [k for k in range(len(tiles)) if k not in self.claims.twins]
        upright = [k for k in own if tiles[k].face_up]
        placed = {k: on for k in upright if (on := self._placed(k))}
        flat = np.array([k for k in upright if self.level.usable[k] and k not in self.claims.better], int)
        line = longest_line(self.level, flat, [pips_of(tile) for tile in tiles])
        kept = {*placed, *(line.tiles if line else ())}
        ground = Ground(self.level, self.to_table, frozenset(cell for pair in self.cells if pair for cell in pair))
        return Table(
            board=Board(tuple(placed.values())),
            chain=line.chain if line else Chain(),
            loose=tuple(LooseTile(*pips_of(tiles[k]), *ground.lying(k)) for k in upright if k not in kept),
            dice=ground.dice(self.scene.dice),
            pawns=ground.pieces(self.scene.pawns),
            tokens=ground.pieces(self.scene.tokens),
            tetrominoes=ground.tetrominoes(self.scene.tetrominoes),
            face_down=tuple(
                Place(tuple(sorted(self.cells[k] or ())), *ground.lying(k)) for k in own if not tiles[k].face_up
            ),
            doubts=tuple(doubt for k in own if (doubt := self._doubt(k))),
        )

    def _placed(self, k: int) -> Placed | None:
        pair = self.cells[k]
        return Placed.on(*pair, *pips_of(self.scene.tiles[k])) if pair and k not in self.claims.better else None

    def _doubt(self, k: int) -> Doubt | None:
        tile = self.scene.tiles[k]
        if twins := [other for other, better in self.claims.twins.items() if better == k]:
            turned = np.cos(self.level.angles[twins] - self.level.angles[k]) < 0
            seen = [self.scene.tiles[other] for other in twins]
            return doubt_between(tile, zip(seen, turned, strict=True), self.cells[k])
        contested = k in self.claims.better or k in self.claims.better.values()
        return doubt_about(tile, self.cells[k]) if tile.doubtful or contested or not self.level.usable[k] else None
