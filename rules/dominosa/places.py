"""Every place where a domino may lie on a grid, and what a solution has to cover: each square and each domino once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino
from rules.grid import Grid


@dataclass(frozen=True)
class Lattice:
    """What grids of one size have in common; squares are numbered row by row.

    ends: for each place its two squares, the left or upper one first. over: for each square the places over it.
    beside: for each place the squares next to it.
    """

    rows: int
    cols: int
    ends: tuple[tuple[int, int], ...]
    over: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, ...], ...]


@cache
def lattice(rows: int, cols: int) -> Lattice:
    """The places of a grid of so many rows and columns."""
    ends = []
    for square in range(rows * cols):
        if (square + 1) % cols:
            ends.append((square, square + 1))
        if square + cols < rows * cols:
            ends.append((square, square + cols))
    over: list[list[int]] = [[] for _ in range(rows * cols)]
    for place, both in enumerate(ends):
        for square in both:
            over[square].append(place)
    around = [{square for end in both for place in over[end] for square in ends[place]} for both in ends]
    beside = [tuple(sorted(near.difference(both))) for near, both in zip(around, ends, strict=True)]
    return Lattice(rows, cols, tuple(ends), tuple(map(tuple, over)), tuple(beside))


@dataclass(frozen=True, eq=False)
class Places:
    """The places of one grid. Sets of them are bit masks: bit p stands for place p.

    numbers: what is printed on each square. Items are what has to be covered, each exactly once: the squares, then
    from `squares` on the dominoes in the order of their set. items: for each place its two squares and its domino.
    over: for each item the places that cover it.
    """

    lattice: Lattice
    numbers: tuple[int, ...]
    items: tuple[tuple[int, int, int], ...]
    over: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, grid: Grid) -> Places:
        """The places of a grid."""
        return cls.from_numbers(lattice(*grid.size), [number for row in grid.rows for number in row])

    @classmethod
    def from_numbers(cls, shape: Lattice, numbers: Iterable[int]) -> Places:
        """The places of a grid whose numbers are listed row by row."""
        printed = tuple(numbers)
        squares = len(printed)
        dominoes: list[list[int]] = [[] for _ in range(squares // 2)]
        items = []
        for place, (one, other) in enumerate(shape.ends):
            low, high = printed[one], printed[other]
            if low > high:
                low, high = high, low
            domino = high * (high + 1) // 2 + low
            dominoes[domino].append(place)
            items.append((one, other, squares + domino))
        return cls(shape, printed, tuple(items), (*shape.over, *map(tuple, dominoes)))

    @property
    def squares(self) -> int:
        """How many squares there are; the dominoes follow as items."""
        return len(self.numbers)

    @property
    def highest(self) -> int:
        """The highest number of the set."""
        return min(self.lattice.rows, self.lattice.cols) - 1

    @property
    def all(self) -> int:
        """Every place."""
        return (1 << len(self.items)) - 1

    @cached_property
    def at(self) -> tuple[int, ...]:
        """For each item the mask of the places that cover it."""
        return tuple(map(mask, self.over))

    @cached_property
    def clashes(self) -> tuple[int, ...]:
        """For each place the mask of the others that cannot be used with it: they share a square or the domino."""
        at = self.at
        return tuple((at[one] | at[two] | at[three]) & ~(1 << p) for p, (one, two, three) in enumerate(self.items))

    @cached_property
    def with_number(self) -> tuple[tuple[int, ...], ...]:
        """For each number the squares on which it is printed."""
        found: list[list[int]] = [[] for _ in range(self.highest + 1)]
        for square, number in enumerate(self.numbers):
            found[number].append(square)
        return tuple(map(tuple, found))

    @cached_property
    def around(self) -> tuple[int, ...]:
        """For each number the mask of the places that touch it."""
        return tuple(mask({p for square in squares for p in self.over[square]}) for squares in self.with_number)

    def double(self, number: int) -> int:
        """The item of a double."""
        return self.squares + number * (number + 3) // 2

    def beyond(self, place: int, square: int) -> int:
        """The other square of a place."""
        one, other = self.lattice.ends[place]
        return other if one == square else one

    def cell(self, square: int) -> Cell:
        """The cell of a square."""
        return Cell(*divmod(square, self.lattice.cols))

    def cells(self, places: int) -> tuple[Cell, ...]:
        """The cells that some places cover."""
        return tuple(sorted({self.cell(square) for place in bits(places) for square in self.lattice.ends[place]}))

    def placed(self, place: int) -> Placed:
        """The domino that a place would hold."""
        one, other = self.lattice.ends[place]
        way = Way.RIGHT if other == one + 1 else Way.DOWN
        return Placed(self.cell(one), way, self.numbers[one], self.numbers[other])

    def domino(self, item: int) -> Domino:
        """The domino that an item stands for."""
        number, high = item - self.squares, 0
        while number > high:
            number, high = number - high - 1, high + 1
        return Domino(high, number)

    def board(self, places: int) -> Board:
        """The dominoes on some places."""
        return Board(tuple(map(self.placed, bits(places))))

    def laid(self, board: Board) -> int:
        """The places of the dominoes on a board, all of which lie on the grid's own numbers."""
        numbered = {both: place for place, both in enumerate(self.lattice.ends)}
        cols = self.lattice.cols
        squares = [tuple(cell.row * cols + cell.col for cell in placed.cells) for placed in board.placed]
        return mask(numbered[one, other] for one, other in squares)


def mask(places: Iterable[int]) -> int:
    """The mask of some places."""
    return sum(1 << place for place in places)


def bits(places: int) -> Iterator[int]:
    """The places of a mask, lowest first."""
    while places:
        low = places & -places
        yield low.bit_length() - 1
        places ^= low
