"""What can be asked of any game: its legal moves, what happened, whether the table is right, how it can be won."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import TypeVar

from rules import inference
from rules.board import Board, Placed
from rules.certainty import doubt_notes
from rules.domino import Domino
from rules.fit import Fit, best_fits
from rules.game import (
    Checks,
    Deals,
    Draws,
    Estimates,
    Expected,
    Game,
    Hint,
    Hints,
    IllegalMove,
    Mover,
    Notates,
    Points,
    Problem,
    Promises,
    Solution,
    Solves,
    UnreadableTable,
    Verdict,
)
from rules.inference import Explanation
from rules.players import Suggestion, Suggests
from rules.search import breadth_first, nearest_first, plays
from rules.table import Table
from rules.watch import Watch
from rules.words import count, where

S = TypeVar("S")
M = TypeVar("M")

MOST = 0.6  # of a state's dominoes: so many tell where on the table the others have to lie
LAYING_S = 0.3  # of work to think of the ways to lay a domino


def legal_moves(game: Game[S, M], state: S) -> Iterator[M]:
    """Every move that the rules allow in a state, one after the other."""
    return (move for move, _ in plays(game, state))


def find_move(game: Game[S, M], state: S, seen: S) -> M | None:
    """The legal move that turns a state into the one that is seen; None where no single move does."""
    return next((move for move, after in plays(game, state) if game.agrees(after, seen)), None)


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


def promised(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Domino, ...]:
    """The dominoes that lie on the table if the game is played by its rules, each at most once; () if it cannot say."""
    return tuple(game.dominoes(table, before)) if isinstance(game, Promises) else ()


def expected(game: Game[S, M], before: S | None = None) -> tuple[Expected, ...]:
    """Which pieces of each kind lie on the table; as many as in the state before, where pieces always stay."""
    pieces = game.info.pieces
    if before is None or not isinstance(game, Draws):
        return pieces
    table = game.diagram(before).table
    lying = {"die": table.dice, "pawn": table.pawns, "token": table.tokens, "tetromino": table.tetrominoes}
    counts = {one.kind: len(lying[one.kind]) for one in pieces if one.least}
    told = [replace(one, least=n, most=n) if (n := counts.get(one.kind)) else one for one in pieces]
    colors = tuple(pawn.color_name for pawn in table.pawns)
    return tuple(replace(one, colors=colors) if one.kind == "pawn" and one.by_color else one for one in told)


def lacking(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Placed, ...]:
    """The dominoes of the state before that a table lacks, each where it must lie on the table's own cells.

    Most of the others have to lie there, which tell where that is, and nothing else in their places.
    """
    fit = _fit(game, table, before)
    if before is None or fit is None or not isinstance(game, Draws):
        return ()
    return _free(game.diagram(before).table.board.placed, table, fit)


def playable(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Placed, ...]:
    """The dominoes that the next move may lay on a table or to another place of it, each on the table's own cells."""
    fit = _fit(game, table, before)
    if before is None or fit is None or not isinstance(game, Draws):
        return ()
    watch = Watch(LAYING_S, clock=time.thread_time)
    lying = {placed.domino for placed in table.board.placed}
    laid = takewhile(lambda _: watch.goes_on(0, 0), _laid(game, before, lying))
    return _free(dict.fromkeys(laid), table, fit)


def shows(game: Game[S, M], table: Table, state: S) -> bool:
    """Whether what a table shows lies as in a state, of whose dominoes some may have been overlooked."""
    fit = _fit(game, table, state)
    if fit is None or not isinstance(game, Draws):
        return False
    wanted = {*game.diagram(state).table.board.placed}
    return all(placed.moved(fit.apply) in wanted for placed in table.board.placed)


def _laid(game: Game[S, M], state: S, lying: Collection[Domino], *, hidden: bool = False) -> Iterator[Placed]:
    """What each legal move lays that does not lie there yet, on the cells of the state; after moves that nobody sees,
    what the next ones lay."""
    assert isinstance(game, Draws)
    board = game.diagram(state).table.board
    for _, after in plays(game, state):
        now = game.diagram(after).table.board
        if now == board and not hidden:
            yield from _laid(game, after, lying, hidden=True)
        elif now != board:
            rows, cols = _step(board, now)
            yield from (placed.shifted(-rows, -cols) for placed in now.placed if placed.domino not in lying)


def _step(one: Board, other: Board) -> tuple[int, int]:
    """How far most dominoes lie from where they lay: a state may count its cells anew from its corner."""
    at = {placed.domino: placed.cell for placed in one.placed}
    steps = Counter(
        (placed.cell.row - old.row, placed.cell.col - old.col)
        for placed in other.placed
        if (old := at.get(placed.domino)) is not None
    )
    return steps.most_common(1)[0][0] if steps else (0, 0)


def _fit(game: Game[S, M], table: Table, before: S | None) -> Fit | None:
    """From the cells of a table to those of the state before, most of whose dominoes have to lie there."""
    if before is None or not isinstance(game, Draws):
        return None
    wanted = game.diagram(before).table.board
    if not wanted.placed:
        return None
    for fit in best_fits(table.board, table.board, wanted.pips)[:1]:
        lying = table.board.moved(fit.apply)
        if len(set(lying.placed) & set(wanted.placed)) >= MOST * len(wanted.placed):
            return fit
    return None


def _free(placed: Iterable[Placed], table: Table, fit: Fit) -> tuple[Placed, ...]:
    """Those dominoes on the cells of the table, in whose places nothing lies."""
    moved = (one.moved(fit.undo) for one in placed)
    return tuple(one for one in moved if not any(cell in table.board.owner for cell in one.cells))


def solve(game: Game[S, M], state: S, watch: Watch | None = None) -> Solution[M]:
    """The fewest moves that win from a state, or the proof that none do, or what was found until `watch` ended it.

    A game with a solver of its own is asked, which may be content with any solution and says so by `proved`.
    """
    watch = watch or Watch()
    if isinstance(game, Solves):
        solution: Solution[M] = game.solve(state, watch)
        return solution
    if isinstance(game, Estimates):
        return nearest_first(game, state, game.estimate, watch)
    return breadth_first(game, state, watch)


def hint(game: Game[S, M], state: S, level: int = 1, watch: Watch | None = None) -> Hint:
    """Help in one sentence: a nudge (level 1), the place (2) or the move (3).

    A game with hints of its own is asked first; any other is solved, and the hint is about the solution's first move.
    """
    own = game.hint(state, level) if isinstance(game, Hints) else None
    if own:
        return own
    solution = solve(game, state, watch)
    if not solution.moves:
        return Hint(_without_moves(solution), level=level)
    move = solution.moves[0]
    left = f"{count(len(solution.moves), 'move')} from here will do"
    if level <= 1:
        return Hint(f"{left}.", level=1)
    cells = tuple(game.cells(state, move)) if isinstance(game, Points) else ()
    if level == 2 and cells:
        return Hint(f"{left}; the next one begins at {where(cells)}.", cells, 2)
    return Hint(f"{game.describe(state, move)} ({move})", cells, level)


def _without_moves(solution: Solution[M]) -> str:
    if solution.moves is not None:
        return "The goal is reached."
    if solution.proved:
        return "There is no solution from here: take moves back, or begin again."
    return f"No solution was found; there is none of fewer than {count(solution.at_least, 'move')}."


def suggest(
    game: Game[S, M], state: S, watch: Watch | None = None, chance: Random | None = None
) -> tuple[Suggestion[M], ...]:
    """Good moves for whoever is to move, the best first, from no more than that seat can see; () where none are known.

    A game that gives advice is asked; a puzzle is solved, and the solution's first move advised.
    """
    watch, chance = watch or Watch(), chance or Random(0)
    if game.outcome(state):
        return ()
    if isinstance(game, Suggests):
        who = game.to_move(state)
        seen = state if isinstance(who, Mover) else game.visible(state, who)
        found: tuple[Suggestion[M], ...] = game.suggest(seen, watch, chance)
        return found
    solution = solve(game, state, watch)
    if not solution.moves:
        return ()
    left = f"{count(len(solution.moves), 'move')} from here will do."
    return (Suggestion(solution.moves[0], left, -len(solution.moves)),)


def explain(
    game: Game[S, M],
    before: S,
    seen: S | Table,
    most: int = inference.MOST_MOVES,
    limit_s: float = inference.LIMIT_S,
) -> Explanation[M]:
    """The legal moves that lead from a state to what lies on the table now; if there are none, what went wrong.

    seen: the table, or the state that was read from it. The problems' cells are those of the table. A tile whose
    reading is in doubt is named where nothing legal explains the table. `most` moves are thought of, for `limit_s`
    seconds of work; where that is too little, the answer says so.
    """
    if not isinstance(seen, Table):
        return inference.explain(game, before, seen, most, limit_s)
    try:
        state = game.read(seen, before)
    except UnreadableTable as unreadable:
        return Explanation(problems=unreadable.problems)
    explained = inference.explain(game, before, state, most, limit_s)
    if explained.legal or not seen.doubts:
        return explained
    return Explanation(problems=doubt_notes(seen.doubts, lambda cell: cell))


def replay(game: Game[S, M], state: S, moves: str) -> tuple[S, tuple[M, ...]]:
    """The state after moves in the printed notation, "24R, 24R, 23D", and the moves. Raises IllegalMove at the first
    that is none."""
    made: list[M] = []
    for word in re.findall(r"[^\s,]+", moves):
        for move in named(game, state, word):
            state = game.play(state, move)
            made.append(move)
    return state, tuple(made)


def deal(game: Game[S, M], seed: int, size: int) -> S | None:
    """A start of so many dominoes by chance, the same for the same seed; None for a game that makes up no problems."""
    return game.deal(Random(seed), size) if isinstance(game, Deals) else None


def named(game: Game[S, M], state: S, word: str) -> tuple[M, ...]:
    """The moves that a word in the printed notation names, legal or not. Raises IllegalMove where it names none."""
    if isinstance(game, Notates):
        moves: tuple[M, ...] = game.moves(state, word)
        return moves
    move = next((move for move in game.candidates(state) if str(move) == word), None)
    if move is None:
        raise IllegalMove(f"There is no move {word} here.")
    return (move,)
