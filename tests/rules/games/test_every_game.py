"""What is true of every game, whichever it is."""

from random import Random
from typing import Any

import pytest

from pipsight.commands.demo import SAMPLES
from pipsight.drawing import svg
from rules.board import Board
from rules.engine import check, find_move, legal_moves
from rules.game import Checks, Deals, Draws, Game, Generates, Mover, Starts
from rules.games import UnknownGame, game, slugs
from rules.players import Owes, SetsUp, Suggests, Tells
from rules.puzzles import Published, problem, published
from rules.table import Table
from rules.watch import Watch
from tests.rules.drawing import lying, solved, turned

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


def spoilt(puzzle: Published, played: EveryGame, start: Any) -> Table:
    """A table that is not solved: without a domino of the solution, or as the puzzle begins."""
    if puzzle.moves:
        return lying(played, start)
    end = Board.parse(puzzle.solution)
    return Table(end.without(end.placed[:1]))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(("played", "puzzle"), PUZZLES)
def test_turning_the_table_changes_no_verdict(played: EveryGame, puzzle: Any, turns: int) -> None:
    start = problem(played.info.slug, puzzle.name)
    end = solved(puzzle, played, start)
    for table in (end, spoilt(puzzle, played, start)):
        verdict = check(played, table, start)
        seen = check(played, turned(table, turns), start)
        assert seen.state == verdict.state == ("solved" if table == end else "unsolved")
        assert len(seen.problems) == len(verdict.problems)


def those(protocol: type) -> list[Any]:
    """The games that keep one of the optional protocols."""
    return [pytest.param(game(slug), id=slug) for slug in slugs() if isinstance(game(slug), protocol)]


@pytest.mark.parametrize("played", those(Generates))
def test_what_is_made_up_is_a_problem_with_its_solution_the_same_for_the_same_chance(played: Any) -> None:
    difficulty = played.difficulties[0]
    made = played.generate(Random(2), difficulty, Watch())
    assert made == played.generate(Random(2), difficulty, Watch())
    assert made.difficulty == difficulty
    assert played.start(made.text) == made.start
    state = made.start
    for move in made.moves:
        state = played.play(state, move)
    assert played.outcome(state).won


@pytest.mark.parametrize("played", those(Generates))
def test_words_after_a_grade_that_a_game_does_not_know_are_refused_in_a_sentence(played: Any) -> None:
    asked = f"{played.difficulties[0]} mild/er"
    with pytest.raises(ValueError, match=f"'{asked}' is no difficulty: "):
        played.generate(Random(2), asked, Watch())


@pytest.mark.parametrize("played", those(Deals))
def test_a_deal_is_the_same_for_the_same_seed_and_can_be_written_down(played: Any) -> None:
    size = next(size for size in SIZES if dealt(played, size) is not None)
    start = played.deal(Random(3), size)
    assert start == played.deal(Random(3), size)
    assert played.start(str(start)) == start


def dealt(played: Any, size: int) -> Any:
    """A deal of so many dominoes, None for a game that takes another number."""
    try:
        return played.deal(Random(3), size)
    except ValueError:
        return None


@pytest.mark.parametrize("played", those(SetsUp))
def test_a_game_with_players_is_set_up_told_advised_and_refused_in_a_sentence(played: Any) -> None:
    assert all(isinstance(played, protocol) for protocol in (Suggests, Owes, Tells, Starts))
    assert len(set(played.variants)) == len(played.variants) > 0
    for players in range(played.info.players[0], played.info.players[1] + 1):
        state = played.set_up(players, Random(4))
        assert state == played.set_up(players, Random(4))
        assert played.start(str(state)) == state
        assert played.owed(state).endswith(".")
        assert all(played.told(state, seat) for seat in (None, *range(players)))
    for players, variant in ((played.info.players[1] + 1, ""), (played.info.players[0], "no such variant")):
        with pytest.raises(ValueError, match=r"\w \w.*\."):
            played.set_up(players, Random(4), variant)


@pytest.mark.parametrize("slug", slugs())
def test_a_game_has_a_sample_with_its_truth(slug: str) -> None:
    names = (slug, f"{slug}_start", f"{slug}_solved")
    assert any(all((SAMPLES / f"{name}{end}").is_file() for end in (".jpg", ".json", ".txt")) for name in names)


SIZES = (8, 28, 18, 12, *range(1, 100))


@pytest.mark.parametrize(("played", "puzzle"), [case for case in PUZZLES if isinstance(case.values[0], Draws)])
def test_a_drawing_shows_the_table(played: Any, puzzle: Any) -> None:
    start = problem(played.info.slug, puzzle.name)
    assert svg(played.diagram(start)).startswith("<svg")
    assert played.read(played.diagram(start).table, start) == start


@pytest.mark.parametrize("played", GAMES)
def test_an_empty_table_solves_nothing(played: EveryGame) -> None:
    assert isinstance(played, Checks)
    verdict = check(played, Table())
    assert verdict.state == "unsolved"
    assert [fault.text for fault in verdict.problems] == ["No domino lies face up on the grid."]


def test_a_game_that_does_not_exist_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownGame, match="did you mean dominosa"):
        game("dominossa")
    with pytest.raises(UnknownGame, match=f"there are {', '.join(slugs()[:3])}"):
        game("whist")
