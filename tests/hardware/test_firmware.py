"""The controller's real program on a simulated chip: what its pins do, and what it says."""

from __future__ import annotations

import ctypes
import os
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from benchmarks.link import junk
from benchmarks.simulated import CYCLES_A_MICROSECOND, FIRMWARE, Lit, Moved, Overrun, SimulatedBoard, Timing, Toned
from hardware.conversation import Linked
from hardware.errors import Refused, Unplugged
from hardware.flash import flash
from hardware.lights import Shown, dimmed
from hardware.link import Link, Lost, open_port, probe
from hardware.protocol import (
    Animate,
    Color,
    Command,
    Countdown,
    Finished,
    Light,
    Off,
    Pattern,
    Pressed,
    Sound,
    Stretch,
)

pytestmark = pytest.mark.needs("simavr")

SOON_S = 20  # so long a busy machine may take for what comes at once
LEDS = 24
ALL = Stretch(0, LEDS, (30, 60, 90))
FRAME_US, LATE_US = 20_000, 4_000


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedBoard]:
    with SimulatedBoard(tmp_path_factory.mktemp("board")) as one:
        yield one


@pytest.fixture(scope="module")
def linked(board: SimulatedBoard) -> Iterator[Link]:
    with Link(board.port) as link:
        assert isinstance(link.events.get(timeout=SOON_S), Linked)
        yield link


@pytest.fixture
def link(board: SimulatedBoard, linked: Link) -> Iterator[Link]:
    yield linked
    linked.send(Off()).result(SOON_S)
    board.timing()  # all that was seen before has arrived when this has
    board.wait_for(lambda: board.all(Lit)[-1].colors == full() or None)
    while not linked.events.empty():
        linked.events.get()


def full(*stretches: Stretch) -> tuple[Color, ...]:
    return Shown(LEDS, Light(stretches)).colors(0)


def shown(board: SimulatedBoard, colors: tuple[Color, ...], after: int = 0) -> Lit:
    """The first picture after so many of them that is this one."""
    return board.wait_for(lambda: next((lit for lit in board.all(Lit)[after:] if lit.colors == colors), None))


def moved(board: SimulatedBoard, after: int, count: int) -> list[Moved]:
    """So many moves of buttons after so many others."""
    return board.wait_for(lambda: board.all(Moved)[after:] if len(board.all(Moved)) >= after + count else None)


def micros(cycle: int) -> float:
    return cycle / CYCLES_A_MICROSECOND


def test_a_controller_says_what_it_is(link: Link) -> None:
    assert link.linked
    greeting = link.linked.greeting
    assert (greeting.leds, greeting.buttons, greeting.firmware, greeting.held) == (LEDS, 4, (1, 0), ())
    assert "24 LEDs, 4 buttons" in str(link.linked)


def test_what_was_built_for_another_strip_is_built_anew_and_nothing_else_is(tmp_path: Path) -> None:
    def made(*settings: str) -> tuple[bytes, int]:
        """The program for a board, and when it was built."""
        subprocess.run(["make", "-s", "-C", FIRMWARE, f"BUILD={tmp_path}", *settings], check=True, capture_output=True)
        program = tmp_path / "controller.hex"
        return program.read_bytes(), program.stat().st_mtime_ns

    usual, strong, longer = made(), made("MILLIAMPERES=2000"), made("LEDS=60")
    assert len({usual[0], strong[0], longer[0]}) == 3
    assert made("LEDS=60") == longer
    assert made()[0] == usual[0]


def test_the_program_is_written_also_where_the_folder_of_what_is_temporary_has_a_blank_in_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary, programs, written = tmp_path / "Jane Doe", tmp_path / "programs", tmp_path / "written"
    temporary.mkdir()
    programs.mkdir()
    writer = programs / "avrdude"
    writer.write_text(f'#!/bin/sh\nfor last; do :; done\nlast="${{last#flash:w:}}"\ncat "${{last%:i}}" > {written}\n')
    writer.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    ours, theirs = os.openpty()
    flash(os.ttyname(theirs), leds=60)
    os.close(ours)
    os.close(theirs)
    assert written.read_text().endswith(":00000001FF\n")  # the last line of Intel's format


