"""What the LEDs of a controller show at each moment, worked out exactly as the controller does (firmware/lights.c).

Three layers: held colors, over them a countdown and the alarm at its end, over them an animation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardware.protocol import (
    LONGEST_COUNTDOWN_MS,
    SHORTEST_COUNTDOWN_MS,
    Animate,
    Color,
    Command,
    Countdown,
    Light,
    Off,
    Pattern,
    Stretch,
)

DARK: Color = (0, 0, 0)
ALARM_PERIOD_MS, ALARM_TIMES = 500, 3
SHORTEST_PERIOD_MS = 20
_TAIL = 4
_FULL_MILLIAMPERES = 20  # of one color of one LED


@dataclass(frozen=True)
class Playing:
    """An animation and when it began, in microseconds."""

    animate: Animate
    began: int

    def plays(self, at: int) -> bool:
        """Whether it has rounds left."""
        length = self.animate.period_ms * self.animate.times * 1000
        return self.animate.times == 0 or at - self.began < length

    def color(self, led: int, at: int) -> Color | None:
        """What it shows on a LED; None beside its stretch and after its last round."""
        stretch = self.animate.stretch
        place = led - stretch.first
        if not (0 <= place < stretch.count and self.plays(at)):
            return None
        return _scaled(stretch.color, self._level(place, at))

    def _level(self, place: int, at: int) -> int:
        period, count = self.animate.period_ms, self.animate.stretch.count
        ms = (at - self.began) % (period * 1000) // 1000
        match self.animate.pattern:
            case Pattern.BLINK:
                return 255 if ms * 2 < period else 0
            case Pattern.PULSE:
                wave = ms * 510 // period
                return min(wave, 510 - wave)
            case Pattern.CHASE:
                behind = (ms * count // period - place) % count
                return 255 >> 2 * behind if behind < _TAIL else 0
        return 255


@dataclass(frozen=True)
class Counting:
    """A countdown and when it began, in microseconds."""

    countdown: Countdown
    began: int

    @property
    def end(self) -> int:
        """When it runs out, in microseconds."""
        return self.began + self.countdown.length_ms * 1000

    def color(self, led: int, leds: int, at: int) -> Color | None:
        """What it shows on one of so many LEDs; None when it and its alarm are over."""
        if at >= self.end:
            alarm = Animate(Pattern.BLINK, Stretch(0, leds, self.countdown.color), ALARM_PERIOD_MS, ALARM_TIMES)
            return Playing(alarm, self.end).color(led, at)
        each = self.countdown.length_ms // leds
        whole, part = divmod((self.end - at) // 1000, each)
        level = 255 if led < whole else 0 if led > whole else part * 255 // each
        return _scaled(self.countdown.color, level)


@dataclass(frozen=True)
class Shown:
    """What a strip of so many LEDs was told, and so what it shows at any moment until it is told something else."""

    leds: int
    light: Light = Light(())
    playing: Playing | None = None
    counting: Counting | None = None

    def told(self, command: Command, at: int) -> Shown:
        """What it shows after a command at that microsecond; ValueError for one that it cannot follow."""
        match command:
            case Light(stretches):
                self._require(*stretches)
                return replace(self, light=command)
            case Animate(_, stretch, period_ms, _):
                self._require(stretch)
                if period_ms < SHORTEST_PERIOD_MS:
                    raise ValueError("the period is too short")
                return replace(self, playing=Playing(command, at))
            case Countdown(length_ms, _, _):
                if length_ms and not SHORTEST_COUNTDOWN_MS <= length_ms <= LONGEST_COUNTDOWN_MS:
                    raise ValueError("the countdown is too short or too long")
                return replace(self, counting=Counting(command, at) if length_ms else None)
            case Off():
                return Shown(self.leds)
        return self

    def cleared(self) -> Shown:
        """The same with nothing but the countdown."""
        return Shown(self.leds, counting=self.counting)

    def remaining_ms(self, at: int) -> int:
        """How far the countdown still has to run."""
        return max(0, (self.counting.end - at) // 1000) if self.counting else 0

    def colors(self, at: int) -> tuple[Color, ...]:
        """The color of every LED at that microsecond."""
        return tuple(self._color(led, at) for led in range(self.leds))

    def _color(self, led: int, at: int) -> Color:
        over = self.playing.color(led, at) if self.playing else None
        if over is None and self.counting:
            over = self.counting.color(led, self.leds, at)
        if over is not None:
            return over
        holding = (s.color for s in reversed(self.light.stretches) if s.first <= led < s.first + s.count)
        return next(holding, DARK)

    def _require(self, *stretches: Stretch) -> None:
        for stretch in stretches:
            if stretch.count < 1 or stretch.first + stretch.count > self.leds:
                raise ValueError(f"LEDs {stretch.first} to {stretch.first + stretch.count - 1} are not all there")


def dimmed(colors: tuple[Color, ...], milliamperes: int = 400) -> tuple[Color, ...]:
    """Colors made darker where all LEDs together would draw more than they may."""
    most, total = milliamperes * 255 // _FULL_MILLIAMPERES, sum(map(sum, colors))
    by = most * 256 // total if total > most else 256
    return tuple((red * by >> 8, green * by >> 8, blue * by >> 8) for red, green, blue in colors)


def _scaled(color: Color, level: int) -> Color:
    red, green, blue = (value * (level + 1) >> 8 for value in color)
    return red, green, blue
