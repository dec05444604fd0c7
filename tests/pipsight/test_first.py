"""Who was first on a target, from contacts whose moments are known up to an uncertainty."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipsight.first import First, Who, first_of, waits
from vision.touches import Contact

pytestmark = pytest.mark.needs("cv2")

FRAME_S = 1 / 30
TIMES = st.floats(0.5, 3.0)
SIGMAS = st.floats(0.004, 0.015)
HAND: Who = lambda one: one.hand  # noqa: E731


def contact(hand: int, time_s: float, sigma_s: float = 0.01) -> Contact:
    return Contact(hand, (10.0, 0.0), 3, time_s, sigma_s, (50.0, 50.0), time_s + 0.22)


def test_nobody_touched() -> None:
    assert first_of([], HAND) == First(None, None, 0.0)


def test_one_hand_alone_was_first_however_often_it_touched() -> None:
    first = first_of([contact(1, 1.9), contact(1, 1.2)], HAND)
    assert first.contact == contact(1, 1.2)
    assert first.margin_s is None
    assert first.close == ()


def test_two_hands_of_one_player_are_not_too_close_to_each_other() -> None:
    both = [contact(1, 1.2), contact(2, 1.203)]
    first = first_of([*both, contact(3, 1.4)], lambda one: "player" if one in both else "another")
    assert first.contact == both[0]
    assert first.margin_s == pytest.approx(0.2)
    assert not waits(both[:1], both[1:], lambda one: "player")


def test_a_close_finish_names_nobody_and_shows_both() -> None:
    first = first_of([contact(2, 1.21), contact(1, 1.2)], HAND)
    assert first.contact is None
    assert [one.hand for one in first.close] == [1, 2]


@given(early=TIMES, gap=st.floats(2 * FRAME_S, 0.3), one=SIGMAS, other=SIGMAS)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_two_frames_apart_the_first_is_named(early: float, gap: float, one: float, other: float) -> None:
    first = first_of([contact(7, early + gap, other), contact(4, early, one)], HAND)
    assert first.contact is not None
    assert first.contact.hand == 4
    assert first.margin_s is not None
    assert abs(first.margin_s - gap) < 1e-9


@given(times=st.lists(TIMES, min_size=2, max_size=4, unique=True))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_order_in_which_contacts_are_told_does_not_matter(times: list[float]) -> None:
    told = [contact(hand, time_s) for hand, time_s in enumerate(times)]
    assert first_of(told, HAND) == first_of(told[::-1], HAND)
    named = first_of(told, HAND).contact
    assert named is None or named.time_s == min(times)


def test_a_finger_that_may_have_been_earlier_is_waited_for() -> None:
    sure = [contact(1, 1.2)]
    assert waits(sure, [contact(2, 1.15)], HAND)
    assert waits(sure, [contact(2, 1.21)], HAND)
    assert not waits(sure, [contact(2, 1.4)], HAND)
    assert not waits(sure, [], HAND)
    assert not waits([], [contact(2, 1.15)], HAND)
