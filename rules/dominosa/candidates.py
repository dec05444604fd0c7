"""What is still open on a grid while it is solved, and one step of reasoning about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.dominosa.places import Places, bits
from rules.dominosa.technique import Technique
from rules.dominosa.wording import sentence


@dataclass(frozen=True, eq=False)
class Candidates:
    """The places that are open, and those among them on which a domino is known to lie."""

    places: Places
    open: int
    laid: int = 0

    @classmethod
    def of(cls, places: Places, board: Board) -> Candidates:
        """What is open beside the dominoes that lie there already, which clash with none of each other."""
        laid = places.laid(board)
        return cls(places, places.all & ~_clashing(places, laid), laid)

    def choices(self, item: int) -> int:
        """The open places of a square or a domino."""
        return self.places.at[item] & self.open

    def choice_of_squares(self) -> Iterator[tuple[int, int]]:
        """Each square that has a choice left, and its choices."""
        return self._choice(0, self.places.squares)

    def choice_of_dominoes(self) -> Iterator[tuple[int, int]]:
        """Each domino that has a choice left, as an item, and its choices."""
        return self._choice(self.places.squares, len(self.places.at))

    def _choice(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        for item, over in enumerate(self.places.at[first:end], first):
            left = over & self.open
            if left & (left - 1):
                yield item, left

    @property
    def is_impossible(self) -> bool:
        """Whether a square or a domino is left without any place."""
        return not all(over & self.open for over in self.places.at)

    def after(self, deduction: Deduction) -> Candidates:
        """What is open once a deduction is made."""
        return Candidates(self.places, self.open & ~deduction.ruled_out, self.laid | deduction.settled)

    def found(
        self, technique: Technique, items: tuple[int, ...], settled: int = 0, ruled_out: int = 0, used: int = 0
    ) -> Deduction:
        """A deduction from what is open now."""
        return Deduction(technique, self, items, settled, ruled_out, used)


@dataclass(frozen=True, eq=False)
class Deduction:
    """One step: what follows from the candidates before it, and why.

    items: the squares and dominoes that it reasons from. settled, ruled_out: the places where a domino must lie, and
    where none can. used: places that the sentence is about besides.
    """

    technique: Technique
    before: Candidates
    items: tuple[int, ...]
    settled: int
    ruled_out: int
    used: int = 0

    @property
    def dominoes(self) -> tuple[Placed, ...]:
        """The dominoes that have their place now."""
        return tuple(map(self.before.places.placed, bits(self.settled)))

    @property
    def pairs(self) -> tuple[tuple[Cell, Cell], ...]:
        """The pairs of cells between which there must be an edge."""
        return tuple(self.before.places.placed(place).cells for place in bits(self.ruled_out))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it is about: all those of its dominoes and pairs."""
        return self.before.places.cells(self.settled | self.ruled_out)

    @property
    def from_cells(self) -> tuple[Cell, ...]:
        """The cells that it reasons from."""
        places = self.before.places
        return tuple(sorted(places.cell(item) for item in self.items if item < places.squares))

    @property
    def from_dominoes(self) -> tuple[Domino, ...]:
        """The dominoes that it reasons from."""
        places = self.before.places
        return tuple(sorted(places.domino(item) for item in self.items if item >= places.squares))

    @property
    def because(self) -> int:
        """The places that had to be ruled out before."""
        places = self.before.places
        about = 0
        for item in self.items:
            about |= places.at[item]
        return about & ~self.before.open

    @property
    def sentence(self) -> str:
        """Why it follows, in a sentence."""
        return sentence(self)

    def __str__(self) -> str:
        return self.sentence


def settle(places: Places, open_: int) -> int:
    """The open places after all that is trivial: what lies rules out, what has one place left lies; 0 if impossible."""
    at, clashes = list(places.at), places.clashes
    while True:
        before, waiting = open_, []
        for over in at:
            left = over & open_
            if left & (left - 1):
                waiting.append(over)
            elif not left:
                return 0
            else:
                open_ &= ~clashes[left.bit_length() - 1]
        if open_ == before:
            return open_
        at = waiting


def _clashing(places: Places, laid: int) -> int:
    clashing = 0
    for place in bits(laid):
        clashing |= places.clashes[place]
    return clashing
