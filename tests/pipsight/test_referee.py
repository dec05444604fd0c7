"""The referee on a film of two hunts: who was first and when, and how the game stands afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from pipsight.events import Foul, Moved, PhotoFinish, WasFirst, Wrong
from pipsight.opening import opening
from pipsight.referee import Referee
from pipsight.session import Session
from vision.camera import Frame

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

    course = HuntCourse(3, 2, hunts=2, racing=1)
    return (course, *followed(course))


Hunted = tuple["HuntCourse", Session, list[tuple[float, "Event"]]]


def test_the_dice_on_the_table_say_what_is_hunted(hunt: Hunted) -> None:
    course, _, told = hunt
    rolls = [event.move for _, event in told if isinstance(event, Moved) and event.move.startswith("roll")]
    assert rolls == [f"roll({max(one.dice)}-{min(one.dice)})" for one in course.told]


def test_who_was_first_is_named_and_takes_the_domino(hunt: Hunted) -> None:
    course, session, told = hunt
    assert [event.seat for _, event in told if isinstance(event, WasFirst)] == [one.seats[0] for one in course.told]
    assert all(one.target in session.follower.state.taken[one.seats[0]].known for one in course.told)
    assert not [event for _, event in told if isinstance(event, Foul | Wrong)]


def test_the_moment_is_that_of_the_touch_and_the_verdict_follows_at_once(hunt: Hunted) -> None:
    course, session, told = hunt
    said_s = [at_s for at_s, event in told if isinstance(event, WasFirst)]
    touches = [made.move.split("@")[1] for made in session.follower.made if "@" in made.move]
    for one, at_s, touch in zip(course.told, said_s, touches, strict=True):
        assert float(touch) == pytest.approx(one.contacts_s[0], abs=0.06)
        assert at_s - one.contacts_s[0] < 0.4


def test_a_photo_finish_shows_the_finger_on_the_domino(hunt: Hunted) -> None:
    course, session, told = hunt
    finishes = [event for _, event in told if isinstance(event, PhotoFinish)]
    assert [event.seats for event in finishes] == [one.seats for one in course.told]
    picture = session.finishes.get(finishes[0].picture)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"


def test_the_table_stands_as_the_game_does_once_the_domino_lies_before_the_player(hunt: Hunted) -> None:
    _, session, _ = hunt
    assert session.follower.phase == "playing"
    assert not session.follower.state.hunting
    assert session.follower.wrong == ()


@pytest.mark.parametrize(("busy", "least", "most"), [(False, 20, 30), (True, 8, 12)])
def test_while_hands_race_before_a_camera_the_table_is_read_less_often(
    busy: bool, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, reads = Session(*opening("cobra_paw", None, 2)), list[float]()
    monkeypatch.setattr(Referee, "busy", busy)
    monkeypatch.setattr(session.look, "see", lambda frame, lit: reads.append(frame.time_s))
    rng = np.random.default_rng(0)
    for k in range(30):
        session.see(Frame(rng.integers(60, 200, (90, 160, 3), np.uint8), k / 30), live=True)
    assert least <= len(reads) <= most
