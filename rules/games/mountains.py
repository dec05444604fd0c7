"""Mountains and Valleys: lay 18 dominoes as a map of 6 by 6 heights on which every square can be walked to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from rules.board import EMPTY, Board, Cell, Placed, corner, extent
from rules.certainty import Sight, doubt_notes, doubts_about, face_down, gaps, off_the_cells, part
from rules.deal import parse_deal
from rules.domino import Domino, DominoSet
from rules.fit import Fit
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, UnreadableTable, Verdict
from rules.laying import Lay, objections
from rules.table import Table
from rules.walking import Map, can_be_walked
from rules.words import count, where

SIDE = 6
TILES = SIDE * SIDE // 2
FULL_SET = DominoSet(6)
ORIGIN = Cell(0, 0)


@dataclass(frozen=True)
class MountainsState:
    """The dominoes laid so far, the top left of their rectangle at (0, 0), and the ones they are taken from."""

    board: Board = EMPTY
    deal: tuple[Domino, ...] = FULL_SET.dominoes


class Mountains(Game[MountainsState, Lay]):
    """The solitaire by Sid Sackson, for dominoes. Without a deal, any 18 dominoes of the set will do."""

    info = GameInfo("mountains", "Mountains and Valleys", (1, 1), "18 dominoes of a double-six set")

    def start(self, text: str) -> MountainsState:
        """The empty map and the 18 dominoes that a text lists: "01 24 ...". Raises BadText with line and column."""
        return MountainsState(deal=parse_deal(text, FULL_SET, TILES))

    def read(self, table: Table, before: MountainsState | None = None) -> MountainsState:
        """The dominoes on the table. Raises UnreadableTable for tiles off the grid or face down among the others."""
        fit = _home(table.board)
        sight = part(replace(table, doubts=())).moved(fit.apply)
        problems = (*off_the_cells(sight), *face_down(sight, _squares(sight)))
        if problems:
            raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in problems))
        return MountainsState(_at_origin(table.board), before.deal if before else FULL_SET.dominoes)

    def candidates(self, state: MountainsState) -> Iterator[Lay]:
        """Every domino that is left, both ways round, on every two free squares that a 6 by 6 square could hold."""
        laid = {placed.domino for placed in state.board.placed}
        room = _room(*state.board.size) if laid else [ORIGIN, Cell(0, 1), Cell(1, 0)]
        free = set(room).difference(state.board.owner)
        pairs = [(cell, other) for cell in sorted(free) for other in cell.neighbours()[:2] if other in free]
        for domino in state.deal:
            if domino not in laid:
                for pips in {(domino.low, domino.high), (domino.high, domino.low)}:
                    yield from (Lay(Placed.on(*cells, *pips)) for cells in pairs)

    def play(self, state: MountainsState, move: Lay) -> MountainsState:
        """Lays a domino. Raises IllegalMove if it lies there already, was not dealt, or does not fit in 6 by 6."""
        for problem in _objections(move.placed, state.board, state.deal):
            raise IllegalMove(problem.text)
        laid = state.board.laid(move.placed)
        if max(laid.size) > SIDE:
            raise IllegalMove(f"With it the map would be {laid.size[0]} by {laid.size[1]}, more than 6 by 6.")
        return replace(state, board=_at_origin(laid))

    def outcome(self, state: MountainsState) -> Outcome | None:
        """Over once 6 by 6 squares are covered; the score is the penalty, 0 where every square can be walked to."""
        if len(state.board.placed) < TILES:
            return None
        penalty = Map(state.board.pips).penalty()
        if penalty:
            return Outcome(False, (), (penalty,), f"Joining the areas costs a penalty of {penalty}.")
        return Outcome(True, (0,), (0,), "Every square can be walked to.")

    def describe(self, state: MountainsState, move: Lay) -> str:
        """A move in a sentence."""
        return move.sentence

    def to_move(self, state: MountainsState) -> Seat:
        """The one player's turn, always."""
        return 0

    def dominoes(self, table: Table, before: MountainsState | None = None) -> Collection[Domino]:
        """Those that were dealt; without a deal, the whole set."""
        return before.deal if before else FULL_SET.dominoes

    def check(self, table: Table, before: MountainsState | None = None) -> Verdict:
        """Every fault, the cliffs and the penalty too; sentences count rows and columns from the square's top left."""
        fit = _home(table.board)
        sight = part(table).moved(fit.apply)
        problems = tuple(_faults(sight, before.deal if before else FULL_SET.dominoes))
        doubts = doubts_about(table, fit.apply, _squares(sight))
        notes = doubt_notes(doubts, fit.apply)
        back = [tuple(problem.moved(fit.undo) for problem in problems) for problems in (problems, notes)]
        return Verdict.of(back[0], doubts, back[1])


