"""Fitting how far the referee's eyes are believed: by films whose truth is known, whatever stands in the files."""

from __future__ import annotations

import numpy as np
import pytest

from training.calibrate_touches import EVERYTHING, NAMES, Case, believed, cases, lines
from vision.hands import weighing
from vision.odds import log_odds

pytestmark = pytest.mark.needs("cv2")

TRUE = (0.8, 0.4, 1.5, -0.5)


def known(count: int) -> list[Case]:
    """Touches as the eyes would see them if they were to be believed so."""
    rng = np.random.default_rng(4)
    found = []
    for _ in range(count):
        evidence = (float(rng.normal(0, 3)), float(rng.normal(0, 3)), float(rng.random() < 0.4), 1.0)
        chance = 1 / (1 + np.exp(-float(np.dot(evidence, TRUE))))
        found.append(Case(evidence, bool(rng.random() < chance), seen=True))
    return found


def test_known_weights_are_found_again() -> None:
    told = next(iter(lines(known(4000))))
    assert told.startswith(", ".join(NAMES))
    found = [float(word) for word in told.split("=")[1].split(",")]
    assert found == pytest.approx(TRUE, abs=0.2)


def test_what_only_the_slow_eyes_saw_is_counted_apart() -> None:
    alone = [Case((log_odds(0.0), log_odds(0.0), 1.0, 1.0), touched, seen=False) for touched in (True, False, False)]
    assert list(lines([*known(400), *alone]))[-1] == "  seen by the slow eyes alone: 1 of 3 were touches"
    assert next(iter(lines([*known(400), *alone]))) == next(iter(lines(known(400))))


def test_other_constants_are_believed_for_a_while_only() -> None:
    before = weighing.SURE, weighing.SOON, weighing.RUMOUR
    with believed(EVERYTHING):
        assert weighing.SURE > 1
    assert before == (weighing.SURE, weighing.SOON, weighing.RUMOUR)


def test_a_film_gives_its_touches_with_their_truth() -> None:
    found = cases(1)
    assert any(case.touched for case in found)
    assert all(len(case.evidence) == len(NAMES) for case in found)
