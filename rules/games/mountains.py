"""Mountains and Valleys: lay 18 dominoes as a map of 6 by 6 heights on which every square can be walked to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from random import Random

from rules.board import EMPTY, Board, Cell, Placed
from rules.board_text import PIPS
from rules.certainty import doubt_notes, doubts_about, face_down, part
from rules.diagram import Diagram
from rules.domino import Domino
from rules.engine import legal_moves
from rules.game import (
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
from rules.laying import Lay
from rules.making import require_grade
from rules.mountains.advice import swaps_that_keep, turns_that_keep, why_hopeless
from rules.mountains.checking import (
    ORIGIN,
    hanging_out,
    home,
    lying_across,
    map_faults,
    map_objections,
    other_game,
    rectangle,
    room,
    within,
)
from rules.mountains.frames import frames
from rules.mountains.heights import SIDE
from rules.mountains.hints import scarcest_height, what_may_change
from rules.mountains.making import GRADES, deal_map, make_deal, solve_map
from rules.mountains.state import FULL_SET, TILES, MountainsState, Take, parse_mountains
from rules.mountains.walking import Map
from rules.table import Table
from rules.watch import Watch
from rules.words import pair, said, where

GOOD = 5
GUESSES = 3  # at what lies face down in a harder game, each looked at for a second at most
GUESSED_STEPS = 7_000
STUCK = Outcome(False, (), (), "No other domino fits on the map: it cannot be completed.")
_WORD = re.compile(r"(-?)([0-6])([0-6])([HV])(?:(-?\d+),(-?\d+)|(\d)(\d))", re.IGNORECASE)

__all__ = ["GAME", "Mountains", "MountainsState"]


class Mountains(Game[MountainsState, Lay | Take]):
    """The solitaire by Sid Sackson, for dominoes. Without a deal, any 18 dominoes of the set will do."""

    info = GameInfo("mountains", "Mountains and Valleys", (1, 1), "18 dominoes of a double-six set")
    difficulties = tuple(GRADES)

    def start(self, text: str) -> MountainsState:
        """The 18 dominoes that a text lists: "01 24 ...", after a line "harder" for the harder solitaire; a map that is
        begun may follow below a line of "===". Raises BadText with line and column."""
        return parse_mountains(text)

    def read(self, table: Table, before: MountainsState | None = None) -> MountainsState:
        """The map on the table, turned to where most of it lies as it did; dominoes that wait may lie beside it, apart.

        Raises UnreadableTable for tiles face down in it, for a domino that was not dealt or is there twice, and for
        more dominoes than a map takes.
        """
        fit = home(table.board, _turn(before, table.board) if before else 0)
        sight = part(replace(table, doubts=())).moved(fit.apply)
        deal = before.deal if before else FULL_SET.dominoes
        board = Board(tuple(placed for placed in sight.sure.placed if all(map(within, placed.cells))))
        on_map = [*face_down(sight, rectangle(sight)), *_strangers(board, deal), *hanging_out(sight)]
        problems = [*other_game(table), *(problem.moved(fit.undo) for problem in on_map), *lying_across(table)]
        if problems:
            raise UnreadableTable(tuple(problems))
        return _on_board(MountainsState(EMPTY, deal, before.harder if before else False, fit), board)

    def candidates(self, state: MountainsState) -> Iterator[Lay | Take]:
        """Every domino that is left, both ways round, on every two free squares that a 6 by 6 square could hold; and
        every domino that lies there, to be taken back."""
        around = room(*state.board.size) if state.board.placed else [ORIGIN, Cell(0, 1), Cell(1, 0)]
        free = set(around).difference(state.board.owner)
        pairs = [(cell, other) for cell in sorted(free) for other in cell.neighbours()[:2] if other in free]
        for domino in state.waiting:
            for pips in {(domino.low, domino.high), (domino.high, domino.low)}:
                yield from (Lay(Placed.on(*cells, *pips)) for cells in pairs)
        if not state.harder:
            yield from map(Take, state.board.placed)

    def play(self, state: MountainsState, move: Lay | Take) -> MountainsState:
        """Lays a domino, or takes one back. Raises IllegalMove if it lies there already, was not dealt, or does not fit
        in 6 by 6; in the harder solitaire also if it is face down, touches nothing, or is taken back."""
        if isinstance(move, Take):
            return _taken(state, move.placed)
        for problem in map_objections(move.placed, state.board, state.deal):
            raise IllegalMove(problem, _with(state, move.placed))
        laid = state.board.laid(move.placed)
        if max(laid.size) > SIDE:
            text = f"With it the map would be {laid.size[0]} by {laid.size[1]}, more than 6 by 6."
            raise IllegalMove(Problem(text, move.placed.cells))
        if state.harder:
            _require_harder(state, move.placed)
        return _on_board(state, laid)

    def outcome(self, state: MountainsState) -> Outcome | None:
        """Over once 6 by 6 squares are covered and every square can be walked to; the harder solitaire, which takes
        nothing back, also where not, and once no other domino fits. The score is the penalty."""
        if len(state.board.placed) < TILES:
            return STUCK if state.harder and next(legal_moves(self, state), None) is None else None
        penalty = self.penalty(state)
        if not penalty:
            return Outcome(True, (0,), (0,), "Every square can be walked to.")
        good = " That is a good game." if penalty < GOOD else ""
        return Outcome(False, (), (penalty,), f"{_costs(penalty)}.{good}") if state.harder else None

    def owed(self, state: MountainsState) -> str:
        """What has to be done now; of a full map that cannot be walked also what it costs."""
        ended = self.outcome(state)
        if ended:
            return ended.reason
        if len(state.board.placed) < TILES:
            return "Lay a domino."
        return f"{_costs(self.penalty(state))}: take dominoes back."

    def penalty(self, state: MountainsState) -> int:
        """What joining all areas costs; for a map that is not finished, the least that it will cost."""
        open_squares = () if len(state.board.placed) == TILES else room(*state.board.size)
        return Map(state.board.pips, frozenset(open_squares).difference(state.board.owner)).penalty()

    def paths(self, state: MountainsState) -> tuple[tuple[Cell, ...], ...]:
        """The lines to draw along which one can walk."""
        return Map(state.board.pips).paths()

    def turns(self, state: MountainsState) -> tuple[Placed, ...]:
        """The dominoes of a solved map that can be turned end for end, and it is solved still."""
        return turns_that_keep(state.board) if _is_solved(self.outcome(state)) else ()

    def swaps(self, state: MountainsState) -> tuple[tuple[Placed, Placed], ...]:
        """The two dominoes of a solved map that can change places, and it is solved still."""
        return swaps_that_keep(state.board) if _is_solved(self.outcome(state)) else ()

    def advice(self, state: MountainsState) -> Problem | None:
        """Why a 6 by 6 map that can be walked over is surely impossible by now; None where nothing is proved.

        What is face down in a harder game is not peeked at: it may be any domino that is not seen.
        """
        laid = {placed.domino for placed in state.board.placed}
        known = set(state.waiting) if len(state.shown) >= TILES else set(FULL_SET)
        return why_hopeless(state.board, sorted(known - laid))

    def warning(self, state: MountainsState, move: Lay | Take) -> Problem | None:
        """What to say about a placement that makes 6 by 6 impossible, or a map that can be walked over; None where
        nothing is proved, or it was so before. Raises IllegalMove."""
        after = self.play(state, move)
        hopeless = None if isinstance(move, Take) or len(after.board.placed) == TILES else self.advice(after)
        if not hopeless or self.advice(state):
            return None
        what = "a solution" if any(frames(after.board)) else "6 by 6"
        return Problem(f"This placement makes {what} impossible. {hopeless.text}", move.placed.cells)

    def solve(self, state: MountainsState, watch: Watch) -> Solution[Lay | Take]:
        """Any solution, not the shortest; or the proof that there is none, as far as one is known.

        In the harder solitaire as its player sees it, one that holds if what lies face down is as guessed.
        """
        hidden = TILES - len(state.deal)
        if hidden <= 0:
            return solve_map(state, watch)
        others, looked_at = [domino for domino in FULL_SET if domino not in state.deal], 0
        for guess in range(GUESSES):
            drawn = Random(f"{state.board} {guess}").sample(others, hidden)
            bound = Watch(watch.left_s, min(watch.most_states, GUESSED_STEPS), clock=watch.clock)
            solution = solve_map(replace(state, deal=(*state.deal, *drawn)), bound)
            looked_at += solution.states_seen
            if solution.moves:
                return replace(solution, states_seen=looked_at, proved=False)
            if not watch.goes_on(looked_at, 0):
                break
        return Solution(None, looked_at, TILES - len(state.board.placed))

    def hint(self, state: MountainsState, level: int) -> Hint | None:
        """Whether it is hopeless; what may change where it is solved; the scarcest height as a nudge; in a harder game,
        a domino for which the others might do, whatever is face down, or that none was found."""
        if _is_solved(self.outcome(state)):
            return what_may_change(self.turns(state), self.swaps(state), level)
        hopeless = self.advice(state)
        if hopeless:
            back = "" if state.harder or not state.board.placed else " Take dominoes back."
            return Hint(f"{hopeless.text}{back}", hopeless.cells, level)
        if len(state.board.placed) == TILES:
            return None
        if state.harder:
            return self._guessed(state, level)
        return scarcest_height(state.deal) if level <= 1 and len(state.deal) == TILES else None

    def _guessed(self, state: MountainsState, level: int) -> Hint:
        solution = self.solve(self.visible(state, 0), Watch(most_states=GUESSED_STEPS))
        if not solution.moves:
            guessed = ", whatever was guessed to lie face down" if len(state.shown) < TILES else ""
            text = f"No way was found to lay the rest so that every square can be walked to{guessed}."
            return Hint(text, level=level)
        placed = solution.moves[0].placed
        if level <= 1:
            return Hint(f"Look at the {said(placed.domino)}.", (), 1)
        text = f"The {said(placed.domino)} has a good place at {where(placed.cells)}."
        return Hint(text if level == 2 else f"Next: {self.describe(state, Lay(placed))}", placed.cells, level)

    def describe(self, state: MountainsState, move: Lay | Take) -> str:
        """A move in a sentence."""
        return move.sentence

    def cells(self, state: MountainsState, move: Lay | Take) -> tuple[Cell, ...]:
        """The cells that the domino covers or covered."""
        return move.placed.cells

    def moves(self, state: MountainsState, text: str) -> tuple[Lay | Take, ...]:
        """The move that a word names: "23V21" lays, "-23V21" takes back."""
        written = _WORD.fullmatch(text)
        if not written:
            raise IllegalMove(f"{text} is no move: a domino, H or V and its place are one, as 23V21.")
        column, row = int(written[5] or written[7]), int(written[6] or written[8])
        cell = Cell(row - 1, column - 1)
        other = cell.neighbours()[0 if written[4].upper() == "H" else 1]
        placed = Placed.on(cell, other, *(PIPS.index(half) for half in (written[2], written[3])))
        return (Take(placed) if written[1] else Lay(placed),)

    def attempts(self, state: MountainsState, seen: MountainsState) -> Iterator[Lay | Take]:
        """Whatever is new on the table, laid where it lies, and whatever is gone, taken back."""
        down, right = _shift(state.board, seen.board)
        there = seen.board.shifted(down, right)
        yield from (Take(placed) for placed in state.board.placed if placed not in there.placed)
        yield from (Lay(placed) for placed in there.placed if placed not in state.board.placed)

    def towards(self, state: MountainsState, seen: MountainsState) -> Iterator[Lay | Take]:
        """The same: whatever differs takes one move."""
        return self.attempts(state, seen)

    def differences(self, state: MountainsState, seen: MountainsState) -> Iterator[Problem]:
        """What is new, what is gone, and what lies elsewhere."""
        for move in self.attempts(state, seen):
            if isinstance(move, Take):
                yield Problem(f"The {said(move.placed.domino)} no longer lies where it lay.")
            else:
                down, right = _shift(state.board, seen.board)
                cells = tuple(cell.shifted(-down, -right) for cell in move.placed.cells)
                yield Problem(f"The {pair(move.placed.head, move.placed.tail)} is new at {where(cells)}.", cells)

    def on_table(self, state: MountainsState, seen: MountainsState, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen."""
        down, right = (0, 0) if state is seen else _shift(state.board, seen.board)
        return seen.fit.undo(cell.shifted(-down, -right))

    def visible(self, state: MountainsState, seat: Seat) -> MountainsState:
        """In the harder solitaire, what is face down is unknown."""
        return replace(state, deal=state.shown)

    def deal(self, chance: Random, size: int) -> MountainsState:
        """18 dominoes at random."""
        return deal_map(chance, size)

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[MountainsState, Lay | Take] | None:
        """A deal that can be solved, graded by how long annealing looks for a solution; "harder" is the solitaire of
        that name."""
        require_grade(difficulty, self.difficulties)
        return make_deal(chance, difficulty, watch)

    def diagram(self, state: MountainsState) -> Diagram:
        """The map with its paths, and the dominoes that wait."""
        queue = tuple((domino.low, domino.high) for domino in state.waiting) if len(state.deal) <= TILES else ()
        penalty = self.penalty(state)
        least = "at least " if len(state.board.placed) < TILES else ""
        caption = f"Penalty {least}{penalty}." if state.board.placed else ""
        return Diagram(Table(state.board), queue=queue, lines=self.paths(state), caption=caption)

    def to_move(self, state: MountainsState) -> Seat:
        """The one player's turn, always."""
        return 0

    def dominoes(self, table: Table, before: MountainsState | None = None) -> Collection[Domino]:
        """Those that were dealt; without a deal, the whole set."""
        return before.deal if before else FULL_SET.dominoes

    def check(self, table: Table, before: MountainsState | None = None) -> Verdict:
        """Every fault, the cliffs and the penalty too; sentences count rows and columns from the square's top left."""
        fit = home(table.board)
        sight = part(table).moved(fit.apply)
        problems = tuple(map_faults(sight, before.deal if before else FULL_SET.dominoes))
        doubts = doubts_about(table, fit.apply, rectangle(sight))
        notes = doubt_notes(doubts, fit.apply)
        back = [tuple(problem.moved(fit.undo) for problem in problems) for problems in (problems, notes)]
        return Verdict.of(back[0], doubts, back[1])


