"""In which order moves were made that are told at once: tables seen between them tell it, though none by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, permutations
from typing import TypeVar

from rules import inference
from rules.foreseen import may_show
from rules.game import Game, IllegalMove, UnreadableTable
from rules.table import Table

S = TypeVar("S")
M = TypeVar("M")

MOST = 3  # moves at once whose order is looked for


def in_turn(game: Game[S, M], state: S, moves: Sequence[M], table: Table, between: Sequence[Table]) -> Sequence[M]:
    """Moves from a state to a table, in the order in which they were made, where tables between them tell it.

    What could not be read by itself may be clear by what lies there now. Where it is not, the likeliest order is the
    one that leads by most of those tables, some of whose dominoes may have been overlooked.
    """
    now = _read(game, table, state)
    if len(moves) < 2 or now is None:
        return moves
    here, told, left = state, list[M](), moves
    for earlier in between:
        then = _read(game, earlier, now)
        if then is None or game.agrees(now, then):
            continue
        first, rest = (inference.explain(game, *pair) for pair in ((here, then), (then, now)))
        if first.moves and first.legal and rest.legal and len((*told, *first.moves, *rest.moves)) == len(moves):
            here, told, left = then, [*told, *first.moves], rest.moves
    return [*told, *left] if told else _likeliest(game, state, moves, between)


def _read(game: Game[S, M], table: Table, before: S) -> S | None:
    try:
        return game.read(table, before)
    except UnreadableTable:
        return None


def _likeliest(game: Game[S, M], state: S, moves: Sequence[M], between: Sequence[Table]) -> Sequence[M]:
    """The order in which most of the tables show what some of the moves led to."""
    orders = permutations(moves) if len(moves) <= MOST else [tuple(moves)]
    return max(orders, key=lambda order: _shown(game, state, order, moves, between))


def _shown(game: Game[S, M], state: S, order: Sequence[M], moves: Sequence[M], between: Sequence[Table]) -> int:
    """How many tables may show a state amid moves in this order; -1 if they do not lead where the moves lead."""
    try:
        usual, path = ([*accumulate(way, game.play, initial=state)] for way in (moves, order))
    except IllegalMove:
        return -1
    if usual[-1] != path[-1]:
        return -1
    return sum(any(may_show(game, table, amid) for amid in path[1:-1]) for table in between)
