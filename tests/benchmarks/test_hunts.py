"""How games of Cobra Paw on film are counted, and one hunt that is followed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.held import Take
from benchmarks.hunts import RATE, Heard, counted, followed
from pipsight.events import Event, Foul, Moved, TakenBack, WasFirst, Wrong
from rules.domino import Domino
from training.hunt_course import Told
from training.rough_hunts import RoughHunts

pytestmark = pytest.mark.needs("cv2")

ROLLED = Moved(1, "roll(5-3)", "", "chance")
TOLD = Told((3, 5), Domino.of(5, 3), (1, 0), (10.0, 10.2), claims=(2,), fouls=(0,))


def heard(*events: Event) -> Heard:
    """What was said, each a tenth of a second after the other from the first finger on."""
    told = Heard()
    for number, event in enumerate(events):
        told.tell(event, 10.0 + 0.1 * number)
    return told


@pytest.mark.parametrize(
    ("events", "right", "wrong", "overturned"),
    [
        ([WasFirst("", 2), WasFirst("", 1)], 2, 0, 0),
        ([WasFirst("", 1)], 1, 0, 0),
        ([WasFirst("", 2), WasFirst("", 0)], 1, 1, 0),
        ([WasFirst("", 2), WasFirst("", 0), TakenBack(("1:53",), 2, ""), WasFirst("", 1)], 2, 0, 1),
        ([], 0, 0, 0),
    ],
)
def test_the_last_name_that_was_said_counts(events: list[Event], right: int, wrong: int, overturned: int) -> None:
    told = counted(TOLD, heard(ROLLED, *events), knows=True)
    assert (told["touches"], told["right"], told["wrong"], told["overturned"]) == (2, right, wrong, overturned)
    assert told["rolled"] == 1


@pytest.mark.parametrize(("seats", "wrong"), [([], 0), ([1], 0), ([0], 1)])
def test_nobody_has_to_be_named_where_two_came_within_two_frames(seats: list[int], wrong: int) -> None:
    close = replace(TOLD, contacts_s=(10.0, 10.05), claims=())
    told = counted(close, heard(ROLLED, *(WasFirst("", seat) for seat in seats)), knows=True)
    assert (told["touches"], told["right"], told["close"], told["wrong"]) == (0, 0, 1, wrong)
    assert counted(close, heard(ROLLED), knows=True, rate=60.0)["touches"] == 1


def test_fouls_that_nobody_made_and_alarms_are_counted() -> None:
    told = counted(TOLD, heard(ROLLED, ROLLED, Foul("", 0), Foul("", 1), Wrong(())), knows=False)
    names = ("rolled", "fouls", "fouls told", "false fouls", "alarms", "known")
    assert [told[name] for name in names] == [0, 1, 1, 1, 1, 0]


def hunt_of(shakes_px: float) -> dict[str, Any]:
    """What is told of the film of one hunt, from a camera that trembles so far."""
    (told,) = followed(RoughHunts(2, 1000, hunts=1), Take(RATE, shakes_px))
    return told


@pytest.mark.ahead(hunt_of, 0.0)
def test_a_rough_hunt_is_followed_to_the_domino_before_the_player(ahead: list[dict[str, Any]]) -> None:
    (told,) = ahead
    assert (told["rolled"], told["known"], told["alarms"]) == (1, 1, 0)
    assert told["wrong"] == 0


@pytest.mark.ahead(hunt_of, 0.8)
def test_who_was_first_is_named_though_the_camera_trembles_and_is_jolted(ahead: list[dict[str, Any]]) -> None:
    (told,) = ahead
    assert (told["rolled"], told["known"], told["alarms"]) == (1, 1, 0)
    assert (told["right"], told["wrong"]) == (told["touches"], 0)
