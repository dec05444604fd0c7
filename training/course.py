"""A course of play as tables: what a game's states look like on one real table, whose pieces stay until they are moved.

A state may count its cells from whatever lies first; the table does not move for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, combinations
from random import Random
from typing import Any

from rules.board import Board, Cell, Placed
from rules.course import decision, drawn
from rules.domino import DominoSet
from rules.engine import explain
from rules.game import CHANCE, Deals, Draws, IllegalMove
from rules.games import game
from rules.players import SetsUp
from rules.puzzles import problem, published
from rules.table import Table
from training.lens import looking_down
from training.samples import set_of
from training.stage import SQUARE, Stage, shown_whole

DEALT = 28
SQUARES = 8
MARGIN = 3.0  # cells around all that lies there
LARGEST_HALF_PX = 75.0


@dataclass(frozen=True)
class Course:
    """A game's states from its start, and the moves between them in the printed notation."""

    slug: str
    states: tuple[Any, ...]
    words: tuple[str, ...]

    @property
    def tables(self) -> list[Table]:
        """What lies on the table in each state, each thing where it lay before unless it was moved."""
        rules = game(self.slug)
        assert isinstance(rules, Draws)
        tables = steadied(rules.diagram(state).table for state in self.states)
        rolls = accumulate((word.startswith("roll(") for word in self.words), initial=0)
        return [_thrown(table, number) for table, number in zip(tables, rolls, strict=True)]


def _thrown(table: Table, rolls: int) -> Table:
    """The table with its dice beside the board, after each roll elsewhere."""
    cells = [*table.board.owner, *(cell for place in table.face_down for cell in place.cells)]
    if not rolls or not cells or any(die.cell for die in table.dice):
        return table
    right, top = max(cell.col for cell in cells), min(cell.row for cell in cells)
    x, y = right + (2.4, 3.9)[rolls % 2], top + 3.4 + 0.7 * (rolls % 3)  # clear of the pawns that stand beside it
    dice = (replace(die, x=x, y=y + 1.5 * number) for number, die in enumerate(table.dice))
    return replace(table, dice=tuple(dice))


def random_course(slug: str, seed: int, moves: int) -> Course:
    """So many legal moves by chance, or fewer where the game ends; none of them undoes the last."""
    rules, chance = game(slug), Random(seed)
    states, words = [_start(slug, chance)], list[str]()
    while len(words) < moves and not rules.outcome(states[-1]):
        at = decision(rules, states[-1])
        steps = [move for move in at.moves if len(states) < 2 or rules.play(states[-1], move) != states[-2]]
        if not steps:
            break
        if at.who is CHANCE:
            move = drawn(rules, states[-1], at.moves, chance)
        else:
            order = chance.sample(steps, len(steps))
            move = next((move for move in order if _shows(rules, states[-1], move)), order[0])
        words.append(str(move))
        states.append(rules.play(states[-1], move))
    return Course(slug, tuple(states), tuple(words))


def _shows(rules: Any, state: Any, move: Any) -> bool:
    """Whether a camera can tell a move: it changes the table, and leaves no domino that touches no other, for nobody
    sees on which cell that lies."""
    before, after = (rules.diagram(one).table for one in (state, rules.play(state, move)))
    return before != after and _alone(after.board) <= _alone(before.board)


def _alone(board: Board) -> int:
    """How many dominoes touch no other."""
    taken = {cell: placed for placed in board.placed for cell in placed.cells}
    return sum(
        all(taken.get(beside, placed) is placed for cell in placed.cells for beside in cell.neighbours())
        for placed in board.placed
    )


def slip(course: Course, number: int, chance: Random) -> Table | None:
    """What the table would show if somebody then played against the rules, after so many moves; None if nobody can.

    Where no forbidden move can be made two dominoes are exchanged, or one is laid that lies there already, or turned
    over. What legal moves lead to just as well is no slip, nor what the last one leads to if it is made otherwise.
    """
    rules, state = game(course.slug), course.states[number]
    tables = course.tables
    now = tables[number]
    before = next((k for k in range(number - 1, -1, -1) if tables[k] != now), number)
    tried = (
        _forbidden(rules, state, chance),
        _exchanged(now, chance),
        _doubled(now, tables[number + 1 :], chance),
    )
    for table in chain(*tried):
        shown = _shifted_to(now, table)
        if shown != now and not any(explain(rules, course.states[k], shown).legal for k in (number, before)):
            return shown
    return None


def _forbidden(rules: Any, state: Any, chance: Random) -> Iterator[Table]:
    """What moves that the rules forbid lead to, in no order."""
    moves = list(rules.candidates(state))
    chance.shuffle(moves)
    for move in moves:
        try:
            rules.play(state, move)
        except IllegalMove as illegal:
            if illegal.after is not None:
                yield rules.diagram(illegal.after).table