def _costs(penalty: int) -> str:
    return f"Joining the areas costs a penalty of {penalty}"


def _is_solved(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.won


def _taken(state: MountainsState, placed: Placed) -> MountainsState:
    if placed not in state.board.placed:
        text = f"No {pair(placed.head, placed.tail)} lies at {where(placed.cells)}."
        raise IllegalMove(Problem(text, placed.cells))
    after = _on_board(state, state.board.without([placed]))
    if state.harder:
        text = f"The {pair(placed.head, placed.tail)} stays where it lies: the harder solitaire takes nothing back."
        raise IllegalMove(Problem(text, placed.cells), lambda: after)
    return after


def _require_harder(state: MountainsState, placed: Placed) -> None:
    """Raises IllegalMove for a domino that is face down still, or that touches nothing."""
    after = _with(state, placed)
    if placed.domino not in state.waiting:
        raise IllegalMove(Problem(f"The {said(placed.domino)} lies face down still.", placed.cells), after)
    near = {other for cell in placed.cells for other in cell.neighbours()}
    if state.board.placed and near.isdisjoint(state.board.owner):
        text = f"The {pair(placed.head, placed.tail)} at {where(placed.cells)} touches no other domino."
        raise IllegalMove(Problem(text, placed.cells), after)


def _with(state: MountainsState, placed: Placed) -> Callable[[], MountainsState] | None:
    """Gives the table as if a domino were laid all the same; None where it cannot be, for something lies there."""
    if not state.board.owner.keys().isdisjoint(placed.cells):
        return None
    return lambda: _on_board(state, state.board.laid(placed))


def _strangers(board: Board, deal: Collection[Domino]) -> Iterator[Problem]:
    for number, placed in enumerate(board.placed):
        yield from map_objections(placed, Board(board.placed[:number]), deal)


def _turn(before: MountainsState, lying: Board) -> int:
    """The quarter turns after which most dominoes lie together as they did."""

    def alike(turn: int) -> int:
        return max(_ways(before.board, lying.moved(partial(Cell.turned, turns=turn))).values(), default=0)

    return max(((before.fit.turn + turns) % 4 for turns in range(4)), key=alike)


def _shift(before: Board, seen: Board) -> tuple[int, int]:
    """From the cells of a map as it is seen to those of the one before, by the dominoes that lie in both."""
    ways = _ways(before, seen)
    return ways.most_common(1)[0][0] if ways else (0, 0)


def _ways(before: Board, seen: Board) -> Counter[tuple[int, int]]:
    """How many dominoes lie as they did under each shift from the map as it is seen to the one before."""
    known = {(placed.domino, placed.way, placed.head): placed.cell for placed in before.placed}
    ways = Counter[tuple[int, int]]()
    for placed in seen.placed:
        old = known.get((placed.domino, placed.way, placed.head))
        if old:
            ways[old.row - placed.cell.row, old.col - placed.cell.col] += 1
    return ways


def _on_board(state: MountainsState, board: Board) -> MountainsState:
    """The state with another map, whose top left is counted as (0, 0)."""
    first = board.top_left
    fit = replace(state.fit, rows=state.fit.rows - first.row, cols=state.fit.cols - first.col)
    return replace(state, board=board.shifted(-first.row, -first.col), fit=fit)


GAME = Mountains()
