"""Each way of reasoning in a picture, and every step of a chain held against brute force."""

from random import Random

import pytest

from rules.board import Board
from rules.dominosa import Deduction, Technique, deal, deductions, make
from rules.dominosa.candidates import Candidates
from rules.dominosa.grading import is_solved
from rules.dominosa.places import Places
from rules.dominosa.reasoning import FINDS
from rules.dominosa.technique import BASIC, TRIVIAL
from rules.games.dominosa import GAME, DominosaState
from rules.grid import Grid
from rules.puzzles import Published, published
from rules.watch import Watch
from tests.rules.dominosa import brute
from tests.rules.drawing import picture

PUBLISHED = [pytest.param(puzzle, id=puzzle.name) for puzzle in published("dominosa")]


def drawn(text: str) -> DominosaState:
    """The half-solved problem that a drawing shows."""
    return GAME.start(picture(text))


def first(technique: Technique, state: DominosaState) -> Deduction:
    """What a technique finds first beside the dominoes that lie there."""
    return next(FINDS[technique](Candidates.of(Places.of(state.grid), state.board)))


ONE_LEFT = """
    0|0 1 2
          -
    2|1 1 2

    0|1 2|0
"""
ALIKE = """
    0 2 2 0
        - -
    1 1 1 0

    0 1 2|2
"""
SHARING = """
    2 0 2 1

    2|2 1 0

    0|0 1|1
"""
NECK = """
    2|2 0 1
          -
    0 1 0 2

    2|0 1|1
"""


@pytest.mark.parametrize(
    ("technique", "text", "sentence"),
    [
        (
            Technique.ONLY_NEIGHBOUR,
            ONE_LEFT,
            "The 1 at row 1, column 3 has one neighbour left, so the 1-1 lies at rows 1 and 2, column 3.",
        ),
        (Technique.LAST_PLACE, ONE_LEFT, "The 1-1 can only lie at rows 1 and 2, column 3 now."),
        (
            Technique.UNIQUE_PAIR,
            "2 2 1 2\n\n0 0 1 0\n\n1 2 0 1",
            "The 0-0 can only lie at row 2, columns 1 and 2: its numbers meet nowhere else.",
        ),
        (
            Technique.SAME_DOMINO,
            ALIKE,
            "Whatever the 0 at row 3, column 1 joins, it is the 0-1, which lies nowhere else then.",
        ),
        (
            Technique.SHARED_SQUARE,
            SHARING,
            "Wherever the 1-2 lies, it covers the 2 at row 1, column 3, which joins nothing else then.",
        ),
        (
            Technique.PARITY,
            NECK,
            (
                "The 2 squares at rows 1 and 2, column 3 are even in number and joined to the rest at row 2, column 2 "
                "only, so they fill up among themselves."
            ),
        ),
        (Technique.NO_PLACE_LEFT, SHARING, "A domino at row 1, columns 2 and 3 would leave the 1-2 no place."),
        (
            Technique.NO_NEIGHBOUR_LEFT,
            ALIKE,
            "The 0-1 at rows 1 and 2, column 1 would leave the 0 at row 3, column 1 nothing to join.",
        ),
        (
            Technique.NEEDED_TWICE,
            SHARING,
            (
                "The 0-2 at row 1, columns 2 and 3 would make the squares at row 1, column 4 and at row 2, column 3 "
                "both need the 0-1."
            ),
        ),
    ],
)
def test_a_technique_finds_what_a_picture_shows(technique: Technique, text: str, sentence: str) -> None:
    state = drawn(text)
    step = first(technique, state)
    assert step.sentence == str(step) == sentence
    assert brute.follows(state.grid, step)
    assert technique.grade in (TRIVIAL, BASIC)


