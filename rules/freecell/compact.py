"""The rules of Freecell as a search needs them: columns as bytes, and for each move what it changes, before it is made.

A tile is one byte, its suit in the upper half and its rank in the lower one. Every tile takes a move up. A tile below a
lower one of its suit takes one more at the least, for it is in the way, and can go up only later; such tiles of one
stack may go together. The sum is never more than a solution takes. It is a sum over the columns: so it is known what a
move makes of it as soon as it is known what it makes of two columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from rules.domino import Domino
from rules.freecell.tableau import Tableau, Variant, builds

Columns: TypeAlias = tuple[bytes, ...]
Key: TypeAlias = frozenset[bytes]
Step: TypeAlias = tuple[int, int, int]
"""A move: the column that it takes from, or, below 0, -1 for the first free cell, -2 for the second and so on; how many
tiles; and the column to which they go, or UP, EMPTY, CELL."""

UP, EMPTY, CELL = -1, -2, -3
_CELLS = b"\xff"
_LOWER = [frozenset(range(tile & 0xF0 | 1, tile)) for tile in range(256)]


class Position(NamedTuple):
    """The tiles that are left. columns: none of them empty, in any order. cells: in free cells, sorted. up: by suit."""

    columns: Columns
    cells: bytes
    up: bytes

    @property
    def key(self) -> Key:
        """The same for positions that differ in the order of their columns alone."""
        return frozenset((*self.columns, _CELLS + self.cells) if self.cells else self.columns)

    def tile(self, step: Step) -> int:
        """The tile that a move takes, with those below it."""
        source, size, _ = step
        return self.cells[-1 - source] if source < 0 else self.columns[source][-size]

    def after(self, step: Step) -> Position:
        """The position after a move."""
        source, size, target = step
        columns, cells, up = list(self.columns), self.cells, self.up
        if source < 0:
            stack, cells = cells[-1 - source : -source or None], cells[: -1 - source] + cells[-source:]
        else:
            stack, columns[source] = columns[source][-size:], columns[source][:-size]
        if target >= 0:
            columns[target] += stack
        elif target == UP:
            suit = stack[0] >> 4
            up = up[:suit] + bytes((stack[0] & 15,)) + up[suit + 1 :]
        elif target == EMPTY:
            columns.append(stack)
        else:
            cells = bytes(sorted(cells + stack))
        return Position(tuple(filter(None, columns)), cells, up)


def position_of(state: Tableau) -> Position:
    """The position as the search sees it."""
    columns = [bytes(map(code, column)) for column in state.columns]
    cells = bytes(sorted(columns.pop(0))) if state.variant.free_cells else b""
    return Position(tuple(filter(None, columns)), cells, bytes(state.up))


class Lying(NamedTuple):
    """A column as the search sees it: the rank of its last tile, how many at its end are a stack, its least moves.

    waiting: whether one of that stack has to be moved away before a lower one of its suit can go up.
    """

    rank: int
    run: int
    moves: int
    waiting: bool


class Rules(dict[bytes, Lying]):
    """The rules of one set and variant, as far as the search needs them, and the columns that it has met.

    weight: what a tile in the way counts. eager: whether nothing but a move up is looked at where there is one.
    """

    def __init__(self, highest: int, variant: Variant, weight: int = 1, eager: bool = False) -> None:
        self._highest, self._variant, self._weight, self._eager = highest, variant, weight, eager
        self._most = highest if variant.free_cells else highest + 1
        self._any = variant.building == "any"
        self._joins = _joins(highest, variant)
        self[b""] = Lying(0, 0, 0, False)

    def __missing__(self, column: bytes) -> Lying:
        tile, before = column[-1], self[column[:-1]]
        joined = (*column[-2:-1], tile) in self._joins
        in_the_way = not _LOWER[tile].isdisjoint(column)
        counted = joined and before.waiting
        moves = before.moves + 1 + (self._weight if in_the_way and not counted else 0)
        lying = self[column] = Lying(tile & 15, before.run + 1 if joined else 1, moves, in_the_way or counted)
        return lying

    def least(self, position: Position) -> int:
        """With weight 1, a number of moves that is never more than the position still takes."""
        return sum([self[column][2] for column in position[0]]) + len(position[1])

    def further(self, position: Position) -> list[tuple[int, Step]]:
        """Each move with what it adds to `least`.

        A tile that no other will ever be laid under goes up at once: then nothing else is worth looking at.
        """
        upward = list(self._upward(position))
        for change, step in upward:
            if self._eager or self._spare(position.tile(step) & 15, position.up):
                return [(change, step)]
        found = upward + self._across(position)
        return found + list(self._cells(position)) if self._variant.free_cells else found

    def _upward(self, position: Position) -> Iterator[tuple[int, Step]]:
        columns, cells, up = position
        for i, column in enumerate(columns):
            tile = column[-1]
            if up[tile >> 4] == (tile & 15) - 1:
                yield self[column[:-1]][2] - self[column][2], (i, 1, UP)
        for i, tile in enumerate(cells):
            if up[tile >> 4] == (tile & 15) - 1:
                yield -1, (-1 - i, 1, UP)

    def _spare(self, rank: int, up: bytes) -> bool:
        """Whether all tiles that could lie under one of this rank are up."""
        return all(up[suit] >= rank - 1 for suit in range(max(rank - 1, 1), self._highest + 1))

    def _across(self, position: Position) -> list[tuple[int, Step]]:
        columns, cells, _ = position
        found: list[tuple[int, Step]] = []
        ends, empty = self._ends(columns), self._most - len(columns)
        room = self._room(cells, empty) if self._variant.single else 99
        alone = self._alone(cells, empty) if empty else 0
        for i, column in enumerate(columns):
            last, run, moves, _ = self[column]
            for size in range(1, min(run, room) + 1):
                targets = ends.get(last + size, ())
                to_empty = size <= alone and size < len(column)
                if not (targets or to_empty):
                    continue
                stack, gone = column[-size:], self[column[:-size]][2] - moves
                for j, moves_there in targets:
                    if self._any or (columns[j][-1], stack[0]) in self._joins:
                        found.append((gone + self[columns[j] + stack][2] - moves_there, (i, size, j)))
                if to_empty:
                    found.append((gone + self[stack][2], (i, size, EMPTY)))
        return found

    def _ends(self, columns: Columns) -> dict[int, list[tuple[int, int]]]:
        """For each rank the columns that end with it, each with its least moves."""
        ends: dict[int, list[tuple[int, int]]] = {}
        for j, column in enumerate(columns):
            rank, _, moves, _ = self[column]
            ends.setdefault(rank, []).append((j, moves))
        return ends

    def _cells(self, position: Position) -> Iterator[tuple[int, Step]]:
        columns, cells, _ = position
        if len(cells) < self._variant.free_cells:
            for i, column in enumerate(columns):
                yield 1 + self[column[:-1]][2] - self[column][2], (i, 1, CELL)
        for k, tile in enumerate(cells):
            alone = bytes((tile,))
            for j, column in enumerate(columns):
                if (column[-1], tile) in self._joins:
                    yield self[column + alone][2] - self[column][2] - 1, (-1 - k, 1, j)
            if len(columns) < self._most:
                yield self[alone][2] - 1, (-1 - k, 1, EMPTY)

    def _room(self, cells: bytes, empty: int) -> int:
        return (max(self._variant.free_cells - len(cells), 0) + 1) << empty

    def _alone(self, cells: bytes, empty: int) -> int:
        """How many tiles may go to an empty column."""
        return self._room(cells, empty - 1) if self._variant.single else 99


@cache
def _joins(highest: int, variant: Variant) -> frozenset[tuple[int, int]]:
    """Every tile with each that may lie below it."""
    tiles = [Domino(suit, rank) for suit in range(1, highest + 1) for rank in range(1, suit + 1)]
    return frozenset((code(a), code(b)) for a in tiles for b in tiles if builds(variant, a, b))


def code(tile: Domino) -> int:
    """A tile as one byte."""
    return tile.high << 4 | tile.low


def decoded(tile: int) -> Domino:
    """The tile that a byte stands for."""
    return Domino(tile >> 4, tile & 15)
