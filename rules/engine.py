"""What can be asked of any game: its legal moves, the move that was made, whether the table is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rules.game import Checks, Game, IllegalMove, Problem, UnreadableTable, Verdict
from rules.table import Table

S = TypeVar("S")
M = TypeVar("M")


def legal_moves(game: Game[S, M], state: S) -> Iterator[M]:
    """Every move that the rules allow in a state, one after the other."""
    return (move for move, _ in _plays(game, state))


def find_move(game: Game[S, M], state: S, seen: S) -> M | None:
    """The legal move that turns a state into the one that is seen; None where no single move does."""
    return next((move for move, after in _plays(game, state) if game.agrees(after, seen)), None)


def check(game: Game[S, M], table: Table, before: S | None = None) -> Verdict:
    """Whether the table is right, and every fault if it is not; `before` is the start of the problem that was set.

    A game that looks layouts over for itself is asked; any other is read, and is right when it is won. A reading that
    is in doubt is never taken for granted: the verdict is then "undecided", unless it is "unsolved" all the same.
    """
    if isinstance(game, Checks):
        verdict: Verdict = game.check(table, before)
        return verdict
    if table.doubts:
        return Verdict.of((), table.doubts)
    try:
        outcome = game.outcome(game.read(table, before))
    except UnreadableTable as unreadable:
        return Verdict.of(unreadable.problems)
    if outcome is None:
        return Verdict.of([Problem("The game is not over.")])
    return Verdict.of([] if outcome.won else [Problem(outcome.reason)])


def _plays(game: Game[S, M], state: S) -> Iterator[tuple[M, S]]:
    for move in game.candidates(state):
        try:
            yield move, game.play(state, move)
        except IllegalMove:
            continue
