"""What happened, as light and sound; and which LEDs shine when."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest

from hardware.conversation import Linked
from hardware.feedback import Feedback
from hardware.protocol import Animate, Command, Countdown, Greeting, Light, Off, Pattern, Sound, Stretch
from hardware.scheme import DEFAULT

LINKED = Linked(Greeting(1, (1, 0), 12, 4))


class Wire:
    """Keeps what is sent, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.sent: list[Command] = []
        self.now_s = 100.0

    def send(self, command: Command, /) -> Future[float]:
        self.sent.append(command)
        return Future()

    def clock(self) -> float:
        return self.now_s


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def feedback(wire: Wire) -> Feedback:
    one = Feedback(wire, players=3, clock=wire.clock)
    one.linked(LINKED)
    wire.sent.clear()
    return one


def test_a_turn_is_held_on_the_leds_before_the_seat(wire: Wire, feedback: Feedback) -> None:
    feedback.turn(1)
    assert wire.sent == [Light((Stretch(4, 4, DEFAULT.seats[1]),))]


def test_a_passing_cue_plays_over_what_is_held(wire: Wire, feedback: Feedback) -> None:
    feedback.wrong()
    assert wire.sent == [Animate(Pattern.BLINK, Stretch(0, 12, (200, 0, 0)), 400, 3), Sound(DEFAULT.wrong.tune)]


def test_winners_are_held_and_the_first_ones_color_goes_round(wire: Wire, feedback: Feedback) -> None:
    feedback.winner(2, 0)
    light, animate, _ = wire.sent
    assert light == Light((Stretch(8, 4, DEFAULT.seats[2]), Stretch(0, 4, DEFAULT.seats[0])))
    assert animate == Animate(Pattern.CHASE, Stretch(0, 12, DEFAULT.seats[2]), 800, 4)


def test_every_meaning_says_something(wire: Wire, feedback: Feedback) -> None:
    for say in (feedback.ready, feedback.wrong, feedback.too_close, feedback.over):
        wire.sent.clear()
        say()
        assert [type(command) for command in wire.sent] == [Animate, Sound]


def test_a_countdown_runs_on_the_controller(wire: Wire, feedback: Feedback) -> None:
    feedback.countdown(60)
    feedback.stop_countdown()
    feedback.dark()
    assert wire.sent == [Countdown(60_000, (0, 80, 40)), Countdown(0), Off()]


def test_a_quiet_scheme_makes_no_sound(wire: Wire) -> None:
    feedback = Feedback(wire, replace(DEFAULT, quiet=True), clock=wire.clock)
    feedback.linked(LINKED)
    feedback.over()
    feedback.countdown(5)
    assert not [command for command in wire.sent if isinstance(command, Sound)]
    assert wire.sent[-1] == Countdown(5000, (0, 80, 40), loud=False)


def test_a_controller_that_comes_later_or_again_shows_what_is_held(wire: Wire) -> None:
    feedback = Feedback(wire, players=2, clock=wire.clock)
    feedback.turn(1)
    feedback.wrong()
    assert wire.sent == [Sound(DEFAULT.wrong.tune)]
    feedback.linked(LINKED)
    assert wire.sent[-1] == Light((Stretch(6, 6, DEFAULT.seats[1]),))


def test_leds_that_shine_or_may_shine_are_told_with_their_places(wire: Wire) -> None:
    places = tuple((float(k), 0.0) for k in range(12))
    feedback = Feedback(wire, replace(DEFAULT, places_mm=places), players=3, clock=wire.clock)
    assert feedback.glow(0, 200).leds == ()
    feedback.linked(LINKED)
    wire.now_s = 101
    feedback.turn(2)
    wire.now_s = 105
    feedback.dark()
    assert feedback.glow(100.5, 100.6).leds == ()
    assert feedback.glow(103, 103.03).leds == (8, 9, 10, 11)
    assert feedback.glow(103, 103.03).places_mm == places[8:]
    assert feedback.glow(105.03, 105.06).leds == (8, 9, 10, 11)
    assert feedback.glow(105.2, 106).leds == ()


def test_an_animation_shines_from_its_beginning_to_its_end(wire: Wire, feedback: Feedback) -> None:
    wire.now_s = 110
    feedback.wrong()
    lit = [at for at in (109.9, 110.0, 110.3, 110.5, 111.1, 111.5) if feedback.glow(at, at + 0.01).leds]
    assert lit == [110.0, 110.5]
    assert feedback.glow(110, 111).leds == tuple(range(12))


def test_a_controller_that_is_gone_shines_no_more_until_it_comes_back(wire: Wire, feedback: Feedback) -> None:
    feedback.turn(0)
    wire.now_s = 110
    feedback.lost()
    assert feedback.glow(109, 109.1).leds == (0, 1, 2, 3)
    assert feedback.glow(111, 111.1).leds == ()
    wire.now_s = 120
    feedback.linked(LINKED)
    assert feedback.glow(121, 121.1).leds == (0, 1, 2, 3)


def again(remaining_ms: int) -> Linked:
    """The controller greets once more, with so much of a countdown still to run."""
    return Linked(Greeting(1, (1, 0), 12, 4, remaining_ms=remaining_ms))


def test_a_countdown_that_ran_on_shines_while_the_controller_is_gone_and_after_it_came_back(
    wire: Wire, feedback: Feedback
) -> None:
    feedback.turn(2)
    feedback.countdown(12)
    wire.now_s = 103
    feedback.lost()
    assert feedback.glow(106.6, 106.65).leds == (0, 1, 2, 3, 4, 5)
    wire.now_s = 108
    feedback.linked(again(remaining_ms=4500))
    assert feedback.glow(109.8, 109.85).leds == (0, 1, 2)
    assert feedback.glow(112.6, 112.7).leds == tuple(range(12))  # the alarm
    assert feedback.glow(114.2, 114.3).leds == (8, 9, 10, 11)


def test_of_a_controller_that_starts_anew_no_countdown_shines(wire: Wire, feedback: Feedback) -> None:
    feedback.countdown(12)
    wire.now_s = 103
    feedback.lost()
    feedback.linked(again(remaining_ms=0))
    assert feedback.glow(103.2, 103.3).leds == ()


def test_an_alarm_shines_on_when_the_controller_comes_back_meanwhile(wire: Wire, feedback: Feedback) -> None:
    feedback.countdown(12)
    feedback.lost()
    wire.now_s = 112.6
    feedback.linked(again(remaining_ms=0))
    assert feedback.glow(113, 113.2).leds == tuple(range(12))
    assert feedback.glow(113.7, 114).leds == ()


@pytest.mark.parametrize("told_s", [None, 5])
def test_of_a_countdown_that_nobody_here_began_all_leds_may_shine(
    told_s: float | None, wire: Wire, feedback: Feedback
) -> None:
    if told_s:
        feedback.countdown(told_s)
    feedback.lost()
    feedback.linked(again(remaining_ms=30_000))
    assert feedback.glow(128, 128.1).leds == tuple(range(12))
    assert feedback.glow(131.7, 132).leds == ()
