"""Dominoes on cells: the board, what touches what, and the way a board is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from rules.board_text import Written, read_text, write_text
from rules.domino import Domino, pips_text, require_pips
from rules.errors import RulesError


class BoardError(RulesError, ValueError):
    """Dominoes that cannot lie together on one board."""


class Cell(NamedTuple):
    """One square of the table; (0, 0) is the top left one and rows grow down."""

    row: int
    col: int

    def shifted(self, rows: int, cols: int) -> Cell:
        """The cell so many rows below and columns to the right."""
        return Cell(self.row + rows, self.col + cols)

    def turned(self, turns: int) -> Cell:
        """Where a number of quarter turns clockwise about (0, 0) takes this cell."""
        row, col = self.row, self.col
        for _ in range(turns % 4):
            row, col = col, -row
        return Cell(row, col)

    def neighbours(self) -> tuple[Cell, Cell, Cell, Cell]:
        """The cells that share an edge with this one: right, below, left, above."""
        row, col = self
        return Cell(row, col + 1), Cell(row + 1, col), Cell(row, col - 1), Cell(row - 1, col)


class Way(Enum):
    """How a domino lies: its tail is right of its head, or below it."""

    RIGHT = "right"
    DOWN = "down"


@dataclass(frozen=True)
class Placed:
    """A domino on two cells; the head is its left or upper half. `str` gives the halves as they lie: "24"."""

    cell: Cell
    way: Way
    head: int
    tail: int

    def __post_init__(self) -> None:
        require_pips(self.head)
        require_pips(self.tail)

    @classmethod
    def on(cls, one: Cell, other: Cell, pips: int, other_pips: int) -> Placed:
        """A domino with `pips` on one cell and `other_pips` on the other, whichever of them is the head.

        Raises BoardError unless the two cells share an edge.
        """
        if other not in one.neighbours():
            raise BoardError(f"a domino covers two neighbouring cells, not {one} and {other}")
        if other < one:
            one, other, pips, other_pips = other, one, other_pips, pips
        return cls(one, Way.RIGHT if one.row == other.row else Way.DOWN, pips, other_pips)

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The head's cell and the tail's cell."""
        row, col = self.cell
        return self.cell, Cell(row, col + 1) if self.way is Way.RIGHT else Cell(row + 1, col)

    @cached_property
    def domino(self) -> Domino:
        """Which domino of the set this is."""
        return Domino.of(self.head, self.tail)

    def moved(self, where: Callable[[Cell], Cell]) -> Placed:
        """The same domino after each of its cells went to where `where` takes it."""
        head, tail = self.cells
        return Placed.on(where(head), where(tail), self.head, self.tail)

    def shifted(self, rows: int, cols: int) -> Placed:
        """The same domino so many cells further down and further right."""
        return Placed(self.cell.shifted(rows, cols), self.way, self.head, self.tail)

    def __str__(self) -> str:
        return pips_text(self.head) + pips_text(self.tail)


