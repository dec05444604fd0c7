"""A position as it can be drawn on paper: what lies on the table, and what a player has to see besides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.board import Cell
from rules.table import Table


@dataclass(frozen=True)
class Diagram:
    """A position to print, or to copy on a real table.

    table: the dominoes, dice, pawns and all else that lies there, in cells. numbers: numbers that are printed on cells
    with no domino on them, as in Dominosa. queue: dominoes that wait beside the board, in order, as (left, right).
    lines: ways over the cells, each from cell to cell. marked: cells that are lit. caption: one line below it all.
    ranks, files: how rows and columns are called, from cell (0, 0) on. checkered: whether they are those of a board.
    """

    table: Table = Table()
    numbers: tuple[tuple[Cell, int], ...] = ()
    queue: tuple[tuple[int, int], ...] = ()
    lines: tuple[tuple[Cell, ...], ...] = ()
    marked: tuple[Cell, ...] = ()
    caption: str = ""
    ranks: str = ""
    files: str = ""
    checkered: bool = False

    @property
    def blank(self) -> bool:
        """Whether nothing is to be seen but the caption."""
        return replace(self, caption="", marked=()) == Diagram()
