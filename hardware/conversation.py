"""The computer's side of the talk with a controller, as bytes and times: it knows neither ports nor threads."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from hardware.clock import Clock
from hardware.errors import OldFirmware, OtherDevice, Refused, Silent, Unplugged
from hardware.framing import Frame, Splitter
from hardware.protocol import (
    VERSION,
    Ack,
    Command,
    Finished,
    Greeting,
    Hello,
    Message,
    Nack,
    Ping,
    Pong,
    Pressed,
    Reason,
    decoded,
    encoded,
)

GREETING_S = 4.0  # a bootloader may have the port for two seconds after it was opened
HELLO_EVERY_S = 0.1
AGAIN_S = 0.06
PING_EVERY_S = 0.25  # the oftener, the longer may this side stand still before it is taken for gone
FIRST_PINGS, FIRST_EVERY_S = 8, 0.02  # the clock is wanted at once
SILENT_S = 1.5
AWAY_S = 0.5  # a computer that did nothing for so long has asked nobody and looked at nothing
ASTRAY_S = 0.3  # a countdown that ends so much earlier or later is another one


@dataclass(frozen=True)
class Linked:
    """The controller answers, for the first time or once more; it shows nothing but a countdown that still ran."""

    greeting: Greeting
    port: str = ""

    def __str__(self) -> str:
        it = self.greeting
        text = f"controller at {self.port}: firmware {it.firmware[0]}.{it.firmware[1]}, {it.leds} LEDs"
        return f"{text}, {it.buttons} buttons{''.join(map(held_words, it.held))}"

    def counts(self, left_s: float) -> bool:
        """Whether the countdown that it still runs, if any, has about so many seconds left, 0 for none."""
        return abs(self.greeting.remaining_ms / 1000 - left_s) < ASTRAY_S


HELD = "is held down or its wire touches ground: let it go"


def held_words(button: int) -> str:
    """What to say of a button (from 0) that is down when nobody plays."""
    return f"; button {button + 1} {HELD}"


Event: TypeAlias = Linked | Pressed | Finished


@dataclass
class _Sent:
    """A command on its way: its number, itself, its bytes, when they left last."""

    sequence: int
    command: Command
    wire: bytes
    done: Future[float]
    at_s: float


@dataclass
class Conversation:
    """Greets, sends each command until it is acknowledged, keeps both sides alive and the clock right.

    now: the present by time.monotonic, in seconds. port: what errors call the other side.
    """

    port: str
    now: float
    greeting: Greeting | None = None
    clock: Clock = field(init=False)
    chance: Random = field(default_factory=Random)
    _splitter: Splitter = field(default_factory=Splitter)
    _waiting: deque[tuple[Command, Future[float]]] = field(default_factory=deque)
    _sent: _Sent | None = None
    _pinged: dict[int, float] = field(default_factory=dict)
    _said: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._bytes_heard = 0
        self._begin(self.now)

    def _begin(self, now: float) -> None:
        """Say Hello, and everything from the beginning; a controller that started anew has a new clock, too."""
        self.greeting, self.clock = None, Clock()
        self._began_s = self._heard_s = self._there_s = now
        self._sequence = self._session = self.chance.randrange(1 << 16)
        self._event, self._pings = 0, 0
        self._hello_s = self._ping_s = now
        self._pinged.clear()
        if self._sent:
            self._waiting.appendleft((self._sent.command, self._sent.done))
            self._sent = None

    def send(self, command: Command, done: Future[float]) -> None:
        """Send a command as soon as those before it are acknowledged; `done` gets the time of its acknowledgement."""
        self._waiting.append((command, done))

    def hear(self, data: bytes, now: float) -> list[Event]:
        """What these bytes say; raises OldFirmware, and OtherDevice for a mere echo."""
        self._forgive(now)
        self._bytes_heard += len(data)
        events: list[Event] = []
        for frame in self._splitter.feed(data):
            message = decoded(frame)
            if message is not None:
                events += self._heard(message, frame, now)
        return events

    def say(self, now: float) -> bytes:
        """The bytes that are due now; raises OtherDevice where nobody greets, Unplugged where nobody answers."""
        self._forgive(now)
        if self.greeting is None:
            self._greet(now)
        else:
            self._talk(now)
        said = bytes(self._said)
        self._said.clear()
        return said

    def drop(self, reason: Exception) -> None:
        """Tell whoever waits for an acknowledgement that none will come."""
        for done in (*(done for _, done in self._waiting), *([self._sent.done] if self._sent else [])):
            if not done.done():
                done.set_exception(reason)
        self._waiting.clear()
        self._sent = None

    def _forgive(self, now: float) -> None:
        """Count no silence while this side itself stood still: what came meanwhile waits to be heard."""
        if (away_s := now - self._there_s) > AWAY_S:
            self._began_s += away_s
            self._heard_s += away_s
        self._there_s = now

    def _greet(self, now: float) -> None:
        if now - self._began_s > GREETING_S:
            raise self._nobody()
        if now >= self._hello_s:
            self._put(Hello(), self._session)
            self._hello_s = now + HELLO_EVERY_S

    def _nobody(self) -> OtherDevice:
        if self._bytes_heard:
            return OtherDevice(f"another device answers at {self.port}: name the port of the controller, or flash it")
        return Silent(f"nothing answers at {self.port}: see that it is the controller, and that it was flashed")

    def _talk(self, now: float) -> None:
        if now - self._heard_s > SILENT_S:
            raise Unplugged(f"the controller at {self.port} says nothing any more: look at its cable")
        if now >= self._ping_s:
            self._pings += 1
            self._pinged = {self._pings % 65_536: now, **dict(list(self._pinged.items())[:8])}
            self._put(Ping(), self._pings)
            self._ping_s = now + (FIRST_EVERY_S if self._pings < FIRST_PINGS else PING_EVERY_S)
        if self._sent and now - self._sent.at_s > AGAIN_S:
            self._sent.at_s = now
            self._said += self._sent.wire
        if self._sent is None and self._waiting:
            command, done = self._waiting.popleft()
            self._sequence = (self._sequence + 1) % 65_536
            self._sent = _Sent(self._sequence, command, encoded(command, self._sequence), done, now)
            self._said += self._sent.wire

    def _put(self, message: Message, sequence: int) -> None:
        self._said += encoded(message, sequence)

    def _heard(self, message: Message, frame: Frame, now: float) -> list[Event]:
        match message:
            case Greeting() if frame.sequence == self._session:
                return self._greeted(message, now)
            case Hello():
                raise self._nobody()  # it only echoes
            case _ if self.greeting is None:
                return []
            case Pong(micros):
                self._ponged(frame.sequence, micros, now)
            case Ack():
                self._acknowledged(frame.sequence, now)
            case Nack(reason):
                self._refused(frame.sequence, reason, now)
            case Pressed() | Finished():
                return self._told(message, frame.sequence, now)
        self._heard_s = now
        return []

    def _greeted(self, greeting: Greeting, now: float) -> list[Event]:
        if greeting.protocol != VERSION:
            older = greeting.protocol < VERSION
            remedy = f"pipsight hardware flash --port {self.port}" if older else "pip install --upgrade pipsight"
            what = "an old" if older else "a newer"
            raise OldFirmware(f"the controller at {self.port} has {what} firmware: update by {remedy}")
        self._heard_s = now
        if self.greeting is not None:
            return []
        self.greeting = greeting
        return [Linked(greeting, self.port)]

    def _ponged(self, sequence: int, micros: int, now: float) -> None:
        if (sent_s := self._pinged.pop(sequence, None)) is not None:
            self.clock.add(sent_s, now, micros)

    def _acknowledged(self, sequence: int, now: float) -> None:
        if self._sent and self._sent.sequence == sequence:
            self._sent.done.set_result(now)
            self._sent = None

    def _refused(self, sequence: int, reason: Reason, now: float) -> None:
        """The controller started anew or missed something: begin again. Or it cannot do what it was told."""
        if reason is not Reason.BAD:
            self._begin(now)
        elif self._sent and self._sent.sequence == sequence:
            text = f"the controller cannot do {self._sent.command}: see hardware/firmware/PROTOCOL.md"
            self._sent.done.set_exception(Refused(text))
            self._sent = None

    def _told(self, event: Pressed | Finished, sequence: int, now: float) -> list[Event]:
        """Each event is told once: its number is one more than the last; one that is repeated is acknowledged again."""
        self._heard_s = now
        new = sequence == (self._event + 1) % 65_536
        if new:
            self._event = sequence
        if sequence == self._event:
            self._put(Ack(), sequence)
        return [replace(event, at_s=self.clock.here_s(event.micros))] if new else []
