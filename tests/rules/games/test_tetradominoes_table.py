"""Tetradominoes on the table: what is read, followed, remembered, and what cannot lie there."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rules.board import Board, Cell, Placed
from rules.engine import check, explain
from rules.game import UnreadableTable
from rules.games.tetradominoes import GAME
from rules.table import Hand, Piece, Table, Tetromino
from rules.tetradominoes.state import FULL_SET, Grid
from tests.rules.tetradominoes.gridding import FIRST, L_CELLS, a_game


def on_table(state: Grid, *, turns: int = 0, hide: bool = True) -> Table:
    """What a camera sees: dominoes that are not under tetrominoes, tetrominoes and tokens."""
    shown = GAME.diagram(state).table

    def place(cell: Cell) -> Cell:
        return cell.shifted(state.origin.row, state.origin.col).turned(turns).shifted(30, 30)

    kept = [placed for placed in shown.board.placed if not hide or state.covered.isdisjoint(placed.cells)]
    shapes = tuple(Tetromino(tuple(map(place, one.cells)), one.light) for one in shown.tetrominoes)
    tokens = tuple(replace(token, cell=token.cell and place(token.cell)) for token in shown.tokens)
    return Table(Board(tuple(tile.moved(place) for tile in kept)), tetrominoes=shapes, tokens=tokens)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("players", [1, 2, 3])
def test_covered_numbers_are_remembered_whichever_way_the_table_lies(turns: int, players: int) -> None:
    states = [state for state in a_game(players, players) if len(state.board.placed) > 1]
    for state in states[1:]:
        if len([tile for tile in on_table(state).board.placed if tile.head != tile.tail]) < 2:
            continue  # nothing lies open from which the turn could be told
        seen = GAME.read(on_table(state, turns=turns), state)
        assert GAME.agrees(state, seen)
        assert seen.covered == state.covered


def test_a_real_table_is_followed_by_what_must_have_happened() -> None:
    states = [state for state in a_game(2, 2) if len(state.board.placed) > 1][:16]
    for old, new in pairwise(states):
        explained = explain(GAME, old, on_table(new, hide=False), most=1)
        assert explained.legal


def test_a_domino_that_does_not_match_is_pointed_out_and_one_that_is_lost_too() -> None:
    state = GAME.start(FIRST)
    wrong = state.board.laid(Placed.on(Cell(0, 2), Cell(1, 2), 4, 6))
    found = explain(GAME, state, Table(wrong), most=1)
    assert found.problems[0].text.startswith("Neither number of the 4-6 matches")
    assert found.problems[0].cells == (Cell(0, 2), Cell(1, 2))
    lost = explain(GAME, state, Table(state.board.without([state.board.owner[Cell(0, 0)]])), most=1)
    assert "The 2-3 is gone from the grid: it stays where it was played." in [p.text for p in lost.problems]
    assert explain(GAME, state, Table(state.board)).legal


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (Table(Board.parse("2|3   2|3")), "The 2-3 is there twice."),
        (Table(Board.parse("7|3")), "The 3-7 is not in the double-six set."),
        (Table(Board.parse("2|3     5|5")), "The dominoes lie in 2 groups"),
        (Table(tetrominoes=(Tetromino(L_CELLS, True),)), "No domino lies face up on the grid."),
        (
            Table(Board.parse("2|3"), tetrominoes=(Tetromino(L_CELLS, True),)),
            "Nobody has seen which numbers lie under the light tetromino",
        ),
        (
            Table(Board.parse("2|3"), tetrominoes=(Tetromino((*L_CELLS[:3], Cell(5, 5)), True),)),
            "has none of the seven shapes",
        ),
        (Table(Board.parse("2|3"), hands=(Hand(0, tuple(FULL_SET)[8:9]),)), "The 2-3 is in a hand and somewhere else."),
    ],
)
def test_tables_that_cannot_be_this_game(table: Table, why: str) -> None:
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(table)
    assert why in str(unreadable.value)
    assert check(GAME, table).state == "unsolved"


def test_tokens_say_whose_a_tetromino_is() -> None:
    board = Board.parse("1|1 1|4")
    seen = Table(board, tetrominoes=(Tetromino(tuple(board.pips), True),), tokens=(Piece((30, 60, 200), Cell(0, 0)),))
    state = GAME.read(seen, replace(GAME.start("players: 3"), board=board))
    assert state.laid[0].seat == 1


def test_a_shown_hand_is_taken_in() -> None:
    state = GAME.start("players: 2\n===\n1|1")
    hand = Hand(0, tuple(FULL_SET)[-3:], 1)
    seen = GAME.read(Table(state.board, hands=(hand,)), state)
    assert (seen.hands[0].known, seen.hands[0].unknown) == (hand.dominoes, 1)


def test_many_moves_of_hands_that_nobody_sees_are_followed_at_once() -> None:
    states = [state for state in a_game(5, 2) if state.board.placed]
    early, late = states[6], states[12]
    assert len(late.board.placed) >= len(early.board.placed) + 3
    backs = tuple(hand.unseen() for hand in early.hands)
    watched = replace(early, hands=backs, pile=early.pile.unseen(), seed=None)
    explained = explain(GAME, watched, on_table(late, hide=False))
    assert explained.legal
    reached = watched
    for move in explained.moves:
        reached = GAME.play(reached, move)
    assert (reached.board, reached.covered) == (late.board, late.covered)


def test_where_a_draw_is_not_told_it_is_asked_for() -> None:
    state = GAME.start("players: 2\nhand 1: 21 31 41 51\n===\n1|1")
    further = state.board.laid(Placed.on(Cell(0, 2), Cell(0, 3), 1, 2)).laid(Placed.on(Cell(0, 4), Cell(0, 5), 2, 2))
    found = explain(GAME, state, Table(further))
    assert found.problems[0].text == "What player 1 draws has to be said, as =42, before more can be followed."
