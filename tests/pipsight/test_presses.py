"""Presses that claim and wait for a number: their moment counts, for a while."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pipsight.asking import Chance, Move, Pause, Press, TakeBack
from pipsight.events import Began, Countdown, Moved, Pressed, Refused, Resynced, TakenBack, as_json
from pipsight.presses import SAYS_S, Presses
from pipsight.session import Session
from pipsight.sessions import Begun, Choice, begun, newest_unfinished, taken_up
from rules.games import game
from rules.games.bee_race import GAME

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("cv2")


def pressed(seat: int, at_s: float, means: str = "claim") -> Pressed:
    return Pressed(f"Player {seat + 1} pressed.", seat, at_s, means)


def test_the_earliest_press_without_a_number_is_known() -> None:
    presses = Presses()
    assert presses.first_s is None
    presses.hear([pressed(4, 12.0), pressed(1, 11.0), pressed(4, 13.0)])
    assert presses.first_s == 11.0
    presses.hear([Moved(7, "2:9@11.000", "Player 2 says: 9 moves.", "player 2")])
    assert presses.first_s == 12.0
    presses.hear([pressed(4, 12.0, "withdrawn")])
    assert presses.first_s is None


def test_a_press_that_is_for_nothing_takes_none_back() -> None:
    presses = Presses()
    presses.hear([pressed(2, 5.0), pressed(2, 6.0, "nothing")])
    assert presses.first_s == 5.0


def test_a_press_counts_from_its_moment_not_from_the_last_frame() -> None:
    session = racing(3)
    (told,) = session.do(Press(1), 100.15)
    assert isinstance(told, Pressed)
    assert (told.at_s, session.presses.first_s) == (100.15, 100.15)
    (told,) = session.do(Press(2), 100.1)  # told of late
    assert isinstance(told, Pressed)
    assert told.at_s == 100.1


def test_another_part_of_the_round_ends_all_presses() -> None:
    presses = Presses()
    presses.hear([pressed(0, 1.0), Moved(8, "time@61", "The time is up.", "the clock")])
    assert presses.first_s is None


def test_who_says_nothing_for_too_long_loses_the_moment() -> None:
    presses = Presses()
    presses.hear([pressed(2, 1.0)])
    assert presses.lapsed(1.0 + SAYS_S - 0.1) == []
    (told,) = presses.lapsed(1.0 + SAYS_S + 0.1)
    assert (told.seat, told.means, told.text) == (2, "withdrawn", "Player 3 pressed and said nothing.")
    assert presses.first_s is None


def racing(players: int) -> Session:
    """A session in which all think."""
    session = Session(GAME, GAME.set_up(players, Random(3), "4 dice"))
    session.follower.states = [session.follower.start]
    while session.follower.state.phase.value in ("setting up", "rolling"):
        session.follower.chance()
    session.time_s = 100.0
    return session


def test_a_press_in_time_counts_though_its_number_is_said_after_the_minute() -> None:
    session = racing(6)
    session.do(Move("1:9@100"))
    session.time_s = 159.5
    session.do(Press(4))
    session.time_s = 161.0
    assert not [event for event in session.kept(session._due()) if isinstance(event, Moved)]
    told = session.do(Move("5:4@159.5"))
    told += session.kept(session._due())
    assert [event.move for event in told if isinstance(event, Moved)] == ["5:4@159.500", "time@161.000"]
    assert session.follower.state.flier == 4


def test_the_minute_ends_once_the_last_press_has_lapsed() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.time_s = 159.5
    session.do(Press(1))
    session.time_s = 159.5 + SAYS_S + 0.1
    told = session.kept(session._due())
    assert [type(event) for event in told[:2]] == [Pressed, Moved]
    assert session.follower.state.flier == 0


def test_those_who_press_together_are_asked_one_after_the_other() -> None:
    presses = Presses()
    presses.hear([pressed(2, 1.0), pressed(0, 1.5), pressed(1, 1.2)])
    assert presses.lapsed(2.0) == []
    presses.hear([Moved(8, "3:9@1.000", "Player 3 says: 9 moves.", "player 3")])
    assert presses.lapsed(8.9) == []
    assert presses.lapsed(8.9 + SAYS_S) == []
    assert [event.seat for event in presses.lapsed(9.0 + SAYS_S)] == [1]
    assert presses.lapsed(9.0 + SAYS_S) == []
    assert presses.lapsed(9.0 + 2 * SAYS_S) == []
    assert [event.seat for event in presses.lapsed(9.1 + 2 * SAYS_S)] == [0]


def test_who_demonstrates_has_the_whole_time_from_when_it_is_told() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.time_s = 159.5
    session.do(Press(1))
    session.time_s = 167.0
    session.do(Move("2:5@159.5"))
    told = session.kept(session._due())
    assert [event.length_s for event in told if isinstance(event, Countdown)] == [10.0]


def test_a_move_counts_when_it_is_asked_for_not_from_the_last_frame() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.until(159.8)
    told = session.do(Move("2:3"), 160.5)
    assert [event.move for event in told if isinstance(event, Moved)] == ["time@160.500"]
    assert [event.text for event in told if isinstance(event, Refused)]


def test_the_minute_ends_although_the_camera_is_away() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.lost("The camera was unplugged.")
    assert session.passed(159.0) == []
    assert [event.move for event in session.passed(160.1) if isinstance(event, Moved)] == ["time@160.100"]


def test_nobody_hesitates_while_no_camera_sees_the_flights() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.passed(160.1)
    told = [as_json(event, 0.0)["text"] for event in session.lost("Unplugged.") + session.passed(190.0)]
    assert told == ["Unplugged.", "The clock stands."]
    session.trouble = ""
    assert not [event for event in session.passed(199.5) if isinstance(event, Moved)]
    hesitated = [event for event in session.passed(202.5) if isinstance(event, Moved)]
    assert [event.move for event in hesitated] == ["late@172.600"]


def test_a_press_where_there_is_nothing_to_claim_is_none() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.time_s = 161.0
    session.kept(session._due())
    (told,) = session.do(Press(1))
    assert isinstance(told, Refused)
    assert told.text == "There is nothing to claim now."
    assert not Session(game("all_fives")).claims


def test_who_pressed_before_the_program_ended_has_as_long_to_say_what() -> None:
    session, presses = racing(3), Presses()
    happened = [event for ask in (Press(1), Press(2), Move("2:9@100")) for event in session.do(ask)]
    for event in happened:
        presses.again(as_json(event, 100.0))
    assert presses.first_s == 100.0
    assert [event.seat for event in presses.lapsed(100.0 + SAYS_S + 0.1)] == [2]


def test_what_was_pressed_before_a_move_was_taken_back_counts_no_more() -> None:
    presses = Presses()
    taken_back = TakenBack(("1:9@10.000",), 0, "Taken back.")
    presses.hear([pressed(1, 11.0), taken_back])
    assert presses.first_s is None
    for event in (pressed(1, 11.0), taken_back):
        presses.again(as_json(event, 12.0))
    assert presses.first_s is None


def test_what_was_pressed_before_the_table_was_taken_as_it_lies_counts_no_more() -> None:
    presses = Presses()
    presses.hear([pressed(1, 11.0), Resynced("The table as it lies is taken for the game.", "")])
    presses.again(as_json(pressed(1, 11.0), 12.0))
    presses.again(as_json(Resynced("The table as it lies is taken for the game.", ""), 12.0))
    assert presses.first_s is None


def test_nothing_is_claimed_while_the_table_is_paused() -> None:
    session = racing(2)
    session.do(Pause(True))
    for ask in (Press(0), Move("1:3"), Chance()):
        (told,) = session.do(ask)
        assert isinstance(told, Refused)
        assert told.text == "The table is paused: go on first."
    session.do(Pause(False))
    assert isinstance(session.do(Press(0))[0], Pressed)


def kept_race(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Begun:
    """A race of two whose log is kept in this folder, from where it can be taken up again."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(folder))
    text = folder / "race.txt"
    text.write_text(str(racing(2).follower.state), encoding="utf-8")
    race = begun(Choice("bee_race", str(text)))
    race.session.follower.states = [race.session.follower.start]
    race.session.kept([Began("The game begins.", "")])
    return race