def test_held_colors_reach_the_strip_bit_by_bit(board: SimulatedBoard, link: Link) -> None:
    chance = Random(1)
    for _ in range(5):
        before = len(board.all(Lit))
        pixels = tuple(Stretch(k, 1, (k, chance.randrange(99), 255 - k)) for k in chance.sample(range(LEDS), 12))
        link.send(Light(pixels)).result(SOON_S)
        shown(board, full(*pixels), before)


def test_the_bits_keep_to_what_every_kind_of_ws2812_takes(board: SimulatedBoard, link: Link) -> None:
    for color in ((0, 0, 0), (255, 255, 255), (1, 2, 4)):
        link.send(Light((Stretch(0, 3, color),))).result(SOON_S)
    timing = board.timing()
    assert Timing((312, 312), (750, 750), timing.rest, timing.pause) == timing
    assert 450 <= timing.rest[0] <= timing.rest[1] <= 1000
    assert timing.pause < 6000  # the quickest kinds take 9 us for the end


def test_more_light_than_a_usb_port_can_feed_is_dimmed(board: SimulatedBoard, link: Link) -> None:
    white = Stretch(0, LEDS, (255, 255, 255))
    link.send(Light((white,))).result(SOON_S)
    lit = shown(board, dimmed(full(white)))
    assert sum(map(sum, lit.colors)) * 20 / 255 <= 400


@pytest.mark.parametrize("pattern", Pattern)
def test_an_animation_plays_as_the_fake_plays_it(board: SimulatedBoard, link: Link, pattern: Pattern) -> None:
    at = len(board.all(Lit))
    link.send(Light((Stretch(0, 6, (9, 9, 9)),))).result(SOON_S)
    held = shown(board, full(Stretch(0, 6, (9, 9, 9))), at)
    command = Animate(pattern, Stretch(3, 12, (200, 100, 50)), 200, 2)
    plays(board, link, command, Shown(LEDS, Light((Stretch(0, 6, (9, 9, 9)),))), 400_000)
    assert board.all(Lit)[-1].colors == held.colors


def test_a_countdown_plays_as_the_fake_plays_it_and_says_when_it_ended(board: SimulatedBoard, link: Link) -> None:
    tones = len(board.all(Toned))
    plays(board, link, Countdown(1000, (0, 90, 30)), Shown(LEDS), 2_500_000)
    finished = link.events.get(timeout=SOON_S)
    assert isinstance(finished, Finished)
    board.wait_for(lambda: len(board.all(Toned)) == tones + 6 or None)
    assert [round(tone.hertz, -1) for tone in board.all(Toned)[tones:]] == [880, 0, 880, 0, 880, 0]
    alarm = [lit for lit in board.all(Lit) if lit.colors == full(Stretch(0, LEDS, (0, 90, 30)))][-3]
    assert micros(alarm.cycle) - finished.micros == pytest.approx(2000, abs=3000)


def test_a_countdown_that_is_due_has_nothing_left_also_before_it_was_ended(tmp_path: Path) -> None:
    lights, shown, began = of_this_machine(tmp_path), Shown(LEDS).told(Countdown(1000, (0, 90, 30)), 0), 2**32 - 500_000
    assert lights.lights_count(1000, bytes((0, 90, 30)), began)
    for at in (0, 1, 499_999, 999_999, 1_000_000, 1_000_001, 1_700_000):
        assert lights.lights_remaining((began + at) % 2**32) == shown.remaining_ms(at)


def of_this_machine(folder: Path) -> ctypes.CDLL:
    """The controller's lights.c without its chip, for moments between two steps that no simulation meets at will."""
    (folder / "avr").mkdir()
    (folder / "avr" / "io.h").touch()
    (folder / "rest.c").write_text("void strip_show(void) {}\nvoid countdown_ended(void) {}\n", encoding="utf-8")
    library = folder / "lights.so"
    sources = [FIRMWARE / "lights.c", folder / "rest.c"]
    subprocess.run(["cc", "-shared", "-fPIC", "-I", folder, "-o", library, *sources], check=True)
    lights = ctypes.CDLL(str(library))
    lights.lights_remaining.restype = ctypes.c_uint32
    return lights