def _home(board: Board) -> Fit:
    """The shift that brings the top left of the square to (0, 0): of the 6 by 6 squares, the one that holds most."""
    best = corner(board.owner)
    if max(board.size) > SIDE:
        rows, cols = ({cell.row for cell in board.owner}, {cell.col for cell in board.owner})
        corners = [Cell(row, col) for row in sorted(rows) for col in sorted(cols)]
        best = max(corners, key=lambda first: sum(_within(cell, first) for cell in board.owner))
    return Fit(0, -best.row, -best.col)


def _within(cell: Cell, first: Cell = ORIGIN) -> bool:
    return 0 <= cell.row - first.row < SIDE and 0 <= cell.col - first.col < SIDE


def _squares(sight: Sight) -> tuple[Cell, ...]:
    """The rectangle around the face-up tiles in the 6 by 6 square that starts at (0, 0)."""
    face_up = [cell for cells in (sight.sure.owner, *sight.wild) for cell in cells if _within(cell)]
    rows, cols = extent([ORIGIN, *face_up])
    return tuple(Cell(row, col) for row in range(rows) for col in range(cols))


def _room(rows: int, cols: int) -> list[Cell]:
    """Every cell that a 6 by 6 square around a rectangle at (0, 0) could cover."""
    return [Cell(row, col) for row in range(rows - SIDE, SIDE) for col in range(cols - SIDE, SIDE)]


def _at_origin(board: Board) -> Board:
    return board.shifted(-board.top_left.row, -board.top_left.col)


def _objections(placed: Placed, board: Board, deal: Collection[Domino]) -> Iterator[Problem]:
    """Every rule that forbids this domino beside those that lie there."""
    supply = f"the {FULL_SET.name} set" if len(deal) == len(FULL_SET) else "the deal"
    return objections(placed, board, deal, supply)


def _faults(sight: Sight, deal: Collection[Domino]) -> Iterator[Problem]:
    """Whatever is wrong for any reading of the unsure tiles: what laying the sure ones meets, the square, the walks."""
    if not sight.sure.placed and not sight.wild:
        yield Problem("No domino lies face up on the grid.")
        return
    placed = sight.sure.placed
    laying = [fault for at, tile in enumerate(placed) for fault in _objections(tile, Board(placed[:at]), deal)]
    shape = list(_shape_faults(sight))
    walking = list(_walking_faults(sight))
    yield from (*laying, *shape, *walking)
    if not (laying or shape or walking):
        yield from _hopeless(sight, frozenset(deal).difference(tile.domino for tile in placed))


def _shape_faults(sight: Sight) -> Iterator[Problem]:
    """What keeps the dominoes from filling 6 by 6 squares, no more and no less."""
    squares = _squares(sight)
    for cells in (*(placed.cells for placed in sight.sure.placed), *sight.wild):
        if not all(map(_within, cells)):
            yield Problem(f"The tile at {where(cells)} lies outside the 6 by 6 square.", cells)
    if len(squares) < SIDE * SIDE:
        rows, cols = extent(squares)
        yield Problem(f"The map is {rows} by {cols} squares, not {SIDE} by {SIDE}.")
    yield from face_down(sight, squares)
    empty = gaps(sight, squares)
    yield from empty
    if empty or len(squares) < SIDE * SIDE:
        yield from off_the_cells(sight)


def _map(sight: Sight) -> Map:
    """The sure heights; whatever is not known, or may still be laid around a smaller map, is open."""
    heights = {cell: height for cell, height in sight.sure.pips.items() if _within(cell)}
    return Map(heights, frozenset(_room(*extent(_squares(sight)))).difference(heights))


def _walking_faults(sight: Sight) -> Iterator[Problem]:
    """The areas that cannot be reached from the biggest one, the cliffs around them, and the penalty."""
    known = _map(sight)
    for area in known.areas()[1:]:
        yield Problem(f"{count(len(area), 'square')} cannot be reached from the rest: {where(area)}.", area)
    for one, other in known.cliffs():
        text = f"A cliff of {known.drop(one, other)} levels parts {where([one])} from {where([other])}"
        yield Problem(f"{text}: {known.heights[one]} beside {known.heights[other]}.", (one, other))
    if penalty := known.penalty():
        least = "at least " if known.open else ""
        yield Problem(f"Played together, this map costs a penalty of {least}{penalty}.")


def _hopeless(sight: Sight, left: frozenset[Domino]) -> Iterator[Problem]:
    """Where the map is complete, but nothing that the unsure tiles may read makes it one to walk over."""
    tiles = [(head, tail) for head, tail in (*sight.wild, *sight.unsure_backs) if _within(head) and _within(tail)]
    if tiles and not can_be_walked(_map(sight), tiles, left):
        cells = tuple(cell for tile in tiles for cell in tile)
        yield Problem(f"Whatever may be read at {where(cells)}, not every square can be walked to.", cells)


GAME = Mountains()
