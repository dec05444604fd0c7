"""Dominosa: given a grid of numbers, find where the dominoes of a full set lie, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rules.board import EMPTY, Board, Cell, Placed, corner, extent
from rules.certainty import Sight, doubt_notes, doubts_about, face_down, gaps, off_the_cells, part
from rules.domino import Domino, DominoSet
from rules.fit import Fit, best_fits
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, UnreadableTable, Verdict
from rules.grid import Grid, takes_full_set
from rules.laying import Lay, objections
from rules.table import Doubt, Table
from rules.words import is_reading, listing, pair, said, where

MOST_FITS = 8


@dataclass(frozen=True)
class DominosaState:
    """The problem's grid, the dominoes laid upon it, and the quarter turns that the table was turned to fit it."""

    grid: Grid
    board: Board = EMPTY
    turn: int = field(default=0, compare=False)


@dataclass(frozen=True)
class _Task:
    """What has to be filled: the squares, what each must show (nothing stands where anything will do), and the set."""

    squares: frozenset[Cell]
    numbers: Mapping[Cell, int]
    set: DominoSet


class Dominosa(Game[DominosaState, Lay]):
    """The puzzle by O. S. Adler. Without a problem, the numbers on the table are the grid."""

    info = GameInfo("dominosa", "Dominosa", (1, 1), "a full set from double-one to double-fifteen", ("a grid",))

    def start(self, text: str) -> DominosaState:
        """The bare grid that a text holds. Raises BadText with line and column."""
        return DominosaState(Grid.parse(text))

    def read(self, table: Table, before: DominosaState | None = None) -> DominosaState:
        """The dominoes on the table, turned and shifted to where they agree best with the grid of `before`.

        Raises UnreadableTable for tiles off the grid or face down on it; without a grid, for anything but a full one.
        """
        sight = part(replace(table, doubts=()))
        fit, task = _own_task(sight) if before is None else _printed_task(sight, table, before)[0]
        there = sight.moved(fit.apply)
        problems = (*off_the_cells(there), *face_down(there, task.squares))
        if before is None:
            problems += (*_size_faults(task), *gaps(there, task.squares))
        if problems:
            raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in problems))
        return DominosaState(before.grid if before else Grid.of(there.sure.pips), there.sure, fit.turn)

    def candidates(self, state: DominosaState) -> Iterator[Lay]:
        """Every two free squares side by side, with the numbers that are printed there."""
        pips = state.grid.pips
        free = {cell: pips[cell] for cell in pips if cell not in state.board.owner}
        pairs = ((cell, other) for cell in free for other in cell.neighbours()[:2] if other in free)
        return (Lay(Placed.on(cell, other, pips[cell], pips[other])) for cell, other in pairs)

    def play(self, state: DominosaState, move: Lay) -> DominosaState:
        """Lays a domino. Raises IllegalMove where it does not lie on its own numbers, or lies elsewhere already."""
        for problem in _objections(move.placed, state.board, _task(state.grid)):
            raise IllegalMove(problem.text)
        return replace(state, board=state.board.laid(move.placed))

    def outcome(self, state: DominosaState) -> Outcome | None:
        """Solved once every square is covered."""
        covered = len(state.board.owner) == len(state.grid.pips)
        return Outcome(True, (0,), (), "Every domino of the set has its place.") if covered else None

    def describe(self, state: DominosaState, move: Lay) -> str:
        """A move in a sentence."""
        return move.sentence

    def to_move(self, state: DominosaState) -> Seat:
        """The one player's turn, always."""
        return 0

    def dominoes(self, table: Table, before: DominosaState | None = None) -> Iterable[Domino]:
        """The full set of the problem; without one, the set that fills the rectangle on the table."""
        if before:
            return before.grid.set
        rows, cols = extent(part(table).covered)
        return DominoSet(min(rows, cols) - 1) if takes_full_set(rows, cols) else ()

    def check(self, table: Table, before: DominosaState | None = None) -> Verdict:
        """Every fault; with a problem, the sentences count its rows and columns, however the table lies."""
        sight = part(table)
        tasks = [_own_task(sight)] if before is None else _printed_task(sight, table, before)
        judged = [(fit, tuple(_faults(sight.moved(fit.apply), task))) for fit, task in tasks]
        fit, problems = min(judged, key=lambda fit_problems: len(fit_problems[1]))
        doubts = _doubts(table, fit, tasks[0][1])
        notes = doubt_notes(doubts, fit.apply)
        back = [tuple(problem.moved(fit.undo) for problem in problems) for problems in (problems, notes)]
        return Verdict.of(back[0], doubts, back[1], fit.turn)


def _task(grid: Grid) -> _Task:
    return _Task(frozenset(grid.pips), grid.pips, grid.set)


def _own_task(sight: Sight) -> tuple[Fit, _Task]:
    """Without a problem: the rectangle around everything that lies there, and the set that fills it."""
    first, (rows, cols) = corner(sight.covered), extent(sight.covered)
    highest = min(rows, cols) - 1 if takes_full_set(rows, cols) else max(sight.sure.pips.values(), default=6)
    squares = frozenset(Cell(row, col) for row in range(rows) for col in range(cols))
    return Fit(0, -first.row, -first.col), _Task(squares, {}, DominoSet(highest))


def _printed_task(sight: Sight, table: Table, before: DominosaState) -> list[tuple[Fit, _Task]]:
    """With a problem: its grid, under each turn and shift that agrees best, as far as there are not too many."""
    fits = best_fits(sight.sure, table.board, before.grid.pips, before.turn)
    return [(fit, _task(before.grid)) for fit in fits[:MOST_FITS]]


def _objections(placed: Placed, board: Board, task: _Task) -> Iterator[Problem]:
    """Every rule that forbids this domino beside those that lie there."""
    yield from objections(placed, board, task.set, f"the {task.set.name} set")
    if not task.squares.issuperset(placed.cells):
        yield _outside(placed.cells)
        return
    printed = tuple(task.numbers.get(cell, seen) for cell, seen in _halves(placed))
    if printed != (placed.head, placed.tail):
        wrong = tuple(cell for cell, seen in _halves(placed) if task.numbers[cell] != seen)
        read = f"At {where(placed.cells)} lies {pair(placed.head, placed.tail)}"
        yield Problem(f"{read}, but the problem has {pair(*printed)} there.", wrong)


def _faults(sight: Sight, task: _Task) -> Iterator[Problem]:
    """Whatever is wrong for any reading of the unsure tiles: what laying the sure ones meets, then what lacks."""
    placed = sight.sure.placed
    if not placed and not sight.wild:
        yield Problem("No domino lies face up on the grid.")
        return
    if not task.numbers:
        yield from _size_faults(task)
    for number, domino in enumerate(placed):
        yield from _objections(domino, Board(placed[:number]), task)
    yield from _wild_faults(sight, task)
    yield from face_down(sight, task.squares)
    yield from off_the_cells(sight)
    yield from gaps(sight, task.squares)
    yield from _missing(sight, task)


def _wild_faults(sight: Sight, task: _Task) -> Iterator[Problem]:
    """An unsure tile is wrong for sure outside the grid, or where its place needs a domino that lies elsewhere."""
    taken: dict[Domino, tuple[Cell, ...]] = {domino.domino: domino.cells for domino in sight.sure.placed}
    for cells in sight.wild:
        if not task.squares.issuperset(cells):
            yield _outside(cells)
    for cells in (*sight.wild, *sight.unsure_backs):
        if not task.numbers.keys() >= set(cells):
            continue
        needed = Domino.of(*(task.numbers[cell] for cell in cells))
        if needed in taken:
            text = f"Whatever the tile at {where(cells)} reads, it is wrong: the problem has the {said(needed)} there"
            yield Problem(f"{text}, but that is taken at {where(taken[needed])}.", (*cells, *taken[needed]))
        taken[needed] = cells


def _size_faults(task: _Task) -> Iterator[Problem]:
    rows, cols = extent(task.squares)
    if not takes_full_set(rows, cols):
        fills = f"the {task.set.name} set fills {task.set.highest + 1} by {task.set.highest + 2}"
        yield Problem(f"The dominoes reach over {rows} by {cols} squares; {fills}.")


def _missing(sight: Sight, task: _Task) -> Iterator[Problem]:
    """The dominoes that lie nowhere; tiles that were not read may be some of them."""
    present = {placed.domino for placed in sight.sure.placed} | set(sight.astray)
    missing = [said(domino) for domino in task.set if domino not in present]
    if len(missing) > sight.unread > 0:
        fewest = len(missing) - sight.unread
        yield Problem(f"At least {fewest} of these dominoes must be missing: {listing(missing)}.")
    elif missing and not sight.unread:
        verb = "is" if len(missing) == 1 else "are"
        yield Problem(f"The {listing(missing)} {verb} missing.")


def _doubts(table: Table, fit: Fit, task: _Task) -> tuple[Doubt, ...]:
    """The doubts that matter: not those about a tile that at best lies face down beside the grid, a spare one."""
    inside = doubts_about(table, fit.apply, task.squares)
    return tuple(doubt for doubt in table.doubts if doubt in inside or is_reading(doubt.reading))


def _outside(cells: Iterable[Cell]) -> Problem:
    lying = tuple(cells)
    return Problem(f"The tile at {where(lying)} lies outside the grid.", lying)


def _halves(placed: Placed) -> tuple[tuple[Cell, int], tuple[Cell, int]]:
    head, tail = placed.cells
    return (head, placed.head), (tail, placed.tail)


GAME = Dominosa()
