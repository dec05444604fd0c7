"""The referee on a film of a hunt: who was first, by how much, and how the game stands afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipsight.events import Foul, Moved, PhotoFinish, WasFirst
from pipsight.opening import opening
from pipsight.session import Session

if TYPE_CHECKING:
    from pipsight.events import Event
    from training.hunt_course import HuntCourse

pytestmark = pytest.mark.needs("cv2")


def followed(course: HuntCourse) -> tuple[Session, list[tuple[float, Event]]]:
    """A session that saw the whole film, and what it told, with the frames' times."""
    session = Session(*opening("cobra_paw", None, course.players))
    return session, [(frame.time_s, event) for frame in course.frames() for event in session.see(frame)]


@pytest.fixture(scope="module")
def hunt() -> tuple[HuntCourse, Session, list[tuple[float, Event]]]:
    from training.hunt_course import HuntCourse

    course = HuntCourse(3, 1, hunts=1)
    return (course, *followed(course))


Hunted = tuple["HuntCourse", Session, list[tuple[float, "Event"]]]


def test_the_dice_on_the_table_say_what_is_hunted(hunt: Hunted) -> None:
    course, _, told = hunt
    (high, low) = course.told[0].dice
    rolls = [event.move for _, event in told if isinstance(event, Moved)]
    assert rolls[0] == f"roll({high}-{low})"


def test_who_was_first_is_named_and_takes_the_domino(hunt: Hunted) -> None:
    course, session, told = hunt
    truth = course.told[0]
    assert [event.seat for _, event in told if isinstance(event, WasFirst)] == [truth.seats[0]]
    assert session.follower.state.taken[truth.seats[0]].known == (truth.target,)
    assert not [event for _, event in told if isinstance(event, Foul)]


def test_the_moment_is_that_of_the_touch_and_the_verdict_follows_at_once(hunt: Hunted) -> None:
    course, session, told = hunt
    contact_s = course.told[0].contacts_s[0]
    (said_s,) = [at_s for at_s, event in told if isinstance(event, WasFirst)]
    assert session.follower.made[1].move.split("@")[0] == f"{course.told[0].seats[0] + 1}:{course.told[0].target}"
    assert float(session.follower.made[1].move.split("@")[1]) == pytest.approx(contact_s, abs=0.05)
    assert said_s - contact_s < 0.35


def test_a_photo_finish_shows_the_hands_in_their_order(hunt: Hunted) -> None:
    course, session, told = hunt
    truth = course.told[0]
    (finish,) = [event for _, event in told if isinstance(event, PhotoFinish)]
    assert finish.seats == truth.seats
    assert finish.margin_ms == pytest.approx(1000 * (truth.contacts_s[1] - truth.contacts_s[0]), abs=60)
    picture = session.finishes.get(finish.picture)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"


def test_the_table_stands_as_the_game_does_once_the_domino_lies_before_the_player(hunt: Hunted) -> None:
    _, session, _ = hunt
    assert session.follower.phase == "playing"
    assert not session.follower.state.hunting
    assert session.follower.wrong == ()
