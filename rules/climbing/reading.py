"""From a table to a mountain with its priests: which way round it lies, who stands where, what cannot be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from rules.board import Board, Cell, Way, extent
from rules.certainty import face_down, gaps, off_the_cells, part
from rules.climbing.state import COLUMNS, DOMINOES, HOMES, PEAK, Pilgrimage, Rows, place
from rules.fit import Fit, best_fits
from rules.game import NOTHING, Problem
from rules.laying import too_often
from rules.sliding.layout_reading import home
from rules.table import Piece, Table
from rules.words import count, pair, said, where

COLORS = ((190, 30, 30), (30, 70, 190), (235, 200, 40), (40, 140, 60))
COLOR_NAMES = ("red", "blue", "yellow", "green")
_FEWEST_AGREEING = 12


@dataclass(frozen=True)
class Survey:
    """What was made of a table: the mountain, None where it is none; its faults; the way from its cells to ours.

    known: whether its numbers are known from before, so that nothing hangs on a tile under a pawn.
    hidden: whether it may be none only because nobody can see what lies under the pawns.
    """

    state: Pilgrimage | None
    faults: tuple[Problem, ...]
    fit: Fit = Fit()
    known: bool = False
    hidden: bool = False


def survey(table: Table, before: Pilgrimage | None, ends: bool) -> Survey:
    """The mountain on a table. The numbers of `before` stand where a priest hides them, and under the peak.

    ends: whether the peak's dominoes may lie at the two ends, as the goal.
    """
    table = replace(table, doubts=())
    if not table.board.placed:
        return Survey(None, (NOTHING,))
    standing = [pawn.cell for pawn in table.pawns if pawn.cell is not None]
    if before is None:
        fit, mountain, faults = _own(table.board, ends)
    else:
        fit, mountain = _printed(table.board, before, ends, standing)
        faults = ()
    cells = [fit.apply(cell) for cell in standing]
    if mountain is None:
        hidden = tuple(_hidden(table.board.moved(fit.apply), cells, len(table.pawns), ends))
        return Survey(None, hidden or faults, fit, hidden=bool(hidden))
    faults = (*faults, *_tile_faults(table, fit, mountain, cells), *_pawn_faults(table, cells, mountain))
    if faults:
        return Survey(None, faults, fit)
    at_first = not mountain.descending and set(cells) == set(HOMES)
    known = before or Pilgrimage(mountain.rows, HOMES, False, () if at_first else COLOR_NAMES)
    priests, colors = _named(cells, [pawn.color_name for pawn in table.pawns], known)
    return Survey(replace(mountain, priests=priests, colors=colors, fit=fit), (), fit, before is not None)


def drawn(state: Pilgrimage) -> Table:
    """The table that a state lies on: the pawns in colours of their own, the peak raised while there is one."""
    right = 1 if state.descending else 0
    pawns = (Piece(color, cell.shifted(0, right)) for color, cell in zip(COLORS, state.priests, strict=True))
    raised = () if state.descending else tuple(Cell(row, col) for row in (0, 1) for col in PEAK)
    return Table(state.board.shifted(0, right), pawns=tuple(pawns), raised=raised)


def _own(board: Board, ends: bool) -> tuple[Fit, Pilgrimage | None, tuple[Problem, ...]]:
    """Without a problem: the row as it lies, upright dominoes side by side."""
    rows, cols = extent(board.owner)
    fit = home(board.owner, 0 if cols >= rows else 1)
    lying = board.moved(fit.apply)
    moved_out = ends and lying.size[1] == COLUMNS + 2
    if moved_out:
        fit = replace(fit, cols=fit.cols - 1)
        lying = lying.shifted(0, -1)
    faults = tuple(_row_faults(lying, moved_out))
    if faults:
        return fit, None, faults
    order = [*range(5), -1, COLUMNS, *range(7, COLUMNS)] if moved_out else range(COLUMNS)
    upright = {placed.cell.col: placed for placed in lying.placed}
    numbers: Rows = (tuple(upright[col].head for col in order), tuple(upright[col].tail for col in order))
    return fit, Pilgrimage(numbers, HOMES, moved_out), ()


def _row_faults(board: Board, moved_out: bool) -> Iterator[Problem]:
    """What keeps dominoes from being a mountain of their own."""
    wanted = {col for col in range(-1, COLUMNS + 1) if col not in PEAK} if moved_out else set(range(COLUMNS))
    for number, placed in enumerate(board.placed):
        name, at = said(placed.domino), where(placed.cells)
        if placed.way is not Way.DOWN or placed.cell.row or placed.cell.col not in wanted:
            yield Problem(f"The {name} at {at} does not lie side by side with the others.", placed.cells)
        if placed.domino not in DOMINOES:
            yield Problem(f"The {name} at {at} is not in the set: there are no doubles and no sixes.", placed.cells)
        if twins := [twin for twin in board.placed[:number] if twin.domino == placed.domino]:
            yield too_often(*twins, placed)
    if len(board.placed) != COLUMNS:
        left = [said(domino) for domino in DOMINOES if domino not in {placed.domino for placed in board.placed}]
        text = f"{count(len(board.placed), 'domino lies', 'dominoes lie')} in the row, not {COLUMNS}"
        too_many = tuple(board.owner) if len(board.placed) > COLUMNS else ()
        yield Problem(f"{text}; these are not there: {', '.join(left)}.", too_many)


def _hidden(lying: Board, pawns: Collection[Cell], number: int, ends: bool) -> Iterator[Problem]:
    """That all dominoes which lack may lie under pawns: those stand in the row where no domino is to be seen.

    pawns: the cells of those that have one; of `number` pawns the others stand farther off what can be seen.
    """
    seen = {cell.col for cell in lying.owner}
    under = {cell.col for cell in pawns} - seen
    row = seen | under
    bare = [col for col in range(min(row), max(row)) if col not in row]
    lacking = COLUMNS - len(lying.placed)
    if 0 < lacking <= len(under) + number - len(pawns) and (not bare or (ends and len(bare) == len(PEAK))):
        text = f"Pawns hide {lacking} of the {COLUMNS} dominoes: name the problem, which tells what lies under them."
        yield Problem(text)


def _printed(board: Board, before: Pilgrimage, ends: bool, pawns: Collection[Cell]) -> tuple[Fit, Pilgrimage]:
    """With a problem: how it lies on the table, with the peak's dominoes in the middle or at the ends.

    Where pawns hide the dominoes of the ends, the two in the middle tell it: they lie there, or nothing does.
    """
    found = []
    for moved_out in (before.descending, not before.descending) if ends else (False,):
        mountain = replace(before, descending=moved_out)
        fit = best_fits(board, board, mountain.board.pips, before.fit.turn)[0]
        grid = mountain.board.pips
        agreeing = sum(grid.get(fit.apply(cell)) == number for cell, number in board.pips.items())
        there = {*map(fit.apply, board.owner), *_under(map(fit.apply, pawns), mountain.board)}
        found.append(((agreeing, len(there.intersection(grid))), fit, mountain))
    return max(found, key=lambda one: one[0])[1:]


def _under(pawns: Iterable[Cell], board: Board) -> set[Cell]:
    """The cells of the dominoes that pawns stand on."""
    return {cell for pawn in pawns if pawn in board.owner for cell in board.owner[pawn].cells}


def _tile_faults(table: Table, fit: Fit, mountain: Pilgrimage, pawns: Sequence[Cell]) -> Iterator[Problem]:
    """Dominoes that lie where the mountain has others; what stands under a priest need not be seen."""
    sight = part(table).moved(fit.apply)
    right = mountain.board
    hidden = _under(pawns, right)
    lying = table.board.moved(fit.apply)
    agreeing = sum(right.pips.get(cell) == number for cell, number in lying.pips.items())
    if agreeing < _FEWEST_AGREEING:
        yield Problem("The dominoes on the table are not those of this problem.")
        return
    for placed in lying.placed:
        if placed not in right.placed and not hidden.issuperset(placed.cells):
            yield _stranger(placed.cells, (placed.head, placed.tail), right)
    open_cells = set(right.owner) - hidden
    yield from off_the_cells(sight)
    yield from face_down(sight, open_cells)
    yield from gaps(sight, open_cells)
    high = tuple(cell for cell in map(fit.apply, table.raised) if cell.col not in PEAK)
    if high:
        yield Problem(f"The dominoes raised as the peak are the two in the middle, not those at {where(high)}.", high)


def _stranger(cells: tuple[Cell, Cell], numbers: tuple[int, int], right: Board) -> Problem:
    if not all(cell in right.owner for cell in cells):
        return Problem(f"The {pair(*numbers)} at {where(cells)} lies beside the mountain.", cells)
    there = pair(*(right.pips[cell] for cell in cells))
    return Problem(f"At {where(cells)} lies {pair(*numbers)}, but the mountain has {there} there.", cells)


def _pawn_faults(table: Table, cells: Sequence[Cell], mountain: Pilgrimage) -> Iterator[Problem]:
    for cell in dict.fromkeys(cells):
        if cell not in mountain.numbers and cell not in HOMES:
            yield Problem(f"The pawn at {where((cell,))} stands beside the mountain: there is no space.", (cell,))
        if cells.count(cell) > 1:
            yield Problem(f"{cells.count(cell)} pawns stand together at {place(cell)}.", (cell,))
    if len(table.pawns) > len(cells):
        yield Problem("A pawn stands too far from the dominoes to be a priest on its way.")
    if len(table.pawns) != len(HOMES):
        text = f"{count(len(table.pawns), 'pawn is', 'pawns are')} on the table: a pilgrimage has four priests."
        yield Problem(text, unfinished=len(table.pawns) < len(HOMES))


def _named(cells: Sequence[Cell], colors: Sequence[str], known: Pilgrimage) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """The cells and colours of P, N, B and R: by colour where those are told apart, else whoever need move least."""
    telling = sorted(colors) == sorted(known.colors)

    def cost(order: Sequence[int]) -> tuple[int, int]:
        away = sum(_apart(known.priests[i], cells[at]) for i, at in enumerate(order))
        return sum(known.colors[i] != colors[at] for i, at in enumerate(order)) if telling else 0, away

    order = min(permutations(range(len(cells))), key=cost)
    return tuple(cells[at] for at in order), tuple(colors[at] for at in order)


def _apart(one: Cell, other: Cell) -> int:
    """How far a priest must have gone: not at all, along a straight line, or otherwise."""
    return (one != other) + (one.row != other.row and one.col != other.col)