CHIP = """
#pragma once
#include <stdint.h>
#define _BV(bit) (1 << (bit))
#define ISR(of) void of(void)
#define ATOMIC_BLOCK(how) for (int inside = 1; inside; inside = 0, let_go()) /* just then the button is let go */
extern uint8_t PINC, PORTC, PCMSK1, PCICR;
enum { PCIE1 };
void let_go(void);
"""
TABLE = """
#include <stdbool.h>
#include <avr/io.h>
uint8_t PINC = 0xff, PORTC, PCMSK1, PCICR;
uint32_t now, told[8], count;
bool quick;
uint32_t micros(void) { return now; }
void PCINT1_vect(void);
void move(uint8_t pins) { PINC = pins; PCINT1_vect(); }
void let_go(void) { if (quick) move(0xff); }
void button_moved(uint8_t button, bool down, uint32_t at) { told[count++] = at * 2 + down; }
"""


def test_a_press_is_told_also_where_the_button_is_let_go_just_as_it_is_found_to_rest(tmp_path: Path) -> None:
    for folder, header in (("avr", "io.h"), ("avr", "interrupt.h"), ("util", "atomic.h")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / header).write_text(CHIP if header == "io.h" else "", encoding="utf-8")
    (tmp_path / "table.c").write_text(TABLE, encoding="utf-8")
    library = tmp_path / "buttons.so"
    sources = [FIRMWARE / "buttons.c", tmp_path / "table.c"]
    subprocess.run(["cc", "-shared", "-fPIC", "-I", tmp_path, "-o", library, *sources], check=True)
    buttons = ctypes.CDLL(str(library))
    now, quick = ctypes.c_uint32.in_dll(buttons, "now"), ctypes.c_bool.in_dll(buttons, "quick")
    buttons.buttons_begin()
    now.value = 1_000
    buttons.move(0xFE)
    for now.value, quick.value in ((7_000, True), (13_000, False)):
        buttons.buttons_step(now)
    told = (ctypes.c_uint32 * 8).in_dll(buttons, "told")
    assert [divmod(one, 2) for one in told if one] == [(1_000, True), (7_000, False)]


def plays(board: SimulatedBoard, link: Link, command: Command, before: Shown, length_us: int) -> None:
    """The strip shows what is worked out for the fake too, from the command to some time after it is over."""
    at = len(board.all(Lit))
    link.send(command).result(SOON_S)
    after = before.told(command, 0)
    first = board.wait_for(lambda: next(iter(board.all(Lit)[at:]), None))
    board.wait_for(lambda: board.all(Lit)[-1].colors == after.colors(length_us) or None)
    pictures = board.all(Lit)[at:]
    for lit in pictures:
        since = round(micros(lit.cycle - first.cycle))
        assert lit.colors in [dimmed(after.colors(since + late)) for late in range(0, LATE_US, 250)], since
    expected = [dimmed(after.colors(t)) for t in range(0, length_us + FRAME_US, FRAME_US)]
    changes = sum(one != other for one, other in pairwise(expected))
    assert changes * 0.8 <= len(pictures) <= changes * 1.2 + 2


def test_tunes_sound_at_their_frequencies_for_their_time(board: SimulatedBoard, link: Link) -> None:
    at = len(board.all(Toned))
    notes = ((440, 60), (0, 20), (31, 200), (1000, 40), (2637, 40), (20_000, 30))
    link.send(Sound(notes)).result(SOON_S)
    board.wait_for(lambda: board.all(Toned)[at:][6:] or None)
    tones = board.all(Toned)[at:]
    heard = [tone.hertz for tone in tones]
    assert heard == pytest.approx([440, 0, 31, 1000, 2637, 20_000, 0], rel=0.01)
    begun = [micros(tone.cycle - tones[0].cycle) / 1000 for tone in tones]
    lags = [1500 / tone.hertz if tone.hertz else 0 for tone in tones]  # three half waves make a tone
    expected = [ms + lag - lags[0] for ms, lag in zip([0, 60, 80, 280, 320, 360, 390], lags, strict=True)]
    assert begun == pytest.approx(expected, abs=4)


