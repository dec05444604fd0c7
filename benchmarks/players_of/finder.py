"""Players of Domino Finder to measure against one another; each knows what everybody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.board import Cell
from rules.finder.state import Flip, Move, Search, on_board
from rules.game import Game

FinderGame = Game[Search, Move]


def nearest(game: FinderGame, visible: Search, moves: Sequence[Move], chance: Random) -> Move:
    """Flips the nearest domino that nobody has seen, or the treasure where it is next; the traps are left to luck."""
    flips = [move for move in moves if isinstance(move, Flip)]
    if not flips:
        return moves[0]
    chance.shuffle(flips)
    known = [move for move in flips if visible.tile_at(move.half).domino == visible.target]
    unknown = [move for move in flips if not visible.tile_at(move.half).seen]
    if known or not unknown:
        return (known or flips)[0]
    steps = _steps(visible)
    return min(unknown, key=lambda move: steps.get(move.stand, 0))


def by_chance(game: FinderGame, visible: Search, moves: Sequence[Move], chance: Random) -> Move:
    """Any move."""
    return chance.choice(moves)


def _steps(state: Search) -> dict[Cell, int]:
    """How many steps each place is away over what lies open."""
    pawn = state.pawns[state.turn]
    if pawn is None:
        return {}
    steps = {pawn: 0}
    for cell in (queue := [pawn]):
        for other in cell.neighbours():
            if on_board(other) and other not in steps and state.walkable(other):
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps
