"""Dominosa: given a grid of numbers, find where the dominoes of a full set lie, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from rules import dominosa
from rules.board import EMPTY, Board, Cell, Placed, corner, extent
from rules.certainty import Sight, doubt_notes, doubts_about, face_down, gaps, off_the_cells, part
from rules.diagram import Diagram
from rules.domino import Domino, DominoSet
from rules.fit import Fit, best_fits
from rules.game import (
    NOTHING,
    Game,
    GameInfo,
    Generated,
    Hint,
    IllegalMove,
    Outcome,
    Problem,
    Seat,
    Solution,
    UnreadableTable,
    Verdict,
)
from rules.grid import Grid, takes_full_set
from rules.laying import Lay, lay_named, objections
from rules.table import Doubt, Table
from rules.watch import Watch
from rules.words import count, is_reading, listing, pair, said, where

MOST_FITS = 8
ORDERS = range(3, 16)
USUAL_ORDER = 6
COMPARED = 12
TELLING = 4  # so many dominoes tell whether they are those of the problem


@dataclass(frozen=True)
class DominosaState:
    """The problem's grid, the dominoes laid upon it, and how the table was turned and shifted to fit it.

    `str` draws the grid with the edges of the dominoes; `Dominosa.start` reads it.
    """

    grid: Grid
    board: Board = EMPTY
    fit: Fit = field(default=Fit(), compare=False)

    @property
    def turn(self) -> int:
        """The quarter turns clockwise from the table to the grid."""
        return self.fit.turn

    def __str__(self) -> str:
        return dominosa.diagram_text(self.grid, self.board)


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
        """The grid that a text holds, with the dominoes whose edges it draws: rows of numbers, with or without spaces,
        or a game id of the portable puzzle collection, "6:...". Raises BadText with line and column."""
        return DominosaState(*dominosa.read_problem(text))

    def read(self, table: Table, before: DominosaState | None = None) -> DominosaState:
        """The dominoes on the table, turned and shifted to where they agree best with the grid of `before`.

        Raises UnreadableTable for tiles off the grid or face down on it, and while they fit in more than one place;
        without a grid, for anything but a full one.
        """
        sight = part(replace(table, doubts=()))
        fit, task = _own_task(sight) if before is None else _printed_task(sight, table, before)[0]
        there = sight.moved(fit.apply)
        problems = (*off_the_cells(there), *face_down(there, task.squares))
        if before is None:
            problems += (*_size_faults(task), *gaps(there, task.squares))
        elif not before.board.placed:
            problems += _unclear(sight, before)
        if problems:
            raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in problems))
        return DominosaState(before.grid if before else Grid.of(there.sure.pips), there.sure, fit)

    def candidates(self, state: DominosaState) -> Iterator[Lay]:
        """Every two free squares side by side, with the numbers that are printed there."""
        pips = state.grid.pips
        free = {cell: pips[cell] for cell in pips if cell not in state.board.owner}
        pairs = ((cell, other) for cell in free for other in cell.neighbours()[:2] if other in free)
        return (Lay(Placed.on(cell, other, pips[cell], pips[other])) for cell, other in pairs)

    def play(self, state: DominosaState, move: Lay) -> DominosaState:
        """Lays a domino. Raises IllegalMove where it does not lie on its own numbers, or lies elsewhere already."""
        for problem in _objections(move.placed, state.board, _task(state.grid)):
            raise IllegalMove(problem, partial(_anyhow, state, move.placed))
        return replace(state, board=state.board.laid(move.placed))

    def outcome(self, state: DominosaState) -> Outcome | None:
        """Solved once every square is covered, and nothing that was seen to lie there breaks a rule."""
        solved = len(state.board.owner) == len(state.grid.pips) and not _clash(state)
        return Outcome(True, (0,), (), "Every domino of the set has its place.") if solved else None

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

    def deal(self, chance: Random, size: int) -> DominosaState:
        """A full set of so many dominoes laid at random and covered; most often it has more than one solution."""
        orders = {len(DominoSet(order)): order for order in ORDERS}
        if size not in orders:
            raise ValueError(f"a full set has {listing(list(map(str, orders)), 'or')} dominoes, not {size}")
        return DominosaState(dominosa.deal(chance, orders[size]))

    def solve(self, state: DominosaState, watch: Watch) -> Solution[Lay]:
        """The dominoes that lack; proved wrong where none can be laid that solve it beside those that lie there."""
        if _clash(state):
            return Solution(None, 1, proved=True)
        found = dominosa.search(state.grid, state.board, 1, watch)
        if not found.boards:
            return Solution(None, found.nodes, proved=found.complete)
        lacking = [placed for placed in found.boards[0].placed if placed.cell not in state.board.owner]
        return Solution(tuple(map(Lay, lacking)), found.nodes, len(lacking), True)

    def solutions(self, state: DominosaState, most: int = 2) -> tuple[Board, ...]:
        """The first solutions that keep what lies there: two of them show that there is not just one."""
        return () if _clash(state) else dominosa.search(state.grid, state.board, most).boards

    def deductions(self, state: DominosaState) -> tuple[dominosa.Deduction, ...]:
        """The chain of reasons from what lies there to the solution; () where what lies there breaks a rule."""
        return () if _clash(state) else dominosa.deductions(state.grid, state.board)

    def reasons(self, state: DominosaState) -> tuple[Hint, ...]:
        """The chain of reasons in sentences, each with its technique and the cells that it is about."""
        return tuple(
            Hint(f"{step.technique.title.capitalize()}: {step.sentence}", (*step.from_cells, *step.cells), 3)
            for step in self.deductions(state)
        )

    def hint(self, state: DominosaState, level: int) -> Hint | None:
        """What lies wrong, if anything does; else the technique (1), the place (2) and why (3) of the next domino."""
        clash = _clash(state)
        if clash:
            return Hint(clash.text if level > 1 else "A domino that lies there breaks a rule.", clash.cells, level)
        return dominosa.hint(state.grid, state.board, level)

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The grades of the portable puzzle collection; an order may follow, from "hard 3" to "hard 15", usually 6."""
        return dominosa.GRADES[:-1]

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[DominosaState, Lay] | None:
        """A grid of that grade with one solution, the most interesting of a few where they are small."""
        grade, order = _asked(difficulty)
        tries = max(1, COMPARED // order)
        made = [dominosa.make(chance, order, grade, watch) for _ in range(tries)]
        judged = [(dominosa.interest(steps), steps, grid) for grid in made if grid for steps in [_chain(grid)]]
        if not judged:
            return None
        interest, steps, grid = max(judged, key=lambda each: each[0])
        start = DominosaState(grid)
        moves = tuple(Lay(placed) for step in steps for placed in step.dominoes)
        note = f"{_note(steps)} Its game id is {dominosa.game_id(grid)}."
        return Generated(start, str(start), moves, difficulty, interest, note)

    def diagram(self, state: DominosaState) -> Diagram:
        """The dominoes that lie there, and the numbers that are printed on the free squares."""
        free = tuple((cell, number) for cell, number in state.grid.pips.items() if cell not in state.board.owner)
        return Diagram(Table(state.board), free)

    def cells(self, state: DominosaState, move: Lay) -> tuple[Cell, ...]:
        """The cells on which the domino is laid."""
        return move.placed.cells

    def moves(self, state: DominosaState, text: str) -> tuple[Lay, ...]:
        """The move that a word names: "23V21" is 2 above 3, its top at column 2, row 1."""
        lay = lay_named(text)
        if not lay:
            raise IllegalMove(f"{text} is no move: a domino, H or V, column and row are one, as 23V21.")
        return (lay,)

    def attempts(self, state: DominosaState, seen: DominosaState) -> Iterator[Lay]:
        """Every domino that is new on the table, laid where it lies."""
        return (Lay(placed) for placed in seen.board.placed if placed not in state.board.placed)

    def towards(self, state: DominosaState, seen: DominosaState) -> Iterator[Lay]:
        """The same: no domino that lies there is moved again."""
        return self.attempts(state, seen)

    def differences(self, state: DominosaState, seen: DominosaState) -> Iterator[Problem]:
        """Each domino that was taken away, and whatever speaks against each new one."""
        left = Board(tuple(placed for placed in state.board.placed if placed in seen.board.placed))
        for placed in state.board.placed:
            if placed not in left.placed:
                yield Problem(f"The {said(placed.domino)} was taken away from {where(placed.cells)}.", placed.cells)
        for move in self.attempts(state, seen):
            faults = list(_objections(move.placed, left, _task(state.grid)))
            yield from faults
            if not faults:
                left = left.laid(move.placed)

    def on_table(self, state: DominosaState, seen: DominosaState, cell: Cell) -> Cell:
        """Where a cell of the grid lies on the table that was seen."""
        return seen.fit.undo(cell)

    def check(self, table: Table, before: DominosaState | None = None) -> Verdict:
        """Every fault; with a problem, the sentences count its rows and columns, however the table lies."""
        sight = part(table)
        tasks = [_own_task(sight)] if before is None else _printed_task(sight, table, before)
        judged = [(fit, tuple(_faults(sight.moved(fit.apply), task))) for fit, task in tasks]
        fit, problems = min(judged, key=lambda fit_problems: len(fit_problems[1]))
        if before:
            problems = tuple(_another(sight.sure.moved(fit.apply), before.grid)) or problems
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

    def rank(fit: Fit) -> tuple[int, bool]:
        there = set(table.board.moved(fit.apply).placed)
        return -len(there.intersection(before.board.placed)), fit != before.fit

    return [(fit, _task(before.grid)) for fit in sorted(fits, key=rank)[:MOST_FITS]]


def _unclear(sight: Sight, before: DominosaState) -> tuple[Problem, ...]:
    """The first dominoes may fit in several places of the grid: nobody can tell yet in which of them they lie."""
    pips, grid = sight.sure.pips, before.grid.pips
    fits = best_fits(sight.sure, sight.sure, grid, before.turn)
    places = {tuple(sorted(fit.apply(cell) for cell in pips)) for fit in fits[: MOST_FITS + 1]}
    if len(places) < 2 or any(grid.get(fits[0].apply(cell)) != number for cell, number in pips.items()):
        return ()
    first = said(sight.sure.placed[0].domino)
    what = f"The {first} fits" if len(sight.sure.placed) == 1 else "These dominoes fit"
    more = f"{len(places)} places" if len(places) <= MOST_FITS else "many places"
    text = f"{what} in {more} of the grid: lay one more, and it will be clear where."
    return (Problem(text, tuple(pips), unfinished=True),)


def _anyhow(state: DominosaState, placed: Placed) -> DominosaState | None:
    """The state with a domino laid against the rules, None where something lies there already."""
    free = state.board.owner.keys().isdisjoint(placed.cells)
    return replace(state, board=state.board.laid(placed)) if free else None


def _clash(state: DominosaState) -> Problem | None:
    """What is wrong with the dominoes that lie there, whatever the solution."""
    lying, task = state.board.placed, _task(state.grid)
    faults = (fault for at, placed in enumerate(lying) for fault in _objections(placed, Board(lying[:at]), task))
    return next(faults, None)


def _asked(difficulty: str) -> tuple[str, int]:
    """The grade and the order of "hard 9". Raises ValueError."""
    grade, _, written = difficulty.partition(" ")
    order = int(written) if written.isdecimal() and len(written) < 3 else 0 if written else USUAL_ORDER
    if grade not in GAME.difficulties or order not in ORDERS:
        grades = listing(GAME.difficulties, "or")
        raise ValueError(f"{difficulty!r} is no difficulty: {grades} are, with an order from 3 to 15 after it, or none")
    return grade, order


def _chain(grid: Grid) -> tuple[dominosa.Deduction, ...]:
    return dominosa.deductions(grid)


def _note(steps: Iterable[dominosa.Deduction]) -> str:
    """What a chain of reasons takes, as far as it is not in every chain."""
    found = [step.technique for step in steps]
    titles = list(dict.fromkeys(each.title for each in found if each is not dominosa.Technique.TAKEN))
    searches = found.count(dominosa.Technique.UNIQUE_PAIR)
    return f"It takes {listing(titles)}, and {count(searches, 'search', 'searches')} for a pair that stands there once."


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
        yield NOTHING
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


def _another(lying: Board, grid: Grid) -> Iterator[Problem]:
    """That most numbers differ from the grid's: nobody lays so many wrong, but anybody names the wrong problem."""
    agreeing = sum(grid.pips.get(cell) == number for cell, number in lying.pips.items())
    if len(lying.placed) >= TELLING and 2 * agreeing < len(lying.pips):
        share = f"Only {agreeing} of {len(lying.pips)} numbers lie where the problem has them"
        yield Problem(f"{share}: name the problem that lies there.")


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
