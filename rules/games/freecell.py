"""Dominoes Freecell: bring every tile up above the blank of its suit, one rank after the other."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from random import Random

from rules.board import Board, Cell
from rules.certainty import doubt_notes, face_down, off_the_cells, part
from rules.diagram import Diagram
from rules.domino import Domino, DominoSet
from rules.fit import Fit
from rules.freecell.making import GRADES, dealt, make_deal
from rules.freecell.reading import CORNER, Survey, holes, parse_tableau, survey
from rules.freecell.search import best_first
from rules.freecell.tableau import SETS, Carry, Tableau, Variant, carried, carries
from rules.game import (
    Game,
    GameInfo,
    Generated,
    IllegalMove,
    Outcome,
    Problem,
    Seat,
    Solution,
    UnreadableTable,
    Verdict,
)
from rules.table import Table
from rules.watch import Watch
from rules.words import count, where

_MOVE = re.compile(r"([0-9a-f])([0-9a-f])(?:(\^)|>([0-9a-f])([0-9a-f])?)", re.IGNORECASE)
SIZES = {len(DominoSet(highest)): highest for highest in SETS}


class Freecell(Game[Tableau, Carry]):
    """The solitaire by Ecks Why. A stack goes down by exactly one from tile to tile, whatever the suits."""

    info = GameInfo("freecell", "Dominoes Freecell", (1, 1), "a double-six, double-nine or double-twelve set")

    @property
    def difficulties(self) -> tuple[str, ...]:
        """By how many tiles a solution moves out of the way; the set and a variant may follow: "hard 9 suited"."""
        return GRADES

    def start(self, text: str) -> Tableau:
        """The columns that a text draws, with the words of a variant below "===". Raises BadText with its place."""
        return parse_tableau(text)

    def read(self, table: Table, before: Tableau | None = None) -> Tableau:
        """The columns on the table; `before` tells the variant. Piles above the blanks may lie stacked.

        Raises UnreadableTable unless the blanks stand in a row and the set is complete.
        """
        seen = self._surveyed(table, before)
        if seen.state is None:
            raise UnreadableTable(seen.faults)
        return seen.state

    def candidates(self, state: Tableau) -> Iterator[Carry]:
        """Every tile to every place that its rank allows."""
        return carries(state)

    def play(self, state: Tableau, move: Carry) -> Tableau:
        """Moves a tile with what lies below it. Raises IllegalMove where it is no stack, or does not fit there."""
        return carried(state, move)

    def outcome(self, state: Tableau) -> Outcome | None:
        """Solved once no column holds a tile."""
        return None if any(state.columns) else Outcome(True, (0,), (), "All tiles lie above the blanks of their suits.")

    def describe(self, state: Tableau, move: Carry) -> str:
        """A move in a sentence."""
        below = len(state.stack(move.tile)) - 1
        others = f" and the {'tile' if below == 1 else count(below, 'tile')} below it" if below else ""
        name = f"The {_name(move.tile)}{others}"
        moves = "move" if below else "moves"
        if move.to is None:
            return f"{name} {moves} up above the {_name(Domino(move.tile.high, move.tile.low - 1))}."
        if isinstance(move.to, Domino):
            return f"{name} {moves} under the {_name(move.to)}."
        free_cell = move.to == 0 and state.variant.free_cells
        return f"{name} {moves} to {'a free cell' if free_cell else f'the empty column of the {move.to}-0'}."

    def to_move(self, state: Tableau) -> Seat:
        """The one player's turn, always."""
        return 0

    def cells(self, state: Tableau, move: Carry) -> tuple[Cell, ...]:
        """The cells of the tile that moves."""
        return state.cells(move.tile) if move.tile in state.where else ()

    def moves(self, state: Tableau, text: str) -> tuple[Carry, ...]:
        """The move that a word names: "42^" up, "42>33" under the 3-3, "42>3" to the empty column of the 3-0."""
        written = _MOVE.fullmatch(text)
        if not written:
            raise IllegalMove(f"{text} is no move: 42^ goes up, 42>33 goes under the 3-3, 42>3 to an empty column.")
        head, tail, up, one, other = written.groups()
        tile = Domino.of(int(head, 16), int(tail, 16))
        if up:
            return (Carry(tile),)
        return (Carry(tile, Domino.of(int(one, 16), int(other, 16)) if other else int(one, 16)),)

    def solve(self, state: Tableau, watch: Watch) -> Solution[Carry]:
        """A shortest solution with a double-six set where one is found soon; else any, and it says so."""
        return best_first(state, watch)

    def attempts(self, state: Tableau, seen: Tableau) -> Iterator[Carry]:
        """Any tile that lies elsewhere, brought to where it lies now."""
        for tile, (column, _) in state.where.items():
            there = seen.where.get(tile)
            if there is None:
                yield Carry(tile)
            elif there[0] != column:
                above = seen.columns[there[0]][there[1] - 1] if there[1] else None
                yield Carry(tile, above if above and not (there[0] == 0 and state.variant.free_cells) else there[0])

    def differences(self, state: Tableau, seen: Tableau) -> Iterator[Problem]:
        """What lies in another column, or came down."""
        for tile, (column, _) in seen.where.items():
            if tile not in state.where:
                yield Problem(f"The {_name(tile)} was up, and lies in a column again.", seen.cells(tile))
            elif state.where[tile][0] != column:
                here, there = (f"the column of the {c}-0" for c in (state.where[tile][0], column))
                yield Problem(f"The {_name(tile)} went from {here} to {there}.", seen.cells(tile))

    def on_table(self, state: Tableau, seen: Tableau, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen: the row of blanks stays where it is."""
        return seen.fit.undo(cell.shifted(2 * (max(seen.up) - max(state.up)), 0))

    def dominoes(self, table: Table, before: Tableau | None = None) -> Iterable[Domino]:
        """The whole set; without a problem, the smallest one that has all the numbers."""
        most = max(table.board.pips.values(), default=SETS[0])
        return before.set if before else DominoSet(next((highest for highest in SETS if most <= highest), SETS[-1]))

    def deal(self, chance: Random, size: int) -> Tableau:
        """A whole set of 28, 55 or 91 dominoes, shuffled into columns as nearly equal as can be."""
        if size not in SIZES:
            raise ValueError(f"Freecell takes a whole set of 28, 55 or 91 dominoes, not {size}")
        return dealt(chance, SIZES[size], Variant())

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[Tableau, Carry] | None:
        """A deal with a solution; the more tiles are moved out of the way in it, the harder and more interesting it is.

        difficulty: a grade, then the set by its highest number, 6 without one, then the words of a variant:
        "medium 12 alternating". Raises ValueError for any other words.
        """
        return make_deal(chance, difficulty, watch)

    def diagram(self, state: Tableau) -> Diagram:
        """The whole table."""
        return Diagram(Table(state.board), caption=str(state.variant))

    def check(self, table: Table, before: Tableau | None = None) -> Verdict:
        """Every fault of the table as the puzzle's end; a fault that hangs on a doubtful tile is a doubt only."""
        seen = self._surveyed(table, before)
        unsure = {cell for doubt in table.doubts for cell in doubt.where}
        down = () if seen.state is None else tuple(_down(seen.state, table.board, seen.fit, unsure))
        row = all(table.board.owner[cell].domino != CORNER for cell in unsure if cell in table.board.owner)
        sure = [
            fault for fault in seen.faults if row and unsure.isdisjoint(fault.cells) and (fault.cells or not unsure)
        ]
        bare = holes(table.board.moved(seen.fit.apply), seen.state) if seen.state and not unsure else ()
        lacking = (fault.moved(seen.fit.undo) for fault in bare)
        notes = (note.moved(seen.fit.undo) for note in doubt_notes(table.doubts, seen.fit.apply))
        return Verdict.of((*sure, *lacking, *down), table.doubts, notes, seen.fit.turn)

    def _surveyed(self, table: Table, before: Tableau | None) -> Survey:
        """The columns, or the faults with the cells of the table."""
        seen = survey(table.board, before.variant if before else Variant())
        sight = part(replace(table, doubts=())).moved(seen.fit.apply)
        faults = list(seen.faults)
        if table.board.placed:
            faults += [*off_the_cells(sight), *face_down(sight, sight.sure.owner)]
        if before and seen.state and seen.state.set != before.set:
            faults.append(Problem(f"The table has a {seen.state.set.name} set; the problem a {before.set.name} one."))
        there = tuple(fault.moved(seen.fit.undo) for fault in faults)
        return replace(seen, state=None if faults else seen.state, faults=there)


def _down(state: Tableau, board: Board, fit: Fit, unsure: Container[Cell]) -> Iterator[Problem]:
    """The tiles that surely lie in a column still."""
    left = [placed for placed in board.placed if placed.domino in state.where]
    cells = tuple(cell for placed in left for cell in placed.cells if cell not in unsure)
    if cells:
        number = count(len(cells) // 2, "tile is", "tiles are")
        yield Problem(f"{number} not up yet: {where(tuple(map(fit.apply, cells)))}.", cells)


def _name(tile: Domino) -> str:
    return f"{tile.high}-{tile.low}"


GAME = Freecell()
