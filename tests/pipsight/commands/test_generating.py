"""Making up problems from the command line: the same ones whoever makes them, and none twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipsight import making
from pipsight.cli import run
from pipsight.commands import generating
from pipsight.making import MadeUp, Order, generated, made, orders

EASY = ["generate", "capturing", "--difficulty", "easy", "--seed", "3"]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this process: what spreads it has tests of its own."""

    def here(wanted: list[Order], scheduler: str | None = None) -> object:
        return generated(wanted, scheduler, workers=1)

    monkeypatch.setattr(generating, "generated", here)


def test_a_problem_depends_on_its_seed_number_and_grade_alone() -> None:
    one, two, three = (problem for _, problem in generated(orders("capturing", "easy", 3, 3), workers=1))
    assert made(Order("capturing", "easy", 3, 2)) == two
    assert len({str(problem) for problem in (one, two, three)}) == 3
    assert made(Order("capturing", "easy", 4, 2)) != two


def test_processes_make_the_same() -> None:
    wanted = orders("adding", "easy", 3, 3)
    assert list(generated(wanted, workers=2)) == [(order, made(order)) for order in wanted]


def test_capitals_and_blanks_make_no_other_difficulty() -> None:
    assert orders("dominosa", " Basic  5", 3, 1) == orders("dominosa", "basic 5", 3, 1)


@pytest.mark.usefixtures("alone")
def test_what_is_made_up_can_be_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*EASY, "--count", "2", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert err == "1/2\n2/2\n"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"capturing-easy-3-00{n}{end}.txt" for n in (1, 2) for end in (".solution", "")]
    for number in (1, 2):
        problem = tmp_path / f"capturing-easy-3-00{number}.txt"
        moves = problem.with_suffix(".solution.txt").read_text().strip()
        assert f"{problem}: Capturing Donimoes, easy, seed 3, number {number}: " in out
        assert run(["solve", "capturing", str(problem)]) == 0
        assert f"{len(moves.split(', '))} moves, and no fewer" in capsys.readouterr().out


@pytest.mark.usefixtures("alone")
def test_what_is_there_is_not_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run([*EASY, "--count", "2", "--out", str(tmp_path)]) == 0
    files = {path: path.read_text() for path in tmp_path.iterdir()}
    lost = tmp_path / "capturing-easy-3-002.txt"
    lost.unlink()
    asked: list[int] = []

    def asking(order: Order) -> MadeUp | None:
        asked.append(order.number)
        return made(order)

    monkeypatch.setattr(making, "made", asking)
    capsys.readouterr()
    assert run([*EASY, "--count", "2", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("1 problem is there already.\n")
    assert asked == [2]
    assert {path: path.read_text() for path in tmp_path.iterdir()} == files


@pytest.mark.usefixtures("alone")
def test_json_tells_everything_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*EASY, "--count", "2", "--format", "json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["game"], line["difficulty"], line["seed"], line["number"]) for line in lines] == [
        ("capturing", "easy", 3, 1),
        ("capturing", "easy", 3, 2),
    ]
    assert all(line["length"] == len(line["solution"]) for line in lines)
    second = made(Order("capturing", "easy", 3, 2))
    assert second
    assert lines[1]["start"] == second.text
    assert {"interest", "note"} <= lines[0].keys()


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_pictures_go_into_files(form: str, begins: bytes, tmp_path: Path) -> None:
    assert run([*EASY, "--format", form, "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"capturing-easy-3-001.{form}").read_bytes().startswith(begins)


def test_a_problem_is_printed_with_its_solution(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(EASY) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Capturing Donimoes, easy, seed 3, number 1: ")
    assert "\nSolution: " in out
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["capturing", "--difficulty", "mild"], "Capturing Donimoes knows no difficulty 'mild': choose from easy,"),
        (["capturing", "--difficulty", "easy 5"], "'easy 5' is no difficulty: easy, medium or hard are, with nothing"),
        (["capturing", "--format", "png"], "a picture as png needs a folder: add --out DIR."),
        (["dominosa", "--difficulty", "hard 99"], "'hard 99' is no difficulty: trivial, basic, hard or extreme are"),
        (["cobra_paw"], "Cobra Paw makes up no problems."),
    ],
)
def test_a_wish_that_cannot_be_fulfilled_ends_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", *arguments]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"pipsight: {told}")


def test_a_chance_of_which_nothing_comes_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "made", lambda order: None)
    assert run(EASY) == 3
    assert capsys.readouterr().err == "pipsight: no problem came of capturing-easy-3-001: choose another seed.\n"


@pytest.mark.usefixtures("alone")
def test_what_takes_too_long_ends_at_its_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "freecell", "--difficulty", "hard 12", "--seed", "8", "--limit", "0"]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == (
        "pipsight: no problem came of freecell-hard-12-8-001: choose another seed, or a longer --limit."
    )


@pytest.mark.usefixtures("alone")
def test_ctrl_c_leaves_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(order: Order) -> MadeUp | None:
        if order.number == 2:
            raise KeyboardInterrupt
        return made(order)

    monkeypatch.setattr(making, "made", interrupted)
    assert run([*EASY, "--count", "3", "--out", str(tmp_path)]) == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "capturing-easy-3-001.solution.txt",
        "capturing-easy-3-001.txt",
    ]
