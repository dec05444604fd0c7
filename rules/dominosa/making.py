"""Making problems: dominoes dealt at random on a random layout, then dealt anew wherever two solutions differ.

A grid of random numbers has one solution so seldom that looking for one by chance takes minutes at order 12. Exchanging
the numbers of a few dominoes just where the solutions differ takes a few dozen tries. Grids that come out easier or
harder than wanted are changed on, and repaired again, until one has the grade.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from random import Random

from rules.dominosa.cover import covers
from rules.dominosa.grading import is_solved, solved_by
from rules.dominosa.places import Lattice, Places, bits, lattice
from rules.grid import Grid
from rules.watch import Watch

FLIPS = 12
TRIES = 4000
COMPARED = 6
MOST_NODES = 200

Pair = tuple[int, int]


def deal(chance: Random, order: int) -> Grid:
    """The numbers of a full set laid at random; it has a solution, most often many."""
    draft = _Draft.dealt(chance, order)
    return _grid(draft.places())


def make(chance: Random, order: int, grade: str, watch: Watch) -> Grid | None:
    """A grid with one solution and just this grade; None where none came of the tries, or `watch` ended them."""
    draft = _Draft.dealt(chance, order)
    unsure, fewest = 0, len(draft.shape.ends)
    for tries in range(1, TRIES + 1):
        if not watch.goes_on(tries, 0):
            return None
        changed = draft.changed(chance, unsure) if unsure else draft
        places = changed.places()
        differing = _differing(places)
        if differing.bit_count() > fewest:
            continue
        draft, unsure, fewest = changed, differing, differing.bit_count()
        if not differing:
            # Whatever comes next may be worse at first: from a grid of another grade there is no way but through.
            unsure, fewest = _off_grade(places, grade), len(places.items)
            if not unsure:
                return _grid(places)
    return None


def _off_grade(places: Places, grade: str) -> int:
    """Where to change a grid with one solution: what is left open if it is too hard, anywhere if too easy, else 0."""
    left, found = solved_by(places, grade)
    if is_solved(places, left):
        return 0 if found == grade else places.all
    choices = (over & left for over in places.at[: places.squares])
    return reduce(int.__or__, [some for some in choices if some & (some - 1)], 0)


@dataclass(frozen=True)
class _Draft:
    """A layout, as pairs of squares, and the number on each square."""

    shape: Lattice
    layout: tuple[Pair, ...]
    numbers: tuple[int, ...]

    @classmethod
    def dealt(cls, chance: Random, order: int) -> _Draft:
        """A full set on a random layout of its rectangle."""
        shape = lattice(order + 1, order + 2)
        layout = laid_at_random(chance, shape.rows, shape.cols)
        dominoes = [(high, low) for high in range(order + 1) for low in range(high + 1)]
        chance.shuffle(dominoes)
        numbers = [0] * (shape.rows * shape.cols)
        for both, domino in zip(layout, dominoes, strict=True):
            numbers[both[0]], numbers[both[1]] = chance.sample(domino, 2)
        return cls(shape, layout, tuple(numbers))

    def places(self) -> Places:
        """The places of the grid that it makes."""
        return Places.from_numbers(self.shape, self.numbers)

    def changed(self, chance: Random, unsure: int) -> _Draft:
        """Turns a domino round that has a square on unsure places, or exchanges it with any other."""
        squares = {square for place in bits(unsure) for square in self.shape.ends[place]}
        one = chance.choice([pair for pair in self.layout if not squares.isdisjoint(pair)])
        other = chance.choice(self.layout)
        numbers = list(self.numbers)
        if one == other or chance.random() < 0.4:
            numbers[one[0]], numbers[one[1]] = numbers[one[1]], numbers[one[0]]
        else:
            here, there = ([self.numbers[square] for square in pair] for pair in (one, other))
            numbers[one[0]], numbers[one[1]] = chance.sample(there, 2)
            numbers[other[0]], numbers[other[1]] = chance.sample(here, 2)
        return _Draft(self.shape, self.layout, tuple(numbers))


def laid_at_random(chance: Random, rows: int, cols: int) -> tuple[Pair, ...]:
    """A rectangle covered by dominoes, as pairs of squares: two side by side are turned again and again, at random."""
    mate = {}
    for square in range(rows * cols):
        row, col = divmod(square, cols)
        along, step = (col, 1) if cols % 2 == 0 else (row, cols)
        mate[square] = square + step if along % 2 == 0 else square - step
    for _ in range(FLIPS * rows * cols):
        corner = chance.randrange(rows - 1) * cols + chance.randrange(cols - 1)
        right, below, last = corner + 1, corner + cols, corner + cols + 1
        if mate[corner] == right and mate[below] == last:
            mate |= {corner: below, below: corner, right: last, last: right}
        elif mate[corner] == below and mate[right] == last:
            mate |= {corner: right, right: corner, below: last, last: below}
    return tuple((square, other) for square, other in mate.items() if square < other)


def _differing(places: Places) -> int:
    """The places in which the first few solutions differ, 0 where there is only one; all where it took too long."""
    found = covers(places, COMPARED, watch=Watch(most_states=MOST_NODES))
    if not found.complete:
        return places.all
    first = found.solutions[0]
    return reduce(int.__or__, [first ^ other for other in found.solutions])


def _grid(places: Places) -> Grid:
    cols = places.lattice.cols
    return Grid(tuple(places.numbers[first : first + cols] for first in range(0, places.squares, cols)))
