"""Dominoes and their sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.domino import Domino, DominoSet

PIPS = st.integers(0, 15)


def test_a_domino_is_the_same_whichever_way_round_it_lies() -> None:
    assert Domino.of(2, 4) == Domino.of(4, 2) == Domino(4, 2)


def test_a_domino_is_written_with_one_character_a_half_the_higher_first() -> None:
    assert str(Domino.of(2, 4)) == "42"
    assert str(Domino.of(12, 15)) == "fc"


@given(PIPS, PIPS)
def test_only_a_double_has_two_equal_halves(one: int, other: int) -> None:
    assert Domino.of(one, other).is_double == (one == other)


@pytest.mark.parametrize(("one", "other"), [(2, 4), (16, 0), (0, -1)])
def test_a_domino_out_of_order_or_out_of_range_is_refused(one: int, other: int) -> None:
    with pytest.raises(ValueError, match=r"first|pips"):
        Domino(one, other)


@pytest.mark.parametrize(
    ("highest", "name", "size"), [(6, "double-six", 28), (9, "double-nine", 55), (12, "double-twelve", 91)]
)
def test_the_sets_in_the_shops(highest: int, name: str, size: int) -> None:
    full = DominoSet(highest)
    assert (full.name, len(full), len(set(full.dominoes))) == (name, size, size)


@given(st.integers(0, 15), PIPS, PIPS)
def test_a_set_holds_every_domino_up_to_its_highest_number(highest: int, one: int, other: int) -> None:
    full, domino = DominoSet(highest), Domino.of(one, other)
    assert (domino in full) == (domino in full.dominoes) == (max(one, other) <= highest)


def test_a_set_holds_nothing_but_dominoes() -> None:
    assert "42" not in DominoSet(6)
