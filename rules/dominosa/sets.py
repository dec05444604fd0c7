"""Set analysis: squares with one number that have only so many dominoes to share take them all.

Squares with the number k take different dominoes k-x, but for the two halves of the double k-k. Sets are found by
matching squares with dominoes; the smallest set around a domino is all that can be reached from it by going to the
square that it is matched with, and on to all that this square may take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.dominosa.candidates import Candidates, Deduction
from rules.dominosa.places import bits
from rules.dominosa.technique import Technique


@dataclass(frozen=True)
class _Family:
    """The unsettled squares with one number; takes: for each the numbers it may join; doubles: places of the double."""

    at: Candidates
    number: int
    takes: Mapping[int, frozenset[int]]
    doubles: tuple[int, ...]

    @classmethod
    def of(cls, at: Candidates, number: int) -> _Family:
        places = at.places
        takes = {}
        for square in places.with_number[number]:
            choices = at.choices(square)
            if choices & (choices - 1):
                joins = (places.numbers[places.beyond(place, square)] for place in bits(choices))
                takes[square] = frozenset(joins)
        return cls(at, number, takes, tuple(bits(at.choices(places.double(number)))))

    def dominoes(self, joined: Iterable[int]) -> tuple[int, ...]:
        """The items of the dominoes that join the number with these."""
        one = self.number
        pairs = ((max(one, other), min(one, other)) for other in sorted(joined))
        return tuple(self.at.places.squares + high * (high + 1) // 2 + low for high, low in pairs)

    def elsewhere(self, squares: Iterable[int], joined: Iterable[int]) -> int:
        """The open places of these dominoes that touch none of these squares."""
        at, gone, kept = self.at.places.at, 0, 0
        for item in self.dominoes(joined):
            gone |= at[item]
        for square in squares:
            kept |= at[square]
        return gone & self.at.open & ~kept


def plain_sets(at: Candidates) -> Iterator[Deduction]:
    """Sets of squares no two of which can share a double: as many dominoes as squares lie on them, not elsewhere."""
    for number in range(at.places.highest + 1):
        family = _Family.of(at, number)
        seen = set()
        for apart in _apart(family, frozenset(family.takes)):
            for squares, joined in _tight(family, apart):
                if len(squares) > 1 and squares not in seen:
                    seen.add(squares)
                    gone = family.elsewhere(squares, joined)
                    if gone:
                        yield at.found(Technique.SET, tuple(sorted(squares)), ruled_out=gone)


def sets_with_doubles(at: Candidates) -> Iterator[Deduction]:
    """Sets of squares that can do without no double: with it they have just enough dominoes to share."""
    for number in range(at.places.highest + 1):
        family = _Family.of(at, number)
        if len(family.doubles) > 1:
            yield from _needing_both_halves(family)
            yield from _needing_a_half(family)


def _apart(family: _Family, squares: frozenset[int]) -> set[frozenset[int]]:
    """The largest choices of squares no two of which can share the double."""
    choices = {squares}
    for place in family.doubles:
        one, other = family.at.places.lattice.ends[place]
        choices = {
            left for kept in choices for left in ({kept - {one}, kept - {other}} if {one, other} <= kept else {kept})
        }
    return choices


def _tight(family: _Family, squares: frozenset[int]) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """The smallest sets around each domino: squares, and the numbers joined, as many as squares."""
    taken = _matching({square: family.takes[square] for square in sorted(squares)})
    if len(taken) < len(squares):
        return
    for joined in sorted(taken):
        reached, open_ended = _closure(family.takes, taken, [joined])
        if not open_ended:
            yield frozenset(taken[other] for other in reached), frozenset(reached)


def _needing_both_halves(family: _Family) -> Iterator[Deduction]:
    """Squares with one domino too few for each to have its own: two of them share the double."""
    double, second = family.number, -1
    takes = {square: joins | {second} if double in joins else joins for square, joins in family.takes.items()}
    taken = _matching(takes)
    if len(taken) < len(takes):
        return
    seen = set()
    for joined in sorted(taken):
        reached, open_ended = _closure(takes, taken, [joined])
        squares = frozenset(taken[other] for other in reached if other in taken)
        if open_ended or double not in reached or squares in seen:
            continue
        seen.add(squares)
        gone = family.elsewhere(squares, reached - {second})
        ends = family.at.places.lattice.ends
        gone |= sum(
            1 << place for place in family.doubles if not gone >> place & 1 and not squares.issuperset(ends[place])
        )
        if gone:
            yield family.at.found(Technique.SET_WITH_DOUBLE, tuple(sorted(squares)), ruled_out=gone)


def _needing_a_half(family: _Family) -> Iterator[Deduction]:
    """A place of the double that would leave other squares fewer dominoes to share than they are."""
    for place in family.doubles:
        ends = family.at.places.lattice.ends[place]
        takes = {square: joins - {family.number} for square, joins in family.takes.items() if square not in ends}
        taken = _matching(takes)
        lacking = next((square for square in takes if square not in taken.values()), None)
        if lacking is not None:
            reached, _ = _closure(takes, taken, takes[lacking])
            squares = {lacking, *(taken[joined] for joined in reached)}
            yield family.at.found(Technique.SET_WITH_DOUBLE, tuple(sorted(squares)), ruled_out=1 << place)


def _matching(takes: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """As many squares as possible matched with a number each: number -> square."""
    taken: dict[int, int] = {}

    def augments(square: int, tried: set[int]) -> bool:
        for joined in sorted(takes[square] - tried):
            if joined not in tried:
                tried.add(joined)
                if joined not in taken or augments(taken[joined], tried):
                    taken[joined] = square
                    return True
        return False

    for square in takes:
        augments(square, set())
    return taken


def _closure(
    takes: Mapping[int, frozenset[int]], taken: Mapping[int, int], start: Iterable[int]
) -> tuple[set[int], bool]:
    """All numbers reached from some through the squares they are matched with, and whether one is matched with none."""
    reached = set(start)
    waiting = list(reached)
    while waiting:
        joined = waiting.pop()
        if joined not in taken:
            return reached, True
        more = takes[taken[joined]] - reached
        reached |= more
        waiting += more
    return reached, False
