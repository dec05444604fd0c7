"""Who was first on a target, from contacts that may be none, and whose moments are known up to an uncertainty."""

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipsight.hunt.first import ALONE_S, TAKING_S, First, Who, chances_of, first_of, is_due
from vision.hands.touches import Contact

pytestmark = pytest.mark.needs("cv2")

FRAME_S = 1 / 30
TIMES = st.floats(0.5, 3.0)
SIGMAS = st.floats(0.004, 0.015)
CHANCES = st.floats(0.05, 1.0)
HAND: Who = lambda one: one.hand  # noqa: E731


def contact(hand: int, time_s: float, sigma_s: float = 0.01, chance: float = 1.0, *, taken: bool = False) -> Contact:
    return Contact(hand, (10.0, 0.0), 3, time_s, sigma_s, (50.0, 50.0), time_s + 0.22, chance, taken)


def test_nobody_touched() -> None:
    assert first_of([], HAND) == First(None, None, 0.0)


def test_one_hand_alone_was_first_however_often_it_touched() -> None:
    first = first_of([contact(1, 1.9), contact(1, 1.2)], HAND)
    assert first.contact == contact(1, 1.2)
    assert chances_of([contact(1, 1.9), contact(1, 1.2)], HAND) == {1: pytest.approx(1.0)}
    assert first.margin_s is None
    assert first.close == ()


def test_two_hands_of_one_player_are_not_too_close_to_each_other() -> None:
    both = [contact(1, 1.2), contact(2, 1.203)]
    player: Who = lambda one: "player" if one in both else "another"  # noqa: E731
    first = first_of([*both, contact(3, 1.4)], player)
    assert first.contact == both[0]
    assert first.margin_s == pytest.approx(0.2)
    assert is_due(both[:1], both[1:], 1.5, player)


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


@given(told=st.lists(st.tuples(st.floats(0.5, 1.4), SIGMAS, CHANCES), min_size=1, max_size=4))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_somebody_was_first_or_nobody_touched_at_all(told: list[tuple[float, float, float]]) -> None:
    contacts = [contact(hand, *one) for hand, one in enumerate(told)]
    nobody = prod(1 - one.chance for one in contacts)
    chances = chances_of(contacts, HAND)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert sum(chances.values()) + nobody == pytest.approx(1.0, abs=0.02)


def test_a_rumour_of_an_earlier_hand_takes_so_much_from_the_name() -> None:
    sure = contact(1, 1.2, chance=0.95)
    assert chances_of([sure, contact(2, 1.0, chance=0.2)], HAND)[1] == pytest.approx(0.95 * 0.8, abs=0.001)
    assert first_of([sure, contact(2, 1.0, chance=0.1)], HAND).contact == sure
    assert first_of([sure, contact(2, 1.0, chance=0.2)], HAND).contact is None


def test_a_rumour_after_it_takes_nothing() -> None:
    assert chances_of([contact(1, 1.2), contact(2, 1.4, chance=0.45)], HAND)[1] == pytest.approx(1.0, abs=0.001)


def test_a_rumour_of_long_before_was_none() -> None:
    assert first_of([contact(1, 2.5), contact(2, 1.0, chance=0.45)], HAND).contact == contact(1, 2.5)


def test_what_is_told_twice_counts_as_it_is_likelier() -> None:
    told = [contact(1, 1.2, chance=0.3), contact(1, 1.23, chance=0.51)]
    assert chances_of(told, HAND)[1] == pytest.approx(0.51)


def test_a_sure_touch_makes_an_earlier_rumour_of_the_same_hand_unlikely() -> None:
    hover, touch, other = contact(1, 1.0, chance=0.6), contact(1, 1.4), contact(2, 1.2, chance=0.99)
    assert chances_of([hover, other], HAND)[1] == pytest.approx(0.6, abs=0.01)
    assert chances_of([hover, other, touch], HAND)[1] < 0.15
    assert first_of([hover, other, touch], HAND).contact == other


@pytest.mark.parametrize("chance", [0.02, 0.99])
def test_of_a_touch_that_is_told_anew_the_last_word_counts(chance: float) -> None:
    told = replace(contact(1, 1.2, chance=0.6), number=4)
    anew = replace(told, chance=chance, confirmed_s=told.confirmed_s + 0.2)
    assert chances_of([told, anew], HAND)[1] == pytest.approx(chance)
    assert first_of([told, anew], HAND).contact == (anew if chance > 0.5 else None)


def test_a_touch_that_may_be_none_names_nobody() -> None:
    first = first_of([contact(1, 1.2, chance=0.55)], HAND)
    assert first.contact is None
    assert [one.hand for one in first.close] == [1]


def test_a_finger_that_may_have_been_earlier_is_waited_for() -> None:
    sure = [contact(1, 1.2)]
    assert not is_due(sure, [contact(2, 1.15)], 1.42, HAND)
    assert not is_due(sure, [contact(2, 1.21)], 1.42, HAND)
    assert is_due(sure, [contact(2, 1.4)], 1.42, HAND)
    assert is_due(sure, [], 1.42, HAND)
    assert not is_due([], [contact(2, 1.15)], 1.42, HAND)


def test_one_that_hardly_touched_is_not_waited_for() -> None:
    assert is_due([contact(1, 1.2)], [contact(2, 1.15, chance=0.2)], 1.42, HAND)


def test_a_likely_touch_is_judged_once_nothing_surer_came_for_long() -> None:
    likely = [contact(1, 1.2, chance=0.55)]
    assert not is_due(likely, [], 1.5, HAND)
    assert is_due(likely, [], 1.5 + ALONE_S, HAND)
    assert not is_due([contact(1, 1.2, chance=0.4)], [], 1.5 + ALONE_S, HAND)
    assert not is_due([*likely, contact(2, 1.5)], [], 1.8, HAND)
    assert is_due([*likely, contact(2, 1.5)], [], 1.2 + TAKING_S + 0.01, HAND)


def test_where_nobody_can_be_named_it_is_waited_for_who_takes_the_tile() -> None:
    one, other = contact(1, 1.2, chance=0.55), contact(2, 1.3)
    assert not is_due([one, other], [], 1.6, HAND)
    took = contact(1, 1.2, chance=0.97, taken=True)
    assert is_due([one, other, took], [], 1.6, HAND)
    assert first_of([one, other, took], HAND).contact == took


def test_two_sure_touches_too_close_to_call_are_told_at_once() -> None:
    assert is_due([contact(1, 1.2), contact(2, 1.21)], [], 1.5, HAND)


def test_who_takes_the_tile_makes_rumours_of_others_less_likely() -> None:
    took, rumour = contact(1, 1.2, chance=0.97, taken=True), contact(2, 1.0, chance=0.45)
    assert chances_of([took, rumour], HAND)[1] > chances_of([replace(took, taken=False), rumour], HAND)[1]
    assert first_of([took, rumour], HAND).contact == took


def test_but_who_surely_was_there_before_is_named_though_another_took_it() -> None:
    first = contact(2, 1.0, chance=0.99)
    assert first_of([contact(1, 1.2, chance=0.97, taken=True), first], HAND).contact == first
