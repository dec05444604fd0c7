"""Dominosa: the rules, and every fault in a sentence with its cells."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board, Cell, Placed
from rules.engine import check, explain, legal_moves
from rules.game import IllegalMove, UnreadableTable, Verdict
from rules.games.dominosa import GAME, DominosaState
from rules.laying import Lay
from rules.puzzles import Published, problem, published
from rules.table import Chain, LaidTile, LooseTile, Place, Table
from tests.rules.drawing import board, read_as

START: DominosaState = problem("dominosa", "1")
SOLVED = board("""
    2|2 1 2
        - -
    0|0 1 0

    1|2 0|1
""")
TOP_LEFT, UPRIGHT = SOLVED.owner[Cell(0, 0)], SOLVED.owner[Cell(0, 2)]


def faults(lying: Board | Table, start: DominosaState | None = START) -> list[str]:
    """The sentences of a verdict that is not solved."""
    verdict = check(GAME, Table(lying) if isinstance(lying, Board) else lying, start)
    assert verdict.state == "unsolved"
    return [fault.text for fault in verdict.problems]


def test_the_solution_of_the_first_problem_is_right_with_and_without_its_grid() -> None:
    assert check(GAME, Table(SOLVED), START) == Verdict("solved")
    assert check(GAME, Table(SOLVED)) == Verdict("solved")


@pytest.mark.parametrize("puzzle", [pytest.param(puzzle, id=puzzle.name) for puzzle in published("dominosa")])
def test_any_one_tile_that_reads_something_else_is_found(puzzle: Published) -> None:
    start, solved = GAME.start(puzzle.start), Board.parse(puzzle.solution)
    for tile in solved.placed:
        other = f"{(tile.head + 1) % min(start.grid.size):x}{tile.tail:x}"
        verdict = check(GAME, Table(read_as(solved, tile.cell, other)), start)
        differs, twice, missing = sorted(verdict.problems, key=lambda fault: (not fault.cells, "twice" in fault.text))
        assert differs.text.endswith(f"lies {other[0]}-{other[1]}, but the problem has {tile.head}-{tile.tail} there.")
        assert differs.cells == (tile.cell,)
        assert set(tile.cells) < set(twice.cells)
        assert missing.text == f"The {min(tile.head, tile.tail)}-{max(tile.head, tile.tail)} is missing."


def test_a_tile_that_differs_from_the_grid_is_named_with_the_cell_that_differs() -> None:
    verdict = check(GAME, Table(read_as(SOLVED, Cell(0, 0), "20")), START)
    assert [(fault.text, fault.cells) for fault in verdict.problems] == [
        ("At row 1, columns 1 and 2 lies 2-0, but the problem has 2-2 there.", (Cell(0, 1),)),
        (
            "The 0-2 is there twice: at row 1, columns 1 and 2 and at rows 1 and 2, column 4.",
            (Cell(0, 0), Cell(0, 1), Cell(0, 3), Cell(1, 3)),
        ),
        ("The 2-2 is missing.", ()),
    ]


def test_dominoes_may_match_every_number_and_still_be_wrong() -> None:
    lying = board("""
        2 2 1|2
        - -
        0 0 1|0

        1|2 0|1
    """)
    sentences = [
        "The 0-2 is there twice: at rows 1 and 2, column 1 and at rows 1 and 2, column 2.",
        "The 0-1 is there twice: at row 2, columns 3 and 4 and at row 3, columns 3 and 4.",
        "The 1-2 is there twice: at row 1, columns 3 and 4 and at row 3, columns 1 and 2.",
        "The 0-0, 1-1 and 2-2 are missing.",
    ]
    assert sorted(faults(lying)) == sorted(faults(lying, None)) == sorted(sentences)


def test_a_domino_that_lies_there_three_times_is_named_with_all_its_places() -> None:
    lying = board("""
        1|1 1
            -
        1|1 1
    """)
    places = ["at row 1, columns 1 and 2", "at rows 1 and 2, column 3", "at row 2, columns 1 and 2"]
    assert faults(lying, None) == [
        "The 1-1 is there twice: at row 1, columns 1 and 2 and at rows 1 and 2, column 3.",
        f"The 1-1 is there three times: {', '.join(places[:2])} and {places[2]}.",
        "The 0-0 and 0-1 are missing.",
    ]


def test_squares_without_a_tile_are_named() -> None:
    part = SOLVED.without([UPRIGHT, SOLVED.owner[Cell(2, 0)]])
    assert faults(part) == [
        "4 squares are empty: rows 1 and 2, column 3; row 3, columns 1 and 2.",
        "The 1-1 and 1-2 are missing.",
    ]


def test_a_tile_outside_the_grid_and_outside_the_set_is_named() -> None:
    assert faults(SOLVED.laid(Placed.on(Cell(0, 4), Cell(1, 4), 6, 6))) == [
        "The 6-6 at rows 1 and 2, column 5 is not in the double-two set.",
        "The tile at rows 1 and 2, column 5 lies outside the grid.",
    ]


def test_the_table_of_another_problem_is_told_in_one_sentence() -> None:
    elsewhere = GAME.start("""
        0 1 0 1
        2 0 2 1
        2 1 2 0
    """)
    (told,) = check(GAME, Table(SOLVED), elsewhere).problems
    assert told.text.endswith(" of 12 numbers lie where the problem has them: name the problem that lies there.")
    few = check(GAME, Table(Board(SOLVED.placed[:3])), elsewhere).problems
    assert len(few) > 1


def test_tiles_off_the_grid_and_face_down_are_named() -> None:
    part = SOLVED.without([UPRIGHT])
    assert faults(Table(part, loose=(LooseTile(1, 1, 9, 9, 45),))) == [
        "The 1-1 lies off the grid.",
        "2 squares are empty: rows 1 and 2, column 3.",
    ]
    assert faults(Table(part, face_down=(Place(UPRIGHT.cells),))) == [
        "The tile at rows 1 and 2, column 3 lies face down."
    ]


def test_a_line_on_the_cells_is_no_fault_but_a_double_across_it_is() -> None:
    line = Chain((LaidTile(2, 2), LaidTile(0, 0)))
    assert check(GAME, Table(SOLVED, line), START).state == "solved"
    assert faults(Table(SOLVED.without([TOP_LEFT]), line))[0] == "The 2-2 lies off the grid."


def test_spare_tiles_face_down_beside_the_grid_are_no_fault() -> None:
    spare = (Place(), Place((Cell(0, 7), Cell(1, 7))))
    assert check(GAME, Table(SOLVED, face_down=spare), START).state == "solved"


def test_sentences_count_the_problems_rows_while_cells_are_those_of_the_table() -> None:
    wrong = read_as(SOLVED, Cell(0, 0), "20")
    straight, turned = (check(GAME, Table(lying), START) for lying in (wrong, wrong.rotated()))
    assert (straight.turn, turned.turn) == (0, 3)
    assert [fault.text for fault in turned.problems] == [fault.text for fault in straight.problems]
    assert turned.problems[0].cells == (Cell(1, 2),)


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ("0|0\n\n0|1\n\n1|1", None),
        ("0|0 0\n    -\n1|1 1\n\n2|2", "The dominoes reach over 3 by 3 squares; the double-two set fills 3 by 4."),
        ("0|0 0|1\n\n1|1 0|2", "The dominoes reach over 2 by 4 squares; the double-two set fills 3 by 4."),
    ],
)
def test_without_a_problem_the_dominoes_must_fill_the_shape_of_their_set(drawn: str, words: str | None) -> None:
    verdict = check(GAME, Table(board(drawn)))
    assert (verdict.problems[0].text if verdict.problems else None) == words


def test_a_table_is_read_as_the_dominoes_laid_on_its_problem_so_far() -> None:
    part = Board(SOLVED.placed[:4])
    state = GAME.read(Table(part.rotated(2).shifted(5, 5)), START)
    assert (state, state.turn) == (DominosaState(START.grid, part), 2)
    assert GAME.read(Table(SOLVED)) == DominosaState(START.grid, SOLVED)


@pytest.mark.parametrize(
    ("table", "start", "words"),
    [
        (Table(SOLVED, loose=(LooseTile(1, 1, 9, 9, 45),)), START, "The 1-1 lies off the grid."),
        (Table(SOLVED.without([UPRIGHT]), face_down=(Place(UPRIGHT.cells),)), START, "lies face down"),
        (Table(SOLVED.without([UPRIGHT])), None, "2 squares are empty"),
        (Table(), None, "reach over 0 by 0 squares"),
    ],
)
def test_a_table_that_is_no_state_is_refused_with_the_reason(
    table: Table, start: DominosaState | None, words: str
) -> None:
    with pytest.raises(UnreadableTable, match=words) as refused:
        GAME.read(table, start)
    assert refused.value.problems


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        (Placed.on(Cell(0, 2), Cell(0, 3), 1, 1), "lies 1-1, but the problem has 1-2"),
        (Placed.on(Cell(1, 1), Cell(1, 2), 0, 1), "Something lies at row 2, column 2 already"),
        (Placed.on(Cell(2, 3), Cell(2, 4), 1, 1), "outside the grid"),
        (Placed.on(Cell(0, 0), Cell(0, 1), 3, 3), "not in the double-two set"),
        (Placed.on(Cell(0, 3), Cell(0, 2), 2, 1), "The 1-2 is there twice"),
    ],
)
def test_a_domino_may_only_be_laid_on_free_squares_with_its_numbers_and_once(tile: Placed, words: str) -> None:
    laid = GAME.play(START, Lay(SOLVED.owner[Cell(1, 0)]))
    laid = GAME.play(laid, Lay(SOLVED.owner[Cell(2, 0)]))
    with pytest.raises(IllegalMove, match=words) as refused:
        GAME.play(laid, Lay(tile))
    assert not set(refused.value.cells).isdisjoint(tile.cells)
    after = refused.value.after
    assert after.board == laid.board.laid(tile) if after else "already" in words


def test_a_table_with_one_more_domino_is_explained_by_the_move_that_was_made() -> None:
    explained = explain(GAME, START, Table(Board((TOP_LEFT, UPRIGHT))))
    assert (sorted(map(str, explained.moves)), explained.problems) == (["11V31", "22H11"], ())


def test_a_domino_laid_against_the_rules_is_explained_with_its_cells_on_the_table() -> None:
    laid = GAME.play(START, Lay(SOLVED.owner[Cell(2, 0)]))
    twice = Table(laid.board.laid(Placed.on(Cell(0, 2), Cell(0, 3), 1, 2)).rotated(2).shifted(4, 4))
    explained = explain(GAME, laid, twice)
    assert explained.slip == 0
    (problem,) = explained.problems
    assert problem.text == "The 1-2 is there twice: at row 3, columns 1 and 2 and at row 1, columns 3 and 4."
    assert set(problem.cells) <= twice.board.owner.keys()


def test_dominoes_that_were_taken_away_are_told() -> None:
    state = DominosaState(START.grid, SOLVED)
    explained = explain(GAME, state, DominosaState(START.grid, SOLVED.without([UPRIGHT])))
    assert [problem.text for problem in explained.problems] == [
        "The 1-1 was taken away from rows 1 and 2, column 3.",
    ]


def test_everything_that_differs_is_told_where_no_one_slip_explains_it() -> None:
    state = DominosaState(START.grid, Board((TOP_LEFT,)))
    wrong = Board((Placed.on(Cell(1, 0), Cell(1, 1), 0, 1), Placed.on(Cell(2, 0), Cell(2, 1), 1, 1), UPRIGHT))
    seen = DominosaState(START.grid, wrong)
    assert [problem.text for problem in GAME.differences(state, seen)] == [
        "The 2-2 was taken away from row 1, columns 1 and 2.",
        "At row 2, columns 1 and 2 lies 0-1, but the problem has 0-0 there.",
        "The 1-1 is there twice: at rows 1 and 2, column 3 and at row 3, columns 1 and 2.",
        "At row 3, columns 1 and 2 lies 1-1, but the problem has 1-2 there.",
    ]


def test_what_was_laid_before_says_where_the_table_lies_on_the_grid() -> None:
    state = START
    for placed in reversed(SOLVED.placed):
        state = GAME.play(state, Lay(placed))
        seen = GAME.read(GAME.diagram(state).table, state)
        assert seen == state
        turned = GAME.read(Table(state.board.rotated(3)), state)
        assert turned == state


def test_the_drawing_shows_what_lies_there_and_the_numbers_that_are_free() -> None:
    drawing = GAME.diagram(DominosaState(START.grid, Board((TOP_LEFT,))))
    assert drawing.table == Table(Board((TOP_LEFT,)))
    assert (Cell(0, 2), 1) in drawing.numbers
    assert len(drawing.numbers) == 10


def test_moves_are_read_in_the_printed_notation() -> None:
    assert GAME.moves(START, "11V31") == (Lay(UPRIGHT),)
    assert GAME.moves(START, "c3H10,1") == (Lay(Placed.on(Cell(0, 9), Cell(0, 10), 12, 3)),)
    assert GAME.cells(START, Lay(UPRIGHT)) == UPRIGHT.cells
    with pytest.raises(IllegalMove, match="11R is no move"):
        GAME.moves(START, "11R")


@given(st.integers(0, 999))
def test_legal_play_keeps_the_set_and_the_check_finds_no_more_than_what_lacks(seed: int) -> None:
    chance, state = Random(seed), START
    while moves := list(legal_moves(GAME, state)):
        state = GAME.play(state, chance.choice(moves))
        dominoes = [placed.domino for placed in state.board.placed]
        assert len(set(dominoes)) == len(dominoes)
        assert set(dominoes) <= set(state.grid.set)
    verdict = check(GAME, Table(state.board), START)
    assert (GAME.outcome(state) is not None) == (verdict.state == "solved")
    assert all("empty" in fault.text or "missing" in fault.text for fault in verdict.problems)


def test_a_move_is_written_and_said() -> None:
    move = Lay(UPRIGHT)
    assert (str(move), GAME.describe(START, move)) == ("11V31", "The 1-1 is laid at rows 1 and 2, column 3.")
    assert str(Lay(Placed.on(Cell(0, 9), Cell(0, 10), 12, 3))) == "c3H10,1"


@pytest.mark.parametrize(("cell", "pips"), [(Cell(0, 0), "33"), (Cell(0, 2), "00")])
def test_a_full_grid_is_no_end_while_a_domino_lies_there_that_breaks_a_rule(cell: Cell, pips: str) -> None:
    wrong = read_as(SOLVED, cell, pips)
    for start in (START, None):
        assert GAME.outcome(GAME.read(Table(SOLVED), start))
        assert check(GAME, Table(wrong), start).state == "unsolved"
        assert GAME.outcome(GAME.read(Table(wrong), start)) is None
