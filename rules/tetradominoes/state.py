"""A moment of Tetradominoes: the grid, the tetrominoes on it, the hands, and whose turn it is; and its moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from rules.board import EMPTY, Board, Cell, Placed, Way
from rules.domino import Domino, DominoSet
from rules.fit import Fit
from rules.game import Seat
from rules.holding import Holding
from rules.tetradominoes.shapes import PIECES

FULL_SET = DominoSet(6)
HAND = 4
GOALS = {1: len(PIECES), 2: 4, 3: 3, 4: 4}
LEVEL_1, LEVEL_2, USUAL, SERIES = "level 1", "level 2", "standard", "tournament"
VARIANTS = (USUAL, LEVEL_1, LEVEL_2, SERIES)
WINS_BELOW = {LEVEL_1: 10, LEVEL_2: 15}
SERIES_GOAL = 7
TOKENS = ("red", "blue", "green")


class Phase(Enum):
    """What is waited for."""

    PLAY = "play"
    LOOK = "look"
    COVER = "cover"
    TRADE = "trade"
    RETURN = "return"
    OVER = "over"


@dataclass(frozen=True)
class Covering:
    """A tetromino on the grid: which of the seven, its cells, its upper side, and who played it."""

    piece: str
    light: bool
    cells: tuple[Cell, ...]
    seat: Seat = 0


@dataclass(frozen=True)
class Lay:
    """A domino is played. `str` is "46V3.2": upper or left half first, column 3 and row 2; 1.1 is one up and left of
    the grid's corner."""

    placed: Placed

    def __str__(self) -> str:
        way = "H" if self.placed.way is Way.RIGHT else "V"
        return f"{self.placed}{way}{written_cell(self.placed.cell)}"


@dataclass(frozen=True)
class Cover:
    """A tetromino is played, light or dark side up. `str` is "Lw@2.2-2.3-2.4-3.4", b for the dark side."""

    piece: str
    light: bool
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.piece}{'w' if self.light else 'b'}@{'-'.join(map(written_cell, self.cells))}"


@dataclass(frozen=True)
class Reveal:
    """Two hidden dominoes are laid open, and one is drawn. `str` is "reveal(42/63)"."""

    one: Domino
    other: Domino

    def __str__(self) -> str:
        return f"reveal({self.one}/{self.other})"


@dataclass(frozen=True)
class Drew:
    """The domino that was drawn is looked at. `str` is "=42"."""

    domino: Domino

    def __str__(self) -> str:
        return f"={self.domino}"


@dataclass(frozen=True)
class Discard:
    """Alone: a tetromino is given up, and dominoes are drawn. `str` is "discard(L/4)"."""

    piece: str
    drawn: int = HAND

    def __str__(self) -> str:
        return f"discard({self.piece}/{self.drawn})"


@dataclass(frozen=True)
class Return:
    """Alone: a domino is put back into the pile. `str` is "return(42)"."""

    domino: Domino

    def __str__(self) -> str:
        return f"return({self.domino})"


@dataclass(frozen=True)
class Offer:
    """Partners: a domino is given to the partner in a trade. `str` is "offer(42)"."""

    domino: Domino

    def __str__(self) -> str:
        return f"offer({self.domino})"


class Act(Enum):
    """What needs no more words: no tetromino, no domino to play, no trade, the next game of a tournament."""

    DONE = "done"
    PASS = "pass"
    KEEP = "keep"
    DEAL = "deal"

    def __str__(self) -> str:
        return self.value


Move: TypeAlias = Lay | Cover | Reveal | Drew | Discard | Return | Offer | Act


