"""What is true of every game, whichever it is."""

from typing import Any

import pytest

from rules.board import Board
from rules.engine import check, find_move, legal_moves
from rules.game import Checks, Game, Mover
from rules.games import UnknownGame, game, slugs
from rules.puzzles import Published, problem, published
from rules.table import Table
from tests.rules.drawing import solved

GAMES = [pytest.param(game(slug), id=slug) for slug in slugs()]
PUZZLES = [
    pytest.param(game(slug), puzzle, id=f"{slug} {puzzle.name}") for slug in slugs() for puzzle in published(slug)
]
EveryGame = Game[Any, Any]


@pytest.mark.parametrize("played", GAMES)
def test_a_game_is_found_by_its_slug_and_says_what_it_needs(played: EveryGame) -> None:
    info = played.info
    assert game(info.slug) is played
    assert info.title
    assert info.set
    assert 1 <= info.players[0] <= info.players[1]


@pytest.mark.parametrize(("played", "puzzle"), PUZZLES)
def test_states_and_moves_can_be_kept_compared_and_said(played: EveryGame, puzzle: Any) -> None:
    start = problem(played.info.slug, puzzle.name)
    move = next(iter(legal_moves(played, start)))
    after = played.play(start, move)
    assert len({start, after}) == len({start, after, played.play(start, move)}) == 2
    assert played.describe(start, move).endswith(".")
    assert str(move)
    assert find_move(played, start, after) is not None
    assert find_move(played, start, start) is None
    assert isinstance(played.to_move(start), int | Mover)


def spoilt(puzzle: Published, start: Any) -> Board:
    """A table that is not solved: without a domino of the solution, or as the puzzle begins."""
    if puzzle.moves:
        lying: Board = start.board
        return lying
    end = Board.parse(puzzle.solution)
    return end.without(end.placed[:1])


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(("played", "puzzle"), PUZZLES)
def test_turning_the_table_changes_no_verdict(played: EveryGame, puzzle: Any, turns: int) -> None:
    start = problem(played.info.slug, puzzle.name)
    end = solved(puzzle, played, start)
    for lying in (end, spoilt(puzzle, start)):
        verdict = check(played, Table(lying), start)
        turned = check(played, Table(lying.rotated(turns).shifted(2, 3)), start)
        assert turned.state == verdict.state == ("solved" if lying == end else "unsolved")
        assert len(turned.problems) == len(verdict.problems)


@pytest.mark.parametrize("played", GAMES)
def test_an_empty_table_solves_nothing(played: EveryGame) -> None:
    assert isinstance(played, Checks)
    verdict = check(played, Table())
    assert verdict.state == "unsolved"
    assert [fault.text for fault in verdict.problems] == ["No domino lies face up on the grid."]


def test_a_game_that_does_not_exist_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownGame, match="did you mean dominosa"):
        game("dominossa")
    with pytest.raises(UnknownGame, match="there are adding, capturing, dominosa"):
        game("whist")
