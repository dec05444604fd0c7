"""A start left to chance, for games that deal one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.engine import deal
from rules.game import Deals
from rules.puzzles import BadProblem

if TYPE_CHECKING:
    from rules.game import Game

USUAL_SIZES = (8, 28, 18, 12)  # tried in this order: Unmatched takes eight, Freecell all 28, a map 18, Fujisan twelve


def dealt(rules: Game[Any, Any], seed: int, size: int | None = None) -> Any:
    """So many dominoes by chance, or of the usual numbers the first that the game takes.

    Raises BadProblem for a game that deals none, and for a number of dominoes that it cannot be played with.
    """
    if not isinstance(rules, Deals):
        raise BadProblem(f"{rules.info.title} deals no problems.")
    for number in (size,) if size else USUAL_SIZES:
        try:
            return deal(rules, seed, number)
        except ValueError as error:
            refused = error
    raise BadProblem(f"{rules.info.title}: {refused}.")
