"""Unmatched Donimoes: what may slide, and what a table says that breaks the rules."""

import pytest

from rules.board import Board, Cell
from rules.engine import check, explain, legal_moves, replay
from rules.game import IllegalMove, Problem
from rules.games.unmatched import GAME
from rules.sliding.layout import Layout
from rules.table import Doubt, LooseTile, Table
from tests.rules.drawing import board

TWO = Layout.of(Board.parse("  2|3\n\n3|4"))
HOOK = """
    1|4 0|2

        3 5
        - -
        6 6
"""


def refusal(drawn: str, word: str) -> Problem:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, Layout.of(board(drawn)), word)
    assert refused.value.cells == refused.value.problem.cells
    return refused.value.problem


def told(start: Layout, drawn: str) -> list[str]:
    """What is said of a table that no legal moves lead to."""
    explained = explain(GAME, start, Table(board(drawn)))
    assert not explained.legal
    return [problem.text for problem in explained.problems]


def test_a_domino_slides_until_it_would_meet_its_own_number() -> None:
    once, _ = replay(GAME, TWO, "34R")
    assert str(once) == "2|3\n\n3|4"
    assert refusal("2|3\n\n3|4", "34R") == Problem(
        "The 3-4 cannot slide right: its 3 would lie beside the same number at row 1, column 2.",
        (Cell(1, 0), Cell(1, 1), Cell(0, 1)),
    )


def test_only_the_domino_that_slides_is_looked_at() -> None:
    start = Layout.of(Board.parse("2|2 6\n    -\n2|0 1"))
    assert {str(move) for move in legal_moves(GAME, start)} == {"20L", "61U", "61D"}


def test_a_doubles_own_halves_are_not_neighbours() -> None:
    after, _ = replay(GAME, Layout.of(Board.parse("5|5\n\n1|2")), "55R")
    assert str(after) == "  5|5\n\n1|2"


def test_the_group_stays_together_after_each_space() -> None:
    assert refusal("  2|3\n\n3|4", "34L").text == "The 3-4 cannot slide left: it would lose touch with the group."
    assert refusal(HOOK, "02R") == Problem(
        "The 0-2 cannot slide right: 2 squares would be cut off from it: row 1, columns 1 and 2.",
        (Cell(0, 2), Cell(0, 3), Cell(0, 0), Cell(0, 1)),
    )


@pytest.mark.parametrize(
    ("drawn", "won"),
    [("1|2\n\n3|4", True), ("1 2\n- -\n3 4", True), ("1|2 3|4", True), ("1|2 3\n    -\n    4", False), ("", False)],
)
def test_any_filled_rectangle_wins(drawn: str, won: bool) -> None:
    outcome = GAME.outcome(Layout.of(Board.parse(drawn)))
    assert bool(outcome and outcome.won) == won


def test_a_slide_that_the_rules_forbid_is_named_with_the_rule_it_breaks() -> None:
    start = Layout.of(Board.parse("2|3 5|1\n\n3|4"))
    explained = explain(GAME, start, Table(Board.parse("2|3 5|1\n\n  3|4").shifted(4, 4)))
    assert (str(explained.moves[0]), explained.slip) == ("34R", 0)
    assert explained.problems == (
        Problem(
            "The 3-4 cannot slide right: its 3 would lie beside the same number at row 1, column 2.",
            (Cell(5, 4), Cell(5, 5), Cell(4, 5)),
        ),
    )


def test_a_slide_over_two_spaces_is_taken_apart() -> None:
    start = Layout.of(Board.parse("  2|3 5|1\n\n3|4"))
    assert told(start, "  2|3 5|1\n\n    3|4") == [
        "After 34R, the 3-4 cannot slide right: its 3 would lie beside the same number at row 1, column 2."
    ]


def test_a_slide_that_breaks_the_group_is_named_as_such() -> None:
    start = Layout.of(Board.parse("0|1 2|4\n\n  3|5"))
    assert told(start, "0|1   2|4\n\n  3|5") == ["The 2-4 cannot slide right: it would lose touch with the group."]


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ("  2|3 5|1\n\n3\n-\n4", "The 3-4 was turned round at rows 2 and 3, column 1."),
        ("  2|3 5|1\n\n4|3", "The 3-4 was turned round at row 2, columns 1 and 2."),
        ("  2|3 5|1", "The 3-4 is missing at row 2, the column left of column 1 and column 1."),
        (
            "3|4 2|3 5|1",
            "The 3-4 lies 1 space up and 1 space left from where it lay; no legal slides lead there.",
        ),
    ],
)
def test_what_no_slide_explains_is_said_domino_by_domino(drawn: str, sentence: str) -> None:
    assert told(Layout.of(Board.parse("  2|3 5|1\n\n3|4")), drawn) == [sentence]


def test_doubts_are_named_before_anybody_is_blamed() -> None:
    seen = Board.parse("  2|3 5|1\n\n4|3")
    doubt = Doubt((Cell(1, 0), Cell(1, 1)), "43", ("34",), 0.6)
    start = Layout.of(Board.parse("  2|3 5|1\n\n3|4"))
    assert told(start, str(seen)) == ["The 3-4 was turned round at row 2, columns 1 and 2."]
    explained = explain(GAME, start, Table(seen, doubts=(doubt,)))
    assert [problem.text for problem in explained.problems] == [
        "It is not sure that the tile at row 2, columns 1 and 2 reads 4-3; it may be 3-4."
    ]


def test_every_fault_of_a_finished_table_is_told() -> None:
    start = Layout.of(Board.parse("  2\n  -\n  3 1|2\n\n2|4"))
    faults = {
        "2 1|2\n-\n3 2|4": [],
        "2 1|2\n-\n3 4|2": ["The 2-4 was turned round at row 2, columns 2 and 3."],
        "2 1|2\n-\n3   2|4": ["2 squares are empty: row 1, column 4; row 2, column 2."],
        "2 1\n- -\n3 2": ["The 1-2 was turned round at rows 1 and 2, column 2.", "The 2-4 is missing."],
        "2 1|2\n-\n3 2|5": [
            "The 2-5 at row 2, columns 2 and 3 is not in this problem.",
            "The 2-4 is missing.",
        ],
    }
    for drawn, sentences in faults.items():
        verdict = check(GAME, Table(Board.parse(drawn).shifted(3, 1)), start)
        assert [problem.text for problem in verdict.problems] == sentences
        assert verdict.state == ("unsolved" if sentences else "solved")


def test_without_a_problem_any_rectangle_of_one_set_will_do() -> None:
    assert check(GAME, Table(Board.parse("2 1|2\n-\n3 2|4"))).state == "solved"
    lying = Table(Board.parse("2 1|2\n-\n3 2|4"), loose=(LooseTile(1, 1, 9, 9, 0),))
    assert [fault.text for fault in check(GAME, lying).problems] == ["The 1-1 lies off the grid."]
    unsure = Table(Board.parse("2 1|2\n-\n3 2|4"), doubts=(Doubt((Cell(0, 0), Cell(1, 0)), "23"),))
    assert check(GAME, unsure).state == "undecided"


def test_doubtful_tiles_do_not_tell_which_way_round_a_table_lies() -> None:
    start = Layout.of(Board.parse("0|1\n\n2|3\n\n4|5"))
    seen = Board.parse("0|1\n\n3|2\n\n5|4")
    doubts = tuple(Doubt(seen.owner[Cell(row, 0)].cells, str(seen.owner[Cell(row, 0)]), (), 0.5) for row in (1, 2))
    assert check(GAME, Table(seen), start).state == "unsolved"
    assert check(GAME, Table(seen, doubts=doubts), start).state == "undecided"
