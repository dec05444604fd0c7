"""Dominosa with tiles that were not read surely: nothing is judged that could come out otherwise."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import EMPTY, Board, Cell, Placed
from rules.engine import check
from rules.games.dominosa import GAME, DominosaState
from rules.grid import Grid
from rules.puzzles import problem
from rules.table import Doubt, LooseTile, Place, Table
from tests.rules.drawing import board, doubted, read_as

START: DominosaState = problem("dominosa", "1")
SOLVED = board("""
    2|2 1 2
        - -
    0|0 1 0

    1|2 0|1
""")
UPRIGHT = SOLVED.owner[Cell(0, 2)]
SMALL = GAME.start("0 0 1\n0 1 1")
SMALL_SOLVED = board("""
    0|0 1
        -
    0|1 1
""")


def test_a_doubtful_tile_leaves_the_verdict_open_and_is_named() -> None:
    doubt = Doubt(UPRIGHT.cells, "11", ("12", "21"), 0.6)
    verdict = check(GAME, Table(SOLVED, doubts=(doubt,)), START)
    assert (verdict.state, verdict.problems, verdict.doubts) == ("undecided", (), (doubt,))
    assert [(note.text, note.cells) for note in verdict.notes] == [
        ("It is not sure that the tile at rows 1 and 2, column 3 reads 1-1; it may be 1-2 or 2-1.", UPRIGHT.cells)
    ]


def test_a_doubt_is_said_as_the_tile_lies_on_the_problem_however_the_table_is_turned() -> None:
    turned = SOLVED.rotated(2)
    cells = turned.owner[Cell(0, 2)].cells
    verdict = check(GAME, Table(turned, doubts=(Doubt(cells, "21", ("24",)),)), START)
    assert [(note.text, note.cells) for note in verdict.notes] == [
        ("It is not sure that the tile at row 3, columns 1 and 2 reads 1-2; it may be 4-2.", cells)
    ]


def test_a_doubtful_tile_that_reads_wrong_may_still_be_right() -> None:
    lying = read_as(SOLVED, Cell(0, 2), "22")
    assert check(GAME, Table(lying, doubts=doubted(lying, Cell(0, 2))), START).state == "undecided"
    assert check(GAME, Table(lying, doubts=doubted(lying, Cell(0, 2)))).state == "undecided"


def test_a_fault_elsewhere_is_sure_whatever_the_doubtful_tile_reads() -> None:
    lying = read_as(SOLVED, Cell(0, 0), "20")
    verdict = check(GAME, Table(lying, doubts=doubted(lying, Cell(0, 2))), START)
    assert verdict.state == "unsolved"
    assert [fault.text for fault in verdict.problems] == [
        "At row 1, columns 1 and 2 lies 2-0, but the problem has 2-2 there.",
        "The 0-2 is there twice: at row 1, columns 1 and 2 and at rows 1 and 2, column 4.",
        "At least 1 of these dominoes must be missing: 1-1 and 2-2.",
    ]
    assert verdict.doubts


def test_a_doubtful_tile_is_wrong_for_sure_where_its_domino_lies_elsewhere() -> None:
    lying = board("""
        2 2 1 2
        - - - -
        0 0 1 0

        1|2 0|1
    """)
    verdict = check(GAME, Table(lying, doubts=doubted(lying, Cell(0, 1), Cell(0, 3))), START)
    assert verdict.problems[0].text == (
        "Whatever the tile at rows 1 and 2, column 2 reads, it is wrong: the problem has the 0-2 there, "
        "but that is taken at rows 1 and 2, column 1."
    )


def test_a_doubt_about_something_beside_the_grid_leaves_the_verdict_open() -> None:
    doubt = Doubt((), "33")
    assert check(GAME, Table(SOLVED, doubts=(doubt,)), START).state == "undecided"
    loose = Table(SOLVED, loose=(LooseTile(3, 3, 9, 9, 0),))
    assert check(GAME, loose, START).state == "unsolved"
    verdict = check(GAME, replace(loose, doubts=(doubt,)), START)
    assert verdict.state == "undecided"
    assert verdict.notes[0].text == "It is not sure that the tile off the grid reads 3-3."


def test_a_tile_that_may_lie_face_down_leaves_the_verdict_open() -> None:
    table = Table(SOLVED.without([UPRIGHT]), face_down=(Place(UPRIGHT.cells),))
    doubt = Doubt(UPRIGHT.cells, "face down", ("00",))
    verdict = check(GAME, replace(table, doubts=(doubt,)), START)
    assert verdict.state == "undecided"
    assert verdict.notes[0].text == (
        "It is not sure that the tile at rows 1 and 2, column 3 is face down; it may be 0-0."
    )


def test_what_may_be_a_spare_tile_face_down_beside_the_grid_is_no_matter() -> None:
    spare = Table(SOLVED, face_down=(Place(),), doubts=(Doubt((), "face down"),))
    assert check(GAME, spare, START).state == "solved"


def test_a_tile_read_beside_the_grid_leaves_the_verdict_open() -> None:
    lying = Table(SOLVED.shifted(3, 3), doubts=(Doubt((Cell(0, 0), Cell(0, 1)), "44"),))
    verdict = check(GAME, lying, START)
    assert verdict.state == "undecided"
    assert verdict.notes[0].text == "It is not sure that the tile beside the grid reads 4-4."


def test_a_cell_that_two_tiles_claim_leaves_the_verdict_open() -> None:
    claimed = Doubt((Cell(0, 1), Cell(0, 2)), "11")
    table = Table(SOLVED.without([UPRIGHT]), doubts=(claimed, Doubt(UPRIGHT.cells, "11")))
    assert check(GAME, table, START).state == "undecided"


def worlds(table: Table, highest: int) -> Iterator[Board]:
    """Every board that the table may show: each doubtful tile reading anything."""
    unsure = [doubt.where[0] for doubt in table.doubts]
    readings = [f"{head:x}{tail:x}" for head, tail in product(range(highest + 1), repeat=2)]
    for choice in product(readings, repeat=len(unsure)):
        lying = table.board
        for cell, reading in zip(unsure, choice, strict=True):
            lying = read_as(lying, cell, reading)
        yield lying


def is_solved(lying: Board, grid: Grid | None) -> bool:
    """Whether a board is a solution, found out the plain way: every turn is laid upon the grid and compared."""
    if len({tile.domino for tile in lying.placed}) < len(lying.placed):
        return False
    if grid is None:
        rows, cols = sorted(lying.size)
        return cols == rows + 1 > 2 and len(lying.pips) == rows * cols and set(lying.pips.values()) == set(range(rows))
    turned = [lying.rotated(turn).shifted(-lying.top_left.row, -lying.top_left.col) for turn in range(4)]
    return any(board.pips == grid.pips for board in turned)


@st.composite
def attempts(draw: st.DrawFn, start: DominosaState, solution: Board) -> Table:
    """What somebody may have laid: right or not, a tile read wrong or missing, some doubtful, any way round."""
    lying = draw(st.sampled_from([solution, solution, draw(coverings(start.grid))]))
    cells = st.sampled_from(sorted(tile.cell for tile in lying.placed))
    for cell in draw(st.lists(cells, max_size=2)):
        lying = read_as(lying, cell, draw(st.text("012", min_size=2, max_size=2)))
    if len(lying.placed) > 1 and draw(st.integers(0, 5)) == 0:
        lying = lying.without([lying.owner[draw(cells)]])
    lying = lying.rotated(draw(st.integers(0, 3)))
    unsure = draw(st.lists(st.sampled_from(sorted(tile.cell for tile in lying.placed)), max_size=2, unique=True))
    return Table(lying, doubts=doubted(lying, *unsure))


@st.composite
def coverings(draw: st.DrawFn, grid: Grid) -> Board:
    """Dominoes on a grid's own numbers, laid without a plan: some squares may stay empty."""
    lying = EMPTY
    for cell in sorted(grid.pips):
        other = draw(st.sampled_from(cell.neighbours()[:2]))
        if other in grid.pips and lying.owner.keys().isdisjoint({cell, other}):
            lying = lying.laid(Placed.on(cell, other, grid.pips[cell], grid.pips[other]))
    return lying


@settings(max_examples=60)
@given(st.booleans(), st.one_of(attempts(SMALL, SMALL_SOLVED), attempts(START, SOLVED)))
def test_the_verdict_is_what_all_the_readings_together_say(with_grid: bool, table: Table) -> None:
    start = (SMALL if len(table.board.placed) < 4 else START) if with_grid else None
    answers = {is_solved(lying, start.grid if start else None) for lying in worlds(table, 2)}
    expected = "undecided" if len(answers) == 2 else "solved" if True in answers else "unsolved"
    assert check(GAME, table, start).state == expected
