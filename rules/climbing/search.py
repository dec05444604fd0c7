"""The shortest way for four priests, whichever is whose: breadth first from both ends over positions packed in one int.

A row is 14 bits, the left end of the ground first; the upper row stands 16 bits above the lower one. Where the priests
of a row may go depends on that row alone, so the steps of each row are worked out once, as bits that change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rules.board import Cell
from rules.climbing.state import COLUMNS, HIGHEST, PEAK, Pilgrimage, Step, step_to
from rules.game import Solution
from rules.watch import Watch

_ROW = 16
_LOW = (1 << _ROW) - 1
_SPACES = range(COLUMNS + 2)
_SUMMIT = sum(1 << col + 1 for col in PEAK)
_ENDS = 1 | 1 << COLUMNS + 1
_INNER = (1 << COLUMNS + 1) - 2
_OUTWARD = [(range(at + 1, COLUMNS + 2), range(at - 1, -1, -1)) for at in _SPACES]


class _Steps(dict[int, list[int]]):
    """The bits that each step of a row changes, worked out when they are first asked for."""

    def __init__(self, found: Callable[[int], list[int]]) -> None:
        self._found = found

    def __missing__(self, row: int) -> list[int]:
        steps = self[row] = self._found(row)
        return steps


@dataclass(frozen=True)
class Terrain:
    """One row as the search sees it. numbers: of its 14 spaces, 0 where no count leads. stays: whoever stands on these
    bits goes nowhere by counting. shift: where the row stands in a position."""

    numbers: tuple[int, ...]
    stays: int
    shift: int

    def forth(self, row: int) -> list[int]:
        """Every step that the priests of a row may make along it."""
        found = self._on_the_peak(row)
        numbers, shift = self.numbers, self.shift
        left = row & ~self.stays
        while left:
            bit = left & -left
            left ^= bit
            at = bit.bit_length() - 1
            for ahead in _OUTWARD[at]:
                counted = 0
                for to in ahead:
                    if not row >> to & 1:
                        counted += 1
                        if numbers[to] == counted:
                            found.append((bit | 1 << to) << shift)
                        elif counted == HIGHEST:
                            break
        return found

    def back(self, row: int) -> list[int]:
        """Every step along a row that may have led to it."""
        found = self._on_the_peak(row)
        left = row & self.landable
        while left:
            bit = left & -left
            left ^= bit
            to = bit.bit_length() - 1
            for behind in _OUTWARD[to]:
                counted = self.numbers[to]
                for at in behind:
                    if not row >> at & 1:
                        counted -= 1
                        if not counted:
                            if not self.stays >> at & 1:
                                found.append((bit | 1 << at) << self.shift)
                            break
        return found

    def _on_the_peak(self, row: int) -> list[int]:
        return [_SUMMIT << self.shift] if 0 < row & _SUMMIT < _SUMMIT else []

    @cached_property
    def landable(self) -> int:
        """The bits of the spaces that can be reached by counting."""
        return sum(1 << at for at, number in enumerate(self.numbers) if number)


_ACROSS = _Steps(lambda columns: [1 << at | 1 << at + _ROW for at in _SPACES if columns >> at & 1])


class Ways:
    """Every step from a position (`forth`) and to it (`back`), for one mountain."""

    def __init__(self, state: Pilgrimage) -> None:
        upper, lower = (Terrain(*_row(state, row), shift) for row, shift in ((0, _ROW), (1, 0)))
        self._forth = _Steps(upper.forth), _Steps(lower.forth)
        self._back = _Steps(upper.back), _Steps(lower.back)
        self._columns = _INNER | _ENDS if state.descending else _INNER
        self.goal = (_ENDS if state.descending else _SUMMIT) * (1 | 1 << _ROW)

    def forth(self, position: int) -> list[int]:
        """Every position one step further."""
        return self._from(self._forth, position)

    def back(self, position: int) -> list[int]:
        """Every position one step before."""
        return self._from(self._back, position)

    def all_forth(self, positions: set[int]) -> set[int]:
        """Every position one step further than any of these."""
        return self._all(self._forth, positions)

    def all_back(self, positions: set[int]) -> set[int]:
        """Every position one step before any of these."""
        return self._all(self._back, positions)

    def _from(self, rows: tuple[_Steps, _Steps], position: int) -> list[int]:
        return list(self._all(rows, {position}))

    def _all(self, rows: tuple[_Steps, _Steps], positions: set[int]) -> set[int]:
        (upper, lower), across, columns = rows, _ACROSS, self._columns
        found: set[int] = set()
        add = found.update
        for position in positions:
            high, low = position >> _ROW, position & _LOW
            add([position ^ bits for bits in upper[high] + lower[low] + across[(high ^ low) & columns]])
        return found


def position_of(state: Pilgrimage) -> int:
    """Where the priests stand, as one number."""
    return sum(1 << cell.col + 1 + (0 if cell.row else _ROW) for cell in state.priests)


def shortest_way(state: Pilgrimage, watch: Watch) -> Solution[Step]:
    """The fewest steps that bring all four to the peak, or down to the ends; or the proof that nothing does."""
    ways, start = Ways(state), position_of(state)
    forth, back = [{start}], [{ways.goal}]
    seen, met = (set(forth[0]), set(back[0])), forth[0] & back[0]
    while not met:
        looked, ahead = len(seen[0]) + len(seen[1]), len(forth) + len(back) - 1
        if not watch.goes_on(looked, ahead):
            return Solution(None, looked, ahead)
        if len(forth[-1]) <= len(back[-1]):
            forth.append(ways.all_forth(forth[-1]) - seen[0])
            seen[0].update(forth[-1])
        else:
            back.append(ways.all_back(back[-1]) - seen[1])
            seen[1].update(back[-1])
        if not (forth[-1] and back[-1]):
            return Solution(None, looked, ahead, True)
        met = forth[-1] & back[-1]
    way = _way(ways, min(met), forth, back)
    return Solution(tuple(_named(state, way)), len(seen[0]) + len(seen[1]), len(way) - 1, True)


def _way(ways: Ways, middle: int, forth: list[set[int]], back: list[set[int]]) -> list[int]:
    way = [middle]
    for level in reversed(forth[:-1]):
        way.insert(0, next(position for position in ways.back(way[0]) if position in level))
    for level in reversed(back[:-1]):
        way.append(next(position for position in ways.forth(way[-1]) if position in level))
    return way


def _named(state: Pilgrimage, way: list[int]) -> Iterator[Step]:
    """The priests' steps along a way of positions."""
    for before, after in pairwise(way):
        priest, there = state.priests.index(_cell(before & ~after)), _cell(after & ~before)
        step = step_to(state, priest, there)
        assert step
        yield step
        state = state.moved(priest, there)


def _cell(bit: int) -> Cell:
    at = bit.bit_length() - 1
    return Cell(0 if at >= _ROW else 1, at % _ROW - 1)


def _row(state: Pilgrimage, row: int) -> tuple[tuple[int, ...], int]:
    numbers = tuple(state.numbers.get(Cell(row, at - 1), 0) for at in _SPACES)
    return numbers, _ENDS if state.descending else _SUMMIT
