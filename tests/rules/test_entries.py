"""Positions in text: what each line gives, and what is said of a line that gives nothing."""

import pytest

from rules.entries import Parts, entries, number_of, parted
from rules.errors import BadText

NAMES, LIKE, ENOUGH = ("players", "row 1"), "'players: 2'", "'players: 2' is enough"


def test_a_line_gives_a_value_by_its_name_however_it_is_spaced() -> None:
    lines = ["Players: 2", "", " row  1 : 24 ??"]
    assert entries(lines, NAMES, LIKE, ENOUGH) == {"players": (1, " 2"), "row 1": (3, " 24 ??")}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "line 1, column 1: nothing is given: 'players: 2' is enough"),
        (["", "rows: 1"], "line 2, column 1: 'rows: 1' is not understood; a line is like 'players: 2'"),
        (["players 2"], "'players 2' is not understood"),
        (["players: 2", "players: 3"], "line 2, column 1: players stands there twice"),
    ],
)
def test_what_gives_nothing_is_told_with_its_place(lines: list[str], told: str) -> None:
    with pytest.raises(BadText, match=told):
        entries(lines, NAMES, LIKE, ENOUGH)


def test_a_number_is_told_with_its_line_where_it_is_none() -> None:
    given = entries(["players: 2", "row 1: two"], NAMES, LIKE, ENOUGH)
    assert number_of(given, "players") == 2
    with pytest.raises(BadText, match="line 2, column 1: row 1 is a number, not 'two'"):
        number_of(given, "row 1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1|2\n=== \n3|4\n", Parts("1|2\n", "3|4\n", 2)),
        ("1|2\n\n=", Parts("1|2\n\n", "", 3)),
        ("1|2\n a ===", None),
    ],
)
def test_a_line_of_its_own_divides_a_text(text: str, told: Parts | None) -> None:
    assert parted(text) == told
