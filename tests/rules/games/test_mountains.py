"""Mountains and Valleys: the rules, the cliffs and what cannot be reached, and no verdict on a doubtful tile."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import EMPTY, Board, Cell, Placed
from rules.domino import Domino, DominoSet
from rules.engine import check, legal_moves
from rules.game import IllegalMove, UnreadableTable, Verdict
from rules.games.mountains import GAME, MountainsState
from rules.laying import Lay
from rules.mountains.state import Take
from rules.puzzles import problem
from rules.saved import Made, SavedGame, replayed
from rules.table import Chain, Doubt, Joint, LaidTile, LooseTile, Place, Side, Spot, Table
from tests.rules.drawing import board, doubted, read_as

DEAL: MountainsState = problem("mountains", "1")
SOLVED = board("""
    0|1 2|1 0|4

    2 1|5 4|1 4
    -         -
    0 0|6 4|2 4

    0|3 3|3 4|5

    1 2 3|6 5|5
    - -
    3 2 1|6 5|6
""")
HOLE = SOLVED.owner[Cell(3, 2)]
CUT_OFF = read_as(SOLVED, Cell(5, 4), "52")


def faults(lying: Board | Table, start: MountainsState | None = None) -> list[str]:
    """The sentences of a verdict that is not solved."""
    verdict = check(GAME, Table(lying) if isinstance(lying, Board) else lying, start)
    assert verdict.state == "unsolved"
    return [fault.text for fault in verdict.problems]


def test_the_example_of_the_rules_is_solved_with_and_without_its_deal() -> None:
    assert check(GAME, Table(SOLVED), DEAL) == check(GAME, Table(SOLVED.shifted(3, 1))) == Verdict("solved")


def test_a_square_behind_cliffs_is_named_with_each_cliff_and_the_penalty() -> None:
    verdict = check(GAME, Table(CUT_OFF))
    assert [(fault.text, fault.cells) for fault in verdict.problems] == [
        ("1 square cannot be reached from the rest: row 6, column 6.", (Cell(5, 5),)),
        ("A cliff of 3 levels parts row 5, column 6 from row 6, column 6: 5 beside 2.", (Cell(4, 5), Cell(5, 5))),
        ("A cliff of 3 levels parts row 6, column 5 from row 6, column 6: 5 beside 2.", (Cell(5, 4), Cell(5, 5))),
        ("Played together, this map costs a penalty of 3.", ()),
    ]


def test_every_area_is_named_but_the_biggest() -> None:
    lying = board("""
        6 6 6|5 4 2
        - -     - -
        6 0 6|2 1 2

        2 1|6 6|4 3
        -         -
        0 0|5 6|3 4

        1 0|4 3 2|4
        -     -
        1 0|0 0 1|3
    """).shifted(4, 4)
    assert check(GAME, Table(lying)).state == "solved"
    assert faults(read_as(lying, Cell(4, 9), "25"))[:4] == [
        "2 squares cannot be reached from the rest: row 2, columns 4 and 5.",
        "1 square cannot be reached from the rest: row 1, column 6.",
        "1 square cannot be reached from the rest: row 2, column 6.",
        "A cliff of 3 levels parts row 1, column 4 from row 2, column 4: 5 beside 2.",
    ]


def test_a_domino_is_there_once_and_of_the_set_and_of_the_deal() -> None:
    assert faults(read_as(SOLVED, Cell(0, 0), "12"))[0] == (
        "The 1-2 is there twice: at row 1, columns 1 and 2 and at row 1, columns 3 and 4."
    )
    assert faults(read_as(SOLVED, Cell(0, 0), "07"))[0] == (
        "The 0-7 at row 1, columns 1 and 2 is not in the double-six set."
    )
    assert faults(read_as(SOLVED, Cell(0, 0), "00"), DEAL)[0] == (
        "The 0-0 at row 1, columns 1 and 2 is not in the deal."
    )


def test_holes_and_missing_lines_are_no_map() -> None:
    table = Table(SOLVED.without([HOLE]), loose=(LooseTile(3, 3, 9, 9, 0),))
    assert faults(table) == ["2 squares are empty: row 4, columns 3 and 4.", "The 3-3 lies off the grid."]
    narrow = Board(tuple(tile for tile in SOLVED.placed if tile.cells[1].row < 3))
    assert faults(narrow) == ["The map is 3 by 6 squares, not 6 by 6."]


def test_a_tile_outside_the_square_is_named() -> None:
    beside = Placed.on(Cell(2, 6), Cell(2, 7), 3, 4)
    assert faults(SOLVED.laid(beside)) == ["The tile at row 3, columns 7 and 8 lies outside the 6 by 6 square."]


def test_a_cliff_is_sure_even_beside_a_hole() -> None:
    assert faults(CUT_OFF.without([HOLE]))[-1] == "Played together, this map costs a penalty of at least 3."


def test_dominoes_that_are_not_used_may_lie_beside_the_map() -> None:
    unused = Table(SOLVED, loose=(LooseTile(6, 6, 9, 9, 0),), face_down=(Place(), Place((Cell(0, 8), Cell(1, 8)))))
    assert check(GAME, unused).state == "solved"
    assert check(GAME, Table(SOLVED, doubts=(Doubt((), "66"),))) == Verdict("solved")


def test_a_tile_face_down_in_the_map_is_named() -> None:
    table = Table(SOLVED.without([HOLE]), face_down=(Place(HOLE.cells),))
    assert faults(table) == ["The tile at row 4, columns 3 and 4 lies face down."]


def test_a_doubtful_tile_leaves_the_verdict_open_and_is_named() -> None:
    verdict = check(GAME, Table(SOLVED.shifted(2, 2), doubts=doubted(SOLVED.shifted(2, 2), Cell(5, 4))))
    assert (verdict.state, verdict.problems) == ("undecided", ())
    assert [(note.text, note.cells) for note in verdict.notes] == [
        (
            "It is not sure that the tile at row 4, columns 3 and 4 reads 3-3; it may be 0-0.",
            (Cell(5, 4), Cell(5, 5)),
        )
    ]


def test_a_cliff_elsewhere_is_sure_whatever_the_doubtful_tile_reads() -> None:
    verdict = check(GAME, Table(CUT_OFF, doubts=doubted(CUT_OFF, Cell(3, 2))))
    assert verdict.state == "unsolved"
    assert verdict.problems[-1].text == "Played together, this map costs a penalty of at least 3."
    assert verdict.doubts


def test_a_doubtful_tile_that_no_domino_could_be_is_wrong_for_sure() -> None:
    lying = read_as(SOLVED, Cell(0, 0), "43")
    verdict = check(GAME, Table(lying, doubts=doubted(lying, Cell(0, 2))))
    assert verdict.state == "unsolved"
    assert [(fault.text, fault.cells) for fault in verdict.problems] == [
        (
            "Whatever may be read at row 1, columns 3 and 4, not every square can be walked to.",
            (Cell(0, 2), Cell(0, 3)),
        )
    ]


def walks(heights: dict[Cell, int]) -> bool:
    """Whether every square can be walked to from the first, found out by spreading step by step."""
    there, edge = set[Cell](), [min(heights)]
    while edge:
        cell = edge.pop()
        there.add(cell)
        near = [other for other in cell.neighbours() if other in heights and other not in there]
        edge += [other for other in near if abs(heights[cell] - heights[other]) <= 1]
    return len(there) == len(heights)


def worlds(table: Table) -> Iterator[bool]:
    """For every way in which the doubtful tiles may read, whether the 36 squares are then a solution."""
    unsure = [table.board.owner[doubt.where[0]] for doubt in table.doubts]
    sure = table.board.without(unsure)
    for choice in product(product(range(7), repeat=2), repeat=len(unsure)):
        dominoes = {tile.domino for tile in sure.placed} | {Domino.of(*pips) for pips in choice}
        heights = dict(sure.pips)
        for tile, pips in zip(unsure, choice, strict=True):
            heights |= dict(zip(tile.cells, pips, strict=True))
        yield len(dominoes) == 18 and walks(heights)


@st.composite
def attempts(draw: st.DrawFn) -> Table:
    """What somebody may have laid: the solution with some tiles turned round or exchanged, one or two doubtful."""
    lying = SOLVED
    cells = st.sampled_from(sorted(tile.cell for tile in SOLVED.placed))
    for cell in draw(st.lists(cells, max_size=2)):
        tile = lying.owner[cell]
        lying = read_as(lying, cell, draw(st.sampled_from([f"{tile.tail}{tile.head}", "00", "11", "23", "66"])))
    unsure = draw(st.lists(cells, max_size=2, unique=True))
    return Table(lying, doubts=doubted(lying, *unsure))


@settings(max_examples=12)
@given(attempts())
def test_the_verdict_is_what_all_the_readings_together_say(table: Table) -> None:
    answers: set[bool] = set()
    for answer in worlds(table):
        answers.add(answer)
        if len(answers) == 2:
            break
    expected = "undecided" if len(answers) == 2 else "solved" if True in answers else "unsolved"
    assert check(GAME, table).state == expected


@settings(max_examples=5)
@given(st.integers(0, 999), st.integers(1, 18))
def test_legal_play_keeps_the_deal_and_six_by_six(seed: int, moves: int) -> None:
    chance, state = Random(seed), DEAL
    for _ in range(moves):
        state = next(_plays(chance, state), state)
        dominoes = [tile.domino for tile in state.board.placed]
        assert len(set(dominoes)) == len(dominoes)
        assert set(dominoes) <= set(state.deal)
        assert max(state.board.size) <= 6
        assert state.board.top_left == Cell(0, 0)


def _plays(chance: Random, state: MountainsState) -> Iterator[MountainsState]:
    """What some legal moves lead to, in any order."""
    moves = list(GAME.candidates(state))
    for move in chance.sample(moves, min(20, len(moves))):
        with suppress(IllegalMove):
            yield GAME.play(state, move)


def test_the_first_moves_are_every_domino_every_way() -> None:
    assert len(list(legal_moves(GAME, DEAL))) == 2 * (14 * 2 + 4)
    assert len(list(legal_moves(GAME, MountainsState()))) == 2 * (21 * 2 + 7)


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        (Placed.on(Cell(0, 0), Cell(1, 0), 0, 1), "Something lies at row 1, column 1 already"),
        (Placed.on(Cell(1, 0), Cell(2, 0), 2, 1), "The 1-2 is there twice"),
        (Placed.on(Cell(1, 0), Cell(2, 0), 6, 6), "not in the deal"),
        (Placed.on(Cell(5, 0), Cell(6, 0), 0, 1), "7 by 2, more than 6 by 6"),
    ],
)
def test_a_domino_may_only_be_laid_on_free_squares_of_a_six_by_six_map_and_once(tile: Placed, words: str) -> None:
    laid = GAME.play(DEAL, Lay(Placed.on(Cell(0, 0), Cell(0, 1), 1, 2)))
    with pytest.raises(IllegalMove, match=words):
        GAME.play(laid, Lay(tile))


def test_a_complete_map_that_cannot_be_walked_goes_on_and_its_penalty_is_told() -> None:
    full = MountainsState(CUT_OFF)
    assert GAME.outcome(full) is None
    assert GAME.owed(full) == "Joining the areas costs a penalty of 3: take dominoes back."
    back = GAME.play(full, Take(HOLE))
    assert GAME.owed(back) == "Lay a domino."
    assert GAME.outcome(GAME.play(back, Lay(HOLE))) is None


def test_only_the_harder_solitaire_is_over_with_a_map_that_cannot_be_walked() -> None:
    full = MountainsState(CUT_OFF, harder=True)
    outcome = GAME.outcome(full)
    assert outcome
    assert (outcome.won, outcome.scores) == (False, (3,))
    assert GAME.owed(full) == outcome.reason == "Joining the areas costs a penalty of 3. That is a good game."
    assert list(legal_moves(GAME, full)) == []


def test_a_saved_game_goes_on_after_a_map_that_could_not_be_walked() -> None:
    last = SOLVED.owner[Cell(0, 4)]
    turned = replace(last, head=last.tail, tail=last.head)
    laid = [Lay(placed) for placed in SOLVED.placed if placed != last]
    made = tuple(Made(str(move), "player 1") for move in (*laid, Lay(turned), Take(turned), Lay(last)))
    *_, full, _, solved = replayed(SavedGame("mountains", str(DEAL), made)).states
    assert GAME.penalty(full) > 0
    assert GAME.outcome(solved)


def test_a_table_is_read_wherever_it_lies_unless_a_tile_of_it_is_hidden() -> None:
    part = SOLVED.without([HOLE])
    assert GAME.read(Table(part.shifted(4, 7)), DEAL) == MountainsState(part, DEAL.deal)
    with pytest.raises(UnreadableTable, match="row 4, columns 3 and 4 lies face down") as refused:
        GAME.read(Table(part.shifted(1, 1), face_down=(Place((Cell(4, 3), Cell(4, 4))),)))
    assert refused.value.problems[0].cells == (Cell(4, 3), Cell(4, 4))


def test_a_line_that_is_longer_than_six_squares_is_no_map() -> None:
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(Table(board("6|4 4|1 1|5 5|2 2|0 0|3").shifted(2, 3)))
    assert [(problem.text, problem.cells) for problem in refused.value.problems] == [
        (
            (
                "3 dominoes at row 1, columns 7 to 12 lie outside the 6 by 6 square of the map that they touch: "
                "lay them inside, or apart."
            ),
            tuple(Cell(2, col) for col in range(9, 15)),
        )
    ]


def test_a_domino_outside_the_square_touches_the_map_or_waits() -> None:
    touching, waiting = (Placed.on(Cell(2, col), Cell(2, col + 1), 3, 4) for col in (6, 7))
    begun = board("""
        0|1 2|1 0|4

        2 1|5     4
        -         -
        0         4
    """)
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(Table(begun.laid(touching)))
    assert str(refused.value) == (
        "The 3-4 at row 3, columns 7 and 8 lies outside the 6 by 6 square of the map that it touches: "
        "lay it inside, or apart."
    )
    assert GAME.read(Table(begun.laid(waiting))).board == begun
    unused = Placed.on(Cell(5, 8), Cell(4, 8), 6, 6)
    assert check(GAME, Table(SOLVED.laid(unused)), DEAL) == Verdict("solved")
    doubt = (Doubt(unused.cells, "66", ("65",), 0.5),)
    assert check(GAME, Table(SOLVED.laid(unused), doubts=doubt), DEAL) == Verdict("solved")


def test_a_double_that_lies_across_is_no_part_of_a_map() -> None:
    line = board("4|1   1|5")
    tiles = (LaidTile(4, 1), LaidTile(1, 1), LaidTile(1, 5))
    joints = (Joint(0, Side.TAIL, 1, Side.LEFT), Joint(1, Side.RIGHT, 2, Side.HEAD))
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(Table(line, Chain(tiles, joints)))
    assert str(refused.value) == (
        "The 1-1 lies across, half a square off the map: a domino lies on two of its squares, or apart."
    )


def test_a_deal_is_eighteen_different_dominoes() -> None:
    assert len(DEAL.deal) == 18
    assert Domino(6, 6) not in DEAL.deal
    assert GAME.outcome(DEAL) is None
    assert DEAL.board == EMPTY


def test_a_table_of_another_game_is_told_from_a_map() -> None:
    thrown = Table(loose=tuple(LooseTile(one.high, one.low, 3.0 * n, 0.0, 7.0) for n, one in enumerate(DominoSet(6))))
    with pytest.raises(UnreadableTable, match="28 dominoes lie face up, and 18 make a map of 6 by 6"):
        GAME.read(thrown)
    with pytest.raises(UnreadableTable, match="1 domino lies on one square each: here a domino covers two"):
        GAME.read(Table(spots=(Spot(Cell(0, 0), Domino(5, 2)),)))
    beside = Table(board("0|1").shifted(4, 4), spots=(Spot(Cell(2, 3), Domino(5, 2)),))
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(beside)
    assert [problem.cells for problem in unreadable.value.problems] == [(Cell(2, 3),)]
