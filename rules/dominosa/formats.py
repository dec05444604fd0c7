"""The ways in which Dominosa problems are written: plain grids, Don Kirkby's diagrams, and game ids.

A game id is that of Simon Tatham's portable puzzle collection: the order, a colon, and the numbers row by row in n + 1
rows of n + 2, one digit each or two in brackets, "1:001011", "10:3[10]0...". A letter for the difficulty may stand
after the order, "6dh:...".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.board import EMPTY, Board, Cell, Placed
from rules.board_text import JOINTS
from rules.domino import HIGHEST_PIPS, pips_text
from rules.errors import BadText
from rules.grid import Grid, WrittenNumber, require_full_set, written_rows
from rules.words import said

_ID = re.compile(r"\s*(\d{1,3})(?:d[a-z])?([:#])")
_NUMBER = re.compile(r"(\d)|\[(\d{1,3})\]")


def read_problem(text: str) -> tuple[Grid, Board]:
    """The grid that a text holds, and the dominoes whose edges are drawn there. Raises BadText with line and column."""
    if _ID.match(text):
        return read_game_id(text), EMPTY
    grid = Grid.parse(text)
    return grid, Board(tuple(_joined(text)))


def read_game_id(text: str) -> Grid:
    """The grid of a game id. Raises BadText with line and column."""
    head = _ID.match(text)
    if not head:
        raise BadText("a game id begins with the order and a colon, as 6:", *_place(text, 0))
    order = int(head[1])
    if head[2] == "#":
        raise BadText("this is a seed, not a game id: the numbers follow a colon", *_place(text, head.end() - 1))
    if not 1 <= order <= HIGHEST_PIPS:
        raise BadText(f"the order is 1 to {HIGHEST_PIPS}, not {order}", *_place(text, head.start(1)))
    numbers = list(_listed(text, head.end()))
    expected = (order + 1) * (order + 2)
    if len(numbers) != expected:
        at = numbers[expected] if len(numbers) > expected else None
        place = (at.line, at.column) if at else _place(text, len(text.rstrip()))
        raise BadText(f"order {order} takes {expected} numbers, not {len(numbers)}", *place)
    cols = order + 2
    rows = [numbers[first : first + cols] for first in range(0, expected, cols)]
    require_full_set(rows)
    return Grid(tuple(tuple(number.pips for number in row) for row in rows))


def game_id(grid: Grid) -> str:
    """A grid as the portable collection takes it; one that is taller than wide is turned a quarter clockwise."""
    rows = grid.rows if grid.size[0] < grid.size[1] else tuple(zip(*reversed(grid.rows), strict=True))
    numbers = (number for row in rows for number in row)
    return f"{len(rows) - 1}:" + "".join(str(number) if number < 10 else f"[{number}]" for number in numbers)


def plain_text(grid: Grid) -> str:
    """A grid with a row a line and a character a number."""
    return "\n".join("".join(map(pips_text, row)) for row in grid.rows)


def diagram_text(grid: Grid, laid: Board = EMPTY) -> str:
    """A grid as the book prints it, with the edges of the dominoes that lie there: `2|2 1`."""
    edges = Board(tuple(placed for placed in laid.placed if grid.pips.keys() >= set(placed.cells)))
    lines = [list(line) for line in str(grid).replace("\n\n", f"\n{' ' * (2 * grid.size[1] - 1)}\n").split("\n")]
    for placed in edges.placed:
        (head, tail) = placed.cells
        lines[head.row + tail.row][head.col + tail.col] = "|" if head.row == tail.row else "-"
    return "\n".join("".join(line).rstrip() for line in lines)


def _listed(text: str, start: int) -> Iterator[WrittenNumber]:
    end = len(text.rstrip())
    while start < end:
        number = _NUMBER.match(text, start)
        if not number:
            reason = f"{text[start]!r} is no number: one digit is, or two in brackets, as [10]"
            raise BadText(reason, *_place(text, start))
        yield WrittenNumber(int(number[1] or number[2]), *_place(text, start))
        start = number.end()


def _joined(text: str) -> Iterator[Placed]:
    """The dominoes whose edges are drawn. Raises BadText at a wrong edge, and at a domino that is there twice."""
    cells = {
        (number.line, number.column): (Cell(row, col), number.pips)
        for row, line in enumerate(written_rows(text))
        for col, number in enumerate(line)
    }
    taken: set[Cell] = set()
    seen = set()
    for line, written in enumerate(text.splitlines(), 1):
        for column, letter in enumerate(written, 1):
            if letter not in JOINTS:
                continue
            down, right = (0, 1) if letter == "|" else (1, 0)
            ends = [cells.get((line + sign * down, column + sign * right)) for sign in (-1, 1)]
            placed = _laid(letter, ends, line, column)
            if not taken.isdisjoint(placed.cells):
                raise BadText("this edge joins a number that is joined already", line, column)
            if placed.domino in seen:
                raise BadText(f"the {said(placed.domino)} is there twice", line, column)
            taken.update(placed.cells)
            seen.add(placed.domino)
            yield placed


def _laid(letter: str, ends: list[tuple[Cell, int] | None], line: int, column: int) -> Placed:
    one, other = ends
    if one is None or other is None or other[0] not in one[0].neighbours():
        raise BadText(f"the edge {letter} needs a number on both sides", line, column)
    return Placed.on(one[0], other[0], one[1], other[1])


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column, from 1, of a character."""
    before = text[:at]
    return before.count("\n") + 1, at - before.rfind("\n")
