"""Starts for sliding puzzles: from the end backwards, move by move, each of them one that `play` allows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.game import Game, IllegalMove
from rules.sliding.layout import Layout
from rules.sliding.layout_reading import FULL_SET
from rules.sliding.slide import Slide, slides

BACK = {"R": "L", "L": "R", "U": "D", "D": "U"}
TRIES = 200


def slid_back(game: Game[Layout, Any], after: Layout) -> Iterator[Layout]:
    """Every layout in one group from which one legal slide, which takes nothing away, leads to this one."""
    for made in slides(after):
        if made.holds():
            before = made.layout()
            if leads(game, before, Slide(made.move.tile, BACK[made.move.direction]), after):
                yield before


def leads(game: Game[Layout, Any], before: Layout, slide: Slide, after: Layout) -> bool:
    """Whether a slide is legal and leads from one layout to the other."""
    try:
        return game.play(before, slide) == after
    except IllegalMove:
        return False


def filled_rectangle(chance: Random, dominoes: int) -> Board | None:
    """A rectangle of two rows or more, filled with different dominoes of a double-six set; None without luck."""
    cells = 2 * dominoes
    sizes = [(rows, cells // rows) for rows in range(2, cells // 2 + 1) if cells % rows == 0]
    rows, cols = chance.choice(sizes)
    free = [Cell(row, col) for row in range(rows) for col in range(cols)]
    drawn = chance.sample(FULL_SET.dominoes, dominoes)
    placed: list[Placed] = []
    while free:
        cell = free[0]
        others = [other for other in cell.neighbours()[:2] if other in free]
        if not others:
            return None
        other = chance.choice(others)
        free = [left for left in free if left not in (cell, other)]
        domino = drawn.pop()
        placed.append(Placed.on(cell, other, *chance.sample((domino.high, domino.low), 2)))
    return Board(tuple(placed))


def laid_beside(chance: Random, board: Board, domino: Domino) -> Board:
    """The board with one more domino, laid at random against those that lie there."""
    spots = _spots(board) if board.placed else [(Cell(0, 0), Cell(0, 1)), (Cell(0, 0), Cell(1, 0))]
    one, other = chance.choice(spots)
    return board.laid(Placed.on(one, other, *chance.sample((domino.high, domino.low), 2)))


def _spots(board: Board) -> list[tuple[Cell, Cell]]:
    """Every two free neighbours one of which lies against the board."""
    covered = board.owner
    edge = {cell for lying in covered for cell in lying.neighbours() if cell not in covered}
    pairs = ((cell, other) for cell in edge for other in cell.neighbours() if other not in covered)
    return sorted({(min(pair), max(pair)) for pair in pairs})
