"""Bee Donimoes: dice fly over the dominoes until they stand in one group with the queen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from random import Random

from rules.bee import search
from rules.bee.making import GRADES, make_round
from rules.bee.reading import HiddenByDice, read_bees
from rules.bee.setup import FEWEST, MOST, board_faults, deal_bees, dice_faults, set_for, strays
from rules.bee.state import WORDS, BeeState, Flight, flight_of, flights, parse_bees
from rules.board import Cell, areas, extent
from rules.certainty import doubt_notes
from rules.diagram import Diagram
from rules.domino import Domino
from rules.errors import BadText
from rules.game import (
    NOTHING,
    Expected,
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
from rules.making import require_grade
from rules.table import Die, Doubt, Table
from rules.watch import Watch
from rules.words import listing, where

_ACROSS = {"R": "DU", "L": "DU", "D": "RL", "U": "RL"}


class Bee(Game[BeeState, Flight]):
    """The puzzle of one round of the race by Don Kirkby. Only the blank of the queen's own domino is wild."""

    info = GameInfo(
        "bee",
        "Bee Donimoes",
        (1, 6),
        "all dominoes up to the number of dice",
        (f"{FEWEST} to {MOST} dice",),
        pieces=(Expected("die", FEWEST, MOST, by_value=True),),
    )
    difficulties = tuple(GRADES)

    def start(self, text: str) -> BeeState:
        """The round that a text holds: the board, a line of "---", then "dice:1,2,3" and "queen:3". Raises BadText."""
        board, bees, queen, line = parse_bees(text)
        faults = list(board_faults(board))
        if faults:
            at = min(faults[0].cells, default=Cell(0, 0))
            raise BadText("; ".join(map(_reason, faults)), 2 * at.row + 1, 2 * at.col + 1)
        for problem in dice_faults(board, bees, queen):
            raise BadText(_reason(problem), line)
        state = BeeState(board, bees, queen)
        for problem in strays(state):
            raise BadText(_reason(problem), line)
        return state

    def read(self, table: Table, before: BeeState | None = None) -> BeeState:
        """The dice on the dominoes; what lies under them is carried from before, or told by the set."""
        return read_bees(table, before)

    def candidates(self, state: BeeState) -> Iterator[Flight]:
        """For each die but the queen, one flight to each space that it can reach, with the fewest turns."""
        return (flight for bee in state.bees if bee.number != state.queen for flight in flights(state, bee.number))

    def play(self, state: BeeState, move: Flight) -> BeeState:
        """Flies a die. Raises IllegalMove for the queen, for a landing on another number or on a die, and for a turn
        above anything but another die."""
        start = state.cells.get(move.number)
        if start is None:
            raise IllegalMove(f"The {move.number} die is not on the board.")
        stops = move.stops(start)
        end = stops[-1]
        _require_way(state, move, stops)
        after = partial(state.landed, move.number, end)
        if move.number == state.queen:
            text = f"The queen bee, the {move.number}, does not move in this round."
            raise IllegalMove(Problem(text, (start, end)), after)
        if state.board.pips[end] != move.number and end != state.wild:
            raise IllegalMove(partial(_wrong_landing, state, move, end), after)
        for stop in stops[:-1]:
            if stop == start or stop not in state.at:
                raise IllegalMove(partial(_bare_turn, state, move, stop), after)
        return after()

    def outcome(self, state: BeeState) -> Outcome | None:
        """Solved once all dice stand in one group with the queen."""
        return None if _astray(state) else Outcome(True, (0,), (), "All the bees are with their queen.")

    def to_move(self, state: BeeState) -> Seat:
        """Whoever solves it, always."""
        return 0

    def solve(self, state: BeeState, watch: Watch) -> Solution[Flight]:
        """The fewest moves, or the proof that it is impossible."""
        return search.solve(state, watch)

    def hint(self, state: BeeState, level: int) -> Hint | None:
        """As a nudge, where a die has to end up, if there is one place only; the rest is left to the search."""
        ends = list(search.endings(state)) if level <= 1 and _astray(state) else []
        for number, cell in state.cells.items():
            there = {end.get(number, cell) for end in ends}
            if len(there) == 1 and number != state.queen:
                (goal,) = there
                return Hint(f"However it ends, the {number} die will stand at {where([goal])}.", (goal,), 1)
        return None

    def cells(self, state: BeeState, move: Flight) -> tuple[Cell, ...]:
        """The cell of the die that flies."""
        return (state.cells[move.number],)

    def describe(self, state: BeeState, move: Flight) -> str:
        """A move in a sentence, with the dice above which it turns."""
        stops = move.stops(state.cells[move.number])
        over = [f" to above the {state.at[stop]}" if stop in state.at else "" for stop in stops[:-1]] + [""]
        legs = [f"{WORDS[way]} {far}{above}" for (way, far), above in zip(move.legs, over, strict=True)]
        return f"The {move.number} die flies {', then '.join(legs)}, and lands at {where(stops[-1:])}."

    def moves(self, state: BeeState, text: str) -> tuple[Flight, ...]:
        """The move that a word names: "2R3D1" is the 2, right 3, a turn over the die there, down 1."""
        flight = flight_of(text)
        if not flight:
            raise IllegalMove(f"{text} is no move: a die and its ways are one, as 2R3D1.")
        return (flight,)

    def attempts(self, state: BeeState, seen: BeeState) -> Iterator[Flight]:
        """Each die that stands elsewhere, flown there: straight, or round one of two corners."""
        for number, start in state.cells.items():
            end = seen.cells.get(number, start)
            down, right = end.row - start.row, end.col - start.col
            rows = [("D" if down > 0 else "U", abs(down))] if down else []
            cols = [("R" if right > 0 else "L", abs(right))] if right else []
            yield from (Flight(number, tuple(legs)) for legs in {(*rows, *cols), (*cols, *rows)} if legs)

    def differences(self, state: BeeState, seen: BeeState) -> Iterator[Problem]:
        """The dice that stand elsewhere."""
        for number, cell in seen.cells.items():
            if state.cells.get(number) != cell:
                text = f"The {number} die stands at {where([cell])}; no legal moves lead there from where it stood"
                yield Problem(f"{text}.", (cell,))

    def on_table(self, state: BeeState, seen: BeeState, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen."""
        return seen.fit.undo(cell)

    def dominoes(self, table: Table, before: BeeState | None = None) -> Iterable[Domino]:
        """Those of the problem; without one, the set that fills the rectangle on the table."""
        if before:
            return sorted(placed.domino for placed in before.board.placed)
        used = set_for(*extent({*table.board.owner, *(die.cell for die in table.dice if die.cell)}))
        return used or ()

    def deal(self, chance: Random, size: int) -> BeeState:
        """A round at random with a whole set of so many dominoes: 10, 15, 21 or 28."""
        return deal_bees(chance, size)

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[BeeState, Flight] | None:
        """A round of 2 to 4 moves (easy), 5 to 7 (medium), or 8 and more (hard)."""
        require_grade(difficulty, self.difficulties)
        return make_round(chance, difficulty, watch)

    def diagram(self, state: BeeState) -> Diagram:
        """The dominoes and the dice; the queen and her blank are lit."""
        dice = tuple(Die(bee.number, bee.cell) for bee in state.bees)
        lit = (state.cells[state.queen], state.wild)
        return Diagram(Table(state.board, dice=dice), marked=lit, caption=f"The {state.queen} is the queen.")

    def check(self, table: Table, before: BeeState | None = None) -> Verdict:
        """Every fault of the table as the end of a round: what lies or stands wrong, and who is not with the queen."""
        if not table.board.placed and not table.doubts:
            return Verdict.of([NOTHING])
        try:
            state = self.read(table, before)
        except UnreadableTable as unreadable:
            return _unread(unreadable, table)
        doubts = [*_doubts(table, state)]
        faults = [fault.moved(state.fit.undo) for fault in _faults(state)]
        notes = (note.moved(state.fit.undo) for note in doubt_notes(doubts, state.fit.apply))
        return Verdict.of(faults, doubts, notes, state.fit.turn)


def _require_way(state: BeeState, move: Flight, stops: tuple[Cell, ...]) -> None:
    """Raises IllegalMove for a way that no die can fly at all, or that ends where something stands."""
    end = stops[-1]
    for before, leg in zip(move.legs, move.legs[1:], strict=False):
        if leg[0] not in _ACROSS[before[0]]:
            raise IllegalMove(f"The {move.number} die turns by 90 degrees: {move} goes on or back.")
    if not all(stop in state.board.owner for stop in stops) or any(far < 1 for _, far in move.legs):
        raise IllegalMove(f"The {move.number} die cannot fly {move}: its way stays above the dominoes.")
    if end == state.cells[move.number]:
        raise IllegalMove(Problem(f"The {move.number} die would land where it stands.", (end,)))
    if end in state.at:
        text = f"The {move.number} die cannot land at {where([end])}: the {state.at[end]} die stands there."
        raise IllegalMove(Problem(text, (end,)))


def _wrong_landing(state: BeeState, move: Flight, end: Cell) -> Problem:
    text = f"The {move.number} die cannot land on the {state.board.pips[end]} at {where([end])}"
    rule = f"it lands on {move.number}s, and on the queen's blank at {where([state.wild])}"
    return Problem(f"{text}: {rule}.", (state.cells[move.number], end))


def _bare_turn(state: BeeState, move: Flight, stop: Cell) -> Problem:
    text = f"The {move.number} die cannot turn above {where([stop])}: no other die stands there"
    return Problem(f"{text}.", (state.cells[move.number], stop))


def _astray(state: BeeState) -> Collection[int]:
    """The dice that are not in one group with the queen."""
    queen = state.cells[state.queen]
    group = next(area for area in areas(state.at, lambda one, other: True) if queen in area)
    return [number for number, cell in state.cells.items() if cell not in group]


def _faults(state: BeeState) -> Iterator[Problem]:
    yield from dice_faults(state.board, state.bees, state.queen)
    yield from strays(state)
    apart = _astray(state)
    if apart:
        told = f"{listing([f'the {number}' for number in apart])} {'is' if len(apart) == 1 else 'are'} not"
        text = f"{told[0].upper()}{told[1:]} in one group with the queen, the {state.queen}"
        yield Problem(f"{text}.", tuple(state.cells[number] for number in apart))


def _doubts(table: Table, state: BeeState) -> Iterator[Doubt]:
    """The doubts that matter: a domino that lies where the problem has it is what the problem says."""
    for doubt in table.doubts:
        known = {
            state.board.owner[cell].cells for cell in map(state.fit.apply, doubt.where) if cell in state.board.owner
        }
        if doubt.sentence or known != {tuple(sorted(map(state.fit.apply, doubt.where)))}:
            yield doubt


def _unread(unreadable: UnreadableTable, table: Table) -> Verdict:
    """The verdict on a table that is no round: a fault that hangs on doubtful tiles, or on what dice hide, is open."""
    notes = doubt_notes(table.doubts, lambda cell: cell)
    if isinstance(unreadable, HiddenByDice):
        return Verdict("undecided", (), table.doubts, (*unreadable.problems, *notes))
    unsure = {cell for doubt in table.doubts for cell in doubt.where}
    faults = [fault for fault in unreadable.problems if unsure.isdisjoint(fault.cells) and (fault.cells or not unsure)]
    return Verdict.of(faults, table.doubts, notes)


def _reason(problem: Problem) -> str:
    """A sentence as the end of another."""
    return problem.text[0].lower() + problem.text[1:].rstrip(".")


GAME = Bee()
