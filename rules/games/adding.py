"""Adding Donimoes: bring all dominoes of a queue onto the board, each matching twice as it comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from rules.board import Board, Cell, Placed, Way
from rules.certainty import Sight
from rules.domino import Domino
from rules.entries import parted
from rules.errors import BadText
from rules.game import GameInfo, IllegalMove, Outcome, Problem, UnreadableTable, Verdict
from rules.laying import Lay, lay_named
from rules.making import Grade
from rules.sliding.layout import WIDTH, Contact, Layout, Tile, cell_of, cover, place_of
from rules.sliding.layout_reading import FULL_SET, allowed, fit_to, missing, read_layout
from rules.sliding.making import TRIES
from rules.sliding.puzzle import SlidingPuzzle, named_slides, require_group
from rules.sliding.slide import Slid, Slide, every_slide, slid, slides, split
from rules.table import Chain, Table
from rules.words import count, pair, said, where

SUM, MATCHES = 6, 2
SLIDING = 0.3
FAR_OFF = 4  # squares: farther from the board than a domino reaches that hangs on one which was lifted
UNTOLD = Problem("A board alone does not tell whether its queue is used up: name the problem.")


@dataclass(frozen=True)
class Add:
    """Add a domino. `str` is the printed notation: "23V21" is 2 above 3, its top at column 2, row 1, where 1 is the
    row above and the column left of the dominoes on the board; a comma parts them where they have not one digit each.
    """

    tile: Tile
    cell: Cell

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The cells that it will cover."""
        return Placed(self.cell, self.tile.way, self.tile.head, self.tile.tail).cells

    def __str__(self) -> str:
        return str(Lay(Placed(self.cell.shifted(1, 1), self.tile.way, self.tile.head, self.tile.tail)))


class Adding(SlidingPuzzle[Slide | Add]):
    """The puzzle by Don Kirkby. Matches are counted by adjacent pairs, so that one end can give both of them."""

    info = GameInfo("adding", "Adding Donimoes", (1, 1), "some dominoes of a double-six set, in a queue")

    grades = (
        Grade("easy", range(2, 5), range(4, 6)),
        Grade("medium", range(5, 8), range(5, 7)),
        Grade("hard", range(8, 31), range(6, 9)),
    )

    def proposed(self, chance: Random, grade: Grade) -> Layout | None:
        """The queue of a game that was played at random: whatever could be added came next in it."""
        size = chance.choice(grade.dominoes)
        tiles = [_stood(chance, domino) for domino in chance.sample(FULL_SET.dominoes, len(FULL_SET))]
        queue, left = tiles[:2], tiles[2:]
        state = _begun(queue)
        for _ in range(TRIES):
            if len(queue) == size:
                return _begun(queue)
            tile = chance.choice(left)
            open_to = Layout.of(state.board, [tile])
            moves = [play for play in self.plays(open_to) if isinstance(play[0], Add) or chance.random() < SLIDING]
            if moves:
                move, state = chance.choice(moves)
                if isinstance(move, Add):
                    queue.append(tile)
                    left.remove(tile)
        return None

    def start(self, text: str) -> Layout:
        """The first two dominoes of a queue that stands side by side, as they stand; the others wait.

        A text of two parts, parted by a line of "===", has the board first and its queue below. Raises BadText.
        """
        parts = parted(text)
        if not parts:
            queue = _queue_alone(Board.parse(text))
            if len(queue) < 2:
                raise BadText("a queue has two dominoes at least")
            return _begun(queue)
        board = Board.parse(parts.above)
        require_group(board)
        return Layout.of(board, _below(board, parts.below, parts.lines))

    def read(self, table: Table, before: Layout | None = None) -> Layout:
        """The dominoes on the board; those of the queue wait, and may lie apart from it. At a first look the table has
        to show the whole queue, side by side. Raises UnreadableTable."""
        if before:
            return read_layout(_without_queue(table, before), before)
        seen = read_layout(table, None)
        try:
            queue = _queue(seen.board)
        except BadText as bad:
            raise UnreadableTable((Problem(f"The table shows no queue: {bad.reason}."),)) from None
        begun = _begun(queue)
        return Layout(begun.tiles, begun.places, begun.waiting, begun.covered, begun.origin, seen.fit)

    def candidates(self, state: Layout) -> Iterator[Slide | Add]:
        """Every slide into a free space, and the next domino wherever one of its numbers meets the same one."""
        yield from (made.move for made in slides(state))
        if state.waiting:
            yield from _adds(state, state.waiting[0])

    def plays(self, state: Layout) -> Iterator[tuple[Slide | Add, Layout]]:
        """Every legal move, and the layout after it."""
        yield from ((made.move, made.layout()) for made in slides(state) if _lawful(made))
        for move in _adds(state, state.waiting[0]) if state.waiting else ():
            if _meets_twice(state, move):
                yield move, _with(state, move)

    def play(self, state: Layout, move: Slide | Add) -> Layout:
        """Slides or adds a domino. Raises IllegalMove where it matches too little, or the group falls apart."""
        if isinstance(move, Add):
            return _added(state, move)
        made = slid(state, move)
        if not _lawful(made):
            raise IllegalMove(partial(_refusal, made), made.layout)
        return made.layout()

    def outcome(self, state: Layout) -> Outcome | None:
        """Solved once the queue is empty."""
        return None if state.waiting else Outcome(True, (0,), (), "All dominoes are on the board.")

    def estimate(self, state: Layout) -> int:
        """Each domino of the queue takes a move."""
        return len(state.waiting)

    def cells(self, state: Layout, move: Slide | Add) -> tuple[Cell, ...]:
        """The cells of the domino that slides, or those that the new one covers."""
        if not isinstance(move, Add):
            return super().cells(state, move)
        return state.cells(state.tiles.index(move.tile)) if move.tile in state.tiles else move.cells

    def describe(self, state: Layout, move: Slide | Add) -> str:
        """A move in a sentence; an added domino is told by what it will touch, for its cells may lie off the board."""
        if not isinstance(move, Add):
            return super().describe(state, move)
        lies = "left to right" if move.tile.way is Way.RIGHT else "from the top down"
        touched = [cell_of(at) for _, _, at in state.contacts(move.tile, place_of(move.cell))]
        return f"The {_name(move.tile)} is added, {lies}, beside {where(touched)}."

    def moves(self, state: Layout, text: str) -> tuple[Slide | Add, ...]:
        """The moves that a word names: "24R", "24RR" or "23V21"."""
        lay = lay_named(text)
        if not lay:
            return named_slides(state, text)
        return (Add(Tile.of(lay.placed), lay.placed.cell.shifted(-1, -1)),)

    def attempts(self, state: Layout, seen: Layout) -> Iterator[Slide | Add]:
        """Any slide; and whatever is new on the table, added where it lies."""
        yield from every_slide(state)
        down, right = seen.origin.row - state.origin.row, seen.origin.col - state.origin.col
        for placed in seen.board.placed:
            if placed.domino not in state.dominoes:
                yield Add(Tile.of(placed), placed.cell.shifted(down, right))

    def deal(self, chance: Random, size: int) -> Layout:
        """A queue of so many dominoes at random."""
        if not 2 <= size <= len(FULL_SET):
            raise ValueError(f"a queue takes 2 to {len(FULL_SET)} dominoes, not {size}")
        return _begun([_stood(chance, domino) for domino in chance.sample(FULL_SET.dominoes, size)])

    def goal_faults(self, sight: Sight, before: Layout | None) -> Iterator[Problem]:
        """The dominoes that are not on the board; and the queue, where it is laid out and nobody has begun."""
        if before:
            yield from missing(sight, allowed(before))
        if before and before.waiting and _in_a_row(sight.sure, before):
            yield Problem("The queue stands side by side: no domino of it has been added.", tuple(sight.sure.owner))

    def check(self, table: Table, before: Layout | None = None) -> Verdict:
        """Every fault of the table as the puzzle's end; without a problem nobody knows which dominoes there are."""
        verdict = super().check(table, before)
        if before or verdict.state == "unsolved":
            return verdict
        return replace(verdict, state="undecided", notes=(*verdict.notes, UNTOLD))

    def untold(self, state: Layout) -> Problem | None:
        """Where no domino waits the queue may be used up, or nobody said what waits."""
        return None if state.waiting else UNTOLD


