"""Each game followed on film: every move that a hand makes is named, and what is against the rules is told.

`python -m benchmarks.courses` shows many such films, at the rate of a camera.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.courses import SLIPS, followed, shows_its_moves
from benchmarks.held import Take
from rules.games import slugs
from training.course import random_course

pytestmark = pytest.mark.needs("cv2")

RATE = 12.0  # frames a second: fewer than half of what a camera gives, which is harder and quicker
MOVES = 7  # or to the end: room for the takeback, the nudge, the shadow and both moves against the rules
MORE = {"domineering": 12, "finder": 12, "tetradominoes": 12}  # where those need more room
SEEDS = {
    "adding": 2, "all_fives": 1, "bee": 11, "capturing": 5, "country_road": 1, "domineering": 22, "dominosa": 23,
    "finder": 6, "freecell": 0, "fujisan": 0, "mountains": 23, "mountains_together": 5, "tetradominoes": 0,
    "unmatched": 5,
}  # fmt: skip


def told_of(slug: str) -> dict[str, Any]:
    """What is told of the film of one game."""
    return followed(random_course(slug, SEEDS[slug], MORE.get(slug, MOVES)), SEEDS[slug], Take(RATE))


@pytest.mark.parametrize("slug", [pytest.param(slug, marks=pytest.mark.ahead(told_of, slug)) for slug in SEEDS])
def test_a_course_with_a_takeback_a_nudge_a_shadow_and_a_move_against_the_rules_is_followed(
    slug: str, ahead: list[dict[str, Any]]
) -> None:
    (told,) = ahead
    assert told["begun"]
    assert told["made"] > 0
    assert told["right"] == told["made"]
    assert told["wrong"] == 0
    assert told["told"] == told["slips"] == SLIPS


def test_every_game_that_shows_its_moves_is_followed_on_film() -> None:
    assert set(SEEDS) == {slug for slug in slugs() if shows_its_moves(slug)}
