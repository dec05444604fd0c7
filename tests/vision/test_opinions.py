"""Two kinds of eyes over one table: what is sure is told at once, what is doubted waits for the others' word."""

from __future__ import annotations

import pytest

from vision.opinions import HEARD_S, Opinions
from vision.touches import Contact

pytestmark = pytest.mark.needs("cv2")

SIZE = (1280, 720)
BELOW, ABOVE = (640.0, 719.0), (640.0, 0.0)


def touch(
    time_s: float, entry: tuple[float, float] = BELOW, place: int = 3, *, hand: int = 1, **doubts: bool
) -> Contact:
    return Contact(hand, entry, place, time_s, 0.01, (640, 360), time_s, **doubts)


def test_what_the_quick_eyes_are_sure_of_is_told_at_once_and_only_once() -> None:
    opinions = Opinions(SIZE)
    (told,) = opinions.hear([touch(1.0)], [], 1.2)
    assert (told.time_s, told.confirmed_s, told.contested) == (1.0, 1.2, False)
    assert opinions.hear([], [touch(1.02, hand=7)], 1.35) == ()
    assert opinions.is_told(touch(1.02))


def test_a_doubt_that_the_slow_eyes_share_not_is_none() -> None:
    opinions = Opinions(SIZE)
    assert opinions.hear([touch(1.0, contested=True)], [], 1.2) == ()
    assert [one.time_s for one in opinions.doubted] == [1.0]
    (told,) = opinions.hear([], [touch(1.03)], 1.33)
    assert (told.time_s, told.contested) == (1.0, False)
    assert opinions.doubted == ()


@pytest.mark.parametrize("word", [touch(1.03, contested=True), touch(1.15)])
def test_a_doubt_stays_where_the_slow_eyes_doubt_too_or_saw_another_moment(word: Contact) -> None:
    opinions = Opinions(SIZE)
    opinions.hear([touch(1.0, contested=True)], [], 1.2)
    assert [one.contested for one in opinions.hear([], [word], 1.4)] == [True]


def test_a_doubt_of_which_the_slow_eyes_know_nothing_is_told_as_one() -> None:
    opinions = Opinions(SIZE)
    opinions.hear([touch(1.0, contested=True)], [], 1.2)
    assert opinions.hear([], [], 1.0 + HEARD_S - 0.01) == ()
    assert [one.contested for one in opinions.hear([], [], 1.0 + HEARD_S + 0.01)] == [True]


def test_a_faint_touch_counts_if_the_slow_eyes_saw_it_and_only_then() -> None:
    opinions = Opinions(SIZE)
    opinions.hear([touch(1.0, faint=True), touch(1.0, place=4, faint=True)], [], 1.2)
    (told,) = opinions.hear([], [touch(1.04)], 1.34)
    assert (told.place, told.time_s, told.contested, told.faint) == (3, 1.0, False, False)
    assert opinions.hear([], [], 1.0 + HEARD_S + 0.01) == opinions.doubted == ()


def test_the_slow_eyes_alone_are_believed() -> None:
    opinions = Opinions(SIZE)
    assert len(opinions.hear([], [touch(1.0)], 1.3)) == 1


def test_hands_from_two_sides_and_on_two_places_are_apart() -> None:
    opinions = Opinions(SIZE)
    opinions.hear([touch(1.0)], [], 1.2)
    assert len(opinions.hear([touch(1.05, ABOVE, hand=2)], [touch(1.0, place=4)], 1.3)) == 2


def test_the_same_hand_may_touch_again_later() -> None:
    opinions = Opinions(SIZE)
    opinions.hear([touch(1.0)], [], 1.2)
    assert len(opinions.hear([touch(2.5)], [], 2.7)) == 1
