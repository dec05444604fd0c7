"""The clock: what is left, who was first, what is said; keys, buttons, lights, and the real firmware in a simulator."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from benchmarks.simulated import Lit, SimulatedBoard
from hardware.conversation import Linked
from hardware.fake import FakeDevice
from hardware.feedback import Feedback
from hardware.lights import ALARM_PERIOD_MS, ALARM_TIMES, DARK
from hardware.link import Link, Lost
from hardware.protocol import Countdown, Finished, Greeting, Pressed, Sound
from hardware.scheme import DEFAULT
from pipsight.cli import run
from pipsight.clock_face import drawn, large
from pipsight.commands.timing import CannotTime, wanted
from pipsight.keyboard import ENDED
from pipsight.timekeeper import Timekeeper
from pipsight.timer import Kind, Press, Timer, clock_text, lead_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from hardware.link import Event
    from hardware.protocol import Command


class Told:
    """A face that keeps what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def show(self, timer: Timer, now_s: float) -> None:
        assert timer.left(now_s) >= 0

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


class Wire:
    """Keeps what a controller is told."""

    def __init__(self) -> None:
        self.sent: list[Command] = []

    def send(self, command: Command, /) -> Future[float]:
        from concurrent.futures import Future

        self.sent.append(command)
        return Future()


def keeper(kind: Kind, players: int, length_s: float = 60, *, wire: Wire | None = None) -> tuple[Timekeeper, list[str]]:
    face = Told()
    feedback = Feedback(wire, players=players) if wire else None
    if feedback:
        feedback.linked(Linked(Greeting(1, (1, 0), 24, 4)))
    return Timekeeper(Timer.of(kind, players, length_s), face, feedback), face.said


def through(one: Timekeeper, until_s: int, since_s: int = 0) -> None:
    """Let the time go on in steps of a twentieth of a second."""
    for step in range(since_s * 20, until_s * 20 + 1):
        one.tick(step / 20)


def test_a_countdown_warns_and_ends() -> None:
    one, said = keeper(Kind.COUNTDOWN, 1, 15)
    one.begin(0)
    through(one, 14)
    assert not one.done
    through(one, 16, 14)
    assert said == [
        "15 seconds from now on.",
        "10 seconds.",
        "3 seconds.",
        "2 seconds.",
        "1 second.",
        "The time is up.",
    ]
    assert one.done


def test_a_countdown_stands_still_and_is_made_longer() -> None:
    one, said = keeper(Kind.COUNTDOWN, 1, 30)
    one.begin(0)
    one.key(" ", 10)
    assert one.timer.left(1000) == 20
    one.key("+", 1000)
    one.key(" ", 2000)
    assert one.timer.left(2005) == 25
    one.key("-", 2005)
    assert one.timer.left(2005) == 15
    assert said[1:] == ["The time stands still.", "The time runs again."]
    one.key("q", 2006)
    assert one.done


@pytest.mark.parametrize("keys", ["--", " --"])
def test_a_time_of_which_nothing_is_left_is_over(keys: str) -> None:
    one, said = keeper(Kind.COUNTDOWN, 1, 15)
    one.begin(0)
    for key in keys:
        one.key(key, 1)
    one.tick(1.1)
    assert one.done
    assert said[-1] == "The time is up."
    assert said.count("The time is up.") == 1


@pytest.mark.parametrize("kind", [Kind.COUNTDOWN, Kind.CLAIMS, Kind.CHESS])
def test_a_time_that_is_up_is_not_stopped_any_more_and_its_end_is_told(kind: Kind) -> None:
    one, said = keeper(kind, 2, 60)
    one.begin(0)
    one.key("1", 0)
    one.tick(59.99)
    one.key(" ", 60.02)
    one.tick(60.1)
    assert "The time stands still." not in said
    assert sum(sentence.startswith("The time is up") for sentence in said) == 1
    assert one.done == (kind is Kind.COUNTDOWN)


