"""Boards: what lies where, what touches what, and how boards are written."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import EMPTY, Board, BoardError, Cell, Placed, Way, areas
from rules.errors import BadText
from rules.grid import Grid
from tests.rules.drawing import board, boards, picture

DRAWN = """
2|4 6
    -
5|5 0

  c|f
"""


def test_a_picture_says_which_numbers_lie_on_which_cells() -> None:
    assert board(DRAWN).pips == {
        Cell(0, 0): 2,
        Cell(0, 1): 4,
        Cell(0, 2): 6,
        Cell(1, 2): 0,
        Cell(1, 0): 5,
        Cell(1, 1): 5,
        Cell(2, 1): 12,
        Cell(2, 2): 15,
    }


def test_the_head_is_the_left_or_upper_half() -> None:
    lying = board(DRAWN)
    assert lying.owner[Cell(0, 1)] == Placed(Cell(0, 0), Way.RIGHT, 2, 4)
    assert lying.owner[Cell(1, 2)] == Placed(Cell(0, 2), Way.DOWN, 6, 0)
    assert list(map(str, lying.placed)) == ["24", "60", "55", "cf"]


def test_a_domino_may_be_laid_from_either_end() -> None:
    there = Placed.on(Cell(0, 0), Cell(1, 0), 3, 1)
    assert Placed.on(Cell(1, 0), Cell(0, 0), 1, 3) == there
    assert there.cells == (Cell(0, 0), Cell(1, 0))


def test_a_domino_cannot_lie_on_cells_that_are_apart() -> None:
    with pytest.raises(BoardError, match="neighbouring"):
        Placed.on(Cell(0, 0), Cell(1, 1), 3, 1)


@given(boards())
def test_what_is_written_reads_back_the_same(lying: Board) -> None:
    assert Board.parse(str(lying)) == lying


@given(boards(), st.integers(-9, 9), st.integers(-9, 9))
def test_a_board_beyond_the_edge_is_written_moved_inside(lying: Board, rows: int, cols: int) -> None:
    shifted = lying.shifted(rows, cols)
    first = shifted.top_left
    assert Board.parse(str(shifted)) == shifted.shifted(max(0, -first.row), max(0, -first.col))


def test_a_picture_is_written_as_it_was_drawn() -> None:
    assert str(board(DRAWN)) == picture(DRAWN)
    assert str(EMPTY) == ""


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("2|4 6", 1, 5, "joined to no other half"),
        ("2|4|6", 1, 3, "joined to two halves"),
        ("2|", 1, 2, "needs a number on both sides"),
        ("2\n-", 2, 1, "needs a number on both sides"),
        ("2|4\n2|4", 2, 1, "no number 2 may stand here"),
        ("2-4", 1, 2, "no joint - may stand here"),
        ("2|4\n\n7|G", 3, 3, "'G' is no number"),
        ("2|4\n\t1", 2, 1, "no number"),
        ("24", 1, 2, "no number 4 may stand here"),
    ],
)
def test_a_text_that_is_no_board_is_refused_with_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as refused:
        Board.parse(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert str(refused.value).startswith(f"line {line}, column {column}: ")


@given(st.text("0123456789abcdefG|- \n", max_size=40))
def test_any_text_is_either_a_board_or_refused(text: str) -> None:
    try:
        lying = Board.parse(text)
    except BadText:
        return
    assert Board.parse(str(lying)) == lying


def test_two_dominoes_cannot_lie_on_the_same_cell() -> None:
    with pytest.raises(BoardError, match="same cell"):
        board("2|4").laid(Placed(Cell(0, 1), Way.DOWN, 1, 1))


def test_contacts_are_between_halves_of_different_dominoes() -> None:
    lying = board("""
        2|4 6
            -
        5|5 0
    """)
    assert lying.touching() == (
        (Cell(0, 0), Cell(1, 0)),
        (Cell(0, 1), Cell(0, 2)),
        (Cell(0, 1), Cell(1, 1)),
        (Cell(1, 1), Cell(1, 2)),
    )


@pytest.mark.parametrize(
    ("drawn", "together"),
    [("2|4 6|6", True), ("2|4   6|6", False), ("2|4\n\n    6|6", False), ("2|4\n\n  6|6", True), ("", True)],
)
def test_a_board_is_one_group_only_edge_to_edge(drawn: str, together: bool) -> None:
    assert Board.parse(drawn).is_connected() == together


def test_a_quarter_turn_goes_clockwise_and_keeps_the_top_left_corner() -> None:
    turned = board("""
        2|4 6
            -
        5|5 0
    """).rotated()
    assert str(turned) == picture("""
        5 2
        - -
        5 4

        0|6
    """)


@given(boards(), st.integers(0, 3))
def test_turning_on_until_the_circle_is_full_changes_nothing(lying: Board, turns: int) -> None:
    turned = lying.rotated(turns)
    assert turned.rotated(4 - turns) == lying
    assert turned.is_connected() == lying.is_connected()
    assert len(turned.touching()) == len(lying.touching())
    assert turned.size == (lying.size if turns % 2 == 0 else lying.size[::-1])


def test_areas_come_biggest_first_and_hold_only_what_hangs_together() -> None:
    cells = [Cell(0, col) for col in range(5)]
    split = areas(cells, lambda one, other: {one.col, other.col} != {1, 2})
    assert split == ((Cell(0, 2), Cell(0, 3), Cell(0, 4)), (Cell(0, 0), Cell(0, 1)))


def test_a_board_and_a_grid_can_be_sent_to_another_process() -> None:
    lying, grid = Board.parse("2|4 6\n    -\n5|5 0"), Grid.parse("0 0 1\n1 1 0")
    assert len(lying.pips) == len(grid.pips) == 6
    assert pickle.loads(pickle.dumps(lying)) == lying
    assert pickle.loads(pickle.dumps(grid)) == grid
