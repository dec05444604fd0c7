"""Counting pips that may or may not be there, and what makes a number doubtful."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pips import NUMBERS, Look, PipReader, count_chances
from vision.reading import NO_DOMINO, fused, read_halves
from vision.straighten import FRAME, WIDTH, Image, pyramid, straighten

pytestmark = pytest.mark.needs("cv2")

SAMPLES = Path(__file__).parents[2] / "sample_images"


@given(st.lists(st.floats(0, 1), max_size=8))
def test_the_chance_of_each_count_is_that_of_all_cases_together(chances: list[float]) -> None:
    summed = np.zeros(NUMBERS)
    for case in product((0, 1), repeat=len(chances)):
        summed[sum(case)] += np.prod([p if there else 1 - p for p, there in zip(chances, case, strict=True)])
    assert count_chances(np.array(chances, np.float32)) == pytest.approx(summed, abs=1e-5)


def test_more_than_twelve_pips_are_no_number() -> None:
    assert count_chances(np.ones(14, np.float32)).sum() == pytest.approx(0)


def sees(
    head: int, tail: int, *, recognised: tuple[int, int] | None = None, up: float = 1.0, down: float = 0.0
) -> Look:
    """A look that counts head and tail, and recognises the same or another pair."""
    counted, whole = np.zeros((2, NUMBERS), np.float32), np.zeros((2, NUMBERS), np.float32)
    counted[0, head] = counted[1, tail] = 1
    one, two = recognised or (head, tail)
    whole[0, one] = whole[1, two] = 1
    return Look(up, down, 1 - up - down, FRAME.astype(float), counted, whole, np.zeros((0, 3), np.float32))


def test_two_readings_that_agree_are_sure() -> None:
    reading = read_halves(sees(5, 3), 100)
    assert (reading.pips, reading.why) == ((5, 3), "")
    assert reading.confidence > 0.99


def test_two_readings_that_differ_are_doubtful_and_both_are_named() -> None:
    reading = read_halves(sees(5, 3, recognised=(5, 2)), 100)
    assert "2" in reading.why
    assert "3" in reading.why
    assert sorted(np.argsort(reading.likelihoods[1])[-2:]) == [2, 3]


def test_a_tile_too_small_to_read_is_doubtful_however_sure_the_network_is() -> None:
    assert read_halves(sees(5, 3), 20).why == "it is only 20 pixels long"


def test_what_may_be_no_domino_is_told_as_that_however_little_its_numbers_are_to_be_believed() -> None:
    unsure = sees(5, 3, recognised=(5, 2))
    assert read_halves(unsure, 100, presence=0.6).why == NO_DOMINO
    assert read_halves(unsure, 100, presence=0.9).why == "2 or 3 at one end"


def test_a_back_that_might_be_a_front_is_doubtful() -> None:
    assert read_halves(sees(0, 0, up=0.3, down=0.7), 100).why == "it may lie face up"
    assert read_halves(sees(0, 0, up=0.0, down=1.0), 100).why == ""


@given(st.integers(0, 12), st.integers(0, 12))
def test_every_half_keeps_a_whole_chance(head: int, tail: int) -> None:
    assert fused(sees(head, tail, recognised=(tail, head))).sum(axis=1) == pytest.approx([1, 1], abs=1e-5)


@pytest.fixture(scope="module")
def tiles() -> list[Image]:
    levels = pyramid(np.asarray(cv2.imread(str(SAMPLES / "bee.jpg")), np.uint8))
    truth = json.loads((SAMPLES / "bee.json").read_text())["tiles"]
    return [straighten(levels, tile["corners_px"]) for tile in truth]


def test_what_is_looked_at_each_way_reads_the_same_in_a_mirror(tiles: list[Image]) -> None:
    look = PipReader().look_each_way
    for seen, mirrored in zip(look(tiles), look([tile[:, ::-1] for tile in tiles]), strict=True):
        assert mirrored.nothing == pytest.approx(seen.nothing, abs=1e-4)
        assert mirrored.recognised[::-1] == pytest.approx(seen.recognised, abs=1e-4)
        assert mirrored.counted[::-1] == pytest.approx(seen.counted, abs=1e-4)
        assert [WIDTH - 1, 0] + mirrored.corners[::-1] * [-1, 1] == pytest.approx(seen.corners, abs=1e-3)