def test_nothing_is_claimed_while_the_time_stands_still_and_its_pause_is_in_no_margin() -> None:
    one, said = keeper(Kind.CLAIMS, 4)
    one.begin(0)
    one.key("1", 1)
    one.key(" ", 2)
    one.key("2", 6)
    one.event(Pressed(3, True, 0, at_s=1.5), 6)  # told of late
    one.key(" ", 7)
    one.key("2", 9)
    assert said == [
        "Player 1 claims.",
        "The time stands still.",
        "The time stands still: go on first.",
        "Player 4 claims, 0.500 s after the first.",
        "The time runs again.",
        "Player 2 claims, 3.000 s after the first.",
    ]
    assert one.timer.left(9) == 57
    through(one, 67, 9)
    one.key("3", 68)
    assert said[-1] == "Player 1 was first, 0.500 s before Player 4."


@pytest.mark.parametrize("kind", [Kind.CLAIMS, Kind.FIRST, Kind.CHESS])
def test_a_time_that_never_ran_does_not_run_again(kind: Kind) -> None:
    one, said = keeper(kind, 2, 60)
    one.begin(0)
    one.key("+", 1)
    one.key(" ", 2)
    assert (one.timer.runs, said) == (False, [])
    one.key("1", 3)
    assert (
        one.timer.left(4, 1 if kind is Kind.CHESS else None) == {Kind.CLAIMS: 69, Kind.FIRST: 70, Kind.CHESS: 59}[kind]
    )
    one.key(" ", 5)
    assert said[1:] == ([] if kind is Kind.FIRST else ["The time stands still."])


def test_the_first_claim_starts_the_minute_of_a_race() -> None:
    one, said = keeper(Kind.CLAIMS, 6)
    one.begin(0)
    through(one, 100)
    assert one.timer.left(100) == 60
    one.key("5", 100)
    one.key("2", 104.5)
    one.key("5", 106)
    assert one.timer.left(110) == 50
    through(one, 161, 107)
    assert said == [
        "Player 5 claims.",
        "Player 2 claims, 4.500 s after the first.",
        *("10 seconds.", "3 seconds.", "2 seconds.", "1 second.", "The time is up."),
        "Player 5 was first, 4.500 s before Player 2.",
    ]
    one.key("3", 162)
    assert len(one.timer.presses) == 2
    one.key("\n", 163)
    fresh = one.timer
    assert (fresh.presses, fresh.left(170)) == ((), 60)


def test_a_button_that_is_told_of_late_keeps_its_place_and_starts_the_time() -> None:
    timer = Timer.of(Kind.CLAIMS, 4, 60).pressed(Press(0, 10.1)).pressed(Press(2, 10.0, "button"))
    assert [press.seat for press in timer.presses] == [2, 0]
    assert timer.left(20) == 50
    one, said = keeper(Kind.CLAIMS, 4)
    one.key("1", 0)
    one.tick(60.02)
    one.event(Pressed(1, True, 0, at_s=59.999), 60.03)
    one.tick(60.1)
    assert said[-1] == "Player 1 was first, 59.999 s before Player 2."


def test_who_is_first_is_said_once_nothing_earlier_can_come() -> None:
    one, said = keeper(Kind.FIRST, 4)
    one.begin(0)
    one.event(Pressed(1, True, 0, at_s=5.143), 5.15)
    one.event(Pressed(1, False, 0, at_s=5.2), 5.2)
    one.tick(5.3)
    assert said == []
    one.event(Pressed(3, True, 0, at_s=5.0), 5.3)
    one.tick(5.4)
    assert said == ["Player 4 was first, 0.143 s before Player 2."]
    one.key("\r", 6)
    one.key("1", 7.000)
    one.key("2", 7.020)
    one.tick(7.5)
    assert said[1:] == ["Ready.", "Too close to call: Player 1 and Player 2 pressed within 0.020 s."]


def test_how_close_presses_were_is_told_of_those_that_are_too_close() -> None:
    timer = Timer.of(Kind.FIRST, 3, 60)
    for press in (Press(1, 5.0, "button"), Press(2, 5.010, "key"), Press(0, 5.005, "button")):
        timer = timer.pressed(press)
    assert lead_text(timer) == "Too close to call: Player 2 and Player 3 pressed within 0.010 s."


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2000)), min_size=1, max_size=8))
def test_who_was_first_does_not_hang_on_the_order_in_which_presses_are_told_of(told: list[tuple[int, int]]) -> None:
    presses = [Press(seat, at_ms / 1000, "button") for seat, at_ms in dict(told).items()]
    timers = []
    for order in (presses, presses[::-1]):
        timer = Timer.of(Kind.FIRST, 6, 60)
        for press in order:
            timer = timer.pressed(press)
        timers.append(timer)
    first, last = (timer.lead for timer in timers)
    assert first
    assert last
    assert (set(first.close), first.margin_s) == (set(last.close), last.margin_s)
    earliest = min(press.at_s for press in presses)
    assert {press.seat for press in presses if press.at_s == earliest} <= set(first.close)
    assert lead_text(timers[0]).endswith(".")


