"""The shortest solution of a round of Bee, from both ends at once, over dice packed into one number.

Two dice never share a number, so that each has spaces of its own besides the queen's blank. A flight can always be
flown back: so the search goes from the endings too, all the ways in which the dice can stand around the queen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.bee.state import BeeState, Flight, flights
from rules.board import Cell
from rules.game import Solution
from rules.watch import Watch

_BITS = 4
_SPACES = (1 << _BITS) - 1


class _Die(NamedTuple):
    """A die that moves: where its number is packed, its spaces, the last of them the queen's blank, and its lines.

    lines: for each space, the bits of its row and its column. reach: what is known of where it gets.
    """

    number: int
    shift: int
    spaces: tuple[Cell, ...]
    lines: tuple[int, ...]
    reach: dict[tuple[int, bool], list[int]]


@dataclass(frozen=True)
class Swarm:
    """The dice of a round as the search sees them; a packed number holds the space of each die but the queen."""

    dice: tuple[_Die, ...]
    queen: Cell
    queen_lines: int
    start: int
    endings: frozenset[int] = field(repr=False)

    @classmethod
    def of(cls, state: BeeState) -> Swarm:
        """The swarm of a state in which every die stands on its own number or on the queen's blank."""
        rows = state.board.top_left.row + state.board.size[0]
        start, dice = 0, list[_Die]()
        for bee in state.bees:
            if bee.number != state.queen:
                own = [cell for cell, shown in sorted(state.board.pips.items()) if shown == bee.number]
                spaces = (*own, state.wild)
                shift = _BITS * len(dice)
                dice.append(_Die(bee.number, shift, spaces, tuple(_lines(cell, rows) for cell in spaces), {}))
                start |= spaces.index(bee.cell) << shift
        queen = state.cells[state.queen]
        endings = frozenset(_endings(dice, queen))
        return cls(tuple(dice), queen, _lines(queen, rows), start, endings)

    def cells(self, packed: int) -> dict[int, Cell]:
        """For each die, the cell on which it stands."""
        return {die.number: die.spaces[packed >> die.shift & _SPACES] for die in self.dice}

    def further(self, frontier: Collection[int]) -> set[int]:
        """All that is one flight away from any of these, they themselves among it."""
        reached: set[int] = set()
        add, dice, queen_lines = reached.update, self.dice, self.queen_lines
        for packed in frontier:
            # A die turns above any other from a row into a column: so it gets to all lines that dice link to its own.
            linked, own, blank_taken = [queen_lines], [], False
            for _, shift, spaces, lines, _ in dice:
                space = packed >> shift & _SPACES
                blank_taken = blank_taken or space == len(spaces) - 1
                met = lines[space]
                own.append(met)
                apart = []
                for group in linked:
                    if group & met:
                        met |= group
                    else:
                        apart.append(group)
                apart.append(met)
                linked = apart
            for die, met in zip(dice, own, strict=True):
                group = next(group for group in linked if group & met)
                spaces_there = die.reach.get((group, blank_taken))
                if spaces_there is None:
                    spaces_there = die.reach[group, blank_taken] = _reach(die, group, blank_taken)
                rest = packed & ~(_SPACES << die.shift)
                add([rest | space for space in spaces_there])
        return reached


def solve(state: BeeState, watch: Watch) -> Solution[Flight]:
    """The fewest flights that bring all dice to the queen, or the proof that none do."""
    swarm = Swarm.of(state)
    sides = [[{swarm.start}], [set(swarm.endings)]]
    known = [set(side[0]) for side in sides]
    states = 1
    while all(side[-1] for side in sides):
        flown = sum(len(side) - 1 for side in sides)
        meeting = sides[0][-1] & sides[1][-1]
        if meeting:
            return Solution(tuple(_flown(state, swarm, sides, min(meeting))), states, flown, True)
        if not watch.goes_on(states, flown + 1):
            return Solution(None, states, flown + 1)
        nearer = 0 if len(sides[0][-1]) <= len(sides[1][-1]) else 1
        reached = swarm.further(sides[nearer][-1]) - known[nearer]
        known[nearer] |= reached
        sides[nearer].append(reached)
        states += len(reached)
    return Solution(None, states, 0, True)


def endings(state: BeeState) -> Iterator[dict[int, Cell]]:
    """Every way in which the dice can stand in one group with the queen: for each die its cell."""
    swarm = Swarm.of(state)
    return (swarm.cells(packed) for packed in sorted(swarm.endings))


def _lines(cell: Cell, rows: int) -> int:
    return 1 << cell.row | 1 << rows + cell.col


def _reach(die: _Die, group: int, blank_taken: bool) -> list[int]:
    """The packed spaces of a die on these lines; the queen's blank only where it is free."""
    last = len(die.spaces) - 1
    lying = enumerate(die.lines)
    return [at << die.shift for at, lines in lying if lines & group and not (blank_taken and at == last)]


def _endings(dice: list[_Die], queen: Cell) -> set[int]:
    """Every group around the queen, grown die by die, packed."""
    standing: dict[Cell, list[tuple[int, int]]] = {}
    for place, die in enumerate(dice):
        for at, cell in enumerate(die.spaces):
            standing.setdefault(cell, []).append((place, at << die.shift))
    groups = {(frozenset([queen]), frozenset[int](), 0)}
    for _ in dice:
        grown = set()
        for cells, placed, packed in groups:
            for cell in {near for one in cells for near in one.neighbours()} - cells:
                for place, space in standing.get(cell, ()):
                    if place not in placed:
                        grown.add((cells | {cell}, placed | {place}, packed | space))
        groups = grown
    return {packed for _, _, packed in groups}


def _flown(state: BeeState, swarm: Swarm, sides: list[list[set[int]]], meeting: int) -> Iterator[Flight]:
    """The flights through the number at which both sides met; each goes to a neighbour one level nearer to its side."""
    way = [meeting]
    for level in reversed(sides[0][:-1]):
        way.insert(0, min(swarm.further([way[0]]) & level))
    for level in reversed(sides[1][:-1]):
        way.append(min(swarm.further([way[-1]]) & level))
    for after in way[1:]:
        number, cell = next((die, to) for die, to in swarm.cells(after).items() if state.cells[die] != to)
        yield next(flight for flight in flights(state, number) if flight.stops(state.cells[number])[-1] == cell)
        state = state.landed(number, cell)
