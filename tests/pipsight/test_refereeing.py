"""What the referee makes of touches: pictures play no part here, only who touched what and when, and the rules."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pipsight.events import Foul, HuntedAgain, Moved, PhotoFinish, Refused, TakenBack, TooClose, WasFirst
from pipsight.session import Session
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from tests.pipsight.hunting import BLANK, OTHER, SIZE, TARGET, Hunting, lying, touch
from vision.camera import Frame

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.needs("cv2")


def test_who_was_first_is_named_with_the_margin() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.05), touch("bottom", TARGET, 10.0))
    (first,) = hunt.of(WasFirst)
    assert (first.seat, first.margin_ms, first.sigma_ms) == (0, 50, 7)
    assert first.text == "Player 1 was first, by 50 ms, give or take 7."


def test_fingers_that_come_together_are_too_close_to_call() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    assert hunt.firsts == []
    assert hunt.of(TooClose)[0].text == "Too close to call on the 3-5: Player 1 and Player 2."


def test_where_the_players_hunt_again_whoever_comes_next_is_first() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    hunt.told += hunt.referee._finished(10.8)
    assert hunt.referee.again() == [HuntedAgain("The hunt goes on.")]
    hunt.touched(touch("right", TARGET, 10.9), at_s=11.1)
    assert hunt.firsts == [2]
    assert hunt.referee.again() == [Refused("Nothing is hunted now.")]


@pytest.mark.parametrize(
    ("apart_s", "text"),
    [
        (0.0, "Player 1 and Player 2 came at the same moment, give or take 7 ms."),
        (0.001, "Player 1 was 1 ms before Player 2, give or take 7."),
    ],
)
def test_the_photo_finish_says_how_little_lies_between_two(apart_s: float, text: str) -> None:
    hunt = Hunting().touched(touch("bottom", TARGET, 10.0), touch("left", TARGET, 10.0 + apart_s))
    hunt.told += hunt.referee._finished(10.8)
    assert [finish.text for finish in hunt.of(PhotoFinish)] == [text]


def test_who_comes_after_those_between_whom_nobody_can_decide_is_not_first() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    hunt.told += hunt.referee._finished(10.8)
    hunt.touched(touch("right", TARGET, 10.7), at_s=10.9)
    assert hunt.firsts == []
    assert len(hunt.of(TooClose)) == len(hunt.of(PhotoFinish)) == 1
    hunt.touched(touch("right", TARGET, 13.0), at_s=13.2)  # they let it lie
    assert hunt.firsts == [2]


def test_who_turns_out_to_have_only_come_near_a_tile_does_not_keep_the_next_one_from_being_first() -> None:
    near = replace(touch("left", TARGET, 10.0, chance=0.6), number=3)
    hunt = Hunting().touched(near, at_s=10.85)
    assert [close.seats for close in hunt.of(TooClose)] == [(1,)]
    hunt.touched(replace(near, chance=0.1, confirmed_s=10.86), at_s=10.86)
    hunt.told += hunt.referee._finished(10.87)
    hunt.touched(touch("right", TARGET, 11.2), at_s=11.4)
    assert hunt.firsts == [2]


def test_two_hands_of_one_player_are_no_rivals() -> None:
    both = touch("bottom", TARGET, 10.0, hand=1), touch("bottom", TARGET, 10.003, hand=2)
    assert Hunting().touched(*both).firsts == [0]
    assert Hunting().touched(*both, touch("left", TARGET, 10.1)).firsts == [0]


@pytest.mark.parametrize("later_s", [0.003, 0.05, 0.3])
def test_who_claimed_wrongly_does_not_keep_the_others_from_finding_the_target(later_s: float) -> None:
    hunt = Hunting("1:00@9.0").touched(touch("bottom", TARGET, 10.0), at_s=10.1)
    hunt.touched(touch("left", TARGET, 10.0 + later_s), at_s=10.4)
    assert [foul.seat for foul in hunt.of(Foul)] == [0]
    assert hunt.firsts == [1]
    assert hunt.follower.state.owed == (1, 2)


def test_a_hand_that_covers_the_numbers_is_a_foul_and_the_next_finger_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    hunt = Hunting()
    monkeypatch.setattr(hunt.referee, "_hides", lambda contact: contact.time_s == 10.0)
    hunt.touched(touch("bottom", TARGET, 10.0), touch("left", TARGET, 10.05))
    assert [foul.text for foul in hunt.of(Foul)] == [
        "The hand of player 1 covers the numbers of the 3-5: all have to see them."
    ]
    assert hunt.firsts == [1]


def test_a_hand_covers_the_numbers_only_if_it_did_so_as_it_landed_before_others_lay_there_too() -> None:
    hunt, finger = Hunting(), touch("bottom", TARGET, 10.0, hand=1)
    tip: Any = ((420, 460), (430, 460), (430, 899), (420, 899))
    heap: Any = ((390, 390), (460, 390), (460, 899), (390, 899))
    for time_s, outline in ((9.97, ()), (10.0, tip), (10.03, tip), (10.06, tip), (10.13, heap), (10.3, heap)):
        hand: Any = SimpleNamespace(number=1, outline_px=outline)
        hunt.referee._film.see(Frame(np.zeros((2, 2, 3), np.uint8), time_s), (hand,))
    assert not hunt.referee._hides(finger)
    assert hunt.referee._hides(replace(finger, time_s=10.1))
    assert hunt.referee._hides(replace(finger, time_s=10.14))  # a slow camera: what it shows next


def test_a_hand_from_where_nobody_sits_is_nobodys() -> None:
    hunt = Hunting().touched(touch("top", TARGET, 10.0), touch("left", TARGET, 10.003))
    assert [foul.text for foul in hunt.of(Foul)] == ["A hand touched the 3-5 from a side where nobody sits."]
    assert hunt.firsts == [1]


def test_a_hand_from_where_nobody_sits_that_stays_is_told_of_once() -> None:
    hunt = Hunting().touched(touch("top", TARGET, 10.0), at_s=10.65).touched(touch("top", TARGET, 11.0), at_s=11.65)
    assert len(hunt.of(Foul)) == 1


def test_a_finger_over_the_target_from_where_nobody_sits_is_told_of_once_as_more_may_play() -> None:
    hunt = Hunting()
    hand = SimpleNamespace(entry_px=(600.0, 0.0), tips_px=((425.0, 450.0),))
    hunt.referee._calm.watch.hands = (hand,)  # type: ignore[union-attr]
    (foul,) = hunt.referee._strangers()
    assert isinstance(foul, Foul)
    assert foul.text == (
        "A hand came from the top, where nobody sits: there are 3 players, at the bottom, left and right. "
        "If somebody does, begin the game anew and say where the players sit."
    )
    assert hunt.referee._strangers() == []


def test_a_wrong_tile_is_a_foul() -> None:
    hunt = Hunting().touched(touch("right", OTHER, 10.0))
    assert [foul.seat for foul in hunt.of(Foul)] == [2]
    assert hunt.firsts == []


def test_a_hand_that_stays_on_a_wrong_tile_is_told_of_once() -> None:
    hunt = Hunting().touched(touch("right", OTHER, 10.0)).touched(touch("right", OTHER, 11.1, hand=7), at_s=11.4)
    assert [foul.seat for foul in hunt.of(Foul)] == [2]
    hunt.touched(touch("left", OTHER, 11.5), at_s=11.8).touched(touch("right", OTHER, 14.0), at_s=14.3)
    assert [foul.seat for foul in hunt.of(Foul)] == [2, 1, 2]


def test_a_foul_that_is_told_anew_a_little_earlier_is_one_foul() -> None:
    wrong = replace(touch("right", OTHER, 10.0), number=1)
    hunt = Hunting().touched(wrong).touched(touch("left", OTHER, 10.2), at_s=10.5)
    hunt.touched(replace(wrong, time_s=9.98, confirmed_s=10.55), at_s=10.6)
    assert [foul.seat for foul in hunt.of(Foul)] == [2, 1]


def test_the_other_fingers_of_a_hand_that_finds_the_target_are_no_foul() -> None:
    hunt = Hunting().touched(touch("left", OTHER, 9.98), touch("left", TARGET, 10.0))
    assert hunt.of(Foul) == []
    assert hunt.firsts == [1]


@pytest.mark.parametrize(("later_s", "fouls"), [(0.3, []), (0.9, []), (1.5, [1])])
def test_who_comes_second_onto_the_double_blank_lost_the_race_and_only_much_later_it_is_a_foul(
    later_s: float, fouls: list[int]
) -> None:
    hunt = Hunting().touched(touch("bottom", BLANK, 10.0))
    hunt.told += hunt.referee._finished(10.8)
    hunt.touched(touch("left", BLANK, 10.0 + later_s), at_s=10.3 + later_s)
    assert hunt.firsts == [0]
    assert [foul.seat for foul in hunt.of(Foul)] == fouls


def test_a_claim_that_may_have_come_after_the_find_is_none() -> None:
    hunt = Hunting().touched(touch("bottom", BLANK, 10.0), touch("left", TARGET, 10.003))
    assert hunt.firsts == [1]
    assert hunt.follower.state.owed == ()


@pytest.mark.parametrize("found_s", [9.95, 9.995, 10.003])
def test_a_claim_is_taken_back_once_it_is_told_that_the_target_may_have_been_found_before(found_s: float) -> None:
    hunt = Hunting().touched(touch("left", BLANK, 10.0))
    hunt.touched(touch("right", TARGET, found_s), at_s=10.5)
    hunt.told += hunt.referee._finished(11.5)
    assert [event.text for event in hunt.of(TakenBack)] == ["Taken back: Player 2 claims that the target is gone."]
    assert hunt.firsts == [1, 2]
    assert hunt.of(Foul) == []
    assert [(finish.seats, finish.domino) for finish in hunt.of(PhotoFinish)] == [((2,), "53")]
    assert (hunt.follower.state.counts, hunt.follower.state.owed) == ((0, 0, 1), ())


@pytest.mark.parametrize("found_s", [10.05, 12.0])
def test_a_claim_stands_where_the_target_was_found_later(found_s: float) -> None:
    hunt = Hunting().touched(touch("left", BLANK, 10.0)).touched(touch("right", TARGET, found_s), at_s=found_s + 0.5)
    assert (hunt.firsts, hunt.of(TakenBack)) == ([1, 2], [])
    assert hunt.follower.state.owed == (0, 2)


@pytest.mark.parametrize(("later_s", "claims"), [(0.3, False), (1.4, False), (2.0, True)])
def test_who_claims_while_nobody_can_decide_who_found_the_target_claims_nothing(later_s: float, claims: bool) -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    hunt.touched(touch("right", BLANK, 10.0 + later_s), at_s=10.2 + later_s)
    assert len(hunt.of(TooClose)) == 1
    assert hunt.firsts == ([2] if claims else [])
    assert hunt.follower.state.claimed == (2 if claims else None)


def test_a_claim_that_people_tell_of_is_taken_back_for_no_finger() -> None:
    hunt = Hunting("2:00@10.0").touched(touch("right", TARGET, 9.95), at_s=10.5)
    assert hunt.of(TakenBack) == []
    assert hunt.follower.state.claimed == 1


def test_a_claim_that_surely_came_before_the_find_was_wrong() -> None:
    hunt = Hunting().touched(touch("bottom", BLANK, 10.0), touch("left", TARGET, 10.2), at_s=10.4)
    assert hunt.follower.state.owed == (1, 2)


def test_where_another_hand_may_have_been_there_unseen_nobody_is_named() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 9.95, chance=0.45), touch("bottom", TARGET, 10.0, chance=0.9))
    assert hunt.told == []
    hunt.touched(at_s=10.9)
    assert hunt.firsts == []
    assert hunt.of(TooClose)[0].text == "Too close to call on the 3-5: Player 1 or somebody whose finger was not seen."


def test_unless_somebody_takes_the_tile() -> None:
    rumour, sure = touch("left", TARGET, 9.95, chance=0.45), touch("bottom", TARGET, 10.0, chance=0.9)
    assert Hunting().touched(rumour, sure).touched(replace(rumour, chance=0.97, taken=True), at_s=10.5).firsts == [1]
    assert Hunting().touched(rumour, sure).touched(replace(sure, chance=0.97, taken=True), at_s=10.5).firsts == [0]


@pytest.mark.parametrize("place", [BLANK, TARGET])
def test_who_takes_a_tile_long_after_he_was_judged_is_not_judged_again(place: int) -> None:
    claim = replace(touch("bottom", place, 10.0), number=1)
    hunt = Hunting().touched(claim)
    hunt.told += hunt.referee._finished(10.9)
    told = len(hunt.told)
    assert told > 0
    assert len(hunt.touched(replace(claim, taken=True), at_s=11.0).told) == told


def test_what_may_have_been_no_touch_is_told_so_once_nothing_surer_comes() -> None:
    hunt = Hunting().touched(touch("bottom", TARGET, 10.0, chance=0.55))
    assert hunt.told == []
    hunt.touched(at_s=11.2)
    assert hunt.of(TooClose)[0].text == (
        "Too close to call on the 3-5: Player 1 may have touched it, or only come near it."
    )


def test_a_finger_that_may_have_been_earlier_on_the_target_is_waited_for_and_rumours_elsewhere_are_not() -> None:
    hunt, sure = Hunting(), touch("bottom", TARGET, 10.0, chance=0.9)
    for place, named in ((TARGET, []), (OTHER, [0])):
        eyes: Any = hunt.referee._calm.watch if hunt.referee._calm else None
        eyes.pending = (touch("left", place, 9.95, chance=0.45),)
        hunt.touched(*([sure] if place == TARGET else []))
        assert hunt.firsts == named


def test_what_may_have_been_a_touch_of_another_tile_keeps_nobody_waiting() -> None:
    rumour = touch("bottom", OTHER, 9.95, chance=0.45)
    assert Hunting().touched(rumour, touch("left", TARGET, 10.0, chance=0.95)).firsts == [1]


@pytest.mark.parametrize(("before", "firsts", "owed"), [(OTHER, [1], ()), (BLANK, [2, 1], (0, 1))])
def test_a_find_of_which_nobody_was_sure_when_another_tile_was_judged_counts_once_it_is(
    before: int, firsts: list[int], owed: tuple[int, ...]
) -> None:
    find = replace(touch("left", TARGET, 10.05, chance=0.4), number=7)
    hunt = Hunting().touched(touch("right", before, 10.0), find)
    hunt.touched(replace(find, chance=0.99, confirmed_s=10.45), at_s=10.5)
    assert (hunt.firsts, hunt.follower.state.owed) == (firsts, owed)


def test_a_touch_that_was_judged_is_not_judged_again_after_another_verdict() -> None:
    first, second = (replace(touch(side, TARGET, 10.0), number=k) for k, side in enumerate(("left", "bottom")))
    hunt = Hunting().touched(first, second)  # too close to call
    hunt.told += hunt.referee._finished(11.0)
    hunt.touched(touch("right", BLANK, 12.0), at_s=12.2)
    hunt.touched(replace(first, confirmed_s=12.3), at_s=12.3)
    assert hunt.firsts == [2]
    assert hunt.of(Foul) == hunt.of(TakenBack) == []


def test_a_rumour_alone_is_told_to_nobody() -> None:
    hunt = Hunting().touched(touch("bottom", TARGET, 10.0, chance=0.3))
    assert hunt.touched(at_s=12.5).told == []


def test_a_hunt_that_a_text_tells_of_goes_on_by_the_clock_of_this_camera() -> None:
    session = Session(GAME, GAME.start("players: 3\ndice: 53\nhunting: yes\nclaimed: 1\nsince: 500.0"))
    session.follower.restart(session.follower.start)
    assert isinstance(session.follower.make("2:53@10.000", seen=True)[0], Moved)
    assert session.follower.state.owed == (1, 2)


def test_a_close_call_that_people_settle_stays_settled_while_the_domino_still_lies_there() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    told = hunt.referee.decided("2:53")
    assert [event.seat for event in told if isinstance(event, WasFirst)] == [1]
    look: Any = SimpleNamespace(tables=(lying(),), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=()))
    (seen,) = hunt.referee.middle.tables(look)
    assert Domino.of(5, 3) not in {placed.domino for placed in seen.board.placed}


@pytest.mark.parametrize(("words", "first"), [("2:00", [1]), ("2:53", [1]), ("2:00 none", []), ("2:66", [])])
def test_whoever_people_say_was_first_is_told_to_be_so_on_the_double_blank_too(words: str, first: list[int]) -> None:
    hunt, *before, word = Hunting(), *words.split()
    for one in before:
        hunt.referee.decided(one)
    assert [event.seat for event in hunt.referee.decided(word) if isinstance(event, WasFirst)] == first


def test_a_photo_finish_is_made_of_those_that_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.hunt.film.photo_finish", lambda film, marks, reach: [mark.at_px for mark in marks])
    hunt = Hunting().touched(touch("top", TARGET, 10.0), touch("left", TARGET, 10.02), touch("right", TARGET, 10.08))
    hunt.told += hunt.referee._finished(11.0)
    (finish,) = hunt.of(PhotoFinish)
    assert (finish.seats, finish.margin_ms) == ((1, 2), 60)


def test_both_hands_of_one_player_are_one_in_the_photo_finish() -> None:
    both = touch("bottom", TARGET, 10.0, hand=1), touch("bottom", TARGET, 10.3, hand=2)
    hunt = Hunting().touched(*both, touch("left", TARGET, 10.5), at_s=10.8)
    hunt.told += hunt.referee._finished(11.5)
    (finish,) = hunt.of(PhotoFinish)
    assert finish.text == "Player 1 was 500 ms before Player 2, give or take 7."
    assert finish.seats == (0, 1)
    alone = Hunting().touched(*both, at_s=10.8)
    assert [finish.seats for finish in alone.referee._finished(11.5) if isinstance(finish, PhotoFinish)] == [(0,)]


@pytest.mark.parametrize("side", ["bottom", "top"])
def test_who_may_not_touch_the_tile_may_not_have_been_first_on_it_either(side: str) -> None:
    """Player 1 claims that the target is gone, which player 2 finds; nobody sits at the top."""
    hunt = Hunting("1:00@9.0").touched(touch("left", TARGET, 10.0))
    hunt.touched(touch(side, TARGET, 9.95), at_s=10.5)
    hunt.told += hunt.referee._finished(11.0)
    assert [finish.text for finish in hunt.of(PhotoFinish)] == ["Player 2 alone touched it."]


def test_a_pause_brings_the_photo_finish_at_once_and_hands_are_met_afresh_after_it() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    assert hunt.of(PhotoFinish) == []
    assert [type(event) for event in hunt.referee.pause()] == [PhotoFinish]
    assert hunt.referee.pause() == []
    assert hunt.referee.hands == ()


def test_a_name_that_stands_is_not_contradicted_by_the_photo_finish() -> None:
    named, other = replace(touch("left", TARGET, 10.0), number=1), touch("bottom", TARGET, 10.1, chance=0.9)
    hunt = Hunting().touched(named)
    hunt.follower.make("roll(6-6)")
    hunt.touched(replace(named, chance=0.05, confirmed_s=10.5), other, at_s=10.5)
    hunt.told += hunt.referee._finished(11.0)
    assert [finish.text for finish in hunt.of(PhotoFinish)] == ["Player 1 may have been first: look at the picture."]


def test_what_a_hand_did_before_the_hunt_keeps_nobody_from_looking_at_the_table_anew() -> None:
    hunt = Hunting()
    hunt.follower.take_back()
    hunt.touched(touch("bottom", OTHER, 19.0), at_s=19.1)
    assert hunt.referee._contacts
    hunt.follower.make("roll(5-3)")
    hunt.touched(at_s=20.0)
    assert not hunt.referee._contacts
    hunt.touched(touch("right", OTHER, 19.0), at_s=20.2)  # also where that is told only now
    assert not hunt.referee._contacts
    assert hunt.of(Foul) == []


def test_hands_on_a_tile_are_watched_as_in_the_hunt_until_its_photo_finish() -> None:
    hunt = Hunting()
    sought = [hunt.referee._sought]
    hunt.touched(touch("left", TARGET, 10.0))
    assert hunt.firsts == [1]
    sought.append(hunt.referee._sought)
    hunt.told += hunt.referee._finished(10.8)
    assert [*sought, hunt.referee._sought] == [(TARGET, BLANK), (TARGET,), ()]


def test_a_finger_that_only_may_have_been_earlier_overturns_nothing_and_the_photo_finish_says_so() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0)).touched(touch("bottom", TARGET, 9.8, chance=0.9), at_s=10.5)
    hunt.told += hunt.referee._finished(11.0)
    assert hunt.firsts == [1]
    (finish,) = hunt.of(PhotoFinish)
    assert finish.text == "Player 1 may have been 200 ms before Player 2, give or take 7: look at the picture."


@pytest.mark.parametrize("sure", [True, False])
def test_a_finger_that_was_earlier_and_is_seen_late_overturns_the_verdict_unless_it_is_in_doubt(sure: bool) -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    assert hunt.firsts == [1]
    hunt.touched(touch("bottom", TARGET, 9.8, chance=0.97 if sure else 0.6), at_s=10.5)
    hunt.told += hunt.referee._finished(11.0)
    assert hunt.firsts == ([1, 0] if sure else [1])
    assert hunt.follower.state.counts == ((1, 0, 0) if sure else (0, 1, 0))
    assert [event.moves for event in hunt.of(TakenBack)] == ([("2:53@10.000",)] if sure else [])


def test_nothing_is_overturned_once_the_game_went_on() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    hunt.follower.make("roll(6-6)")
    hunt.touched(touch("bottom", TARGET, 9.8), at_s=10.5)
    hunt.told += hunt.referee._finished(11.0)
    assert hunt.firsts == [1]


def test_the_photo_finish_names_somebody_after_all_where_it_shows_who_was_first() -> None:
    hunt, rumour = Hunting(), replace(touch("bottom", TARGET, 9.9, chance=0.55), number=1)
    hunt.touched(rumour, touch("left", TARGET, 10.0, chance=0.9), at_s=11.0)
    assert (hunt.firsts, len(hunt.of(TooClose))) == ([], 1)
    hunt.touched(replace(rumour, chance=0.99, taken=True), at_s=11.2)
    hunt.told += hunt.referee._finished(11.3)
    assert hunt.firsts == [0]
