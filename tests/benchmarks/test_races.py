"""How races of Bee on film are counted, and one round that is followed."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.held import Take
from benchmarks.races import followed
from training.rough_races import RoughRaces

pytestmark = pytest.mark.needs("cv2")


def round_of(seed: int) -> tuple[tuple[str, ...], dict[str, Any]]:
    """What is done in one round, and what is told of its film."""
    race = RoughRaces(3, seed, rounds=1)
    told = followed(race, Take(race.rate))
    return tuple(race.made), told


@pytest.mark.ahead(round_of, 2001)
def test_a_rough_round_is_followed_from_the_dice_to_the_point(ahead: list[Any]) -> None:
    ((made, told),) = ahead
    assert any(word.startswith("roll") for word in made)
    assert any(":" in word for word in made)
    assert (told["rounds"], told["scored"], told["refused"], told["alarms"]) == (1, 1, 0, 0)
    assert (told["right"], told["wrong"]) == (told["made"], 0)
    assert told["told"] == told["touched"]
