"""What can be asked of any game: its legal moves, what happened, whether the table is right, how it can be won."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import TypeVar

from rules import inference
from rules.certainty import doubt_notes
from rules.game import (
    Checks,
    Deals,
    Estimates,
    Game,
    Halfway,
    Hint,
    Hints,
    IllegalMove,
    Mover,
    Notates,
    Points,
    Problem,
    Solution,
    Solves,
    UnreadableTable,
    Verdict,
)
from rules.inference import Explanation
from rules.players import Owes, Suggestion, Suggests, is_contest
from rules.search import breadth_first, nearest_first, plays
from rules.table import Table
from rules.watch import Watch
from rules.words import count, where

S = TypeVar("S")
M = TypeVar("M")

HOPELESS = "There is no solution from here: take moves back, or begin again."


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


def hint(game: Game[S, M], state: S, level: int = 1, watch: Watch | None = None, hopeless: str = HOPELESS) -> Hint:
    """Help in one sentence: a nudge (level 1), the place (2) or the move (3).

    A game with hints of its own is asked first; where several play, the hint is about the best advice. Any other is
    solved, and the hint is about the solution's first move. hopeless: what is said where it has none.
    """
    own = game.hint(state, level) if isinstance(game, Hints) else None
    if own:
        return own
    if is_contest(game):
        return _advice(game, state, level, watch)
    solution = solve(game, state, watch)
    if not solution.moves:
        return Hint(_without_moves(solution, watch.limit_s if watch else None, hopeless), level=level)
    move = solution.moves[0]
    left = f"{count(len(solution.moves), 'move')} from here will do"
    if level <= 1:
        return Hint(f"{left}.", level=1)
    cells = tuple(game.cells(state, move)) if isinstance(game, Points) else ()
    if level == 2 and cells:
        return Hint(f"{left}; the next one begins at {where(cells)}.", cells, 2)
    return Hint(f"Next: {game.describe(state, move)} ({move})", cells, level)


def unadvised(game: Game[S, M], state: S) -> str:
    """What is owed in a state in which nothing can be advised, and why that is, where nobody knows the hand."""
    owed = game.owed(state) if isinstance(game, Owes) else ""
    who, hands = game.to_move(state), getattr(state, "hands", ())
    if isinstance(who, Mover) or who >= len(hands) or not getattr(hands[who], "unknown", 0):
        return owed
    what = "all that" if getattr(hands[who], "known", ()) else "what"
    unknown = f"Nobody knows {what} player {who + 1} has: the hand has to be shown, or named."
    return f"{owed} {unknown}".strip()


def _advice(game: Game[S, M], state: S, level: int, watch: Watch | None) -> Hint:
    """A hint about the best move that is known to whoever is to move, from no more than that seat can see."""
    found = suggest(game, state, watch)
    if not found:
        return Hint(unadvised(game, state) or "There is nothing to advise.", level=level)
    best, who = found[0], game.to_move(state)
    seen = state if isinstance(who, Mover) else game.visible(state, who)
    cells = tuple(game.cells(seen, best.move)) if isinstance(game, Points) else ()
    nudge = best.nudge or best.reason
    if level <= 1:
        return Hint(nudge, level=1)
    if level == 2:
        begins = f"The best move that is known begins at {where(cells)}." if cells else ""
        owed = game.owed(seen) if isinstance(game, Owes) else ""
        return Hint(best.place or begins or f"{owed} {nudge}".strip(), cells, 2)
    return Hint(f"Next: {game.describe(seen, best.move)} ({best.move})", cells, level)


def _without_moves(solution: Solution[M], limit_s: float | None, hopeless: str) -> str:
    if solution.moves is not None:
        return "The goal is reached."
    if solution.proved:
        return hopeless
    within = f" within {limit_s:g} seconds" if limit_s is not None else ""
    least = f"; there is none of fewer than {solution.at_least} moves" if solution.at_least > 1 else ""
    return f"No solution was found{within}{least}."


def suggest(
    game: Game[S, M], state: S, watch: Watch | None = None, chance: Random | None = None
) -> tuple[Suggestion[M], ...]:
    """Good moves for whoever is to move, the best first, from no more than that seat can see; () where none are known.

    A game that gives advice is asked; a puzzle is solved, and the solution's first move advised.
    """
    watch, chance = watch or Watch(), chance or Random(0)
    if game.outcome(state):
        return ()
    who = game.to_move(state)
    seen = state if isinstance(who, Mover) else game.visible(state, who)
    if isinstance(game, Suggests):
        found: tuple[Suggestion[M], ...] = game.suggest(seen, watch, chance)
        return found
    solution = solve(game, seen, watch)
    if not solution.moves:
        return ()
    guessed = "" if seen == state else ", if what nobody sees is as guessed"
    left = f"{count(len(solution.moves), 'move')} from here will do{guessed}."
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


def left_to_do(game: Game[S, M], before: S, table: Table) -> str:
    """What is still to be done until the table tells a move, in a sentence; "" where it tells all, or something is
    wrong."""
    try:
        seen = game.read(table, before)
    except UnreadableTable as unreadable:
        return str(unreadable) if all(problem.unfinished for problem in unreadable.problems) else ""
    return game.left_to_do(before, seen) if isinstance(game, Halfway) else ""


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
