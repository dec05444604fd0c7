"""Forcing chains: squares and dominoes with two choices each, so that one choice settles the next, all along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain

from rules.dominosa.candidates import Candidates, Deduction
from rules.dominosa.places import bits, mask
from rules.dominosa.technique import Technique


@dataclass(frozen=True)
class _Chain:
    """Places of which either those of one side are all used, or those of the other.

    sides: both as masks. back: for each place but the first the place before it, and the item that links them.
    """

    at: Candidates
    sides: tuple[int, int]
    back: dict[int, tuple[int, int]]

    def way(self, one: int, other: int) -> tuple[list[int], list[int]]:
        """The places from one to the other along the links, and the items that link them."""
        up, down = self._to_first(one), self._to_first(other)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        climbed, descended = up[:-1], down[:-1]
        items = [self.back[place][1] for place in (*climbed, *descended)]
        return [*climbed, up[-1], *reversed(descended)], items

    def _to_first(self, place: int) -> list[int]:
        way = [place]
        while way[-1] in self.back:
            way.append(self.back[way[-1]][0])
        return way

    def clashing(self, side: int) -> int:
        """Whatever clashes with a place of one side."""
        clashes = self.at.places.clashes
        return reduce(int.__or__, [clashes[place] for place in bits(self.sides[side])])


def forcing_chains(at: Candidates) -> Iterator[Deduction]:
    """A side that contradicts itself or leaves something no choice is out, and so is what clashes with both sides."""
    for found in _chains(at):
        steps = list(chain(_at_odds(found), _leaving_nothing(found), _against_both(found)))
        yield from steps


def _chains(at: Candidates) -> Iterator[_Chain]:
    links: dict[int, list[tuple[int, int]]] = {}
    for item, choices in chain(at.choice_of_squares(), at.choice_of_dominoes()):
        if choices.bit_count() == 2:
            one, other = bits(choices)
            links.setdefault(one, []).append((other, item))
            links.setdefault(other, []).append((one, item))
    seen: set[int] = set()
    for first in links:
        if first not in seen:
            sides, back = _walked(first, links)
            seen.update(sides)
            first_side, other_side = (mask(place for place, on in sides.items() if on == side) for side in (0, 1))
            yield _Chain(at, (first_side, other_side), back)


def _walked(first: int, links: dict[int, list[tuple[int, int]]]) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
    """The side of each place of a chain, and the way back to the first."""
    sides = {first: 0}
    back: dict[int, tuple[int, int]] = {}
    waiting = [first]
    for place in waiting:
        for other, item in links[place]:
            if other not in sides:
                sides[other], back[other] = 1 - sides[place], (place, item)
                waiting.append(other)
    return sides, back


def _at_odds(found: _Chain) -> Iterator[Deduction]:
    """A side with two places that clash cannot be used."""
    clashes = found.at.places.clashes
    for side in found.sides:
        pairs = ((place, other) for place in bits(side) for other in bits(clashes[place] & side) if place < other)
        ways = [found.way(*pair) for pair in pairs]
        if ways:
            way, items = min(ways, key=lambda way_items: len(way_items[0]))
            gone = mask(way) & side
            yield found.at.found(Technique.FORCING_CHAIN, tuple(items), ruled_out=gone, used=mask(way))


def _leaving_nothing(found: _Chain) -> Iterator[Deduction]:
    """A side that clashes with every choice of a square or domino cannot be used."""
    at, clashes = found.at, found.at.places.clashes
    for number, side in enumerate(found.sides):
        killed = found.clashing(number)
        for item, choices in chain(at.choice_of_squares(), at.choice_of_dominoes()):
            if choices & ~killed or choices & side:
                continue
            members = {next(bits(clashes[choice] & side)) for choice in bits(choices)}
            first, *others = sorted(members)
            ways = [found.way(first, other) for other in others]
            used = mask({first, *(place for way, _ in ways for place in way)})
            items = {item, *(link for _, links in ways for link in links)}
            yield at.found(Technique.FORCING_CHAIN, (item, *sorted(items - {item})), ruled_out=used & side, used=used)


def _against_both(found: _Chain) -> Iterator[Deduction]:
    """A place that clashes with both sides cannot be used, for one of them is."""
    clashes, (one, other) = found.at.places.clashes, found.sides
    for place in bits(found.clashing(0) & found.clashing(1) & found.at.open & ~one & ~other):
        pairs = ((a, b) for a in bits(clashes[place] & one) for b in bits(clashes[place] & other))
        way, items = min((found.way(*pair) for pair in pairs), key=lambda way_items: len(way_items[0]))
        yield found.at.found(Technique.FORCING_CHAIN, tuple(items), ruled_out=1 << place, used=mask(way))
