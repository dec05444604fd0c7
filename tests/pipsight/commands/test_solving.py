"""Solving, listing and hinting from the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipsight.cli import run
from pipsight.kept_games import games_folder
from pipsight.sitting import begin
from rules.board import Board
from rules.engine import named

if TYPE_CHECKING:
    from pipsight.commands.solving import Position

SAMPLES = Path(__file__).resolve().parents[3] / "sample_images"
SMALL = "  2\n  -\n  3 1|2\n\n2|4\n"


def picture_of(lying: Board, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture on which a board is read, whatever it shows."""
    import numpy as np

    from tests.vision.laying import Eye, laid, seen
    from vision.picture import encode

    monkeypatch.setattr("vision.reader.Reader.__init__", lambda self, *_, **__: None)
    monkeypatch.setattr("vision.reader.Reader.read", lambda self, frame, *_: seen(laid(lying), Eye()))
    path.write_bytes(encode(np.full((960, 1280, 3), 90, np.uint8), ".png"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text(SMALL)
    (tmp_path / "bad.txt").write_text("2|4\n    1|1\n")
    (tmp_path / "stuck.txt").write_text("0|1 2|3\n")
    (tmp_path / "open.txt").write_text("1 2 0 2\n1 1 0 2\n1 0 2 0\n")
    (tmp_path / "done.txt").write_text("2|2 1 2\n    - -\n0|0 1 0\n\n1|2 0|1\n")
    (tmp_path / "wrong.txt").write_text("2 2 1 2\n-\n0 0 1 0\n\n1 2 0 1\n")
    (tmp_path / "board.txt").write_text("first: Black\ndrawn: 52\n")
    (tmp_path / "hidden.txt").write_text((SAMPLES / "finder.txt").read_text())
    (tmp_path / "gap.txt").write_text("00 01 11 03 13 33 04 14 34\n44 05 15 35 45 55 06 16 36\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["solve", "unmatched", "--problem", "1"], 0, r"3 moves, and no fewer will do .*\n24R, 24R, 23D\n$"),
        (["solve", "unmatched", "mine.txt"], 0, r"\n24R, 24R, 23D\n$"),
        (["solve", "capturing", "stuck.txt"], 1, r"^Capturing Donimoes: there is no solution; .*\(\d positions?\)"),
        (["solve", "capturing", "--problem", "20", "--limit", "0"], 3, r"found within 0 seconds \(\d+ positions?\)\.$"),
        (["solve", "unmatched", "--deal", "5", "--size", "3"], 0, r"^[-|\d\s]+\nUnmatched Donimoes: 3 moves"),
        (["solve", "mountains", "--deal", "5"], 0, r"\nMountains and Valleys: 18 moves"),
        (["solve", "dominosa", "--problem", "3"], 0, r"\nIt is the only solution\.\n$"),
        (
            ["solve", "dominosa", "open.txt"],
            0,
            r"more than one solution, such as these two:(\n\n[0-2]( |\|)(.*\n?){5}){2}",
        ),
        (
            ["solve", "dominosa", "--problem", "1", "--reasons"],
            0,
            r"9 steps\.\n1\. Same domino: Whatever the 1 at row 3",
        ),
        (
            ["solve", "dominosa", "open.txt", "--reasons"],
            3,
            r"^Dominosa: 6 steps\.\n(.+\n){6}Nothing more follows: some dominoes are still open\.\nThere is more than",
        ),
        (["solve", "dominosa", "done.txt"], 0, r"^Dominosa: the goal is reached already\.\n$"),
        (["solve", "dominosa", "done.txt", "--reasons"], 0, r"^Dominosa: the goal is reached already\.\n$"),
        (["solve", "dominosa", "wrong.txt"], 1, r"^Dominosa: there is no solution"),
        (["solve", "dominosa", "wrong.txt", "--reasons"], 1, r"^Dominosa: there is no solution"),
        (["solve", "domineering", "board.txt"], 3, r"^Domineering is played by several, .* suggest domineering says"),
        (["solve", "mountains", "gap.txt"], 1, r"there is no solution\. No domino has a 2, and nobody can step"),
        (["moves", "freecell", "--deal", "3"], 0, r"^0 1 2 3 4 5 6\n(.*\n)+Dominoes Freecell: \d+ legal moves"),
        (["hint", "mountains", "--deal", "5"], 0, r"\nOnly \d squares show a \d: lay them where lower and higher"),
        (["moves", "adding", "--problem", "1"], 0, r"1 legal move|15H24 +The 1-5 is added"),
        (["moves", "finder", "hidden.txt"], 0, r"\n  e2U  Player 2 flips the domino at e2\.\n"),
        (["hint", "unmatched", "--problem", "1", "--level", "2"], 0, "begins at row 3, columns 1 and 2"),
        (["hint", "unmatched", "--problem", "1", "--level", "3"], 0, r"The 2-4 .* slides right. \(24R\)"),
    ],
)
@pytest.mark.usefixtures("here")
def test_positions_in_print_in_a_file_and_by_chance(
    arguments: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    assert re.search(told, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["solve", "unmatched"], "name a picture, a saved game, a --problem, or a seed to --deal by."),
        (["suggest", "unmatched"], "name a picture, a saved game or a --problem."),
        (
            ["solve", "unmatched", "--problem", "99"],
            "There is no problem 99 of Unmatched Donimoes: choose from 1 to 20",
        ),
        (["solve", "unmatched", "--problem", "1", "--deal", "2"], "leave --deal out, or the picture, the file and the"),
        (
            ["moves", "unmatched", "--problem", "1", "--size", "4"],
            "--size says how many dominoes are dealt: add a seed",
        ),
        (
            ["solve", "unmatched", "--problem", "1", "--reasons"],
            "Unmatched Donimoes has no reasons step by step: leave",
        ),
        *(
            (
                [command, "unmatched", "mine.txt", "--problem", "5"],
                "mine.txt is a position by itself: leave it out, or --problem",
            )
            for command in ("solve", "moves", "hint", "suggest")
        ),
        (["suggest", "unmatched", "mine.json", "--problem", "5"], "mine.json is a position by itself: leave it out"),
        (["moves", "unmatched", "bad.txt"], "bad.txt: line 2, column 5: no number 1 may stand here"),
        (["hint", "capturing", "nowhere.txt"], "There is no problem nowhere.txt"),
        (["solve", "cobra_paw", "--deal", "1"], "Cobra Paw deals no problems."),
        (["solve", "dominosa", "--deal", "1", "--size", "9"], "Dominosa: a full set has 10, 15, 21"),
        (["solve", "unmatched", "--deal", "1", "--size", "29"], "Unmatched Donimoes: a deal takes 1 to 28 dominoes"),
    ],
)
@pytest.mark.usefixtures("here")
def test_bad_input_ends_in_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"pipsight: {told}")


