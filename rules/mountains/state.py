"""What lies on the table in Mountains and Valleys: the map so far, the deal, and how both are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rules.board import EMPTY, Board, Placed
from rules.board_text import PIPS
from rules.deal import parse_deal
from rules.domino import Domino, DominoSet, pips_text
from rules.entries import parted
from rules.errors import BadText
from rules.fit import Fit
from rules.laying import Lay, objections
from rules.mountains.heights import SIDE, SQUARES
from rules.words import pair, where

TILES = SQUARES // 2
FULL_SET = DominoSet(6)
FACE_UP = 5
HARDER = "harder"
_A_LINE = 9


@dataclass(frozen=True)
class MountainsState:
    """The dominoes laid so far, the top left of their rectangle at (0, 0), and the ones they are taken from.

    harder: only the first five of the deal lie face up, and one more for each that is laid. fit: leads from the table
    that was read to the cells of the map. `str` is a text that starts the same.
    """

    board: Board = EMPTY
    deal: tuple[Domino, ...] = FULL_SET.dominoes
    harder: bool = False
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @property
    def shown(self) -> tuple[Domino, ...]:
        """The dominoes that have been turned up, laid or not."""
        return self.deal[: FACE_UP + len(self.board.placed)] if self.harder else self.deal

    @cached_property
    def waiting(self) -> tuple[Domino, ...]:
        """The dominoes that can be laid now."""
        laid = {placed.domino for placed in self.board.placed}
        return tuple(domino for domino in self.shown if domino not in laid)

    def __str__(self) -> str:
        names = [pips_text(domino.low) + pips_text(domino.high) for domino in self.deal]
        lines = [" ".join(names[at : at + _A_LINE]) for at in range(0, len(names), _A_LINE)]
        below = ["===", str(self.board)] if self.board.placed else []
        return "\n".join([*([HARDER] if self.harder else []), *lines, *below])


@dataclass(frozen=True)
class Take:
    """Take a domino back from the map. `str` is that of its laying with a minus: "-23V21"."""

    placed: Placed

    @property
    def sentence(self) -> str:
        """The move in words."""
        return f"The {pair(self.placed.head, self.placed.tail)} is taken back from {where(self.placed.cells)}."

    def __str__(self) -> str:
        return f"-{Lay(self.placed)}"


def parse_mountains(text: str) -> MountainsState:
    """The deal of a text, "01 24 ...", and the map below a line of "===", if there is one.

    A first line "harder" makes it the harder solitaire, in which the order of the deal matters. Raises BadText.
    """
    above, below, lines = parted(text) or (text, "", 0)
    first, *rest = above.split("\n")
    harder = first.strip().lower() == HARDER
    listed = "\n".join(["", *rest]) if harder else above
    deal = parse_deal(listed, FULL_SET, TILES)
    if harder:
        deal = tuple(Domino.of(*map(PIPS.index, word)) for word in listed.split())
    return MountainsState(_map(below, deal, lines) if below.strip() else EMPTY, deal, harder)


def _map(text: str, deal: tuple[Domino, ...], line: int) -> Board:
    """The map below a deal, whose text begins after so many lines."""
    try:
        board = Board.parse(text)
    except BadText as bad:
        raise BadText(bad.reason, bad.line + line, bad.column) from None
    for number, placed in enumerate(board.placed):
        for problem in objections(placed, Board(board.placed[:number]), deal, "the deal"):
            at = placed.cell
            raise BadText(problem.text[0].lower() + problem.text[1:-1], line + 2 * at.row + 1, 2 * at.col + 1)
    if max(board.size) > SIDE:
        raise BadText(f"the map is {board.size[0]} by {board.size[1]}, more than {SIDE} by {SIDE}", line + 1)
    return board.shifted(-board.top_left.row, -board.top_left.col)
