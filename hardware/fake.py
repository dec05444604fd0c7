"""A controller without a board: the whole protocol at the level of bytes, and what it showed and sounded, and when."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from hardware.clock import ROUND
from hardware.framing import Splitter
from hardware.lights import ALARM_PERIOD_MS, ALARM_TIMES, DARK, Shown, dimmed
from hardware.protocol import (
    AUDIBLE,
    MOST_NOTES,
    VERSION,
    Ack,
    Animate,
    Color,
    Countdown,
    Finished,
    Greeting,
    Hello,
    Light,
    Message,
    Nack,
    Note,
    Off,
    Ping,
    Pong,
    Pressed,
    Reason,
    Sound,
    decoded,
    encoded,
)

FIRMWARE = (1, 0)
GONE, AGAIN, FRAME = 2_000_000, 50_000, 20_000  # microseconds, as in the firmware
MOST_EVENTS = 16
BUTTONS = 4
READ_S = 0.02  # how long a read waits for a byte
ALARM: tuple[Note, ...] = ((880, 250), (0, 250), (880, 250), (0, 250), (880, 250))


@dataclass(frozen=True)
class Picture:
    """What all LEDs showed from a moment on; at_s: by the fake's clock, in seconds."""

    at_s: float
    colors: tuple[Color, ...]


@dataclass(frozen=True)
class Tone:
    """What the buzzer sounded from a moment on, in hertz, 0 for silence; at_s as in Picture."""

    at_s: float
    hertz: int


class FakeDevice:
    """A controller in memory; `port()` is its serial port, as pyserial would open it.

    pictures, tones: what it showed and sounded so far, in order of time. clock: gives seconds.

    >>> device = FakeDevice()
    >>> link = Link("the fake", opened=lambda name: device.port())
    >>> device.press(0)
    >>> device.colors()[0]
    (0, 0, 0)
    """

    def __init__(self, leds: int = 24, protocol: int = VERSION, clock: Callable[[], float] = time.monotonic) -> None:
        self.pictures: list[Picture] = []
        self.tones: list[Tone] = []
        self.changed = threading.Condition()
        self._clock, self._made = clock, (leds, protocol)
        self._held: set[int] = set()
        self._power: _Controller | None = None
        self.plug()

    def port(self) -> FakePort:
        """Its serial port, opened; FileNotFoundError while it is unplugged."""
        with self.changed:
            return FakePort(self, self.running())

    def press(self, button: int, down: bool = True) -> None:
        """Press a button (from 0), or let it go."""
        with self.changed:
            (self._held.add if down else self._held.discard)(button)
            self.running().moved(button, down)
            self.changed.notify_all()

    def unplug(self) -> None:
        """Pull the cable: its port fails from now on, and it loses its power."""
        with self.changed:
            self.running()
            self._power = None
            self.pictures.append(Picture(self._clock(), (DARK,) * self._made[0]))
            self.changed.notify_all()

    def plug(self) -> None:
        """Plug it in again; it starts anew."""
        with self.changed:
            self._power = _Controller(*self._made, self._clock, self._held, self.pictures, self.tones)

    def colors(self) -> tuple[Color, ...]:
        """What its LEDs show now."""
        with self.changed:
            if self._power:
                self.running()
            return self.pictures[-1].colors

    def running(self) -> _Controller:
        """The controller as it is now; FileNotFoundError while it is unplugged."""
        if self._power is None:
            raise FileNotFoundError("the fake controller is unplugged")
        self._power.catch_up()
        return self._power


