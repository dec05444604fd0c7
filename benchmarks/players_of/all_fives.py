"""Players of All Fives to measure against one another; each chooses from what its seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.all_fives.line import End
from rules.all_fives.scoring import points_for
from rules.all_fives.state import Action, FivesMove, FivesState, Lay
from rules.game import Game

FivesGame = Game[FivesState, FivesMove]


def greedy(game: FivesGame, state: FivesState, moves: Sequence[FivesMove], chance: Random) -> FivesMove:
    """Takes the most points there are now, of equal ones with the heaviest domino; draws only where it must."""

    def gain(move: FivesMove) -> tuple[int, int]:
        if not isinstance(move, Lay):
            return -1, 0
        line = state.line.extended(move.domino, move.end or End.RIGHT, move.in_line)
        return points_for(line.total), move.domino.high + move.domino.low

    return max(moves, key=gain)


def by_chance(game: FivesGame, state: FivesState, moves: Sequence[FivesMove], chance: Random) -> FivesMove:
    """Any move, but draws only where nothing else can be done."""
    return chance.choice([move for move in moves if move is not Action.DRAW] or list(moves))
