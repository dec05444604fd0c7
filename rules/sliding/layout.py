"""Dominoes that slide in one group, packed so that a search can try thousands of moves a second.

A place is one number, 64 a row, and the cells that are covered are the bits of one number: shifting it by 1 or by 64
moves every domino at once. The top left of the group always lies at the same place, so that two layouts are equal when
they differ by a shift alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino, pips_text
from rules.fit import Fit

WIDTH = 64
MARGIN = 4
LONGEST = WIDTH - 2 * MARGIN
CORNER = MARGIN * WIDTH + MARGIN
_ROW = (1 << WIDTH) - 1
_COLUMNS = tuple(sum(1 << (row * WIDTH + col) for row in range(WIDTH)) for col in range(WIDTH))
_FIRST_ROW, _FIRST_COLUMN = _ROW << MARGIN * WIDTH, _COLUMNS[MARGIN]
_BEFORE = (1 << MARGIN * WIDTH) - 1 | sum(_COLUMNS[:MARGIN])
_STEPS = {Way.RIGHT: 1, Way.DOWN: WIDTH}
_PAIRS = {1: 0b11, WIDTH: 1 << WIDTH | 1}
_WAYS = {step: way for way, step in _STEPS.items()}


class Tile(NamedTuple):
    """A domino and the way it lies, wherever that is; `step` leads from its head to its tail. `str` is "24"."""

    head: int
    tail: int
    step: int

    @classmethod
    def of(cls, placed: Placed) -> Tile:
        """The tile without its place."""
        return cls(placed.head, placed.tail, _STEPS[placed.way])

    @property
    def domino(self) -> Domino:
        """Which domino of the set this is."""
        return Domino.of(self.head, self.tail)

    @property
    def way(self) -> Way:
        """Whether its tail is right of its head or below it."""
        return _WAYS[self.step]

    def __str__(self) -> str:
        return pips_text(self.head) + pips_text(self.tail)


Contact: TypeAlias = tuple[int, int, int]
"""A half's number, the number beside it on another domino, and the place where that one lies."""


@dataclass(frozen=True)
class Layout:
    """The state of a sliding puzzle: the dominoes on the table, and those that wait to be added, in their order.

    places[i] is where the head of tiles[i] lies; the tiles are in the order of the set, each domino once. origin: the
    row and column of the group's top left as the start counted them. fit: leads from the table that was read to the
    cells as the start counted them.
    """

    tiles: tuple[Tile, ...]
    places: tuple[int, ...]
    waiting: tuple[Tile, ...] = ()
    covered: int = field(default=0, compare=False, repr=False)
    origin: Cell = field(default=Cell(0, 0), compare=False)
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @classmethod
    def of(cls, board: Board, waiting: Iterable[Tile] = (), fit: Fit | None = None) -> Layout:
        """The layout of a board; no domino may lie there twice, nor reach further than LONGEST cells."""
        first = board.top_left
        shift = CORNER - first.row * WIDTH - first.col
        placed = sorted(board.placed, key=lambda placed: placed.domino)
        places = tuple(tile.cell.row * WIDTH + tile.cell.col + shift for tile in placed)
        tiles = tuple(map(Tile.of, placed))
        covered = sum(cover(*lying) for lying in zip(tiles, places, strict=True))
        return cls(tiles, places, tuple(waiting), covered, first, fit or Fit())

    @cached_property
    def pips(self) -> Mapping[int, int]:
        """For each covered place, its number."""
        found: dict[int, int] = {}
        for (head, tail, step), place in zip(self.tiles, self.places, strict=True):
            found[place] = head
            found[place + step] = tail
        return found

    @cached_property
    def board(self) -> Board:
        """The dominoes on cells, the top left of the group at (0, 0)."""
        lying = zip(self.tiles, self.places, strict=True)
        return Board(tuple(Placed(cell_of(place), tile.way, tile.head, tile.tail) for tile, place in lying))

    def __hash__(self) -> int:
        return hash(self.places)

    @property
    def dominoes(self) -> frozenset[Domino]:
        """The dominoes on the table."""
        return frozenset(tile.domino for tile in self.tiles)

    def __str__(self) -> str:
        """The board in text; below a line of "===" those that wait, side by side."""
        queue = Board(tuple(Placed(Cell(0, i), tile.way, tile.head, tile.tail) for i, tile in enumerate(self.waiting)))
        return f"{self.board}\n===\n{queue}" if self.waiting else str(self.board)

    def contacts(self, tile: Tile, place: int, vacated: int = -1) -> list[Contact]:
        """What a tile would touch at a place; nothing lies at the vacated place any more."""
        head, tail, step = tile
        side, end, pips = WIDTH + 1 - step, place + step, self.pips
        around = (
            (head, place - step),
            (head, place - side),
            (head, place + side),
            (tail, end - side),
            (tail, end + side),
            (tail, end + step),
        )
        return [(own, pips[at], at) for own, at in around if at in pips and at != vacated]

    def at(self, place: int) -> int:
        """The number of the tile that covers a place, counted in `tiles`."""
        return tile_at(self.tiles, self.places, place)

    def cells(self, index: int) -> tuple[Cell, Cell]:
        """The cells of a tile, its head's first."""
        place = self.places[index]
        return cell_of(place), cell_of(place + self.tiles[index].step)

    def moved(self, index: int, place: int) -> Layout:
        """The layout after a tile went to a free place."""
        places = self.places
        pair = _PAIRS[self.tiles[index][2]]
        covered = self.covered ^ pair << places[index] | pair << place
        return self._settled(self.tiles, (*places[:index], place, *places[index + 1 :]), covered)

    def without(self, taken: Iterable[int]) -> Layout:
        """The layout after the tiles with these numbers were taken away."""
        tiles, places, covered = self.tiles, self.places, self.covered
        for i in sorted(taken, reverse=True):
            covered ^= _PAIRS[tiles[i][2]] << places[i]
            tiles, places = tiles[:i] + tiles[i + 1 :], places[:i] + places[i + 1 :]
        return self._settled(tiles, places, covered)

    def laid(self, tile: Tile, place: int, waiting: tuple[Tile, ...]) -> Layout:
        """The layout with one more tile, and what waits then."""
        lying = sorted((*zip(self.tiles, self.places, strict=True), (tile, place)), key=lambda pair: pair[0].domino)
        tiles, places = tuple(tile for tile, _ in lying), tuple(place for _, place in lying)
        return self._settled(tiles, places, self.covered | cover(tile, place), waiting)

    def _settled(
        self, tiles: tuple[Tile, ...], places: tuple[int, ...], covered: int, waiting: tuple[Tile, ...] | None = None
    ) -> Layout:
        origin = self.origin
        shift = off_corner(covered)
        if shift:
            places = tuple([place - shift for place in places])
            origin = origin.shifted(*_overhang(covered))
            covered = covered >> shift if shift > 0 else covered << -shift
        return Layout(tiles, places, self.waiting if waiting is None else waiting, covered, origin, self.fit)


