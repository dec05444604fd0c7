"""Where things stand: on which cell or beside the board, and how far from the first tile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped
from rules.board import Cell, corner, extent
from rules.table import Die, Piece
from vision.layout.upon import TILE_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.homography import Array
    from vision.layout.viewpoint import Viewpoint
    from vision.level import Level
    from vision.scene import DieDetection, PawnDetection, Point

_BESIDE = 1  # cells: what stands farther off the board is loose
_WITHIN = np.stack(np.meshgrid(*[np.linspace(0.1, 0.9, 9)] * 2), axis=-1).reshape(-1, 2)  # points of a cell
_HIDDEN = 0.2  # of a cell: who sees less than the rest may read another number


@dataclass(frozen=True, eq=False)
class Ground:
    """The table as pieces stand on it: places in halves from the first tile's middle, and the cells under dominoes.

    to_table: (3, 3) homography from (column, row) to the table in halves. covered: empty where there is no grid.
    cells: those of the board itself, where it has more of them than lie in the rectangle around the dominoes.
    """

    level: Level
    to_table: Array
    view: Viewpoint
    covered: frozenset[Cell]
    cells: frozenset[Cell] = frozenset()

    def lying(self, tile: int) -> tuple[float, float, float]:
        """A tile's middle, and its direction from head to tail in degrees clockwise from right."""
        return *self._from_first(self.level.middles[tile]), round(float(np.rad2deg(self.level.angles[tile])), 1)

    def dice(self, seen: Sequence[DieDetection]) -> tuple[Die, ...]:
        """Each die with its place; what is seen of it is its top, an edge above what it stands on."""
        return tuple(map(self._die, seen))

    def pieces(self, seen: Sequence[PawnDetection]) -> tuple[Piece, ...]:
        """Each pawn or token with the place of its foot."""
        return tuple(Piece(pawn.color, *self._under(pawn.center_px)) for pawn in seen)

    def cells_at(self, points_px: Array) -> Array:
        """Where points of the picture (..., 2) lie among the cells, as (column, row); a cell reaches from 0 to 1."""
        return mapped(inverse(self.to_table), mapped(self.level.to_table, points_px))

    def near(self, cell: Cell) -> bool:
        """Whether a cell belongs to the board, to a gap in it or to the cells right beside it."""
        if not self.covered and not self.cells:
            return False
        first, (rows, cols) = self._rectangle
        down, right = cell.row - first.row, cell.col - first.col
        return -_BESIDE <= down < rows + _BESIDE and -_BESIDE <= right < cols + _BESIDE

    @cached_property
    def _rectangle(self) -> tuple[Cell, tuple[int, int]]:
        around = self.covered | self.cells
        return corner(around), extent(around)

    def _die(self, die: DieDetection) -> Die:
        edge, top = self._edge(die), mapped(self.level.to_table, _finite(die.center_px))
        foot = self._foot(top, edge)
        cell = self._standing_on(foot)
        hides = (hidden for hidden in self._behind(foot, top, edge / 2) if hidden != cell)
        return Die(die.value, cell, *self._from_first(foot), hides=tuple(hides))

    def _under(self, point_px: Point) -> tuple[Cell | None, float, float]:
        """The cell under something whose foot is seen, and its place."""
        foot = self._foot(mapped(self.level.to_table, _finite(point_px)), 0.0)
        return self._standing_on(foot), *self._from_first(foot)

    def _foot(self, seen: Array, height: float) -> Array:
        """Where something stands that is seen so high above its foot: on a domino, else on the table."""
        foot = self.view.lowered(seen, height)
        return foot if self._cell(foot) in self.covered else self.view.lowered(seen, height - TILE_HEIGHT)

    def _standing_on(self, foot: Array) -> Cell | None:
        cell = self._cell(foot)
        return cell if self.near(cell) else None

    def _behind(self, foot: Array, top: Array, reach: float) -> list[Cell]:
        """The cells with dominoes that something hides which reaches so far around its foot, and its top as seen."""
        cells = sorted(self.covered)
        points = np.array([[cell.col, cell.row] for cell in cells], float).reshape(-1, 1, 2) + _WITHIN
        start, end = mapped(inverse(self.to_table), np.stack([foot, top]))
        way = end - start
        along = np.clip((points - start) @ way / max(float(way @ way), 1e-9), 0, 1)
        far = np.linalg.norm(points - start - along[..., None] * way, axis=-1)
        return [cell for cell, part in zip(cells, (far < reach).mean(axis=1), strict=True) if part > _HIDDEN]

    def _cell(self, on_table: Array) -> Cell:
        col, row = np.floor(mapped(inverse(self.to_table), on_table))
        return Cell(int(row), int(col))

    def _edge(self, die: DieDetection) -> float:
        """How long a die's edges are, in halves: its top is nearer to the camera than the tiles and looks larger."""
        center, half = _finite(die.center_px), float(_finite((die.edge_px, 0.0))[0]) / 2
        across = mapped(self.level.to_table, center + np.array([[-half, 0], [half, 0], [0, -half], [0, half]]))
        sides = across[1] - across[0], across[3] - across[2]
        edge = float(np.sqrt(abs(sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0])))
        return edge * self.view.height / (self.view.height + edge)

    def _from_first(self, on_table: Array) -> tuple[float, float]:
        first = self.level.middles[0] if len(self.level.middles) else np.zeros(2)
        x, y = (round(float(v), 3) for v in on_table - first)
        return x, y


def _finite(point_px: Point) -> Array:
    return np.asarray(np.clip(np.nan_to_num(np.array(point_px, float)), -1e6, 1e6))
