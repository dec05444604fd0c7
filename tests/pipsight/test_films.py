"""Each game followed on film: every move that a hand makes is named, and what is against the rules is told.

`python -m benchmarks.courses` shows many such films, at the rate of a camera.
"""

from __future__ import annotations

import pytest

from benchmarks.courses import followed, shows_its_moves
from rules.games import slugs
from training.course import random_course

pytestmark = pytest.mark.needs("cv2")

RATE = 15.0  # frames a second: half of what a camera gives, which is harder and quicker
MOVES = 12  # or to the end
SEEDS = {
    "adding": 2, "all_fives": 1, "bee": 1, "capturing": 2, "country_road": 1, "domineering": 1, "dominosa": 1,
    "finder": 4, "freecell": 1, "fujisan": 1, "mountains": 1, "mountains_together": 1, "tetradominoes": 1,
    "unmatched": 1,
}  # fmt: skip


@pytest.mark.parametrize("slug", SEEDS)
def test_a_course_with_a_takeback_a_nudge_a_shadow_and_a_move_against_the_rules_is_followed(slug: str) -> None:
    course = random_course(slug, SEEDS[slug], MOVES)
    told = followed(course, SEEDS[slug], RATE)
    assert told["begun"]
    assert told["made"] > 0
    assert told["right"] == told["made"]
    assert told["wrong"] == 0
    assert told["told"] == told["slips"]


def test_every_game_that_shows_its_moves_is_followed_on_film() -> None:
    assert set(SEEDS) == {slug for slug in slugs() if shows_its_moves(slug)}