def cover(tile: Tile, place: int) -> int:
    """The bits of the two places that a tile covers."""
    return _PAIRS[tile[2]] << place


def tile_at(tiles: Sequence[Tile], places: tuple[int, ...], place: int) -> int:
    """The number of the tile that covers a place. Raises KeyError where none does."""
    for step in (0, 1, WIDTH):
        if place - step in places:
            number = places.index(place - step)
            if step in (0, tiles[number][2]):
                return number
    raise KeyError(place)


def joined(covered: int, one: int, other: int) -> bool:
    """Whether one comes over covered places from the places `one` to the places `other`; each is given as bits.

    Both grow in turn, so that a small part that is cut off ends it soon, whichever it is.
    """
    while not one & other:
        grown = _grown(covered, one)
        if grown == one:
            return False
        one, other = other, grown
    return True


def hangs_together(covered: int) -> bool:
    """Whether one comes over covered places from any of them to any other."""
    area, grown = 0, covered & -covered
    while area != grown:
        area, grown = grown, _grown(covered, grown)
    return area == covered


def _grown(covered: int, area: int) -> int:
    across = area | (area << 1 | area >> 1) & covered
    return across | (across << WIDTH | across >> WIDTH) & covered


def cell_of(place: int) -> Cell:
    """The cell of a place, counted from the top left of the group."""
    return Cell(place // WIDTH - MARGIN, place % WIDTH - MARGIN)


def place_of(cell: Cell) -> int:
    """The place of a cell that is counted from the top left of the group."""
    return cell.row * WIDTH + cell.col + CORNER


def off_corner(covered: int) -> int:
    """How many places behind CORNER the top left of a group lies, 0 for none."""
    if covered & _FIRST_ROW and covered & _FIRST_COLUMN and not covered & _BEFORE:
        return 0
    rows, cols = _overhang(covered)
    return rows * WIDTH + cols


def _overhang(covered: int) -> tuple[int, int]:
    """How many rows below and columns right of its place the top left of the group lies."""
    if not covered:
        return 0, 0
    col = 0
    while not covered & _COLUMNS[col]:
        col += 1
    return ((covered & -covered).bit_length() - 1) // WIDTH - MARGIN, col - MARGIN