def test_a_chess_clock_runs_for_who_is_to_move() -> None:
    one, said = keeper(Kind.CHESS, 2, 300)
    one.begin(0)
    one.key("1", 10)
    one.key("1", 12)
    assert one.timer.turn == 1
    one.key("2", 40)
    assert (one.timer.left(50, 0), one.timer.left(50, 1)) == (290, 270)
    one.event(Pressed(0, True, 0, at_s=39.9), 50)  # before the turn began
    assert (one.timer.turn, one.timer.left(50, 0)) == (0, 290)
    one.key(" ", 50)
    one.key("1", 55)
    assert one.timer.turn == 0
    one.key(" ", 60)
    through(one, 352, 60)
    assert said[-1] == "The time is up for Player 1."
    assert one.timer.left(400, 1) == 270


@given(st.lists(st.tuples(st.sampled_from("12+- \n"), st.integers(0, 5000)), max_size=12))
def test_no_time_is_below_nothing_and_no_time_that_stands_still_moves(keys: list[tuple[str, int]]) -> None:
    for kind in Kind:
        one, _ = keeper(kind, 2, 20)
        one.begin(0)
        at_s = 0.0
        for key, after_ms in keys:
            at_s += after_ms / 1000
            one.key(key, at_s)
            one.tick(at_s)
            assert all(left >= 0 for left in one.timer.left_s)
            assert one.timer.runs or one.timer.left(at_s) == one.timer.left(at_s + 99)


def test_the_controller_counts_too_and_is_told_of_every_change() -> None:
    wire = Wire()
    one, _ = keeper(Kind.COUNTDOWN, 1, 60, wire=wire)
    wire.sent.clear()
    one.begin(0)
    one.key(" ", 20)
    one.key(" ", 50)
    one.key("+", 50)
    color = DEFAULT.countdown.color
    assert color
    lengths = [command.length_ms for command in wire.sent if isinstance(command, Countdown)]
    assert lengths == [60_000, 0, 40_000, 50_000]


def counted_ms(wire: Wire) -> list[int]:
    """The countdowns that the controller was told of; 0 stops one."""
    return [command.length_ms for command in wire.sent if isinstance(command, Countdown)]


def test_of_a_claim_that_is_told_of_late_the_controller_counts_what_is_left() -> None:
    wire = Wire()
    one, _ = keeper(Kind.CLAIMS, 2, wire=wire)
    one.event(Pressed(0, True, 0, at_s=10.0), 11.5)
    assert counted_ms(wire) == [58_500]


def test_the_last_hour_of_a_long_countdown_is_the_controllers() -> None:
    wire = Wire()
    one, _ = keeper(Kind.COUNTDOWN, 1, 3700, wire=wire)
    one.begin(0)
    for now_s in (99, 100, 101):
        one.tick(now_s)
    assert counted_ms(wire) == [0, 3_600_000]


def test_a_long_countdown_is_the_controllers_after_a_pause_or_a_change_as_soon_as_it_can_be() -> None:
    wire = Wire()
    one, _ = keeper(Kind.COUNTDOWN, 1, 3605, wire=wire)
    one.begin(0)
    one.key(" ", 1)
    one.key(" ", 50)
    one.tick(53)
    wire.sent.clear()
    one.tick(54.5)
    assert counted_ms(wire) == [3_599_500]
    one.key("+", 54.5)
    one.tick(55)
    one.key("-", 55)
    one.tick(56)
    assert counted_ms(wire)[1:] == [0, 3_599_000]


