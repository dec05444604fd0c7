"""The grid of Tetradominoes as numbers, for looking ahead; a test holds it to what `play` allows.

A place is one number, 256 a row. Only finding moves is quick here: every rule stands in `turns`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rules.board import Cell, Placed
from rules.domino import Domino
from rules.tetradominoes.shapes import MAKERS
from rules.tetradominoes.state import Cover, Grid

_ROW, _MIDDLE = 256, 64
_STEPS = (1, _ROW, -1, -_ROW)
_SQUARES = 4


class Laying(NamedTuple):
    """A domino on two places, the upper or left one first, with its numbers."""

    place: int
    other: int
    pips: int
    other_pips: int

    @property
    def placed(self) -> Placed:
        """The same on cells."""
        return Placed.on(cell_of(self.place), cell_of(self.other), self.pips, self.other_pips)


Option: TypeAlias = tuple[str, bool, tuple[int, ...]]
"""A tetromino, the side that lies up, and its places."""


def place_of(cell: Cell) -> int:
    """The number of a cell."""
    return (cell.row + _MIDDLE) * _ROW + cell.col + _MIDDLE


def cell_of(place: int) -> Cell:
    """The cell with a number."""
    return Cell(place // _ROW - _MIDDLE, place % _ROW - _MIDDLE)


_MAKERS = {tuple(place_of(cell) - place_of(shape[0]) for cell in shape): made for shape, made in MAKERS.items()}


@dataclass(frozen=True)
class Compact:
    """The numbers, which are covered, what each colour of tetromino must not adjoin, and the pieces that are left."""

    pips: Mapping[int, int]
    covered: frozenset[int]
    rivals: Mapping[bool, frozenset[int]]
    pieces: tuple[str, ...]

    @classmethod
    def of(cls, state: Grid) -> Compact:
        """The grid as who is to move has to play on it."""
        rivals = {light: frozenset(map(place_of, state.rivals(light))) for light in state.colors()}
        pips = {place_of(cell): number for cell, number in state.board.pips.items()}
        return cls(pips, frozenset(map(place_of, state.covered)), rivals, state.pieces)

    def lays(self, domino: Domino) -> Iterator[Laying]:
        """Every way to play a domino, each once."""
        pips = self.pips
        if not pips:
            yield from _first(domino)
            return
        uncovered = [place for place in pips if place not in self.covered]
        found = set()
        for own, rest in {(domino.high, domino.low), (domino.low, domino.high)}:
            for near in uncovered or pips:
                if uncovered and pips[near] != own:
                    continue
                for half in (near + step for step in _STEPS if near + step not in pips):
                    for far in (half + step for step in _STEPS if half + step not in pips):
                        found.add(Laying(half, far, own, rest) if half < far else Laying(far, half, rest, own))
        yield from sorted(found)

    def with_lay(self, lay: Laying) -> Compact:
        """The grid with one more domino."""
        return Compact(
            {**self.pips, lay.place: lay.pips, lay.other: lay.other_pips}, self.covered, self.rivals, self.pieces
        )

    def options(self, lay: Laying) -> list[Option]:
        """Every tetromino that may be played after a domino that lies there, each way."""
        numbers = (lay.pips, lay.other_pips)
        if not self._has_room(lay, numbers):
            return []
        found = []
        for places in self._fours(lay, numbers):
            makers = _MAKERS.get(tuple(place - places[0] for place in places), ())
            for piece, light in makers:
                rivals = self.rivals.get(light)
                if rivals is None or piece not in self.pieces:
                    continue
                if not any(place + step in rivals for place in places for step in _STEPS):
                    found.append((piece, light, places))
        return found

    def _has_room(self, lay: Laying, numbers: Collection[int]) -> bool:
        """Whether four uncovered places with these numbers hang together around a domino: most often they do not."""
        pips, covered = self.pips, self.covered
        there = [lay.place, lay.other]
        for place in there:
            for step in _STEPS:
                near = place + step
                if pips.get(near, -1) in numbers and near not in covered and near not in there:
                    there.append(near)
                    if len(there) == _SQUARES:
                        return True
        return False

    def _fours(self, lay: Laying, numbers: Collection[int]) -> list[tuple[int, ...]]:
        """Four places that adjoin, with the domino's numbers alone, none covered, at least one of them the domino's."""
        pips, covered = self.pips, self.covered
        groups = {frozenset((place,)) for place in (lay.place, lay.other)}
        for _ in range(_SQUARES - 1):
            grown = set()
            for group in groups:
                for place in group:
                    for step in _STEPS:
                        near = place + step
                        if near not in group and near not in covered and pips.get(near, -1) in numbers:
                            grown.add(group | {near})
            groups = grown
        return sorted(tuple(sorted(group)) for group in groups)

    def with_option(self, option: Option) -> Compact:
        """The grid after a tetromino was played."""
        piece, light, places = option
        rivals = {side: kept.union(places) if side is light else kept for side, kept in self.rivals.items()}
        left = tuple(other for other in self.pieces if other != piece)
        return Compact(self.pips, self.covered.union(places), rivals, left)


def _first(domino: Domino) -> Iterator[Laying]:
    start = place_of(Cell(0, 0))
    for step in (1, _ROW):
        for own, rest in sorted({(domino.high, domino.low), (domino.low, domino.high)}):
            yield Laying(start, start + step, own, rest)


def covers(state: Grid) -> tuple[Cover, ...]:
    """Every tetromino that may be played on the domino that was just played."""
    if state.last is None:
        return ()
    one, other = map(place_of, state.last.cells)
    lay = Laying(one, other, state.last.head, state.last.tail)
    options = Compact.of(state).options(lay)
    return tuple(Cover(piece, light, tuple(map(cell_of, places))) for piece, light, places in options)


def can_play(state: Grid, dominoes: Collection[Domino]) -> Domino | None:
    """A domino of these that can be played, None where none can."""
    grid = Compact.of(state)
    return next((domino for domino in dominoes if next(grid.lays(domino), None)), None)
