"""Games of Tetradominoes for its tests: a grid to play on, and whole games."""

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.players_of.tetradominoes import by_chance
from rules.board import Cell
from rules.engine import replay
from rules.game import IllegalMove
from rules.games.tetradominoes import GAME
from rules.tetradominoes.state import Act, Cover, Grid, Move

FIRST = """
players: 2
hand 1: 63 64 00 11
===
2|3

2 4
- -
5 5
"""


SECOND = """
players: 2
hand 1: 64 00 11 22
===
2|4

  4
  -
  5
"""


def after(moves: str, text: str = FIRST) -> Grid:
    return replay(GAME, GAME.start(text), moves)[0]


def refusal(moves: str, text: str = FIRST) -> str:
    with pytest.raises(IllegalMove) as refused:
        after(moves, text)
    return str(refused.value)


def placements(state: Grid) -> tuple[Cover, ...]:
    """Every tetromino that the game offers to play."""
    return tuple(move for move in GAME.candidates(state) if isinstance(move, Cover))


def a_game(seed: int, players: int = 1, variant: str = "", player: Callable[..., Move] = by_chance) -> list[Grid]:
    """The states of a game, from the set-up to the end."""
    chance = Random(seed)
    states = [GAME.set_up(players, chance, variant)]
    while not GAME.outcome(states[-1]):
        states.append(GAME.play(states[-1], chosen(states[-1], player, chance)))
    return states


def chosen(state: Grid, player: Callable[..., Move], chance: Random) -> Move:
    moves = list(GAME.candidates(state))
    if player is by_chance:
        return chance.choice([move for move in moves if move is not Act.DONE] or moves)
    return player(GAME, GAME.visible(state, state.turn), moves, chance)


L_CELLS = (Cell(0, 1), Cell(1, 1), Cell(1, 2), Cell(1, 3))


STUCK = "players: 2\nhand 1: 66 55 44 22\nhand 2: 10 20 30 40\npile: 33 +18\n===\n1|1"


ALONE = "variant: level 1\nhand 1: 66 55 44 22\npile: 33 40 50 60 +19\n===\n1|1"


KINDS = [(1, "level 1"), (1, "level 2"), (2, ""), (3, ""), (4, ""), (2, "tournament"), (4, "tournament")]