def _lawful(made: Slid) -> bool:
    """Whether a slide matches twice or makes a six, and keeps the group together."""
    head, tail, _ = made.move.tile
    return (made.matches >= MATCHES or made.meets(SUM - head, SUM - tail)) and made.holds()


def _refusal(made: Slid) -> Problem:
    contacts = made.contacts()
    matches = _matches(contacts)
    if matches >= MATCHES or any(own + other == SUM for own, other, _ in contacts):
        return split(made)
    return made.refused(f"it would make no six and have {count(matches, 'match', 'matches')}, not {MATCHES}")


def _added(state: Layout, move: Add) -> Layout:
    """Adds the next domino where it matches two adjacent numbers."""
    place, name = place_of(move.cell), _name(move.tile)
    queue = [tile.domino for tile in state.waiting]
    if move.tile.domino not in queue:
        raise IllegalMove(f"The {name} does not wait in the queue.")
    if cover(move.tile, place) & state.covered:
        cells = tuple(cell for cell in move.cells if cell in state.board.owner)
        raise IllegalMove(Problem(f"The {name} cannot be added: something lies at {where(cells)}.", cells))
    after = partial(_with, state, move)
    if queue[0] != move.tile.domino:
        text = f"The {name} cannot be added yet: the {said(queue[0])} is next in the queue."
        raise IllegalMove(Problem(text, move.cells), after)
    if not _meets_twice(state, move):
        raise IllegalMove(partial(_too_few, state, move), after)
    return after()


def _meets_twice(state: Layout, move: Add) -> bool:
    return _matches(state.contacts(move.tile, place_of(move.cell))) >= MATCHES


def _with(state: Layout, move: Add) -> Layout:
    rest = tuple(tile for tile in state.waiting if tile.domino != move.tile.domino)
    return state.laid(move.tile, place_of(move.cell), rest)


