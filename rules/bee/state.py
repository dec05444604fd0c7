"""Dice as bees on a board of dominoes: where they stand, how one flies, and how both are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from rules.board import Board, Cell
from rules.errors import BadText
from rules.fit import Fit

WAYS: Mapping[str, tuple[int, int]] = MappingProxyType({"R": (0, 1), "L": (0, -1), "D": (1, 0), "U": (-1, 0)})
WORDS: Mapping[str, str] = MappingProxyType({"R": "right", "L": "left", "D": "down", "U": "up"})
Leg: TypeAlias = tuple[str, int]
"""A way, R, L, D or U, and how many spaces."""

_RULE = re.compile(r"^-{3,}[ \t]*$", re.MULTILINE)
_FLIGHT = re.compile(r"([1-9])((?:[RLDU]\d{1,2})+)", re.IGNORECASE)
_LEG = re.compile(r"([RLDU])(\d+)", re.IGNORECASE)
_DIE = re.compile(r"(?:\((\d+),(\d+)\))?([1-9])")


@dataclass(frozen=True, order=True)
class Bee:
    """A die on the board: its number, and the cell on which it stands."""

    number: int
    cell: Cell


@dataclass(frozen=True)
class BeeState:
    """A round of Bee: the dominoes, the dice on them by number, and the number of the queen.

    fit: leads from the table that was read to the cells of the board. `str` is the text that `parse_bees` reads.
    """

    board: Board = field(hash=False)
    bees: tuple[Bee, ...]
    queen: int
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @cached_property
    def cells(self) -> Mapping[int, Cell]:
        """For each die, the cell on which it stands."""
        return MappingProxyType({bee.number: bee.cell for bee in self.bees})

    @cached_property
    def at(self) -> Mapping[Cell, int]:
        """For each cell with a die, its number."""
        return MappingProxyType({bee.cell: bee.number for bee in self.bees})

    @property
    def wild(self) -> Cell:
        """The blank of the queen's domino, on which every die may land."""
        queen = self.cells[self.queen]
        head, tail = self.board.owner[queen].cells
        return tail if head == queen else head

    def landed(self, number: int, cell: Cell) -> BeeState:
        """The state after a die went to a cell."""
        bees = tuple([Bee(number, cell) if bee.number == number else bee for bee in self.bees])
        return BeeState(self.board, bees, self.queen, self.fit)

    def __str__(self) -> str:
        return f"{self.board}\n---\ndice:{dice_text(self.board, self.bees)}\nqueen:{self.queen}"


@dataclass(frozen=True)
class Flight:
    """A die flies, leg by leg, and turns between them. `str` is the printed notation: "2R3D1"."""

    number: int
    legs: tuple[Leg, ...]

    def stops(self, start: Cell) -> tuple[Cell, ...]:
        """Where each leg ends: the cells above which it turns, and the one on which it lands."""
        stops = []
        for way, far in self.legs:
            down, right = WAYS[way]
            start = start.shifted(down * far, right * far)
            stops.append(start)
        return tuple(stops)

    def __str__(self) -> str:
        return str(self.number) + "".join(f"{way}{far}" for way, far in self.legs)


def flight_of(text: str) -> Flight | None:
    """The flight that a word names: "2R3D1" is the 2, right 3, a turn over the die there, down 1."""
    written = _FLIGHT.fullmatch(text)
    return written and Flight(int(written[1]), tuple((way.upper(), int(far)) for way, far in _LEG.findall(written[2])))


def start_spaces(board: Board) -> dict[int, Cell]:
    """For each number that shares a domino with a blank, the cell where its die begins."""
    spaces = {}
    for placed in board.placed:
        head, tail = placed.cells
        if placed.head and not placed.tail:
            spaces[placed.head] = head
        elif placed.tail and not placed.head:
            spaces[placed.tail] = tail
    return spaces


