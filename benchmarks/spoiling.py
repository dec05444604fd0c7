"""Messages that are corrupted, cut, repeated and reordered on their way, and what a controller may make of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hardware.framing import Frame, Splitter
from hardware.lights import Shown
from hardware.protocol import KINDS, Color, Countdown, Light, Off, Stretch, decoded, encoded

LEDS = 24
MOST_LIT = 6
SOUND_PART = 0.35  # of all messages come as they were sent
REMEMBERED = 50


@dataclass
class Sending:
    """A stream of numbered messages, most of them spoilt; each light has a color of its own.

    sequence: the number of the newest message. meant: the bytes of all frames that were sent whole.
    """

    chance: Random
    sequence: int
    meant: set[bytes] = field(default_factory=set)
    _colors: int = 0
    _earlier: deque[bytes] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def messages(self, count: int) -> Iterator[bytes]:
        """So many messages, as the wire delivers them."""
        for _ in range(count):
            if self.chance.random() < SOUND_PART:
                yield self._next()
            else:
                yield self.chance.choice(
                    (self._spoilt, self._cut, self._mixed, self._repeated, self._reordered, self._unfit)
                )()

    def _next(self) -> bytes:
        """The next message, as it should be."""
        self.sequence = (self.sequence + 1) % 65_536
        return self._whole(self.sequence)

    def _whole(self, sequence: int) -> bytes:
        wire = encoded(self._light(), sequence)
        self._earlier.append(wire)
        self.meant.add(wire)
        return wire

    def _light(self) -> Light:
        self._colors += 1
        count = self.chance.randint(1, MOST_LIT)
        number = self._colors
        return Light((Stretch(self.chance.randint(0, LEDS - count), count, (number >> 8, number & 255, 128)),))

    def _spoilt(self) -> bytes:
        """What would be next, with wrong bits in it."""
        wire = bytearray(encoded(self._light(), self.sequence + 1))
        for bit in self.chance.sample(range(8, 8 * len(wire) - 8), self.chance.choice((1, 2, 3, 8))):
            wire[bit // 8] ^= 1 << bit % 8
        return bytes(wire)

    def _cut(self) -> bytes:
        """What would be next, without its end, its beginning or its middle."""
        wire = encoded(self._light(), self.sequence + 1)
        start, end = sorted(self.chance.sample(range(1, len(wire) - 1), 2))
        return self.chance.choice((wire[:start], wire[end:], wire[:start] + wire[end:]))

    def _mixed(self) -> bytes:
        """What would be next, with other bytes within it, or nothing but other bytes."""
        wire = encoded(self._light(), self.sequence + 1)
        at = self.chance.randrange(2, len(wire) - 2)
        junk = self.chance.randbytes(self.chance.randint(1, 40))
        return self.chance.choice((wire[:at] + junk + wire[at:], junk))

    def _repeated(self) -> bytes:
        """A message that came before."""
        return self.chance.choice(self._earlier) if self._earlier else self._next()

    def _reordered(self) -> bytes:
        """The next two in the wrong order, then the second once more, as its sender repeats it."""
        first, second = (self._whole((self.sequence + k) % 65_536) for k in (1, 2))
        self.sequence = (self.sequence + 2) % 65_536
        return second + first + second

    def _unfit(self) -> bytes:
        """Whole messages that ask for what cannot be, or of kinds that nobody knows."""
        self.sequence = (self.sequence + 1) % 65_536
        unfit = (
            encoded(Light((Stretch(LEDS - 1, 2, (255, 0, 0)),)), self.sequence),
            encoded(Countdown(3), self.sequence),
            Frame(0x33, self.sequence, self.chance.randbytes(5)).wire(),
            Frame(KINDS[Light], self.sequence, b"\1").wire(),
            Frame(KINDS[Off], self.sequence, b"\1").wire(),
        )
        wire = self.chance.choice(unfit)
        self.meant.add(wire)
        return wire


@dataclass
class Listening:
    """What a controller must make of a stream: each whole message once, and only if its number is the next.

    shown: every picture that the strip must show, in order. slipped: spoilt messages that pass for whole ones.
    """

    sequence: int
    shown: list[tuple[Color, ...]] = field(default_factory=list)
    slipped: int = 0
    _splitter: Splitter = field(default_factory=Splitter)
    _strip: Shown = field(default_factory=lambda: Shown(LEDS))

    def hear(self, data: bytes, meant: set[bytes]) -> None:
        """More of the stream, and what its sender meant to say up to now."""
        for frame in self._splitter.feed(data):
            self.slipped += frame.wire() not in meant
            if frame.sequence == (self.sequence + 1) % 65_536:
                self.sequence = frame.sequence
                self._do(frame)

    def _do(self, frame: Frame) -> None:
        message = decoded(frame)
        if not isinstance(message, Light):
            return
        try:
            self._strip = self._strip.told(message, 0)
        except ValueError:
            return
        self.shown.append(self._strip.colors(0))