def test_the_end_of_a_time_that_the_controller_does_not_count_is_shown_and_heard_too() -> None:
    for keys, over in (("", 0), (" --", 1), ("--", 1)):
        wire = Wire()
        one, _ = keeper(Kind.COUNTDOWN, 1, 15, wire=wire)
        one.begin(0)
        for key in keys:
            one.key(key, 1)
        through(one, 16, 1)
        assert wire.sent.count(Sound(DEFAULT.over.tune)) == over


def test_the_clock_goes_on_without_a_controller_that_is_unplugged_and_takes_it_up_again() -> None:
    wire = Wire()
    one, said = keeper(Kind.CLAIMS, 2, wire=wire)
    one.event(Pressed(0, True, 0, at_s=0.0), 0.0)
    one.event(Lost("the controller at x was unplugged: plug it in again"), 10.0)
    one.key("2", 12)
    wire.sent.clear()
    one.event(Linked(Greeting(1, (1, 0), 24, 4), "x"), 20.0)
    assert [command.length_ms for command in wire.sent if isinstance(command, Countdown)] == [40_000]
    wire.sent.clear()
    one.event(Linked(Greeting(1, (1, 0), 24, 4, remaining_ms=39_000), "x"), 21.0)
    assert not any(isinstance(command, Countdown) for command in wire.sent)
    assert said[1] == "The controller at x was unplugged: plug it in again. The clock goes on, with keys."
    assert said[2] == "Player 2 claims, 12.000 s after the first."
    assert said[3] == "Controller at x: firmware 1.0, 24 LEDs, 4 buttons."


def test_keys_and_buttons_of_nobody_are_told() -> None:
    one, said = keeper(Kind.CLAIMS, 2)
    one.key("3", 0)
    one.event(Pressed(3, True, 0, at_s=0.0), 0.0)
    assert said == ["Key 3 is nobody's: 2 players take part.", "Button 4 is nobody's: 2 players take part."]
    one.key(ENDED, 1)
    assert one.done


@pytest.mark.parametrize("key", ["\x1b", "\x1b[A", "\x1bOP", "\x1bq", "\x1b1", "\xe0H", "x"])
def test_only_a_clocks_own_keys_do_anything(key: str) -> None:
    one, said = keeper(Kind.CLAIMS, 2)
    before = one.timer
    one.key(key, 0)
    assert (one.done, one.timer, said) == (False, before, [])


