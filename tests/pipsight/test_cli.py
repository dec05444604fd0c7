"""The commands: what they print, where errors become one line, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pipsight import __version__
from pipsight.cli import complain, main, run
from rules.board import Board
from rules.puzzles import published
from tests.vision.laying import Eye, laid, seen
from vision.picture import encode, load
from vision.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Callable


pytestmark = pytest.mark.needs("cv2")

ROOT = Path(__file__).resolve().parents[2]
FRAME = np.random.default_rng(1).integers(80, 100, (960, 1280, 3)).astype(np.uint8)  # a cloth, in focus


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Scene], Path]:
    """Make a picture that the reader, an actor here, will see as a given scene."""

    def show(scene: Scene) -> Path:
        monkeypatch.setattr("vision.reader.Reader.__init__", lambda self, *_, **__: None)
        monkeypatch.setattr("vision.reader.Reader.read", lambda self, frame, *_: scene)
        path = tmp_path / "table.png"
        path.write_bytes(encode(FRAME, ".png"))
        return path

    return show


def solution(game: str, number: int = 0) -> Board:
    return Board.parse(published(game)[number].solution)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--version"], 0, f"pipsight {__version__}"),
        (["--help"], 0, "read .* check .* demo"),
        (["read", "--help"], 0, "--json"),
        (["sets", "list", "-h"], 0, "Usage: pipsight sets list"),
        ([], 2, "Usage: pipsight"),
        (["read"], 2, "Missing argument"),
        (["read", "--jsn", "x.jpg"], 2, "No such option"),
        (["read", "--set", "7", "x.jpg"], 2, "Invalid value"),
        (["read", "--set", "9", "--taught", "stars", "x.jpg"], 2, "Invalid value for --set: .* leave it out"),
        (["check", "dominosa"], 2, "Missing argument"),
        (["check", "dominoza", "x.jpg"], 2, "There is no game 'dominoza'; did you mean dominosa"),
        (["look"], 2, "No such command"),
    ],
)
def test_help_and_wrong_usage(arguments: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == code
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", "".join(capsys.readouterr())).split())
    assert re.search(told, words)


@pytest.mark.parametrize("command", ["check", "watch", "timer", "solve", "generate"])
def test_the_help_of_a_narrow_terminal_breaks_a_line_only_where_it_is_full(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run([command, "--help"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.split("╭")[0].splitlines()]
    for line, after in pairwise(lines):
        assert not line or not after or len(f"{line} {after.split()[0]}") > 76, line


@pytest.mark.parametrize(
    ("words", "told"), [("No port", "No port."), ("Odd.", "Odd."), ("Did you mean x?", "Did you mean x?")]
)
def test_a_complaint_is_one_sentence_with_one_end(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    complain(words)
    assert capsys.readouterr().err == f"pipsight: {told}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["read", "nowhere.jpg"], "nowhere.jpg does not exist."),
        (["read", "text.jpg"], "text.jpg is not a picture; pictures in JPEG, PNG, WebP, BMP and TIFF are read."),
        (["read", "empty.jpg", "--json"], "empty.jpg is empty."),
        (["read", "folder"], "the folder folder holds no pictures (.jpg, .png, .webp, .bmp, .tif)."),
        (["read", "nowhere.jpg", "--out", "text.jpg"], "--out text.jpg is a file, not a folder."),
        (["read", ""], "no picture is named: give the path of one, as table.jpg."),
        (["check", "mountains", ""], "no picture is named: give the path of one, as table.jpg."),
        (
            ["solve", "unmatched", "--problem", ""],
            "No problem is named: choose from 1 to 20, or give the path of a file.",
        ),
        (["check", "freecell", "x.jpg", "--problem", ""], "No problem is named: give the path of a file."),
        (["check", "mountains", "nowhere.jpg"], "nowhere.jpg does not exist."),
        (["check", "mountains", "folder"], "folder is a folder, not a picture."),
        (
            ["check", "dominosa", "nowhere.jpg", "--problem", "1", "--out", "x.txt"],
            "--out x.txt is neither a folder nor",
        ),
        (
            ["check", "dominosa", "nowhere.jpg", "--problem", "99"],
            "There is no problem 99 of Dominosa: choose from 1 to 20",
        ),
        (["check", "dominosa", "nowhere.jpg", "--problem", "bad.txt"], "bad.txt: line 2, column "),
    ],
)
def test_bad_input_ends_in_one_line_and_exit_4(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.jpg").write_text("two rows of dominoes\n" * 5)
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.txt").write_text("0 1 1\n0 x 1\n")
    assert run(arguments) == 4
    out, err = capsys.readouterr()
    assert err.startswith(f"pipsight: {told}")
    assert err.count("\n") == 1
    assert bool(out) == ("--json" in arguments)


def test_a_folder_without_pictures_keeps_no_picture_from_being_read(
    shown: Callable[[Scene], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, empty = shown(Scene((1280, 960))), tmp_path / "empty"
    empty.mkdir()
    assert run(["read", "--json", str(good), str(empty), str(good)]) == 4
    out, err = capsys.readouterr()
    assert ["error" in json.loads(line) for line in out.splitlines()] == [False, True, False]
    assert f"pipsight: the folder {empty} holds no pictures" in err


def test_the_exit_code_reaches_the_shell(tmp_path: Path) -> None:
    for arguments, code in (["--version"], 0), (["read"], 2), (["read", "nowhere.jpg"], 4):
        ended = subprocess.run(
            [sys.executable, "-m", "pipsight", *arguments], cwd=ROOT, capture_output=True, check=False
        )
        assert ended.returncode == code


@pytest.mark.skipif(os.name == "nt", reason="Windows says of a pipe that was closed that it is a bad argument")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("command", [["check", "dominosa", "mine.txt"], ["--help"]])
def test_a_verdict_that_nobody_reads_is_not_taken_for_another(
    command: list[str], buffered: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text(SQUARE)
    unread, pipe = os.pipe()
    os.close(unread)
    ended = subprocess.run(
        [sys.executable, "-m", "pipsight", *command],
        cwd=tmp_path,
        stdout=pipe,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": buffered},
    )
    os.close(pipe)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_terminal_without_unicode_is_no_obstacle() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "pipsight", "--help"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_typed_bytes_that_are_no_text_are_no_obstacle() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "pipsight", "timer", "bee", "--players", "2"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        input=b"1\xff2q",
        timeout=20,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"Player 2 claims" in ended.stdout


def test_the_help_waits_for_nothing_heavy() -> None:
    heavy = "{'cv2', 'numpy', 'vision'} & sys.modules.keys()"
    command = f"import sys; from pipsight.cli import run; run(['--help']); print({heavy})"
    ended = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.endswith("set()\n")


def test_a_bad_picture_does_not_keep_the_others_from_being_read(
    shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shown(seen(laid(Board.parse("2|4")), Eye()))
    assert run(["read", "--json", "nowhere.jpg", str(picture)]) == 4
    out, err = capsys.readouterr()
    bad, good = map(json.loads, out.splitlines())
    assert bad == {"image": "nowhere.jpg", "error": "nowhere.jpg does not exist", "tiles": []}
    assert good["image"] == str(picture)
    assert len(good["tiles"]) == 1
    assert err.splitlines() == ["1/2 nowhere.jpg", "pipsight: nowhere.jpg does not exist.", f"2/2 {picture}"]


def test_a_picture_without_dominoes_is_no_error(
    shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["read", str(shown(Scene((1280, 960))))]) == 0
    assert "no dominoes found" in capsys.readouterr().out


def test_the_reading_is_drawn_beside_the_picture(
    shown: Callable[[Scene], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shown(seen(laid(solution("mountains")), Eye()))
    assert run(["read", str(picture), "--out", str(tmp_path / "drawn")]) == 0
    drawn = tmp_path / "drawn" / "table.read.png"
    assert f"Drawn: {drawn}" in capsys.readouterr().out
    assert (load(drawn)[:960] != FRAME).any()
    assert (load(picture) == FRAME).all()


def test_a_solved_puzzle(shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]) -> None:
    picture = shown(seen(laid(solution("dominosa")), Eye(turn_deg=20)))
    assert run(["check", "dominosa", str(picture), "--problem", "1"]) == 0
    assert capsys.readouterr().out.startswith("Dominosa: solved.\n")


def test_another_problems_solution_is_not_a_solution(
    shown: Callable[[Scene], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shown(seen(laid(solution("dominosa", 1)), Eye()))
    faults = tmp_path / "faults.jpg"
    assert run(["check", "dominosa", str(picture), "--problem", "1", "--out", str(faults)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("Dominosa: not solved, ")
    assert f"Drawn: {faults}" in out
    assert load(faults).shape[0] > 960


def test_a_puzzle_of_ones_own(shown: Callable[[Scene], Path], tmp_path: Path) -> None:
    problem = tmp_path / "mine.txt"
    problem.write_text("0 0 1\n0 1 1\n")
    picture = str(shown(seen(laid(Board.parse("0|0 1\n    -\n0|1 1")), Eye())))
    assert run(["check", "dominosa", picture, "--problem", str(problem)]) == 0


def test_a_doubtful_tile_is_named_and_nothing_is_decided(
    shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    scene = seen(laid(solution("dominosa")), Eye())
    doubted = tuple(replace(tile, doubtful=not number) for number, tile in enumerate(scene.tiles))
    assert run(["check", "dominosa", str(shown(replace(scene, tiles=doubted))), "--problem", "1"]) == 3
    verdict, doubt = capsys.readouterr().out.splitlines()
    assert verdict == "Dominosa: undecided, 1 reading must be made sure first."
    assert re.search(r"the tile at rows? .*, columns? .* reads \d-\d", doubt)


def twin(scene: Scene, chance: float) -> Scene:
    """The scene with its second tile read as its first one, its own numbers only the second best."""
    first, own = scene.tiles[0].pips, scene.tiles[1].pips
    rows = []
    for taken, true in zip(first, own, strict=True):
        row = np.zeros(13)
        row[true], row[taken] = 1 - chance, row[taken] + chance
        rows.append(row / row.sum())
    head, tail = (tuple(float(c) for c in row) for row in rows)
    confidence = head[first[0]] * tail[first[1]]
    told = replace(scene.tiles[1], pips=first, likelihoods=(head, tail), confidence=confidence)
    return replace(scene, tiles=(scene.tiles[0], told, *scene.tiles[2:]))


@pytest.mark.parametrize(("chance", "code"), [(0.7, 0), (1.0, 1)])
def test_the_set_that_a_game_promises_mends_a_weak_reading_and_no_certain_one(
    chance: float, code: int, shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shown(twin(seen(laid(solution("dominosa")), Eye()), chance))
    assert run(["check", "dominosa", str(picture), "--problem", "1"]) == code
    assert ("is there twice" in capsys.readouterr().out) == bool(code)


def test_read_knows_of_a_set_only_if_it_is_told(
    shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    scene = twin(seen(laid(solution("dominosa")), Eye()), 0.7)
    picture = str(shown(scene))
    for arguments, pips in ([], scene.tiles[0].pips), (["--set", "6"], solution_of(scene)):
        assert run(["read", "--json", picture, *arguments]) == 0
        told = json.loads(capsys.readouterr().out)["tiles"][1]
        assert tuple(told["pips"]) == pips
        assert ("changed_from" in told) == bool(arguments)


def solution_of(scene: Scene) -> tuple[int, int]:
    """What the second tile reads where its best reading is another tile's."""
    head, tail = (int(np.argmin(np.where(np.array(row) > 0, row, 9))) for row in scene.tiles[1].likelihoods)
    return head, tail