class FakePort:
    """The serial port of a fake device, with as much of pyserial's face as a link uses."""

    def __init__(self, device: FakeDevice, controller: _Controller) -> None:
        self._device, self._controller = device, controller
        self._awake = False

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read; OSError where the device was unplugged."""
        with self._device.changed:
            return len(self._running().out)

    def read(self, size: int = 1) -> bytes:
        """Up to so many bytes, as soon as there is one, or none after a short while."""
        with self._device.changed:
            self._device.changed.wait_for(lambda: self._awake or self._running().out, READ_S)
            self._awake = False
            out = self._running().out
            given = bytes(out[:size])
            del out[:size]
            return given

    def write(self, data: bytes) -> int:
        """Send bytes to the device."""
        with self._device.changed:
            self._running().take(data)
            self._device.changed.notify_all()
        return len(data)

    def cancel_read(self) -> None:
        """Let a read that waits end now."""
        with self._device.changed:
            self._awake = True
            self._device.changed.notify_all()

    def close(self) -> None:
        """Nothing more comes through this port."""

    def _running(self) -> _Controller:
        """The controller that was there when the port was opened; one that was plugged in since has another port."""
        if self._device.running() is not self._controller:
            raise OSError("the fake controller was unplugged")
        return self._controller


class _Controller:
    """The controller from one power-on to the next, as the firmware behaves."""

    def __init__(
        self,
        leds: int,
        protocol: int,
        clock: Callable[[], float],
        held: set[int],
        pictures: list[Picture],
        tones: list[Tone],
    ) -> None:
        self._protocol, self._held = protocol, held
        self._clock, self._pictures, self._tones = clock, pictures, tones
        self._began_s = clock()
        self.out = bytearray()
        self._shown, self._tune = Shown(leds), deque[tuple[int, int]]()
        self._splitter = Splitter()
        self._session: int | None = None
        self._last, self._answer = 0, cast("Message", Ack())
        self._events: deque[Pressed | Finished] = deque()
        self._event, self._told_at = 0, -1
        self._heard_at = self._caught_up = 0
        self._ended, self._alarm_is_newest = True, False
        self._moment(0)

    def catch_up(self) -> None:
        """Do all that was due up to now."""
        now = self._now()
        while self._moves() and self._caught_up + FRAME < now:
            self._moment(self._caught_up + FRAME)
        self._moment(now)

    def moved(self, button: int, down: bool) -> None:
        """A button went down or came up."""
        self._tell(Pressed(button, down, self._now() % ROUND))
        self._moment(self._now())

    def take(self, data: bytes) -> None:
        """Bytes from the computer."""
        now = self._now()
        for frame in self._splitter.feed(data):
            message = decoded(frame)
            if isinstance(message, Hello):
                self._greet(frame.sequence, now)
            elif self._session is None:
                if not isinstance(message, Ack):
                    self._say(Nack(Reason.NO_SESSION), frame.sequence)
                continue
            elif isinstance(message, Ping):
                self._say(Pong(now % ROUND), frame.sequence)
            elif isinstance(message, Ack):
                self._acknowledged(frame.sequence)
            else:
                self._command(message, frame.sequence, now)
            self._heard_at = now
        self._moment(now)

    def _now(self) -> int:
        return round((self._clock() - self._began_s) * 1e6)

    def _moves(self) -> bool:
        """Whether anything changes by itself."""
        ends = self._heard_at + GONE if self._session is not None else 0
        return bool(self._shown.playing or not self._ended or self._tune or ends or self._alarmed(self._caught_up))

    def _alarmed(self, at: int) -> bool:
        counting = self._shown.counting
        return bool(counting and at < counting.end + ALARM_PERIOD_MS * ALARM_TIMES * 1000)

    def _moment(self, at: int) -> None:
        """Everything that is due at this microsecond."""
        self._caught_up = at
        if self._session is not None and at - self._heard_at > GONE:
            self._session = None
            self._shown = self._shown.cleared()
            self._end_tune(at)
        counting = self._shown.counting
        if counting and not self._ended and at >= counting.end:
            self._ended = True
            self._tell(Finished(counting.end % ROUND))
            if counting.countdown.loud:
                self._play(ALARM, counting.end)
        while self._tune and self._tune[0][0] <= at:
            self._tone(*self._tune.popleft())
        self._repeat_event(at)
        self._show(at)

    def _show(self, at: int) -> None:
        colors = dimmed(self._shown.colors(at))
        if not self._pictures or self._pictures[-1].colors != colors:
            self._pictures.append(Picture(self._began_s + at / 1e6, colors))

    def _tone(self, at: int, hertz: int) -> None:
        if hertz != (self._tones[-1].hertz if self._tones else 0):
            self._tones.append(Tone(self._began_s + at / 1e6, hertz))

    def _end_tune(self, at: int) -> None:
        """Whoever comes or goes ends a tune, but no alarm."""
        if not self._alarm_is_newest:
            self._play((), at)

    def _play(self, notes: tuple[Note, ...], at: int) -> None:
        self._tune.clear()
        self._alarm_is_newest = notes is ALARM
        for hertz, ms in notes:
            self._tune.append((at, hertz))
            at += ms * 1000
        self._tune.append((at, 0))

    def _say(self, message: Message, sequence: int) -> None:
        self.out += encoded(message, sequence)

    def _greet(self, sequence: int, now: int) -> None:
        if sequence != self._session:
            self._session, self._last, self._answer = sequence, sequence, Ack()
            self._shown = self._shown.cleared()
            self._end_tune(now)
            self._events.clear()
            self._event, self._told_at = 0, -1
        remaining = self._shown.remaining_ms(now)
        leds, held = self._shown.leds, tuple(sorted(self._held))
        self._say(Greeting(self._protocol, FIRMWARE, leds, BUTTONS, held, remaining, now % ROUND), sequence)

    def _command(self, message: Message | None, sequence: int, now: int) -> None:
        """Each command is done once and in order: its number is one more than the last."""
        if sequence == (self._last + 1) % 65_536:
            self._last = sequence
            self._answer = Ack() if self._done(message, now) else Nack(Reason.BAD)
        elif sequence != self._last:
            self._say(Nack(Reason.OUT_OF_ORDER), sequence)
            return
        self._say(self._answer, sequence)

    def _done(self, message: Message | None, now: int) -> bool:
        match message:
            case Sound(notes):
                if len(notes) > MOST_NOTES or any(hertz and hertz not in AUDIBLE for hertz, _ in notes):
                    return False
                self._play(notes, now)
                return True
            case Light() | Animate() | Countdown() | Off():
                return self._lit(message, now)
        return False

    def _lit(self, command: Light | Animate | Countdown | Off, now: int) -> bool:
        try:
            self._shown = self._shown.told(command, now)
        except ValueError:
            return False
        if isinstance(command, Countdown):
            self._ended = command.length_ms == 0
        if isinstance(command, Off):
            self._ended = True
            self._play((), now)
        return True

    def _tell(self, event: Pressed | Finished) -> None:
        if self._session is not None and len(self._events) < MOST_EVENTS:
            self._events.append(event)

    def _repeat_event(self, at: int) -> None:
        """Send the oldest event until it is acknowledged."""
        if self._session is None or not self._events or 0 <= self._told_at > at - AGAIN:
            return
        if self._told_at < 0:
            self._event = (self._event + 1) % 65_536
        self._told_at = at
        self._say(self._events[0], self._event)

    def _acknowledged(self, sequence: int) -> None:
        if self._events and self._told_at >= 0 and sequence == self._event:
            self._events.popleft()
            self._told_at = -1
