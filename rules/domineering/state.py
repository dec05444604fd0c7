"""A position of Domineering: pieces and dominoes on a board that wraps around, the pool, and the moves of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from rules.board import Cell
from rules.domino import Domino, DominoSet
from rules.game import Seat
from rules.table import Spot

SIDE = 8
LONGEST = 6
FULL_SET = DominoSet(6)
COLORS = ("White", "Black")
FILES = "abcdefgh"

Pieces: TypeAlias = tuple[Cell, ...]


class Setup(NamedTuple):
    """Where the pieces of a variant begin, in squares, and whether dominoes that cannot be played are kept."""

    white: str
    black: str
    keeps: bool = False


_TWO, _FOUR, _DIAGONAL = ("a8 h1", "d4 e5"), ("a1 a8 h1 h8", "d4 d5 e4 e5"), ("b7 a8 h1 g2", "c3 d4 e5 f6")
VARIANTS = {
    "two pieces": Setup(*_TWO),
    "four pieces": Setup(*_FOUR),
    "four pieces diagonal": Setup(*_DIAGONAL),
    "kept dominoes": Setup(*_TWO, True),
    "four pieces, kept dominoes": Setup(*_FOUR, True),
    "four pieces diagonal, kept dominoes": Setup(*_DIAGONAL, True),
}
USUAL = "two pieces"


def square(cell: Cell) -> str:
    """A square as chess players call it: the top left one is "a8"."""
    return f"{FILES[cell.col]}{SIDE - cell.row}"


def cell_at(name: str) -> Cell:
    """The cell of a square: `cell_at("a8")` is Cell(0, 0). Raises ValueError where there is no such square."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in "12345678":
        raise ValueError(f"{name} is no square: a1 to h8 are")
    return Cell(SIDE - int(name[1]), FILES.index(name[0]))


@dataclass(frozen=True)
class Draw:
    """Draw this domino from the pool."""

    domino: Domino

    def __str__(self) -> str:
        return f"draw({said_high(self.domino)})"


@dataclass(frozen=True)
class Turn:
    """Move one piece, lay the domino where it stood, move another. `str` is "d4-b4/e5-e8(5-2)"."""

    first: Cell
    first_to: Cell
    second: Cell
    second_to: Cell
    domino: Domino

    def __str__(self) -> str:
        squares = [square(cell) for cell in (self.first, self.first_to, self.second, self.second_to)]
        return f"{squares[0]}-{squares[1]}/{squares[2]}-{squares[3]}({said_high(self.domino)})"


@dataclass(frozen=True)
class Keep:
    """Keep a domino that cannot be played, in the variant that says so."""

    domino: Domino

    def __str__(self) -> str:
        return f"keep({said_high(self.domino)})"


Move: TypeAlias = Draw | Turn | Keep


def said_high(domino: Domino) -> str:
    """A domino as the rule text writes it, the higher half first: "5-2"."""
    return f"{domino.high}-{domino.low}"


@dataclass(frozen=True)
class Position:
    """Everything that is known of a game: seat 0 plays White and seat 1 plays Black.

    pieces: each seat's, sorted. laid: the dominoes on the board, sorted by cell. drawn: the domino to play now. pool:
    the dominoes left in the order in which they will be drawn, () where nobody knows it. kept: what each seat kept.
    `str` is the text that the game's `start` reads.
    """

    pieces: tuple[Pieces, Pieces]
    laid: tuple[Spot, ...] = ()
    turn: Seat = 0
    first: Seat = 0
    drawn: Domino | None = None
    pool: tuple[Domino, ...] = ()
    kept: tuple[tuple[Domino, ...], tuple[Domino, ...]] = ((), ())
    variant: str = USUAL

    @classmethod
    def fresh(cls, variant: str = USUAL, first: Seat = 0, pool: tuple[Domino, ...] = ()) -> Position:
        """The pieces where the variant puts them, and an empty board."""
        setup = VARIANTS[variant]
        white, black = (tuple(sorted(map(cell_at, text.split()))) for text in setup[:2])
        return cls((white, black), turn=first, first=first, pool=pool, variant=variant)

    @property
    def keeps(self) -> bool:
        """Whether a domino that cannot be played is kept, and the game goes on."""
        return VARIANTS[self.variant].keeps

    @cached_property
    def dominoes(self) -> dict[Cell, Domino]:
        """The domino on each square that has one."""
        return {spot.cell: spot.domino for spot in self.laid}

    @cached_property
    def taken(self) -> frozenset[Cell]:
        """Every square on which something stands or lies."""
        return frozenset((*self.pieces[0], *self.pieces[1], *self.dominoes))

    @cached_property
    def left(self) -> tuple[Domino, ...]:
        """The dominoes that are still in the pool, lowest first."""
        seen = {*self.dominoes.values(), *self.kept[0], *self.kept[1], self.drawn}
        return tuple(domino for domino in FULL_SET if domino not in seen)

    def __str__(self) -> str:
        from rules.domineering.text import written

        return written(self)


class Way(NamedTuple):
    """A straight way to a square: how far, and the squares on it, the last one included."""

    distance: int
    squares: tuple[Cell, ...]


@cache
def ways(start: Cell, end: Cell) -> tuple[Way, ...]:
    """The straight ways of 1 to 6 squares from one square to another, around the edges too; () where there is none."""
    found = []
    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        passed = tuple(stepped(start, down, right, far) for far in range(1, LONGEST + 1))
        if end in passed:
            far = passed.index(end) + 1
            found.append(Way(far, passed[:far]))
    return tuple(sorted(found))


def stepped(start: Cell, down: int, right: int, far: int) -> Cell:
    """The square so many steps away; who leaves the board comes in again at the opposite edge."""
    return Cell((start.row + down * far) % SIDE, (start.col + right * far) % SIDE)
