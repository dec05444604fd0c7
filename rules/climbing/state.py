"""Priests on a mountain of dominoes: where they stand, how they step, and what is written of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeAlias

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino, DominoSet
from rules.fit import Fit
from rules.game import IllegalMove, Problem
from rules.words import count, where

COLUMNS = 12
HIGHEST = 5
PEAK = (5, 6)
GROUND = (-1, COLUMNS)
LETTERS = "PNBR"
HOMES = (Cell(0, -1), Cell(1, -1), Cell(0, COLUMNS), Cell(1, COLUMNS))
DOMINOES = tuple(domino for domino in DominoSet(HIGHEST) if not domino.is_double)
WAYS = {"R": (0, 1), "L": (0, -1), "U": (-1, 0), "D": (1, 0)}
WORDS = {"R": "right", "L": "left", "U": "up", "D": "down"}

Rows: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Step:
    """A priest moves: P began top left, N bottom left, B top right, R bottom right. `str` is the printed notation.

    "PR3(+2)" goes right over 3 unoccupied spaces, the last one counted, and 2 occupied ones. "PU" and "PD" go to the
    other half of the domino, "PR" and "PL" with no number to the other domino of the peak; counted is 0 for those.
    """

    priest: str
    direction: str
    counted: int = 0
    passed: int = 0

    def __str__(self) -> str:
        return f"{self.priest}{self.direction}{self.counted or ''}{f'(+{self.passed})' if self.passed else ''}"


@dataclass(frozen=True)
class Pilgrimage:
    """Twelve dominoes side by side and the four priests; on the ground a priest stands in column -1 or 12.

    rows: the upper and the lower numbers as they were laid. priests: the cells of P, N, B and R. descending: the two
    dominoes of the peak lie at the two ends, as the goal, and the bare peak counts as blanks. colors: what each pawn's
    colour is called, () where nobody looked. fit: leads from the table that was read to these cells.
    """

    rows: Rows
    priests: tuple[Cell, ...] = HOMES
    descending: bool = False
    colors: tuple[str, ...] = field(default=(), compare=False)
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @cached_property
    def numbers(self) -> Mapping[Cell, int]:
        """The number of every space that a priest may land on; those of the bare peak are blanks."""
        return {cell: 0 if self.descending and cell.col in PEAK else n for cell, n in self._spaces()}

    @cached_property
    def board(self) -> Board:
        """The dominoes as they lie."""
        upper = {cell.col: number for cell, number in self._spaces() if cell.row == 0}
        lower = {cell.col: number for cell, number in self._spaces() if cell.row == 1}
        bare = PEAK if self.descending else ()
        return Board(tuple(Placed(Cell(0, c), Way.DOWN, n, lower[c]) for c, n in upper.items() if c not in bare))

    @cached_property
    def dominoes(self) -> frozenset[Domino]:
        """The twelve dominoes of the mountain."""
        return frozenset(placed.domino for placed in self.board.placed)

    def at_peak(self, priest: int) -> bool:
        """Whether a priest, counted from 0, stands on the peak."""
        return self.priests[priest].col in PEAK

    def moved(self, priest: int, cell: Cell) -> Pilgrimage:
        """The same mountain after a priest went to a cell."""
        return replace(self, priests=(*self.priests[:priest], cell, *self.priests[priest + 1 :]))

    def _spaces(self) -> Iterator[tuple[Cell, int]]:
        for row, line in enumerate(self.rows):
            yield from ((Cell(row, col), number) for col, number in enumerate(line))
            if self.descending:
                yield from ((Cell(row, end), line[peak]) for end, peak in zip(GROUND, PEAK, strict=True))

    def __str__(self) -> str:
        """The board in text; below a line of "===" where the priests stand, unless they wait on the ground."""
        return str(self.board) if self.priests == HOMES and not self.descending else self.drawn

    @property
    def drawn(self) -> str:
        """The board in text, and where the priests stand wherever that is."""
        standing = dict(zip(self.priests, LETTERS, strict=True))
        lines = ("".join(standing.get(Cell(row, col), ".") for col in range(-1, COLUMNS + 1)) for row in (0, 1))
        return "\n".join((str(self.board), "===", *lines))


def step_to(state: Pilgrimage, priest: int, cell: Cell) -> Step | None:
    """The step, allowed or not, that takes a priest to a cell; None where no straight line leads there."""
    here, letter = state.priests[priest], LETTERS[priest]
    if cell == here or (cell.row != here.row and cell.col != here.col):
        return None
    if cell.row != here.row:
        return Step(letter, "D" if cell.row > here.row else "U")
    direction = "R" if cell.col > here.col else "L"
    if here.col in PEAK and cell.col in PEAK:
        return Step(letter, direction)
    passed = len(_passed(state, here, cell))
    return Step(letter, direction, abs(cell.col - here.col) - passed, passed)


def every_step(state: Pilgrimage) -> Iterator[Step]:
    """Every straight way of every priest to a space, unless a priest stands there already."""
    free = [cell for cell in state.numbers if cell not in state.priests]
    for priest in range(len(LETTERS)):
        yield from (step for cell in free if (step := step_to(state, priest, cell)))


def stepped(state: Pilgrimage, move: Step) -> Pilgrimage:
    """The mountain after a step. Raises IllegalMove with the rule that forbids it."""
    if move.priest not in LETTERS or move.direction not in WAYS:
        raise IllegalMove(f"{move} is no move: it names P, N, B or R and goes R, L, U or D.")
    priest = LETTERS.index(move.priest)
    here, there = state.priests[priest], target(state, move)
    if there in state.priests:
        raise _refused(state, move, f"another priest stands at {place(there)}", there)
    if there not in state.numbers and there not in HOMES:
        raise _refused(state, move, "there is no space")
    _require_way(state, move, here, there)
    return state.moved(priest, there)


def target(state: Pilgrimage, move: Step) -> Cell:
    """The cell that a step ends on."""
    down, right = WAYS[move.direction]
    far = 1 if down else move.counted + move.passed or 1
    return state.priests[LETTERS.index(move.priest)].shifted(down * far, right * far)


def place(cell: Cell) -> str:
    """Where a priest stands, in words; the columns of the mountain are counted from 1."""
    if 0 <= cell.col < COLUMNS:
        return where((cell,))
    return f"the {'left' if cell.col < 0 else 'right'} end of row {cell.row + 1}"


def _require_way(state: Pilgrimage, move: Step, here: Cell, there: Cell) -> None:
    """Raises IllegalMove unless a priest may go from here to a free space there."""
    if here.col in GROUND and state.descending != (there.col == here.col):
        why = "he has left the mountain, and stays off it" if state.descending else "he enters from his own row"
        raise _refused(state, move, why, there)
    if there not in state.numbers:
        raise _refused(state, move, "no priest goes back to the ground", there)
    if here.col == there.col or (here.col in PEAK and there.col in PEAK):
        return
    if here.col in PEAK and not state.descending:
        raise _refused(state, move, "he has reached the peak, and stays on it", there)
    _require_count(state, move, here, there)


def _require_count(state: Pilgrimage, move: Step, here: Cell, there: Cell) -> None:
    """Raises IllegalMove unless the number of unoccupied spaces is the one that the priest lands on."""
    passed = len(_passed(state, here, there))
    free, number = abs(there.col - here.col) - passed, state.numbers[there]
    if move.counted == 0:
        raise _refused(state, move, "only the other domino of the peak is reached without counting", there)
    if (move.counted, move.passed) != (free, passed):
        counted = f"{count(free, 'unoccupied space')} and {passed} occupied"
        raise _refused(state, move, f"the way to {place(there)} has {counted}", there)
    if number == 0:
        raise _refused(state, move, "he would land on a blank, which is reached from its other half only", there)
    if number != free:
        raise _refused(state, move, f"he would land on a {number} after {count(free, 'free space')}", there)


def _passed(state: Pilgrimage, here: Cell, there: Cell) -> list[Cell]:
    """The priests between two cells of a row."""
    left, right = sorted((here.col, there.col))
    return [cell for cell in state.priests if cell.row == here.row and left < cell.col < right]


def _refused(state: Pilgrimage, move: Step, why: str, there: Cell | None = None) -> IllegalMove:
    priest = LETTERS.index(move.priest)
    here = state.priests[priest]

    def told() -> Problem:
        text = f"Priest {move.priest} at {place(here)} cannot move {WORDS[move.direction]}: {why}."
        return Problem(text, (here, *([there] if there else [])))

    if there is None or there in state.priests:
        return IllegalMove(told)
    return IllegalMove(told, partial(state.moved, priest, there))
