"""Solving Dominoes Freecell: the positions nearest to the end first, a shortest solution where that is found soon.

A move waits in the queue with its estimate, and is made only when its turn comes: most never are.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from rules.freecell.compact import CELL, UP, Key, Position, Rules, Step, code, decoded, position_of
from rules.freecell.tableau import Carry, Tableau, Variant
from rules.game import Solution
from rules.watch import Watch

Went: TypeAlias = tuple[int, int]
"""The tile that moves, and the one that it goes under, or UP, EMPTY or CELL."""

_SETTINGS = ((1, True, 0), (2, True, 6), (2, False, 2), (6, False, 0))
"""What a tile in the way counts, whether moves up are made at once, and how the moves still needed are weighed."""
_FIRST_TRY = 1_000
_LARGEST_BY_LENGTH = 6
_MOST_BY_LENGTH = 12_000


def best_first(state: Tableau, watch: Watch) -> Solution[Carry]:
    """A shortest solution with a double-six set, where that is found soon; else any, and how few moves there may be."""
    start, least = position_of(state), 0
    highest, variant = len(state.columns) - 1, state.variant
    if highest <= _LARGEST_BY_LENGTH:
        found = _Search(start, Rules(highest, variant), 1).run(watch, _MOST_BY_LENGTH)
        if found.moves is not None or found.proved or found.states_seen < _MOST_BY_LENGTH:
            return _told(state, found)
        least = found.at_least
    found = _any_way(start, highest, variant, watch)
    least = max(least, Rules(highest, variant).least(start))
    shortest = found.moves is not None and len(found.moves) == least
    return _told(state, Solution(found.moves, found.states_seen, least, found.proved or shortest))


def _any_way(start: Position, highest: int, variant: Variant, watch: Watch) -> Solution[Went]:
    """Any solution. What one setting of the search misses another soon finds: each has its turn, again and again, for
    twice as long each time. `proved` where there is none."""
    seen, most = 0, _FIRST_TRY
    while True:
        for weight, eager, factor in _SETTINGS:
            found = _Search(start, Rules(highest, variant, weight, eager), factor).run(watch, most)
            seen += found.states_seen
            none = found.proved and not eager
            if found.moves is not None or none or not watch.goes_on(seen, 0):
                return Solution(found.moves, seen, 0, none)
        most *= 2


class _Waiting(NamedTuple):
    """A move that waits to be made: the lowest rank first, of equal ones the longest way, then the one found first."""

    rank: int
    moves_left_out: int
    number: int
    left: int
    before: Position
    key: Key
    step: Step | None


class _Search:
    """One search. factor: the moves still needed count so often, the moves made once: 1 finds a shortest solution
    (A*), more finds a short one sooner (weighted A*), and 0 looks at the moves still needed alone."""

    def __init__(self, start: Position, rules: Rules, factor: int) -> None:
        self._rules, self._factor, self._shortest = rules, factor, factor == 1
        self._came: dict[Key, tuple[int, Key, Went]] = {}
        least = rules.least(start)
        self._waiting = [_Waiting(least, 0, 0, least, start, start.key, None)]
        self._found = 0

    def run(self, watch: Watch, most: int) -> Solution[Went]:
        """The moves to an empty table. It ends, with what is known, when `watch` says so or after `most` positions."""
        came, waiting, shortest = self._came, self._waiting, self._shortest
        while waiting:
            rank, negative, _, left, before, key_before, step = heapq.heappop(waiting)
            position = before.after(step) if step else before
            key, moves = position.key, -negative
            known = came.get(key)
            if known is not None and (not shortest or known[0] <= moves):
                continue
            came[key] = moves, key_before, _went(before, step) if step else (0, 0)
            if not key:
                return Solution(self._way(key), len(came), rank if shortest else 0, shortest)
            if len(came) > most or not watch.goes_on(len(came) + len(waiting), rank):
                return Solution(None, len(came), rank if shortest else 0)
            self._expand(position, key, moves + 1, left)
        return Solution(None, len(came), 0, True)

    def _expand(self, position: Position, key: Key, moves: int, least: int) -> None:
        made, factor, waiting = (moves if self._factor else 0), self._factor or 1, self._waiting
        for change, step in self._rules.further(position):
            self._found += 1
            left = least + change
            heapq.heappush(waiting, _Waiting(made + factor * left, -moves, self._found, left, position, key, step))

    def _way(self, key: Key) -> tuple[Went, ...]:
        way = []
        while (step := self._came[key])[0]:
            _, key, went = step
            way.append(went)
        return tuple(reversed(way))


def _went(before: Position, step: Step) -> Went:
    target = step[2]
    return before.tile(step), before.columns[target][-1] if target >= 0 else target


def _told(state: Tableau, found: Solution[Went]) -> Solution[Carry]:
    """The same solution in moves of the table."""
    if found.moves is None:
        return Solution(None, found.states_seen, found.at_least, found.proved)
    moves = tuple(_named(state, found.moves))
    return Solution(moves, found.states_seen, found.at_least, found.proved)


def _named(state: Tableau, way: Iterable[Went]) -> Iterator[Carry]:
    """The moves of the table: an empty column is the first one that is empty then."""
    columns = [list(map(code, column)) for column in state.columns]
    cells = 0 if state.variant.free_cells else -1
    for tile, to in way:
        source = next(c for c, column in enumerate(columns) if tile in column)
        place, size = columns[source].index(tile), 1 if source == cells else len(columns[source])
        stack = columns[source][place : place + size]
        del columns[source][place : place + size]
        if to == UP:
            yield Carry(decoded(tile))
            continue
        if to > 0:
            target = next(c for c, column in enumerate(columns) if to in column)
        else:
            target = cells if to == CELL else next(c for c, column in enumerate(columns) if not column and c != cells)
        columns[target] += stack
        yield Carry(decoded(tile), decoded(to) if to > 0 else target)
