"""What the rules of a game foresee on its table: which dominoes and pieces, where some must lie, where others may be
laid."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, takewhile
from typing import TypeVar

from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.fit import Fit, best_fits
from rules.game import CHANCE, Draws, Expected, Game, Promises, Slips, UnreadableTable
from rules.search import plays
from rules.table import Die, Table
from rules.watch import Watch

S = TypeVar("S")
M = TypeVar("M")

MOST = 0.6  # of a state's dominoes: so many tell where on the table the others have to lie
LAYING_S = 0.3  # of work to think of the ways to lay a domino, or to set a die


def promised(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Domino, ...]:
    """The dominoes that lie on the table if the game is played by its rules, each at most once; () if it cannot say."""
    return tuple(dict.fromkeys(game.dominoes(table, before))) if isinstance(game, Promises) else ()


def expected(game: Game[S, M], before: S | None = None) -> tuple[Expected, ...]:
    """Which pieces of each kind lie on the table; as many as in the state before, where pieces always stay.

    Of dice that are known by their numbers at least those that lay there, but where chance moves: then they are rolled,
    go back, or are taken away.
    """
    pieces = game.info.pieces
    if before is None or not isinstance(game, Draws):
        return pieces
    table = _shown(game, before)
    lying = {"die": table.dice, "pawn": table.pawns, "token": table.tokens, "tetromino": table.tetrominoes}
    counts = {one.kind: len(lying[one.kind]) for one in pieces if one.least}
    told = [replace(one, least=n, most=n) if (n := counts.get(one.kind)) else one for one in pieces]
    colors, values = tuple(pawn.color_name for pawn in table.pawns), tuple(die.value for die in table.dice)
    told = [replace(one, colors=colors) if one.kind == "pawn" and one.by_color else one for one in told]
    stay = game.to_move(before) is not CHANCE
    return tuple(replace(one, least=len(values), values=values) if one.by_value and stay else one for one in told)


def lacking(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Placed, ...]:
    """The dominoes of the state before that a table lacks, each where it must lie on the table's own cells.

    Most of the others have to lie there, which tell where that is, and nothing else in their places.
    """
    wanted = _shown(game, before).board
    fit = _fit(table, wanted)
    return _free(wanted.placed, table, fit) if fit else ()


def laid(game: Game[S, M], before: S | None = None) -> frozenset[Domino]:
    """The dominoes that lie face up on the table of the state before, wherever."""
    table = _shown(game, before)
    return frozenset((*(placed.domino for placed in table.board.placed), *(spot.domino for spot in table.spots)))


def in_place(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Placed, ...]:
    """The dominoes of a table that lie where the state before has them; () where too few do to tell."""
    wanted = _shown(game, before).board
    fit = _fit(table, wanted)
    return tuple(one for one in table.board.placed if one.moved(fit.apply) in wanted.placed) if fit else ()


def backs(game: Game[S, M], table: Table, before: S | None = None) -> tuple[tuple[Cell, ...], ...]:
    """Where dominoes lie face down in the state before: each on the table's own cells, as a table of it tells them."""
    wanted = _shown(game, before).face_down
    if before is None or not wanted or not isinstance(game, Slips):
        return ()
    try:
        seen = game.read(table, before)
    except UnreadableTable:
        return ()
    return tuple(tuple(game.on_table(before, seen, cell) for cell in place.cells) for place in wanted)


def may_lie_down(game: Game[S, M], before: S | None = None) -> bool | None:
    """Whether dominoes may lie face down, on the table of the state before or in a hand; None where nobody can tell."""
    if before is None or not isinstance(game, Draws):
        return None
    return bool(game.info.hands or _shown(game, before).face_down)


def playable(game: Game[S, M], table: Table, before: S | None = None) -> tuple[Placed, ...]:
    """The dominoes that the next move may lay on a table or to another place of it, each on the table's own cells."""
    fit = _fit(table, _shown(game, before).board)
    if before is None or fit is None:
        return ()
    watch = Watch(LAYING_S, clock=time.thread_time)
    lying = {placed.domino for placed in table.board.placed}
    laid = takewhile(lambda _: watch.goes_on(0, 0), _laid(game, before, lying))
    return _free(dict.fromkeys(laid), table, fit)


def dice_foreseen(game: Game[S, M], table: Table, before: S | None = None) -> Iterator[Die]:
    """The dice that stand on cells in the state before, and then after the next move, each on the table's own cell."""
    fit = _fit(table, _shown(game, before).board)
    if before is None or fit is None:
        return
    watch = Watch(LAYING_S, clock=time.thread_time)
    nexts = (after for _, after in takewhile(lambda _: watch.goes_on(0, 0), plays(game, before)))
    for state in chain((before,), nexts):
        yield from (replace(die, cell=fit.undo(die.cell)) for die in _shown(game, state).dice if die.cell)


def may_show(game: Game[S, M], table: Table, state: S) -> bool:
    """Whether what a table shows lies as in a state, of whose dominoes some may have been overlooked."""
    wanted = _shown(game, state).board
    fit = _fit(table, wanted)
    return fit is not None and all(placed.moved(fit.apply) in wanted.placed for placed in table.board.placed)


def _shown(game: Game[S, M], state: S | None) -> Table:
    """The table as a state has it; an empty one where there is no state, or the game draws none."""
    return Table() if state is None or not isinstance(game, Draws) else game.diagram(state).table


def _laid(game: Game[S, M], state: S, lying: Collection[Domino], *, hidden: bool = False) -> Iterator[Placed]:
    """What each legal move lays that does not lie there yet, on the cells of the state; after moves that nobody sees,
    what the next ones lay."""
    board = _shown(game, state).board
    for _, after in plays(game, state):
        now = _shown(game, after).board
        if now == board and not hidden:
            yield from _laid(game, after, lying, hidden=True)
        elif now != board:
            rows, cols = _step(board, now)
            yield from (placed.shifted(-rows, -cols) for placed in now.placed if placed.domino not in lying)


def _step(one: Board, other: Board) -> tuple[int, int]:
    """How far most dominoes lie from where they lay: a state may count its cells anew from its corner."""
    at = {placed.domino: placed.cell for placed in one.placed}
    steps = Counter(
        (placed.cell.row - old.row, placed.cell.col - old.col)
        for placed in other.placed
        if (old := at.get(placed.domino)) is not None
    )
    return steps.most_common(1)[0][0] if steps else (0, 0)


def _fit(table: Table, wanted: Board) -> Fit | None:
    """From the cells of a table to those of the board of a state, most of whose dominoes have to lie there."""
    if not wanted.placed:
        return None
    for fit in best_fits(table.board, table.board, wanted.pips)[:1]:
        lying = table.board.moved(fit.apply)
        if len(set(lying.placed) & set(wanted.placed)) >= MOST * len(wanted.placed):
            return fit
    return None


def _free(placed: Iterable[Placed], table: Table, fit: Fit) -> tuple[Placed, ...]:
    """Those dominoes on the cells of the table, in whose places nothing lies."""
    moved = (one.moved(fit.undo) for one in placed)
    return tuple(one for one in moved if not any(cell in table.board.owner for cell in one.cells))
