"""Rounds of Bee made up by chance, graded by how many moves they take."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rules.bee.search import solve
from rules.bee.setup import SETS, random_board, random_round
from rules.bee.state import BeeState, Flight
from rules.game import Generated
from rules.watch import Watch
from rules.words import count

# The published rounds take 4 to 13 moves, half of them 7 or more.
GRADES = {"easy": range(2, 5), "medium": range(5, 8), "hard": range(8, 100)}
# The fewer dice and the larger board, the longer the way; even so, 8 moves come once in about a hundred rounds.
SMALLEST = {"easy": 0, "medium": 1, "hard": 3}
MOST_DICE = {"easy": 6, "medium": 6, "hard": 4}
BOARDS, ROUNDS = 200, 30


def make_round(chance: Random, difficulty: str, watch: Watch) -> Generated[BeeState, Flight] | None:
    """A round that takes as many moves as its grade asks for; None where none came or `watch` ended it."""
    states = 0
    for state in _rounds(chance, difficulty):
        if not watch.goes_on(states, 0):
            return None
        solution = solve(state, Watch(most_states=watch.most_states))
        states += solution.states_seen
        if solution.moves and len(solution.moves) in GRADES[difficulty]:
            return _told(state, solution.moves, difficulty)
    return None


def _rounds(chance: Random, difficulty: str) -> Iterator[BeeState]:
    for _ in range(BOARDS):
        used = chance.choice(SETS[SMALLEST[difficulty] :])
        board = random_board(chance, used)
        for _ in range(ROUNDS):
            yield random_round(chance, board, min(used.highest, MOST_DICE[difficulty]))


def _told(state: BeeState, moves: tuple[Flight, ...], difficulty: str) -> Generated[BeeState, Flight]:
    """Turns above other dice are what is hard to see: the more there are a move, the more interesting it is."""
    turns = sum(len(flight.legs) - 1 for flight in moves)
    note = f"{count(len(moves), 'move')} with {count(turns, 'turn')} above other dice."
    return Generated(state, str(state), moves, difficulty, round(turns / len(moves), 3), note)
