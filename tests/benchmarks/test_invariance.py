"""The table stays, the picture changes: a sample is read the same from every side, from nearer and from farther."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.changes import Shot, compressed, scaled, turned
from benchmarks.doubt import gathered, lines
from benchmarks.invariance import CHANGES, compare
from benchmarks.log import Log
from benchmarks.pictures import Picture, label_of, rendered
from benchmarks.reliability import Reliability
from benchmarks.scoring import Label, LabelledTile, readings
from pipsight.commands.demo import SAMPLES
from training.truth import from_json
from vision.picture import load
from vision.reader import Reader
from vision.scene import Scene, TileDetection

pytestmark = pytest.mark.needs("cv2")


@cache
def sample() -> Shot:
    truth = from_json(json.loads((SAMPLES / "loose.json").read_text(encoding="utf-8")))
    return label_of("loose", truth), load(SAMPLES / "loose.jpg")


@cache
def reader() -> Reader:
    return Reader()


@settings(max_examples=4)
@given(angle=st.floats(0, 360), factor=st.floats(0.6, 1.5))
def test_turning_and_scaling_change_no_reading(angle: float, factor: float) -> None:
    label, image = scaled(*turned(*sample(), angle), factor)
    assert readings(label, reader().read(image).tiles) == tuple(t.pips for t in label.tiles)


def test_compression_changes_no_reading() -> None:
    label, image = sample()
    assert readings(label, reader().read(compressed(image, 60)).tiles) == tuple(t.pips for t in label.tiles)


class Shortsighted(Reader):
    """An eye that reads 2-5 on wide pictures, and nothing on narrow ones."""

    def __init__(self) -> None:
        self.looked = 0

    def read(self, frame: object, before: object = ()) -> Scene:
        self.looked += 1
        height, width = frame.shape[:2]  # type: ignore[attr-defined]
        x, y, step = 0.5 * width, 0.5 * height, 0.1 * width
        tile = TileDetection(((0, 0),) * 4, ((x - step, y), (x + step, y)), (2, 5), 0.9)
        return Scene((width, height), (tile,) if width > 400 else ())


def test_a_tile_that_is_lost_or_read_otherwise_is_counted_once_for_each_change() -> None:
    _, image = sample()
    label = Label("table", (500, 300), (LabelledTile((2, 5), (200.0, 150.0), (300.0, 150.0)),))
    counts = compare(Shortsighted(), (label, image[:300, :500]))
    names = {change.name for change in CHANGES}
    assert {name for name in counts if not name.endswith(" changed")} == names
    assert all(counts[name] == 1 for name in names)
    assert (counts["half as large changed"], counts["twice as large changed"]) == (1, 0)
    assert (counts["0.7 times as large changed"], counts["JPEG quality 60 changed"]) == (1, 0)


def test_tiles_that_would_be_too_short_are_not_compared() -> None:
    _, image = sample()
    label = Label("table", (500, 300), (LabelledTile((2, 5), (200.0, 150.0), (230.0, 150.0)),))
    counts = compare(Shortsighted(), (label, image[:300, :500]))
    assert counts["half as large"] == counts["0.7 times as large"] == 0
    assert counts["twice as large"] == 1


def test_what_was_judged_before_is_not_read_again(tmp_path: Path) -> None:
    def never() -> Shot:
        raise AssertionError("this picture was judged before")

    pictures = list(rendered(1, seed=43))
    first = gathered(pictures, Log(tmp_path / "log.jsonl", "readings"))
    again = gathered((Picture(p.name, never) for p in pictures), Log(tmp_path / "log.jsonl", "readings"))
    assert first == again
    assert "\n".join(lines(Reliability(first))).startswith(f"{len(first)} reading")
