"""What happened between two looks where many dominoes were laid, and where one of them was laid wrongly."""

import pytest

from rules.board import Board
from rules.engine import explain
from rules.games import game
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
