"""Lights and buttons of a table: what its events show on the shipped fake controller, and what presses do."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from hardware.fake import FakeDevice, FakePort
from hardware.lights import DARK, dimmed
from hardware.link import Lost
from hardware.scheme import DEFAULT
from pipsight.asking import Ask, Pause, Resync
from pipsight.config import Lights, Means
from pipsight.events import (
    Began,
    Countdown,
    Event,
    LightsFound,
    LightsLost,
    Over,
    Paused,
    Pressed,
    Refused,
    Resynced,
    TakenBack,
    TooClose,
    Waits,
    WasFirst,
    Wrong,
    as_json,
)
from pipsight.frame_clock import FrameClock
from pipsight.lighting import Lighting
from tests.pipsight.pages import waited

pytestmark = pytest.mark.needs("cv2")

LEDS = 24
ONE, TWO = DEFAULT.seats[:2]
QUICK = replace(DEFAULT, winner=replace(DEFAULT.winner, period_ms=100, times=1))


class Table:
    """A table for three without a camera: keeps what it is told and asked."""

    players, paused, claims = 3, False, True

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.asked: list[Ask] = []

    def moment(self, here_s: float) -> float:
        return here_s - 1000

    def tell(self, events: list[Event]) -> None:
        for event in events:
            self.heard.put(event)

    def do(self, ask: Ask) -> list[Event]:
        self.asked.append(ask)
        return [Refused("Nothing was seen yet.")] if isinstance(ask, Resync) else []


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice(leds=LEDS)


@pytest.fixture
def lighting(table: Table, device: FakeDevice) -> Iterator[Lighting]:
    yield from lit(table, device)


def lit(table: Table, device: FakeDevice, means: Means = "claim") -> Iterator[Lighting]:
    """The lights of a table, once they are there."""
    one = Lighting(table, Lights(True, "fake", means, QUICK), lambda name: device.port())
    assert isinstance(table.heard.get(timeout=5), LightsFound)
    yield one
    one.close()


def happens(lighting: Lighting, event: Event, **more: Any) -> None:
    lighting.told({**as_json(event, 1.0), **more})


def shows(device: FakeDevice, wanted: Callable[[tuple[Any, ...]], bool]) -> None:
    """See that the LEDs come to show what is wanted."""
    assert waited(lambda: any(wanted(picture.colors) for picture in [*device.pictures]) or wanted(device.colors()))


def comes(device: FakeDevice, colors: tuple[Any, ...]) -> None:
    """See that the LEDs come to show exactly this."""
    assert waited(lambda: device.colors() == colors)


def third(seat: int, color: Any) -> tuple[Any, ...]:
    """All LEDs, only those before one of three seats lit."""
    return tuple(color if k * 3 // LEDS == seat else DARK for k in range(LEDS))


def test_whose_turn_it_is_shines_before_the_seat_and_goes_out_when_it_is_nobodys(
    lighting: Lighting, device: FakeDevice
) -> None:
    happens(lighting, Waits("Player 2 moves.", 1))
    comes(device, third(1, TWO))
    happens(lighting, Waits("Roll the dice.", None))
    waited(lambda: set(device.colors()) == {DARK})


def test_who_plays_alone_needs_no_turn(table: Table, lighting: Lighting, device: FakeDevice) -> None:
    table.players = 1
    happens(lighting, Waits("Your move.", 0))
    happens(lighting, Wrong(()))
    shows(device, lambda colors: set(colors) == {DEFAULT.wrong.color})
    assert ONE not in {color for picture in device.pictures for color in picture.colors}


def test_a_game_that_is_taken_up_again_has_as_many_seats_as_it_had(
    table: Table, lighting: Lighting, device: FakeDevice
) -> None:
    table.players = 6
    happens(lighting, Waits("Player 6 moves.", 5))
    comes(device, (DARK,) * 20 + (TWO,) * 4)
    table.players = 2
    happens(lighting, Paused(True, ""), past=True)
    device.unplug()
    assert isinstance(table.heard.get(timeout=5), LightsLost)
    device.plug()
    assert isinstance(table.heard.get(timeout=5), LightsFound)
    happens(lighting, Waits("Player 2 moves.", 1))
    comes(device, (DARK,) * 12 + (TWO,) * 12)


@pytest.mark.parametrize(
    ("event", "color"),
    [
        (Began("All Fives begins."), None),
        (Wrong(()), DEFAULT.wrong.color),
        (TooClose("Too close to call."), dimmed((DEFAULT.too_close.color or DARK,) * LEDS)[0]),
        (Over(False, (), (0, 0, 0), "A draw."), None),
    ],
)
def test_a_meaning_plays_on_all_leds_and_passes(
    lighting: Lighting, device: FakeDevice, event: Event, color: Any
) -> None:
    happens(lighting, event)
    shows(device, lambda colors: colors[0] != DARK and len(set(colors)) == 1 and color in (None, colors[0]))


@pytest.mark.parametrize("event", [WasFirst("Player 1 was first.", 0), Over(True, (0,), (9, 0, 0), "Player 1 wins.")])
def test_a_winners_leds_stay_lit(lighting: Lighting, device: FakeDevice, event: Event) -> None:
    happens(lighting, event)
    waited(lambda: device.colors()[: LEDS // 3] == (ONE,) * (LEDS // 3))


def test_who_was_first_stays_lit_until_the_next_but_one_wait_for_nobody(lighting: Lighting, device: FakeDevice) -> None:
    happens(lighting, WasFirst("Player 2 was first.", 1))
    happens(lighting, Waits("Roll the dice.", None))
    comes(device, third(1, TWO))
    happens(lighting, Waits("Find the 5-3.", None))
    comes(device, (DARK,) * LEDS)


def test_a_countdown_shortens_and_is_stopped(lighting: Lighting, device: FakeDevice) -> None:
    happens(lighting, Countdown("A minute.", 60))
    shows(device, lambda colors: colors[LEDS - 2] == DEFAULT.countdown.color)
    happens(lighting, Countdown("Stopped.", 0))
    waited(lambda: set(device.colors()) == {DARK})


def test_a_pause_hides_the_turn_and_a_takeback_and_a_resync_show_it_again(
    lighting: Lighting, device: FakeDevice
) -> None:
    happens(lighting, Waits("Player 1 moves.", 0))
    for event, wanted in (
        (Paused(True, ""), (DARK,) * LEDS),
        (Paused(False, ""), third(0, ONE)),
        (Over(True, (1,), (0, 5, 0), ""), third(1, TWO)),
        (TakenBack(("24R",), 1, ""), third(0, ONE)),
        (Over(True, (1,), (0, 5, 0), ""), third(1, TWO)),
        (Resynced(""), third(0, ONE)),
    ):
        happens(lighting, event)
        comes(device, wanted)  # the winner's color may still go round over it


def test_what_is_past_only_tells_whose_turn_it_is(lighting: Lighting, device: FakeDevice) -> None:
    happens(lighting, Wrong(()), past=True)
    happens(lighting, Waits("Player 1 moves.", 0), past=True)
    comes(device, third(0, ONE))
    assert DEFAULT.wrong.color not in {color for picture in device.pictures for color in picture.colors}


def test_another_game_begins_in_the_dark(lighting: Lighting, device: FakeDevice) -> None:
    lighting.shown({"game": "all_fives", "view": "playing"})
    happens(lighting, Waits("Player 1 moves.", 0))
    comes(device, third(0, ONE))
    lighting.shown({"game": "cobra_paw", "view": "setting up"})
    waited(lambda: set(device.colors()) == {DARK})


def test_a_controller_that_is_unplugged_is_told_once_and_shows_the_turn_and_the_countdown_again(
    table: Table, lighting: Lighting, device: FakeDevice
) -> None:
    happens(lighting, Waits("Player 2 moves.", 1))
    comes(device, third(1, TWO))
    device.unplug()
    lost = table.heard.get(timeout=5)
    assert isinstance(lost, LightsLost)
    assert "unplugged: plug it in again. The game goes on without lights and buttons." in lost.text
    happens(lighting, Waits("Player 1 moves.", 0))
    happens(lighting, Countdown("Ten minutes.", 600))
    device.plug()
    assert isinstance(table.heard.get(timeout=5), LightsFound)
    shows(device, lambda colors: colors[LEDS - 2] == DEFAULT.countdown.color)
    happens(lighting, Countdown("Stopped.", 0))
    comes(device, third(0, ONE))
    assert table.heard.empty()


def chosen_again(table: Table, lighting: Lighting) -> None:
    lighting.shown({"game": "bee_race", "view": "playing"})
    lighting.shown({"game": "all_fives", "view": "setting up"})


def seated_anew(table: Table, lighting: Lighting) -> None:
    table.players = 2
    happens(lighting, Paused(True, ""), past=True)


@pytest.mark.parametrize("another_game", [chosen_again, seated_anew])
def test_a_countdown_of_the_game_before_does_not_begin_again_with_a_controller_that_comes_back(
    table: Table, lighting: Lighting, device: FakeDevice, another_game: Callable[[Table, Lighting], None]
) -> None:
    happens(lighting, Countdown("A minute.", 60))
    shows(device, lambda colors: colors[LEDS - 2] == DEFAULT.countdown.color)
    another_game(table, lighting)
    comes(device, (DARK,) * LEDS)
    device.unplug()
    assert isinstance(table.heard.get(timeout=5), LightsLost)
    device.plug()
    assert isinstance(table.heard.get(timeout=5), LightsFound)
    happens(lighting, Waits("Player 1 moves.", 0))
    assert waited(lambda: device.colors()[0] == ONE and set(device.colors()) == {ONE, DARK})


def test_a_press_is_told_with_its_seat_and_the_moment_of_its_own_stamp(
    table: Table, lighting: Lighting, device: FakeDevice
) -> None:
    before_s = table.moment(time.monotonic())
    device.press(1)
    device.press(1, down=False)
    device.press(3)
    press, nobodys = (table.heard.get(timeout=5) for _ in range(2))
    assert isinstance(press, Pressed)
    assert (press.text, press.seat, press.means) == ("Player 2 pressed.", 1, "claim")
    assert press.at_s == pytest.approx(before_s, abs=0.1)
    assert isinstance(nobodys, Pressed)
    assert (nobodys.text, nobodys.seat) == ("Button 4, which is nobody's, was pressed.", None)
    assert table.asked == []


@pytest.mark.parametrize(
    ("means", "asked", "told"), [("pause", Pause(True), []), ("resync", Resync(), ["Nothing was seen yet."])]
)
def test_a_press_pauses_or_takes_the_table_as_it_lies(
    table: Table, device: FakeDevice, means: Means, asked: Ask, told: list[str]
) -> None:
    for _ in lit(table, device, means):
        device.press(0)
        waited(lambda: table.asked)
        assert table.asked == [asked]
        assert isinstance(table.heard.get(timeout=5), Pressed)
        assert [getattr(table.heard.get(timeout=5), "text", "") for _ in told] == told


def test_leaving_darkens_the_lights_and_frees_the_port(table: Table, device: FakeDevice) -> None:
    for lighting in lit(table, device):
        happens(lighting, Waits("Player 1 moves.", 0))
        comes(device, third(0, ONE))
    assert set(device.colors()) == {DARK}


class SlowPort(FakePort):
    """A port whose every write takes as long as a write may."""

    def write(self, data: bytes) -> int:
        time.sleep(0.3)
        return super().write(data)


def test_a_slow_port_delays_nobody(table: Table, device: FakeDevice) -> None:
    slow = Lighting(table, Lights(True, "slow"), lambda name: SlowPort(device, device.running()))
    assert isinstance(table.heard.get(timeout=8), LightsFound)
    before_s = time.perf_counter()
    for seat in range(50):
        happens(slow, Waits("", seat % 3))
    assert time.perf_counter() - before_s < 0.25
    slow.close()


def test_without_a_controller_the_game_goes_on_and_it_is_said_once(table: Table) -> None:
    def nothing(name: str) -> FakePort:
        raise FileNotFoundError(name)

    lighting = Lighting(table, Lights(True, "nowhere"), nothing)
    lost = table.heard.get(timeout=5)
    assert isinstance(lost, LightsLost)
    assert lost.text.startswith("There is no port nowhere: plug the controller in")
    happens(lighting, Wrong(()))
    with pytest.raises(queue.Empty):
        table.heard.get(timeout=0.6)
    lighting.close()


def test_the_leds_that_shine_are_known_for_a_picture_a_moment_ago(lighting: Lighting) -> None:
    assert lighting.glow(time.monotonic()).leds == ()
    happens(lighting, Waits("Player 3 moves.", 2))
    assert lighting.glow(time.monotonic()).leds == tuple(range(16, 24))
    assert lighting.glow(time.monotonic() - 5).leds == ()


def test_the_leds_of_a_controller_that_was_unplugged_are_dark(
    table: Table, lighting: Lighting, device: FakeDevice
) -> None:
    happens(lighting, Waits("Player 3 moves.", 2))
    device.unplug()
    assert isinstance(table.heard.get(timeout=5), LightsLost)
    assert lighting.glow(time.monotonic() + 1).leds == ()


def test_the_frames_clock_follows_the_quickest_frame_and_begins_anew_after_a_gap() -> None:
    clock = FrameClock()
    assert (clock.table_s(50.0), clock.here_s(3.0)) == (0.0, 3.0)
    for time_s, late_s in ((0.0, 0.1), (1.0, 0.02), (2.0, 0.3)):
        clock.saw(time_s, 100 + time_s + late_s)
    assert clock.here_s(2.0) == pytest.approx(102.02)
    assert clock.table_s(102.02) == pytest.approx(2.0)
    clock.saw(2.1, 130.0)
    assert clock.here_s(2.1) == pytest.approx(130.0)


def test_that_the_link_is_closed_as_the_game_is_left_is_no_news(table: Table, lighting: Lighting) -> None:
    class Last(queue.SimpleQueue[Any]):
        """Says that the link was closed, just as the lights are left."""

        def get(self, block: bool = True, timeout: float | None = None) -> Lost:
            lighting._closed.set()
            return Lost("the link was closed")

    lighting._link.events = Last()
    lighting._thread.join(5)
    assert not lighting._thread.is_alive()
    assert table.heard.empty()
