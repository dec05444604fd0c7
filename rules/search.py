"""Looking for the shortest way to win a game, whichever it is."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import TypeAlias, TypeVar

from rules.game import Expands, Game, IllegalMove, Solution
from rules.watch import Watch

S = TypeVar("S")
M = TypeVar("M")

Came: TypeAlias = dict[S, tuple[S, M] | None]


def plays(game: Game[S, M], state: S) -> Iterable[tuple[M, S]]:
    """Every legal move in a state, with the state that it leads to."""
    return _expansion(game)(state)


def _expansion(game: Game[S, M]) -> Callable[[S], Iterable[tuple[M, S]]]:
    return game.plays if isinstance(game, Expands) else partial(_tried, game)


def _tried(game: Game[S, M], state: S) -> Iterator[tuple[M, S]]:
    play = game.play
    for move in game.candidates(state):
        try:
            yield move, play(state, move)
        except IllegalMove:
            continue


def breadth_first(game: Game[S, M], start: S, watch: Watch) -> Solution[M]:
    """A shortest solution: all states that are one move away are looked at, then all that are two away, and so on."""
    came: Came[S, M] = {start: None}
    ended = game.outcome(start)
    if ended:
        return Solution(() if ended.won else None, 1, 0, True)
    frontier, moves, expand = [start], 0, _expansion(game)
    while frontier:
        reached: list[S] = []
        moves += 1
        for state in frontier:
            if not watch.goes_on(len(came), moves):
                return Solution(None, len(came), moves)
            for move, after in expand(state):
                if after in came:
                    continue
                came[after] = state, move
                ended = game.outcome(after)
                if ended is None:
                    reached.append(after)
                elif ended.won:
                    return Solution(_way(came, after), len(came), moves, True)
        frontier = reached
    return Solution(None, len(came), moves, True)


def nearest_first(game: Game[S, M], start: S, estimate: Callable[[S], int], watch: Watch) -> Solution[M]:
    """A shortest solution by A*: the states that may be nearest to the goal are looked at first.

    estimate: a number of moves that is never more than a solution still takes.
    """
    came: Came[S, M] = {start: None}
    taken = {start: 0}
    number, expand = count(), _expansion(game)
    waiting = [(estimate(start), 0, next(number), start)]
    while waiting:
        least, neg_moves, _, state = heapq.heappop(waiting)
        if -neg_moves > taken[state]:
            continue
        ended = game.outcome(state)
        if ended and ended.won:
            return Solution(_way(came, state), len(came), least, True)
        if not watch.goes_on(len(came), least):
            return Solution(None, len(came), least)
        for move, after in () if ended else expand(state):
            moves = taken[state] + 1
            if moves < taken.get(after, moves + 1):
                taken[after], came[after] = moves, (state, move)
                heapq.heappush(waiting, (moves + estimate(after), -moves, next(number), after))
    return Solution(None, len(came), 0, True)


def _way(came: Came[S, M], state: S) -> tuple[M, ...]:
    moves = []
    while step := came[state]:
        state, move = step
        moves.append(move)
    return tuple(reversed(moves))
