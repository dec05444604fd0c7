"""The questions that any game answers, asked of a game so small that every answer is plain."""

from collections.abc import Iterator

import pytest

from rules.board import Board, Cell
from rules.engine import check, find_move, legal_moves
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, UnreadableTable
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


def test_unless_a_game_says_otherwise_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    assert STACK.visible(3, 0) == 3
    assert list(STACK.chances(3)) == []
    assert STACK.agrees(3, 3)
    assert not STACK.agrees(3, 2)
