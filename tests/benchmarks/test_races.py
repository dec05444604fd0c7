"""How races of Bee on film are counted, and one round that is followed."""

from __future__ import annotations

import pytest

from benchmarks.races import followed
from training.rough_races import RoughRaces

pytestmark = pytest.mark.needs("cv2")


def test_a_rough_round_is_followed_from_the_dice_to_the_point() -> None:
    race = RoughRaces(3, 2001, rounds=1)
    told = followed(race)
    assert any(word.startswith("roll") for word in race.made)
    assert any(":" in word for word in race.made)
    assert (told["rounds"], told["scored"], told["refused"], told["alarms"]) == (1, 1, 0, 0)
    assert (told["right"], told["wrong"]) == (told["made"], 0)
    assert told["told"] == told["touched"]
