"""Players of the race of Bee: one who claims in haste and errs, and one who is sure of the solution."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.bee_race.moves import Claim, Fly, RaceMove, TimeUp
from rules.bee_race.state import Phase, Race
from rules.bee_race.thinking import Thinker, advised
from rules.game import Game
from rules.watch import Watch

RaceGame = Game[Race, RaceMove]
SURE = Thinker(sees=1.0)
SHARE_OF_CLAIMS, SHARE_OF_ERRORS = 0.4, 0.2


def hasty(game: RaceGame, visible: Race, moves: Sequence[RaceMove], chance: Random) -> RaceMove:
    """Claims anything, or waits for the end of the time; flies well for the most part."""
    if visible.phase is Phase.SOLVING:
        ends: list[RaceMove] = [move for move in moves if isinstance(move, TimeUp)]
        claims: list[RaceMove] = [move for move in moves if isinstance(move, Claim)]
        return chance.choice(ends if ends and (not claims or chance.random() > SHARE_OF_CLAIMS) else claims)
    if chance.random() < SHARE_OF_ERRORS:
        return chance.choice(moves)
    return careful(game, visible, moves, chance)


def careful(game: RaceGame, visible: Race, moves: Sequence[RaceMove], chance: Random) -> RaceMove:
    """Claims what the solver finds, and flies it."""
    found = advised(visible, Watch(), chance, SURE)
    usual: list[RaceMove] = [move for move in moves if isinstance(move, Fly)] or list(moves)
    return found[0].move if found else chance.choice(usual)
