"""Sliding a domino in a group: the move that the sliding puzzles share, and the rules that hold in all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from rules.board import Cell, areas
from rules.game import IllegalMove, Problem
from rules.layout import WIDTH, Contact, Layout, Tile, around, cell_of, cover, hangs_together
from rules.words import count, pair, where

_DELTAS = {"R": 1, "L": -1, "D": WIDTH, "U": -WIDTH}
_ALONG = {1: ("R", "L"), WIDTH: ("D", "U")}
WORDS = {"R": "right", "L": "left", "D": "down", "U": "up"}


@dataclass(frozen=True)
class Slide:
    """Slide a tile one space, R, L, D or U. `str` is the printed notation: "24R"."""

    tile: Tile
    direction: str

    @property
    def name(self) -> str:
        """The tile as it is called: "2-4"."""
        return pair(self.tile.head, self.tile.tail)

    def __str__(self) -> str:
        return f"{self.tile}{self.direction}"


class Slid(NamedTuple):
    """A slide that is being judged: the layout before it, the tile's number in it, its new place, what is covered."""

    before: Layout
    move: Slide
    number: int
    place: int
    covered: int

    def contacts(self) -> list[Contact]:
        """What the tile touches in its new place."""
        left = self.before.places[self.number]
        vacated = left if self.place > left else left + self.move.tile[2]
        return self.before.contacts(self.move.tile, self.place, vacated)

    def layout(self) -> Layout:
        """The layout after it."""
        return self.before.moved(self.number, self.place, self.covered)

    def refused(self, why: str, cells: Collection[Cell] = ()) -> Problem:
        """The sentence that refuses the slide; the cells are those of the tile and the ones given."""
        text = f"The {self.move.name} cannot slide {WORDS[self.move.direction]}: {why}."
        return Problem(text, tuple(dict.fromkeys((*self.before.cells(self.number), *cells))))


def slides(layout: Layout) -> Iterator[Slide]:
    """Every slide of one space into a free one."""
    pips = layout.pips
    for tile, place in zip(layout.tiles, layout.places, strict=True):
        step = tile[2]
        forth, back = _ALONG[step]
        if place + 2 * step not in pips:
            yield Slide(tile, forth)
        if place - step not in pips:
            yield Slide(tile, back)


def every_slide(layout: Layout) -> Iterator[Slide]:
    """Every slide that a hand could make, whatever the rules say: across the long axis too."""
    return (Slide(tile, way) for tile in layout.tiles for way in WORDS)


def slid(layout: Layout, move: Slide) -> Slid:
    """A slide along the tile's long axis into a free one. Raises IllegalMove for any other."""
    tile, direction = move.tile, move.direction
    try:
        number = layout.tiles.index(tile)
    except ValueError:
        raise IllegalMove(nowhere(tile.head, tile.tail)) from None
    left = layout.places[number]
    place = left + _DELTAS[direction]
    others, new = layout.covered ^ cover(tile, left), cover(tile, place)
    made = Slid(layout, move, number, place, others | new)
    if direction not in _ALONG[tile[2]]:
        after = None if others & new else made.layout
        raise IllegalMove(partial(made.refused, "a domino slides along its long axis only"), after)
    if others & new:
        raise IllegalMove(partial(_blocked, made, others & new))
    return made


def nowhere(head: int, tail: int) -> str:
    """The sentence for a tile that is not on the table."""
    return f"No domino lies on the table as {pair(head, tail)}, left to right or from the top down."


def keep_together(made: Slid, after: Callable[[], Layout]) -> None:
    """Raises IllegalMove where a slide splits the group.

    The others hung together through the tile, so it is enough that whatever touched it still hangs on it.
    """
    tile = made.move.tile
    touched = around(tile, made.before.places[made.number]) & made.covered
    if not hangs_together(made.covered, cover(tile, made.place), touched):
        raise IllegalMove(partial(_split, made), after)


def _blocked(made: Slid, covered: int) -> Problem:
    cells = [cell_of(place) for place in made.before.pips if covered >> place & 1]
    return made.refused(f"something lies at {where(cells)}", cells)


def _split(made: Slid) -> Problem:
    after, before = made.layout(), made.before
    tile, tail = (cell_of(place) for place in (made.place, made.place + made.move.tile.step))
    down, right = after.origin.row - before.origin.row, after.origin.col - before.origin.col
    parts = [{cell.shifted(down, right) for cell in part} for part in areas(after.board.pips, lambda one, other: True)]
    cut = sorted(cell for part in parts if tile not in part for cell in part)
    if {tile, tail} in parts:
        return made.refused("it would lose touch with the group")
    return made.refused(f"{count(len(cut), 'square')} would be cut off from it: {where(cut)}", cut)