@pytest.mark.parametrize(
    ("seconds", "text"), [(3605, "60:05"), (60, "1:00"), (59.2, "1:00"), (12.01, "13"), (9.96, "10.0"), (0, "0.0")]
)
def test_times_are_shown_as_clocks_do(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_the_face_shows_times_presses_and_keys() -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(drawn(Timer.of(Kind.CLAIMS, 4, 60).pressed(Press(1, 0)).pressed(Press(3, 4.2)), 17.5, ["Hear!"]))
    shown = console.export_text()
    assert large("43").splitlines()[0] in shown
    assert "Player 4  +4.200 s" in shown
    assert "Hear!" in shown
    assert "1 to 4 claim" in shown
    for kind in Kind:
        for players in (2, 6):
            console.print(drawn(Timer.of(kind, players, 300).pressed(Press(1, 0)), 1, []))


@pytest.mark.parametrize(
    ("what", "minutes", "kind", "length_s"),
    [
        ("", None, Kind.COUNTDOWN, 60),
        ("90", None, Kind.COUNTDOWN, 90),
        ("1:30", None, Kind.COUNTDOWN, 90),
        ("", 2.5, Kind.COUNTDOWN, 150),
        ("bee", None, Kind.CLAIMS, 60),
        ("cobra_paw", None, Kind.FIRST, 60),
        ("chess", 10, Kind.CHESS, 600),
    ],
)
def test_a_clock_is_asked_for_by_a_time_or_a_game(
    what: str, minutes: float | None, kind: Kind, length_s: float
) -> None:
    use, length = wanted(what, minutes)
    assert (use.kind, length) == (kind, length_s)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["5x"], "there is no timer '5x': name seconds as 60, a time as 1:30, bee, cobra-paw or chess."),
        (["60", "--minutes", "1"], "name a time once: 60 or --minutes 1."),
        (["0.5"], "a clock runs for 1 second to 24 hours, not for 0.5 s."),
        (["99999999"], "a clock runs for 1 second to 24 hours, not for 99999999 s."),
        (["--minutes", "99999"], "a clock runs for 1 second to 24 hours, not for 5999940 s."),
        (["99999:30"], "a clock runs for 1 second to 24 hours, not for 5999970 s."),
        (["--minutes", "nan"], "a clock runs for 1 second to 24 hours, not for nan s."),
        (["bee", "--players", "7"], "Bee's race is for 1 to 6 players, not 7."),
        (["cobra-paw", "--players", "5"], "Cobra Paw is for 2 to 4 players, not 5."),
        (["chess", "--players", "1"], "A chess clock is for 2 to 6 players, not 1."),
        (["90", "--players", "3"], "a countdown has no players: leave --players out."),
        (["1:75"], "a minute has 60 seconds: write 1:75 as 2:15."),
        (["cobra-paw", "--minutes", "2"], "Cobra Paw has no time: leave --minutes out."),
        (["bee", "--buttons"], "no controller was found: plug it in, or flash it by pipsight hardware flash."),
        (["bee", "--port", "/dev/nothing-here"], "there is no port /dev/nothing-here: plug the controller in"),
        (["bee", "--port", "fake://"], "button 3 is held down or its wire touches ground: let it go."),
    ],
)
def test_what_cannot_be_timed_is_told_in_a_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    device = FakeDevice()
    device.press(2)
    monkeypatch.setattr("hardware.link.FakeDevice", lambda: device)
    monkeypatch.setattr("hardware.link.port_names", list)
    assert run(["timer", *arguments]) == 4
    told = capsys.readouterr().err
    assert told.startswith(f"pipsight: {words}")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("remaining_ms", "told"),
    [(0, [Countdown]), (56_900, []), (20_000, [Countdown]), (57_100, [])],
)
def test_a_controller_that_comes_back_counts_what_the_clock_counts(remaining_ms: int, told: list[type]) -> None:
    wire = Wire()
    one, _ = keeper(Kind.COUNTDOWN, 1, wire=wire)
    one.begin(0.0)
    wire.sent.clear()
    one.event(Linked(Greeting(1, (1, 0), 24, 4, (), remaining_ms), "here"), 3.0)
    assert [type(command) for command in wire.sent if isinstance(command, Countdown)] == told


def test_a_countdown_that_was_stopped_while_the_controller_was_away_is_stopped_there() -> None:
    wire = Wire()
    one, _ = keeper(Kind.COUNTDOWN, 1, wire=wire)
    one.begin(0.0)
    one.key(" ", 2.0)
    wire.sent.clear()
    one.event(Linked(Greeting(1, (1, 0), 24, 4, (), 50_000), "here"), 10.0)
    assert Countdown(0) in wire.sent


def test_a_time_is_named_once() -> None:
    with pytest.raises(CannotTime):
        wanted("60", 1)


