"""Players of cooperative Mountains and Valleys that look no further than the next placement."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.game import Game
from rules.laying import Lay
from rules.mountains.frames import frames
from rules.mountains.state import TILES
from rules.mountains_together.advice import sensible
from rules.mountains_together.state import TogetherMove, TogetherState

TogetherGame = Game[TogetherState, TogetherMove]


def greedy(game: TogetherGame, visible: TogetherState, moves: Sequence[TogetherMove], chance: Random) -> TogetherMove:
    """Passes the domino that meets its neighbours best, and lays it where it does; keeps 6 by 6 possible."""
    return sensible(game, visible)[0][0]


def tidy(game: TogetherGame, visible: TogetherState, moves: Sequence[TogetherMove], chance: Random) -> TogetherMove:
    """Any move by chance, but no placement that makes 6 by 6 impossible, if another one is among a few tried."""
    move = chance.choice(moves)
    for _ in range(20):
        if not isinstance(move, Lay) or len(visible.board.placed) + 1 == TILES:
            return move
        if any(frames(visible.board.laid(move.placed))):
            return move
        move = chance.choice(moves)
    return move
