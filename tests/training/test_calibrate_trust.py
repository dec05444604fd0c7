"""Fitting how far readings are believed: known weights are found again, and what is fitted on is what is told."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from benchmarks.pictures import rendered
from benchmarks.scoring import judged
from training.calibrate_trust import Case, believed, cases, fit
from vision.place import TRUST
from vision.reader import Reader

pytestmark = pytest.mark.needs("cv2")


def test_known_weights_are_found_again() -> None:
    rng, weights, found = np.random.default_rng(5), np.array([0.8, -1.2, 0.5]), list[Case]()
    for _ in range(20_000):
        grounds, read = np.array([*rng.normal(0, 2, 2), 1.0]), float(rng.uniform(0.3, 1))
        found.append(Case(grounds, read, bool(rng.random() < read / (1 + np.exp(-weights @ grounds)))))
    assert fit(found) == pytest.approx(weights, abs=0.15)
    told = np.array([one.confidence for one in believed(found, list(weights))])
    assert told.mean() == pytest.approx(np.mean([case.right for case in found]), abs=0.02)


def test_what_is_fitted_on_is_what_the_reader_tells() -> None:
    pictures, reader, told = list(islice(rendered(9, seed=12), 4)), Reader(), list[tuple[float, bool]]()
    for picture in pictures:
        label, image = picture.take()
        tiles = judged(label, reader.read(image).tiles)
        told += [(tile.confidence, right) for tile, right in tiles if tile.face_up]
    again = [(one.confidence, one.right) for one in believed(cases(pictures), TRUST)]
    assert [right for _, right in sorted(again)] == [right for _, right in sorted(told)]
    assert [sure for sure, _ in sorted(again)] == pytest.approx([sure for sure, _ in sorted(told)], abs=1e-6)
    assert len(told) > 10
