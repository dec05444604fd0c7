"""Messages and their bytes: what the computer and the controller say to each other (firmware/PROTOCOL.md)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, TypeAlias

from hardware.errors import BadMessage
from hardware.framing import MOST_PAYLOAD, Frame

VERSION = 1
"""The version of the protocol; a controller with another one is told apart by its greeting."""

BAUD = 115_200
LONGEST_COUNTDOWN_MS = 3_600_000
SHORTEST_COUNTDOWN_MS = 1_000
MOST_NOTES = 16
AUDIBLE = range(31, 20_001)
"""What the buzzer can play, in hertz."""

Color: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

Note: TypeAlias = tuple[int, int]
"""A tone in hertz (0 for a rest, else 31 to 20,000) and how many milliseconds it lasts."""


class Pattern(IntEnum):
    """How an animation plays."""

    STEADY = 0
    BLINK = 1
    PULSE = 2
    CHASE = 3


class Reason(IntEnum):
    """Why the other side did not do what it was told."""

    NO_SESSION = 1
    OUT_OF_ORDER = 2
    BAD = 3


@dataclass(frozen=True)
class Stretch:
    """LEDs in a row that shine alike: the first one (from 0), how many, and their color."""

    first: int
    count: int
    color: Color

    def __bytes__(self) -> bytes:
        return bytes((self.first, self.count, *self.color))


@dataclass(frozen=True)
class Hello:
    """The computer begins: which version of the protocol it speaks."""

    protocol: int = VERSION


@dataclass(frozen=True)
class Greeting:
    """The controller's answer to Hello: what it is, which buttons are down, how long a countdown still runs.

    micros: its clock, which the computer learns from Pongs only (firmware/PROTOCOL.md).
    """

    protocol: int
    firmware: tuple[int, int]
    leds: int
    buttons: int
    held: tuple[int, ...] = ()
    remaining_ms: int = 0
    micros: int = 0


@dataclass(frozen=True)
class Ping:
    """The computer is there."""


@dataclass(frozen=True)
class Pong:
    """The controller is there; its clock in microseconds, which begins again at 0 after 2**32."""

    micros: int


@dataclass(frozen=True)
class Light:
    """LEDs that shine until told otherwise; all that are not named go dark. Animations and countdowns cover them."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class Animate:
    """LEDs that play a pattern over whatever else they show.

    period_ms: how long one round takes. times: how many rounds, 0 for until something else comes.
    """

    pattern: Pattern
    stretch: Stretch
    period_ms: int
    times: int = 1


@dataclass(frozen=True)
class Countdown:
    """An arc of all LEDs that gets shorter until it is gone, after 1 s to an hour; 0 stops the one that runs.

    At its end all LEDs flash three times, with three tones if it is loud.
    """

    length_ms: int
    color: Color = (0, 0, 0)
    loud: bool = True


@dataclass(frozen=True)
class Sound:
    """A tune on the buzzer, up to 16 notes; none for silence."""

    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Off:
    """Everything dark and silent, and no countdown."""


@dataclass(frozen=True)
class Pressed:
    """A button (from 0) went down or came up.

    micros: when, by the controller's clock. at_s: when, by time.monotonic of this computer; None where not known.
    """

    button: int
    down: bool
    micros: int
    at_s: float | None = None


@dataclass(frozen=True)
class Finished:
    """A countdown ran to its end; the times as in Pressed."""

    micros: int
    at_s: float | None = None


@dataclass(frozen=True)
class Ack:
    """The message with this number came and was done."""


@dataclass(frozen=True)
class Nack:
    """The message with this number came and was not done."""

    reason: Reason


Command: TypeAlias = Light | Animate | Countdown | Sound | Off
Message: TypeAlias = Hello | Greeting | Ping | Pong | Command | Pressed | Finished | Ack | Nack


class _Layout:
    """The fixed layouts of messages, for the struct module."""

    GREETING: ClassVar = struct.Struct("<6BII")
    MICROS: ClassVar = struct.Struct("<I")
    ANIMATE: ClassVar = struct.Struct("<B5BHB")
    COUNTDOWN: ClassVar = struct.Struct("<I4B")
    NOTE: ClassVar = struct.Struct("<HH")
    PRESSED: ClassVar = struct.Struct("<BBI")