def _exchanged(table: Table, chance: Random) -> Iterator[Table]:
    """Two dominoes that lie the same way, each in the other's place."""
    bare = [placed for placed in table.board.placed if _hidden(table).isdisjoint(placed.cells)]
    pairs = [pair for pair in combinations(bare, 2) if pair[0].way is pair[1].way]
    chance.shuffle(pairs)
    for one, other in pairs:
        swapped = replace(one, cell=other.cell), replace(other, cell=one.cell)
        yield replace(table, board=Board((*table.board.without((one, other)).placed, *swapped)))
    apart = list(combinations(table.loose, 2))
    chance.shuffle(apart)
    for a, b in apart:
        shown = {a: replace(a, head=b.head, tail=b.tail), b: replace(b, head=a.head, tail=a.tail)}
        yield replace(table, loose=tuple(shown.get(tile, tile) for tile in table.loose))


def _doubled(table: Table, later: Sequence[Table], chance: Random) -> Iterator[Table]:
    """The next domino that is laid, were it one that lies there already."""
    for after in later[:1]:
        fresh = [placed for placed in after.board.placed if placed not in table.board.placed]
        new = [placed for placed in fresh if _hidden(after).isdisjoint(placed.cells)]
        for copied in chance.sample(table.board.placed, len(table.board.placed)) if len(new) == 1 else ():
            shown = replace(new[0], head=copied.head, tail=copied.tail)
            yield replace(after, board=Board((*after.board.without(new).placed, shown)))


def _opened(table: Table, chance: Random) -> Iterator[Table]:
    """A face-down domino turned over by somebody whose turn it is not."""
    shut = [place for place in table.face_down if len(place.cells) == 2]
    lying = {placed.domino for placed in table.board.placed}
    free = sorted(domino for domino in DominoSet(6).dominoes if domino not in lying)
    for place in chance.sample(shut, len(shut)) if free else ():
        domino = chance.choice(free)
        open_ = Placed.on(place.cells[0], place.cells[1], domino.low, domino.high)
        face_down = tuple(other for other in table.face_down if other != place)
        yield replace(table, board=Board((*table.board.placed, open_)), face_down=face_down)


def _hidden(table: Table) -> set[Cell | None]:
    """The cells on which pieces stand."""
    return {*(die.cell for die in table.dice), *(piece.cell for piece in (*table.pawns, *table.tokens))}


def _start(slug: str, chance: Random) -> Any:
    rules = game(slug)
    if problems := published(slug):
        return problem(slug, chance.choice(problems).name)
    if isinstance(rules, SetsUp):
        return rules.set_up(rules.info.players[0], chance)
    assert isinstance(rules, Deals)
    return rules.deal(chance, DEALT)


def stage_of(
    tables: Sequence[Table],
    seed: int,
    size: tuple[int, int] = (1280, 720),
    bare: tuple[float, float, float] | None = None,
    squares: int = 0,
    *,
    aslant: bool = False,
) -> Stage:
    """A camera that sees all of some tables; the set, the tilt and the ground by the seed.

    bare, squares: as of a Stage; where dominoes lie on squares, there is a board. aslant: whether it stands beside the
    table, as a telephone on a stand, and not above it.
    """
    middle, wide, high = shown_whole(list(tables))
    squares = squares or (SQUARES if any(table.spots for table in tables) else 0)
    if squares:
        middle, wide, high = (SQUARES / 2, SQUARES / 2), SQUARE * SQUARES, SQUARE * SQUARES
    half_px = min(size[0] / (wide * 1.05 + MARGIN), size[1] / (high * 1.05 + MARGIN), LARGEST_HALF_PX)
    chance = Random(seed)
    room, tilts, turns = (0.8, (35, 50), (-30, 30)) if aslant else (1.0, (0, 18), (-4, 4))
    lens = looking_down(*size, room * half_px, chance.uniform(*tilts), chance.uniform(*turns))
    return Stage(lens, set_of(seed), middle, seed, bare, squares)


def steadied(tables: Iterable[Table]) -> list[Table]:
    """The tables, each shifted by whole cells so that as much as possible lies where it lay before."""
    steady: list[Table] = []
    for table in tables:
        steady.append(_shifted_to(steady[-1], table) if steady else table)
    return steady


def _shifted_to(before: Table, table: Table) -> Table:
    known = {(p.domino, p.way): p.cell for p in before.board.placed}
    shifts = Counter({(0, 0): len({*before.face_down} & {*table.face_down})})
    shifts.update(
        (old.row - p.cell.row, old.col - p.cell.col)
        for p in table.board.placed
        if (old := known.get((p.domino, p.way))) is not None
    )
    (rows, cols), _ = max(shifts.items(), key=lambda item: (item[1], item[0] == (0, 0)))
    return table.moved(lambda cell: cell.shifted(rows, cols)) if (rows, cols) != (0, 0) else table
