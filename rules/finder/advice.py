"""Which domino to flip next: the chance of a trap by row, the safest end, and the way to the likeliest treasure."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from random import Random
from typing import NamedTuple

from rules.board import Cell
from rules.finder.outlook import Outlook
from rules.finder.state import COLS, ROWS, Face, Flip, Idle, Move, Search, halves, hidden, on_board, place_of, square
from rules.finder.turns import flips
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count, said

TRAP_COST = 2.0  # flips that a trap is reckoned as: the turn that is skipped, and the place from which one starts anew
FARTHEST = 5.0  # flips: so far one looks for a place that is worth going to, unless the treasure is remembered
SHOWN = 5


class Way(NamedTuple):
    """A way over face-down dominoes: what it costs in flips, the chance that the treasure is on it, and its end."""

    cost: float
    chance: float
    flips: int
    at: int

    @property
    def worth(self) -> float:
        """The chance of the treasure for each flip."""
        return self.chance / self.cost

    @property
    def cell(self) -> Cell:
        """The half on which it ends."""
        return _CELLS[self.at]


_CELLS = tuple(Cell(row, col) for row in range(ROWS) for col in range(COLS))
_NEAR = tuple(tuple(other.row * COLS + other.col for other in cell.neighbours() if on_board(other)) for cell in _CELLS)


class Field:
    """What it costs to go over each half, and what is to be gained there, looked up once for all ways."""

    def __init__(self, outlook: Outlook) -> None:
        state = outlook.state
        self.down = [state.tile_at(cell).face is Face.DOWN for cell in _CELLS]
        self.open = [state.walkable(cell) for cell in _CELLS]
        self.trap = [outlook.trap(cell) for cell in _CELLS]
        self.gain = [outlook.treasure(place_of(cell)) for cell in _CELLS]
        self.farthest = inf if 1 in self.gain else FARTHEST

    def entered(self, way: Way, at: int) -> Way:
        """The way with one more domino flipped, at this half."""
        return Way(way.cost + 1 + TRAP_COST * self.trap[at], way.chance + self.gain[at], way.flips + 1, at)

    def onward(self, way: Way) -> Iterator[Way]:
        """Every half to which the way may go on."""
        for at in _NEAR[way.at]:
            if self.open[at]:
                yield way._replace(at=at)
            elif self.down[at] and at // 2 != way.at // 2:
                yield self.entered(way, at)
            elif self.down[at] and self.trap[at] < 1:
                # It will lie open by then: only a blank bars the way over its other half.
                yield way._replace(cost=way.cost + self.trap[at], at=at)

    def best(self, first: Cell) -> Way:
        """The way begun by flipping at a half that most likely finds the treasure for its cost (Dijkstra 1959)."""
        best = self.entered(Way(0.0, 0.0, 0, 0), first.row * COLS + first.col)
        reached, queue = {best.at: best.cost}, [best]
        while queue:
            way = heappop(queue)
            if way.cost > self.farthest or 1 / way.cost <= best.worth:
                break
            if way.cost > reached[way.at]:
                continue
            if way.worth > best.worth:
                best = way
            for further in self.onward(way):
                if further.cost < reached.get(further.at, inf):
                    reached[further.at] = further.cost
                    heappush(queue, further)
        return best


def advice(state: Search, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
    """The flips by the chance of finding the treasure for each flip that a way begun with them costs, traps counted."""
    known = hidden(state)
    if state.turn in state.skips:
        return (Suggestion(Idle.SKIP, "A trap costs one turn."),)
    steps: dict[Cell, Flip] = {}
    for flip in flips(known):
        steps.setdefault(flip.half, flip)
    if not steps:
        return (Suggestion(Idle.PASS, "No face-down domino can be reached."),)
    outlook = Outlook(known)
    field = Field(outlook)
    rated: list[tuple[Way, float, Flip]] = []
    for number, flip in enumerate(steps.values()):
        if rated and not watch.goes_on(number, 1):
            break
        rated.append((field.best(flip.half), chance.random(), flip))
    rated.sort(key=lambda entry: (-entry[0].worth, entry[1]))
    return tuple(_told(outlook, flip, way) for way, _, flip in rated[:SHOWN])


def _told(outlook: Outlook, flip: Flip, way: Way) -> Suggestion[Move]:
    """A flip with its reason, and what a hint may give away of it first."""
    reason = f"{_about_trap(outlook, flip)} {_about_treasure(outlook, flip, way)}"
    one, other = map(square, halves(place_of(flip.half)))
    return Suggestion(
        flip, reason, way.worth, _nudge(outlook, flip, way), f"The best flip is that of {one} and {other}."
    )


def _nudge(outlook: Outlook, flip: Flip, way: Way) -> str:
    """How good the best flip is, but not where; of a treasure that was seen, that it is to be remembered."""
    state, chance = outlook.state, outlook.trap(flip.half)
    trap = f"a trap with a chance of {chance:.0%}" if chance else "no trap"
    if state.target is None:
        return f"The best flip is {trap}."
    wanted = f"the {said(state.target)}"
    if any(tile.seen and tile.domino == state.target for tile in state.tiles):
        return f"Remember where {wanted} lies: somebody has seen it. The best flip is {trap}."
    found = f"finds it with a chance of {outlook.treasure(place_of(flip.half)):.0%}"
    return f"Nobody has seen {wanted}: the best flip {found}, and is {trap}."


def _about_trap(outlook: Outlook, flip: Flip) -> str:
    tile, trap = outlook.state.tile_at(flip.half), outlook.trap(flip.half)
    row = flip.half.row + 1
    if tile.seen and tile.pips and tile.is_trap:
        known = f"The {tile.pips[0]}-{tile.pips[1]} is remembered: from this end it is"
        return f"{known} a trap." if trap else f"{known} safe."
    if tile.seen and tile.pips:
        return f"The {tile.pips[0]}-{tile.pips[1]} is remembered: no trap."
    if not trap:
        return f"No trap: the blank of row {row} has been found."
    unknown = round(1 / outlook.blank_by_row[flip.half.row])
    return f"The blank of row {row} is one of {count(unknown, 'unknown domino', 'unknown dominoes')}: trap {trap:.0%}."


def _about_treasure(outlook: Outlook, flip: Flip, way: Way) -> str:
    state = outlook.state
    if state.target is None:
        return "No treasure is rolled yet."
    wanted = f"the {said(state.target)}"
    there = next((k for k, tile in enumerate(state.tiles) if tile.seen and tile.domino == state.target), None)
    if there is not None:
        if there == place_of(flip.half):
            return f"It is {wanted}, the treasure."
        if not way.chance:
            return f"No way leads on from it to {wanted}, remembered at {square(halves(there)[0])}."
        return f"It leads to {wanted}, remembered at {square(halves(there)[0])}: {count(way.flips, 'flip')} away."
    here = f"The chance of {wanted} is {outlook.treasure(place_of(flip.half)):.0%}"
    if way.flips > 1:
        return f"{here}, and {way.chance:.0%} in {count(way.flips, 'flip')} towards {square(way.cell)}."
    return f"{here}."
