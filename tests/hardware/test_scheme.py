"""Settings of lights and sounds: what they change, and what is said of those that are wrong."""

from __future__ import annotations

import tomllib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import BadScheme
from hardware.protocol import Pattern, Sound, encoded
from hardware.scheme import DEFAULT, Arc, Cue, scheme_of

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


def test_of_a_countdown_the_color_can_be_chosen() -> None:
    assert scheme_of({"countdown": {"color": "#102030"}}).countdown == Arc((16, 32, 48))


def test_without_settings_there_are_the_defaults() -> None:
    assert scheme_of({}) == DEFAULT


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("wrnog = {}", "there is no setting hardware.wrnog; did you mean wrong?"),
        ("wrong.colour = 1", "there is no setting hardware.wrong.colour; did you mean wrong.color?"),
        ("countdown.colour = 1", "there is no setting hardware.countdown.colour; did you mean countdown.color?"),
        *(
            (
                f"countdown.{key} = 1",
                f"there is no setting hardware.countdown.{key}; there is only countdown.color",
            )
            for key in ("pattern", "tune", "whole", "period_ms", "times")
        ),
        ("xyzzy = 1", "there is no setting hardware.xyzzy; there are seats, quiet, "),
        ("wrong = 3", "hardware.wrong must be a table, such as [hardware.wrong]"),
        ("wrong.color = 'red'", "hardware.wrong.color cannot be 'red': write a color as \"#ff8000\""),
        ("wrong.color = 3", "hardware.wrong.color cannot be 3"),
        ("wrong.pattern = 'flash'", "choose one of steady, blink, pulse, chase"),
        ("wrong.times = 0", "write a whole number from 1 to 255"),
        ("wrong.times = true", "write a whole number from 1 to 255"),
        ("wrong.period_ms = 5", "write a whole number from 20 to 65535"),
        ("wrong.tune = [[5, 100]]", "hardware.wrong.tune cannot be [[5, 100]]: write up to 16 pairs of whole numbers"),
        ("wrong.tune = 'C5'", "write up to 16 pairs of whole numbers"),
        ("ready.tune = [[880, 80.5]]", "hardware.ready.tune cannot be [[880, 80.5]]: write up to 16 pairs of whole"),
        ("ready.tune = [[880.0, 80]]", "hertz (0, or 31 to 20000) and milliseconds (1 to 65535), as [[880, 100]"),
        ("ready.tune = [[220, true]]", "hardware.ready.tune cannot be [[220, True]]"),
        ("ready.tune = [[false, 80]]", "hardware.ready.tune cannot be [[False, 80]]"),
        ("quiet = 'yes'", "write true or false"),
        ("seats = []", "write a list of colors"),
        ("places_mm = [1, 2]", "write a list with x and y of each LED"),
        (
            "places_mm = [['1', '2']]",
            "hardware.places_mm cannot be [['1', '2']]: write a list with x and y of each LED",
        ),
        ("places_mm = [[true, false]]", "hardware.places_mm cannot be [[True, False]]"),
        ("places_mm = [[nan, 2]]", "hardware.places_mm cannot be [[nan, 2]]"),
        ("places_mm = [[0, -inf]]", "hardware.places_mm cannot be [[0, -inf]]"),
        (f"places_mm = [[0, 1{'0' * 400}]]", "write a list with x and y of each LED"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_must_be(settings: str, words: str) -> None:
    with pytest.raises(BadScheme) as error:
        scheme_of(tomllib.loads(settings))
    assert words in str(error.value)


NUMBERS = st.one_of(st.integers(-1, 70_000), st.floats(), st.booleans(), st.text(max_size=2), st.none())


NOTES = st.tuples(st.just(0) | st.integers(31, 20_000), st.integers(1, 65_535))
TUNES = st.lists(NOTES, max_size=20) | st.lists(NOTES | st.tuples(NUMBERS, NUMBERS), max_size=20)


def test_whatever_tune_is_taken_can_be_sent() -> None:
    taken: list[Sound] = []

    @given(TUNES)
    def sent(tune: object) -> None:
        with suppress(BadScheme):
            sound = Sound(scheme_of({"ready": {"tune": tune}}).ready.tune)
            encoded(sound, 0)
            taken.append(sound)

    sent()
    assert sum(len(sound.notes) > 0 for sound in taken) >= 5