KINDS: dict[type[Message], int] = {
    Hello: 0x01,
    Ping: 0x02,
    Light: 0x03,
    Animate: 0x04,
    Countdown: 0x05,
    Sound: 0x06,
    Off: 0x07,
    Ack: 0x40,
    Nack: 0x41,
    Greeting: 0x42,
    Pong: 0x43,
    Pressed: 0x44,
    Finished: 0x45,
}
_BY_KIND = {kind: message for message, kind in KINDS.items()}


def encoded(message: Message, sequence: int) -> bytes:
    """A message with its number as bytes for the wire; BadMessage where a value does not fit."""
    try:
        payload = _payload(message)
    except (struct.error, ValueError) as error:
        raise BadMessage(f"{message} does not fit the protocol: see hardware/firmware/PROTOCOL.md") from error
    if len(payload) > MOST_PAYLOAD:
        raise BadMessage(f"{type(message).__name__} is too long: send it as several messages")
    return Frame(KINDS[type(message)], sequence % 65_536, payload).wire()


def decoded(frame: Frame) -> Message | None:
    """The message in a frame; None for one that this version does not know."""
    try:
        return _message(_BY_KIND.get(frame.kind), frame.payload)
    except (struct.error, ValueError):
        return None


def _payload(message: Message) -> bytes:
    match message:
        case Hello(protocol):
            return bytes([protocol])
        case Greeting(protocol, firmware, leds, buttons, held, remaining_ms, micros):
            bits = sum(1 << button for button in held)
            return _Layout.GREETING.pack(protocol, *firmware, leds, buttons, bits, remaining_ms, micros)
        case Light(stretches):
            return b"".join(map(bytes, stretches))
        case Animate(pattern, stretch, period_ms, times):
            return _Layout.ANIMATE.pack(pattern, *bytes(stretch), period_ms, times)
        case Countdown(length_ms, color, loud):
            return _Layout.COUNTDOWN.pack(length_ms, *color, loud)
        case Sound(notes):
            return b"".join(_Layout.NOTE.pack(*note) for note in notes)
        case Pressed(button, down, micros):
            return _Layout.PRESSED.pack(button, down, micros)
        case Pong(micros) | Finished(micros):
            return _Layout.MICROS.pack(micros)
        case Nack(reason):
            return bytes([reason])
    return b""


def _message(kind: type[Message] | None, payload: bytes) -> Message | None:
    if kind is None:
        return None
    if kind is Greeting:
        return _greeting(payload)
    if kind is Light:
        return Light(tuple(_stretch(part) for part in _parts(payload, 5)))
    if kind is Animate:
        pattern, first, count, *color, period_ms, times = _Layout.ANIMATE.unpack(payload)
        return Animate(Pattern(pattern), Stretch(first, count, _color(color)), period_ms, times)
    if kind is Countdown:
        length_ms, *color, loud = _Layout.COUNTDOWN.unpack(payload)
        return Countdown(length_ms, _color(color), bool(loud))
    if kind is Sound:
        return Sound(tuple((hertz, ms) for hertz, ms in map(_Layout.NOTE.unpack, _parts(payload, 4))))
    if kind is Pressed:
        button, down, micros = _Layout.PRESSED.unpack(payload)
        return Pressed(button, bool(down), micros)
    return _short(kind, payload)


def _short(kind: type[Message], payload: bytes) -> Message:
    """A message of one number or none."""
    if kind is Pong or kind is Finished:
        return kind(*_Layout.MICROS.unpack(payload))
    if kind is Hello or kind is Nack:
        (value,) = payload
        return Hello(value) if kind is Hello else Nack(Reason(value))
    if payload:
        raise ValueError("bytes in a message that has none")
    return kind()  # type: ignore[call-arg]


def _greeting(payload: bytes) -> Greeting:
    """Another version may say less or more, but its own number always comes first."""
    if payload[:1] != bytes([VERSION]):
        return Greeting(payload[0] if payload else 0, (0, 0), 0, 0)
    protocol, major, minor, leds, buttons, bits, remaining_ms, micros = _Layout.GREETING.unpack(payload)
    held = tuple(button for button in range(8) if bits >> button & 1)
    return Greeting(protocol, (major, minor), leds, buttons, held, remaining_ms, micros)


def _parts(payload: bytes, size: int) -> list[bytes]:
    if len(payload) % size:
        raise ValueError("a part is cut off")
    return [payload[k : k + size] for k in range(0, len(payload), size)]


def _stretch(part: bytes) -> Stretch:
    return Stretch(part[0], part[1], _color(part[2:]))


def _color(values: Sequence[int]) -> Color:
    red, green, blue = values
    return red, green, blue
