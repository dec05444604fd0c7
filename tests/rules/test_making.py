"""Making up problems: what a maze of positions tells, and starts that are taken apart from the end."""

from random import Random
from typing import Any

import pytest

from rules.board import Board
from rules.engine import legal_moves, solve
from rules.game import Game, Generates
from rules.games import game
from rules.making import explored
from rules.puzzles import problem
from rules.search import plays
from rules.sliding.layout import Layout
from rules.sliding.making import filled_rectangle, slid_back
from rules.sliding.puzzle import SlidingPuzzle
from rules.watch import Watch

Sliding = Game[Layout, Any]
SLUGS = ["unmatched", "capturing", "adding"]


def puzzle(slug: str) -> SlidingPuzzle[Any]:
    """The sliding puzzle with this slug."""
    played = game(slug)
    assert isinstance(played, SlidingPuzzle)
    assert isinstance(played, Generates)
    return played


@pytest.mark.parametrize("slug", SLUGS)
def test_a_maze_knows_every_position_and_how_far_the_end_is(slug: str) -> None:
    played, start = game(slug), problem(slug, "1")
    maze = explored(played, start)
    assert maze
    for state in list(maze.onward)[:12]:
        found = solve(played, state).moves
        assert maze.left.get(state) == (None if found is None else len(found))
    assert len(maze.solution) == maze.left[start]
    assert 0 <= maze.lost < 1


def test_what_leads_astray_is_counted_on_the_way() -> None:
    start = Layout.of(Board.parse("  2\n  -\n  3 1|2\n\n2|4"))
    maze = explored(game("unmatched"), start)
    assert maze
    assert [str(move) for move in maze.solution] == ["24R", "24R", "23D"]
    legal = [len(list(legal_moves(game("unmatched"), state))) for _, state in maze.way()]
    nearer = [sum(maze.left[after] < maze.left[state] for _, after in maze.onward[state]) for _, state in maze.way()]
    assert maze.astray == 1 - sum(nearer) / sum(legal)


def test_a_maze_that_is_too_wide_is_left_aside() -> None:
    assert explored(game("capturing"), problem("capturing", "20"), 50) is None


def test_slides_taken_back_lead_forth_again() -> None:
    played: Sliding = game("unmatched")
    boards = [board for seed in range(12) if (board := filled_rectangle(Random(seed), 4))]
    assert len(boards) >= 3
    found = 0
    for end in map(Layout.of, boards):
        assert played.outcome(end)
        for before in slid_back(played, end):
            found += 1
            assert end in [after for _, after in plays(played, before)]
    assert found >= 10


@pytest.mark.parametrize(("slug", "difficulty"), [("unmatched", "easy"), ("capturing", "easy"), ("adding", "medium")])
def test_a_problem_of_a_grade_has_a_shortest_solution_of_its_length(slug: str, difficulty: str) -> None:
    played = puzzle(slug)
    made = played.generate(Random(7), difficulty, Watch())
    assert made
    grade = next(grade for grade in played.grades if grade.name == difficulty)
    solution = solve(played, made.start)
    assert solution.moves
    assert len(made.moves) == len(solution.moves)
    assert len(made.moves) in grade.moves
    assert made.note.startswith(f"{len(made.moves)} moves; ")
    assert played.generate(Random(7), difficulty, Watch()) == made


def test_making_ends_where_the_watch_does() -> None:
    played = puzzle("unmatched")
    assert played.generate(Random(1), "hard", Watch(most_states=0)) is None
