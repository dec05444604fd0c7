"""From a table to a round of Bee: which way round it lies, and what is under the dice, which nobody can see."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from rules.bee.setup import board_faults, dice_faults, set_for, strays
from rules.bee.state import Bee, BeeState, start_spaces
from rules.board import Board, Cell, Placed, corner, extent
from rules.certainty import face_down, gaps, off_the_cells, part
from rules.domino import Domino
from rules.fit import Fit, best_fits
from rules.game import NOTHING, Problem, UnreadableTable
from rules.table import Table
from rules.words import count, pair, where

_MOST_UNKNOWN = 20  # cells: with more there is more than one way, and a long search for it


class HiddenByDice(UnreadableTable):
    """Only the problem tells what lies under the dice: the set does not."""


def read_bees(table: Table, before: BeeState | None) -> BeeState:
    """The round that lies on the table; `before` tells the numbers under the dice, the dice and the queen.

    At a first look the set tells what must lie under dice on their own numbers, and the queen is the highest die that
    stands on her starting space. Raises UnreadableTable for a table that is no such round.
    """
    if not table.board.placed:
        raise UnreadableTable((NOTHING,))
    return _next_look(table, before) if before else _first_look(table)


def _next_look(table: Table, before: BeeState) -> BeeState:
    fit = fitted(table, before.board, before.fit)
    bees = dice_on(table, fit, before.board)
    problems = [*other_dominoes(table, fit, before.board), *other_dice(bees, before.cells)]
    if problems:
        raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in problems))
    return BeeState(before.board, bees, before.queen, fit)


def fitted(table: Table, board: Board, before: Fit) -> Fit:
    """How a table lies upon the board that is expected there; what dice may cover has no say."""
    unseen = _unseen(table)
    clear = table.board.without([placed for placed in table.board.placed if not unseen.isdisjoint(placed.cells)])
    return best_fits(clear, table.board, board.pips, before.turn)[0]


def _unseen(table: Table) -> frozenset[Cell]:
    """The cells on which or before which a die stands: nobody sees well what lies there."""
    return frozenset(cell for die in table.dice for cell in (die.cell, *die.hides) if cell)


def _first_look(table: Table) -> BeeState:
    board, fit = read_board(table)
    bees, spaces = dice_on(table, fit, board), start_spaces(board)
    home = [bee.number for bee in bees if spaces.get(bee.number) == bee.cell]
    queen = max(home, default=max((bee.number for bee in bees), default=0))
    faults = [*dice_faults(board, bees, queen)] if bees else [Problem("No die stands on the dominoes.")]
    faults = faults or [*strays(BeeState(board, bees, queen))]
    if faults:
        raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in faults))
    return BeeState(board, bees, queen, fit)


def read_board(table: Table) -> tuple[Board, Fit]:
    """The rectangle of a whole set that lies on the table, with what the set tells of dominoes under dice.

    Raises HiddenByDice where the set does not tell it, UnreadableTable for anything else.
    """
    sight = part(replace(table, doubts=()))
    covered = {*sight.covered, *(die.cell for die in table.dice if die.cell)}
    first = corner(covered)
    fit = Fit(0, -first.row, -first.col)
    there = {fit.apply(die.cell): die.value for die in table.dice if die.cell}
    unseen = frozenset(map(fit.apply, _unseen(table)))
    sight = sight.moved(fit.apply)
    rows, cols = extent(covered)
    problems = (*off_the_cells(sight), *face_down(sight, _rectangle(rows, cols)))
    board = _uncovered(sight.sure, there, unseen, rows, cols) if not problems else sight.sure
    faults = () if problems else tuple(board_faults(board))
    if faults and (hidden := tuple(_under_dice(sight.sure, unseen, rows, cols))):
        raise HiddenByDice(tuple(problem.moved(fit.undo) for problem in hidden))
    if problems or faults:
        raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in (*problems, *faults)))
    return board, fit


def dice_on(table: Table, fit: Fit, board: Board) -> tuple[Bee, ...]:
    """The dice on the dominoes; those beside them take no part."""
    standing = [Bee(die.value, fit.apply(die.cell)) for die in table.dice if die.cell]
    return tuple(sorted(bee for bee in standing if bee.cell in board.owner))


def other_dominoes(table: Table, fit: Fit, board: Board) -> Iterator[Problem]:
    """Whatever lies elsewhere than on the board of this round, as far as no die hides it."""
    unseen = frozenset(map(fit.apply, _unseen(table)))
    sight = part(replace(table, doubts=())).moved(fit.apply)
    yield from off_the_cells(sight)
    yield from face_down(sight, board.owner)
    for placed in sight.sure.placed:
        cells = placed.cells
        if not set(cells) <= board.owner.keys():
            yield Problem(f"The tile at {where(cells)} lies outside the board of this round.", cells)
        elif unseen.isdisjoint(cells) and board.owner[cells[0]] != placed:
            text = f"At {where(cells)} lies {pair(placed.head, placed.tail)}, but the board of this round has"
            across = board.owner[cells[0]].cells != cells
            other = "no domino that way" if across else pair(*(board.pips[cell] for cell in cells))
            yield Problem(f"{text} {other} there.", cells)
    hidden = {cell for placed in board.placed if not unseen.isdisjoint(placed.cells) for cell in placed.cells}
    yield from gaps(sight, [cell for cell in board.owner if cell not in hidden])


def other_dice(bees: tuple[Bee, ...], expected: Collection[int]) -> Iterator[Problem]:
    """The dice that are not expected, are there twice, or lack."""
    seen = [bee.number for bee in bees]
    for number in sorted({*seen, *expected}):
        cells = tuple(bee.cell for bee in bees if bee.number == number)
        if number not in expected:
            yield Problem(f"The {number} die takes no part in this round.", cells)
        elif len(cells) != 1:
            told = f"There are {count(len(cells), 'die', 'dice')} with a {number}" if cells else f"The {number} die"
            yield Problem(f"{told}." if cells else f"{told} is not on the board.", cells, unfinished=not cells)


def _uncovered(sure: Board, dice: Mapping[Cell, int], unseen: frozenset[Cell], rows: int, cols: int) -> Board:
    """The board with the dominoes that dice hide, if the set leaves one way for them to lie; else without them."""
    used = set_for(rows, cols)
    clear = sure.without([placed for placed in sure.placed if not unseen.isdisjoint(placed.cells)])
    unknown = frozenset(_rectangle(rows, cols)) - clear.owner.keys()
    if not used or len(unknown) > min(2 * len(unseen), _MOST_UNKNOWN):
        return sure
    half_seen = {cell: sure.pips[cell] for cell in unknown if cell in sure.pips and cell not in unseen}
    left = frozenset(used) - {placed.domino for placed in clear.placed}
    ways = _fillings(unknown, left, {**half_seen, **dice})
    found = next(ways, None)
    return Board((*clear.placed, *found)) if found is not None and next(ways, None) is None else sure


def _under_dice(sure: Board, unseen: frozenset[Cell], rows: int, cols: int) -> Iterator[Problem]:
    """That dice may hide all dominoes of the set which lack, though the set does not tell which way they lie."""
    clear = sure.without([placed for placed in sure.placed if not unseen.isdisjoint(placed.cells)])
    unknown = frozenset(_rectangle(rows, cols)) - clear.owner.keys()
    lacking = frozenset(set_for(rows, cols) or ()) - {placed.domino for placed in clear.placed}
    if unknown and 2 * len(lacking) == len(unknown) and _each_under(unknown, unseen):
        told = tuple(sorted(unseen & unknown))
        yield Problem("Dice hide dominoes: take the dice off for a moment, or name the problem.", told)


def _each_under(squares: frozenset[Cell], unseen: frozenset[Cell]) -> bool:
    """Whether squares can be covered with dominoes, a die on or before each of them."""
    if not squares:
        return True
    cell = min(squares)
    tiles = [frozenset((cell, other)) for other in cell.neighbours()[:2] if other in squares]
    return any(_each_under(squares - tile, unseen) for tile in tiles if not tile.isdisjoint(unseen))


def _fillings(
    squares: frozenset[Cell], left: frozenset[Domino], shown: Mapping[Cell, int]
) -> Iterator[tuple[Placed, ...]]:
    """Every way to fill squares with some of these dominoes, the known numbers where they are."""
    if not squares:
        yield ()
        return
    cell = min(squares)
    for other in (near for near in cell.neighbours()[:2] if near in squares):
        for domino in sorted(left):
            for pips in {(domino.low, domino.high), (domino.high, domino.low)}:
                if shown.get(cell, pips[0]) == pips[0] and shown.get(other, pips[1]) == pips[1]:
                    for rest in _fillings(squares - {cell, other}, left - {domino}, shown):
                        yield (Placed.on(cell, other, *pips), *rest)


def _rectangle(rows: int, cols: int) -> tuple[Cell, ...]:
    return tuple(Cell(row, col) for row in range(rows) for col in range(cols))