def test_a_pause_in_which_the_program_was_ended_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_race(tmp_path, monkeypatch)
    for time_s, ask in ((10.0, Move("1:9@10")), (20.0, Pause(True)), (300.0, Pause(False)), (320.0, Pause(True))):
        before.session.until(time_s)
        before.session.do(ask)
    before.close()
    after = taken_up(newest_unfinished())
    session = after.session
    assert not session.paused
    assert session.played_s(session.time_s) == 40.0
    assert after.past[-1]["text"] == "The table is followed again."
    assert session.passed(320.0) == [Countdown("30 seconds.", 30.0)]  # for the lights, which show nothing of the past
    assert session.passed(349.9) == []
    assert [event.move for event in session.passed(350.1) if isinstance(event, Moved)] == ["time@70.100"]
    after.close()


def test_who_ends_the_program_while_the_minute_runs_gets_no_time_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept_race(tmp_path, monkeypatch)
    before.session.do(Move("1:9@10"), 10.0)
    assert before.session.passed(55.0) == []
    before.close()
    before.close()
    after = taken_up(newest_unfinished())
    assert after.session.passed(after.session.time_s) == [Countdown("15 seconds.", 15.0)]
    after.close()


def test_who_failed_wrongly_has_the_whole_patience_anew_once_that_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = kept_race(tmp_path, monkeypatch)
    session = race.session
    session.do(Move("1:9@10"), 10.0)
    session.passed(70.1)
    session.do(Move("give-up"), 75.0)
    told = session.do(TakeBack(), 200.0)
    assert [event for event in told if isinstance(event, Countdown)] == [Countdown("10 seconds.", 10.0)]
    race.close()
    again = taken_up(newest_unfinished())
    session = again.session
    assert session.passed(session.time_s) == [Countdown("10 seconds.", 10.0)]
    assert session.passed(209.9) == []
    assert [event.move for event in session.passed(212.1) if isinstance(event, Moved)] == ["late@82.200"]
    again.close()