@dataclass(frozen=True)
class Board:
    """Dominoes on cells, none upon another; two boards are equal when the same dominoes lie on the same cells.

    `str` draws the board and `Board.parse` reads it back: one character a half, `|` between a left and a right
    half, `-` under an upper one, blanks where nothing lies:

        2|4 6
            -
        5|5 0

    A board that reaches above or left of (0, 0) is drawn moved down and right until it does not.
    """

    placed: tuple[Placed, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "placed", tuple(sorted(self.placed, key=lambda placed: placed.cell)))
        if len(self.owner) < 2 * len(self.placed):
            raise BoardError("two dominoes lie on the same cell")

    @classmethod
    def parse(cls, text: str) -> Board:
        """The board that a text draws. Raises BadText with the line and column of the first fault."""
        ways = {"|": Way.RIGHT, "-": Way.DOWN}
        written = read_text(text)
        return cls(tuple(Placed(Cell(tile.row, tile.col), ways[tile.joint], tile.head, tile.tail) for tile in written))

    def __reduce__(self) -> tuple[type[Board], tuple[tuple[Placed, ...]]]:
        return Board, (self.placed,)  # the views below cannot be sent to another process

    @cached_property
    def owner(self) -> Mapping[Cell, Placed]:
        """For each covered cell, the domino that lies on it."""
        return MappingProxyType({cell: placed for placed in self.placed for cell in placed.cells})

    @cached_property
    def pips(self) -> Mapping[Cell, int]:
        """For each covered cell, its number of pips."""
        halves = ((placed.cells, (placed.head, placed.tail)) for placed in self.placed)
        return MappingProxyType({cell: pips for pair in halves for cell, pips in zip(*pair, strict=True)})

    @cached_property
    def top_left(self) -> Cell:
        """The top left cell of the smallest rectangle around the dominoes; (0, 0) for an empty board."""
        return corner(placed.cell for placed in self.placed)

    @cached_property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the smallest rectangle around the dominoes; (0, 0) for an empty board."""
        return extent(self.owner)

    def touching(self) -> tuple[tuple[Cell, Cell], ...]:
        """Every contact: two neighbouring cells of different dominoes, the left or upper one first."""
        pairs = ((cell, other) for cell in sorted(self.owner) for other in cell.neighbours()[:2])
        return tuple(pair for pair in pairs if pair[1] in self.owner and self.owner[pair[0]] != self.owner[pair[1]])

    def is_connected(self) -> bool:
        """Whether the dominoes form one group, edge to edge; an empty board does."""
        return len(areas(self.pips, lambda one, other: True)) <= 1

    def laid(self, placed: Placed) -> Board:
        """This board with one more domino. Raises BoardError where something lies there already."""
        return Board((*self.placed, placed))

    def without(self, taken: Collection[Placed]) -> Board:
        """This board after those dominoes were taken away."""
        return Board(tuple(placed for placed in self.placed if placed not in taken))

    def moved(self, where: Callable[[Cell], Cell]) -> Board:
        """This board after each cell went to where `where` takes it."""
        return Board(tuple(placed.moved(where) for placed in self.placed))

    def shifted(self, rows: int, cols: int) -> Board:
        """This board so many rows further down and columns further right."""
        return Board(tuple(placed.shifted(rows, cols) for placed in self.placed)) if rows or cols else self

    def rotated(self, turns: int = 1) -> Board:
        """This board after quarter turns clockwise; the top left of its rectangle stays where it is."""
        turned = self.moved(lambda cell: cell.turned(turns))
        return turned.shifted(self.top_left.row - turned.top_left.row, self.top_left.col - turned.top_left.col)

    def __str__(self) -> str:
        down, right = max(0, -self.top_left.row), max(0, -self.top_left.col)
        joints = {Way.RIGHT: "|", Way.DOWN: "-"}
        return write_text(
            Written(tile.cell.row + down, tile.cell.col + right, joints[tile.way], tile.head, tile.tail)
            for tile in self.placed
        )


EMPTY = Board()


def corner(cells: Iterable[Cell]) -> Cell:
    """The top left cell of the smallest rectangle around some cells; (0, 0) for none."""
    rows, cols = zip(*cells, strict=True) if (cells := tuple(cells)) else ((0,), (0,))
    return Cell(min(rows), min(cols))


def extent(cells: Collection[Cell]) -> tuple[int, int]:
    """Rows and columns of the smallest rectangle around some cells; (0, 0) for none."""
    if not cells:
        return 0, 0
    rows, cols = zip(*cells, strict=True)
    return max(rows) - min(rows) + 1, max(cols) - min(cols) + 1


def areas(cells: Collection[Cell], joined: Callable[[Cell, Cell], bool]) -> tuple[tuple[Cell, ...], ...]:
    """The parts that cells fall into when neighbours hang together only where `joined` says so; biggest first."""
    left = set(cells)
    found = []
    for start in sorted(cells):
        if start not in left:
            continue
        left.remove(start)
        area = [start]
        for cell in area:
            reached = [other for other in cell.neighbours() if other in left and joined(cell, other)]
            left.difference_update(reached)
            area.extend(reached)
        found.append(tuple(sorted(area)))
    return tuple(sorted(found, key=lambda area: (-len(area), area)))
