"""The referee's judges: what was named is compared with what was done, film by film."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.touch_scoring import Watched, clear, grouped, groups_of, matched
from training.grabs import Grab
from vision.hands.touches import Contact

pytestmark = pytest.mark.needs("cv2")

ENTRIES = {"bottom": (640.0, 719.0), "top": (640.0, 0.0), "left": (0.0, 360.0), "right": (1279.0, 360.0)}
TARGET, OTHER = 3, 7


def grab(side: str, place: int | None, contact_s: float | None, also: tuple[int, ...] = ()) -> Grab:
    at_px = None if contact_s is None else (600.0, 300.0)
    return Grab(sorted(ENTRIES).index(side), side, place, contact_s, at_px, also, "point sleeve")


def contact(side: str, place: int, time_s: float) -> Contact:
    hand = sorted(ENTRIES).index(side)
    return Contact(hand, ENTRIES[side], place, time_s, 0.004, (600.0, 300.0), time_s + 0.21)


def film(grabs: list[Grab], contacts: list[Contact], rate: float = 30.0) -> Watched:
    judged_s = max((one.confirmed_s for one in contacts if one.place == TARGET), default=None)
    return Watched(rate, 2, TARGET, (1280, 720), 2.0, tuple(grabs), tuple(contacts), 9.0, judged_s)


RACE = [grab("bottom", TARGET, 1.0), grab("top", TARGET, 1.2)]


@pytest.mark.parametrize(
    ("named", "verdict"),
    [
        ([("bottom", 1.01), ("top", 1.19)], "right"),
        ([("bottom", 1.01)], "right"),
        ([("top", 1.01), ("bottom", 1.2)], "wrong"),
        ([("top", 1.2)], "wrong"),
        ([], "nobody"),
    ],
)
def test_the_verdict_is_that_on_the_target(named: list[tuple[str, float]], verdict: str) -> None:
    contacts = [contact(side, TARGET, at) for side, at in named]
    assert film(RACE, [*contacts, contact("left", OTHER, 0.2)]).verdict == verdict


def test_what_was_settled_only_after_the_verdict_does_not_change_it() -> None:
    told = film(RACE, [contact("top", TARGET, 1.003), contact("bottom", TARGET, 1.0)])
    late = replace(told, contacts=(told.contacts[0], replace(told.contacts[1], confirmed_s=1.6)))
    assert (told.verdict, late.verdict) == ("too close", "wrong")


def test_a_right_verdict_is_timed_from_the_touch() -> None:
    told = film(RACE, [contact("bottom", TARGET, 1.01)])
    assert told.verdict_s == pytest.approx(0.22)
    assert film(RACE, [contact("top", TARGET, 1.2)]).verdict_s is None


def test_two_at_the_same_moment_are_too_close_to_call() -> None:
    close = film(RACE, [contact("bottom", TARGET, 1.0), contact("top", TARGET, 1.0)])
    assert close.verdict == "too close"
    assert "gap four frames or more" in groups_of(close)


@pytest.mark.parametrize(("gap_s", "rate", "told"), [(0.05, 30.0, False), (0.05, 60.0, True), (0.07, 30.0, True)])
def test_a_gap_is_clear_from_two_frames_on(gap_s: float, rate: float, told: bool) -> None:
    one = film([grab("bottom", TARGET, 1.0), grab("top", TARGET, 1.0 + gap_s)], [], rate)
    assert clear(one) is told
    assert one.gap_s == pytest.approx(gap_s)


def test_whoever_is_alone_is_clear() -> None:
    alone = film([grab("bottom", TARGET, 1.0), grab("top", OTHER, 0.9)], [])
    assert clear(alone)
    assert alone.gap_s is None


def test_each_contact_is_of_one_touch_a_feint_or_nothing() -> None:
    grabs = [grab("top", OTHER, 0.9), *RACE[:1], grab("left", None, None)]
    named = [
        contact("top", OTHER, 0.91),
        contact("bottom", TARGET, 1.02),
        contact("left", TARGET, 1.05),
        contact("right", OTHER, 1.0),
        contact("bottom", TARGET, 2.0),
    ]
    told = matched(film(grabs, named))
    assert [c for _, c in told.touches] == named[:2]
    assert (told.feints, told.feints_taken) == (1, 1)
    assert told.false == tuple(named[3:])


def test_a_tile_below_another_finger_of_the_same_hand_is_no_false_name() -> None:
    told = matched(film([grab("bottom", TARGET, 1.0, (OTHER,))], [contact("bottom", OTHER, 1.0)]))
    assert told.false == ()
    assert told.touches[0][1] is None


def test_a_touch_named_by_the_wrong_hand_is_missed() -> None:
    told = matched(film(RACE[:1], [contact("top", TARGET, 1.0)]))
    assert told.touches[0][1] is None
    assert len(told.false) == 1


def test_a_watched_film_comes_back_from_a_log() -> None:
    one = film(RACE, [contact("bottom", TARGET, 1.0)])
    assert Watched.of(json.loads(json.dumps(one.as_json()))) == one


def test_films_are_counted_in_all_their_groups() -> None:
    groups = grouped([film(RACE, [contact("bottom", TARGET, 1.0)]), film(RACE, [])], ())
    assert groups["all films, gap clear"].verdicts == {"right": 1, "wrong": 0, "too close": 0, "nobody": 1}
    assert groups["first hand point"].films == groups["2 players, gap clear"].films == 2
