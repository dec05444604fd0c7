"""A rectangle of numbers without domino edges: what a Dominosa problem is made of, and how it is read from text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from rules.board import Cell, corner, extent
from rules.board_text import PIPS
from rules.domino import HIGHEST_PIPS, DominoSet, pips_text
from rules.errors import BadText
from rules.words import count, listing


@dataclass(frozen=True)
class Grid:
    """A filled rectangle of numbers, row by row. `str` draws it as problems are printed; `Grid.parse` reads that."""

    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if not self.rows or not self.rows[0] or len({len(row) for row in self.rows}) > 1:
            raise ValueError("a grid has at least one row and its rows are equally long")

    @classmethod
    def of(cls, pips: Mapping[Cell, int]) -> Grid:
        """The grid that numbers on cells make. Raises ValueError unless they fill one rectangle."""
        (height, width), first = extent(pips), corner(pips)
        if len(pips) < height * width:
            raise ValueError("the numbers do not fill a rectangle")
        return cls(tuple(tuple(pips[first.shifted(row, col)] for col in range(width)) for row in range(height)))

    @classmethod
    def parse(cls, text: str) -> Grid:
        """The full-set grid that a text holds: a row a line, numbers as 0-9 and a-f, with or without spaces.

        Empty lines and domino edges (`|`, `-`) are passed over. Raises BadText, with the line and column of the
        first fault, unless each number from 0 to n comes n + 2 times in n + 1 rows of n + 2, or the other way round.
        """
        lines = list(written_rows(text))
        if not lines:
            raise BadText("there is no grid here: one row of numbers a line is needed")
        _require_rectangle(lines)
        require_full_set(lines)
        return cls(tuple(tuple(number.pips for number in line) for line in lines))

    def __reduce__(self) -> tuple[type[Grid], tuple[tuple[tuple[int, ...], ...]]]:
        return Grid, (self.rows,)  # the view below cannot be sent to another process

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def set(self) -> DominoSet:
        """The full set that a grid of this size takes."""
        return DominoSet(min(self.size) - 1)

    @cached_property
    def pips(self) -> Mapping[Cell, int]:
        """For each cell, its number; (0, 0) is the top left one."""
        numbered = enumerate(self.rows)
        return MappingProxyType({Cell(row, col): pips for row, line in numbered for col, pips in enumerate(line)})

    def __str__(self) -> str:
        return "\n\n".join(" ".join(map(pips_text, row)) for row in self.rows)


@dataclass(frozen=True)
class WrittenNumber:
    """One number of a text and where it stands, line and column from 1."""

    pips: int
    line: int
    column: int


def takes_full_set(rows: int, cols: int) -> bool:
    """Whether a full set of dominoes fills a rectangle of this size."""
    return abs(rows - cols) == 1 and 2 <= min(rows, cols) <= HIGHEST_PIPS + 1


def written_rows(text: str) -> Iterator[list[WrittenNumber]]:
    """The numbers of a text, line by line, past empty lines and edges. Raises BadText at anything else."""
    for line, written in enumerate(text.splitlines(), 1):
        if not set(written) <= set(" -|"):
            yield list(_numbers(written.rstrip(), line))


def _numbers(written: str, line: int) -> Iterator[WrittenNumber]:
    spaced = " " in written.strip()
    for column, letter in enumerate(written, 1):
        if letter in PIPS:
            if spaced and column > 1 and written[column - 2] in PIPS:
                raise BadText("a number is one character, 0 to 9, then a to f for 10 to 15", line, column - 1)
            yield WrittenNumber(PIPS.index(letter), line, column)
        elif letter not in " |":
            raise BadText(f"{letter!r} is no number: 0 to 9, then a to f for 10 to 15", line, column)


def _require_rectangle(lines: list[list[WrittenNumber]]) -> None:
    width = len(lines[0])
    for line in lines:
        if len(line) != width:
            at = line[width] if len(line) > width else line[-1]
            raise BadText(f"this row has {len(line)} numbers and the first has {width}", at.line, at.column)
    if not takes_full_set(len(lines), width):
        needed = "a full set to n fills n + 1 rows of n + 2, or the other way round, with n from 1 to 15"
        raise BadText(f"{len(lines)} by {width} numbers are no full set: {needed}", lines[-1][-1].line)


def require_full_set(lines: list[list[WrittenNumber]]) -> None:
    """Raises BadText, with its place, at a number that is too high, or comes too often for a full set."""
    highest = min(len(lines), len(lines[0])) - 1
    seen: Counter[int] = Counter()
    for number in _flat(lines):
        if number.pips > highest:
            reason = f"{number.pips} is too high: {len(lines)} rows of {len(lines[0])} take 0 to {highest}"
            raise BadText(reason, number.line, number.column)
        seen[number.pips] += 1
        if seen[number.pips] > highest + 2:
            reason = f"this is one {number.pips} too many: a full set has each number {highest + 2} times"
            raise BadText(f"{reason}, and {_too_few(lines, highest)}", number.line, number.column)


def _too_few(lines: Iterable[list[WrittenNumber]], highest: int) -> str:
    """Which numbers come too seldom for a full set."""
    there = Counter(number.pips for number in _flat(lines))
    seldom = [f"the {pips} {count(there[pips], 'time')}" for pips in range(highest + 1) if there[pips] < highest + 2]
    return f"here it has {listing(seldom)}"


def _flat(lines: Iterable[list[WrittenNumber]]) -> Iterator[WrittenNumber]:
    return (number for line in lines for number in line)