def test_ctrl_c_ends_a_search_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(at: Position, limit: float | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipsight.commands.solving.solved", interrupt)
    assert run(["solve", "unmatched", "--problem", "1"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["solve", "hint", "suggest", "moves"])
def test_a_board_of_adding_alone_does_not_tell_whether_the_goal_is_reached(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "board.txt").write_text("2 3\n- -\n1 5\n")
    assert run([command, "adding", "board.txt"]) == 3
    told = "A board alone does not tell whether its queue is used up: name the problem."
    assert capsys.readouterr().out == f"Adding Donimoes: {told}\n"


@pytest.mark.needs("cv2")
@pytest.mark.parametrize(
    ("named", "code", "told"), [([], 3, "A board alone"), (["--problem", "1"], 0, "moves, and no")]
)
def test_nor_does_a_picture_of_it_without_its_problem(
    named: list[str],
    code: int,
    told: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    picture_of(Board.parse("2 3\n- -\n1 5"), here / "table.png", monkeypatch)
    assert run(["solve", "adding", "table.png", *named]) == code
    assert told in capsys.readouterr().out


@pytest.mark.needs("cv2")
def test_a_picture_continues_its_problem(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture_of(Board.parse("  2\n  -\n  3 1|2\n\n    2|4"), here / "table.png", monkeypatch)
    assert run(["solve", "unmatched", "table.png", "--problem", "1"]) == 0
    assert capsys.readouterr().out.endswith("\n23D\n")


@pytest.mark.needs("cv2")
@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (0, ""),
        (1, "turned a quarter counterclockwise.\n"),
        (2, "turned half round.\n"),
        (3, "turned a quarter clockwise.\n"),
    ],
)
def test_a_table_that_lies_turned_is_told_as_its_problem_with_the_turn(
    turns: int, told: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture_of(Board.parse(SMALL).rotated(turns), here / "table.png", monkeypatch)
    assert run(["hint", "unmatched", "table.png", "--problem", "1", "--level", "3"]) == 0
    turned = "Rows, columns and directions are told as they are with the table " if turns else ""
    assert capsys.readouterr().out == f"{turned}{told}Next: The 2-4 at row 3, columns 1 and 2 slides right. (24R)\n"


@pytest.mark.needs("cv2")
@pytest.mark.parametrize("turns", range(4))
def test_a_doubt_is_told_where_the_hint_counts_it(
    turns: int, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    from tests.vision.laying import Eye, laid, seen
    from vision.scene import Scene

    def read(*_: object) -> Scene:
        scene = seen(laid(Board.parse(SMALL).rotated(turns)), Eye())
        return replace(scene, tiles=tuple(replace(t, doubtful=set(t.pips) == {2, 4}) for t in scene.tiles))

    picture_of(Board.parse(SMALL), here / "table.png", monkeypatch)
    monkeypatch.setattr("vision.reader.Reader.read", read)
    assert run(["hint", "unmatched", "table.png", "--problem", "1", "--level", "3"]) == 0
    assert capsys.readouterr().out.startswith("  ? It is not sure that the tile at row 3, columns 1 and 2 reads 2-4")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["check", "unmatched"], 1, "not solved, 1 fault"),
        (["solve", "unmatched"], 0, "\n24R, 23D\n"),
        (["moves", "unmatched"], 0, "24L  The 2-4 at row 3, columns 1 and 2 slides left."),
        (["hint", "unmatched"], 0, "2 moves from here will do."),
        (["check", "capturing"], 4, "left.json is a game of Unmatched Donimoes, not of Capturing Donimoes"),
        (["solve", "capturing"], 4, "left.json is a game of Unmatched Donimoes, not of Capturing Donimoes"),
        (["hint", "unmatched", "--problem", "1"], 4, "left.json is a position by itself"),
        (["solve", "unmatched", "--taught", "stars"], 4, "--taught says what lies on a picture"),
    ],
)
def test_a_game_that_was_left_is_looked_at_by_its_name_where_it_was_left(
    arguments: list[str],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    game = begin("unmatched", problem="1")
    game.play(named(game.game, game.state, "24R"))
    games_folder().mkdir(parents=True)
    game.write(games_folder() / "left.json")
    command, slug, *more = arguments
    assert run([command, slug, "left.json", *more]) == code
    assert told in "".join(capsys.readouterr())


@pytest.mark.parametrize("command", ["check", "solve", "moves", "hint"])
def test_a_saved_game_that_is_not_there_is_told(command: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "unmatched", "none.json"]) == 4
    assert capsys.readouterr().err.startswith("pipsight: there is no saved game none.json: ")


def test_a_game_of_several_that_was_left_is_over_or_not(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin("all_fives", seed=3).write(here / "left.json")
    assert run(["check", "all_fives", "left.json"]) == 1
    assert "The game is not over." in capsys.readouterr().out
