"""Two dice on the table: what they show, and what is wrong with them."""

import pytest

from rules.table import Die, Table
from rules.two_dice import dice_shown, wrong_dice


def test_the_higher_number_is_said_first() -> None:
    assert dice_shown(Table(dice=(Die(3), Die(5)))) == (5, 3)
    assert dice_shown(Table()) is None


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((), []),
        ((6, 1), []),
        ((3,), ["There is 1 die; two are expected."]),
        ((3, 4, 7), ["There are 3 dice; two are expected.", "A die shows 7; 1 to 6 are possible."]),
    ],
)
def test_there_are_two_or_none_with_numbers_from_1_to_6(numbers: tuple[int, ...], told: list[str]) -> None:
    assert [problem.text for problem in wrong_dice(Table(dice=tuple(map(Die, numbers))))] == told
