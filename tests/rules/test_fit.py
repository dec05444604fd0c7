"""Finding the turn and the shift under which a table agrees with a printed grid."""

from hypothesis import given
from hypothesis import strategies as st

from rules.board import EMPTY, Board, Cell
from rules.fit import Fit, best_fits
from rules.grid import Grid
from rules.puzzles import published
from tests.rules.drawing import board, read_as

PROBLEM = published("dominosa")[10]
GRID, SOLVED = Grid.parse(PROBLEM.start), Board.parse(PROBLEM.solution)
CELLS = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@given(CELLS, st.integers(0, 3), st.integers(-9, 9), st.integers(-9, 9))
def test_undoing_a_fit_leads_back(cell: Cell, turn: int, rows: int, cols: int) -> None:
    fit = Fit(turn, rows, cols)
    assert fit.undo(fit.apply(cell)) == cell


@given(st.integers(0, 3), st.integers(-9, 9), st.integers(-9, 9), st.integers(4, 20))
def test_a_part_of_the_solution_finds_its_place_from_any_side(turns: int, rows: int, cols: int, tiles: int) -> None:
    part = Board(SOLVED.placed[:tiles])
    table = part.rotated(turns).shifted(rows, cols)
    assert table.moved(best_fits(table, table, GRID.pips)[0].apply) == part


def test_wrong_numbers_and_a_stray_tile_are_outvoted() -> None:
    wrong = read_as(read_as(SOLVED, Cell(0, 0), "66"), Cell(3, 3), "66")
    table = Board((*wrong.placed, *board("3|3").shifted(20, 20).placed)).rotated(3)
    fit = best_fits(table, table, GRID.pips)[0]
    assert set(wrong.placed) < set(table.moved(fit.apply).placed)


def test_where_sure_tiles_leave_a_tie_the_unsure_ones_speak() -> None:
    pips = Grid.parse("0 0 1\n0 1 1").pips
    table = board("0|1")
    assert len(best_fits(EMPTY, table, pips)) > 1
    assert table.moved(best_fits(EMPTY, table, pips)[0].apply).pips.items() <= pips.items()


def test_the_turn_that_was_right_before_is_kept_where_nothing_speaks_against_it() -> None:
    pips = Grid.parse("0 0 1\n0 1 1").pips
    assert [best_fits(board("0|0"), board("0|0"), pips, turn)[0].turn for turn in range(4)] == [0, 1, 2, 3]
