"""What happened between two looks at a table: the moves that were made, or what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from rules.game import Game, IllegalMove, Narrows, Problem, Slips

S = TypeVar("S")
M = TypeVar("M")

MOST_MOVES = 3
MOST_WITH_SLIP = 2
MOST_STRAIGHT = 100  # more than there are dominoes


@dataclass(frozen=True)
class Explanation(Generic[M]):
    """What led from one state to what is seen.

    moves: the moves that were made; none where nothing changed, or where no moves explain it. slip: which of them the
    rules forbid, counted from 0, None where there is none. problems: what went wrong, () where every move is legal.
    """

    moves: tuple[M, ...] = ()
    slip: int | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the table may look like that."""
        return not self.problems


class _Path(NamedTuple, Generic[S, M]):
    """Moves that were made, the state they lead to, and the one that was a slip: its place, its state, its refusal."""

    moves: tuple[M, ...]
    state: S
    slip: tuple[int, S, IllegalMove] | None = None


def explain(game: Game[S, M], before: S, seen: S, most: int = MOST_MOVES) -> Explanation[M]:
    """The fewest legal moves that lead to what is seen; else the fewest moves one of which the rules forbid.

    A game that knows how players go wrong (`Slips`) is asked what they may have tried, and what differs where nothing
    explains the table. The cells of the problems are then those of the table that `seen` was read from.
    """
    if game.agrees(before, seen):
        return Explanation()
    straight = _straight(game, before, seen) if isinstance(game, Narrows) else ()
    if straight:
        return Explanation(straight)
    lawful: list[list[_Path[S, M]]] = [[_Path((), before)]]
    known = {before}
    for _ in range(most):
        reached = []
        for path in _further(game, lawful[-1], seen):
            if path.state not in known:
                known.add(path.state)
                reached.append(path)
                if game.agrees(path.state, seen):
                    return Explanation(path.moves)
        lawful.append(reached)
    for path in _with_slip(game, lawful, seen):
        if game.agrees(path.state, seen):
            return _blamed(game, path, seen)
    return Explanation(problems=tuple(_differences(game, before, seen)))


def _with_slip(game: Game[S, M], lawful: list[list[_Path[S, M]]], seen: S) -> Iterator[_Path[S, M]]:
    """Paths with one forbidden move, the shortest first; of equal ones those first whose slip came last."""
    astray: list[_Path[S, M]] = []
    for paths in lawful[:MOST_WITH_SLIP]:
        slipped = [after for path in paths for after in _slips(game, path, seen)]
        onward = list(_further(game, astray, seen))
        yield from slipped
        yield from onward
        astray = slipped + onward


def _straight(game: Game[S, M], before: S, seen: S) -> tuple[M, ...]:
    """However many moves, each of which brings the table nearer to what is seen; () where they do not suffice."""
    assert isinstance(game, Narrows)
    state, made = before, list[M]()
    while not game.agrees(state, seen):
        step = next(_allowed(game, state, game.towards(state, seen)), None)
        if step is None or len(made) > MOST_STRAIGHT:
            return ()
        made.append(step[0])
        state = step[1]
    return tuple(made)


def _allowed(game: Game[S, M], state: S, moves: Iterable[M]) -> Iterator[tuple[M, S]]:
    """Those of the moves that the rules allow, each with the state it leads to."""
    for move in moves:
        try:
            yield move, game.play(state, move)
        except IllegalMove:
            continue


def _further(game: Game[S, M], paths: list[_Path[S, M]], seen: S) -> Iterator[_Path[S, M]]:
    for path in paths:
        moves = game.towards(path.state, seen) if isinstance(game, Narrows) else game.candidates(path.state)
        for move, after in _allowed(game, path.state, moves):
            yield _Path((*path.moves, move), after, path.slip)


def _slips(game: Game[S, M], path: _Path[S, M], seen: S) -> Iterator[_Path[S, M]]:
    state = path.state
    tried = game.attempts(state, seen) if isinstance(game, Slips) else game.candidates(state)
    for move in tried:
        try:
            game.play(state, move)
        except IllegalMove as refused:
            after = refused.after
            if after is not None:
                yield _Path((*path.moves, move), after, (len(path.moves), state, refused))


def _blamed(game: Game[S, M], path: _Path[S, M], seen: S) -> Explanation[M]:
    assert path.slip
    number, state, refused = path.slip
    problem = refused.problem
    if number:
        first = ", ".join(map(str, path.moves[:number]))
        problem = Problem(f"After {first}, {problem.text[0].lower()}{problem.text[1:]}", problem.cells)
    return Explanation(path.moves, number, (_pointed(game, state, seen, problem),))


def _differences(game: Game[S, M], before: S, seen: S) -> Iterator[Problem]:
    told = game.differences(before, seen) if isinstance(game, Slips) else ()
    problems = [_pointed(game, seen, seen, problem) for problem in told]
    yield from problems or [Problem("No move leads from the last table to this one.")]


def _pointed(game: Game[S, M], state: S, seen: S, problem: Problem) -> Problem:
    if not isinstance(game, Slips):
        return problem
    return problem.moved(lambda cell: game.on_table(state, seen, cell))
