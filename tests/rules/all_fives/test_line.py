"""Lines of play: what is open, what counts, how they are written, drawn and recognised on a table."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.all_fives.line import End, Line
from rules.all_fives.line_reading import seen_line
from rules.all_fives.line_text import arm_text, parse_line, picture, row_text
from rules.board import Board
from rules.domino import Domino, DominoSet
from rules.errors import BadText
from rules.table import Chain, LooseTile, Table
from tests.rules.all_fives.lining import chain, chain_of
from tests.rules.drawing import picture as drawn

SET = DominoSet(6)


def open_numbers(line: Line) -> dict[str, int]:
    return {end.value: open_end.number for end, open_end in line.ends.items()}


def grown(seed: int, tiles: int = 12) -> Line:
    """A line that was played at random."""
    chance, line = Random(seed), Line()
    for domino in chance.sample(SET.dominoes, len(SET)):
        fits = [end for end, open_end in line.ends.items() if open_end.number in (domino.high, domino.low)]
        if not line.row or (fits and len(line.tiles) < tiles):
            in_line = bool(line.row) and domino.is_double and line.sniff is None and chance.random() < 0.5
            line = line.extended(domino, chance.choice(fits or [End.RIGHT]), in_line)
    return line


def test_a_line_is_open_at_both_ends_and_around_its_sniff() -> None:
    assert open_numbers(parse_line("63 32")) == {"L": 6, "R": 2}
    assert open_numbers(parse_line("63 32 [22] 25", up="21")) == {"L": 6, "U": 1, "D": 2, "R": 5}
    assert open_numbers(parse_line("22")) == {"L": 2, "U": 2, "D": 2, "R": 2}


@pytest.mark.parametrize(
    ("row", "up", "counted"),
    [
        ("22", "", (2, 2)),
        ("[22] 25", "", (2, 2, 5)),
        ("(22) 25", "", (2, 5)),
        ("32 (22) 25", "", (3, 5)),
        ("32 (22) 25", "24", (3, 4, 5)),
        ("32 [22]", "24 44", (3, 4, 4, 2)),
        ("00 01", "", (0, 0, 1)),
    ],
)
def test_the_short_ends_of_the_sniff_count_until_they_are_covered(row: str, up: str, counted: tuple[int, ...]) -> None:
    assert parse_line(row, up).counted == counted


def test_a_line_is_drawn_with_its_doubles_across() -> None:
    line = parse_line("63 32 [22] 25 54 44 40", up="21", down="24 41")
    assert picture(line) == drawn("""
                1
                -
                2

                2         4
        6|3 3|2 - 2|5 5|4 - 4|0
                2         4

                2
                -
                4

                4
                -
                1
        """)


def test_an_arm_stands_above_the_middle_of_a_sniff_along_the_line() -> None:
    assert picture(parse_line("64 (44) 43", up="42 22")).splitlines() == [
        "    2|2",
        "",
        "     2",
        "     -",
        "     4",
        "",
        "6|4 4|4 4|3",
    ]


@given(st.integers(0, 10_000))
def test_a_line_is_read_back_as_it_is_written(seed: int) -> None:
    line = grown(seed)
    assert parse_line(row_text(line), arm_text(line.up), arm_text(line.down)) == line


@pytest.mark.parametrize(
    ("row", "up", "sentence"),
    [
        ("63 42", "", "line 1, column 4: 4 is laid against 3: they do not match"),
        ("63 39", "", "39 is not in the double-six set"),
        ("63 x3", "", "'x3' is no domino"),
        ("44 42 22", "", "which double is the sniff"),
        ("[44] 42 [22]", "", "only one double is the sniff"),
        ("[44", "", "the sniff stands in brackets"),
        ("[43]", "", "only a double can be the sniff, not 43"),
        ("63", "32", "32 does not go on nothing above the sniff"),
        ("62 [22]", "42", "42 does not go on 2 above the sniff"),
        ("62 24 54", "", "column 7: 5 is laid against 4"),
        ("62 [22] 26", "", "a domino stands there twice"),
    ],
)
def test_words_that_are_no_line_are_refused(row: str, up: str, sentence: str) -> None:
    with pytest.raises(BadText, match=sentence):
        parse_line(row, up)


def test_only_a_line_with_a_sniff_has_arms() -> None:
    with pytest.raises(ValueError, match="only a sniff has arms"):
        parse_line("63 32").arm(End.LEFT)


@given(st.integers(0, 10_000), st.booleans())
def test_a_line_is_recognised_from_any_side(seed: int, turned: bool) -> None:
    line = grown(seed)
    words = row_text(line), arm_text(line.up), arm_text(line.down)
    seen = seen_line(Table(chain=chain_of(*words, turned=turned)), SET, line if line.sniff is not None else None)
    assert seen.problems == ()
    assert seen.line is not None
    assert seen.line.shape == line.shape
    assert sorted(seen.line.counted) == sorted(line.counted)


@given(st.integers(0, 10_000))
def test_a_line_keeps_its_left_and_right_while_it_is_followed(seed: int) -> None:
    line = grown(seed, 11)
    before = grown(seed, 10)
    seen = seen_line(Table(chain=chain_of(row_text(line), arm_text(line.up), arm_text(line.down))), SET, before)
    if seen.line is not None and before.sniff is not None:
        assert seen.line.as_in(before) == seen.line
        assert len(set(before.row) - set(seen.line.row)) == 0


def test_a_line_around_a_corner_keeps_its_ends() -> None:
    # Its third tile lies upright below the end of the second, so that the corner is met from the side.
    bent = chain("63 32 25", "0T-1H 1T-2H")
    seen = seen_line(Table(chain=bent), SET)
    assert seen.line is not None
    assert sorted(seen.line.counted) == [5, 6]


def test_one_tile_is_a_line_without_a_chain() -> None:
    for table in (Table(Board.parse("3|2")), Table(loose=(LooseTile(3, 2, 0.0, 0.0, 30.0),))):
        assert seen_line(table, SET).line == parse_line("32")
    assert seen_line(Table(), SET).line == Line()


FAULTS = [
    (chain("63 32 42", "0T-1H 1T-2H"), "", "The 2 of the 3-2 lies against the 4 of the 4-2: they do not match."),
    (chain("63 32 34", "0T-1H 1H-2H"), "63 32", "The 3-4 cannot lie there: the 3 of the 3-2 is not an open end."),
    (chain("63 32 34", "0T-1H 1R-2H"), "", "The 3-4 lies against the middle of the 3-2."),
    (chain("63 36 60", "0T-1H 1T-2H"), "", "The 3-6 lies in the line 2 times."),
    (chain("62 22 24 44 45", "0T-1L 1R-2H 2T-3H 3T-4H"), "62 [22] 24", "The 4-4 has to lie across the line"),
    (chain("62 22 24 44 45", "0T-1H 1T-2H 2T-3H 3T-4H"), "", "The 2-2 or 4-4 has to lie across the line"),
    (chain("62 22 24 44", "0T-1L 1R-2H 2T-3L"), "", "Which double was played first, the 2-2 or 4-4?"),
    (chain("63 32 25", "0T-1H 1T-2H"), "63 32 25 51", "The 1-5 is gone from the line"),
    (chain("63 32", "0T-1H"), "63 32 25 51", "The 1-5 and 2-5 are gone from the line"),
]


@pytest.mark.parametrize(("seen", "before", "sentence"), FAULTS)
def test_what_is_no_line_is_said_in_a_sentence(seen: Chain, before: str, sentence: str) -> None:
    found = seen_line(Table(chain=seen), SET, parse_line(before) if before else None)
    assert found.line is None
    assert any(problem.text.startswith(sentence) for problem in found.problems), found.problems


def test_a_fault_points_at_its_tiles_where_they_lie_on_cells() -> None:
    table = Table(Board.parse("6|3 3|2 4|2"), chain("63 32 42", "0T-1H 1T-2H"))
    (fault,) = seen_line(table, SET).problems
    assert [str(table.board.owner[cell]) for cell in fault.cells] == ["32", "32", "42", "42"]


def test_a_tile_that_touches_nothing_is_named() -> None:
    table = Table(Board.parse("6|3 3|2\n\n\n\n3|4"), chain("63 32", "0T-1H"))
    assert [p.text for p in seen_line(table, SET).problems] == [
        "The 3-4 lies apart from the line: push it against an end, or take it away."
    ]
    assert seen_line(table, SET, aside={Domino(4, 3)}).line == parse_line("63 32")
