"""The shortest solutions of puzzles whose dominoes only slide: breadth first over the places where their heads lie.

A search tries thousands of slides that nobody hears of: so it has no words and keeps no moves, but says by numbers
what `play` says. A tile that was captured lies at place 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rules.game import Solution
from rules.sliding.layout import WIDTH, Layout, Tile, hangs_together, off_corner, tile_at
from rules.sliding.slide import Slide, keeps_together, ways
from rules.watch import Watch

Places: TypeAlias = tuple[int, ...]
Came: TypeAlias = dict[Places, tuple[Places, int, bool] | None]
"""For each position the one before it, the number of the tile that slid, and whether it went forth or back."""


@dataclass(frozen=True)
class Meetings:
    """What the numbers of a slid tile decide.

    required: whether one of `numbers` has to lie beside a half, as in Capturing, or none may, as in Unmatched.
    numbers: for each number of a half, those that are looked for beside it. captures: whether a tile that meets its own
    number is captured, with all that it meets.
    """

    required: bool
    numbers: Callable[[int], frozenset[int]]
    captures: bool = False


def fewest_slides(start: Layout, meetings: Meetings, won: Callable[[int], bool], watch: Watch) -> Solution[Slide]:
    """The fewest slides to a position whose covered places are `won`, or the proof that none lead there."""
    if won(start.covered):
        return Solution((), 1, 0, True)
    group = _Group(start.tiles, meetings)
    came: Came = {start.places: None}
    frontier, moves = [(start.places, start.covered)], 0
    while frontier:
        reached: list[tuple[Places, int]] = []
        moves += 1
        for places, covered in frontier:
            if not watch.goes_on(len(came), moves):
                return Solution(None, len(came), moves)
            for number, forth, after, lying in group.further(places, covered):
                if after not in came:
                    came[after] = places, number, forth
                    reached.append((after, lying))
                    if won(lying):
                        return Solution(_way(start.tiles, came, after), len(came), moves, True)
        frontier = reached
    return Solution(None, len(came), moves, True)


def _way(tiles: tuple[Tile, ...], came: Came, places: Places) -> tuple[Slide, ...]:
    made = []
    while step := came[places]:
        places, number, forth = step
        made.append(ways(tiles[number])[0 if forth else 1])
    return tuple(reversed(made))


class _Group:
    """The tiles of a puzzle, and where they get by one slide."""

    def __init__(self, tiles: tuple[Tile, ...], meetings: Meetings) -> None:
        self._tiles, self._required, self._captures = tiles, meetings.required, meetings.captures
        look = meetings.numbers
        self._looked_for = [(*tile, look(tile.head), look(tile.tail)) for tile in tiles]

    def further(self, places: Places, covered: int) -> Iterator[tuple[int, bool, Places, int]]:
        """Each legal slide: the tile's number, whether it goes forth, and then the places and what they cover."""
        pips = self._pips(places)
        at, required = pips.get, self._required
        for number, (head, tail, step, by_head, by_tail) in enumerate(self._looked_for):
            place = places[number]
            if not place:
                continue
            end, side = place + step, WIDTH + 1 - step
            to = end + step
            if to not in pips:
                beside = at(end - side), at(end + side)
                beyond = at(to - side), at(to + side), at(to + step)
                if (by_head.isdisjoint(beside) and by_tail.isdisjoint(beyond)) != required:
                    met = self._captures and (head in beside or tail in beyond)
                    yield from self._slid(places, covered, pips, (number, place, end, met))
            to = place - step
            if to not in pips:
                beside = at(place - side), at(place + side)
                beyond = at(to - side), at(to + side), at(to - step)
                if (by_tail.isdisjoint(beside) and by_head.isdisjoint(beyond)) != required:
                    met = self._captures and (tail in beside or head in beyond)
                    yield from self._slid(places, covered, pips, (number, place, to, met))

    def _pips(self, places: Places) -> dict[int, int]:
        found: dict[int, int] = {}
        for (head, tail, step), place in zip(self._tiles, places, strict=True):
            if place:
                found[place] = head
                found[place + step] = tail
        return found

    def _slid(
        self, places: Places, covered: int, pips: dict[int, int], slide: tuple[int, int, int, bool]
    ) -> Iterator[tuple[int, bool, Places, int]]:
        """The position after a slide, if the group stays one, and stays one without what is captured."""
        number, left, place, met = slide
        step = self._tiles[number][2]
        others = covered ^ (1 << left | 1 << left + step)
        lying = others | 1 << place | 1 << place + step
        if not keeps_together(pips, lying, left, place, step):
            return
        after = (*places[:number], place, *places[number + 1 :])
        if met:
            after, lying = self._captured(places, others, pips, number, place)
            if not hangs_together(lying):
                return
        shift = off_corner(lying)
        if shift:
            after = tuple([place and place - shift for place in after])
            lying = lying >> shift if shift > 0 else lying << -shift
        yield number, place > left, after, lying

    def _captured(
        self, places: Places, others: int, pips: dict[int, int], number: int, place: int
    ) -> tuple[Places, int]:
        """The places without a tile that slid and all that match it there, and what they cover."""
        head, tail, step = self._tiles[number]
        left = list(places)
        left[number] = 0
        for half, cell in ((head, place), (tail, place + step)):
            for near in (cell - 1, cell + 1, cell - WIDTH, cell + WIDTH):
                if pips.get(near) == half and others >> near & 1:
                    other = tile_at(self._tiles, places, near)
                    left[other] = 0
                    others ^= 1 << places[other] | 1 << places[other] + self._tiles[other][2]
        return tuple(left), others
