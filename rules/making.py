"""Making up problems: starts are proposed by chance, all that can be reached from each is looked at, the best is kept.

Looking at all positions, and judging a problem by what they look like, is Don Kirkby's way of finding his problems.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from rules.game import Game, Generated
from rules.search import plays
from rules.watch import Watch
from rules.words import count, listing

S = TypeVar("S")
M = TypeVar("M")

MOST_POSITIONS = 1_500
"""A problem from which more positions can be reached is left aside: nobody could say what it is like."""

CHOICE = 3
"""The most interesting of so many fitting problems is kept."""


@dataclass(frozen=True)
class Grade:
    """A grade of difficulty: its name, the lengths of a shortest solution, and how many dominoes a problem has."""

    name: str
    moves: range
    dominoes: range


def require_grade(difficulty: str, grades: Iterable[str]) -> None:
    """Raises ValueError, in a sentence, for a difficulty that is none of a game's grades."""
    known = tuple(grades)
    if difficulty not in known:
        raise ValueError(f"{difficulty!r} is no difficulty: {listing(known, 'or')} are, with nothing after it")


@dataclass(frozen=True)
class Maze(Generic[S, M]):
    """All positions that can be reached from a start, with the legal moves between them.

    left: for each position from which the puzzle can be solved, how many moves that takes at the least.
    """

    start: S
    onward: Mapping[S, tuple[tuple[M, S], ...]]
    left: Mapping[S, int]

    @property
    def solution(self) -> tuple[M, ...]:
        """The first of the shortest solutions."""
        return tuple(move for move, _ in self.way())

    def way(self) -> list[tuple[M, S]]:
        """The moves of that solution, each with the position before it."""
        state, made = self.start, []
        while self.left[state]:
            nearer = self.left[state] - 1
            move, after = next((move, after) for move, after in self.onward[state] if self.left.get(after) == nearer)
            made.append((move, state))
            state = after
        return made

    @property
    def astray(self) -> float:
        """The share of legal moves, at the positions of that solution, that do not come nearer to the end."""
        wrong, legal = 0, 0
        for _, state in self.way():
            nearer = sum(self.left.get(after) == self.left[state] - 1 for _, after in self.onward[state])
            wrong, legal = wrong + len(self.onward[state]) - nearer, legal + len(self.onward[state])
        return wrong / legal if legal else 0.0

    @property
    def lost(self) -> float:
        """The share of positions from which the puzzle can be solved no more."""
        return 1 - len(self.left) / len(self.onward)


def explored(game: Game[S, M], start: S, most: int = MOST_POSITIONS) -> Maze[S, M] | None:
    """All that can be reached from a start; None where that is more positions than `most`."""
    onward: dict[S, tuple[tuple[M, S], ...]] = {}
    backward: defaultdict[S, list[S]] = defaultdict(list)
    won, known, waiting = [], {start}, [start]
    for state in waiting:
        ended = game.outcome(state)
        onward[state] = () if ended else tuple(plays(game, state))
        won += [state] if ended and ended.won else []
        for _, after in onward[state]:
            backward[after].append(state)
            if after not in known:
                known.add(after)
                waiting.append(after)
        if len(known) > most:
            return None
    return Maze(start, onward, _distances(won, backward))


def _distances(won: list[S], backward: Mapping[S, list[S]]) -> dict[S, int]:
    left = dict.fromkeys(won, 0)
    waiting = list(won)
    for state in waiting:
        for before in backward.get(state, ()):
            if before not in left:
                left[before] = left[state] + 1
                waiting.append(before)
    return left


def made_up(
    game: Game[S, M],
    chance: Random,
    grade: Grade,
    propose: Callable[[Random, Grade], S | None],
    watch: Watch,
) -> Generated[S, M] | None:
    """The most interesting of a few problems of that grade; None where `watch` ended before there was one.

    propose: draws a start, None where that came to nothing. Watch counts the positions of all starts together.
    """
    best: Generated[S, M] | None = None
    fits, seen, tries = 0, 0, 0
    while fits < CHOICE and watch.goes_on(seen, tries):
        tries += 1
        start = propose(chance, grade)
        maze = None if start is None else explored(game, start)
        seen += len(maze.onward) if maze else 1
        if maze and maze.left.get(maze.start, 0) in grade.moves:
            fits += 1
            problem = _told(maze, grade)
            best = max(best or problem, problem, key=lambda made: made.interest)
    return best


def _told(maze: Maze[S, M], grade: Grade) -> Generated[S, M]:
    """Interesting is what takes many moves, at every one of which there are others that lead astray."""
    moves, astray, lost = maze.solution, maze.astray, maze.lost
    length = count(len(moves), "move")
    note = f"{length}; {astray:.0%} of the moves on the way lead astray, {lost:.0%} of the positions are lost."
    return Generated(maze.start, str(maze.start), moves, grade.name, round(len(moves) * astray + lost, 3), note)