def flights(state: BeeState, number: int) -> Iterator[Flight]:
    """For each space that a die can reach over the others, the flight there with the fewest turns, then the shortest.

    Whether it may land there, the rules say.
    """
    own = state.cells[number]
    pips, others = state.board.pips, state.at
    goals = {cell for cell, shown in pips.items() if shown == number or cell == state.wild}.difference(others)
    found: set[Cell] = set()
    turned: set[tuple[Cell, str]] = set()
    above: list[tuple[int, Cell, tuple[Leg, ...]]] = [(0, own, ())]
    while above:
        further = []
        for far, cell, legs in sorted(above, key=lambda reached: reached[0]):
            for leg, stop in _legs(state.board, cell, legs):
                if stop in goals and stop not in found:
                    found.add(stop)
                    yield Flight(number, (*legs, leg))
                if stop != own and stop in others and (stop, _axis(leg)) not in turned:
                    turned.add((stop, _axis(leg)))
                    further.append((far + leg[1], stop, (*legs, leg)))
        above = further


def _legs(board: Board, cell: Cell, legs: tuple[Leg, ...]) -> Iterator[tuple[Leg, Cell]]:
    """Every leg that may follow from a cell, near stops before far ones: any at first, then across the last one."""
    across = "RLDU" if not legs else "DU" if legs[-1][0] in "RL" else "RL"
    for far in range(1, max(board.size)):
        for way in across:
            down, right = WAYS[way]
            stop = cell.shifted(down * far, right * far)
            if stop in board.owner:
                yield (way, far), stop


def _axis(leg: Leg) -> str:
    return "row" if leg[0] in "RL" else "column"


def parse_bees(text: str) -> tuple[Board, tuple[Bee, ...], int, int]:
    """The board, the dice, the queen, and the line that lists the dice, of a text.

    Below the board and a line of "---" stand "dice:1,2,3", each on its starting space, or "dice:(3,2)1,(0,1)2" with
    column and row counted from 0 at the bottom left; and "queen:3", without which the highest die is the queen.
    Raises BadText.
    """
    rule = _RULE.search(text)
    if not rule:
        raise BadText("below the board a line of --- is needed, then the dice, as dice:1,2,3", text.count("\n") + 1)
    board = Board.parse(text[: rule.start()])
    board = board.shifted(-board.top_left.row, -board.top_left.col)
    first = text.count("\n", 0, rule.end()) + 1
    bees: tuple[Bee, ...] = ()
    queen, line = 0, first
    for number, written in enumerate(text[rule.end() :].split("\n"), first):
        name, _, rest = written.strip().partition(":")
        if name == "dice":
            bees, line = parse_dice(rest, board, number, written.find(":") + 2), number
        elif name == "queen":
            queen = _queen(rest.strip(), number)
        elif name:
            raise BadText(f"{name!r} is neither dice: nor queen:", number)
    if not bees:
        raise BadText("no dice are named, as dice:1,2,3", line)
    return board, bees, queen or bees[-1].number, line


def _queen(text: str, line: int) -> int:
    if not re.fullmatch("[1-9]", text):
        raise BadText(f"{text!r} is no die", line)
    return int(text)


def dice_text(board: Board, bees: Iterable[Bee]) -> str:
    """Dice as they are written, with column and row counted from 0 at the bottom left: "(3,2)1,(0,1)2"."""
    rows = board.size[0]
    return ",".join(f"({bee.cell.col},{rows - 1 - bee.cell.row}){bee.number}" for bee in bees)


def parse_dice(text: str, board: Board, line: int, column: int) -> tuple[Bee, ...]:
    """The dice that a text lists, as `dice_text` writes them; one without a place stands on its starting space.

    line and column: where the text begins, for whoever reads that something is wrong in it. Raises BadText.
    """
    rows, spaces = board.size[0], start_spaces(board)
    bees = []
    for word in re.finditer(r"(?:\([^)]*\)|[^,\s])+", text):
        written = _DIE.fullmatch(word.group())
        at = column + word.start()
        if not written:
            raise BadText(f"{word.group()!r} is no die: 2 and (3,1)2 are", line, at)
        number = int(written[3])
        if written[1]:
            cell = Cell(rows - 1 - int(written[2]), int(written[1]))
        elif number in spaces:
            cell = spaces[number]
        else:
            raise BadText(f"the {number} has no starting space: no domino joins it to a blank", line, at)
        bees.append(Bee(number, cell))
    return tuple(sorted(bees))
