"""The measurement itself: a stopped run goes on where it was, and another reader starts anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.changes import degraded
from benchmarks.log import Log
from benchmarks.pictures import Picture, label_of, labelled, rendered
from benchmarks.reading import measure
from training.render import random_scene

pytestmark = pytest.mark.needs("cv2")


def scenes() -> Iterator[Picture]:
    return rendered(2, seed=31)


def never() -> None:
    raise AssertionError("a picture that was measured before is not read again")


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    first = measure(scenes(), False, Log(log))
    again = (Picture(p.name, never) for p in scenes())  # type: ignore[arg-type]
    assert measure(again, False, Log(log)) == first
    assert first["ALL"].n["photos"] + first["NO DOMINOES"].n["photos"] == 2


def test_hidden_tiles_are_left_out_of_the_score() -> None:
    _, truth = random_scene(np.random.default_rng((43, 0)))
    label = label_of("scene", truth)
    hidden = [t for t in truth.tiles if not t.clear]
    assert len(label.tiles) + len(label.backs) + len(label.ignore) == len(truth.tiles)
    assert len(label.ignore) >= len(hidden) > 0


def test_a_label_that_was_corrected_and_a_photograph_that_was_taken_anew_are_measured_anew(tmp_path: Path) -> None:
    def key(highest: int, shade: int) -> str:
        tile = {"pips": [0, highest], "a": [10, 10], "b": [30, 10]}
        label = {"image": "one.png", "size": [60, 40], "tiles": [tile]}
        (tmp_path / "labels.json").write_text(json.dumps([label]), encoding="utf-8")
        cv2.imwrite(str(tmp_path / "one.png"), np.full((40, 60, 3), shade, np.uint8))
        (picture,) = degraded(labelled(tmp_path))
        return picture.key

    assert len({key(5, 90), key(6, 90), key(6, 91)}) == 3
    assert key(5, 90) == key(5, 90)
