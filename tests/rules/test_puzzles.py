"""Published problems, and problems from files of one's own."""

from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import puzzles
from rules.course import decision
from rules.errors import RulesError
from rules.games import game, slugs
from rules.players import SetsUp
from rules.puzzles import BadProblem, problem, published
from rules.table import Table
from tests.rules.drawing import solved

GRID = "0 0 1\n0 1 1\n"


def test_the_books_problems_are_all_there() -> None:
    assert [problem.name for problem in published("dominosa")] == [str(number) for number in range(1, 21)]
    assert [problem.name for problem in published("mountains")] == ["1", "2", "3"]
    for slug in ("unmatched", "capturing"):
        assert [problem.name for problem in published(slug)] == [str(number) for number in range(1, 21)]
    assert [problem.name for problem in published("adding")] == ["1"]
    assert published("stack") == ()


@pytest.mark.parametrize("slug", slugs())
def test_every_published_solution_is_one_state_of_its_problem(slug: str) -> None:
    for puzzle in published(slug):
        played = game(slug)
        start = problem(slug, puzzle.name)
        assert played.outcome(start) is None
        outcome = played.outcome(played.read(solved(puzzle, played, start), start))
        assert outcome
        assert outcome.won


def test_the_problems_come_with_their_licence_and_credit() -> None:
    licence = files(puzzles).joinpath("LICENSE.md").read_text(encoding="utf-8")
    assert "Attribution-ShareAlike 4.0" in licence
    assert all(name in licence for name in ("Don Kirkby", "O. S. Adler", "Sid Sackson", "dominosa.toml"))


@pytest.mark.parametrize("text", [GRID, "\ufeff" + GRID, GRID.replace("\n", "\r\n")])
def test_a_file_holds_a_problem_too(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(text.encode())
    assert problem("dominosa", str(file)) == game("dominosa").read(Table(), problem("dominosa", str(file)))


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
@pytest.mark.parametrize("slug", slugs())
def test_a_text_is_the_same_position_whatever_system_ended_its_lines(slug: str, ends: str, tmp_path: Path) -> None:
    text = str(begun(game(slug)))
    here, elsewhere = tmp_path / "here.txt", tmp_path / "elsewhere.txt"
    here.write_bytes(text.encode())
    elsewhere.write_bytes(text.replace("\n", ends).encode())
    assert problem(slug, str(elsewhere)) == problem(slug, str(here))


def begun(played: Any) -> Any:
    """A game after its first move; its first problem, or a deal, where it is a puzzle."""
    info = played.info
    if isinstance(played, SetsUp):
        start = played.set_up(info.players[0], Random(1))
    elif published(info.slug):
        start = problem(info.slug, published(info.slug)[0].name)
    else:
        start = played.deal(Random(1), 28)
    return game(info.slug).play(start, decision(game(info.slug), start).moves[0])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1, column 1: there is no grid here"),
        (b"0 0 1\n0 1\n", "line 2, column 3: this row has 2 numbers and the first has 3"),
        (b"0 0 1\n0 z 1\n", "line 2, column 3: 'z' is no number"),
        (b"0 0 1\n0 0 1\n", "line 2, column 3: this is one 0 too many"),
        (b"0 0 1\n0 \xff 1\n", "line 2, column 3: this is not text"),
        (b"\x89PNG\r\n\x1a\n", "line 1, column 1: this is not text"),
        (b"\0\0", "line 1, column 1: '.x00' is no number"),
        (b"0" * 70_000, "too large"),
    ],
)
def test_a_bad_file_is_refused_in_one_line_with_its_place(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(data)
    with pytest.raises(BadProblem, match=words) as refused:
        problem("dominosa", str(file))
    assert isinstance(refused.value, RulesError)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["0", "21", "nothing.txt", "", " ", "a\0b"])
def test_an_unknown_problem_says_which_there_are(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadProblem, match="1 to 20"):
        problem("dominosa", name)


def test_a_folder_is_no_problem(tmp_path: Path) -> None:
    with pytest.raises(BadProblem, match="cannot be read"):
        problem("dominosa", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("01 24", "line 1, column 1: 18 dominoes are dealt, not 2"),
        ("01 27", "line 1, column 4: 27 is not in the double-six set"),
        ("01\n24 10", "line 2, column 4: 10 is listed twice"),
        ("01 2-4", "line 1, column 4: '2-4' is no domino"),
    ],
)
def test_a_bad_deal_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadProblem, match=words):
        problem("mountains", str(file))
