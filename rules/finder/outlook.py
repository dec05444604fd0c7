"""What the face-down dominoes of Domino Finder may be: exact chances, row by row.

Each row has one domino with a blank. Where it has not been seen, it is any of the row's unknown dominoes, each as
likely, and any of the unseen dominoes with a blank; the others are any of the unseen ones without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rules.board import Cell
from rules.domino import Domino
from rules.finder.state import BLANKS, IN_ROW, PLAIN, Search, Seen, place_of


@dataclass(frozen=True)
class Outlook:
    """The chances in a state; only what has been seen is taken as known."""

    state: Search

    @cached_property
    def known(self) -> frozenset[Domino]:
        """The dominoes whose places are known, and the treasures that were taken."""
        return self.state.taken.union(tile.domino for tile in self.state.tiles if tile.seen and tile.domino)

    @cached_property
    def blanks(self) -> tuple[Domino, ...]:
        """The dominoes with a blank that nobody has seen."""
        return tuple(domino for domino in BLANKS if domino not in self.known)

    @cached_property
    def plain(self) -> tuple[Domino, ...]:
        """The dominoes without a blank that nobody has seen."""
        return tuple(domino for domino in PLAIN if domino not in self.known)

    @cached_property
    def blank_by_row(self) -> tuple[float, ...]:
        """The chance that an unknown domino of each row has a blank."""
        chances = []
        for first in range(0, len(self.state.tiles), IN_ROW):
            row = self.state.tiles[first : first + IN_ROW]
            unknown = sum(not tile.seen for tile in row)
            found = any(tile.seen and tile.is_trap for tile in row)
            chances.append(0.0 if found or not unknown else 1 / unknown)
        return tuple(chances)

    @cached_property
    def _next_to_pawn(self) -> float:
        """The chance that a domino with a blank shows it to the pawn: half, and always for the double blank."""
        return sum(1.0 if domino.is_double else 0.5 for domino in self.blanks) / max(1, len(self.blanks))

    def blank(self, place: int) -> float:
        """The chance that a domino has a blank."""
        tile = self.state.tiles[place]
        return float(tile.is_trap) if tile.seen else self.blank_by_row[place // IN_ROW]

    def trap(self, half: Cell) -> float:
        """The chance that flipping a domino from this end is stepping in a trap."""
        if self.state.tile_at(half).seen:
            return float(self.state.number_at(half) == 0)
        return self.blank(place_of(half)) * self._next_to_pawn

    def treasure(self, place: int) -> float:
        """The chance that a domino is the treasure that is looked for."""
        tile, target = self.state.tiles[place], self.state.target
        if tile.seen:
            return float(target is not None and tile.domino == target)
        return (1 - self.blank(place)) / len(self.plain) if target in self.plain else 0.0

    def looks(self, place: int) -> Iterator[tuple[Seen, float]]:
        """Everything that an unknown domino may show, with its probability."""
        blank = self.blank(place)
        for dominoes, share in ((self.blanks, blank), (self.plain, 1 - blank)):
            for domino in dominoes if share > 0 else ():
                ways = {(domino.high, domino.low), (domino.low, domino.high)}
                yield from ((Seen(*way), share / len(dominoes) / len(ways)) for way in sorted(ways))