def test_a_press_is_told_once_with_the_time_at_which_it_began(board: SimulatedBoard, link: Link) -> None:
    bounces = [(True, 0), (False, 300), (True, 700), (False, 1100), (True, 1500), (False, 60_000), (True, 60_400)]
    before = len(board.all(Moved))
    for down, after_us in (*bounces, (False, 61_000)):
        board.press(2, down, after_us)
    pressed, released = (link.events.get(timeout=SOON_S) for _ in range(2))
    assert isinstance(pressed, Pressed)
    assert isinstance(released, Pressed)
    assert (pressed.button, pressed.down, released.button, released.down) == (2, True, 2, False)
    moves = moved(board, before, 8)
    assert released.micros - pressed.micros == pytest.approx(micros(moves[5].cycle - moves[0].cycle), abs=50)
    assert link.events.empty()


def test_presses_at_once_while_the_strip_is_written_keep_their_times(board: SimulatedBoard, link: Link) -> None:
    chance = Random(2)
    link.send(Animate(Pattern.CHASE, ALL, 100, 0)).result(SOON_S)
    before, offsets = len(board.all(Moved)), []
    for k in range(12):
        for down, base in ((True, 0), (False, 30_000)):
            board.press(k % 4, down, base + chance.randrange(20_000))
        pair = [link.events.get(timeout=SOON_S) for _ in range(2)]
        moves = moved(board, before + 2 * k, 2)
        for event, move in zip(pair, moves, strict=True):
            assert isinstance(event, Pressed)
            assert (event.button, event.down) == (move.button, move.down)
            offsets.append(event.micros - micros(move.cycle))
    assert max(offsets) - min(offsets) < 1000


def test_a_twitch_of_a_wire_is_no_press(board: SimulatedBoard, link: Link) -> None:
    board.press(1, True, 0)
    board.press(1, False, 800)
    board.press(0, True, 20_000)
    board.press(0, False, 50_000)
    events = [link.events.get(timeout=SOON_S) for _ in range(2)]
    assert [event.button for event in events if isinstance(event, Pressed)] == [0, 0]


def test_what_does_not_fit_the_strip_is_refused_and_changes_nothing(board: SimulatedBoard, link: Link) -> None:
    link.send(Light((ALL,))).result(SOON_S)
    lit = shown(board, full(ALL))
    for command in (
        Light((Stretch(20, 5, (1, 1, 1)),)),
        Animate(Pattern.BLINK, Stretch(0, 0, (1, 1, 1)), 100),
        Animate(Pattern.BLINK, ALL, 5),
        Countdown(999),
        Countdown(3_600_001),
        Sound(((30, 100),)),
        Sound(((440, 1),) * 17),
    ):
        with pytest.raises(Refused, match="cannot do"):
            link.send(command).result(SOON_S)
    assert board.all(Lit)[-1] == lit


def test_no_byte_was_lost(board: SimulatedBoard, link: Link) -> None:
    assert board.all(Overrun) == []