@dataclass(frozen=True)
class Grid:
    """Everything about a game; the grid's top left is (0, 0). `str` is the text that the game's `start` reads.

    laid: the tetrominoes on the grid. gone: those that were given up. hands: hidden dominoes. shown: each player's
    revealed ones. pile: from the top. last: the domino that was just played. due: dominoes still to be looked at; back:
    to be put back. offer: what the first of two partners gives, None where that is not known; revealed: whether it lay
    open. passes: turns passed in a row. points, game: of a tournament. lead: who began, and plays light with two and
    four. seed: shuffles the pile anew. origin: of the grid, as the first look counted. fit: from the table that was
    read to cells as the first look counted.
    """

    hands: tuple[Holding, ...]
    pile: Holding
    board: Board = EMPTY
    laid: tuple[Covering, ...] = ()
    gone: tuple[str, ...] = ()
    shown: tuple[tuple[Domino, ...], ...] = ()
    turn: Seat = 0
    phase: Phase = Phase.PLAY
    last: Placed | None = None
    due: int = 0
    back: int = 0
    offering: bool = False
    offer: Domino | None = None
    revealed: bool = False
    passes: int = 0
    variant: str = USUAL
    points: tuple[int, ...] = ()
    game: int = 1
    lead: Seat = 0
    seed: int | None = None
    origin: Cell = field(default=Cell(0, 0), compare=False)
    fit: Fit = field(default=Fit(), compare=False)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def alone(self) -> bool:
        """Whether it is the solitaire."""
        return self.players == 1

    @cached_property
    def covered(self) -> frozenset[Cell]:
        """The cells under tetrominoes."""
        return frozenset(cell for covering in self.laid for cell in covering.cells)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The tetrominoes that can still be played."""
        used = {covering.piece for covering in self.laid}.union(self.gone)
        return tuple(piece for piece in PIECES if piece not in used)

    @property
    def hand(self) -> Holding:
        """The hidden dominoes of who is to move."""
        return self.hands[self.turn]

    @cached_property
    def known(self) -> frozenset[Domino]:
        """The dominoes whose places are known: on the grid, revealed, in hands."""
        held = (domino for hand in self.hands for domino in hand.known)
        revealed = (domino for row in self.shown for domino in row)
        offered = (self.offer,) if self.offer else ()
        return frozenset((*(placed.domino for placed in self.board.placed), *held, *revealed, *offered))

    @property
    def unseen(self) -> tuple[Domino, ...]:
        """The dominoes that may be in the pile or in a hand that is not known."""
        return tuple(domino for domino in FULL_SET if domino not in self.known)

    def held(self, seat: Seat) -> int:
        """How many dominoes a player has, hidden and revealed."""
        return len(self.hands[seat]) + len(self.shown[seat])

    def playable(self) -> tuple[Domino, ...]:
        """The dominoes that who is to move has or may have."""
        hidden = self.hand
        unknown = self.unseen if hidden.unknown else ()
        return (*self.shown[self.turn], *hidden.known, *(d for d in unknown if d not in hidden.lacks))

    @property
    def champion(self) -> int | None:
        """Which side has won the tournament: seven points or more, and more than any other."""
        best = max(self.points, default=0)
        return self.points.index(best) if best >= SERIES_GOAL and self.points.count(best) == 1 else None

    @property
    def next_is_dealt(self) -> bool:
        """Whether a game of a tournament is over, and another one follows."""
        return self.variant == SERIES and self.phase is Phase.OVER and self.champion is None

    def side(self, seat: Seat) -> int:
        """Who plays for the same: partners share a side."""
        return seat % 2 if self.players in (2, 4) else seat

    def sides(self) -> int:
        """How many sides play against one another."""
        return 2 if self.players == 4 else self.players

    def score(self, side: int) -> int:
        """How many tetrominoes a side has played."""
        return sum(self.side(covering.seat) == side for covering in self.laid)

    def colors(self) -> tuple[bool, ...]:
        """The sides of a tetromino that may lie up: True for the light one."""
        if self.alone:
            return (True, False)
        return (True,) if self.players == 3 else (self.side(self.turn) == self.side(self.lead),)

    def rivals(self, light: bool) -> frozenset[Cell]:
        """The cells that a tetromino played now must not adjoin: those under its own colour."""
        if self.players == 3:
            return frozenset(cell for one in self.laid if one.seat == self.turn for cell in one.cells)
        return frozenset(cell for one in self.laid if one.light is light for cell in one.cells)

    def with_hand(self, seat: Seat, hand: Holding) -> Grid:
        """The same with another hand."""
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def with_shown(self, seat: Seat, shown: tuple[Domino, ...]) -> Grid:
        """The same with other revealed dominoes."""
        return replace(self, shown=(*self.shown[:seat], shown, *self.shown[seat + 1 :]))

    def __str__(self) -> str:
        from rules.tetradominoes.text import written

        return written(self)


def written_cell(cell: Cell) -> str:
    """A cell in a move: column and row, 1.1 one up and left of the grid's corner."""
    return f"{cell.col + 2}.{cell.row + 2}"


def hidden(state: Grid, seat: Seat) -> Grid:
    """What a player knows: the own hand, what lies open, and how many dominoes there are elsewhere."""
    hands = tuple(hand if at == seat else hand.unseen() for at, hand in enumerate(state.hands))
    sees = state.revealed or (state.phase is Phase.TRADE and seat == (state.turn - 2) % state.players)
    offer = state.offer if sees else None
    return replace(state, hands=hands, pile=state.pile.unseen(), offer=offer, seed=None)