def test_an_empty_table_solves_nothing(shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "mountains", str(shown(Scene((1280, 960))))]) == 1
    assert "If there are dominoes" in capsys.readouterr().out


SQUARE = """\
0|0 1
    -
1|1 0
"""


@pytest.mark.parametrize(
    ("game", "text", "code", "told"),
    [
        ("dominosa", SQUARE, 0, "Dominosa: solved."),
        (
            "dominosa",
            SQUARE.replace("0|0", "1|1"),
            1,
            "  - The 1-1 is there twice: at row 1, columns 1 and 2 and at row 2",
        ),
        ("unmatched", "0|1 2|3", 0, "Unmatched Donimoes: solved."),
        ("adding", "2|3 3|4", 3, "  ? A board alone does not tell whether its queue is used up: name the problem."),
        ("adding", "2|3 3|4\n===\n", 0, "Adding Donimoes: solved."),
        ("adding", "2|3 3|4\n===\n4\n-\n5", 1, "  - The 4-5 is missing."),
        ("finder", "players: 2", 1, "  - The game is not over."),
        ("dominosa", "", 4, "mine.txt holds no domino: give a board, as 2|4 in a line, or a picture."),
        ("fujisan", "0|1", 4, "12 upright dominoes side by side are a mountain"),
        ("all_fives", "0|1 1|2", 4, "'0|1 1|2' is not understood; a line is like 'player 1: 64 31'."),
        ("unmatched", "0|1 " * 137, 4, "mine.txt holds 137 dominoes: no set has more than 136."),
        ("cobra_paw", "players: 2", 1, "  - The game is not over."),
        ("all_fives", "player 1: 64\nline: 63", 1, "All Fives: not solved, 1 fault.\n  - The game is not over."),
    ],
)
def test_a_board_in_text_is_judged_as_one_on_a_picture(
    game: str, text: str, code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text(text)
    assert run(["check", game, str(mine)]) == code
    said = capsys.readouterr()
    assert told in said.out + said.err
    assert run(["check", game, str(tmp_path / "none.txt")]) == 4
    assert capsys.readouterr().err == f"pipsight: there is no file {tmp_path / 'none.txt'}.\n"
    assert run(["check", game, str(mine), "--out", str(tmp_path / "drawn")]) == 2
    assert not (tmp_path / "drawn").exists()


def test_a_picture_that_shows_too_little_decides_nothing(
    shown: Callable[[Scene], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "mountains", str(shown(Scene((1280, 960), advice=("Give more light.",))))]) == 3
    out = capsys.readouterr().out
    assert out.startswith("Mountains and Valleys: undecided.")
    assert out.endswith("Give more light.\n")


@pytest.mark.parametrize(
    ("advice", "missing", "code"), [((), 9, 1), (("Come nearer.",), 9, 3), (("Come nearer.",), 0, 1)]
)
def test_what_lacks_on_a_picture_that_shows_too_little_decides_nothing(
    advice: tuple[str, ...],
    missing: int,
    code: int,
    shown: Callable[[Scene], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    scene = twin(seen(laid(solution("mountains")), Eye()), 1.0)
    picture = shown(replace(scene, tiles=scene.tiles[: len(scene.tiles) - missing], advice=advice))
    assert run(["check", "mountains", str(picture)]) == code
    out = capsys.readouterr().out
    assert ("  ? The picture shows too little to be sure of what looks wrong.\n" in out) == (code == 3)
    assert f"  {'?' if code == 3 else '-'} The " in out


def test_without_anywhere_to_complain_a_hint_is_given_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pipsight", "hint", "unmatched", "--problem", "5"])
    monkeypatch.setattr("sys.stderr", None)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert "moves from here will do" in capsys.readouterr().out


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (KeyError("unheard of"), 70)])
def test_whatever_happens_nothing_is_left_half_done(
    error: BaseException, code: int, shown: Callable[[Scene], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = shown(seen(laid(Board.parse("2|4")), Eye()))

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("vision.overlay.draw_reading", fail)
    assert run(["read", str(picture), "--out", str(tmp_path / "drawn")]) == code
    assert list((tmp_path / "drawn").iterdir()) == []


def test_ctrl_c_while_a_library_is_loaded_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as pressed:
            raise ImportError("initialization failed") from pressed  # as onnxruntime's own module does

    monkeypatch.setattr("pipsight.cli.app", load)
    assert run([]) == 130
    assert capsys.readouterr().err == ""


def test_a_system_library_that_lacks_is_named(
    shown: Callable[[Scene], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shown(Scene((1280, 960)))

    def lacking(*_: object, **__: object) -> None:
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr("vision.reader.Reader", lacking)
    assert run(["read", str(picture)]) == 4
    assert "on Debian or Ubuntu apt-get install libgl1" in capsys.readouterr().err
