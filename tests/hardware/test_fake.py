"""The shipped fake controller, with a clock set by hand: it does by the byte what the real program does."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.spoiling import LEDS, Listening, Sending
from hardware.fake import FakeDevice, FakePort
from hardware.framing import Splitter
from hardware.protocol import (
    Ack,
    Countdown,
    Finished,
    Greeting,
    Hello,
    Light,
    Message,
    Nack,
    Ping,
    Pong,
    Pressed,
    Reason,
    Sound,
    Stretch,
    decoded,
    encoded,
)

BLUE = Light((Stretch(0, 2, (0, 0, 9)),))


class Bench:
    """A fake controller, its port, and a clock that stands still unless it is moved on."""

    def __init__(self) -> None:
        self.now_s = 50.0
        self.device = FakeDevice(leds=4, clock=lambda: self.now_s)
        self.port: FakePort = self.device.port()
        self._splitter = Splitter()

    def says(self) -> list[tuple[int, Message | None]]:
        """What it has said since it was last asked, with numbers."""
        data = self.port.read(self.port.in_waiting) if self.port.in_waiting else b""
        return [(frame.sequence, decoded(frame)) for frame in self._splitter.feed(data)]

    def told(self, message: Message, sequence: int) -> list[tuple[int, Message | None]]:
        """What it says to a message."""
        self.port.write(encoded(message, sequence))
        return self.says()

    def after(self, seconds: float) -> list[tuple[int, Message | None]]:
        """What it says within so many seconds."""
        self.now_s += seconds
        return self.says()


@pytest.fixture
def bench() -> Bench:
    one = Bench()
    ((number, greeting),) = one.told(Hello(), 7)
    assert number == 7
    assert isinstance(greeting, Greeting)
    return one


def test_before_a_hello_nothing_is_done() -> None:
    bench = Bench()
    assert bench.told(BLUE, 1) == [(1, Nack(Reason.NO_SESSION))]
    assert bench.told(Ping(), 2) == [(2, Nack(Reason.NO_SESSION))]
    assert set(bench.device.colors()) == {(0, 0, 0)}


def test_a_repeated_command_is_answered_again_and_not_done_again(bench: Bench) -> None:
    tune = Sound(((440, 100),))
    assert bench.told(tune, 8) == [(8, Ack())]
    bench.now_s += 0.15
    assert bench.told(tune, 8) == [(8, Ack())]
    assert [tone.hertz for tone in bench.device.tones] == [440, 0]


def test_a_command_out_of_order_and_one_that_cannot_be_are_not_done(bench: Bench) -> None:
    assert bench.told(BLUE, 9) == [(9, Nack(Reason.OUT_OF_ORDER))]
    assert bench.told(Countdown(5), 8) == [(8, Nack(Reason.BAD))]
    assert bench.told(BLUE, 9) == [(9, Ack())]


def test_a_repeated_hello_begins_nothing_new_and_another_one_does(bench: Bench) -> None:
    bench.told(BLUE, 8)
    bench.told(Hello(), 7)
    assert bench.device.colors()[0] == (0, 0, 9)
    bench.told(Hello(), 99)
    assert bench.device.colors()[0] == (0, 0, 0)


def test_a_press_is_repeated_until_it_is_acknowledged(bench: Bench) -> None:
    bench.device.press(2)
    bench.device.press(2, down=False)
    down, up = Pressed(2, True, 0), Pressed(2, False, 0)
    assert bench.says() == [(1, down)]
    assert bench.after(0.06) == [(1, down)]
    assert bench.told(Ack(), 1) == [(2, up)]
    assert bench.told(Ack(), 2) == []


def test_a_silent_computer_is_gone_after_two_seconds_but_its_countdown_goes_on(bench: Bench) -> None:
    bench.told(BLUE, 8)
    bench.told(Countdown(5000, (0, 9, 0)), 9)
    assert bench.after(2.1) == []
    assert bench.told(Ping(), 1) == [(1, Nack(Reason.NO_SESSION))]
    ((_, greeting),) = bench.told(Hello(), 20)
    assert isinstance(greeting, Greeting)
    assert greeting.remaining_ms == 2900
    for _ in range(2):
        bench.now_s += 1.5
        bench.told(Ping(), 5)
    assert [at.hertz for at in bench.device.tones[:1]] == [880]
    assert bench.device.tones[0].at_s == pytest.approx(55)
    assert isinstance(bench.after(0.06)[0][1], Finished)


def tones(bench: Bench) -> list[tuple[float, int]]:
    """What its buzzer sounded, each with its seconds since the beginning."""
    bench.device.colors()
    return [(round(tone.at_s - 50, 2), tone.hertz) for tone in bench.device.tones]


ALARM_AT_1_5 = [(1.5, 880), (1.75, 0), (2.0, 880), (2.25, 0), (2.5, 880), (2.75, 0)]


def test_an_alarm_sounds_to_its_end_when_the_computer_is_gone_meanwhile(bench: Bench) -> None:
    bench.told(Countdown(1500, (0, 9, 0)), 8)
    bench.now_s += 3
    assert tones(bench) == ALARM_AT_1_5


def test_an_alarm_sounds_to_its_end_when_a_computer_comes_meanwhile(bench: Bench) -> None:
    bench.told(Countdown(1500, (0, 9, 0)), 8)
    bench.after(1.6)
    bench.told(Hello(), 20)
    bench.now_s += 1.4
    assert tones(bench) == ALARM_AT_1_5


def test_a_tune_ends_with_the_session_although_a_countdown_runs(bench: Bench) -> None:
    bench.told(Countdown(5000, (0, 9, 0), loud=False), 8)
    bench.told(Sound(((440, 9000),)), 9)
    bench.now_s += 4
    began, (ended_s, hertz) = tones(bench)
    assert (began, hertz) == ((0, 440), 0)
    assert ended_s == pytest.approx(2, abs=0.03)


def test_a_ping_tells_the_time(bench: Bench) -> None:
    bench.now_s += 1.5
    assert bench.told(Ping(), 300) == [(300, Pong(1_500_000))]


def test_of_spoilt_messages_only_whole_ones_in_order_are_done() -> None:
    now_s = 10.0
    device = FakeDevice(leds=LEDS, clock=lambda: now_s)
    port, sending, listening = device.port(), Sending(Random(3), 7), Listening(7)
    port.write(encoded(Hello(), 7))
    for message in sending.messages(200):
        now_s += 0.002
        port.write(message)
        port.read(port.in_waiting)
        listening.hear(message, sending.meant)
    assert len(listening.shown) > 100
    assert listening.slipped == 0
    pictures = [picture.colors for picture in device.pictures][1:]
    assert [shown for shown in listening.shown if shown in pictures] == pictures
    assert pictures[-1] == listening.shown[-1]