def test_the_patience_that_begins_anew_is_told_though_it_ends_at_the_same_moment_of_the_race() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.passed(160.1)
    session.do(Move(str(next(iter(GAME.candidates(session.follower.state))))), 160.1)
    told = session.do(TakeBack(), 165.0)
    assert [event for event in told if isinstance(event, Countdown)] == [Countdown("10 seconds.", 10.0)]


def test_a_race_that_begins_in_the_middle_stands_until_its_board_lies_there() -> None:
    before = racing(2)
    before.do(Move("1:9@100"))
    before.passed(130.0)
    session = Session(GAME, before.follower.state)
    session.until(300.0)
    session.follower.states = [session.follower.start]
    assert session.passed(300.0) == [Countdown("60 seconds.", 60.0)]
    assert session.passed(359.9) == []
    assert [event.move for event in session.passed(360.1) if isinstance(event, Moved)] == ["time@160.100"]


def test_who_takes_back_that_the_time_is_up_has_what_was_left_after_the_last_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = kept_race(tmp_path, monkeypatch)
    session = race.session
    session.do(Move("1:9@10"), 10.0)
    session.do(Move("2:4@30"), 30.0)
    session.passed(70.1)
    told = session.do(TakeBack(), 75.0)
    assert [event for event in told if isinstance(event, Countdown)] == [Countdown("40 seconds.", 40.0)]
    assert not [event for event in told if isinstance(event, Moved)]
    race.close()
    again = taken_up(newest_unfinished())
    session = again.session
    assert session.passed(session.time_s) == [Countdown("40 seconds.", 40.0)]
    session.do(TakeBack(), 80.0)
    session.do(Move("2:5"), 85.0)
    assert [(claim.seat, claim.moves) for claim in session.follower.state.claims] == [(0, 9), (1, 5)]
    assert [event.move for event in session.passed(115.1) if isinstance(event, Moved)] == ["time@70.100"]
    again.close()


def test_who_takes_back_that_the_time_is_up_after_a_late_claim_has_time_to_say_another_one() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.do(Move("2:4@159.9"), 159.9)
    session.passed(160.1)
    told = session.do(TakeBack(), 170.0)
    assert [event.length_s for event in told if isinstance(event, Countdown)] == [SAYS_S]


def test_a_claim_that_is_taken_back_while_the_time_runs_gives_nobody_time_back() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.do(Move("2:4@130"), 130.0)
    session.do(TakeBack(), 150.0)
    assert session.passed(159.9) == []
    assert [event.move for event in session.passed(160.1) if isinstance(event, Moved)] == ["time@160.100"]


def test_a_button_that_is_pressed_in_the_last_moment_of_the_minute_counts_though_it_is_told_of_after_it() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    assert session.passed(160.02) == []
    assert session.claims
    session.kept([pressed(1, 159.98)])
    session.passed(163.0)
    told = session.do(Move("2:4@159.980"), 163.0) + session.passed(163.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["2:4@159.980", "time@163.000"]


def test_a_button_that_is_told_of_once_somebody_demonstrates_keeps_nobody_waiting() -> None:
    session = racing(2)
    session.do(Move("1:9@100"))
    session.passed(160.1)
    session.kept([pressed(1, 159.98)])
    assert session.passed(168.5) == []
    assert session.presses.first_s is None


def test_a_number_that_is_typed_without_its_moment_counts_from_the_press() -> None:
    session = racing(3)
    session.do(Move("1:9@100"))
    session.do(Press(1), 159.5)
    told = session.do(Move("2:4"), 162.0) + session.passed(162.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["2:4@159.500", "time@162.000"]
    assert session.follower.state.flier == 1


def test_of_claims_that_are_typed_together_each_counts_from_its_players_press() -> None:
    session = racing(3)
    session.do(Press(2), 101.0)
    told = session.do(Move("1:5,3:4 2:7@101.5"), 103.0)
    made = [event.move for event in told if isinstance(event, Moved)]
    assert made == ["1:5@103.000", "3:4@101.000", "2:7@101.500"]
