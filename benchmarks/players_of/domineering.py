"""Players of Domineering that look no further than their own turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rules.domineering.bits import Bits
from rules.domineering.outlook import dangers
from rules.domineering.state import Move, Position, Turn
from rules.game import Game


def one_ply(game: Game[Position, Move], visible: Position, moves: Sequence[Move], chance: Random) -> Move:
    """Leaves the other player most dominoes that lose, and itself the fewest; equal turns are drawn by lot."""

    def worth(move: Move) -> float:
        theirs, mine = dangers(Bits.of(game.play(visible, move)))
        return theirs - mine

    return _best(moves, worth, chance)


def peaceful(game: Game[Position, Move], visible: Position, moves: Sequence[Move], chance: Random) -> Move:
    """Leaves both players as few dominoes that lose as it can: only so does a game ever last until all are played."""
    return _best(moves, lambda move: -sum(dangers(Bits.of(game.play(visible, move)))), chance)


def _best(moves: Sequence[Move], worth: Callable[[Move], float], chance: Random) -> Move:
    if not isinstance(moves[0], Turn):
        return moves[0]
    worths = [worth(move) for move in moves]
    return chance.choice([move for move, value in zip(moves, worths, strict=True) if value == max(worths)])
