"""A mountain of dominoes in text: the board, and below a line of "===" where the priests stand."""

from __future__ import annotations

from rules.board import Board, Cell, Placed, Way
from rules.climbing.state import COLUMNS, DOMINOES, HOMES, LETTERS, PEAK, Pilgrimage, Rows
from rules.entries import parted
from rules.errors import BadText
from rules.words import count, said

_ENDS = (0, COLUMNS + 1)


def parse_pilgrimage(text: str, ends: bool = False) -> Pilgrimage:
    """The mountain that a text draws, as `str` writes it; without a picture of the priests, they wait on the ground.

    ends: whether the peak's dominoes may lie at the two ends, two columns left bare in the middle. Raises BadText with
    line and column.
    """
    parts = parted(text)
    board = Board.parse(parts.above if parts else text)
    moved_out = ends and board.size[1] == COLUMNS + 2
    columns = _columns(board, moved_out)
    rows: Rows = (tuple(placed.head for placed in columns), tuple(placed.tail for placed in columns))
    if not parts:
        if moved_out:
            raise BadText('below the board a line "===" and a picture of the priests are needed')
        return Pilgrimage(rows)
    priests = _priests(parts.below.splitlines(), parts.lines + 1, Pilgrimage(rows, (), moved_out))
    return Pilgrimage(rows, priests, moved_out)


def _columns(board: Board, moved_out: bool) -> list[Placed]:
    """The dominoes from left to right as they were laid at first. Raises BadText unless they are a mountain."""
    if not board.placed:
        raise BadText("there is no domino here")
    wanted = [col for col in range(COLUMNS + 2) if col - 1 not in PEAK] if moved_out else list(range(COLUMNS))
    for number, placed in enumerate(board.placed):
        if placed.way is not Way.DOWN or placed.cell.row or placed.cell.col not in wanted:
            raise _at(
                placed, f"{COLUMNS} upright dominoes side by side are a mountain, and {placed} is not one of them"
            )
        if placed.domino not in DOMINOES:
            raise _at(placed, f"{placed} is not in the set: a mountain has no doubles and no sixes")
        if any(twin.domino == placed.domino for twin in board.placed[:number]):
            raise _at(placed, f"{placed} is there twice")
    if len(board.placed) != COLUMNS:
        left = ", ".join(
            said(domino) for domino in DOMINOES if domino not in {placed.domino for placed in board.placed}
        )
        raise BadText(
            f"a mountain has {count(COLUMNS, 'domino', 'dominoes')}, not {len(board.placed)}; left are {left}"
        )
    lying = list(board.placed)
    return [*lying[1:6], lying[0], lying[-1], *lying[6:-1]] if moved_out else lying


def _priests(lines: list[str], first: int, mountain: Pilgrimage) -> tuple[Cell, ...]:
    """The cells of P, N, B and R in a picture of two lines that begins at this line of the text."""
    found: dict[str, Cell] = {}
    for row, line in enumerate(lines[:2]):
        for at, letter in enumerate(line.rstrip()):
            cell = Cell(row, at - 1)
            if letter != "." and (letter not in LETTERS or letter in found):
                raise BadText(
                    f"the letters P, N, B and R stand here once each, and dots, not {letter!r}", first + row, at + 1
                )
            if letter != "." and cell not in mountain.numbers and cell not in HOMES:
                raise BadText(f"priest {letter} stands beyond the mountain", first + row, at + 1)
            if letter != ".":
                found[letter] = cell
    if lines[2:] and any(line.strip() for line in lines[2:]):
        raise BadText("the picture of the priests has two lines", first + 2)
    missing = [letter for letter in LETTERS if letter not in found]
    if missing:
        raise BadText(f"priest {missing[0]} stands nowhere", first)
    return tuple(found[letter] for letter in LETTERS)


def _at(placed: Placed, reason: str) -> BadText:
    return BadText(reason, 2 * placed.cell.row + 1, 2 * placed.cell.col + 1)
