"""How each meaning looks and sounds: data with defaults, which a table of settings can change."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from hardware.errors import BadScheme
from hardware.lights import SHORTEST_PERIOD_MS
from hardware.protocol import AUDIBLE, MOST_NOTES, Color, Note, Pattern

FARTHEST_MM = 100_000  # no table is larger

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Cue:
    """How one meaning looks and sounds.

    A steady cue is held until the next one; any other plays `times` rounds of `period_ms` over what is held.
    color: None for the color of the seat that is meant. whole: on all LEDs, or only on those before that seat.
    tune: pairs of hertz (0 for a rest) and milliseconds.
    """

    pattern: Pattern = Pattern.STEADY
    color: Color | None = None
    whole: bool = True
    period_ms: int = 500
    times: int = 3
    tune: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Arc:
    """How a countdown looks: the rest of it, and the alarm at its end, are the controller's own."""

    color: Color


@dataclass(frozen=True)
class Scheme:
    """Every meaning's cue, and what holds for all of them.

    seats: the seats' colors, which people who see few colors can tell apart too (Okabe and Ito 2008).
    quiet: no sound at all. places_mm: where on the table each LED is, for whoever must not see it; () where unknown.
    """

    seats: tuple[Color, ...] = ((0, 60, 120), (150, 50, 0), (0, 110, 50), (110, 40, 90))
    quiet: bool = False
    places_mm: tuple[Place, ...] = ()
    ready: Cue = Cue(Pattern.PULSE, (60, 60, 60), period_ms=1000, times=1, tune=((880, 80),))
    turn: Cue = Cue(whole=False)
    wrong: Cue = Cue(Pattern.BLINK, (200, 0, 0), period_ms=400, tune=((220, 150), (0, 50), (220, 150)))
    too_close: Cue = Cue(Pattern.BLINK, (130, 90, 0), period_ms=600, tune=((660, 120), (0, 60), (660, 120)))
    winner: Cue = Cue(Pattern.CHASE, period_ms=800, times=4, tune=((523, 120), (659, 120), (784, 240)))
    over: Cue = Cue(Pattern.PULSE, (80, 80, 80), period_ms=1500, tune=((784, 200), (659, 200), (523, 400)))
    countdown: Arc = Arc((0, 80, 40))


DEFAULT = Scheme()


def scheme_of(settings: Mapping[str, Any]) -> Scheme:
    """The defaults with the changes of a table of settings; BadScheme names the setting that is unknown or unfit.

    >>> scheme_of({"quiet": True, "wrong": {"color": "#ff8000", "times": 5}}).wrong.times
    5
    """
    scheme = DEFAULT
    for key, value in settings.items():
        _known(key, [field.name for field in fields(Scheme)], "")
        default = getattr(scheme, key)
        changed: Any = _cue(default, value, key) if isinstance(default, Cue | Arc) else _read(READERS[key], value, key)
        scheme = replace(scheme, **{key: changed})
    return scheme


def _cue(cue: Cue | Arc, settings: Any, name: str) -> Cue | Arc:
    if not isinstance(settings, Mapping):
        raise BadScheme(f"hardware.{name} must be a table, such as [hardware.{name}]")
    for key, value in settings.items():
        _known(key, [field.name for field in fields(cue)], f"{name}.")
        cue = replace(cue, **{key: _read(READERS[key], value, f"{name}.{key}")})
    return cue


def _known(key: str, names: list[str], before: str) -> None:
    if key in names:
        return
    near = difflib.get_close_matches(key, names, 1, 0.5)
    there = f"there are {', '.join(names)}" if names[1:] else f"there is only {before}{names[0]}"
    advice = f"did you mean {before}{near[0]}?" if near else there
    raise BadScheme(f"there is no setting hardware.{before}{key}; {advice}")


def _read(reader: Callable[[Any], Any], value: Any, name: str) -> Any:
    try:
        return reader(value)
    except (TypeError, ValueError, KeyError) as error:
        raise BadScheme(f"hardware.{name} cannot be {value!r}: {WANTED[name.rpartition('.')[2]]}") from error


def _pattern(value: Any) -> Pattern:
    return Pattern[value.upper()] if isinstance(value, str) else _unfit()


def _color(value: Any) -> Color:
    found = re.fullmatch(r"#([0-9a-fA-F]{6})", value)
    red, green, blue = bytes.fromhex(found[1]) if found else _unfit()
    return red, green, blue


def _flag(value: Any) -> bool:
    return value if isinstance(value, bool) else _unfit()


def _within(least: int, most: int) -> Callable[[Any], int]:
    return lambda value: value if type(value) is int and least <= value <= most else _unfit()


def _colors(value: Any) -> tuple[Color, ...]:
    return tuple(map(_color, value)) or _unfit()


def _tune(value: Any) -> tuple[Note, ...]:
    notes = tuple((_hertz(hertz), _milliseconds(ms)) for hertz, ms in value)
    return notes if len(notes) <= MOST_NOTES else _unfit()


def _hertz(value: Any) -> int:
    return value if type(value) is int and (value == 0 or value in AUDIBLE) else _unfit()


_milliseconds = _within(1, 65_535)


def _places(value: Any) -> tuple[Place, ...]:
    return tuple((_millimetres(x), _millimetres(y)) for x, y in value)


def _millimetres(value: Any) -> float:
    """A number on a table; neither nan nor inf is one."""
    return float(value) if type(value) in (int, float) and abs(value) <= FARTHEST_MM else _unfit()


def _unfit() -> Any:
    raise ValueError


READERS: dict[str, Callable[[Any], Any]] = {
    "seats": _colors,
    "quiet": _flag,
    "places_mm": _places,
    "pattern": _pattern,
    "color": _color,
    "whole": _flag,
    "period_ms": _within(SHORTEST_PERIOD_MS, 65_535),
    "times": _within(1, 255),
    "tune": _tune,
}
WANTED = {
    "seats": 'write a list of colors as "#ff8000"',
    "quiet": "write true or false",
    "places_mm": "write a list with x and y of each LED in numbers, as [[0, 10], [5, 10.5]]",
    "pattern": f"choose one of {', '.join(pattern.name.lower() for pattern in Pattern)}",
    "color": 'write a color as "#ff8000"',
    "whole": "write true for all LEDs, false for those of the seat",
    "period_ms": f"write a whole number from {SHORTEST_PERIOD_MS} to 65535",
    "times": "write a whole number from 1 to 255",
    "tune": (
        f"write up to {MOST_NOTES} pairs of whole numbers, hertz (0, or 31 to 20000) and milliseconds (1 to 65535), "
        "as [[880, 100], [0, 50]]"
    ),
}
"""How to write each setting, and what its value must be."""
