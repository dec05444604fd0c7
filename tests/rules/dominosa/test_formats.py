"""The ways a problem is written, and where a text goes wrong."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import EMPTY, Board
from rules.dominosa import deal, diagram_text, game_id, plain_text, read_game_id, read_problem
from rules.errors import BadText
from rules.games.dominosa import GAME
from rules.grid import Grid
from rules.puzzles import Published, published
from tests.rules.drawing import picture

SMALL = Grid.parse("001\n011")


@pytest.mark.parametrize(
    "text", ["001\n011", "0 0 1\n0 1 1", "0 0 1\n\n0 1 1\n", "1:001011", "  1:001011\n", "1dt:001011"]
)
def test_a_problem_is_read_however_it_is_written(text: str) -> None:
    assert read_problem(text) == (SMALL, EMPTY)


def test_a_problem_is_written_in_three_ways() -> None:
    assert game_id(SMALL) == "1:001011"
    assert plain_text(SMALL) == "001\n011"
    assert diagram_text(SMALL) == "0 0 1\n\n0 1 1"


@settings(max_examples=30)
@given(st.integers(0, 999), st.integers(3, 15))
def test_what_is_written_is_read_back(seed: int, order: int) -> None:
    grid = deal(Random(seed), order)
    laid = Board(GAME.solutions(GAME.start(str(grid)), 1)[0].placed[:: seed % 3 + 1])
    assert read_problem(game_id(grid)) == read_problem(plain_text(grid)) == (grid, EMPTY)
    assert read_problem(diagram_text(grid, laid)) == (grid, laid)


def test_two_digit_numbers_stand_in_brackets() -> None:
    grid = deal(Random(1), 10)
    assert game_id(grid).startswith("10:")
    assert game_id(grid).count("[10]") == 12
    assert read_game_id(game_id(grid)) == grid


def test_a_tall_grid_has_the_game_id_of_the_grid_turned_clockwise() -> None:
    tall = Grid.parse("00\n01\n11")
    assert game_id(tall) == "1:100110"


def test_the_edges_of_a_diagram_are_dominoes_that_lie_there() -> None:
    text = picture("""
        2|2 1 2
              -
        0 0 1 0

        1|2 0 1
    """)
    state = GAME.start(text)
    assert [str(placed) for placed in state.board.placed] == ["22", "20", "12"]
    assert str(state) == text


@pytest.mark.parametrize("puzzle", [pytest.param(puzzle, id=puzzle.name) for puzzle in published("dominosa")])
def test_a_published_solution_is_read_as_the_solved_problem(puzzle: Published) -> None:
    solved = GAME.start(puzzle.solution)
    assert solved.grid == GAME.start(puzzle.start).grid
    assert solved.board == Board.parse(puzzle.solution)
    assert GAME.outcome(solved)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("6:", 1, 3, "order 6 takes 56 numbers, not 0"),
        ("1:00101", 1, 8, "order 1 takes 6 numbers, not 5"),
        ("1:0010112", 1, 9, "order 1 takes 6 numbers, not 7"),
        ("\n 1:001012", 2, 9, "2 is too high"),
        ("1:000011", 1, 6, "one 0 too many"),
        ("1:00x011", 1, 5, "'x' is no number"),
        ("1:00[011", 1, 5, "'\\[' is no number"),
        ("0:00", 1, 1, "the order is 1 to 15, not 0"),
        ("16:00", 1, 1, "the order is 1 to 15, not 16"),
        ("6#123456", 1, 2, "a seed, not a game id"),
        ("0|0 1\n\n0|1|1", 3, 4, "joined already"),
        ("0|0 1\n\n0 1 1|", 3, 6, "needs a number on both sides"),
        ("0 0 1\n -\n0 1 1", 2, 2, "needs a number on both sides"),
        ("0|0|1\n\n0 1 1", 1, 4, "joined already"),
        ("0 0|1\n\n0|1 1", 3, 2, "the 0-1 is there twice"),
    ],
)
def test_a_fault_is_named_with_its_line_and_column(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as refused:
        GAME.start(text)
    assert (refused.value.line, refused.value.column) == (line, column)


def test_a_game_id_has_a_head() -> None:
    with pytest.raises(BadText, match="begins with the order and a colon"):
        read_game_id("001\n011")


@settings(max_examples=80)
@given(st.text("012 |-\n:[]d#", max_size=24))
def test_any_text_is_either_a_problem_or_refused(text: str) -> None:
    try:
        grid, laid = read_problem(text)
    except BadText:
        return
    assert read_problem(diagram_text(grid, laid)) == (grid, laid)
