"""What happened between two looks at a table: the moves that were made, or what went wrong."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from rules.game import Game, IllegalMove, Narrows, Problem, Slips
from rules.players import is_contest
from rules.watch import Watch

S = TypeVar("S")
M = TypeVar("M")

MOST_MOVES = 3
MOST_WITH_SLIP = 2
MOST_STRAIGHT = 100  # more than there are dominoes
LIMIT_S = 1.0
SHARE_OF_LAWFUL = 0.7
UNCLEAR = Problem("Too much may have happened since the last look to tell what: show the table after every move.")


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


class _Patience:
    """How much longer moves are tried. spent: whether some were left untried."""

    def __init__(self, limit_s: float) -> None:
        # The time of this thread: a busy machine makes an answer late, but not another one.
        self._watch, self._tries, self.spent = Watch(limit_s, clock=time.thread_time), 0, False

    def lasts(self) -> bool:
        """Whether one more move may be tried."""
        self._tries += 1
        self.spent = self.spent or not self._watch.goes_on(self._tries, 0)
        return not self.spent


def explain(game: Game[S, M], before: S, seen: S, most: int = MOST_MOVES, limit_s: float = LIMIT_S) -> Explanation[M]:
    """The fewest legal moves that lead to what is seen; else the fewest moves one of which the rules forbid.

    A game that knows how players go wrong (`Slips`) is asked what they may have tried, and what differs where nothing
    explains the table. The cells of the problems are then those of the table that `seen` was read from. Where `limit_s`
    seconds of work do not suffice to try everything, the first problem says so.
    """
    if game.agrees(before, seen):
        return Explanation()
    straight = _straight(game, before, seen) if isinstance(game, Narrows) else ()
    if straight:
        return Explanation(straight)
    legally = _Patience(SHARE_OF_LAWFUL * limit_s)
    lawful: list[list[_Path[S, M]]] = [[_Path((), before)]]
    for reached in _levels(game, before, seen, most, legally):
        lawful.append(reached)
        if reached and game.agrees(reached[-1].state, seen):
            return Explanation(reached[-1].moves)
    wrongly = _Patience((1 - SHARE_OF_LAWFUL) * limit_s)
    for path in _with_slip(game, lawful, seen, wrongly):
        if game.agrees(path.state, seen):
            return _blamed(game, before, path, seen)
    unclear = (UNCLEAR,) if legally.spent or wrongly.spent else ()
    return Explanation(problems=(*unclear, *_differences(game, before, seen)))


def _levels(game: Game[S, M], before: S, seen: S, most: int, patience: _Patience) -> Iterator[list[_Path[S, M]]]:
    """All that one legal move leads to, all that two do, and so on; a level ends with what agrees with the table."""
    known, level = {before}, [_Path[S, M]((), before)]
    for _ in range(most):
        reached = []
        for path in _further(game, level, seen, patience):
            if path.state not in known:
                known.add(path.state)
                reached.append(path)
                if game.agrees(path.state, seen):
                    break
        yield reached
        level = reached


def _with_slip(
    game: Game[S, M], lawful: list[list[_Path[S, M]]], seen: S, patience: _Patience
) -> Iterator[_Path[S, M]]:
    """Paths with one forbidden move, the shortest first; of equal ones those first whose slip came last."""
    astray: list[_Path[S, M]] = []
    for paths in lawful[:MOST_WITH_SLIP]:
        slipped = [after for path in paths for after in _slips(game, path, seen, patience)]
        onward = list(_further(game, astray, seen, patience))
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


def _allowed(
    game: Game[S, M], state: S, moves: Iterable[M], patience: _Patience | None = None
) -> Iterator[tuple[M, S]]:
    """Those of the moves that the rules allow, each with the state it leads to."""
    for move in moves:
        if patience and not patience.lasts():
            return
        try:
            yield move, game.play(state, move)
        except IllegalMove:
            continue


def _further(game: Game[S, M], paths: list[_Path[S, M]], seen: S, patience: _Patience) -> Iterator[_Path[S, M]]:
    for path in paths:
        moves = game.towards(path.state, seen) if isinstance(game, Narrows) else game.candidates(path.state)
        for move, after in _allowed(game, path.state, moves, patience):
            yield _Path((*path.moves, move), after, path.slip)


def _slips(game: Game[S, M], path: _Path[S, M], seen: S, patience: _Patience) -> Iterator[_Path[S, M]]:
    state = path.state
    tried = game.attempts(state, seen) if isinstance(game, Slips) else game.candidates(state)
    for move in tried:
        if not patience.lasts():
            return
        try:
            game.play(state, move)
        except IllegalMove as refused:
            after = refused.after
            if after is not None:
                yield _Path((*path.moves, move), after, (len(path.moves), state, refused))


def _blamed(game: Game[S, M], before: S, path: _Path[S, M], seen: S) -> Explanation[M]:
    assert path.slip
    number, state, refused = path.slip
    problem = refused.problem
    if number:
        problem = Problem(_told_after(game, before, path.moves[:number], problem.text), problem.cells)
    return Explanation(path.moves, number, (_pointed(game, state, seen, problem),))


def _told_after(game: Game[S, M], state: S, moves: Iterable[M], text: str) -> str:
    """What is wrong after legal moves; where several play, nobody at the table need know how moves are written."""
    if not is_contest(game):
        return f"After {', '.join(map(str, moves))}, {text[0].lower()}{text[1:]}"
    told = []
    for move in moves:
        told.append(game.describe(state, move))
        state = game.play(state, move)
    return " ".join([*told, text])


def _differences(game: Game[S, M], before: S, seen: S) -> Iterator[Problem]:
    told = game.differences(before, seen) if isinstance(game, Slips) else ()
    problems = [_pointed(game, seen, seen, problem) for problem in told]
    yield from problems or [Problem("No move leads from the last table to this one.")]


def _pointed(game: Game[S, M], state: S, seen: S, problem: Problem) -> Problem:
    if not isinstance(game, Slips):
        return problem
    return problem.moved(lambda cell: game.on_table(state, seen, cell))
