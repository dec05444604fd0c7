"""Solutions of Dominosa: as many as there are, found by brute force too."""

from random import Random

import pytest

from rules.board import Board
from rules.dominosa import deal, is_unique, solutions
from rules.dominosa.cover import covers
from rules.dominosa.places import Places
from rules.engine import solve
from rules.games.dominosa import GAME
from rules.grid import Grid
from rules.puzzles import Published, published
from rules.watch import Watch
from tests.rules.dominosa import brute

PUBLISHED = [pytest.param(puzzle, id=puzzle.name) for puzzle in published("dominosa")]


def shuffled(chance: Random, order: int) -> Grid:
    """Each number as often as it has to be, anywhere: most such grids have no solution, or several."""
    numbers = [number for number in range(order + 1) for _ in range(order + 2)]
    chance.shuffle(numbers)
    rows, cols = chance.choice([(order + 1, order + 2), (order + 2, order + 1)])
    return Grid(tuple(tuple(numbers[row * cols : (row + 1) * cols]) for row in range(rows)))


@pytest.mark.parametrize("puzzle", PUBLISHED)
def test_each_published_problem_has_one_solution_the_published_one(puzzle: Published) -> None:
    start = GAME.start(puzzle.start)
    assert is_unique(start.grid)
    assert GAME.solutions(start) == (Board.parse(puzzle.solution),)


def test_every_solution_of_small_grids_is_found_and_no_other() -> None:
    chance = Random(1)
    found = []
    for number in range(300):
        order = 4 if number % 30 < 2 else 2 + number % 3 % 2
        grid = shuffled(chance, order) if number % 2 else deal(chance, order)
        expected = brute.solutions(grid)
        boards = solutions(grid, most=10_000)
        assert {frozenset(placed.cells for placed in board.placed) for board in boards} == set(expected)
        assert len(boards) == len(expected)
        assert len(solutions(grid)) == min(2, len(expected))
        assert is_unique(grid) == (len(expected) == 1)
        found.append(min(2, len(expected)))
    assert min(found.count(number) for number in range(3)) >= 20


def test_what_lies_there_is_kept() -> None:
    grid = deal(Random(5), 4)
    every = solutions(grid, most=1000)
    assert len(every) > 1
    laid = Board(tuple(set(every[0].placed) - set(every[1].placed)))
    assert set(solutions(grid, laid, 1000)) == {board for board in every if set(laid.placed) <= set(board.placed)}


def test_a_grid_without_a_solution_is_proved_to_have_none() -> None:
    state = GAME.start("0 1 0\n1 0 1")
    solution = solve(GAME, state)
    assert (solution.moves, solution.proved) == (None, True)


def test_a_search_ends_at_its_limit_and_says_so() -> None:
    grid = deal(Random(1), 15)
    found = covers(Places.of(grid), 1_000_000, watch=Watch(most_states=50))
    assert not found.complete
    assert len(found.solutions) < 1_000_000


@pytest.mark.parametrize("order", range(3, 16))
def test_any_order_is_solved(order: int) -> None:
    state = GAME.deal(Random(order), (order + 1) * (order + 2) // 2)
    solution = solve(GAME, state)
    assert solution.moves is not None
    for move in solution.moves:
        state = GAME.play(state, move)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.won
