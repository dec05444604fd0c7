"""Whether the game on a table is over: what `check` answers in games that players play to an end."""

from __future__ import annotations

from typing import Any

from rules.certainty import doubt_notes
from rules.game import NOTHING, Game, Problem, UnreadableTable, Verdict
from rules.table import Table


def judged(game: Game[Any, Any], table: Table, before: Any, *, bare: bool, what: str = "game") -> Verdict:
    """The verdict on a table: what keeps it from being one of the game, or that the game is not over.

    bare: whether nothing of the game lies there.
    """
    if bare:
        return Verdict.of([NOTHING])
    notes = doubt_notes(table.doubts, lambda cell: cell)
    try:
        over = game.outcome(game.read(table, before))
    except UnreadableTable as unreadable:
        return Verdict.of(unreadable.problems, table.doubts, notes)
    return Verdict.of([] if over else [Problem(f"The {what} is not over.")], table.doubts, notes)
