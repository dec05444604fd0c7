"""What happened between two looks where many dominoes were laid, and where one of them was laid wrongly."""

import pytest

from rules.board import Board
from rules.engine import explain, solve
from rules.games import game
from rules.inference import UNCLEAR
from rules.puzzles import Published, problem, published
from rules.table import Table

SOLVED = [(slug, puzzle) for slug in ("dominosa", "mountains") for puzzle in published(slug)[:2]]


@pytest.mark.parametrize(("slug", "puzzle"), SOLVED, ids=lambda one: getattr(one, "name", one))
def test_however_many_dominoes_were_laid_between_two_looks_each_is_a_move(slug: str, puzzle: Published) -> None:
    start, end = problem(slug, puzzle.name), Board.parse(puzzle.solution)
    explained = explain(game(slug), start, Table(end))
    assert explained.legal
    assert len(explained.moves) == len(end.placed)


@pytest.mark.parametrize(("slug", "puzzle"), SOLVED, ids=lambda one: getattr(one, "name", one))
def test_a_wrong_domino_among_many_right_ones_is_named(slug: str, puzzle: Published) -> None:
    start, end = problem(slug, puzzle.name), Board.parse(puzzle.solution)
    turned = next(tile for tile in end.placed if tile.head != tile.tail)
    wrong = end.without([turned]).laid(type(turned)(turned.cell, turned.way, turned.head, turned.head))
    explained = explain(game(slug), start, Table(wrong))
    assert not explained.legal
    assert any(f"{turned.head}-{turned.head}" in told.text for told in explained.problems)


def test_where_there_is_too_much_to_try_the_answer_says_so_and_what_differs() -> None:
    played, start = game("bee"), problem("bee", published("bee")[0].name)
    solution = solve(played, start).moves
    assert solution
    end = start
    for move in solution[:3]:
        end = played.play(end, move)
    assert len(explain(played, start, end).moves) == 3
    hurried = explain(played, start, end, limit_s=0)
    assert (hurried.legal, hurried.problems[0]) == (False, UNCLEAR)
    assert all("die stands at" in told.text for told in hurried.problems[1:])
