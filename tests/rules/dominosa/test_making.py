"""Made problems: one solution, the grade that was asked for, the same for the same seed."""

from collections import Counter
from random import Random

import pytest

from rules.dominosa import GRADES, Technique, deal, deductions, grade, interest, is_unique, make
from rules.dominosa.grading import is_solved
from rules.dominosa.making import laid_at_random
from rules.dominosa.technique import hardest
from rules.engine import replay
from rules.games.dominosa import GAME
from rules.grid import Grid
from rules.puzzles import published
from rules.watch import Watch

MADE = GRADES[:-1]


@pytest.mark.parametrize("wanted", MADE)
@pytest.mark.parametrize("order", [3, 5, 7])
def test_a_made_grid_has_one_solution_and_the_grade_that_was_asked_for(wanted: str, order: int) -> None:
    grid = make(Random(order), order, wanted, Watch())
    assert grid
    assert grid.size == (order + 1, order + 2)
    assert is_unique(grid)
    assert grade(grid) == wanted
    steps = deductions(grid)
    end = steps[-1].before.after(steps[-1])
    assert is_solved(end.places, end.open)
    assert hardest({step.technique.grade for step in steps}) in GRADES[GRADES.index(wanted) : -1]


@pytest.mark.parametrize(("order", "seed"), [(10, 2), (12, 2), (15, 1)])
def test_large_grids_are_made_too(order: int, seed: int) -> None:
    grid = make(Random(seed), order, "basic", Watch())
    assert grid
    assert grade(grid) == "basic"


def test_the_same_seed_makes_the_same_problem_and_its_text_and_moves_hold() -> None:
    made, again = (GAME.generate(Random(8), "hard 4", Watch()) for _ in range(2))
    assert made == again
    assert made
    assert GAME.start(made.text) == made.start
    end, _ = replay(GAME, made.start, ", ".join(map(str, made.moves)))
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert outcome.won
    assert "set" in made.note
    assert made.interest == interest(deductions(made.start.grid))


def test_making_ends_where_its_watch_ends_it() -> None:
    assert GAME.generate(Random(1), "extreme 15", Watch(most_states=3)) is None


@pytest.mark.parametrize("difficulty", ["easy", "hard 2", "hard 16", "hard x", "hard 1000", "guess", ""])
def test_an_unknown_difficulty_is_refused_with_those_there_are(difficulty: str) -> None:
    with pytest.raises(ValueError, match="trivial, basic, hard or extreme are, with an order from 3 to 15"):
        GAME.generate(Random(1), difficulty, Watch())


def test_a_grade_says_what_a_grid_needs_at_the_least() -> None:
    for seed in range(60):
        grid = deal(Random(seed), 3)
        found = grade(grid)
        assert (found is None) == (not is_unique(grid))
        if found:
            took = {step.technique.grade for step in deductions(grid)}
            # The book looks over the grid for unique pairs last, so its own order may take harder rules than needed.
            assert GRADES.index(hardest(took)) >= GRADES.index(found)
            assert (found == "guess") == ("guess" in took)


def test_the_published_problems_are_graded_by_what_they_need() -> None:
    grades = Counter(grade(Grid.parse(puzzle.start)) for puzzle in published("dominosa"))
    assert grades == {"trivial": 12, "basic": 8}


def test_interest_is_many_different_rules_and_few_tedious_searches() -> None:
    plain = deductions(Grid.parse(published("dominosa")[0].start))
    varied = deductions(Grid.parse(published("dominosa")[19].start))
    assert interest(varied) > interest(plain)
    searches = sum(step.technique is Technique.UNIQUE_PAIR for step in varied)
    assert interest(varied) == len({step.technique for step in varied}) - searches / 4


def test_a_layout_covers_its_rectangle_and_lies_every_way() -> None:
    ways = Counter[str]()
    for seed in range(20):
        layout = laid_at_random(Random(seed), 5, 6)
        assert sorted(square for pair in layout for square in pair) == list(range(30))
        ways.update("across" if other == one + 1 else "upright" for one, other in layout)
        assert all(other - one in (1, 6) for one, other in layout)
    assert min(ways.values()) > 80


def test_a_deal_takes_the_dominoes_of_a_full_set() -> None:
    start = GAME.deal(Random(3), 28)
    assert start.grid.size == (7, 8)
    assert GAME.start(str(start)) == start
    with pytest.raises(ValueError, match="a full set has 10, 15, 21, 28, "):
        GAME.deal(Random(3), 8)
