"""The 6 by 6 squares that a map may still become, and how dominoes could cover what is free of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from rules.board import Board, Cell
from rules.mountains.heights import SIDE


def squares_at(corner: Cell) -> tuple[Cell, ...]:
    """The cells of the 6 by 6 square with this top left, row by row."""
    return tuple(corner.shifted(row, col) for row in range(SIDE) for col in range(SIDE))


def frames(board: Board) -> Iterator[Cell]:
    """The top left of each 6 by 6 square around a board whose free squares dominoes can cover."""
    (rows, cols), first = board.size, board.top_left
    if not board.placed:
        rows = cols = SIDE
    for row in range(first.row + rows - SIDE, first.row + 1):
        for col in range(first.col + cols - SIDE, first.col + 1):
            corner = Cell(row, col)
            if covering([cell for cell in squares_at(corner) if cell not in board.owner]) is not None:
                yield corner


def covering(squares: Collection[Cell], chance: Random | None = None) -> list[tuple[Cell, Cell]] | None:
    """One way to cover squares with dominoes, at random if `chance` is given; None where there is no way.

    Squares are black and white as on a chessboard, and each domino pairs one of each: a matching, grown one augmenting
    path after the other.
    """
    black = [cell for cell in sorted(squares) if (cell.row + cell.col) % 2 == 0]
    if 2 * len(black) != len(squares):
        return None
    if chance:
        chance.shuffle(black)
    partner: dict[Cell, Cell] = {}
    white = frozenset(squares).difference(black)

    def pair_up(cell: Cell, seen: set[Cell]) -> bool:
        near = [other for other in cell.neighbours() if other in white and other not in seen]
        if chance:
            chance.shuffle(near)
        for other in near:
            if other not in seen:
                seen.add(other)
                if other not in partner or pair_up(partner[other], seen):
                    partner[other] = cell
                    return True
        return False

    if not all(pair_up(cell, set()) for cell in black):
        return None
    return sorted((min(one, other), max(one, other)) for one, other in partner.items())
