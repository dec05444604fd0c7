"""Adding Donimoes: the queue, what may be added and slide, and what a table says that breaks the rules."""

import pytest

from rules.board import Board
from rules.engine import check, explain, legal_moves, replay, solve
from rules.game import IllegalMove, UnreadableTable
from rules.games.adding import GAME
from rules.puzzles import problem
from rules.sliding.layout import Layout
from rules.table import Table

START = GAME.start("2 3 5 4\n- - - -\n1 5 1 5")


def test_the_first_two_dominoes_of_the_queue_begin_side_by_side() -> None:
    assert str(START) == "2 3\n- -\n1 5\n===\n5 4\n- -\n1 5"
    assert GAME.start(str(START)) == START
    assert GAME.read(Table(Board.parse("2 3 5 4\n- - - -\n1 5 1 5").shifted(3, 3))) == START


@pytest.mark.parametrize(
    ("board", "queue", "word"),
    [
        ("1 3\n- -\n5 5", "1\n-\n3", "13H21"),
        ("  3\n  -\n1 5\n-\n5", "5\n-\n2", "52H34"),
        ("  3\n  -\n1 5\n-\n5", "5\n-\n2", "52V34"),
    ],
)
def test_a_domino_is_added_where_it_matches_twice(board: str, queue: str, word: str) -> None:
    start = GAME.start(f"{board}\n===\n{queue}")
    assert word in {str(move) for move in legal_moves(GAME, start)}
    after, _ = replay(GAME, start, word)
    assert (len(after.tiles), after.waiting) == (len(start.tiles) + 1, ())


def test_a_slide_makes_a_six_or_matches_twice() -> None:
    start = Layout.of(Board.parse("1|3\n\n1 3\n- -\n5 5"))
    down, _ = replay(GAME, start, "15D")
    assert str(down) == "1|3\n\n  3\n  -\n1 5\n-\n5"
    assert replay(GAME, down, "15U")[0] == start


def test_the_printed_solution_solves_the_queue_that_it_belongs_to() -> None:
    start = GAME.start("3 3 2 5 2 2\n- - - - - -\n6 3 3 3 5 2")
    end, moves = replay(GAME, start, "36D, 23V21, 33D, 53V32, 25H21, 36D, 23D, 22H13, 33D, 53D, 22R")
    assert GAME.outcome(end)
    assert len(moves) == 11


def test_the_least_that_a_solution_takes_is_never_more_than_it_takes() -> None:
    start = problem("adding", "1")
    moves = solve(GAME, start).moves
    assert moves
    state = start
    for taken, move in enumerate(moves):
        assert GAME.estimate(state) <= len(moves) - taken
        state = GAME.play(state, move)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("15V11", "The 1-5 cannot be added there: it would match 0 of the numbers beside it, not 2."),
        ("45H24", "The 4-5 cannot be added yet: the 1-5 is next in the queue."),
        ("15H22", "The 1-5 cannot be added: something lies at row 1, columns 1 and 2."),
        ("66H24", "The 6-6 does not wait in the queue."),
        ("21D", "The 2-1 cannot slide down: it would make no six and have 0 matches, not 2."),
    ],
)
def test_what_the_rules_forbid_is_refused(word: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, START, word)
    assert str(refused.value) == why


def test_a_move_is_written_and_said() -> None:
    _, (move,) = replay(GAME, START, "15H24")
    assert str(move) == "15H24"
    assert GAME.describe(START, move) == "The 1-5 is added, left to right, beside row 2, columns 1 and 2."


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ("2 3\n- -\n1 5\n\n  5|4", "The 5-4 cannot be added yet: the 1-5 is next in the queue."),
        (
            "2 3\n- -\n1 5 1\n    -\n    5",
            "The 1-5 cannot be added there: it would match 0 of the numbers beside it, not 2.",
        ),
    ],
)
def test_a_domino_that_was_added_wrongly_is_named(seen: str, told: str) -> None:
    explained = explain(GAME, START, Table(Board.parse(seen)))
    assert [fault.text for fault in explained.problems] == [told]


def test_a_board_alone_tells_neither_its_queue_nor_whether_it_is_done() -> None:
    lying = Table(Board.parse("2 3\n- -\n1 5\n\n1|5"))
    with pytest.raises(UnreadableTable, match="The table shows no queue"):
        GAME.read(lying)
    alone = check(GAME, lying)
    assert (alone.state, alone.problems) == ("undecided", ())
    assert alone.notes[0].text.startswith("A board alone does not tell")
    faults = check(GAME, lying, START).problems
    assert [fault.text for fault in faults] == ["The 4-5 is missing."]


@pytest.mark.parametrize("turns", range(4))
def test_a_queue_that_is_laid_out_is_not_added(turns: int) -> None:
    start = GAME.start("1 3 1\n- - -\n5 5 3")
    queue, end = Board.parse("1 3 1\n- - -\n5 5 3"), Board.parse("1|3\n\n1 3\n- -\n5 5")
    seen = Table(queue.moved(lambda cell: cell.turned(turns)))
    assert GAME.read(seen, start) == start
    (fault,) = check(GAME, seen, start).problems
    assert fault.text == "The queue stands side by side: no domino of it has been added."
    assert set(fault.cells) == set(seen.board.owner)
    assert check(GAME, Table(end), start).state == "solved"


def test_a_layout_with_a_queue_is_another_one_without() -> None:
    assert Layout.of(START.board) != START
