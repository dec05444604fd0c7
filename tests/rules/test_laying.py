"""Laid dominoes in the printed notation: written, and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Cell, Placed, Way
from rules.laying import Lay, lay_named

PLACED = st.builds(
    Placed,
    st.builds(Cell, st.integers(-3, 12), st.integers(-3, 12)),
    st.sampled_from(Way),
    st.integers(0, 15),
    st.integers(0, 15),
)


@given(PLACED)
def test_what_is_written_names_the_same_laying(placed: Placed) -> None:
    assert lay_named(str(Lay(placed))) == Lay(placed)


def test_two_above_three_with_its_top_at_column_two_row_one() -> None:
    assert lay_named("23V21") == lay_named("23v2,1") == Lay(Placed(Cell(0, 1), Way.DOWN, 2, 3))
    assert str(lay_named("c4H10,1")) == "c4H10,1"


@pytest.mark.parametrize("text", ["", "23", "23V2", "23X21", "g3V21", "23V210"])
def test_what_is_no_laying_names_none(text: str) -> None:
    assert lay_named(text) is None
