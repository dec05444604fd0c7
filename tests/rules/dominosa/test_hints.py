"""Help on a half-solved table: what lies wrong first, else what follows next."""

from dataclasses import replace
from functools import reduce
from operator import or_
from random import Random

import pytest

from rules.board import Board, Cell
from rules.dominosa import make
from rules.dominosa.cover import covers
from rules.dominosa.places import Places, bits
from rules.engine import hint
from rules.games.dominosa import GAME, DominosaState
from rules.laying import Lay
from rules.puzzles import Published, published
from rules.watch import Watch
from rules.words import said, where
from tests.rules.drawing import picture

PUBLISHED = [pytest.param(puzzle, id=puzzle.name) for puzzle in published("dominosa")]


def drawn(text: str) -> DominosaState:
    """The half-solved problem that a drawing shows."""
    return GAME.start(picture(text))


HALF = """
    2|2 1 2

    0|0 1 0

    1 2 0 1
"""


def test_a_hint_names_the_technique_then_the_place_then_the_domino_and_why() -> None:
    state = drawn(HALF)
    nudge, place, move = (hint(GAME, state, level) for level in (1, 2, 3))
    assert nudge.text == "Only neighbour: look for a number with only one neighbour left to join."
    assert nudge.cells == ()
    assert place.text == "Only neighbour: look at row 3, column 1."
    assert place.cells == (Cell(2, 0),)
    assert move.text == (
        "Only neighbour: The 1 at row 3, column 1 has one neighbour left, so the 1-2 lies at row 3, columns 1 and 2. "
        "Lay it there."
    )
    assert set(move.cells) == {Cell(2, 0), Cell(2, 1)}
    assert [found.level for found in (nudge, place, move)] == [1, 2, 3]


def test_a_domino_that_lies_wrong_is_told_first_with_where_it_belongs() -> None:
    state = drawn("""
        2 2 1 2
        -
        0 0 1 0

        1 2 0 1
    """)
    nudge, place, move = (hint(GAME, state, level) for level in (1, 2, 3))
    assert nudge.text == "1 domino lies wrong."
    assert (place.text, place.cells) == ("The domino at rows 1 and 2, column 1 cannot stay.", (Cell(0, 0), Cell(1, 0)))
    assert move.text == (
        "The 0-2 at rows 1 and 2, column 1 cannot stay: in the only solution it lies at rows 1 and 2, column 4."
    )


def test_a_domino_that_breaks_a_rule_is_told_first_too() -> None:
    start = drawn(HALF)
    twice = Board((*start.board.placed, *drawn("2 2 1 2\n\n0 0 1 0\n\n1|2 0 1").board.placed))
    state = DominosaState(GAME.start("2 2 1 2\n\n0 0 1 0\n\n1 2 0 1").grid, twice.shifted(0, 1))
    found = hint(GAME, state, 3)
    assert "but the problem has" in found.text
    assert GAME.solutions(state) == ()
    assert GAME.deductions(state) == ()


SEVERAL = """
    3 3 1 1 1

    0 1 2 3 3

    2 2 2 0 3

    0 0 1 0 2
"""
TOGETHER = """
    3 3 1 1 1
        -
    0 1 2 3 3
          -
    2 2 2 0 3

    0 0 1 0 2
"""


def test_where_a_grid_has_several_solutions_dominoes_that_may_lie_each_alone_are_not_called_wrong() -> None:
    state = drawn(TOGETHER)
    assert len(covers(Places.of(state.grid), 100).solutions) == 8
    for placed in state.board.placed:
        assert GAME.solutions(DominosaState(state.grid, Board((placed,))))
    nudge, place, move = (hint(GAME, state, level) for level in (1, 2, 3))
    assert nudge.text == "These dominoes cannot all stay: no solution has them together."
    assert place.text == f"The dominoes at {where(place.cells)} cannot all stay: no solution has them together."
    assert place == replace(move, level=2)
    assert set(place.cells) == set(state.board.owner)


def test_where_a_grid_has_several_solutions_a_domino_that_none_of_them_has_cannot_stay() -> None:
    state = drawn(SEVERAL)
    places = Places.of(state.grid)
    used = reduce(or_, covers(places, 100).solutions)
    wrong = places.placed(next(bits(places.all & ~used)))
    with_another = DominosaState(state.grid, Board((*drawn(TOGETHER).board.placed[:1], wrong)))
    nudge, place, move = (hint(GAME, with_another, level) for level in (1, 2, 3))
    assert nudge.text == "A domino lies wrong."
    assert (place.text, place.cells) == (f"The domino at {where(wrong.cells)} cannot stay.", wrong.cells)
    assert f"The {said(wrong.domino)} at {where(wrong.cells)} cannot stay: in a solution it lies at " in move.text


def test_where_several_solutions_are_left_the_hint_shows_where_two_differ() -> None:
    state = GAME.start("0 0 1\n0 1 1\n2 2 2\n0 1 2")
    found = hint(GAME, state, 2)
    assert found.text.startswith("Nothing more follows: more than one solution is left. Two of them differ at ")
    assert found.cells


def test_a_grid_without_any_solution_is_said_to_have_none() -> None:
    assert hint(GAME, GAME.start("0 1 0\n1 0 1")).text == "This grid has no solution."


def test_a_solved_table_needs_no_hint() -> None:
    solved = GAME.start(published("dominosa")[0].solution)
    assert hint(GAME, solved).text == "The goal is reached."


@pytest.mark.parametrize("puzzle", PUBLISHED)
def test_hint_by_hint_a_problem_is_solved(puzzle: Published) -> None:
    follows_hints(GAME.start(puzzle.start))


@pytest.mark.parametrize("grade", ["hard", "extreme"])
def test_hint_by_hint_a_hard_problem_is_solved(grade: str) -> None:
    grid = make(Random(1), 4, grade, Watch())
    assert grid
    follows_hints(DominosaState(grid))


def follows_hints(state: DominosaState) -> None:
    """Lays whatever the hints say, down to the last domino: it is the one that the last sentence names."""
    (solution,) = GAME.solutions(state)
    while not GAME.outcome(state):
        found = hint(GAME, state, 3)
        last = found.text.removesuffix(" Lay it there.").rpartition(". ")[2]
        named = [tile for tile in solution.placed if f" {said(tile.domino)} " in last and where(tile.cells) in last]
        (placed,) = named
        assert set(placed.cells) <= set(found.cells)
        state = GAME.play(state, Lay(placed))