def test_without_a_computer_all_goes_dark_and_silent_after_two_seconds(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board:
        with Link(board.port) as link:
            link.events.get(timeout=SOON_S)
            link.send(Sound(((440, 20_000),))).result(SOON_S)
            link.send(Light((ALL,))).result(SOON_S)
            lit = shown(board, full(ALL))
        board.hurry()
        dark = shown(board, full(), board.all(Lit).index(lit))
        silence = board.wait_for(lambda: next((tone for tone in board.all(Toned) if not tone.hertz), None))
    assert 1.9e6 < micros(dark.cycle - lit.cycle) < 2.6e6
    assert abs(micros(dark.cycle - silence.cycle)) < 20_000


def test_without_a_computer_a_countdown_runs_to_its_end_and_the_next_one_is_told_of_it(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board:
        with Link(board.port) as link:
            link.events.get(timeout=SOON_S)
            link.send(Countdown(5_000, (0, 90, 30))).result(SOON_S)
            began = board.wait_for(lambda: next((lit for lit in board.all(Lit) if any(map(any, lit.colors))), None))
        board.hurry(5)
        board.wait_for(lambda: micros(board.all(Lit)[-1].cycle - began.cycle) > 2.5e6 or None)
        linked = probe(board.port)
        board.hurry()
        tone = board.wait_for(lambda: next(iter(board.all(Toned)), None))
    assert 0 < linked.greeting.remaining_ms < 2_500
    assert micros(tone.cycle - began.cycle) == pytest.approx(5e6, abs=5000)


def test_an_alarm_sounds_to_its_end_although_the_computer_is_gone_meanwhile_and_a_tune_does_not(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board:
        with Link(board.port) as link:
            link.events.get(timeout=SOON_S)
            link.send(Countdown(1_500, (0, 90, 30))).result(SOON_S)
        board.hurry()
        tones = board.wait_for(lambda: board.all(Toned)[:6] if len(board.all(Toned)) == 6 else None)
        board.hurry(1)
        with Link(board.port) as link:
            link.events.get(timeout=SOON_S)
            link.send(Countdown(5_000, (0, 90, 30), loud=False)).result(SOON_S)
            link.send(Sound(((440, 20_000),))).result(SOON_S)
        board.hurry()
        began, ended = board.wait_for(lambda: board.all(Toned)[6:] if len(board.all(Toned)) == 8 else None)
    begun = [micros(tone.cycle - tones[0].cycle) / 1000 for tone in tones]
    assert begun == pytest.approx([0, 250, 500, 750, 1000, 1250], abs=4)
    assert 1.9e6 < micros(ended.cycle - began.cycle) < 2.6e6


def test_an_unplugged_controller_is_found_again_and_nothing_of_the_old_talk_disturbs_it(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board, Link(board.port) as link:
        for k in range(3):
            linked = link.events.get(timeout=SOON_S)
            assert isinstance(linked, Linked)
            assert linked.greeting.held == ()
            sent = [link.send(Light((Stretch(n, 1, (k, 50, 50)),))) for n in range(20)]
            board.unplug()
            lost = link.events.get(timeout=SOON_S)
            assert isinstance(lost, Lost)
            assert "unplugged: plug it in again" in lost.text
            assert isinstance(sent[-1].exception(SOON_S), Unplugged)
            assert isinstance(link.send(Off()).exception(SOON_S), Unplugged)
            board.plug()
        assert isinstance(link.events.get(timeout=SOON_S), Linked)
        link.send(Light((ALL,))).result(SOON_S)
        shown(board, full(ALL))


class Stalling:
    """A port behind which this computer stands still once it is told to, just as it looks for what came.

    It does so right after it has said something: with what it was silent before, a controller might take it for gone.
    """

    def __init__(self, name: str) -> None:
        self._port, self.still_s, self._said = open_port(name), 0.0, False

    @property
    def in_waiting(self) -> int:
        return self._port.in_waiting

    def read(self, size: int = 1) -> bytes:
        said, self._said = self._said, False
        if not (said and self.still_s):
            return self._port.read(size)
        time.sleep(self.still_s)
        self.still_s = 0.0
        return self._port.read(1)

    def write(self, data: bytes) -> int | None:
        self._said = True
        return self._port.write(data)

    def close(self) -> None:
        self._port.close()


def test_presses_while_the_computer_stands_still_are_told_and_the_port_stays_open(tmp_path: Path) -> None:
    ports: list[Stalling] = []

    def opened(name: str) -> Stalling:
        ports.append(Stalling(name))
        return ports[-1]

    with SimulatedBoard(tmp_path) as board, Link(board.port, opened) as link:
        assert isinstance(link.events.get(timeout=SOON_S), Linked)
        time.sleep(0.6)  # the pings at the beginning are answered
        ports[0].still_s = 1.55
        board.press(3, True, 400_000)
        board.press(3, False, 500_000)
        told = [link.events.get(timeout=SOON_S) for _ in range(2)]
    assert [(event.button, event.down) for event in told if isinstance(event, Pressed)] == [(3, True), (3, False)]
    assert len(ports) == 1


def test_spoilt_messages_never_make_a_wrong_light_nor_hang_it(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path) as board:
        told = junk(board, portion=1, messages=300)
    assert told["messages"] == 300
    assert told["expected"] > 150
    assert told["shown"] == pytest.approx(told["expected"], rel=0.02)
    assert [told[key] for key in ("wrong", "slipped", "hung", "overruns")] == [0, 0, False, 0]
