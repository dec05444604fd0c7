"""The measurement itself: a stopped run goes on where it was, and another reader starts anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.log import Log
from benchmarks.pictures import Picture, label_of, rendered
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
