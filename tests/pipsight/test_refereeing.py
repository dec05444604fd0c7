"""What the referee makes of touches: pictures play no part here, only who touched what and when, and the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from pipsight.calm import Calm
from pipsight.events import Began, Foul, Moved, PhotoFinish, Refused, TakenBack, TooClose, WasFirst
from pipsight.follower import PATIENCE_S, Follower
from pipsight.referee import Referee
from rules.board import Board
from rules.cobra_paw.state import FULL_SET
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import Die, Hand, LooseTile, Table
from vision.camera import Frame
from vision.scene import Scene, TileDetection
from vision.touches import Contact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipsight.events import Event
    from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

SIZE = (1200, 900)
TARGET, BLANK, OTHER = range(3)
LYING = (Domino.of(5, 3), Domino.of(0, 0), Domino.of(6, 6))
ENTRIES = {"bottom": (600.0, 899.0), "left": (0.0, 450.0), "right": (1199.0, 450.0), "top": (600.0, 0.0)}


class Hunting:
    """A hunt of three for the 3-5, who sit below, left and right; nobody sits above."""

    def __init__(self, *words: str) -> None:
        start = GAME.set_up(3, Random(1))
        self.follower = Follower(GAME, start, [start])
        for word in ("roll(5-3)", *words):
            assert not isinstance(self.follower.make(word)[0], Refused)
        self.referee = Referee(self.follower)
        quads = [np.array([[400, 400], [450, 400], [450, 500], [400, 500]], float) + [200 * k, 0] for k in range(3)]
        eyes: Any = SimpleNamespace(hands=(), pending=())
        scene: Any = SimpleNamespace(size_px=SIZE, tiles=(), dice=())
        self.referee._calm = Calm(eyes, scene, LYING, tuple(quads), 0.0)
        self.told: list[Event] = self.referee._judged(9.9, [])

    def touched(self, *contacts: Contact, at_s: float = 10.3) -> Hunting:
        """Let the eyes tell of these touches at a moment."""
        self.told += self.referee._judged(at_s, list(contacts))
        return self

    @property
    def firsts(self) -> list[int]:
        """Who was named to be first."""
        return [event.seat for event in self.told if isinstance(event, WasFirst)]

    def of(self, kind: type) -> list[Any]:
        """What was told of one kind."""
        return [event for event in self.told if isinstance(event, kind)]


def touch(side: str, place: int, time_s: float, *, hand: int = 0, chance: float = 1.0) -> Contact:
    number = hand or sorted(ENTRIES).index(side) + 1
    return Contact(number, ENTRIES[side], place, time_s, 0.005, (420.0, 450.0), time_s + 0.1, chance)


def test_who_was_first_is_named_with_the_margin() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.05), touch("bottom", TARGET, 10.0))
    (first,) = hunt.of(WasFirst)
    assert (first.seat, first.margin_ms, first.sigma_ms) == (0, 50, 7)
    assert first.text == "Player 1 was first, by 50 ms, give or take 7."


def test_fingers_that_come_together_are_too_close_to_call() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    assert hunt.firsts == []
    assert hunt.of(TooClose)[0].text == "Too close to call on the 3-5: Player 1 and Player 2."


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
        hunt.referee._film.append((Frame(np.zeros((2, 2, 3), np.uint8), time_s), (hand,)))
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


def test_a_wrong_tile_is_a_foul() -> None:
    hunt = Hunting().touched(touch("right", OTHER, 10.0))
    assert [foul.seat for foul in hunt.of(Foul)] == [2]
    assert hunt.firsts == []


def test_a_hand_that_stays_on_a_wrong_tile_is_told_of_once() -> None:
    hunt = Hunting().touched(touch("right", OTHER, 10.0)).touched(touch("right", OTHER, 11.1, hand=7), at_s=11.4)
    assert [foul.seat for foul in hunt.of(Foul)] == [2]
    hunt.touched(touch("left", OTHER, 11.5), at_s=11.8).touched(touch("right", OTHER, 14.0), at_s=14.3)
    assert [foul.seat for foul in hunt.of(Foul)] == [2, 1, 2]


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


def test_a_rumour_alone_is_told_to_nobody() -> None:
    hunt = Hunting().touched(touch("bottom", TARGET, 10.0, chance=0.3))
    assert hunt.touched(at_s=12.5).told == []


def test_a_close_call_that_people_settle_stays_settled_while_the_domino_still_lies_there() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.004), touch("bottom", TARGET, 10.0))
    told = hunt.referee.decided("2:53")
    assert [event.seat for event in told if isinstance(event, WasFirst)] == [1]
    look: Any = SimpleNamespace(tables=(lying(),), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=()))
    (seen,) = hunt.referee.middle.tables(look)
    assert Domino.of(5, 3) not in {placed.domino for placed in seen.board.placed}


def test_a_photo_finish_is_made_of_those_that_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.referee.photo_finish", lambda film, marks, reach: [mark.at_px for mark in marks])
    hunt = Hunting().touched(touch("top", TARGET, 10.0), touch("left", TARGET, 10.02), touch("right", TARGET, 10.08))
    hunt.told += hunt.referee._finished(11.0)
    (finish,) = hunt.of(PhotoFinish)
    assert (finish.seats, finish.margin_ms) == ((1, 2), 60)


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


BEFORE = {"bottom": (600.0, 850.0), "left": (40.0, 450.0), "right": (1160.0, 450.0)}


def middle(*taken: Domino) -> tuple[LooseTile, ...]:
    """What lies face up, with gaps where something was taken."""
    left = [domino for domino in GAME.set_up(3, Random(1)).face_up if domino not in taken]
    return tuple(LooseTile(one.high, one.low, 3.0 * (one.high - one.low), 3.0 * one.low, 0.0) for one in left)


def before_players(hunt: Hunting, table: Table, backs: str) -> dict[int, int]:
    """How many dominoes the referee sees before whom, with backs along these sides; one with "?" is in doubt."""
    tiles = [
        SimpleNamespace(
            face_up=False,
            centers_px=(BEFORE[side.strip("?")],) * 2,
            doubtful="?" in side,
            confidence=0.6 if "?" in side else 0.99,
        )
        for side in backs.split()
    ]
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=tiles, dice=()))
    (seen,) = hunt.referee.middle.tables(look)
    return {hand.seat: hand.face_down for hand in seen.hands}


@pytest.mark.parametrize(
    ("backs", "seen"),
    [
        ("left", {}),
        ("", {}),  # it is not laid down yet
        ("bottom", {0: 1, 1: 0}),
        ("bottom?", {}),  # what is in doubt overrules nobody
        ("left right", {}),  # that is no domino of this hunt
        ("left right?", {}),
        ("bottom right?", {0: 1, 1: 0}),
    ],
)
def test_a_domino_that_lies_before_somebody_else_than_was_named_is_seen(backs: str, seen: dict[int, int]) -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    assert before_players(hunt, Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3))), backs) == seen
    # once the dice were rolled that comes first
    assert before_players(hunt, Table(loose=middle(LYING[TARGET]), dice=(Die(6), Die(4))), backs) == {}


def test_a_claim_that_the_table_belies_is_taken_back_with_the_find_after_it() -> None:
    """Player 1 found the target, and was told to have claimed that it is gone."""
    hunt = Hunting().touched(touch("bottom", BLANK, 10.0)).touched(touch("left", TARGET, 10.3), at_s=10.6)
    assert (hunt.follower.state.counts, hunt.follower.state.owed) == ((0, 1, 0), (1, 2))
    backs = [SimpleNamespace(face_up=False, centers_px=(BEFORE["bottom"],) * 2, doubtful=False, confidence=0.99)]
    table = Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=backs, dice=()))
    told = hunt.follower.see(hunt.referee.middle.tables(look), PATIENCE_S)
    assert [event.moves for event in told if isinstance(event, TakenBack)] == [("1:00@10.000", "2:53@10.300")]
    assert (hunt.follower.state.counts, hunt.follower.state.owed) == ((1, 0, 0), ())


def test_only_who_was_last_to_take_one_can_have_been_named_wrongly() -> None:
    hunt = Hunting("1:53", "roll(6-6)").touched(touch("left", OTHER, 10.0))
    assert hunt.follower.state.counts == (1, 1, 0)
    table = Table(loose=middle(LYING[TARGET], LYING[OTHER]), dice=(Die(6), Die(6)))
    assert before_players(hunt, table, "left left") == {}  # a domino of player 1 is not seen just now
    assert before_players(hunt, table, "bottom bottom") == {0: 2, 1: 0}


def test_dark_backs_that_are_not_seen_just_now_are_there_still() -> None:
    hunt = Hunting("1:53", "roll(6-6)")
    table = Table(loose=middle(LYING[TARGET], LYING[OTHER]), dice=(Die(6), Die(6)))
    assert before_players(hunt, table, "left") == {1: 1}  # that of player 1 is as dark as the table


@pytest.mark.parametrize("backs", ["left", "left?", "left bottom?", "left? right? bottom?"])
def test_a_back_in_doubt_that_nothing_is_gone_for_is_none(backs: str) -> None:
    hunt, table = Hunting(), Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    assert len(before_players(hunt, table, backs)) == 1


def test_dice_that_show_again_what_they_showed_long_ago_take_nothing_back() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    gone = [LYING[TARGET]]

    def rolled(*dice: int) -> list[Event]:
        return hunt.follower.see([Table(loose=middle(*gone), dice=tuple(map(Die, dice)))], PATIENCE_S)

    for found in (Domino.of(6, 4), LYING[OTHER]):
        rolled(found.high, found.low)
        hunt.follower.make(f"1:{found}")
        gone.append(found)
    rolled(4, 2)
    told = rolled(5, 3)  # so they lay there all the time, and were misread
    assert [event.moves for event in told if isinstance(event, TakenBack)] == [("roll(4-2)",)]
    assert hunt.follower.state.counts == (2, 1, 0)


def test_a_hand_that_touched_something_before_the_dice_lay_still_reached_for_nothing() -> None:
    hunt = Hunting()
    hunt.referee._since_s, hunt.referee._still_s = None, 0.2
    hunt.touched(touch("right", OTHER, 10.0), at_s=10.3)
    assert hunt.told == []
    hunt.touched(touch("right", OTHER, 10.2, hand=9), at_s=10.4)
    assert [foul.seat for foul in hunt.of(Foul)] == [2]


def test_what_looked_like_a_domino_before_a_player_all_the_time_is_none() -> None:
    hunt = Hunting()
    assert before_players(hunt, Table(loose=middle(), dice=(Die(5), Die(3))), "bottom") == {}
    gone = Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    assert before_players(hunt, gone, "bottom") == {}
    assert before_players(hunt, gone, "bottom left") == {1: 1}


def test_the_table_says_who_has_a_domino_whoever_was_named() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    hands = (Hand(0, (), 1, "bottom"), Hand(1, (), 0, "left"))
    told = hunt.follower.see([Table(loose=middle(LYING[TARGET]), hands=hands, dice=(Die(5), Die(3)))], PATIENCE_S)
    assert [event.move for event in told if isinstance(event, Moved)] == ["1:53"]
    assert hunt.follower.state.counts == (1, 0, 0)


def test_also_after_the_next_roll() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    hunt.follower.make("roll(6-4)")
    hands = (Hand(0, (), 1, "bottom"), Hand(1, (), 0, "left"))
    told = hunt.follower.see([Table(loose=middle(LYING[TARGET]), hands=hands, dice=(Die(6), Die(4)))], PATIENCE_S)
    assert [event.move for event in told if isinstance(event, Moved)] == ["1:53", "roll(6-4)"]


def test_a_find_is_not_taken_back_for_dice_that_are_rolled_before_all_rewards_are_taken() -> None:
    hunt = Hunting("1:00@9.0").touched(touch("left", TARGET, 10.0))
    gone = middle(LYING[TARGET], LYING[OTHER])
    hunt.follower.see([Table(loose=gone, dice=(Die(6), Die(4)))], PATIENCE_S)
    assert hunt.follower.state.counts == (0, 1, 0)


def test_dice_that_lie_about_while_the_program_rolls_are_overlooked_until_somebody_rolls_them() -> None:
    hunt = Hunting()
    cast = replace(lying(), dice=(Die(6), Die(4)))
    dice = [SimpleNamespace(center_px=(100.0 * k, 80.0), edge_px=20.0, value=value) for k, value in enumerate((6, 4))]
    look: Any = SimpleNamespace(tables=(cast,), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice))
    assert hunt.referee.middle.tables(look)[0].dice
    hunt.referee.middle.overlook(look.scene.dice)
    assert not hunt.referee.middle.tables(look)[0].dice
    dice[0].center_px = (400.0, 300.0)
    assert hunt.referee.middle.tables(look)[0].dice


def test_dice_that_lie_there_before_the_game_begins_were_not_rolled() -> None:
    follower = Follower(GAME, GAME.set_up(3, Random(1)), [])
    referee = Referee(follower)
    cast = Table(
        loose=tuple(LooseTile(d.high, d.low, 3.0 * d.high, 3.0 * d.low, 0.0) for d in FULL_SET), dice=(Die(6), Die(4))
    )
    dice = [SimpleNamespace(center_px=(100.0 * k, 80.0), edge_px=20.0, value=value) for k, value in enumerate((6, 4))]
    look: Any = SimpleNamespace(tables=(cast,), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice))
    assert isinstance(follower.see(referee.middle.tables(look), 1.0)[0], Began)
    one_unseen: Any = SimpleNamespace(tables=look.tables, scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice[1:]))
    assert not referee.middle.tables(one_unseen)[0].dice
    assert not referee.middle.tables(look)[0].dice
    dice[1].center_px = (400.0, 300.0)
    told = follower.see(referee.middle.tables(look), 1.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["roll(6-4)"]


def lying() -> Table:
    """The target and the double blank, face up in the middle."""
    return Table(Board.parse("5|3 0|0"))


def planks(*, pushed: int = 0, arm: bool = False) -> Image:
    """A table, pushed so many pixels, perhaps with something like an arm over it."""
    grain = np.random.default_rng(1).integers(60, 200, (270, 24, 3)).astype(np.uint8)
    table = cv2.GaussianBlur(cv2.resize(grain, (480, 270), interpolation=cv2.INTER_NEAREST), (5, 5), 0)
    if arm:
        cv2.rectangle(table, (300, 150), (340, 270), (90, 120, 180), -1)
    return np.asarray(np.roll(table, pushed, axis=1), np.uint8)


def resting(frames: Iterable[tuple[float, Image, bool]]) -> list[tuple[float, bool]]:
    """Since when a table is known as calm, and whether hands are seen, after each frame: its time, and what stirs.

    A look knows what stirred in the frame before.
    """
    referee, told = Referee(Hunting().follower), []
    corners = ((200.0, 100.0), (230.0, 100.0), (230.0, 160.0), (200.0, 160.0))
    scene = Scene((480, 270), (TileDetection(corners, ((215.0, 115.0), (215.0, 145.0)), (5, 3), 1.0),))
    stirred = False
    for time_s, image, stirs in frames:
        look: Any = SimpleNamespace(scene=scene, covered=(), still_s=time_s, moving=stirred, busy=stirred)
        referee.see(Frame(image, time_s), look)
        stirred = stirs
        assert referee._calm
        told.append((referee._calm.since_s, bool(referee.hands)))
    return told


def test_hands_are_told_from_the_table_as_it_lies_after_a_nudge() -> None:
    before, after = planks(), planks(pushed=9)
    told = resting([(0.4, before, False), (0.5, after, True), *((k / 10, after, False) for k in range(6, 12))])
    assert [since_s for since_s, _ in told] == [0.4] * 5 + [0.9] * 3


def test_what_looks_like_a_hand_and_never_stirs_is_the_table() -> None:
    told = resting([(0.4, planks(), False), *((k / 10, planks(arm=True), k == 5) for k in range(5, 50))])
    assert [seen for _, seen in told] == [False, *[True] * 11, *[False] * 34]
    assert told[-1][0] == 1.6


def test_a_hand_that_comes_after_a_long_rest_is_no_part_of_the_table() -> None:
    told = resting([*((k / 10, planks(), False) for k in range(4, 40)), (4.0, planks(arm=True), True)])
    assert told[-1] == (0.4, True)
