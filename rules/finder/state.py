"""A moment of Domino Finder: 7 rows of 4 dominoes, the pawns, the dice, and what everybody has seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from rules.board import Cell
from rules.domino import Domino, DominoSet, pips_text
from rules.fit import Fit
from rules.game import Seat
from rules.two_dice import Dice, Roll

FULL_SET = DominoSet(6)
BLANKS = tuple(domino for domino in FULL_SET if domino.low == 0)
PLAIN = tuple(domino for domino in FULL_SET if domino.low)
ROWS, IN_ROW = 7, 4
COLS = 2 * IN_ROW
GOALS = {2: 5, 3: 4, 4: 3}
COLORS = ("red", "blue", "green", "yellow")
FILES = "abcdefgh"

Thrown: TypeAlias = tuple[tuple[complex, int], ...]


class Face(Enum):
    """How a domino lies: its numbers hidden, open, or taken from the board."""

    DOWN = "down"
    UP = "up"
    GONE = "gone"


class Step(Enum):
    """The way in which the pawn steps onto the domino that was flipped."""

    RIGHT = "R"
    LEFT = "L"
    DOWN = "D"
    UP = "U"

    def back(self, cell: Cell) -> Cell:
        """Where the pawn stands that comes to a cell by this step."""
        rows, cols = _BACK[self]
        return cell.shifted(rows, cols)


_BACK = {Step.RIGHT: (0, -1), Step.LEFT: (0, 1), Step.DOWN: (-1, 0), Step.UP: (1, 0)}


@dataclass(frozen=True)
class Tile:
    """A domino in its place: its left and right number, None where nobody knows; whether the players have seen it."""

    pips: tuple[int, int] | None = None
    face: Face = Face.DOWN
    seen: bool = False

    @property
    def domino(self) -> Domino | None:
        """Which domino it is, None where nobody knows."""
        return Domino.of(*self.pips) if self.pips else None

    @property
    def is_trap(self) -> bool:
        """Whether it has a blank, as far as somebody knows."""
        return bool(self.pips) and 0 in (self.pips or ())


REMOVED = Tile(None, Face.GONE, True)


@dataclass(frozen=True)
class Flip:
    """A domino is flipped and entered: the half next to the pawn, and the step onto it. `str` is "d4R"."""

    half: Cell
    step: Step

    @property
    def stand(self) -> Cell:
        """Where the pawn stands while the domino is flipped."""
        return self.step.back(self.half)

    def __str__(self) -> str:
        return f"{square(self.half)}{self.step.value}"


@dataclass(frozen=True)
class Seen:
    """What the flipped domino shows, left number first. `str` is "=24"."""

    head: int
    tail: int

    def __str__(self) -> str:
        return f"={pips_text(self.head)}{pips_text(self.tail)}"


class Idle(Enum):
    """A turn without a flip: skipped after a trap, or passed where no domino can be reached."""

    SKIP = "skip"
    PASS = "pass"

    def __str__(self) -> str:
        return self.value


Move: TypeAlias = Roll | Flip | Seen | Idle


@dataclass(frozen=True)
class Search:
    """Everything about a game. `str` is the text that the game's `start` reads.

    tiles: row by row, from the left. pawns: each player's place, None beside the board. found: each player's treasures.
    dice: as they lie. rolls: while it is drawn who begins, what each player rolled; 0 still to roll, -1 out of it.
    rolling: whether the dice are to be rolled for a treasure. looking: the half that was just flipped, and nobody knows
    yet what it shows. skips: who will skip a turn. passes: how many turns in a row were passed. colors: of the pawns.
    fit: from the table that was read to rows and columns. spread: table rows from one row to the next. thrown: where
    the dice lie, in cells of the table right and down after `fit`, and what each shows; () where that is not known.
    """

    tiles: tuple[Tile, ...]
    pawns: tuple[Cell | None, ...]
    found: tuple[tuple[Domino, ...], ...]
    turn: Seat = 0
    dice: Dice | None = None
    rolls: tuple[int, ...] = ()
    rolling: bool = True
    looking: Cell | None = None
    skips: frozenset[Seat] = frozenset()
    passes: int = 0
    colors: tuple[str, ...] = COLORS
    fit: Fit = field(default=Fit(), compare=False)
    spread: int = field(default=1, compare=False)
    thrown: Thrown = field(default=(), compare=False)

    @classmethod
    def fresh(cls, players: int, tiles: tuple[Tile, ...] | None = None) -> Search:
        """A game before the first roll."""
        unknown = (Tile(),) * (ROWS * IN_ROW)
        return cls(tiles or unknown, (None,) * players, ((),) * players, rolls=(0,) * players, colors=COLORS[:players])

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.pawns)

    @property
    def goal(self) -> int:
        """How many treasures win."""
        return GOALS[self.players]

    @property
    def target(self) -> Domino | None:
        """The treasure that is looked for; None while it is not rolled yet."""
        return None if self.dice is None or self.rolls or self.rolling else Domino.of(*self.dice)

    @cached_property
    def taken(self) -> frozenset[Domino]:
        """The treasures before all players."""
        return frozenset(domino for held in self.found for domino in held)

    @property
    def under_pawns(self) -> frozenset[int]:
        """The places on which pawns stand."""
        return frozenset(place_of(cell) for cell in self.pawns if cell)

    @property
    def is_over(self) -> bool:
        """Whether somebody has enough treasures, or nobody can go on."""
        return any(len(held) >= self.goal for held in self.found) or (
            self.passes >= self.players and not self.skips and not self.rolling
        )

    @cached_property
    def standing(self) -> frozenset[Cell]:
        """Where the pawn of who is to move can stand with nothing flipped; nowhere while it is beside the board."""
        pawn = self.pawns[self.turn]
        there = [] if pawn is None else [pawn]
        left = {cell for place, tile in enumerate(self.tiles) if tile.face is not Face.DOWN for cell in halves(place)}
        left = {cell for cell in left if self.walkable(cell)}.difference(there)
        for cell in there:
            near = [other for other in _NEAR[cell] if other in left]
            left.difference_update(near)
            there += near
        return frozenset(there)

    def walkable(self, cell: Cell) -> bool:
        """Whether a pawn may cross this: an open number that is no blank, or a space whose domino was removed."""
        if not on_board(cell):
            return False
        tile = self.tile_at(cell)
        return tile.face is Face.GONE or (tile.face is Face.UP and self.number_at(cell) != 0)

    def gives_way(self, stand: Cell) -> bool:
        """Whether the pawn of who is to move can stand there to flip a domino: beside the board at first."""
        return stand in self.standing if self.pawns[self.turn] else not on_board(stand)

    def tile_at(self, cell: Cell) -> Tile:
        """The domino to which a half belongs."""
        return self.tiles[place_of(cell)]

    def number_at(self, cell: Cell) -> int | None:
        """The number on a half, if somebody knows it."""
        pips = self.tile_at(cell).pips
        return pips[cell.col % 2] if pips else None

    def with_tile(self, place: int, tile: Tile) -> Search:
        """The same with another domino in one place."""
        return replace(self, tiles=(*self.tiles[:place], tile, *self.tiles[place + 1 :]))

    def __str__(self) -> str:
        from rules.finder.text import written

        return written(self)


def place_of(cell: Cell) -> int:
    """The number of the place to which a half belongs, from 0, row by row."""
    return cell.row * IN_ROW + cell.col // 2


def halves(place: int) -> tuple[Cell, Cell]:
    """The two halves of a place, the left one first."""
    return _HALVES[place]


def on_board(cell: Cell) -> bool:
    """Whether a cell is one of the 7 by 8 numbers."""
    return 0 <= cell.row < ROWS and 0 <= cell.col < COLS


_HALVES = tuple((Cell(row, 2 * col), Cell(row, 2 * col + 1)) for row in range(ROWS) for col in range(IN_ROW))
_NEAR = {cell: tuple(filter(on_board, cell.neighbours())) for pair_of in _HALVES for cell in pair_of}


def square(cell: Cell) -> str:
    """A number's name: columns a to h from the left, rows 1 to 7 from the top."""
    return f"{FILES[cell.col]}{cell.row + 1}"


def cell_at(name: str) -> Cell:
    """The cell with a name as "d4"."""
    return Cell(int(name[1]) - 1, FILES.index(name[0]))


def hidden(state: Search) -> Search:
    """The state without the numbers that nobody has seen."""
    return replace(state, tiles=tuple(tile if tile.seen else replace(tile, pips=None) for tile in state.tiles))
