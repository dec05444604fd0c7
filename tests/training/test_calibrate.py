"""Fitting how far the networks are believed: known weights are found again, whatever stands in the files."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from benchmarks.pictures import rendered
from training.calibrate import (
    NUMBERS,
    PRESENCE,
    START,
    Case,
    Remembering,
    believing,
    cases,
    fit,
    fit_numbers,
    fit_presence,
    judged,
    shots,
)
from vision import place, reading
from vision.pips import Look
from vision.place import Place
from vision.straighten import FRAME

pytestmark = pytest.mark.needs("cv2")

QUAD = np.array([[0, 0], [0, 40], [80, 40], [80, 0]], float)
RNG = np.random.default_rng


def look(counted: np.ndarray, recognised: np.ndarray, nothing: float = 0.01) -> Look:
    """A look that counts and recognises so, (2, 13) each."""
    pips = np.zeros((0, 3), np.float32)
    rows = counted.astype(np.float32), recognised.astype(np.float32)
    return Look(1 - nothing, 0.0, nothing, FRAME.astype(np.float64), *rows, pips)


def boasting(rng: np.random.Generator, temperature: float) -> Case:
    """A tile whose numbers are recognised with chances too sure by this much; counting tells nothing."""
    logs = rng.normal(0, 2, (2, 13))
    chances = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    true = tuple(int(rng.choice(13, p=row)) for row in chances)
    told = np.exp(logs * temperature)
    return Case(Place(QUAD, look(np.full((2, 13), 1 / 13), told / told.sum(axis=1, keepdims=True)), 0.9), true)


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_whoever_boasts_is_believed_the_less(temperature: float) -> None:
    rng = RNG(3)
    _, weight = fit_numbers([boasting(rng, temperature) for _ in range(700)])
    assert weight == pytest.approx(1 / temperature, abs=0.11)


def test_known_weights_of_presence_are_found_again() -> None:
    rng, found = RNG(4), list[Case]()
    weights = {"PEAK_WEIGHT": 1.0, "TILE_WEIGHT": 0.5, "CLEAR_WEIGHT": 0.8, "UNLIKE_WEIGHT": -1.0, "ODD_WEIGHT": -1.5}
    weights |= {"LIES_WEIGHT": 0.6, "OFFSET": -0.5}
    with believing(weights):
        for _ in range(2500):
            clear = rng.dirichlet(np.full(13, 0.1), 2)
            nothing, peak, unlike, odd = (float(v) for v in rng.uniform(0.02, 0.98, 4))
            lies = float(rng.normal(0, 2))
            place = Place(QUAD, look(clear, clear, nothing), peak, unlike=unlike, odd=odd, lies=lies)
            found.append(Case(place, (1, 2) if rng.random() < place.presence else None))
        fitted = dict(zip(PRESENCE, fit_presence(found), strict=True))
    assert fitted == pytest.approx(weights, abs=0.35)


def test_the_constants_are_those_that_stand_in_vision_and_come_back_after_a_fit() -> None:
    before = {name: getattr(reading if name in NUMBERS else place, name) for name in START}
    with believing(dict.fromkeys(START, 9.0)):
        assert reading.LOOK_WEIGHT == place.OFFSET == 9.0
    assert {name: getattr(reading if name in NUMBERS else place, name) for name in START} == before
    assert len(Place(QUAD, look(np.eye(13)[:2], np.eye(13)[:2]), 0.5).evidence) == len(PRESENCE)


def test_the_fit_depends_on_the_scenes_and_on_nothing_else() -> None:
    taken, reader = list(shots(islice(rendered(9, seed=12), 2))), Remembering()
    first = fit(taken, reader)
    with believing({name: value + 0.7 for name, value in START.items()}):
        assert fit(taken, reader) == first
    assert set(first) == set(START)
    with believing(first):
        assert all(0 <= told.confidence <= 1 for told in judged(cases(taken, reader)))


def test_only_what_would_be_reported_is_judged() -> None:
    sure = Case(Place(QUAD, look(np.eye(13)[[2, 5]], np.eye(13)[[2, 5]]), 0.999), (2, 5))
    cases_of = [sure, replace(sure, truth=(2, 4)), replace(sure, place=replace(sure.place, peak=0.001))]
    assert [told.right for told in judged(cases_of)] == [True, False]
