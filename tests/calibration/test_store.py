"""A camera's file: whole or refused, and never believed for another camera, shape or version."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import BadFile, UnsuitableCalibration
from calibration.lens import as_matrix
from calibration.plane import Plane, Tag
from calibration.store import VERSION, CameraCalibration, SeenLight, as_text, load, save
from tests.calibration.test_lens import WEBCAM

pytestmark = pytest.mark.needs("cv2")

PLANE = Plane(
    as_matrix([[0.5, 0.01, -300.0], [0.0, 0.6, -200.0], [0.0, 1e-4, 1.0]]),
    ((-300.0, -200.0), (300.0, -200.0), (300.0, 200.0), (-300.0, 200.0)),
    ("bottom", "top"),
    tags=(Tag(46, ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))),),
)
LENS = replace(WEBCAM, rms_px=0.12, deviations=(1.0, 1.0, 0.5, 0.5))
MADE = datetime(2026, 1, 31, 20, 15, tzinfo=UTC)
LIGHTS = (SeenLight(0, (100.5, 40.25), 9.0), SeenLight(3, (160.0, 41.0), 8.5))
KNOWN = CameraCalibration('the "lamp"', (1280, 720), MADE, LENS, PLANE, mirrored=True, lights=LIGHTS)
TEXT = as_text(KNOWN)


@pytest.mark.parametrize("known", [KNOWN, replace(KNOWN, lens=None), replace(KNOWN, plane=None, lights=())])
def test_what_is_kept_comes_back(known: CameraCalibration, tmp_path: Path) -> None:
    save(tmp_path / "cameras" / "lamp.toml", known)
    assert load(tmp_path / "cameras" / "lamp.toml") == known
    assert [path.name for path in (tmp_path / "cameras").iterdir()] == ["lamp.toml"]


@pytest.mark.parametrize("kept", [0.05, 0.3, 0.6, 0.9, 0.99])
def test_a_file_that_was_cut_off_is_refused_and_names_its_last_line(kept: float, tmp_path: Path) -> None:
    part = TEXT[: int(kept * len(TEXT))]
    (tmp_path / "c.toml").write_text(part, encoding="utf-8")
    with pytest.raises(BadFile, match=r"c\.toml, line \d+: ") as refused:
        load(tmp_path / "c.toml")
    named = int(str(refused.value).split("line ")[1].split(":")[0])
    assert abs(named - len(part.splitlines())) <= 1


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("[900.0,", "[900000.0,", "matrix = [", "matrix must be that of a camera"),
        ("650.0]", "1650.0]", "matrix = [", "outside of the picture"),
        ("rms_px = 0.12", 'rms_px = "good"', "rms_px", "rms_px must be a number, 0 or more"),
        ("mirrored = true", "mirrored = 1", "mirrored", "mirrored must be true or false"),
        ('"pinhole"', '"telescope"', "model", "model must be 'pinhole' or 'fisheye'"),
        ("size_px = [1280, 720]", "size_px = [1280]", "size_px", "size_px must be a list of 2 numbers"),
        ("[-0.3, 0.12,", "[0.12,", "distortion", "distortion must be a list of 0 or 5 or 8 numbers"),
        ('"bottom"', '"below"', "seats", "seats must be a list of"),
        ("scale_known", "scale_know", "scale_know", "scale_know is not known here"),
        ("[0.0, 0.0001, 1.0]", "[0.0, nan, 1.0]", "to_mm", "to_mm must be 3 lists of 3 numbers each"),
        ("[0.0, 0.0001, 1.0]", "[0.5, 0.01, -300.0]", "to_mm", "to_mm must be a homography"),
        ("41.0, 8.5]", "41.0, 0.0]", "seen", "seen must have an LED's number, its x and y, and how far it glows"),
    ],
)
def test_an_edit_that_cannot_be_names_its_line(old: str, new: str, line: str, why: str, tmp_path: Path) -> None:
    edited = TEXT.replace(old, new, 1)
    assert edited != TEXT
    (tmp_path / "c.toml").write_text(edited, encoding="utf-8")
    number = next(n for n, text in enumerate(edited.splitlines(), 1) if text.startswith(line))
    with pytest.raises(BadFile) as refused:
        load(tmp_path / "c.toml")
    assert f"c.toml, line {number}:" in str(refused.value)
    assert why in str(refused.value)


def test_a_value_that_was_deleted_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(TEXT.replace("scale_known = true\n", ""), encoding="utf-8")
    with pytest.raises(BadFile, match=r"in \[plane\]: scale_known lacks"):
        load(tmp_path / "c.toml")


def test_a_file_that_an_editor_of_windows_wrote_is_read(tmp_path: Path) -> None:
    text = as_text(KNOWN).replace("\n", "\r\n")
    (tmp_path / "c.toml").write_bytes(text.encode("utf-8-sig"))
    assert load(tmp_path / "c.toml") == KNOWN


def test_a_newer_version_is_refused_with_the_reason(tmp_path: Path) -> None:
    newer = TEXT.replace(f"version = {VERSION}", f"version = {VERSION + 1}")
    (tmp_path / "c.toml").write_text(newer, encoding="utf-8")
    with pytest.raises(BadFile, match="written by a newer pipsight"):
        load(tmp_path / "c.toml")


def test_an_older_version_is_read_and_says_so_and_is_written_as_todays(tmp_path: Path) -> None:
    before = as_text(replace(KNOWN, lights=())).replace(f"version = {VERSION}", "version = 1")
    (tmp_path / "c.toml").write_text(before, encoding="utf-8")
    found = load(tmp_path / "c.toml")
    assert "c.toml was written by an older pipsight (version 1); it is from before lights were" in found.migrated
    assert replace(found, migrated="") == replace(KNOWN, lights=())
    save(tmp_path / "c.toml", found)
    assert load(tmp_path / "c.toml").migrated == ""


@pytest.mark.parametrize(("version", "why"), [("1", "lights is not known here"), ("0", "version must be a whole")])
def test_a_version_that_the_file_cannot_be_of_is_refused(version: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(TEXT.replace(f"version = {VERSION}", f"version = {version}"), encoding="utf-8")
    with pytest.raises(BadFile, match=why):
        load(tmp_path / "c.toml")


def test_another_camera_is_refused_and_another_size_scaled(tmp_path: Path) -> None:
    save(tmp_path / "c.toml", KNOWN)
    with pytest.raises(UnsuitableCalibration, match="not of camera-1: calibrate camera-1 too"):
        load(tmp_path / "c.toml", camera="camera-1")
    with pytest.raises(UnsuitableCalibration, match="another shape"):
        load(tmp_path / "c.toml", size_px=(1024, 768))
    half = load(tmp_path / "c.toml", camera=KNOWN.id, size_px=(640, 360))
    points = np.array([[300.0, 200.0], [900.0, 500.0]])
    assert half.plane is not None
    assert half.size_px == (640, 360)
    assert half.lights[0] == SeenLight(0, (50.0, 19.875), 4.5)
    assert np.allclose(
        half.plane.to_table((points + 0.5) / 2 - 0.5, half.lens), PLANE.to_table(points, LENS), atol=1e-3
    )


def test_a_file_has_as_long_a_name_as_may_be(tmp_path: Path) -> None:
    place = tmp_path / ("c" * 250 + ".toml")
    save(place, KNOWN)
    assert load(place) == KNOWN


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    save(tmp_path / "c.toml", KNOWN)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space") as told:
        save(tmp_path / "c.toml", replace(KNOWN, lens=None))
    assert told.value.filename == str(tmp_path / "c.toml")
    assert load(tmp_path / "c.toml") == KNOWN
    assert [path.name for path in tmp_path.iterdir()] == ["c.toml"]
