"""What the three sliding puzzles share: published problems, starts, tables, and the same answers as the plain way."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.board import Board, Cell
from rules.engine import check, deal, explain, hint, legal_moves, replay, solve
from rules.game import Game, IllegalMove, Starts, UnreadableTable
from rules.games import game
from rules.puzzles import BadProblem, Published, problem, published
from rules.search import breadth_first, plays
from rules.sliding.layout import Layout
from rules.sliding.slide import every_slide
from rules.table import LooseTile, Place, Table
from rules.watch import Watch
from tests.rules import brute

SLUGS = ["unmatched", "capturing", "adding"]
PUZZLES = [pytest.param(game(slug), puzzle, id=f"{slug} {puzzle.name}") for slug in SLUGS for puzzle in published(slug)]
GAMES = [pytest.param(game(slug), id=slug) for slug in SLUGS]
Sliding = Game[Layout, Any]


def dealt(played: Sliding, seed: int, size: int = 5) -> Layout:
    state = deal(played, seed, size)
    assert state
    return state


def plain(state: Layout) -> brute.State:
    """The same state for the plain solver."""
    return brute.pieces(state.board), tuple((tile.head, tile.tail) for tile in state.waiting)


@pytest.mark.parametrize(("played", "puzzle"), PUZZLES)
def test_a_published_problem_is_solved_at_its_published_length(played: Sliding, puzzle: Published) -> None:
    start = problem(played.info.slug, puzzle.name)
    end, printed = replay(played, start, puzzle.moves)
    outcome = played.outcome(end)
    assert outcome
    assert outcome.won
    solution = solve(played, start)
    assert solution.proved
    assert solution.moves
    assert len(solution.moves) == solution.at_least == len(printed)
    assert played.outcome(replay(played, start, ", ".join(map(str, solution.moves)))[0]) == outcome


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("played", GAMES)
def test_small_deals_have_the_same_moves_and_solutions_as_the_plain_way(played: Sliding, seed: int) -> None:
    slug, start = played.info.slug, dealt(played, seed, 3 + seed % 3)
    state, chance = start, Random(seed)
    for _ in range(4):
        plays = {str(move): plain(played.play(state, move)) for move in legal_moves(played, state)}
        assert plays == dict(brute.moves(slug, plain(state)))
        if not plays or played.outcome(state):
            break
        state = played.play(state, chance.choice(list(legal_moves(played, state))))
    moves = solve(played, start).moves
    assert (None if moves is None else len(moves)) == brute.shortest(slug, plain(start))


@pytest.mark.parametrize("name", ["1", "9", "14", "20"])
@pytest.mark.parametrize("slug", ["unmatched", "capturing"])
def test_the_moves_of_the_search_are_those_that_play_allows(slug: str, name: str) -> None:
    played, chance, state = game(slug), Random(name), problem(slug, name)
    for _ in range(25):
        found = list(plays(played, state))
        tried = [(move, after_of(played, state, move)) for move in every_slide(state)]
        assert sorted(found, key=str) == sorted(((m, s) for m, s in tried if s is not None), key=str)
        state = chance.choice(found)[1] if found else problem(slug, name)


@pytest.mark.parametrize("slug", ["unmatched", "capturing"])
def test_the_search_by_places_finds_what_a_search_by_play_finds(slug: str) -> None:
    played: Sliding = game(slug)
    starts = [dealt(played, seed, size) for size in range(1, 10) for seed in range(8)]
    starts += [problem(slug, puzzle.name) for puzzle in published(slug)[:12]]
    for start in starts:
        found, wanted = solve(played, start, Watch(most_states=150)), breadth_first(played, start, Watch(None, 150))
        assert (found.moves, found.states_seen, found.proved) == (wanted.moves, wanted.states_seen, wanted.proved)


def test_the_moves_of_the_search_are_those_that_play_allows_where_dominoes_are_added() -> None:
    played, chance = game("adding"), Random(5)
    state = start = problem("adding", "1")
    for _ in range(25):
        found = list(plays(played, state))
        tried = [(move, after_of(played, state, move)) for move in played.candidates(state)]
        assert found == [(move, after) for move, after in tried if after is not None]
        state = chance.choice(found)[1] if found and state.waiting else start


def after_of(played: Sliding, state: Layout, move: Any) -> Layout | None:
    """What play makes of a move; None where it refuses it."""
    try:
        return played.play(state, move)
    except IllegalMove:
        return None


@pytest.mark.parametrize(
    ("played", "name"), [(game("unmatched"), "14"), (game("capturing"), "20"), (game("adding"), "1")]
)
def test_a_long_walk_of_legal_moves_keeps_the_set_and_the_group(played: Sliding, name: str) -> None:
    chance, start = Random(name), problem(played.info.slug, name)
    state, everything = start, {*start.dominoes, *(tile.domino for tile in start.waiting)}
    for _ in range(60):
        moves = list(legal_moves(played, state))
        if not moves or played.outcome(state):
            state = start
            continue
        after = played.play(state, chance.choice(moves))
        kept = [*(tile.domino for tile in after.tiles), *(tile.domino for tile in after.waiting)]
        assert len(set(kept)) == len(kept)
        assert set(kept) <= everything if played.info.slug == "capturing" else set(kept) == everything
        assert after.board.is_connected()
        assert after.covered == Layout.of(after.board).covered
        assert after == Layout.of(after.board, after.waiting)
        state = after


@pytest.mark.parametrize("played", GAMES)
def test_a_start_is_dealt_by_its_seed_and_can_be_written_down(played: Sliding) -> None:
    one, again, other = (dealt(played, seed, 8) for seed in (1, 1, 2))
    assert one == again != other
    assert isinstance(played, Starts)
    assert played.start(str(one)) == one
    assert one.board.is_connected()


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(("played", "puzzle"), PUZZLES[::7])
def test_the_table_is_followed_whichever_way_round_it_lies(played: Sliding, puzzle: Published, turns: int) -> None:
    state = problem(played.info.slug, puzzle.name)
    for word in puzzle.moves.replace(",", " ").split()[:3]:
        after, made = replay(played, state, word)
        table = Table(after.board.rotated(turns).shifted(2, 1))
        assert played.read(table, state) == after
        explained = explain(played, state, table)
        assert explained.legal
        assert len(explained.moves) == 1
        assert played.play(state, explained.moves[0]) == after
        assert set(made) == set(explained.moves) or played.info.slug != "unmatched"
        state = played.read(table, state)


@pytest.mark.parametrize("played", GAMES)
def test_two_moves_at_once_are_found_too(played: Sliding) -> None:
    puzzle = published(played.info.slug)[0]
    start = problem(played.info.slug, "1")
    after, made = replay(played, start, ",".join(puzzle.moves.split(",")[:2]))
    assert explain(played, start, Table(after.board)).moves == made
    assert explain(played, start, start).moves == ()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (Table(), "No domino lies face up on the grid."),
        (
            Table(Board.parse("2|4 4|2")),
            "The 2-4 is there twice: at row 1, columns 1 and 2 and at row 1, columns 3 and 4.",
        ),
        (Table(Board.parse("2|7")), "The 2-7 at row 1, columns 1 and 2 is not in the double-six set."),
        (
            Table(Board.parse("2|4   1|1")),
            "The dominoes lie in 2 groups: row 1, columns 4 and 5 must touch the others.",
        ),
        (Table(Board.parse("2|4"), loose=(LooseTile(1, 1, 9, 9, 45),)), "The 1-1 lies off the grid."),
        (
            Table(Board.parse("2|4"), face_down=(Place((Cell(1, 0), Cell(1, 1))),)),
            "The tile at row 2, columns 1 and 2 lies face down.",
        ),
    ],
)
def test_a_table_that_is_no_group_of_one_set_is_refused(table: Table, words: str) -> None:
    for slug in ("unmatched", "capturing"):
        with pytest.raises(UnreadableTable) as refused:
            game(slug).read(table)
        assert words in str(refused.value)


@pytest.mark.parametrize(
    ("slug", "text", "words"),
    [
        ("unmatched", "", "line 1, column 1: there is no domino here"),
        ("unmatched", "2|4 4\n    -\n    2", "line 1, column 5: 42 is there twice"),
        ("unmatched", "2|4\n\n\n\n7|1", "line 5, column 1: 71 is not in the double-six set"),
        ("capturing", "2|4\n\n\n\n1|1", "line 5, column 1: this domino touches none of the biggest group"),
        ("capturing", "2|4 x", "line 1, column 5: 'x' is no number"),
        ("adding", "2\n-\n4", "line 1, column 1: a queue has two dominoes at least"),
        ("adding", "2|4 1\n    -\n    1", "line 1, column 1: the dominoes of a queue stand side by side; a board"),
        ("adding", "2 1   3\n- -   -\n4 1   3", "line 1, column 7: the dominoes of a queue stand side by side"),
        ("adding", "2|4\n===\n2\n-\n4", "line 3, column 1: 24 is on the board already"),
        ("adding", "2|4\n===\n2|2", "line 3, column 1: the dominoes of a queue stand side by side"),
    ],
)
def test_a_bad_start_is_refused_with_its_place(slug: str, text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(text)
    with pytest.raises(BadProblem, match=words):
        problem(slug, str(file))


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("24", "24 is no move"),
        ("99R", "No domino lies on the table as 9-9"),
        ("42R", "No domino lies on the table as 4-2"),
        ("24U", "The 2-4 cannot slide up: a domino slides along its long axis only."),
        ("12L", "The 1-2 cannot slide left: something lies at row 2, column 2."),
    ],
)
@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_no_slide_is_refused_with_the_reason(slug: str, word: str, words: str) -> None:
    start = Layout.of(Board.parse("  2\n  -\n  3 1|2\n\n2|4"))
    with pytest.raises(IllegalMove, match=words):
        replay(game(slug), start, word)


def test_the_search_ends_at_its_limit_with_what_it_found() -> None:
    played, start = game("capturing"), problem("capturing", "20")
    for watch in (Watch(limit_s=0), Watch(most_states=20)):
        solution = solve(played, start, watch)
        assert (solution.moves, solution.proved) == (None, False)
        assert 0 < solution.at_least < 16
    told: list[tuple[int, int]] = []
    solve(played, start, Watch(progress=lambda states, ahead: told.append((states, ahead)), every=100))
    assert len(told) >= 5
    assert told == sorted(told)


def test_that_there_is_no_solution_is_proved() -> None:
    solution = solve(game("capturing"), Layout.of(Board.parse("0|1 2|3")))
    assert (solution.moves, solution.proved) == (None, True)
    assert hint(game("capturing"), Layout.of(Board.parse("0|1 2|3"))).text.startswith("There is no solution from here")


def test_hints_give_away_more_and_more() -> None:
    played, start = game("unmatched"), problem("unmatched", "1")
    texts = [hint(played, start, level) for level in (1, 2, 3)]
    assert [told.text for told in texts] == [
        "3 moves from here will do.",
        "3 moves from here will do; the next one begins at row 3, columns 1 and 2.",
        "Next: The 2-4 at row 3, columns 1 and 2 slides right. (24R)",
    ]
    assert texts[2].cells == start.board.owner[texts[2].cells[0]].cells
    assert hint(played, replay(played, start, "24RR 23D")[0]).text == "The goal is reached."


@pytest.mark.parametrize("played", GAMES)
def test_the_start_is_no_end(played: Sliding) -> None:
    start = problem(played.info.slug, "1")
    assert check(played, Table(start.board), start).state == "unsolved"
