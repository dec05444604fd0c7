"""Sliding a domino in a group: the move that the sliding puzzles share, and the rules that hold in all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from rules.board import Cell, areas
from rules.game import IllegalMove, Problem
from rules.sliding.layout import WIDTH, Contact, Layout, Tile, cell_of, cover, joined
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


Beside: TypeAlias = tuple[int | None, int | None, int | None]
"""The numbers that lie beside a half: beyond it along the tile, and on its two sides; None where there is none."""


class Slid(NamedTuple):
    """A slide that is being judged: the layout before it, the tile's number in it, its new place, and the numbers that
    lie there beside its head and beside its tail."""

    before: Layout
    move: Slide
    number: int
    place: int
    by_head: Beside
    by_tail: Beside

    def meets(self, head: int, tail: int) -> bool:
        """Whether the one number lies beside the tile's head, or the other beside its tail."""
        return head in self.by_head or tail in self.by_tail

    @property
    def matches(self) -> int:
        """How often the tile meets its own numbers."""
        return self.by_head.count(self.move.tile[0]) + self.by_tail.count(self.move.tile[1])

    def met(self) -> list[int]:
        """The places of its own numbers beside it."""
        head, tail, step = self.move.tile
        place, side = self.place, WIDTH + 1 - step
        near = zip((place - step, place - side, place + side), self.by_head, strict=True)
        end = place + step
        far = zip((end + step, end - side, end + side), self.by_tail, strict=True)
        return [at for at, pips in near if pips == head] + [at for at, pips in far if pips == tail]

    @property
    def others(self) -> int:
        """The bits of the places that all the others cover."""
        return self.before.covered ^ cover(self.move.tile, self.before.places[self.number])

    def holds(self) -> bool:
        """Whether the group is still one."""
        tile, before = self.move.tile, self.before
        covered = self.others | cover(tile, self.place)
        return keeps_together(before.pips, covered, before.places[self.number], self.place, tile[2])

    def contacts(self) -> list[Contact]:
        """What the tile touches in its new place."""
        left = self.before.places[self.number]
        vacated = left if self.place > left else left + self.move.tile[2]
        return self.before.contacts(self.move.tile, self.place, vacated)

    def layout(self) -> Layout:
        """The layout after it."""
        return self.before.moved(self.number, self.place)

    def refused(self, why: str, cells: Collection[Cell] = ()) -> Problem:
        """The sentence that refuses the slide; the cells are those of the tile and the ones given."""
        text = f"The {self.move.name} cannot slide {WORDS[self.move.direction]}: {why}."
        return Problem(text, tuple(dict.fromkeys((*self.before.cells(self.number), *cells))))


def keeps_together(pips: Mapping[int, int], covered: int, left: int, place: int, step: int) -> bool:
    """Whether the group is still one after a tile slid from `left` to `place`.

    pips: the numbers before it, by place. covered: the bits of the places that are covered after it. The others hung
    together through the tile, so it is enough that what touched the place it left hangs on it: mostly round a corner
    beside that place, else by a longer way.
    """
    side, ahead = WIDTH + 1 - step, place - left
    vacated = left if ahead > 0 else left + step
    near, back = vacated + ahead, vacated - ahead
    over, under = vacated - side in pips, vacated + side in pips
    adrift = [vacated - side] if over and near - side not in pips else []
    if under and near + side not in pips:
        adrift.append(vacated + side)
    if back in pips and not ((over and back - side in pips) or (under and back + side in pips)):
        adrift.append(back)
    tile = 1 << place | 1 << place + step
    return not adrift or all(joined(covered, 1 << cell, tile) for cell in adrift)


def slides(layout: Layout) -> Iterator[Slid]:
    """Every slide of one space into a free one, not judged yet."""
    pips = layout.pips
    for number, (tile, place) in enumerate(zip(layout.tiles, layout.places, strict=True)):
        step = tile[2]
        if place + 2 * step not in pips:
            yield _judged(layout, ways(tile)[0], number, place, place + step)
        if place - step not in pips:
            yield _judged(layout, ways(tile)[1], number, place, place - step)


def _judged(layout: Layout, move: Slide, number: int, left: int, place: int) -> Slid:
    step, at = move.tile[2], layout.pips.get
    side, end = WIDTH + 1 - step, place + step
    behind, beyond = (at(place - step), None) if place < left else (None, at(end + step))
    by_head, by_tail = (behind, at(place - side), at(place + side)), (beyond, at(end - side), at(end + side))
    return Slid(layout, move, number, place, by_head, by_tail)


@cache
def ways(tile: Tile) -> tuple[Slide, Slide]:
    """The two slides of a tile: forth, towards its tail, and back."""
    forth, back = _ALONG[tile.step]
    return Slide(tile, forth), Slide(tile, back)


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
    made = _judged(layout, move, number, left, place)
    blocked = made.others & cover(tile, place)
    if direction not in _ALONG[tile[2]]:
        raise IllegalMove(
            partial(made.refused, "a domino slides along its long axis only"), None if blocked else made.layout
        )
    if blocked:
        raise IllegalMove(partial(_blocked, made, blocked))
    return made


def nowhere(head: int, tail: int) -> str:
    """The sentence for a tile that is not on the table."""
    return f"No domino lies on the table as {pair(head, tail)}, left to right or from the top down."


def _blocked(made: Slid, covered: int) -> Problem:
    cells = [cell_of(place) for place in made.before.pips if covered >> place & 1]
    return made.refused(f"something lies at {where(cells)}", cells)


def split(made: Slid) -> Problem:
    """The sentence for a slide that would part the group."""
    after, before = made.layout(), made.before
    tile, tail = (cell_of(place) for place in (made.place, made.place + made.move.tile.step))
    down, right = after.origin.row - before.origin.row, after.origin.col - before.origin.col
    parts = [{cell.shifted(down, right) for cell in part} for part in areas(after.board.pips, lambda one, other: True)]
    cut = sorted(cell for part in parts if tile not in part for cell in part)
    if {tile, tail} in parts:
        return made.refused("it would lose touch with the group")
    return made.refused(f"{count(len(cut), 'square')} would be cut off from it: {where(cut)}", cut)
