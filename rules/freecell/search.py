"""Solving Dominoes Freecell: columns as bytes, the same whichever order they lie in, those nearest to the end first.

A tile is one byte, its suit in the upper half and its rank in the lower one. Every tile takes a move up. A tile below a
lower one of its suit takes one more at the least, for it is in the way, and can go up only later; such tiles of one
stack may go together. The sum is never more than a solution takes, so that A* by it finds a shortest one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from rules.domino import Domino
from rules.freecell.tableau import Carry, Tableau, Variant, builds
from rules.game import Solution
from rules.watch import Watch

Columns: TypeAlias = tuple[bytes, ...]
Key: TypeAlias = frozenset[bytes]
Went: TypeAlias = tuple[int, int]
UP, EMPTY, CELL = -1, -2, -3
_CELLS = b"\xff"
_LOWER = [frozenset(range(tile & 0xF0 | 1, tile)) for tile in range(256)]
_TRIES = ((1, True, 20_000), (3, True, 20_000), (2, False, 40_000), (6, False, 80_000))
_LARGEST_BY_LENGTH = 6
_MOST_BY_LENGTH = 60_000


class Position(NamedTuple):
    """The tiles that are left. columns: none of them empty, in any order. cells: in free cells, sorted. up: by suit."""

    columns: Columns
    cells: bytes
    up: bytes

    @property
    def key(self) -> Key:
        """The same for positions that differ in the order of their columns alone."""
        return frozenset((*self.columns, _CELLS + self.cells) if self.cells else self.columns)


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

    def further(self, position: Position) -> list[tuple[Went, Position]]:
        """What each move leads to, with the tile that moves and the one that it goes under, or UP, EMPTY or CELL.

        A tile that no other will ever be laid under goes up at once: then nothing else is worth looking at.
        """
        upward = list(self._upward(position))
        for went, after in upward:
            if self._eager or self._spare(went[0] & 15, position.up):
                return [(went, after)]
        found = upward + self._across(position)
        return found + list(self._cells(position)) if self._variant.free_cells else found

    def _upward(self, position: Position) -> Iterator[tuple[Went, Position]]:
        columns, cells, up = position
        for i, column in enumerate(columns):
            tile = column[-1]
            if up[tile >> 4] == (tile & 15) - 1:
                left = columns[:i] + ((column[:-1],) if len(column) > 1 else ()) + columns[i + 1 :]
                yield (tile, UP), Position(left, cells, _raised(up, tile))
        for tile in cells:
            if up[tile >> 4] == (tile & 15) - 1:
                yield (tile, UP), Position(columns, cells.replace(bytes((tile,)), b""), _raised(up, tile))

    def _spare(self, rank: int, up: bytes) -> bool:
        """Whether all tiles that could lie under one of this rank are up."""
        return all(up[suit] >= rank - 1 for suit in range(max(rank - 1, 1), self._highest + 1))

    def _across(self, position: Position) -> list[tuple[Went, Position]]:
        columns, cells, up = position
        lying, found = [self[column] for column in columns], []
        empty = self._most - len(columns)
        room = self._room(cells, empty) if self._variant.single else 99
        for i, column in enumerate(columns):
            last, run, _, _ = lying[i]
            run = min(run, room)
            for j, (rank, _, _, _) in enumerate(lying):
                size = rank - last
                if 0 < size <= run and i != j and (self._any or (columns[j][-1], column[-size]) in self._joins):
                    left = _without(columns, i, size)
                    left[j] = columns[j] + column[-size:]
                    found.append(((column[-size], columns[j][-1]), Position(tuple(filter(None, left)), cells, up)))
            if empty:
                for size in range(1, min(run, len(column) - 1, self._alone(cells, empty)) + 1):
                    left = [*_without(columns, i, size), column[-size:]]
                    found.append(((column[-size], EMPTY), Position(tuple(left), cells, up)))
        return found

    def _cells(self, position: Position) -> Iterator[tuple[Went, Position]]:
        columns, cells, up = position
        if len(cells) < self._variant.free_cells:
            for i, column in enumerate(columns):
                taken = bytes(sorted((*cells, column[-1])))
                yield (column[-1], CELL), Position(tuple(filter(None, _without(columns, i, 1))), taken, up)
        for tile in cells:
            alone, rest = bytes((tile,)), cells.replace(bytes((tile,)), b"")
            for i, column in enumerate(columns):
                if (column[-1], tile) in self._joins:
                    laid = (*columns[:i], column + alone, *columns[i + 1 :])
                    yield (tile, column[-1]), Position(laid, rest, up)
            if len(columns) < self._most:
                yield (tile, EMPTY), Position((*columns, alone), rest, up)

    def _room(self, cells: bytes, empty: int) -> int:
        return (max(self._variant.free_cells - len(cells), 0) + 1) << empty

    def _alone(self, cells: bytes, empty: int) -> int:
        """How many tiles may go to an empty column."""
        return self._room(cells, empty - 1) if self._variant.single else 99


def position_of(state: Tableau) -> Position:
    """The position as the search sees it."""
    columns = [bytes(map(_code, column)) for column in state.columns]
    cells = bytes(sorted(columns.pop(0))) if state.variant.free_cells else b""
    return Position(tuple(filter(None, columns)), cells, bytes(state.up))


def best_first(state: Tableau, watch: Watch) -> Solution[Carry]:
    """A shortest solution with a double-six set, where that is found soon; else any, and how few moves there may be."""
    start, least = position_of(state), 0
    if len(state.columns) - 1 <= _LARGEST_BY_LENGTH:
        found = _Search(start, Rules(len(state.columns) - 1, state.variant), True).run(watch, _MOST_BY_LENGTH)
        if found.moves is not None or found.proved or found.states_seen < _MOST_BY_LENGTH:
            return _told(state, found)
        least = found.at_least
    seen = 0
    for weight, eager, most in (*_TRIES, (1, False, watch.most_states)):
        rules = Rules(len(state.columns) - 1, state.variant, weight, eager)
        found = _Search(start, rules, False).run(watch, most)
        seen += found.states_seen
        if found.moves is not None or (found.proved and not eager) or not watch.goes_on(seen, 0):
            break
    least = max(least, Rules(len(state.columns) - 1, state.variant).least(start))
    none = found.moves is None and found.proved and not eager
    shortest = found.moves is not None and len(found.moves) == least
    return _told(state, Solution(found.moves, seen, least, none or shortest))


class _Search:
    """One search. shortest: by the moves made and those still needed (A*); else by those still needed alone."""

    def __init__(self, start: Position, rules: Rules, shortest: bool) -> None:
        self._rules, self._shortest, key = rules, shortest, start.key
        self._came: dict[Key, tuple[int, Key, Went]] = {key: (0, key, (0, 0))}
        least = rules.least(start)
        self._waiting = [(least, 0, 0, least, start, key)]

    def run(self, watch: Watch, most: int) -> Solution[Went]:
        """The moves to an empty table. It ends, with what is known, when `watch` says so or after `most` positions."""
        came, waiting = self._came, self._waiting
        while waiting:
            rank, _, _, least, position, key = heapq.heappop(waiting)
            if not (position.columns or position.cells):
                return Solution(self._way(key), len(came), rank if self._shortest else 0, self._shortest)
            if len(came) > most or not watch.goes_on(len(came), rank):
                return Solution(None, len(came), rank if self._shortest else 0)
            if not self._shortest or came[key][0] == rank - least:
                self._expand(position, key, least)
        return Solution(None, len(came), 0, True)

    def _expand(self, position: Position, key: Key, least: int) -> None:
        rules, came = self._rules, self._came
        moves = came[key][0] + 1
        for went, after in rules.further(position):
            reached = after.key
            known = came.get(reached)
            if known is None or (self._shortest and moves < known[0]):
                came[reached] = moves, key, went
                left = rules.least(after)
                rank = moves + left if self._shortest else left
                heapq.heappush(self._waiting, (rank, -moves, len(came), left, after, reached))

    def _way(self, key: Key) -> tuple[Went, ...]:
        way = []
        while (step := self._came[key])[0]:
            _, key, went = step
            way.append(went)
        return tuple(reversed(way))


def _told(state: Tableau, found: Solution[Went]) -> Solution[Carry]:
    """The same solution in moves of the table."""
    if found.moves is None:
        return Solution(None, found.states_seen, found.at_least, found.proved)
    moves = tuple(_named(state, found.moves))
    return Solution(moves, found.states_seen, found.at_least, found.proved)


def _named(state: Tableau, way: Iterable[Went]) -> Iterator[Carry]:
    """The moves of the table: an empty column is the first one that is empty then."""
    columns = [list(map(_code, column)) for column in state.columns]
    cells = 0 if state.variant.free_cells else -1
    for tile, to in way:
        source = next(c for c, column in enumerate(columns) if tile in column)
        place, size = columns[source].index(tile), 1 if source == cells else len(columns[source])
        stack = columns[source][place : place + size]
        del columns[source][place : place + size]
        if to == UP:
            yield Carry(_domino(tile))
            continue
        if to > 0:
            target = next(c for c, column in enumerate(columns) if to in column)
        else:
            target = cells if to == CELL else next(c for c, column in enumerate(columns) if not column and c != cells)
        columns[target] += stack
        yield Carry(_domino(tile), _domino(to) if to > 0 else target)


@cache
def _joins(highest: int, variant: Variant) -> frozenset[tuple[int, int]]:
    """Every tile with each that may lie below it."""
    tiles = [Domino(suit, rank) for suit in range(1, highest + 1) for rank in range(1, suit + 1)]
    return frozenset((_code(a), _code(b)) for a in tiles for b in tiles if builds(variant, a, b))


def _without(columns: Columns, i: int, size: int) -> list[bytes]:
    left = list(columns)
    left[i] = columns[i][:-size]
    return left


def _raised(up: bytes, tile: int) -> bytes:
    suit = tile >> 4
    return up[:suit] + bytes((tile & 15,)) + up[suit + 1 :]


def _code(tile: Domino) -> int:
    return tile.high << 4 | tile.low


def _domino(tile: int) -> Domino:
    return Domino(tile >> 4, tile & 15)
