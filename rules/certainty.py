"""What is sure about a table and what is not: tiles surely read, tiles that may read anything, tiles off the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from rules.board import Board, Cell
from rules.domino import Domino
from rules.game import Problem
from rules.table import Doubt, Table
from rules.words import count, is_reading, listing, said, said_reading, where


@dataclass(frozen=True)
class Sight:
    """A table parted by how sure its tiles are; face-down tiles on no cells are spare ones, and left out.

    sure: the tiles whose reading stands. wild: the cells of each tile that may read anything. backs: the cells of
    each tile that lies face down; unsure_backs: of each that seems to. unclear: cells that a doubt names, though no
    tile was given them. astray: dominoes that surely lie on no cells.
    """

    sure: Board
    wild: tuple[tuple[Cell, ...], ...]
    backs: tuple[tuple[Cell, ...], ...]
    unsure_backs: tuple[tuple[Cell, ...], ...]
    unclear: frozenset[Cell]
    astray: tuple[Domino, ...]

    @property
    def covered(self) -> tuple[Cell, ...]:
        """Every cell that something lies on for sure."""
        hidden = (cell for cells in (*self.wild, *self.backs, *self.unsure_backs) for cell in cells)
        return tuple(sorted({*self.sure.owner, *hidden}))

    @property
    def unread(self) -> int:
        """How many tiles at most lie on the cells without being surely read."""
        return len(self.wild) + len(self.backs) + len(self.unsure_backs) + len(self.unclear)

    def moved(self, place: Callable[[Cell], Cell]) -> Sight:
        """The same tiles after each cell went to where `place` takes it."""
        wild, backs, unsure_backs = (
            tuple(tuple(map(place, cells)) for cells in tiles) for tiles in (self.wild, self.backs, self.unsure_backs)
        )
        return Sight(
            self.sure.moved(place), wild, backs, unsure_backs, frozenset(map(place, self.unclear)), self.astray
        )


def part(table: Table) -> Sight:
    """Parts a table into what is sure and what is not.

    A doubt takes in every tile that lies on one of its cells, unless its sentence says what it is about: numbers stand.
    """
    doubted = {cell for doubt in table.doubts if not doubt.sentence for cell in doubt.where}
    unsure = [placed for placed in table.board.placed if not doubted.isdisjoint(placed.cells)]
    hidden = [place.cells for place in table.face_down if place.cells]
    backs = [cells for cells in hidden if table.board.owner.keys().isdisjoint(cells)]
    return Sight(
        table.board.without(unsure),
        tuple(placed.cells for placed in unsure),
        tuple(cells for cells in backs if doubted.isdisjoint(cells)),
        tuple(cells for cells in backs if not doubted.isdisjoint(cells)),
        frozenset(doubted.difference(table.board.owner, *backs)),
        _astray(table),
    )


def off_the_cells(sight: Sight) -> tuple[Problem, ...]:
    """A sentence for each domino that surely lies on no cells."""
    return tuple(Problem(f"The {said(domino)} lies off the grid.") for domino in sight.astray)


def face_down(sight: Sight, squares: Container[Cell]) -> tuple[Problem, ...]:
    """A sentence for each tile that surely lies face down on one of these squares."""
    backs = [cells for cells in sight.backs if any(cell in squares for cell in cells)]
    return tuple(Problem(f"The tile {_at(cells)} lies face down.", cells) for cells in backs)


def gaps(sight: Sight, squares: Iterable[Cell]) -> tuple[Problem, ...]:
    """One sentence for all the squares that surely nothing lies on, none where there are no such squares."""
    full = sight.unclear.union(sight.covered)
    empty = tuple(cell for cell in sorted(squares) if cell not in full)
    verb = "is" if len(empty) == 1 else "are"
    return (Problem(f"{count(len(empty), 'square')} {verb} empty: {where(empty)}.", empty),) if empty else ()


def doubts_about(table: Table, place: Callable[[Cell], Cell], squares: Container[Cell]) -> tuple[Doubt, ...]:
    """The doubts about tiles on these squares, which are named as `place` says."""
    return tuple(doubt for doubt in table.doubts if any(place(cell) in squares for cell in doubt.where))


def doubt_notes(doubts: Iterable[Doubt], place: Callable[[Cell], Cell]) -> tuple[Problem, ...]:
    """Each doubt in a sentence; `place` gives the cells that are named, from those of the table."""
    return tuple(_note(doubt, tuple(map(place, doubt.where))) for doubt in doubts)


def _note(doubt: Doubt, cells: tuple[Cell, ...]) -> Problem:
    """A turn may put the tail left of the head: what is read is said as the named cells lie, left or upper first."""
    if doubt.sentence:
        return Problem(doubt.sentence, cells)
    turned = cells != tuple(sorted(cells))
    reading, *others = (said_reading(text, turned) for text in (doubt.reading, *doubt.others))
    verb = "reads" if is_reading(doubt.reading) else "is"
    text = f"It is not sure that the tile {_at(cells)} {verb} {reading}"
    return Problem(text + (f"; it may be {listing(others, 'or')}." if others else "."), cells)


def _at(cells: tuple[Cell, ...]) -> str:
    if any(cell.row < 0 or cell.col < 0 for cell in cells):
        return "beside the grid"
    return f"at {where(cells)}" if cells else "off the grid"


def _astray(table: Table) -> tuple[Domino, ...]:
    """Loose tiles and those of a chain, without the ones that lie on the board too and those that are in doubt."""
    chained = Counter(tile.domino for tile in table.chain.tiles)
    chained.subtract(placed.domino for placed in table.board.placed)
    off = Counter(tile.domino for tile in table.loose) + +chained
    for doubt in table.doubts:
        doubted = {table.board.owner[cell].domino for cell in doubt.where if cell in table.board.owner}
        named = [domino for domino in off if str(domino) in (doubt.reading, doubt.reading[::-1])]
        off.subtract([domino for domino in named if domino not in doubted and off[domino] > 0])
    return tuple(sorted((+off).elements()))
