"""Clips of hands seen otherwise: places and sides go with the picture, and who was first stays so."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks import touch_clips
from benchmarks.clip_changes import CHANGES, Change
from benchmarks.touch_clips import changed_lines, clip_lines

pytestmark = pytest.mark.needs("cv2")

SIZE = 640, 360
TILE = [[290, 150], [350, 150], [350, 180], [290, 180]]
SKIN = (120, 150, 215)
TOUCH = 14  # the frame in which the finger stops on the tile


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_place_and_a_side_go_where_the_picture_goes(change: Change) -> None:
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    cv2.rectangle(image, (500, 60), (520, 80), (255, 255, 255), -1)
    image[:, :30] = 0
    seen = change.picture(image, np.random.default_rng(1))
    x, y = (round(at) for at in change.point((510.0, 70.0), SIZE))
    assert seen[y, x].mean() > 140
    height, width = seen.shape[:2]
    edges = {"left": (4, height // 2), "right": (width - 5, height // 2), "top": (width // 2, 4)}
    x, y = {**edges, "bottom": (width // 2, height - 5)}[change.side("left")]
    assert seen[y, x].mean() < 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip in which a finger comes from the left and stays on a tile, with its labels."""
    where = tmp_path_factory.mktemp("clips")
    cloth = np.clip(np.random.default_rng(1).normal(0, 6, (360, 640, 1)) + (80, 125, 80), 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(cloth, np.array(TILE), (235, 235, 235))
    film = cv2.VideoWriter(str(where / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, SIZE)
    for frame in range(32):
        image = cloth.copy()
        tip = 320 - 40 * max(0, TOUCH - frame)
        if tip > 0:
            cv2.line(image, (-20, 190), (tip - 70, 166), SKIN, 34)
            cv2.line(image, (-20, 190), (tip, 164), SKIN, 14)
        film.write(image)
    film.release()
    touch = {"frame": TOUCH, "side": "left", "place": "tile"}
    part = {"still": 2, "to": 31, "touches": [touch]}
    told = {"clips": [{"file": "film.avi", "places": {"tile": TILE}, "parts": [part]}]}
    (where / "labels.json").write_text(json.dumps(told), encoding="utf-8")
    return where


def test_the_first_touch_of_a_clip_is_named(folder: Path) -> None:
    *_, last = clip_lines(folder)
    assert last.endswith("1 of 1; elsewhere: 0")


def test_each_change_of_a_clip_is_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touch_clips, "CHANGES", CHANGES[:3])
    _, *lines, whole = changed_lines(folder)
    assert [line.split("  ")[1] for line in lines] == [change.name for change in CHANGES[:3]]
    assert whole.endswith("3 of 3; elsewhere: 0")
