"""Walking over a map of heights: which squares can be reached, which cliffs part them, and what crossing them costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from rules.board import Cell, areas
from rules.domino import Domino

STEP = 1
PATIENCE = 2_000


@dataclass(frozen=True)
class Map:
    """Heights by cell; open cells may have any height, so that one walks over them wherever one likes."""

    heights: Mapping[Cell, int]
    open: frozenset[Cell] = frozenset()

    @property
    def cells(self) -> frozenset[Cell]:
        """Every cell, open or not."""
        return self.open.union(self.heights)

    def drop(self, one: Cell, other: Cell) -> int:
        """The levels between two cells; 0 where one of them is open."""
        if one in self.open or other in self.open:
            return 0
        return abs(self.heights[one] - self.heights[other])

    def areas(self) -> tuple[tuple[Cell, ...], ...]:
        """The parts that can be walked through without climbing a cliff, biggest first."""
        return areas(self.cells, lambda one, other: self.drop(one, other) <= STEP)

    def cliffs(self) -> tuple[tuple[Cell, Cell], ...]:
        """Every two neighbouring cells of different areas, the left or upper one first."""
        area = {cell: number for number, cells in enumerate(self.areas()) for cell in cells}
        pairs = ((cell, other) for cell in sorted(area) for other in cell.neighbours()[:2])
        return tuple(pair for pair in pairs if pair[1] in area and area[pair[0]] != area[pair[1]])

    def paths(self) -> tuple[tuple[Cell, ...], ...]:
        """The walks along rows and down columns, each as long as no cliff ends it: together, every step there is."""
        found = []
        for down, right in ((0, 1), (1, 0)):
            for cell in sorted(self.heights):
                if not self._steps(cell.shifted(-down, -right), cell):
                    walk = [cell]
                    while self._steps(walk[-1], walk[-1].shifted(down, right)):
                        walk.append(walk[-1].shifted(down, right))
                    if len(walk) > 1:
                        found.append(tuple(walk))
        return tuple(found)

    def _steps(self, one: Cell, other: Cell) -> bool:
        known = one in self.heights and other in self.heights
        return known and self.drop(one, other) <= STEP

    def climbs(self) -> tuple[tuple[Cell, Cell, int], ...]:
        """The cliffs that have to be climbed, each with its levels, to join all areas as cheaply as can be.

        They are a smallest spanning tree (Kruskal 1956); with open cells, they come to the least that it may weigh.
        """
        leader = {cell: cells[0] for cells in self.areas() for cell in cells}
        found = []
        for one, other in sorted(self.cliffs(), key=lambda pair: self.drop(*pair)):
            gone, kept = leader[one], leader[other]
            if gone != kept:
                found.append((one, other, self.drop(one, other)))
                leader = {cell: kept if first == gone else first for cell, first in leader.items()}
        return tuple(found)

    def penalty(self) -> int:
        """The levels of all those climbs together."""
        return sum(levels for _, _, levels in self.climbs())


def can_be_walked(known: Map, tiles: Sequence[tuple[Cell, Cell]], dominoes: frozenset[Domino]) -> bool:
    """Whether different dominoes can lie on these open tiles such that every cell of the map can be walked to.

    The search gives up after PATIENCE tries and then answers True: it is not shown to be impossible.
    """
    tries = count()

    def fill(so_far: Map, number: int, left: frozenset[Domino]) -> bool:
        if len(so_far.areas()) > 1:
            return False
        if number == len(tiles):
            return True
        for domino in sorted(left):
            for heights in {(domino.low, domino.high), (domino.high, domino.low)}:
                if next(tries) >= PATIENCE:
                    return True
                cells = dict(zip(tiles[number], heights, strict=True))
                after = Map({**so_far.heights, **cells}, so_far.open.difference(cells))
                if fill(after, number + 1, left - {domino}):
                    return True
        return False

    return fill(known, 0, dominoes)
