"""Freecell by chance: a set shuffled into columns, and deals of a grade, which are solved to know that they are one."""

from __future__ import annotations

from random import Random

from rules.domino import DominoSet
from rules.errors import BadText
from rules.freecell.reading import parse_variant
from rules.freecell.search import best_first
from rules.freecell.tableau import SETS, Carry, Tableau, Variant
from rules.game import Generated
from rules.watch import Watch
from rules.words import count, listing

GRADES = ("easy", "medium", "hard")
# By the tiles moved out of the way in a solution; with a double-six set one deal in ten is hard, else one in three.
MEDIUM_FROM = {6: 3, 9: 24, 12: 76}
HARD_FROM = {6: 5, 9: 34, 12: 102}
DEALS = 100
MOST_STATES = 10_000


def dealt(chance: Random, highest: int, variant: Variant) -> Tableau:
    """A whole set, shuffled into columns as nearly equal as can be."""
    tiles = [domino for domino in DominoSet(highest) if domino.low]
    chance.shuffle(tiles)
    columns = (tuple(tiles[suit::highest]) for suit in range(highest))
    return Tableau(((), *columns), (0,) * (highest + 1), variant)


def make_deal(chance: Random, difficulty: str, watch: Watch) -> Generated[Tableau, Carry] | None:
    """A deal that can be solved, of a grade, as "hard 9 suited"; None where none came of this chance, or `watch` ended.

    Raises ValueError for words that name no grade, set or variant.
    """
    grade, highest, variant = _asked(difficulty)
    bound = Watch(watch.limit_s, min(watch.most_states, MOST_STATES), clock=watch.clock)
    for number in range(DEALS):
        start = dealt(chance, highest, variant)
        moves = best_first(start, bound).moves or ()
        detours = sum(move.to is not None for move in moves)
        if moves and _grade(highest, detours) == grade:
            note = f"{count(len(moves), 'move')}, {detours} of them out of the way."
            return Generated(start, str(start), moves, difficulty, float(detours), note)
        if not watch.goes_on(number, 0):
            return None
    return None


def _grade(highest: int, detours: int) -> str:
    if detours < MEDIUM_FROM[highest]:
        return "easy"
    return "medium" if detours < HARD_FROM[highest] else "hard"


def _asked(difficulty: str) -> tuple[str, int, Variant]:
    """The grade, the highest number of the set, and the variant that a difficulty names."""
    grade, _, rest = difficulty.partition(" ")
    number, _, words = rest.partition(" ")
    sets = {str(highest): highest for highest in SETS}
    if number not in sets or words.startswith("free cell"):
        number, words = str(SETS[0]), rest
    try:
        variant = parse_variant(words)
    except BadText as bad:
        raise ValueError(f"{difficulty!r} is no difficulty: {bad.reason}, and {listing(list(sets))} are sets") from None
    if grade not in GRADES:
        raise ValueError(
            f"{difficulty!r} is no difficulty: {listing(GRADES, 'or')} are, with a set or a variant after it"
        )
    return grade, sets[number], variant