@pytest.mark.parametrize(
    ("technique", "text", "sentence"),
    [
        (
            Technique.SET,
            "30012 13313 11030 22220",
            (
                "The squares at row 1, column 2; row 3, column 5 have just the 0-0 and 0-3 to share, so these "
                "lie nowhere "
                "else."
            ),
        ),
        (
            Technique.SET_WITH_DOUBLE,
            "021021 430044 230324 301322 114413",
            (
                "With the 0-0 at rows 1 and 2, column 4, the 3 squares at rows 2 and 3, column 3; row 4, column 2 "
                "would have just the 0-1 and 0-3 to share."
            ),
        ),
        (
            Technique.FORCING_CHAIN,
            "422043 324201 024103 130013 131442",
            (
                "The 2 at row 5, column 6, the 2-4 and the 4 at row 1, column 1 have two choices each, "
                "one settles the next, and either way something clashes with the 2-3 at row 2, columns 1 and 2."
            ),
        ),
    ],
)
def test_a_hard_technique_is_needed_in_a_whole_grid(technique: Technique, text: str, sentence: str) -> None:
    grid = Grid.parse(text.replace(" ", "\n"))
    steps = [step for step in deductions(grid) if step.technique is technique]
    assert sentence in [step.sentence for step in steps]
    assert all(brute.follows(grid, step) for step in steps)


def test_what_lies_rules_out_its_other_places_and_neighbours() -> None:
    step = next(step for step in deductions(drawn(NECK).grid) if step.technique is Technique.TAKEN)
    assert len(step.from_cells) == 2
    assert len(step.from_dominoes) == 1
    assert set(step.cells) == {cell for pair in step.pairs for cell in pair}


@pytest.mark.parametrize("puzzle", PUBLISHED)
def test_each_published_problem_is_solved_by_the_rules_of_the_book_without_a_guess(puzzle: Published) -> None:
    grid = Grid.parse(puzzle.start)
    steps = deductions(grid)
    assert {step.technique.rule for step in steps} <= set(range(1, 8))
    assert Board(tuple(placed for step in steps for placed in step.dominoes)) == Board.parse(puzzle.solution)


def replayed(grid: Grid, steps: tuple[Deduction, ...]) -> None:
    """Every step follows from the one before it, and keeps every solution."""
    every = brute.solutions(grid)
    open_ = set(brute.pairs(grid))
    for step in steps:
        assert set(brute.open_pairs(step)) == open_
        assert brute.follows(grid, step), step.sentence
        assert step.sentence.endswith(".")
        open_ -= set(step.pairs)
        assert all(found <= open_ for found in every)
        assert all(placed.cells in found for placed in step.dominoes for found in every)
    if len(every) == 1:
        assert {placed.cells for step in steps for placed in step.dominoes} == every[0]


@pytest.mark.parametrize("puzzle", PUBLISHED[:6])
def test_the_chain_of_a_published_problem_is_replayed_step_by_step(puzzle: Published) -> None:
    grid = Grid.parse(puzzle.start)
    replayed(grid, deductions(grid))


@pytest.mark.parametrize("grade", ["trivial", "basic", "hard", "extreme"])
def test_the_chain_of_a_made_problem_is_replayed_step_by_step(grade: str) -> None:
    for seed in range(2):
        grid = make(Random(seed), 4, grade, Watch())
        assert grid
        replayed(grid, deductions(grid))


def test_a_chain_holds_also_where_there_are_several_solutions_or_a_guess_is_needed() -> None:
    ends = set()
    for seed in range(25):
        grid = deal(Random(seed), 3)
        steps = deductions(grid)
        replayed(grid, steps)
        ends |= {step.technique for step in steps}
        unique = len(brute.solutions(grid)) == 1
        end = steps[-1].before.after(steps[-1]) if steps else None
        assert unique == (end is not None and is_solved(end.places, end.open))
    assert {Technique.PARITY, Technique.NEEDED_TWICE} & ends


def test_guessing_is_the_last_resort_and_said_to_be_one() -> None:
    grids = (deal(Random(seed), 3) for seed in range(1000))
    steps = next(
        steps for steps in map(deductions, grids) if any(s.technique is Technique.CONTRADICTION for s in steps)
    )
    step = next(step for step in steps if step.technique is Technique.CONTRADICTION)
    assert step.sentence.startswith("Suppose that there lay the ")
    easier = [technique for technique in FINDS if technique is not Technique.CONTRADICTION]
    assert not any(found for technique in easier for found in FINDS[technique](step.before))
