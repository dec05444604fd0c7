"""Rule 7: where one square alone joins two areas, each area's number of squares says whether it joins that square."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.dominosa.candidates import Candidates, Deduction
from rules.dominosa.places import bits
from rules.dominosa.technique import Technique


def parity(at: Candidates) -> Iterator[Deduction]:
    """Where the squares beyond a neck are even in number they fill up by themselves: nothing reaches into them."""
    walk = _Walk(at)
    for neck, areas in walk.necks():
        for area in areas:
            gone = walk.bridges(neck, area) if len(area) % 2 == 0 else 0
            if gone:
                yield at.found(Technique.PARITY, (neck, *sorted(area)), ruled_out=gone)


@dataclass
class _Walk:
    """A walk depth first over the squares that may still be joined, each area apart.

    order: the squares in the order of the walk. number: their places in it. low: for each square the least number that
    is reached from beyond it past its own way back. size: how many squares lie beyond it, itself included.
    """

    at: Candidates
    order: list[int] = field(default_factory=list)
    number: dict[int, int] = field(default_factory=dict)
    low: dict[int, int] = field(default_factory=dict)
    size: dict[int, int] = field(default_factory=dict)
    parts: dict[int, list[int]] = field(default_factory=dict)

    def necks(self) -> Iterator[tuple[int, list[set[int]]]]:
        """Each square that joins areas which nothing else joins, with those areas."""
        for root, _ in self.at.choice_of_squares():
            if root in self.number:
                continue
            first = len(self.order)
            self.goes(root)
            whole = self.order[first:]
            for neck in whole:
                areas = [self._beyond(child) for child in self.parts.get(neck, ())]
                rest = set(whole).difference([neck], *areas) if areas else set()
                if len(areas) + bool(rest) > 1:
                    yield neck, [*areas, *([rest] if rest else [])]

    def goes(self, square: int, back: int = -1) -> None:
        """Walks on from a square."""
        places = self.at.places
        self.number[square] = self.low[square] = len(self.order)
        self.order.append(square)
        for place in bits(self.at.choices(square)):
            other = places.beyond(place, square)
            if other not in self.number:
                self.goes(other, square)
                self.low[square] = min(self.low[square], self.low[other])
                if self.low[other] >= self.number[square]:
                    self.parts.setdefault(square, []).append(other)
            elif other != back:
                self.low[square] = min(self.low[square], self.number[other])
        self.size[square] = len(self.order) - self.number[square]

    def _beyond(self, square: int) -> set[int]:
        first = self.number[square]
        return set(self.order[first : first + self.size[square]])

    def bridges(self, neck: int, area: set[int]) -> int:
        """The open places between a neck and an area."""
        choices = bits(self.at.choices(neck))
        return sum(1 << place for place in choices if self.at.places.beyond(place, neck) in area)
