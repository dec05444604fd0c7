"""The sets that are kept: listed, shown, shared, forgotten; and the command that teaches one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer

from calibration.lens import Image
from calibration.sighting import turned_back
from calibration.store import CameraCalibration, as_text
from calibration.store import save as keep_camera
from calibration.tileset_file import load, save
from pipsight.calling import table_call
from pipsight.cameras import camera_file, camera_id
from pipsight.cli import run
from pipsight.commands.set_teaching import Terminal, _lay_out
from pipsight.sets import TAUGHT_ANEW, set_file, taught_names, taught_set
from pipsight.teaching import Question, Taught
from rules.board import Board
from rules.domino import Domino
from tests.calibration.flat import SETS, learnt
from training.odd_tables import laid_out
from training.render import staged
from training.samples import laid
from vision.camera import Frame, PushedCamera
from vision.picture import load as load_picture
from vision.scene import Scene, TileDetection

pytestmark = pytest.mark.needs("cv2")

STARS = learnt(SETS["stars"])


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "home"))


def test_a_kept_set_is_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sets", "list"]) == 0
    assert "No set was taught yet" in capsys.readouterr().out
    save(set_file("stars"), replace(STARS, missing=("42",)))
    assert run(["sets", "list"]) == 0
    assert "stars: double-6" in capsys.readouterr().out
    assert run(["sets", "show", "stars"]) == 0
    shown = capsys.readouterr().out
    assert "48 mm long" in shown
    assert "lacks 4-2" in shown
    assert "###" in shown


def test_a_set_whose_file_is_damaged_hides_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    save(set_file("stars"), STARS)
    set_file("broken").write_text("zzz", encoding="utf-8")
    (set_file("stars").parent / "a+b.toml").write_text("", encoding="utf-8")
    assert run(["sets", "list"]) == 4
    out, err = capsys.readouterr()
    assert out.startswith("stars: double-6")
    assert "put it right or teach the set again.\n" in err
    assert "'a+b' cannot name a set" in err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xd8", "it is no text: name a file that pipsight sets export wrote"),
        (
            as_text(CameraCalibration("a", (640, 480), datetime(2026, 1, 31, tzinfo=UTC))).encode(),
            "is no set of dominoes",
        ),
    ],
)
def test_what_is_no_set_is_not_taken_in(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.toml").write_bytes(content)
    assert run(["sets", "import", str(tmp_path / "in.toml")]) == 4
    assert told in capsys.readouterr().err


def test_a_set_is_called_as_its_file_is(capsys: pytest.CaptureFixture[str]) -> None:
    save(set_file("stars"), STARS)
    set_file("stars").rename(set_file("night"))
    assert run(["sets", "show", "night"]) == 0
    assert capsys.readouterr().out.startswith("night: double-6")


def test_a_set_goes_out_and_comes_back_under_another_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(set_file("stars"), STARS)
    assert run(["sets", "export", "stars", str(tmp_path / "out.toml")]) == 0
    assert run(["sets", "import", str(tmp_path / "out.toml")]) == 4
    assert "another --name" in capsys.readouterr().err
    assert run(["sets", "import", str(tmp_path / "out.toml"), "--name", "night"]) == 0
    assert taught_set("night") == replace(STARS, name="night")
    assert run(["sets", "forget", "stars"]) == 0
    assert taught_names() == ["night"]


def test_a_set_is_written_over_an_older_one_and_over_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(set_file("stars"), STARS)
    assert [run(["sets", "export", "stars", str(tmp_path / "out.toml")]) for _ in range(2)] == [0, 0]
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"a photograph")
    assert run(["sets", "export", "stars", str(photo)]) == 4
    assert f"{photo} is there already, and is no set: choose another name." in capsys.readouterr().err
    assert photo.read_bytes() == b"a photograph"


@pytest.mark.parametrize("verb", ["show", "forget"])
def test_an_unknown_set_is_said_with_those_that_there_are(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    save(set_file("stars"), STARS)
    assert run(["sets", verb, "moons"]) == 4
    assert "there are: stars" in capsys.readouterr().err
    assert run(["sets", verb, "bright moons"]) == 4
    assert re.search("""pipsight calibrate set (['"])bright moons\\1 teaches it""", capsys.readouterr().err)


@pytest.mark.parametrize("name", ["../stars", "", "a/b", ".hidden", "ends."])
def test_names_that_no_file_can_have(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sets", "show", name]) == 4
    assert "cannot name a set" in capsys.readouterr().err


def test_a_picture_read_with_a_set_that_nobody_taught(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "sample_images/loose.jpg", "--taught", "moons"]) == 4
    assert "no set moons was taught" in capsys.readouterr().err


def photographed(folder: Path) -> list[str]:
    """Two pictures that show a whole set."""
    pictures = []
    for number, (image, _) in enumerate(laid_out(SETS["stars"], 5)):
        pictures.append(str(folder / f"{number}.png"))
        cv2.imwrite(pictures[-1], image)
    return pictures


def test_the_wizard_at_a_terminal_where_nobody_sits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = photographed(tmp_path)
    assert run(["calibrate", "set", "stars", *pictures, "--highest", "6", "--length", "51", "--test", pictures[0]]) == 0
    told = capsys.readouterr().out
    assert "28 tiles found; a double-six set has 28." in told
    assert "On the fresh picture, before: " in told
    assert " of 14 right" in told
    assert TAUGHT_ANEW not in told
    assert load(set_file("stars")).length_mm == 51
    assert run(["read", pictures[1], "--taught", "stars", "--json"]) == 0
    assert '"set": "stars"' in capsys.readouterr().out


BOARD = """\
0|1 2|5

4 5|6 1
-     -
2 3|3 4
"""


def test_a_puzzle_on_a_picture_is_read_by_the_set_that_it_is_laid_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd, table = SETS["polygons"], str(tmp_path / "table.png")
    save(set_file("polygons"), learnt(odd))
    tiles = laid(Board.parse(BOARD), np.random.default_rng(1))
    shown, _ = staged(tiles, odd.style, np.random.default_rng(4), 640, 480, half_px=60, front=odd.face)
    cv2.imwrite(table, shown)
    for command in ("moves", "hint", "solve", "check"):
        assert run([command, "unmatched", table, "--taught", "polygons"]) == 0
    assert run(["suggest", "unmatched", table, "--taught", "polygons"]) == 3  # it is solved
    assert "Unmatched Donimoes: 4 legal moves." in capsys.readouterr().out
    assert run(["moves", "unmatched", table]) == 4  # as the networks usually see it


@pytest.mark.parametrize(("command", "exit_code"), [("moves", 4), ("suggest", 4), ("check", 2)])
def test_a_taught_set_is_for_pictures(
    command: str, exit_code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(BOARD, encoding="utf-8")
    assert run([command, "unmatched", str(board), "--taught", "polygons"]) == exit_code
    assert "leave it out" in capsys.readouterr().err


def test_a_set_that_is_taught_again_is_told_to_replace_the_old_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pipsight.teaching.teach", lambda *_: Taught(STARS, (), 0))
    told = []
    for _ in range(2):
        assert run(["calibrate", "set", "stars", "sample_images/loose.jpg"]) == 0
        told.append(capsys.readouterr().out)
    assert [f"Kept: {set_file('stars')}\n{TAUGHT_ANEW}\n" in one for one in told] == [False, True]


def test_stopping_half_way_keeps_the_old_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(set_file("stars"), STARS)
    (tmp_path / "empty.png").write_bytes(b"")
    assert run(["calibrate", "set", "stars", str(tmp_path / "empty.png")]) == 4
    assert taught_set("stars") == STARS


def test_a_folder_gives_one_picture_after_the_other_and_the_third_as_the_fresh_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = photographed(tmp_path)
    assert run(["calibrate", "set", "stars", "--camera", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "28 tiles found; a double-six set has 28." in told
    assert "twice" not in told
    assert "fresh picture" not in told
    (tmp_path / "2.png").write_bytes(Path(pictures[1]).read_bytes())
    assert run(["calibrate", "set", "stars", "--camera", str(tmp_path)]) == 0
    assert "On the fresh picture, before: " in capsys.readouterr().out


class Mirror(PushedCamera):
    """A camera that shows left as right, and is dark until it has found its exposure."""

    def __iter__(self) -> Iterator[Frame]:
        lit = turned_back(load_picture("sample_images/loose.jpg"))
        return (Frame(lit.copy() if time_s > 1 else np.zeros_like(lit), time_s) for time_s in np.arange(0.0, 9.0, 0.1))


def test_a_camera_has_found_its_exposure_and_is_turned_back_as_when_it_watches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = list[Image]()

    def teach(pictures: Iterable[Image], *_: object) -> Taught:
        seen.extend(pictures)
        return Taught(STARS, (), 0)

    monkeypatch.setattr("vision.camera.open_camera", Mirror)
    monkeypatch.setattr("pipsight.teaching.teach", teach)
    made = datetime(2026, 1, 31, tzinfo=UTC)
    keep_camera(camera_file("0"), CameraCalibration(camera_id("0"), (1280, 960), made, mirrored=True))
    assert run(["calibrate", "set", "stars", "--camera", "0"]) == 0
    assert "Kept" in capsys.readouterr().out
    loose = load_picture("sample_images/loose.jpg")
    assert [bool((one == loose).all()) for one in seen] == [True, True]


@pytest.mark.parametrize("examined", [["--camera", "/nowhere"], ["--test", "/nowhere.jpg"]])
def test_nothing_is_kept_where_the_fresh_picture_cannot_be_had(
    examined: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "set", "stars", *photographed(tmp_path), "--highest", "6", *examined]) == 4
    told = capsys.readouterr()
    assert "/nowhere" in told.err
    assert "Kept" not in told.out
    assert not taught_names()


def test_a_camera_that_is_gone_after_the_lesson_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = photographed(tmp_path)

    class Silent(PushedCamera):
        def __init__(self, _: str) -> None:
            super().__init__("the camera", silence_s=0.01)

    monkeypatch.setattr("vision.camera.open_camera", Silent)
    assert run(["calibrate", "set", "stars", *pictures, "--highest", "6", "--camera", "0"]) == 0
    assert "It was not examined on a fresh picture: the camera has sent no picture" in capsys.readouterr().out
    assert taught_names() == ["stars"]


@pytest.mark.parametrize(
    ("taught", "told"), [(True, "not examined on a fresh picture: that was stopped."), (False, "stopped, and what was")]
)
def test_whoever_leaves_at_a_question_hears_what_is_kept(
    taught: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def left(*_: object) -> Iterator[object]:
        yield from ()
        raise typer.Abort

    monkeypatch.setattr("pipsight.commands.set_teaching._taken", left)
    monkeypatch.setattr("vision.camera.open_camera", PushedCamera)
    if taught:
        monkeypatch.setattr("pipsight.teaching.teach", lambda *_: Taught(STARS, (), 0))
    assert run(["calibrate", "set", "stars", "--camera", "0"]) == 130
    out, err = capsys.readouterr()
    assert told in out + err
    assert taught_names() == ["stars"] * taught


def test_a_set_needs_pictures_or_a_camera() -> None:
    assert run(["calibrate", "set", "stars"]) == 2


@pytest.mark.parametrize(("learnt", "told"), [(True, "that was stopped."), (False, "stopped, and what was known")])
def test_whoever_presses_ctrl_c_in_the_midst_of_learning_hears_what_is_kept(
    learnt: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(*_: object) -> Taught:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipsight.teaching.teach", lambda *_: Taught(STARS, (), 0) if learnt else pressed())
    monkeypatch.setattr("pipsight.teaching.examine", pressed)
    picture = "sample_images/loose.jpg"
    assert run(["calibrate", "set", "stars", picture, "--test", picture]) == 130
    out, err = capsys.readouterr()
    assert told in out + err
    assert taught_names() == ["stars"] * learnt


@pytest.mark.parametrize(
    ("pictures", "told"),
    [
        (
            ["a.jpg", "b.jpg", "c.jpg"],
            "a set is learnt from one or two pictures, not 3: a further one may be its --test",
        ),
        (["a.jpg", "./a.jpg"], "a.jpg is named twice: name it once"),
    ],
)
def test_a_set_is_learnt_from_one_picture_or_from_two_different_ones(
    pictures: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "set", "stars", *pictures]) == 2
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_an_empty_table_has_nothing_to_report() -> None:
    assert list(table_call(Scene((640, 480)), [STARS])) == []


@pytest.mark.parametrize(
    ("typed", "pips"), [("42\n", (4, 2)), ("4-2\n", (4, 2)), ("4 2\n", (4, 2)), ("\n", None), ("77\nx\n10\n", (1, 0))]
)
def test_what_is_typed_at_a_question(typed: str, pips: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = iter(typed.splitlines())
    monkeypatch.setattr("pipsight.commands.set_teaching.typer.prompt", lambda *_, **__: next(answers))
    assert Terminal(tmp_path, 6)._typed() == pips


@pytest.mark.parametrize(
    ("guesses", "told"),
    [(((7, 0), (4, 2), (10, 0), (6, 6)), ".jpg? It looks like 42, 66.\n"), (((7, 7), (9, 7)), ".jpg?\n")],
)
def test_no_tile_is_said_to_look_like_one_that_its_set_never_has(
    guesses: tuple[tuple[int, int], ...],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    frame = np.zeros((90, 120, 3), np.uint8)
    tile = TileDetection(((10, 10), (10, 30), (50, 30), (50, 10)), ((20, 20), (40, 20)), (7, 0), 0.4)
    dominoes = tuple(Domino.of(*pips) for pips in guesses)
    assert Terminal(tmp_path, 6).which(Question(1, 0, frame, tile, frame, dominoes)) is None
    assert told in capsys.readouterr().out


def test_a_question_shows_no_sign_that_nobody_has_to_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("\n\n\n"))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    asks = Terminal(tmp_path, 6)
    assert (asks._typed(), asks.lacking([Domino.of(4, 2)])) == (None, ())
    _lay_out("a fresh picture")
    out = capsys.readouterr().out
    assert out.count(": ") == 4
    assert "[" not in out


@pytest.mark.parametrize(
    ("typed", "lacks"),
    [
        ("\n", ()),
        ("24 55\n", ("42", "55")),
        ("4|2, 5-5\n", ("42", "55")),
        ("all\n55\n", ("55",)),
        ("42 66\n42\n", ("42",)),
    ],
)
def test_what_a_set_lacks_is_asked_for_again_until_all_that_is_typed_was_not_seen(
    typed: str, lacks: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = iter(typed.splitlines())
    monkeypatch.setattr("pipsight.commands.set_teaching.typer.prompt", lambda *_, **__: next(answers))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    unseen = [Domino.of(4, 2), Domino.of(5, 5), Domino.of(1, 1)]
    assert tuple(map(str, Terminal(tmp_path, 6).lacking(unseen))) == lacks
    assert not list(answers)
