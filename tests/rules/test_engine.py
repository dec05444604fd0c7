"""The questions that any game answers, asked of a game so small that every answer is plain."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.board import Board, Cell
from rules.engine import check, find_move, left_to_do, legal_moves
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, UnreadableTable
from rules.games import game
from rules.puzzles import problem, published
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


def shown(slug: str) -> tuple[Any, Any, Table]:
    """A game, its beginning and the table that shows it."""
    rules: Any = game(slug)
    start = rules.set_up(2, Random(1)) if slug == "domineering" else problem(slug, published(slug)[0].name)
    return rules, start, rules.diagram(start).table


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("bee", "die is not on the board."),
        ("fujisan", "3 pawns are on the table: a pilgrimage has four priests."),
        ("domineering", "has 1 piece on the board; two colours with 2 pieces each are expected."),
    ],
)
def test_a_piece_that_somebody_holds_is_waited_for(slug: str, told: str) -> None:
    rules, start, table = shown(slug)
    held = replace(table, dice=table.dice[1:]) if slug == "bee" else replace(table, pawns=table.pawns[1:])
    assert left_to_do(rules, start, table) == ""
    assert left_to_do(rules, start, held).endswith(told)


def test_a_domino_of_freecell_that_somebody_holds_is_waited_for_but_not_half_the_set() -> None:
    rules: Any = game("freecell")
    start = rules.deal(Random(1), 28)
    placed = rules.diagram(start).table.board.placed
    assert left_to_do(rules, start, Table(Board(placed[:-1]))).endswith("is missing from the set.")
    assert left_to_do(rules, start, Table(Board(placed[:12]))) == ""
