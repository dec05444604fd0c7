"""Two dice: what is rolled, what they show on the table, and what is wrong with them there."""

import pytest

from rules.table import Die, Table
from rules.two_dice import ROLLS, Roll, dice_shown, roll_named, wrong_dice


def test_every_roll_has_its_probability_and_a_name() -> None:
    assert len(ROLLS) == 21
    assert sum(chance for _, chance in ROLLS) == pytest.approx(1)
    assert all(roll_named(str(roll)) == roll for roll, _ in ROLLS)
    assert roll_named("roll(3-5)") == roll_named("roll(35)") == Roll((5, 3))
    assert roll_named("5-3") is None


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
