"""Settings of lights and sounds: what they change, and what is said of those that are wrong."""

from __future__ import annotations

import tomllib

import pytest

from hardware.errors import BadScheme
from hardware.protocol import Pattern
from hardware.scheme import DEFAULT, Cue, scheme_of

SETTINGS = """
quiet = true
seats = ["#ff0000", "#00ff00"]
places_mm = [[0, 10], [5, 10.5]]
[wrong]
color = "#ff8000"
pattern = "pulse"
times = 5
tune = [[880, 100], [0, 50]]
[turn]
whole = true
"""


def test_a_table_changes_what_it_names_and_nothing_else() -> None:
    scheme = scheme_of(tomllib.loads(SETTINGS))
    assert (scheme.quiet, scheme.seats) == (True, ((255, 0, 0), (0, 255, 0)))
    assert scheme.places_mm == ((0, 10), (5, 10.5))
    assert scheme.wrong == Cue(Pattern.PULSE, (255, 128, 0), True, 400, 5, ((880, 100), (0, 50)))
    assert scheme.turn.whole
    assert (scheme.winner, scheme.over) == (DEFAULT.winner, DEFAULT.over)


def test_without_settings_there_are_the_defaults() -> None:
    assert scheme_of({}) == DEFAULT


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("wrnog = {}", "there is no setting hardware.wrnog; did you mean wrong?"),
        ("wrong.colour = 1", "there is no setting hardware.wrong.colour; did you mean wrong.color?"),
        ("xyzzy = 1", "there is no setting hardware.xyzzy; there are seats, quiet, "),
        ("wrong = 3", "hardware.wrong must be a table, such as [hardware.wrong]"),
        ("wrong.color = 'red'", "hardware.wrong.color cannot be 'red': write a color as \"#ff8000\""),
        ("wrong.color = 3", "hardware.wrong.color cannot be 3"),
        ("wrong.pattern = 'flash'", "choose one of steady, blink, pulse, chase"),
        ("wrong.times = 0", "write a whole number from 1 to 255"),
        ("wrong.times = true", "write a whole number from 1 to 255"),
        ("wrong.period_ms = 5", "write a whole number from 20 to 65535"),
        ("wrong.tune = [[5, 100]]", "write up to 16 pairs of hertz"),
        ("wrong.tune = 'C5'", "write up to 16 pairs of hertz"),
        ("quiet = 'yes'", "write true or false"),
        ("seats = []", "write a list of colors"),
        ("places_mm = [1, 2]", "write a list with x and y of each LED"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_must_be(settings: str, words: str) -> None:
    with pytest.raises(BadScheme) as error:
        scheme_of(tomllib.loads(settings))
    assert words in str(error.value)
