"""What the sliding puzzles share besides their rules: starts, tables, faults, what is said about a move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeVar

from rules.board import Board, Cell, areas
from rules.certainty import Sight, doubt_notes, face_down, off_the_cells, part
from rules.diagram import Diagram
from rules.domino import Domino
from rules.errors import BadText
from rules.game import NOTHING, Game, Generated, IllegalMove, Problem, Seat, Verdict
from rules.making import Grade, made_up, require_grade
from rules.sliding.layout import LONGEST, Layout
from rules.sliding.layout_reading import (
    FULL_SET,
    allowed,
    changes,
    fit_to,
    home,
    read_layout,
    rectangle,
    splits,
    strangers,
    turned_tiles,
)
from rules.sliding.making import laid_beside
from rules.sliding.slide import WORDS, Slide, nowhere
from rules.table import Table
from rules.watch import Watch
from rules.words import where

M = TypeVar("M")

_SLIDE = re.compile("([0-9a-f])([0-9a-f])(R+|L+|U+|D+)", re.IGNORECASE)


class SlidingPuzzle(Game[Layout, M]):
    """A puzzle for one player whose dominoes slide in one group; each game adds `play`, `outcome` and its goal."""

    ends_bare = False
    grades: tuple[Grade, ...]

    def goal_faults(self, sight: Sight, before: Layout | None) -> Iterable[Problem]:
        """What keeps a table, its top left at (0, 0), from being the puzzle's end; as far as that is sure."""
        raise NotImplementedError

    def proposed(self, chance: Random, grade: Grade) -> Layout | None:
        """A start that may be a problem of that grade; None where chance led to nothing."""
        raise NotImplementedError

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The grades of difficulty, told by the length of a shortest solution."""
        return tuple(grade.name for grade in self.grades)

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[Layout, M] | None:
        """One problem of that grade; None where `watch` ended before there was one. Raises ValueError."""
        require_grade(difficulty, self.difficulties)
        grade = next(grade for grade in self.grades if grade.name == difficulty)
        return made_up(self, chance, grade, self.proposed, watch)

    def diagram(self, state: Layout) -> Diagram:
        """The dominoes on the table, and the queue."""
        return Diagram(Table(state.board), queue=tuple((tile.head, tile.tail) for tile in state.waiting))

    def start(self, text: str) -> Layout:
        """The start that a board in text draws. Raises BadText with line and column."""
        board = Board.parse(text)
        require_group(board)
        return Layout.of(board)

    def read(self, table: Table, before: Layout | None = None) -> Layout:
        """The dominoes on the table, turned to where most lie the way they did. Raises UnreadableTable."""
        return read_layout(table, before)

    def to_move(self, state: Layout) -> Seat:
        """The one player's turn, always."""
        return 0

    def dominoes(self, table: Table, before: Layout | None = None) -> Iterable[Domino]:
        """Those of the problem; without one, a double-six set."""
        return sorted(allowed(before))

    def cells(self, state: Layout, move: M) -> tuple[Cell, ...]:
        """The cells of the domino that slides, () where it was collected."""
        if not isinstance(move, Slide) or move.tile not in state.tiles:
            return ()
        return state.cells(state.tiles.index(move.tile))

    def describe(self, state: Layout, move: M) -> str:
        """A move in a sentence."""
        assert isinstance(move, Slide)
        return f"The {move.name} at {where(self.cells(state, move))} slides {WORDS[move.direction]}."

    def differences(self, state: Layout, seen: Layout) -> Iterable[Problem]:
        """What differs, domino by domino."""
        return changes(state, seen)

    def on_table(self, state: Layout, seen: Layout, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen."""
        return seen.fit.undo(cell.shifted(state.origin.row, state.origin.col))

    def deal(self, chance: Random, size: int) -> Layout:
        """So many dominoes of a double-six set, each laid against the others at random."""
        return Layout.of(random_group(chance, size))

    def check(self, table: Table, before: Layout | None = None) -> Verdict:
        """Every fault of the table as the puzzle's end; rows and columns count from the top left of what lies there."""
        sight = part(table)
        turn = fit_to(before, sight.sure).turn if before else 0
        fit = home(sight.covered, turn)
        there = sight.moved(fit.apply)
        faults = [problem.moved(fit.undo) for problem in self._faults(there, before)]
        notes = tuple(note.moved(fit.undo) for note in doubt_notes(table.doubts, fit.apply))
        return Verdict.of(faults, table.doubts, notes, turn)

    def _faults(self, sight: Sight, before: Layout | None) -> Iterator[Problem]:
        bare = not sight.covered and not sight.unclear
        if bare and not (before and self.ends_bare):
            yield NOTHING
            return
        yield from strangers(sight.sure, before)
        yield from off_the_cells(sight)
        yield from face_down(sight, rectangle(sight.covered))
        yield from turned_tiles(sight, before) if before else ()
        yield from splits(sight.covered) if not sight.unclear else ()
        yield from self.goal_faults(sight, before)


def named_slides(state: Layout, text: str) -> tuple[Slide, ...]:
    """The slides that a word names: "24R", or "24RR" for two. Raises IllegalMove where it names none."""
    written = _SLIDE.fullmatch(text)
    if not written:
        raise IllegalMove(f"{text} is no move: two numbers and R, L, U or D are one, as 24R.")
    head, tail, ways = int(written[1], 16), int(written[2], 16), written[3].upper()
    tile = next((tile for tile in state.tiles if tile[:2] == (head, tail)), None)
    if tile is None:
        raise IllegalMove(nowhere(head, tail))
    return tuple(Slide(tile, way) for way in ways)


def require_group(board: Board) -> None:
    """Raises BadText, with the place in the text, unless different dominoes of a double-six set make one group."""
    if not board.placed:
        raise BadText("there is no domino here")
    for number, placed in enumerate(board.placed):
        if placed.domino not in FULL_SET:
            raise _at(placed.cell, f"{placed} is not in the {FULL_SET.name} set")
        if any(twin.domino == placed.domino for twin in board.placed[:number]):
            raise _at(placed.cell, f"{placed} is there twice")
    parts = areas(board.owner, lambda one, other: True)
    if len(parts) > 1:
        raise _at(parts[1][0], "this domino touches none of the biggest group")
    if max(board.size) > LONGEST:
        raise BadText(f"the board is longer than {LONGEST} squares")


def random_group(chance: Random, size: int) -> Board:
    """So many dominoes of a double-six set in one group, each laid at random against those before it."""
    if not 1 <= size <= len(FULL_SET):
        raise ValueError(f"a deal takes 1 to {len(FULL_SET)} dominoes, not {size}")
    board = Board()
    for domino in chance.sample(FULL_SET.dominoes, size):
        board = laid_beside(chance, board, domino)
    return board.shifted(-board.top_left.row, -board.top_left.col)


def _at(cell: Cell, reason: str) -> BadText:
    return BadText(reason, 2 * cell.row + 1, 2 * cell.col + 1)
