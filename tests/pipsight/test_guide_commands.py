"""`pipsight calibrate`: the sheet, the table from a folder of pictures, and what is kept when it is stopped."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest

from calibration.plane import Plane
from calibration.steadiness import Steadiness
from calibration.store import load, save
from pipsight.cameras import FILE_ANEW, camera_file, camera_id, known_lines, plane_lines, settled
from pipsight.cli import run
from pipsight.wizards.preview import Preview
from tests.calibration.staging import frame
from tests.pipsight.wizard_films import lens_film, table_film
from vision.camera import Frame

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def film(tmp_path: Path) -> str:
    """A video of the sheet lying on the table."""
    return str(table_film(tmp_path / "table.avi"))


def test_the_sheet_is_written_for_paper_and_for_a_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "target", "--paper", "letter", "--out", str(tmp_path / "out")]) == 0
    assert "the ruler: it should be 200 mm" in capsys.readouterr().out
    assert (
        run(["calibrate", "target", "--screen", "1920x1080", "--diagonal", "24", "--out", str(tmp_path / "out")]) == 0
    )
    assert "--ruler 221.4" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "pipsight-sheet-1920x1080.png",
        *(f"pipsight-{name}-letter.{form}" for name in ("sheet", "tags") for form in ("pdf", "png", "svg")),
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--screen", "99999999x99999999"], 2, "a screen has 200 to 16384 pixels each way, not 99999999x99999999"),
        (["--screen", "10x1080"], 2, "a screen has 200 to 16384 pixels each way, not 10x1080"),
        (["--screen", f"{'9' * 400}x2"], 2, "give two numbers as 600x400"),
        (["--screen", "1920x1080", "--diagonal", "inf"], 2, "Invalid value for '--diagonal'"),
        (["--diagonal", "24"], 2, "it is that of a screen: add --screen, as 1920x1080"),
        (["--out", "note.txt"], 4, "pipsight: --out note.txt is a file, not a folder."),
    ],
)
def test_a_sheet_that_cannot_be_made_is_refused_and_nothing_written(
    arguments: list[str],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text("mine", encoding="utf-8")
    assert run(["calibrate", "target", *arguments]) == code
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["table", "--area", "999999x300"], "a table has at most 20000 mm each way, not 999999x300"),
        (["table", "--tile", "1e9"], "Invalid value for '--tile'"),
        (["table", "--ruler", "inf"], "Invalid value for '--ruler': a ruler is 30 to 2000 millimetres long, not inf"),
        (["table", "--seats", "bottom,top,bottom"], "one player sits at each side: name bottom once"),
        (["table", "--ruler", "20"], "a ruler is 30 to 2000 millimetres long, not 20"),
        (["set", "mine", "nowhere.jpg", "--length", "inf"], "Invalid value for '--length'"),
        (["set", "mine", "nowhere.jpg", "--highest", "7"], "'7' is not one of '6', '9', '12'"),
    ],
)
def test_no_table_and_no_tile_is_larger_than_any_and_no_side_has_two_players(
    command: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", *command]) == 2
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.parametrize(
    "command",
    [
        ["calibrate", "lens", "--camera", "nowhere"],
        ["calibrate", "table", "--camera", "nowhere"],
        ["calibrate", "set", "mine", "nowhere.jpg"],
        ["hardware", "place", "--port", "fake://", "--camera", "nowhere"],
    ],
)
def test_where_nothing_can_be_kept_nobody_holds_the_sheet_up_in_vain(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "file"))
    assert run(command) == 4
    assert capsys.readouterr().err.startswith(f"pipsight: nothing can be kept in {tmp_path / 'file' / 'data'}")


def test_a_camera_of_a_long_name_has_a_file_that_can_be_written() -> None:
    place = camera_file("0", "the camera over the table " * 20)
    assert len(place.name) < 100
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("", encoding="utf-8")


def test_the_lens_is_found_kept_and_told_in_place_of_a_file_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = str(lens_film(tmp_path / "lens.avi"))
    camera_file(held).parent.mkdir(parents=True)
    camera_file(held).write_text("version = 99\n# the end: a file without this line was cut off\n", encoding="utf-8")
    assert run(["calibrate", "lens", "--camera", held]) == 0
    out, err = capsys.readouterr()
    assert "version 99 was written by a newer pipsight" in err
    assert f"Kept: {camera_file(held)}\n{FILE_ANEW}\n" in out
    assert "adds at most about 0." in out
    assert "by itself" not in out
    assert "Taken. (7 views" in err
    lens = load(camera_file(held)).lens
    assert lens is not None
    assert lens.rms_px < 0.3


@pytest.mark.parametrize(("live", "warned"), [(True, 1), (False, 0)])
def test_only_a_live_camera_is_said_to_change_its_focus(live: bool, warned: int) -> None:
    seen, held = Steadiness(), list[str]()
    blurred = np.asarray(cv2.GaussianBlur(frame(), (0, 0), 2.5), np.uint8)
    frames = (Frame(blurred if k > 25 else frame(), k / 10) for k in range(45))
    assert len(list(settled(frames, partial(held.append, "kept") if live else None, seen))) == 45
    assert ["focuses by itself" in words for words in seen.warnings()] == [True] * warned
    assert held == ["kept"] * live


def test_the_table_is_found_kept_and_told(film: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film, "--area", "300x200", "--seats", "top,bottom"]) == 0
    out = capsys.readouterr().out
    assert "the play area is 300 by 200 mm" in out
    assert "  players sit at the top and bottom of the picture\n" in out
    assert "The lens is not calibrated" in out
    kept = load(camera_file(film), camera_id(film), (640, 360))
    assert kept.lens is None
    assert kept.plane is not None
    assert kept.plane.seats == ("top", "bottom")


@pytest.mark.parametrize("named", [["--seats", "left"], []])
def test_seats_that_are_not_named_once_more_are_said_to_be_forgotten(
    named: list[str], film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "table", "--camera", film, "--seats", "top,bottom"]) == 0
    assert "before" not in capsys.readouterr().out
    assert run(["calibrate", "table", "--camera", film, *named]) == 0
    told = "Players were told to sit at the top and bottom of the picture before: name the seats once more"
    assert (told in capsys.readouterr().out) == (not named)


@pytest.mark.parametrize("called", ["desk", None])
def test_a_table_that_is_kept_under_another_name_is_said_not_to_be_this_cameras(
    called: str | None, film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "table", "--camera", film, "--name", called or camera_id(film)]) == 0
    told = f"the camera that it knows as desk, and knows this one as {camera_id(film)}: leave --name out for it."
    assert (told in capsys.readouterr().out) == bool(called)


def test_a_ruler_of_188_mm_makes_the_table_smaller_and_is_told(film: str, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for ruler in ("200", "188", "188,0"):
        assert run(["calibrate", "table", "--camera", film, "--ruler", ruler]) == 0
        plane = load(camera_file(film)).plane
        assert plane is not None
        sizes.append(max(x for x, _ in plane.area_mm) - min(x for x, _ in plane.area_mm))
    assert sizes[1] / sizes[0] == pytest.approx(0.94, abs=0.003)
    assert sizes[2] == sizes[1]
    told = "The sheet is at 94% of its size; its squares count as 23.50 mm, its tags as 37.60 mm."
    assert told in capsys.readouterr().err


class Typed(StringIO):
    """A terminal at which this is typed."""

    def isatty(self) -> bool:
        return True


def test_a_ruler_that_cannot_be_is_asked_for_again(
    film: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("0\nnan\n20\n20 cm\n188\n"))
    assert run(["calibrate", "table", "--camera", film]) == 0
    out, err = capsys.readouterr()
    for typed in ("0", "nan", "20", "20 cm"):
        assert f"a ruler is 30 to 2000 millimetres long, not {typed}\n" in out + err
    assert "its squares count as 23.50 mm" in err


def test_whoever_leaves_at_a_question_hears_that_nothing_changed(
    film: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(""))
    assert run(["calibrate", "table", "--camera", film]) == 130
    assert capsys.readouterr().err.endswith("\npipsight: stopped, and what was known before is kept.\n")
    assert not camera_file(film).exists()


@pytest.mark.parametrize("wizard", ["lens", "table"])
def test_whoever_presses_ctrl_c_before_the_end_hears_that_nothing_changed(
    wizard: str, film: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipsight.commands.calibrating._followed", pressed)
    assert run(["calibrate", wizard, "--camera", film]) == 130
    assert capsys.readouterr().err.endswith("\npipsight: stopped, and what was known before is kept.\n")
    assert not camera_file(film).exists()


def test_stopping_half_way_keeps_what_was_known(film: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film]) == 0
    before = camera_file(film).read_bytes()
    assert run(["calibrate", "lens", "--camera", film]) == 3
    assert "what was known before is kept" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    cv2.imwrite(str(empty / "a.png"), frame())
    assert run(["calibrate", "table", "--camera", str(empty), "--name", camera_id(film)]) == 3
    assert camera_file(film).read_bytes() == before


def test_a_film_that_ends_too_soon_is_said_to_with_what_it_lacked(
    film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "lens", "--camera", film]) == 3
    err = capsys.readouterr().err
    assert "  Taken. (1 view, " in err
    assert err.endswith(
        "is kept: the pictures ended too soon. Bring the sheet into the outline, the dot at its first"
        " corner, and hold it still.\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("# the end: a file without this line was cut off", "", "the file is cut off here"),
        ("640, 360]", "640, 480]", "another shape of picture"),
        ("id = ", 'id = "elsewhere"  # ', "is of the camera elsewhere, not of"),
    ],
)
def test_the_table_is_kept_in_place_of_a_file_that_cannot_be_used(
    old: str, new: str, why: str, film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "table", "--camera", film]) == 0
    assert FILE_ANEW not in capsys.readouterr().out
    whole = camera_file(film).read_text(encoding="utf-8")
    assert old in whole
    camera_file(film).write_text(whole.replace(old, new), encoding="utf-8")
    assert run(["calibrate", "table", "--camera", film]) == 0
    out, err = capsys.readouterr()
    assert why in err
    assert FILE_ANEW in out
    assert load(camera_file(film), size_px=(640, 360)).plane


@pytest.mark.parametrize("known", [True, False])
def test_a_tile_has_millimetres_only_where_somebody_told_its_length(known: bool) -> None:
    plane = Plane(((0.5, 0, 0), (0, 0.5, 0), (0, 0, 1)), ((0, 0), (600, 0), (600, 400), (0, 400)), scale_known=known)
    told = "\n".join(plane_lines(plane, None, (1280, 960)))
    assert ("a tile of 48 mm is 96 pixels long" in told) == known
    assert ("a tile is 96 pixels long" in told) != known


def test_a_tile_of_another_length_is_as_long_in_pixels_where_the_table_is_told_as_in_the_advice(
    film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "table", "--camera", film, "--tile", "38.5"]) == 0
    told = re.findall(r"a tile of 38\.5 mm is (\d+) pixels|tiles would be (\d+) pixels", capsys.readouterr().out)
    assert len(told) == 2
    assert len({here or there for here, there in told}) == 1


@pytest.mark.parametrize("words", [["--area", "60"], ["--seats", "below"], ["--by", "tiles", "--ruler", "188"]])
def test_a_wish_that_cannot_be_is_a_wrong_usage(words: list[str], film: str) -> None:
    assert run(["calibrate", "table", "--camera", film, *words]) == 2


def test_cameras_have_names_that_files_can_have() -> None:
    assert camera_file("0").name == "camera-0.toml"
    assert re.fullmatch(
        r"http-10\.0\.0\.7-8080-video-[0-9a-f]{8}\.toml", camera_file("http://10.0.0.7:8080/video").name
    )
    assert camera_file("http://admin:S3cret@10.0.0.7:8080/video") == camera_file("http://10.0.0.7:8080/video")
    assert camera_file("0", "lamp-arm").name == "lamp-arm.toml"
    assert camera_file("page-1f2e3d4c").name == "page-1f2e3d4c.toml"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a/film.avi",), ("b/film.avi",)),
        (("a",), ("b/a",)),
        (("http://cam/a?b",), ("http://cam/a-b",)),
        ((f"rtsp://cam/{'x' * 90}&subtype=0",), (f"rtsp://cam/{'x' * 90}&subtype=1",)),
        (("0", "lamp arm"), ("0", "lamp-arm")),
    ],
)
def test_no_two_cameras_share_a_file(
    one: tuple[str, ...], other: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for film in ("a/film.avi", "b/film.avi", "b/a/film.avi"):
        Path(film).parent.mkdir(parents=True, exist_ok=True)
        Path(film).touch()
    assert camera_file(*one) != camera_file(*other)
    assert camera_file("a/film.avi") == camera_file(str(tmp_path / "a" / "film.avi"))


@pytest.mark.parametrize("words", [["lens"], ["table"], ["set", "grandma"]])
def test_a_pages_camera_is_said_to_be_calibrated_on_the_page(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", *words, "--camera", "page"]) == 2
    assert "calibrated on that page" in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.parametrize("name", ["", " ", ".", "-"])
def test_a_name_without_a_letter_is_refused(name: str, film: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film, "--name", name]) == 2
    assert "Invalid value for '--name': a name has letters or digits" in capsys.readouterr().err


def test_a_file_of_a_name_that_cameras_share_is_used_and_said_until_a_new_one_is_kept(
    film: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "table", "--camera", film]) == 0
    older = camera_file(film).with_name("table.toml")
    save(older, replace(load(camera_file(film)), id="table"))
    camera_file(film).unlink()
    told = f"{older} may be of another camera that is called so: if it is, calibrate this one too."
    assert tuple(known_lines(film))[1::2] == ("The table is known.", told)
    assert run(["calibrate", "table", "--camera", film]) == 0
    assert told in capsys.readouterr().err
    assert load(camera_file(film)).id == camera_id(film)
    assert told not in tuple(known_lines(film))


@pytest.mark.parametrize("header", [("Host", "elsewhere.example"), ("Origin", "http://elsewhere.example")])
def test_another_sites_page_sees_no_preview(header: tuple[str, str]) -> None:
    with Preview() as page, pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{page.address}frames", headers=dict([header])), timeout=5)
    assert refused.value.code == 403
    refused.value.close()


def test_the_preview_shows_the_newest_picture() -> None:
    with Preview() as page:
        with urlopen(page.address, timeout=5) as answer:
            assert b"<img src=frames" in answer.read()
        page.show(b"picture one")
        with urlopen(f"{page.address}frames", timeout=5) as stream:
            lines = [stream.readline().strip() for _ in range(5)]
    assert lines == [b"--frame", b"Content-Type: image/jpeg", b"Content-Length: 11", b"", b"picture one"]
