"""Games of Domino Finder for its tests: a shuffle that is known, and players."""

from random import Random

import pytest

from benchmarks.players_of.finder import by_chance
from rules.engine import legal_moves, replay
from rules.finder.state import (
    Idle,
    Move,
    Search,
)
from rules.game import CHANCE, IllegalMove
from rules.games.finder import GAME

ROWS = """
row 1: 10 54 32 61
row 2: 22 20 43 55
row 3: 31 64 30 42
row 4: 66 40 21 53
row 5: 50 51 11 62
row 6: 44 63 65 06
row 7: 33 00 52 41
"""


BEGUN = f"players: 2\ndice: 53\n{ROWS}"


def after(moves: str, text: str = BEGUN) -> Search:
    return replay(GAME, GAME.start(text), moves)[0]


def refusal(moves: str, text: str = BEGUN) -> str:
    with pytest.raises(IllegalMove) as refused:
        after(moves, text)
    return str(refused.value)


def a_game(seed: int, players: int = 2, player: object = by_chance) -> list[Search]:
    """The states of a game, from the set-up to the end."""
    chance = Random(seed)
    states = [GAME.set_up(players, chance)]
    while not GAME.outcome(states[-1]):
        states.append(GAME.play(states[-1], chosen(states[-1], player, chance)))
    return states


def chosen(state: Search, player: object, chance: Random) -> Move:
    assert callable(player)
    if GAME.to_move(state) is CHANCE:
        moves, weights = zip(*GAME.chances(state), strict=True)
        move: Move = chance.choices(moves, weights)[0]
        return move
    visible = GAME.visible(state, state.turn)
    if player is by_chance:
        return chance.choice([m for m in GAME.candidates(visible) if m is not Idle.PASS] or [Idle.PASS])
    found: Move = player(GAME, visible, list(legal_moves(GAME, visible)), chance)
    return found
