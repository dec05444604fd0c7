"""The questions that any game answers, asked of a game so small that every answer is plain."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.board import Board, Cell
from rules.domino import DominoSet
from rules.engine import check, find_move, lacking, legal_moves, playable, promised, replay
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, UnreadableTable
from rules.games import game
from rules.puzzles import problem
from rules.table import Doubt, Place, Table


class Stack(Game[int, int]):
    """Take one or two of the dominoes on the table; whoever takes the last one wins. More than five is a joke."""

    info = GameInfo("stack", "Stack", (1, 2), "any dominoes")

    def read(self, table: Table, before: int | None = None) -> int:
        """How many dominoes are left."""
        if table.face_down:
            raise UnreadableTable((Problem("A domino lies face down."),))
        return len(table.board.placed)

    def candidates(self, state: int) -> Iterator[int]:
        """One to three; three is never legal."""
        yield from (1, 2, 3)

    def play(self, state: int, move: int) -> int:
        """Takes dominoes away."""
        if move > min(2, state):
            raise IllegalMove("You may take one or two of what is left.")
        return state - move

    def outcome(self, state: int) -> Outcome | None:
        """Won when nothing is left."""
        if state > 5:
            return Outcome(False, reason="Nobody plays with so many.")
        return None if state else Outcome(True, (0,))

    def describe(self, state: int, move: int) -> str:
        """A move in a sentence."""
        return f"Take {move}."

    def to_move(self, state: int) -> Seat:
        """Always the same player."""
        return 0


STACK = Stack()
TWO = Board.parse("1|1 2|2")


def test_legal_moves_are_the_candidates_that_the_rules_allow() -> None:
    assert list(legal_moves(STACK, 5)) == [1, 2]
    assert list(legal_moves(STACK, 1)) == [1]
    assert list(legal_moves(STACK, 0)) == []


def test_the_move_that_was_made_is_found_from_what_is_seen() -> None:
    assert find_move(STACK, 5, 3) == 2
    assert find_move(STACK, 5, 2) is None


@pytest.mark.parametrize(
    ("table", "state", "problems"),
    [
        (Table(), "solved", []),
        (Table(TWO), "unsolved", ["The game is not over."]),
        (Table(Board.parse("1|1 1|1 1|1 1|1 1|1 1|1")), "unsolved", ["Nobody plays with so many."]),
        (Table(face_down=(Place(),)), "unsolved", ["A domino lies face down."]),
        (Table(TWO, doubts=(Doubt((Cell(0, 0), Cell(0, 1)), "11"),)), "undecided", []),
    ],
)
def test_a_game_without_a_check_of_its_own_is_right_when_it_is_won(
    table: Table, state: str, problems: list[str]
) -> None:
    verdict = check(STACK, table)
    assert (verdict.state, [problem.text for problem in verdict.problems]) == (state, problems)


def test_a_game_that_knows_its_dominoes_promises_them() -> None:
    dominosa, mountains = game("dominosa"), game("mountains")
    assert promised(STACK, Table(TWO)) == ()
    assert promised(dominosa, Table(), problem("dominosa", "1")) == DominoSet(2).dominoes
    assert promised(dominosa, Table(Board.parse("0|0 1\n    -\n0|1 1"))) == DominoSet(1).dominoes
    assert promised(dominosa, Table(TWO)) == ()
    assert promised(mountains, Table()) == DominoSet(6).dominoes
    dealt = promised(mountains, Table(), problem("mountains", "1"))
    assert len(dealt) == 18
    assert set(dealt) < set(DominoSet(6))


def test_unless_a_game_says_otherwise_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    assert STACK.visible(3, 0) == 3
    assert list(STACK.chances(3)) == []
    assert STACK.agrees(3, 3)
    assert not STACK.agrees(3, 2)


def test_the_dominoes_that_a_table_lacks_have_to_lie_where_the_others_tell() -> None:
    unmatched, start = game("unmatched"), problem("unmatched", "5")
    whole = unmatched.diagram(start).table  # type: ignore[attr-defined]
    one = whole.board.placed[3]
    seen = whole.without(one.domino).moved(lambda cell: cell.turned(1).shifted(4, -7))
    (told,) = lacking(unmatched, seen, start)
    assert told.domino == one.domino
    assert whole.moved(lambda cell: cell.turned(1).shifted(4, -7)).board.placed.count(told) == 1


def test_nothing_is_said_to_lack_where_most_are_not_there_or_another_lies_in_its_place() -> None:
    unmatched, start = game("unmatched"), problem("unmatched", "5")
    whole = unmatched.diagram(start).table  # type: ignore[attr-defined]
    few = Table(Board(whole.board.placed[:2]))
    assert lacking(unmatched, few, start) == ()
    assert lacking(unmatched, whole, start) == ()
    one = whole.board.placed[3]
    other = Board((*(p for p in whole.board.placed if p != one), replace(one, head=(one.head + 1) % 7)))
    assert lacking(unmatched, Table(other), start) == ()
    assert lacking(unmatched, whole.without(one.domino)) == ()


def test_what_the_next_move_may_lay_lies_beside_what_lies_there() -> None:
    tetradominoes: Any = game("tetradominoes")
    state = replay(tetradominoes, tetradominoes.set_up(1, Random(1)), "02H2.2, 30V2.0")[0]
    turned = tetradominoes.diagram(state).table.moved(lambda cell: cell.turned(1).shifted(4, -7))
    told = playable(tetradominoes, turned, state)
    assert len(told) == len([*legal_moves(tetradominoes, state)])
    assert {one.domino for one in told} <= set(state.hand.known)
    lying = turned.board.owner
    assert all(any(beside in lying for cell in one.cells for beside in cell.neighbours()) for one in told)
    assert all(lying.keys().isdisjoint(one.cells) for one in told)


def test_a_domino_that_is_passed_first_may_be_laid_by_the_other_player() -> None:
    together: Any = game("mountains_together")
    first = together.start("player 1: 00 32\nplayer 2: 10 20\nturn: 1")
    state = replay(together, first, "pass00, 00H11")[0]
    table = together.diagram(state).table
    told = playable(together, table, state)
    assert {str(one) for one in told} == {"10", "01", "20", "02"}


def test_nothing_may_be_laid_where_nobody_knows_where_the_others_lie() -> None:
    tetradominoes: Any = game("tetradominoes")
    start = tetradominoes.set_up(1, Random(1))
    assert playable(tetradominoes, Table(), start) == ()
    assert playable(tetradominoes, Table()) == ()
