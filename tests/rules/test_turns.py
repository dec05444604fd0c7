"""Moves that are told at once are told in the order in which they were made."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations
from random import Random
from typing import Any

import pytest

from rules.board import Cell
from rules.engine import legal_moves, replay
from rules.foreseen import may_show
from rules.game import IllegalMove
from rules.games import game
from rules.puzzles import problem
from rules.table import Table
from rules.turns import in_turn

FREECELL: Any = game("freecell")
START = FREECELL.deal(Random(3), 28)


def after(state: Any, words: str) -> Any:
    return replay(FREECELL, state, words)[0]


def lying(state: Any) -> Table:
    table: Table = FREECELL.diagram(state).table
    return table


def free_moves() -> tuple[str, str]:
    """Two moves that may be made in either order."""
    moves = [str(move) for move in legal_moves(FREECELL, START)]
    for one, other in combinations(moves, 2):
        with suppress(IllegalMove):
            if after(START, f"{one}, {other}") == after(START, f"{other}, {one}"):
                return one, other
    raise AssertionError


@pytest.mark.parametrize("turn", [1, -1])
def test_a_domino_that_was_overlooked_after_the_first_move_tells_which_one_it_was(turn: int) -> None:
    words = free_moves()[::turn]
    first = after(START, words[0])
    end, moves = replay(FREECELL, START, ", ".join(free_moves()))
    (moved, *_) = set(lying(first).board.placed) - set(lying(START).board.placed)
    overlooked = lying(first).without(moved.domino).moved(lambda cell: cell.turned(2).shifted(3, 9))
    told = in_turn(FREECELL, START, moves, lying(end), [overlooked])
    assert tuple(map(str, told)) == words


def test_where_no_table_between_them_tells_it_the_order_stays() -> None:
    end, moves = replay(FREECELL, START, ", ".join(free_moves()))
    assert in_turn(FREECELL, START, moves, lying(end), []) == moves
    assert in_turn(FREECELL, START, moves, lying(end), [lying(START), Table()]) == moves


def test_a_table_shows_a_state_though_a_domino_was_overlooked() -> None:
    first = after(START, free_moves()[0])
    some = lying(first).without(lying(first).board.placed[0].domino)
    assert may_show(FREECELL, some, first)
    assert not may_show(FREECELL, some, after(START, free_moves()[1]))


def test_a_move_that_has_to_come_first_stays_the_first() -> None:
    unmatched: Any = game("unmatched")
    start = problem("unmatched", "5")
    moves = _two_in_a_row(unmatched, start)
    end = unmatched.play(unmatched.play(start, moves[0]), moves[1])
    elsewhere = unmatched.diagram(end).table.moved(lambda cell: Cell(cell.row, cell.col + 1))
    assert in_turn(unmatched, start, moves, unmatched.diagram(end).table, [elsewhere]) == moves


def _two_in_a_row(rules: Any, start: Any) -> tuple[Any, Any]:
    """A move of a domino, and one more of the same."""
    for one in rules.candidates(start):
        with suppress(IllegalMove):
            middle = rules.play(start, one)
            if str(one) in map(str, legal_moves(rules, middle)):
                return one, next(move for move in rules.candidates(middle) if str(move) == str(one))
    raise AssertionError
