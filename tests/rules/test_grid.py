"""Grids of numbers: what counts as a Dominosa problem, and where a text goes wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Cell
from rules.errors import BadText
from rules.grid import Grid, takes_full_set
from tests.rules.drawing import board, picture

SMALLEST = Grid(((0, 0, 1), (0, 1, 1)))


@pytest.mark.parametrize(
    "text",
    [
        "0 0 1\n\n0 1 1",
        "0 0 1\n0 1 1\n",
        "001\n011",
        "  0 0 1  \r\n\r\n  0 1 1",
        "0|0 1\n    -\n0|1 1",
    ],
)
def test_a_grid_may_be_written_in_several_ways(text: str) -> None:
    assert Grid.parse(text) == SMALLEST


def test_a_grid_is_written_as_problems_are_printed() -> None:
    assert str(SMALLEST) == "0 0 1\n\n0 1 1"
    assert Grid.parse(str(SMALLEST)) == SMALLEST


def test_a_grid_knows_its_numbers_and_its_set() -> None:
    assert SMALLEST.size == (2, 3)
    assert SMALLEST.set.highest == 1
    assert SMALLEST.pips[Cell(0, 2)] == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "no grid"),
        ("\n \n", 1, 1, "no grid"),
        ("0 0 1\n\n0 x 1", 3, 3, "'x' is no number"),
        ("0 0 1\n\n0 \u0663 1", 3, 3, "is no number"),
        ("0,0,1\n0,1,1", 1, 2, "',' is no number"),
        ("0 0 1\n0 1", 2, 3, "2 numbers and the first has 3"),
        ("0 0 1\n0 1 1 0", 2, 7, "4 numbers and the first has 3"),
        ("0 0 10\n0 1 1", 1, 5, "one character"),
        ("0 0 1\n0 1 2", 2, 5, "2 is too high"),
        ("0 0 1\n0 0 1", 2, 3, "one 0 too many: a full set has each number 3 times, and here it has the 1 2 times"),
        ("0 1\n1 0", 2, 1, "2 by 2 numbers are no full set"),
        ("0", 1, 1, "1 by 1 numbers are no full set"),
    ],
)
def test_a_bad_grid_is_refused_with_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as refused:
        Grid.parse(text)
    assert (refused.value.line, refused.value.column) == (line, column)


@given(st.text("01 |-\n2", max_size=30))
def test_any_text_is_either_a_grid_or_refused(text: str) -> None:
    try:
        grid = Grid.parse(text)
    except BadText:
        return
    assert Grid.parse(str(grid)) == grid


@given(st.integers(1, 20), st.integers(1, 20))
def test_a_full_set_fills_one_row_or_column_more_than_it_has_numbers(rows: int, cols: int) -> None:
    orders = [order for order in range(1, 16) if {rows, cols} == {order + 1, order + 2}]
    assert takes_full_set(rows, cols) == bool(orders)


def test_dominoes_in_a_rectangle_are_a_grid_too() -> None:
    lying = board("""
        0|0 1
            -
        0|1 1
    """)
    assert Grid.of(lying.shifted(2, 3).pips) == SMALLEST
    with pytest.raises(ValueError, match="rectangle"):
        Grid.of(board(picture("0|0 1\n    -\n    1")).pips)


def test_rows_of_different_length_are_no_grid() -> None:
    with pytest.raises(ValueError, match="equally long"):
        Grid(((0, 1), (0,)))