def test_keys_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1 q"))
    assert run(["timer", "bee", "--players", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == ["Player 1 claims.", "The time stands still."]


def test_without_any_keyboard_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(["timer", "chess"]) == 4
    assert capsys.readouterr().err == (
        "pipsight: there is no keyboard here: run it in a terminal, or with --buttons.\n"
    )


def test_what_is_left_is_told_to_whoever_stops_the_clock() -> None:
    chess = Timer.of(Kind.CHESS, 2, 300)
    assert [*chess.standing(0.0)] == []
    played = chess.resumed(10.0).pressed(Press(0, 40.0))
    assert [*played.standing(52.0)] == ["Player 1 had 4:30 left.", "Player 2 had 4:48 left."]
    assert [*Timer.of(Kind.COUNTDOWN, 1, 90).resumed(0.0).standing(48.0)] == ["There were 42 s left."]
    assert [*Timer.of(Kind.FIRST, 2, 60).standing(5.0)] == []


def test_who_has_no_button_is_told_of_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("q"))
    assert run(["timer", "bee", "--players", "6", "--port", "fake://"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Player 5 has no button: press key 5.",
        "Player 6 has no button: press key 6.",
    ]


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    """A fake controller, which fake:// opens, with the settings as they come."""
    one = FakeDevice()
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    monkeypatch.setattr("hardware.link.FakeDevice", lambda: one)
    return one


@pytest.mark.parametrize(("what", "typed"), [("30", "q"), ("bee", "1q"), ("chess", "1q")])
def test_q_leaves_the_controller_dark_and_silent(
    what: str, typed: str, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["timer", what, "--port", "fake://"]) == 0
    assert any(set(picture.colors) != {DARK} for picture in device.pictures)
    assert set(device.colors()) == {DARK}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_and_a_window_that_is_closed_leave_it_dark_too(
    end: str, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object) -> None:
        pytest.fail("nothing listened to it")

    number = getattr(signal, end)
    before = signal.signal(number, signal.default_int_handler if end == "SIGINT" else closed)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    threading.Timer(1, os.kill, (os.getpid(), number)).start()
    try:
        assert run(["timer", "30", "--port", "fake://"]) == 0
    finally:
        signal.signal(number, before)
    assert any(set(picture.colors) != {DARK} for picture in device.pictures)
    assert set(device.colors()) == {DARK}


def test_the_alarm_at_the_end_of_a_countdown_plays_on(device: FakeDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1"))  # whoever claims shines
    assert run(["timer", "1", "--port", "fake://"]) == 0
    time.sleep(ALARM_PERIOD_MS * ALARM_TIMES / 1000 + 0.2)
    assert set(device.colors()) == {DARK}
    assert sum(tone.hertz > 0 for tone in device.tones) == ALARM_TIMES


@pytest.mark.skipif(os.name == "nt", reason="Windows has no ptys")
def test_ctrl_c_ends_it_and_leaves_the_terminal_as_it_was() -> None:
    import pty
    import termios

    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "pipsight", "timer", "chess"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        shown = shown_until(ours, lambda text: "end a turn" in text)
        assert termios.tcgetattr(theirs) != before
        process.send_signal(signal.SIGINT)
        shown += shown_until(ours, lambda text: process.poll() is not None)
    assert process.returncode == 0
    assert "The clock was stopped." in shown
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def shown_until(terminal: int, enough: Callable[[str], bool]) -> str:
    """What a program writes on its terminal until it is enough, and whatever is there then."""
    shown, end_s = b"", time.monotonic() + 30
    while time.monotonic() < end_s:
        over = enough(shown.decode(errors="replace"))
        if select.select([terminal], [], [], 0 if over else 0.05)[0]:
            shown += os.read(terminal, 65_536)
        elif over:
            break
    return shown.decode(errors="replace")


@pytest.mark.needs("simavr")
def test_the_real_firmware_counts_and_tells_who_claimed_first(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board, Link(board.port) as link:
        one, said = keeper(Kind.CLAIMS, 3, 2)
        linked = link.events.get(timeout=5)
        assert isinstance(linked, Linked)
        one.feedback = Feedback(link, players=3)
        one.feedback.linked(linked)
        time.sleep(0.3)  # the clocks of both sides get to know each other
        board.press(2, after_us=60_000)
        board.press(0, after_us=100_000)
        seen = kept(one, link, 4.0)
        assert [one.seat for one in one.timer.presses] == [2, 0]
        assert one.timer.presses[1].at_s - one.timer.presses[0].at_s == pytest.approx(0.04, abs=0.001)
        assert said[0] == "Player 3 claims."
        assert said[-1].startswith("Player 3 was first, 0.0")
        ended = [event.at_s for event in seen if isinstance(event, Finished)]
        began_s = one.timer.presses[0].at_s
        assert len(ended) == 1
        assert ended[0]
        assert ended[0] - began_s == pytest.approx(2.0, abs=0.1)
        full = tuple([DEFAULT.countdown.color] * 24)
        assert any(lit.colors == full for lit in board.all(Lit))


def kept(one: Timekeeper, link: Link, seconds: float) -> list[Event]:
    """Keep the clock for so long; what the controller said."""
    seen: list[Event] = []
    end_s = time.monotonic() + seconds
    pause = threading.Event()
    while time.monotonic() < end_s:
        while not link.events.empty():
            seen.append(link.events.get())
            one.event(seen[-1], time.monotonic())
        one.tick(time.monotonic())
        pause.wait(0.01)
    return seen
