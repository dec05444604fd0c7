"""How far a confidence can be taken at its word, on readings whose truth is plain."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from benchmarks.doubt import lines
from benchmarks.reliability import Judged, Reliability, svg

pytestmark = pytest.mark.needs("cv2")


def honest(count: int = 40_000, overstated: float = 0.0) -> Reliability:
    """Readings that are right just as often as they say, or less often by so much."""
    rng = np.random.default_rng(5)
    told = rng.beta(8, 1, count)
    right = rng.random(count) < told - overstated
    return Reliability([Judged(float(t), bool(r), bool(t < 0.8)) for t, r in zip(told, right, strict=True)])


def judged(*readings: tuple[float, bool]) -> Reliability:
    return Reliability([Judged(confidence, right, confidence < 0.8) for confidence, right in readings])


def test_who_is_right_as_often_as_he_says_has_no_error_and_who_boasts_has_it_in_full() -> None:
    assert honest().expected_error() < 0.006
    assert honest(overstated=0.1).expected_error() == pytest.approx(0.1, abs=0.01)


def test_the_bins_hold_every_reading_once() -> None:
    told = judged((0.0, False), (0.2, False), (0.97, True), (0.97, False), (1.0, True))
    bins = list(told.bins())
    assert sum(b.count for b in bins) == 5
    assert all(b.low <= b.confidence <= b.high for b in bins)
    assert [(b.low, b.count, b.right) for b in bins] == [(0, 1, 0), (0.2, 1, 0), (0.95, 2, 0.5), (0.995, 1, 1)]


@pytest.mark.parametrize(
    ("readings", "auroc"),
    [
        (((0.9, True), (0.8, True), (0.3, False)), 1.0),
        (((0.3, True), (0.9, False)), 0.0),
        (((0.5, True), (0.5, False)), 0.5),
        (((0.9, True), (0.4, True), (0.6, False)), 0.5),
    ],
)
def test_right_is_told_from_wrong_by_confidence(readings: tuple[tuple[float, bool], ...], auroc: float) -> None:
    assert judged(*readings).auroc() == auroc


def test_where_nothing_is_wrong_there_is_nothing_to_tell() -> None:
    assert math.isnan(judged((0.9, True)).auroc())


def test_a_higher_threshold_leaves_fewer_errors_silent_and_doubts_more() -> None:
    told = honest()
    tried = [told.at(sure) for sure in (0.5, 0.7, 0.9, 0.99)]
    assert [t.silent for t in tried] == sorted((t.silent for t in tried), reverse=True)
    assert [t.doubted for t in tried] == sorted(t.doubted for t in tried)
    assert told.as_marked() == (told.at(0.8).silent, told.at(0.8).doubted)
    best = told.highest(0.03)
    assert best.doubted <= 0.03 * told.right.sum() < told.at(best.sure + 0.005).doubted


def test_the_figures_and_the_curve_are_told_with_their_aims() -> None:
    told = honest(2000)
    text = "\n".join(lines(told))
    assert text.startswith("2000 readings, ")
    assert f"expected calibration error {told.expected_error():.4f} (aim 0.03)" in text
    assert f"AUROC of right against wrong {told.auroc():.4f} (aim 0.95)" in text
    drawn = ET.fromstring(svg(told, "honest readings"))
    dots = [part for part in drawn.iter() if part.tag.endswith("circle")]
    assert len(dots) == len(list(told.bins()))
    for dot in dots:  # whoever is honest lies on the diagonal
        assert abs((float(dot.attrib["cx"]) - 50) - (430 - float(dot.attrib["cy"]))) < 60
