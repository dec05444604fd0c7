"""What Fujisan and Country Road share besides the rules of a step: tables, starts, what is said and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from rules.board import Cell
from rules.certainty import doubt_notes
from rules.climbing.making import random_mountain
from rules.climbing.reading import Survey, drawn, survey
from rules.climbing.state import COLUMNS, DOMINOES, LETTERS, WORDS, Pilgrimage, Step, every_step, place, step_to, target
from rules.diagram import Diagram
from rules.domino import Domino
from rules.game import Game, Hint, IllegalMove, Problem, Seat, Solution, UnreadableTable, Verdict
from rules.table import Table
from rules.watch import Watch
from rules.words import count

_STEP = re.compile(r"([A-Z])([RLUD])(\d*)(?:\(\+(\d+)\))?", re.IGNORECASE)


class ClimbingPuzzle(Game[Pilgrimage, Step]):
    """A puzzle for one player who leads four priests over a mountain; each game adds `play`, `outcome` and its goal."""

    ends = False

    def goal_faults(self, state: Pilgrimage) -> Iterable[Problem]:
        """What keeps a mountain from being the puzzle's end."""
        raise NotImplementedError

    def settled(self, state: Pilgrimage) -> Pilgrimage:
        """The mountain after whatever has to be done before the next step."""
        return state

    def read(self, table: Table, before: Pilgrimage | None = None) -> Pilgrimage:
        """The mountain and its priests; `before` tells the numbers under pawns, and which priest is which.

        Raises UnreadableTable unless twelve dominoes of the set lie side by side, and four pawns stand on spaces of
        theirs or beside their ends.
        """
        seen = survey(table, before, self.ends)
        if seen.state is None:
            raise UnreadableTable(tuple(problem.moved(seen.fit.undo) for problem in seen.faults))
        return self.settled(seen.state)

    def candidates(self, state: Pilgrimage) -> Iterator[Step]:
        """Every straight way of every priest to a free space."""
        return every_step(state)

    def to_move(self, state: Pilgrimage) -> Seat:
        """The one player's turn, always."""
        return 0

    def agrees(self, expected: Pilgrimage, seen: Pilgrimage) -> bool:
        """Whether the same spaces are taken, by pawns of the same colours where those were told."""
        if (expected.rows, expected.descending) != (seen.rows, seen.descending):
            return False
        if sorted(expected.colors) != sorted(seen.colors):
            return set(expected.priests) == set(seen.priests)
        return _standing(expected) == _standing(seen)

    def told(self, state: Pilgrimage, seat: Seat | None = None) -> str:
        """The mountain and the priests, also while they wait on the ground."""
        return state.drawn

    def describe(self, state: Pilgrimage, move: Step) -> str:
        """A move in a sentence."""
        here, there = state.priests[LETTERS.index(move.priest)], target(state, move)
        number = f"the {state.numbers[there]} at " if move.counted else ""
        past = f", past {count(move.passed, 'priest')}" if move.passed else ""
        return f"Priest {move.priest} at {place(here)} goes {WORDS[move.direction]} to {number}{place(there)}{past}."

    def cells(self, state: Pilgrimage, move: Step) -> tuple[Cell, ...]:
        """The cell of the priest who moves."""
        return (state.priests[LETTERS.index(move.priest)],)

    def solve(self, state: Pilgrimage, watch: Watch) -> Solution[Step]:
        """A shortest solution, or the proof that there is none."""
        raise NotImplementedError

    def hint(self, state: Pilgrimage, level: int) -> Hint | None:
        """Who goes next, as the place of the hint; the nudge and the move itself are left to the solution."""
        moves = self.solve(state, Watch()).moves if level == 2 else None
        if not moves:
            return None
        priest, here = moves[0].priest, state.priests[LETTERS.index(moves[0].priest)]
        left = f"{count(len(moves), 'move')} from here will do"
        return Hint(f"{left}; the next one is made by priest {priest}, who stands at {place(here)}.", (here,), 2)

    def moves(self, state: Pilgrimage, text: str) -> tuple[Step, ...]:
        """The step that a word names, "PR3(+2)". Raises IllegalMove where it names none."""
        written = _STEP.fullmatch(text)
        if not written or written[1].upper() not in LETTERS:
            raise IllegalMove(f"{text} is no move: a priest, P, N, B or R, and a way are one, as PR3(+2), PU or PR.")
        return (Step(written[1].upper(), written[2].upper(), int(written[3] or 0), int(written[4] or 0)),)

    def attempts(self, state: Pilgrimage, seen: Pilgrimage) -> Iterator[Step]:
        """Every straight way of a priest to a space that is newly taken."""
        for cell in seen.priests:
            if cell not in state.priests:
                yield from (step for i in range(len(LETTERS)) if (step := step_to(state, i, cell)))

    def differences(self, state: Pilgrimage, seen: Pilgrimage) -> Iterator[Problem]:
        """Who stands elsewhere."""
        for letter, here, there in zip(LETTERS, state.priests, seen.priests, strict=True):
            if here != there and here.row != there.row and here.col != there.col:
                told = f"Priest {letter} went from {place(here)} to {place(there)}, which is no straight line"
                yield Problem(f"{told}.", (there,))
            elif here != there:
                yield Problem(f"Priest {letter} went from {place(here)} to {place(there)}.", (there,))

    def on_table(self, state: Pilgrimage, seen: Pilgrimage, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen."""
        return seen.fit.undo(cell)

    def dominoes(self, table: Table, before: Pilgrimage | None = None) -> Iterable[Domino]:
        """Those of the problem; without one, the fifteen of the set."""
        return sorted(before.dominoes) if before else DOMINOES

    def deal(self, chance: Random, size: int) -> Pilgrimage:
        """Twelve dominoes of the fifteen at random; no other size is a mountain."""
        if size != COLUMNS:
            raise ValueError(f"a mountain takes {COLUMNS} dominoes, not {size}")
        return random_mountain(chance)

    def diagram(self, state: Pilgrimage) -> Diagram:
        """The mountain and the pawns on it: red is P, blue N, yellow B and green R."""
        return Diagram(drawn(state), caption="P is red, N blue, B yellow, R green.")

    def check(self, table: Table, before: Pilgrimage | None = None) -> Verdict:
        """Every fault of the table as the puzzle's end; a fault of doubtful tiles or pawns is a doubt only."""
        seen = survey(table, before, self.ends)
        faults = self.goal_faults(self.settled(seen.state)) if seen.state else seen.faults
        doubts = tuple(doubt for doubt in table.doubts if not _hidden(seen, doubt.where))
        unsure = {seen.fit.apply(cell) for doubt in doubts for cell in doubt.where}
        sure = [fault.moved(seen.fit.undo) for fault in faults if unsure.isdisjoint(fault.cells)]
        notes = (note.moved(seen.fit.undo) for note in doubt_notes(doubts, seen.fit.apply))
        if seen.hidden:
            return Verdict("undecided", (), doubts, (*seen.faults, *notes), seen.fit.turn)
        return Verdict.of(sure, doubts, notes, seen.fit.turn)


def _standing(state: Pilgrimage) -> set[tuple[str, Cell]]:
    return set(zip(state.colors or [""] * len(state.priests), state.priests, strict=True))


def _hidden(seen: Survey, cells: Iterable[Cell]) -> bool:
    """Whether a doubt is about a tile under a priest, whose numbers are known all the same."""
    if seen.state is None or not seen.known:
        return False
    owner, priests = seen.state.board.owner, seen.state.priests
    under = {cell for priest in priests if priest in owner for cell in owner[priest].cells}
    placed = [seen.fit.apply(cell) for cell in cells]
    return bool(placed) and under.issuperset(placed)
