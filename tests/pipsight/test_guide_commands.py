"""`pipsight calibrate`: the sheet, the table from a folder of pictures, and what is kept when it is stopped."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from calibration.store import load
from pipsight.cameras import camera_file
from pipsight.cli import run
from pipsight.wizards.preview import Preview
from tests.calibration.staging import frame
from tests.pipsight.wizard_films import lens_film, table_film

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
        (["table", "--ruler", "inf"], "Invalid value for '--ruler'"),
        (["set", "mine", "nowhere.jpg", "--length", "inf"], "Invalid value for '--length'"),
    ],
)
def test_no_table_and_no_tile_is_larger_than_any(
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


def test_the_lens_is_found_kept_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = str(lens_film(tmp_path / "lens.avi"))
    assert run(["calibrate", "lens", "--camera", held]) == 0
    out, err = capsys.readouterr()
    assert f"Kept: {camera_file(held)}" in out
    assert "adds at most about 0." in out
    assert "Taken. (7 views" in err
    lens = load(camera_file(held)).lens
    assert lens is not None
    assert lens.rms_px < 0.3


def test_the_table_is_found_kept_and_told(film: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film, "--area", "300x200", "--seats", "top,bottom"]) == 0
    out = capsys.readouterr().out
    assert "the play area is 300 by 200 mm" in out
    assert "The lens is not calibrated" in out
    kept = load(camera_file(film), "table", (640, 360))
    assert kept.lens is None
    assert kept.plane is not None
    assert kept.plane.seats == ("bottom", "top")


def test_a_ruler_of_188_mm_makes_the_table_smaller_and_is_told(film: str, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for ruler in ("200", "188"):
        assert run(["calibrate", "table", "--camera", film, "--ruler", ruler]) == 0
        plane = load(camera_file(film)).plane
        assert plane is not None
        sizes.append(max(x for x, _ in plane.area_mm) - min(x for x, _ in plane.area_mm))
    assert sizes[1] / sizes[0] == pytest.approx(0.94, abs=0.003)
    assert "The sheet is at 94% of its size; its squares count as 23.50 mm." in capsys.readouterr().err


def test_stopping_half_way_keeps_what_was_known(film: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film]) == 0
    before = camera_file(film).read_bytes()
    assert run(["calibrate", "lens", "--camera", film]) == 3
    assert "what was known before is kept" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    cv2.imwrite(str(empty / "a.png"), frame())
    assert run(["calibrate", "table", "--camera", str(empty), "--name", "table"]) == 3
    assert camera_file(film).read_bytes() == before


def test_a_camera_file_that_was_cut_off_is_one_sentence(film: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "table", "--camera", film]) == 0
    whole = camera_file(film).read_text(encoding="utf-8")
    camera_file(film).write_text(whole[: len(whole) // 2], encoding="utf-8")
    assert run(["calibrate", "table", "--camera", film]) == 4
    assert "the file is cut off here" in (err := capsys.readouterr().err) or "this is no TOML" in err


@pytest.mark.parametrize("words", [["--area", "60"], ["--seats", "below"]])
def test_a_wish_that_cannot_be_is_a_wrong_usage(words: list[str], film: str) -> None:
    assert run(["calibrate", "table", "--camera", film, *words]) == 2


def test_cameras_have_names_that_files_can_have() -> None:
    assert camera_file("0").name == "camera-0.toml"
    assert camera_file("http://10.0.0.7:8080/video").name == "http-10.0.0.7-8080-video.toml"
    assert camera_file("http://admin:S3cret@10.0.0.7:8080/video") == camera_file("http://10.0.0.7:8080/video")
    assert camera_file("0", "lamp arm").name == "lamp-arm.toml"


def test_the_preview_shows_the_newest_picture() -> None:
    from urllib.request import urlopen

    with Preview() as page:
        with urlopen(page.address, timeout=5) as answer:
            assert b"<img src=frames" in answer.read()
        page.show(b"picture one")
        with urlopen(f"{page.address}frames", timeout=5) as stream:
            lines = [stream.readline().strip() for _ in range(5)]
    assert lines == [b"--frame", b"Content-Type: image/jpeg", b"Content-Length: 11", b"", b"picture one"]
