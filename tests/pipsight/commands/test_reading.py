"""What comes of a picture: a reading or a reason, and the line that programs read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipsight.commands.reading import Failure, PictureReader, Reading, json_line, pictures_meant
from rules.board import Board
from tests.vision.laying import Eye, laid, likelihoods, seen
from vision.picture import encode
from vision.scene import DieDetection, Scene

pytestmark = pytest.mark.needs("cv2")

FRAME = np.full((96, 128, 3), 90, np.uint8)
NO_PIECES: dict[str, object] = {"dice": [], "pawns": [], "tokens": [], "tetrominoes": []}


class Recorded:
    """A reader that has seen everything before."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def read(self, frame: object) -> Scene:
        return Scene((128, 96))


def test_a_line_of_json_says_what_was_seen() -> None:
    scene = seen(laid(Board.parse("2|4")), Eye())
    told = json.loads(json_line(Reading("a b/table.jpg", FRAME, scene, 41.23)))
    (tile,) = told.pop("tiles")
    assert told == {"image": "a b/table.jpg", "size_px": [1280, 960], "ms": 41.2, "advice": []} | NO_PIECES
    assert sorted(tile) == ["centers_px", "confidence", "corners_px", "doubtful", "face_up", "others", "pips"]
    assert sorted(tile["pips"]) == [2, 4]
    assert np.allclose(tile["corners_px"], scene.tiles[0].corners_px, atol=0.06)
    assert np.allclose(tile["centers_px"], scene.tiles[0].centers_px, atol=0.06)
    assert (tile["confidence"], tile["doubtful"], tile["face_up"]) == (0.99, False, True)


def test_the_next_best_readings_are_told_with_their_chances_and_what_the_set_changed() -> None:
    chances = likelihoods(2, 4, 5)
    tile = replace(seen(laid(Board.parse("2|4")), Eye()).tiles[0], pips=(2, 4), likelihoods=chances)
    scene = Scene((1280, 960), (tile, replace(tile, pips=(2, 5), changed_from=(2, 4))))
    free, changed = json.loads(json_line(Reading("table.jpg", FRAME, scene, 1.0)))["tiles"]
    assert free["others"] == [{"pips": [2, 5], "chance": 0.3}]
    assert "changed_from" not in free
    assert changed["others"] == [{"pips": [2, 4], "chance": 0.7}]
    assert changed["changed_from"] == [2, 4]


def test_dice_are_told_too() -> None:
    scene = Scene((128, 96), dice=(DieDetection((10.04, 20.0), 5, 0.91234),))
    told = json.loads(json_line(Reading("table.jpg", FRAME, scene, 1.0)))
    assert told["dice"] == [{"value": 5, "center_px": [10.0, 20.0], "confidence": 0.9123, "doubtful": False}]


def test_a_failure_is_one_line_too_whatever_the_name() -> None:
    line = json_line(Failure("odd\nname.jpg", "odd\nname.jpg does not exist"))
    assert "\n" not in line
    assert json.loads(line) == {"image": "odd\nname.jpg", "error": "odd\nname.jpg does not exist", "tiles": []}


def test_a_bad_picture_is_a_failure_and_the_next_one_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.Reader", Recorded)
    good, bad = tmp_path / "good.png", tmp_path / "bad.png"
    good.write_bytes(encode(FRAME, ".png"))
    bad.write_bytes(b"")
    reader = PictureReader()
    failure, reading = (reader.attempt(str(path)) for path in (bad, good))
    assert failure == Failure(str(bad), f"{bad} is empty")
    assert isinstance(reading, Reading)
    assert reading.image == str(good)
    assert (reading.frame == FRAME).all()
    assert 0 < reading.ms < 10_000


def test_a_folder_means_the_pictures_in_it(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.PNG", "notes.txt"):
        (tmp_path / name).touch()
    assert pictures_meant(["nowhere.jpg", str(tmp_path)]) == [
        "nowhere.jpg",
        str(tmp_path / "a.PNG"),
        str(tmp_path / "b.jpg"),
    ]


def test_a_folder_without_pictures_is_said_in_its_turn(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    named = [str(tmp_path / "empty"), str(tmp_path / "table.jpg")]
    assert pictures_meant(named) == named
    told = PictureReader().attempt(named[0])
    assert isinstance(told, Failure)
    assert told.error == f"the folder {named[0]} holds no pictures (.jpg, .png, .webp, .bmp, .tif)"


def test_a_domino_that_lies_there_twice_is_told_where_the_set_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twice = seen(laid(Board.parse("5|3 2|1 3|5")), Eye())
    picture = tmp_path / "table.png"
    picture.write_bytes(encode(FRAME, ".png"))
    monkeypatch.setattr("vision.reader.Reader.read", lambda self, frame: twice)
    reading = PictureReader(6).read(str(picture))
    assert reading.notes == ("The 3-5 lies there twice, and a set has it once.",)
    assert json.loads(json_line(reading))["notes"] == list(reading.notes)
    assert PictureReader().read(str(picture)).notes == ()


def test_what_lies_under_a_die_is_in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = seen(laid(Board.parse("5|3 2|1")), Eye())
    upon = replace(scene, dice=(DieDetection(scene.tiles[0].centers_px[0], 6, 0.95),))
    picture = tmp_path / "table.png"
    picture.write_bytes(encode(FRAME, ".png"))
    monkeypatch.setattr("vision.reader.Reader.read", lambda self, frame: upon)
    assert [tile.doubtful for tile in PictureReader().read(str(picture)).scene.tiles] == [True, False]
