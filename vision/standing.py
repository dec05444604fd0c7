"""Where things stand: on which covered cell, and how far from the first tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.board import Cell
from rules.table import Die, Piece, Tetromino
from vision.level import inverse, moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.level import Array, Level
    from vision.scene import DieDetection, PawnDetection, Point, TetrominoDetection


@dataclass(frozen=True, eq=False)
class Ground:
    """The table as pieces stand on it: places in halves from the first tile's middle, and the cells under dominoes.

    to_table: (3, 3) homography from (column, row) to the table in halves. covered: empty where there is no grid.
    """

    level: Level
    to_table: Array
    covered: frozenset[Cell]

    def lying(self, tile: int) -> tuple[float, float, float]:
        """A tile's middle, and its direction from head to tail in degrees clockwise from right."""
        return *self._from_first(self.level.middles[tile]), round(float(np.rad2deg(self.level.angles[tile])), 1)

    def dice(self, seen: Sequence[DieDetection]) -> tuple[Die, ...]:
        """Each die with its place."""
        return tuple(Die(die.value, *self._at(die.center_px)) for die in seen)

    def pieces(self, seen: Sequence[PawnDetection]) -> tuple[Piece, ...]:
        """Each pawn or token with its place."""
        return tuple(Piece(pawn.color, *self._at(pawn.center_px)) for pawn in seen)

    def tetrominoes(self, seen: Sequence[TetrominoDetection]) -> tuple[Tetromino, ...]:
        """Each tetromino with the cells under its squares; none where there is no grid to lie on."""
        if not self.covered:
            return ()
        return tuple(Tetromino(tuple(map(self._under, piece.centers_px)), piece.light) for piece in seen)

    def _at(self, point_px: Point) -> tuple[Cell | None, float, float]:
        cell = self._under(point_px) if self.covered else None
        return cell if cell in self.covered else None, *self._from_first(self._on_table(point_px))

    def _under(self, point_px: Point) -> Cell:
        col, row = np.floor(moved(inverse(self.to_table), self._on_table(point_px)))
        return Cell(int(row), int(col))

    def _on_table(self, point_px: Point) -> Array:
        return moved(self.level.to_table, np.array(point_px, float))

    def _from_first(self, on_table: Array) -> tuple[float, float]:
        first = self.level.middles[0] if len(self.level.middles) else np.zeros(2)
        x, y = (round(float(v), 3) for v in on_table - first)
        return x, y
