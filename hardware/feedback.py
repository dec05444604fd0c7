"""What happened at the table, as light and sound; which LEDs shine when is told to whoever they must not fool."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from hardware.conversation import Linked
from hardware.lights import DARK, Counting, Shown
from hardware.protocol import (
    SHORTEST_COUNTDOWN_MS,
    Animate,
    Color,
    Command,
    Countdown,
    Light,
    Off,
    Pattern,
    Sound,
    Stretch,
)
from hardware.scheme import DEFAULT, Cue, Place, Scheme

MARGIN_S = 0.06  # a command takes a few milliseconds, an animation a picture of 20, and clocks are read in between
_STEP_S = 0.02
_REMEMBERED = 64
_ANY = Countdown(SHORTEST_COUNTDOWN_MS, (255, 255, 255))
"""For a countdown that somebody else began: of all that may run, the one with the most LEDs for what is left."""


class Sender(Protocol):
    """Whatever takes commands: a Link."""

    def send(self, command: Command, /) -> Future[float]: ...


@dataclass(frozen=True)
class Glow:
    """The LEDs that may shine at some moment of a span of time: their numbers, and their places if those are known."""

    leds: tuple[int, ...]
    places_mm: tuple[Place, ...] = ()


class Feedback:
    """Says what happened by the lights and sounds of a scheme; without a controller nothing happens.

    players: how many seats share the LEDs, from LED 0 on. clock: gives seconds, as time.monotonic.

    >>> feedback = Feedback(link, players=3)
    >>> feedback.turn(0)
    >>> feedback.countdown(60)
    >>> feedback.winner(2)
    """

    def __init__(
        self, sender: Sender, scheme: Scheme = DEFAULT, players: int = 2, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.scheme, self.players = scheme, players
        self._sender, self._clock = sender, clock
        self._shown: Shown | None = None
        self._past: deque[tuple[float, Shown]] = deque(maxlen=_REMEMBERED)
        self._held: tuple[tuple[int | None, Color], ...] = ()  # a seat or all, and what shines there

    def linked(self, linked: Linked) -> None:
        """A controller greets, for the first time or once more: tell it what is held."""
        self._shown = Shown(linked.greeting.leds, counting=self._going_on(linked.greeting.remaining_ms))
        self._hold(*self._held)

    def lost(self) -> None:
        """The controller is gone with its light, but a countdown may run on; what is held it is told later."""
        if self._shown:
            self._past.append((self._clock(), self._shown.cleared()))
        self._shown = None

    def ready(self) -> None:
        """The table is as it must be; go on."""
        self._cue(self.scheme.ready)

    def turn(self, seat: int | None) -> None:
        """It is this seat's turn (from 0); None for nobody's."""
        if seat is None:
            self._hold()
        else:
            self._cue(self.scheme.turn, seat)

    def wrong(self) -> None:
        """Something on the table is wrong."""
        self._cue(self.scheme.wrong)

    def too_close(self) -> None:
        """Nobody can say who was first."""
        self._cue(self.scheme.too_close)

    def winner(self, *seats: int) -> None:
        """These seats won or were first: their LEDs are held, and the first one's color goes round."""
        self._hold(*((seat, self._color(seat)) for seat in seats))
        self._cue(self.scheme.winner, *seats)

    def over(self) -> None:
        """The game is over."""
        self._cue(self.scheme.over)

    def countdown(self, length_s: float) -> None:
        """Begin a countdown, 1 s to an hour, which the controller runs to its end by itself."""
        self._tell(Countdown(round(length_s * 1000), self.scheme.countdown.color, not self.scheme.quiet))

    def stop_countdown(self) -> None:
        """Stop the countdown."""
        self._tell(Countdown(0))

    def dark(self) -> None:
        """Nothing more to say: all dark and silent."""
        self._held = ()
        self._tell(Off())

    def glow(self, since_s: float, until_s: float) -> Glow:
        """Which LEDs may shine between two moments, such as while a camera took a picture; times as the clock's."""
        shining: set[int] = set()
        start_s, end_s = since_s - MARGIN_S, until_s + MARGIN_S
        for (told_s, shown), (next_s, _) in pairwise((*self._past, (end_s, None))):
            if shown and told_s <= end_s and next_s >= start_s:
                shining |= _shining(shown, max(start_s, told_s), min(end_s, next_s))
        leds = tuple(sorted(shining))
        places = self.scheme.places_mm
        return Glow(leds, tuple(places[led] for led in leds if led < len(places)))

    def _going_on(self, remaining_ms: int) -> Counting | None:
        """The countdown of a controller that still has so much of it to run: the one it was told, or any."""
        told = self._past[-1][1].counting if self._past else None
        now = _micros(self._clock())
        if not remaining_ms:
            return told if told and told.end <= now else None  # its alarm may flash still
        countdown = told.countdown if told and told.countdown.length_ms >= remaining_ms else _ANY
        return Counting(countdown, now + (remaining_ms - countdown.length_ms) * 1000)

    def _cue(self, cue: Cue, *seats: int) -> None:
        color = cue.color or self._color(seats[0] if seats else 0)
        where = seats[0] if seats and not cue.whole else None
        if cue.pattern is Pattern.STEADY:
            self._hold((where, color))
        elif self._leds:
            self._tell(Animate(cue.pattern, self._stretch(where, color), cue.period_ms, cue.times))
        if cue.tune and not self.scheme.quiet:
            self._tell(Sound(cue.tune))

    def _hold(self, *held: tuple[int | None, Color]) -> None:
        """Let seats, or all LEDs, shine until something else is held."""
        self._held = held
        if self._leds:
            self._tell(Light(tuple(self._stretch(*one) for one in held)))

    def _tell(self, command: Command) -> None:
        """Send it, and remember what the LEDs show from now on."""
        self._sender.send(command)
        if self._shown:
            now = self._clock()
            self._shown = self._shown.told(command, _micros(now))
            self._past.append((now, self._shown))

    @property
    def _leds(self) -> int:
        return self._shown.leds if self._shown else 0

    def _stretch(self, seat: int | None, color: Color) -> Stretch:
        """The LEDs before a seat, or all of them."""
        if seat is None:
            return Stretch(0, self._leds, color)
        first, end = (self._leds * k // self.players for k in (seat, seat + 1))
        return Stretch(first, max(1, end - first), color)

    def _color(self, seat: int) -> Color:
        return self.scheme.seats[seat % len(self.scheme.seats)]


def _shining(shown: Shown, since_s: float, until_s: float) -> set[int]:
    """The LEDs that shine at some moment of a span, by what was told before it; what only holds is looked at once."""
    moves = shown.counting or (shown.playing and shown.playing.plays(_micros(since_s)))
    steps = math.ceil((until_s - since_s) / _STEP_S) if moves else 0
    moments = (min(since_s + k * _STEP_S, until_s) for k in range(steps + 1))
    return {led for at in moments for led, color in enumerate(shown.colors(_micros(at))) if color != DARK}


def _micros(at_s: float) -> int:
    return round(at_s * 1e6)
