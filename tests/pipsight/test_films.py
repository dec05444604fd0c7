"""Games with pieces followed on film from their set-up on: every move that a hand makes is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipsight.events import Began, Moved
from pipsight.session import Session
from rules.games import game
from training.course import Course, random_course, stage_of
from training.film import Shot, film, unhurried

pytestmark = pytest.mark.needs("cv2")

RATE = 15.0  # frames a second: half of what a camera gives, which is harder and quicker
SEEDS = {"fujisan": (0, 3), "domineering": (0, 4), "finder": (1, 8), "tetradominoes": (1, 4)}


def happened(course: Course, seed: int) -> Iterator[str]:
    """What is named while the course is played on a rendered table."""
    session = Session(game(course.slug), course.states[0])
    shots = [*unhurried(Shot(table) for table in course.tables), Shot(course.tables[-1], hand=False)]
    for frame in film(stage_of(course.tables, seed), shots, seed, rate=RATE):
        for event in session.see(frame, live=True):
            if isinstance(event, Began):
                yield "begins"
            elif isinstance(event, Moved):
                yield event.move


@pytest.mark.parametrize("slug", SEEDS)
def test_every_move_is_named_in_its_order(slug: str) -> None:
    seed, moves = SEEDS[slug]
    course = random_course(slug, seed, moves)
    assert list(happened(course, seed)) == ["begins", *course.words]
