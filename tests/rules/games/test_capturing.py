"""Capturing Donimoes: what a slide collects, and what a table says that breaks the rules."""

import pytest

from rules.board import Board, Cell
from rules.engine import check, explain, left_to_do, replay
from rules.game import IllegalMove
from rules.games.capturing import GAME
from rules.sliding.layout import Layout
from rules.table import Table

CORNER = "5 2|4\n-\n2   2|6"


def after(drawn: str, word: str) -> str:
    return str(replay(GAME, Layout.of(Board.parse(drawn)), word)[0])


@pytest.mark.parametrize(
    ("drawn", "word", "left"),
    [
        ("2|3\n\n3|4", "34R", ""),
        ("3|4\n\n2|1", "21R", "3|4\n\n  2|1"),
        (CORNER, "26L", ""),
        ("5 3|4\n-\n2   2|4", "24L", ""),
        ("3|4 1|1\n\n2|4", "24R", "3|4 1|1\n\n  2|4"),
    ],
)
def test_a_slide_collects_all_that_match_it_or_makes_a_six(drawn: str, word: str, left: str) -> None:
    assert after(drawn, word) == left


def test_a_match_captures_also_where_a_six_is_made() -> None:
    assert after("5 2|4 0|0\n-\n2   2|6", "26L") == "0|0"


@pytest.mark.parametrize(
    ("drawn", "word", "why"),
    [
        ("2|3\n\n5|5", "55R", "The 5-5 cannot slide right: it would match no neighbour and make no six."),
        ("3|3\n\n1|2", "33R", "it would match no neighbour and make no six"),
        (
            "5|5 2|4 1|1\n\n  2|6",
            "26R",
            "The 2-6 cannot slide right: without the 2-4 and the 2-6 the others would not be in one group.",
        ),
        (
            "1|4 0|2\n\n    3 6\n    - -\n    5 4",
            "02R",
            "The 0-2 cannot slide right: 2 squares would be cut off from it: row 1, columns 1 and 2.",
        ),
    ],
)
def test_what_the_rules_forbid_is_refused(drawn: str, word: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        after(drawn, word)


def test_the_end_is_an_empty_table_and_one_domino_is_a_dead_end() -> None:
    bare, single, two = (GAME.outcome(Layout.of(Board.parse(text))) for text in ("", "1|2", "1|2 2|3"))
    assert (bare and bare.won, single and single.won, two) == (True, False, None)


def test_a_move_says_what_it_collects() -> None:
    start = Layout.of(Board.parse(CORNER))
    _, (move,) = replay(GAME, start, "26L")
    assert GAME.describe(start, move) == (
        "The 2-6 at row 2, columns 3 and 4 slides left and collects the 2-4, the 2-5 and the 2-6."
    )


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ("2|4 1|1", "The slide 26L matches the 2-4 and the 2-5: the 2-4 must be collected."),
        (
            "5 2|4 1|1\n-\n2 2|6",
            "The slide 26L matches the 2-4 and the 2-5: the 2-4, the 2-5 and the 2-6 must be collected.",
        ),
        ("5\n-\n2", "The slide 26L matches the 2-4 and the 2-5: the 2-5 must be collected and the 1-1 must stay."),
    ],
)
def test_wrong_dominoes_that_were_collected_are_named(seen: str, told: str) -> None:
    start = Layout.of(Board.parse("5 2|4 1|1\n-\n2   2|6"))
    explained = explain(GAME, start, Table(Board.parse(seen)))
    assert [problem.text for problem in explained.problems] == [told]


@pytest.mark.parametrize(
    ("seen", "left"),
    [
        ("5 2|4 1|1\n-\n2 2|6", "After the slide 26L the 2-4, the 2-5 and the 2-6 are collected."),
        ("5 2|4 1|1\n-\n2", ""),  # the 2-6 may have been taken from where it lay
        ("  2|4 1|1", "After the slide 26L the 2-4 is collected."),
        ("5   1|1\n-\n2", ""),  # the 2-4 was taken before anything slid to it, or without that
        ("5 2|4 1|1\n-\n2   2|6", ""),
    ],
)
def test_what_a_slide_matches_is_collected_one_after_the_other(seen: str, left: str) -> None:
    start = Layout.of(Board.parse("5 2|4 1|1\n-\n2   2|6"))
    assert left_to_do(GAME, start, Table(Board.parse(seen))) == left


def test_a_capture_that_would_part_the_others_is_told_with_the_dominoes_it_takes() -> None:
    start = Layout.of(Board.parse("5|5 2|4 1|1\n\n  2|6"))
    explained = explain(GAME, start, Table(Board.parse("5|5     1|1")))
    assert str(explained.moves[0]) == "26R"
    assert explained.problems[0].cells == (Cell(1, 1), Cell(1, 2), Cell(0, 2), Cell(0, 3))


def test_the_finished_table_is_bare() -> None:
    start = Layout.of(Board.parse(CORNER))
    assert check(GAME, Table(), start).state == "solved"
    assert check(GAME, Table()).state == "unsolved"
    verdict = check(GAME, Table(Board.parse("5\n-\n2")), start)
    assert [problem.text for problem in verdict.problems] == ["1 domino is left at rows 1 and 2, column 1."]
