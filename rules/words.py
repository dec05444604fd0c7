"""How numbers, players, dominoes and places are said in a sentence; players, rows and columns are counted from 1."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.board import Cell
from rules.board_text import PIPS
from rules.domino import Domino
from rules.game import Seat


def listing(parts: Sequence[str], last: str = "and") -> str:
    """Parts in a row: "a", "a and b", "a, b and c"."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def count(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 domino", "3 dominoes" (`many` where an s is not enough)."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def often(number: int) -> str:
    """How many times: "twice"."""
    return {1: "once", 2: "twice", 3: "three times"}.get(number, f"{number} times")


def player(seat: Seat) -> str:
    """A player's name: seat 0 is "Player 1"."""
    return f"Player {seat + 1}"


def pair(one: int, other: int) -> str:
    """Two halves as they lie: "2-4"."""
    return f"{one}-{other}"


def said(domino: Domino) -> str:
    """A domino of the set, the lower half first: "2-4"."""
    return pair(domino.low, domino.high)


def is_reading(text: str) -> bool:
    """Whether a text is two halves as "24", and not another word for what was seen, as "face down"."""
    return len(text) == 2 and set(text) <= set(PIPS)


def said_reading(text: str, turned: bool = False) -> str:
    """A reading written as "24", said as "2-4", or as "4-2" if turned; other words stay as they are."""
    if not is_reading(text):
        return text
    return pair(*map(PIPS.index, reversed(text) if turned else text))


def turning(turn: int) -> str:
    """How a table comes round to the rows and columns that are told; "" where it lies so. turn: quarters clockwise."""
    ways = ("", "a quarter clockwise", "half round", "a quarter counterclockwise")
    return f"Rows, columns and directions are told as they are with the table turned {ways[turn]}." if turn else ""


def where(cells: Collection[Cell]) -> str:
    """Places in words: "row 1, column 2", "rows 1 and 2, column 3", "row 1, ...; row 2, ...".

    What lies before the first row or column is told from there: "the row above row 1, columns 2 and 3".
    """
    rows: dict[int, list[int]] = {}
    for cell in sorted(cells):
        rows.setdefault(cell.row + 1, []).append(cell.col + 1)
    same: dict[tuple[int, ...], list[int]] = {}
    for row, columns in rows.items():
        same.setdefault(tuple(columns), []).append(row)
    return "; ".join(
        f"{_lines('row', 'above', rows)}, {_lines('column', 'left of', columns)}" for columns, rows in same.items()
    )


def _lines(name: str, before: str, numbers: Sequence[int]) -> str:
    outside = sorted(1 - number for number in numbers if number < 1)
    inside = [number for number in numbers if number >= 1]
    parts = [_beyond(name, before, outside)] if outside else []
    return listing([*parts, *([_numbered(name, inside)] if inside else [])])


def _numbered(name: str, numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [part for run in runs for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return f"{name if len(numbers) == 1 else name + 's'} {listing(parts)}"


def _beyond(name: str, before: str, steps: Sequence[int]) -> str:
    """Rows above the first, or columns left of it, by how many steps they are from it."""
    first = f"{before} {name} 1"
    if list(steps) == [1]:
        return f"the {name} {first}"
    if list(steps) == list(range(1, len(steps) + 1)):
        return f"the {len(steps)} {name}s {first}"
    return f"{listing(list(map(str, steps)))} {name}s {first}"
