"""Laying dominoes on cells: the move that the laying games share, and what speaks against it in all of them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino
from rules.game import Problem
from rules.words import listing, often, pair, said, where

_LAY = re.compile(r"([0-9a-f])([0-9a-f])([HV])(?:(-?\d+),(-?\d+)|(\d)(\d))", re.IGNORECASE)


@dataclass(frozen=True)
class Lay:
    """Lay a domino on two cells. `str` is the printed notation: "23V21" is 2 above 3, its top at column 2, row 1.

    A comma parts column and row where one of them has not just one digit: "23H10,1".
    """

    placed: Placed

    @property
    def sentence(self) -> str:
        """The move in words, to be said aloud."""
        return f"The {pair(self.placed.head, self.placed.tail)} is laid at {where(self.placed.cells)}."

    def __str__(self) -> str:
        column, row = self.placed.cell.col + 1, self.placed.cell.row + 1
        comma = "" if 0 <= column <= 9 and 0 <= row <= 9 else ","
        return f"{self.placed}{'H' if self.placed.way is Way.RIGHT else 'V'}{column}{comma}{row}"


def lay_named(text: str) -> Lay | None:
    """The laying that a word names in the printed notation, "23V21"; None where it names none."""
    written = _LAY.fullmatch(text)
    if not written:
        return None
    column, row = int(written[4] or written[6]), int(written[5] or written[7])
    way = Way.RIGHT if written[3] in "Hh" else Way.DOWN
    return Lay(Placed(Cell(row - 1, column - 1), way, int(written[1], 16), int(written[2], 16)))


def objections(placed: Placed, board: Board, allowed: Container[Domino], supply: str) -> Iterator[Problem]:
    """What speaks against one more domino on a board, whatever the game.

    allowed: the dominoes there are, each once. supply: where they come from, as "the double-six set".
    """
    if placed.domino not in allowed:
        yield Problem(
            f"The {pair(placed.head, placed.tail)} at {where(placed.cells)} is not in {supply}.", placed.cells
        )
    covered = tuple(cell for cell in placed.cells if cell in board.owner)
    if covered:
        yield Problem(f"Something lies at {where(covered)} already.", covered)
    twins = [twin for twin in board.placed if twin.domino == placed.domino]
    if twins:
        yield too_often(*twins, placed)


def too_often(*twins: Placed) -> Problem:
    """One domino lies at several places, though there is one of it: how often, and where."""
    places = listing([f"at {where(twin.cells)}" for twin in twins])
    cells = tuple(cell for twin in twins for cell in twin.cells)
    return Problem(f"The {said(twins[0].domino)} is there {often(len(twins))}: {places}.", cells)
