"""Help with a map of Mountains and Valleys: which height is scarce, and what may still change on a solved map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from rules.board import Placed
from rules.domino import Domino
from rules.game import Hint
from rules.words import count, listing, pair, where


def scarcest_height(deal: Collection[Domino]) -> Hint | None:
    """As a nudge, the height between others that the fewest squares show: all ways up and down go over it."""
    squares = Counter(half for domino in deal for half in (domino.high, domino.low))
    between = [height for height in squares if min(squares) < height < max(squares)]
    if not between:
        return None
    scarce = min(between, key=lambda height: (squares[height], height))
    shown = f"{count(squares[scarce], 'square shows', 'squares show')} a {scarce}"
    return Hint(f"Only {shown}: lay them where lower and higher ground meet, for no other way joins the two.", (), 1)


def what_may_change(turns: Sequence[Placed], swaps: Sequence[tuple[Placed, Placed]], level: int) -> Hint:
    """On a solved map, the dominoes that can be turned end for end, and those that can change places: how many of them
    (1), or which (2 and 3)."""
    if level <= 1 or not (turns or swaps):
        told = f"{count(len(turns), 'domino', 'dominoes')} could be turned end for end"
        pairs = f"{count(len(swaps), 'pair')} could change places"
        return Hint(f"Every square can be walked to, and still could: {told}, or {pairs}.", (), level)
    cells = tuple(cell for placed in turns for cell in placed.cells)
    parts = [f"turn one of these end for end: {listing([_lying(placed) for placed in turns])}"] if turns else []
    if swaps:
        pairs = listing([f"{_name(one)} with {_name(other)}" for one, other in swaps])
        parts.append(f"change the places of one of these pairs: {pairs}")
    return Hint(f"Every square can be walked to, and still could if you {', or '.join(parts)}.", cells, level)


def _name(placed: Placed) -> str:
    return pair(placed.head, placed.tail)


def _lying(placed: Placed) -> str:
    return f"the {_name(placed)} at {where(placed.cells)}"
