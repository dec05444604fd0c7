"""A start left to chance, for games that deal one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipsight.making import made, orders
from rules.engine import deal, solve
from rules.game import Deals, Generates, Starts
from rules.puzzles import BadProblem
from rules.watch import Watch

if TYPE_CHECKING:
    from rules.game import Game

LOOKED_AT = 5_000  # positions; what takes more to solve is no start for somebody who names no problem
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


def solvable(rules: Game[Any, Any], seed: int) -> Any:
    """A start of that seed which can be solved: the deal, or the easiest problem that is made up by the seed.

    Most deals of dominoes that slide have no solution. Raises BadProblem as `dealt` does.
    """
    start = dealt(rules, seed)
    if solve(rules, start, Watch(most_states=LOOKED_AT)).moves or not isinstance(rules, Generates):
        return start
    problem = made(orders(rules.info.slug, None, seed, 1)[0])
    if problem is None or not isinstance(rules, Starts):
        raise BadProblem(f"{rules.info.title}: no problem came of seed {seed}: choose another one.")
    return rules.start(problem.text)