def _too_few(state: Layout, move: Add) -> Problem:
    contacts = state.contacts(move.tile, place_of(move.cell))
    text = f"The {_name(move.tile)} cannot be added there: it would match {_matches(contacts)} of the numbers beside it"
    return Problem(f"{text}, not {MATCHES}.", (*move.cells, *(cell_of(at) for _, _, at in contacts)))


def _matches(contacts: Iterable[Contact]) -> int:
    return sum([own == other for own, other, _ in contacts])


def _adds(state: Layout, tile: Tile) -> Iterator[Add]:
    """Each way round and each place where one half at least meets its own number."""
    pips, offsets = state.pips, (1, -1, WIDTH, -WIDTH)
    free = {place + by for place in pips for by in offsets if place + by not in pips}
    found: dict[Add, None] = {}
    for own, other in {(tile.head, tile.tail), (tile.tail, tile.head)}:
        for place in sorted(free):
            if any(pips.get(place + by) == own for by in offsets):
                for by in offsets:
                    if place + by not in pips:
                        found[_laid(own, other, place, by)] = None
    yield from found


def _laid(own: int, other: int, place: int, by: int) -> Add:
    """The domino with `own` at a place and `other` one step further."""
    if by > 0:
        return Add(Tile(own, other, by), cell_of(place))
    return Add(Tile(other, own, -by), cell_of(place + by))


def _queue(board: Board) -> list[Tile]:
    """The dominoes of a queue, left to right. Raises BadText unless they stand side by side, each in the set, once."""
    first = board.top_left
    for number, placed in enumerate(board.placed):
        if placed.way is not Way.DOWN or placed.cell != first.shifted(0, number):
            at = placed.cell
            raise BadText("the dominoes of a queue stand side by side", 2 * at.row + 1, 2 * at.col + 1)
    require_group(board)
    return [Tile.of(placed) for placed in board.placed]


def _queue_alone(board: Board) -> list[Tile]:
    """A queue without a board. Raises BadText, which says how a board is written if that may be meant."""
    try:
        return _queue(board)
    except BadText as bad:
        told = f"{bad.reason}; a board needs a line of === below it, and the queue below that"
        raise BadText(told, bad.line, bad.column) from None


def _without_queue(table: Table, before: Layout) -> Table:
    """The table without the dominoes that wait beside the board, or still in the row from which the first two are
    taken."""
    waiting = {tile.domino for tile in before.waiting}
    apart = [placed for placed in table.board.placed if placed.domino in waiting]
    if not _in_a_row(table.board, before):
        apart = _far_off(table.board, apart)
    lying = table.board.without(apart)
    waiting -= {placed.domino for placed in lying.placed}
    loose = tuple(tile for tile in table.loose if tile.domino not in waiting)
    chain = Chain() if any(tile.domino in waiting for tile in table.chain.tiles) else table.chain
    return replace(table, board=lying, loose=loose, chain=chain)


def _far_off(board: Board, waiting: Sequence[Placed]) -> list[Placed]:
    """Those of the dominoes that lie off the board; what is nearer may hang together with it by one that is lifted."""
    left, reached = list(waiting), [cell for placed in board.without(waiting).placed for cell in placed.cells]
    for cell in reached:
        near = [placed for placed in left if any(_apart(cell, other) < FAR_OFF for other in placed.cells)]
        reached += [other for placed in near for other in placed.cells]
        left = [placed for placed in left if placed not in near]
    return left


def _apart(one: Cell, other: Cell) -> int:
    return max(abs(one.row - other.row), abs(one.col - other.col))


def _in_a_row(board: Board, before: Layout) -> bool:
    """Whether the whole queue stands side by side, as before its first two dominoes are taken from it."""
    try:
        return _begun(_queue(board.moved(fit_to(before, board).apply))) == before
    except BadText:
        return False


def _begun(queue: Sequence[Tile]) -> Layout:
    """The first two dominoes of a queue on the board, and the others waiting."""
    board = Board(tuple(Placed(Cell(0, i), Way.DOWN, tile.head, tile.tail) for i, tile in enumerate(queue[:2])))
    return Layout.of(board, queue[2:])


def _stood(chance: Random, domino: Domino) -> Tile:
    """A domino that stands in the queue, either way up."""
    head, tail = chance.sample((domino.high, domino.low), 2)
    return Tile(head, tail, WIDTH)


def _below(board: Board, text: str, line: int) -> Sequence[Tile]:
    """The queue below a board, whose text begins after so many lines; none of it lies on the board."""
    try:
        queue = _queue(Board.parse(text)) if text.strip() else []
    except BadText as bad:
        raise BadText(bad.reason, bad.line + line, bad.column) from None
    laid = {placed.domino for placed in board.placed}
    for number, tile in enumerate(queue):
        if tile.domino in laid:
            raise BadText(f"{tile} is on the board already", line + 1, 2 * number + 1)
    return queue


def _name(tile: Tile) -> str:
    return pair(tile.head, tile.tail)


GAME = Adding()
