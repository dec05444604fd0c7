"""What the sizes of the sure tiles say about another one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.sizes import FURTHEST, UNKNOWN, unlikeness

pytestmark = pytest.mark.needs("cv2")


def tile(x: float, y: float, width: float) -> NDArray[np.float64]:
    return np.array([[x, y], [x, y + width], [x + 2 * width, y + width], [x + 2 * width, y]])


ROW = [tile(100.0 * k, 50.0, 40.0) for k in range(5)]
SURE = [1.0] * 5


def test_a_tile_as_large_as_the_others_is_not_unlike_them() -> None:
    assert unlikeness([tile(220, 300, 40)], ROW, SURE) == [pytest.approx(0, abs=0.01)]


def test_twice_the_size_is_as_unlike_as_it_gets() -> None:
    assert unlikeness([tile(220, 300, 85)], ROW, SURE) == [FURTHEST]


def test_too_few_tiles_tell_nothing() -> None:
    assert unlikeness([tile(0, 0, 40)], ROW[:2], SURE[:2]) == [UNKNOWN]


def test_tiles_shrink_away_from_a_tilted_camera_and_that_is_expected() -> None:
    going = [tile(100.0 * k, 400.0 - 80 * k, 60.0 * 0.85**k) for k in range(6)]
    near, far = unlikeness([tile(50, 420, 60), tile(560, 20, 60)], going, [1.0] * 6)
    assert near < 0.15
    assert far > 0.4


def test_one_stranger_among_the_sure_ones_does_not_set_the_size() -> None:
    assert max(unlikeness(ROW, [*ROW, tile(0, 600, 120)], [*SURE, 1.0])) < 0.1


def test_many_likely_tiles_outvote_one_that_is_surer() -> None:
    known, chances = [*ROW, tile(0, 600, 75)], [0.8] * 5 + [0.95]
    assert max(unlikeness(ROW, known, chances)) < 0.1


def test_a_texture_taken_for_many_half_likely_tiles_outvotes_no_sure_ones() -> None:
    ridges = [tile(60 * k, 600, 20) for k in range(12)]
    assert max(unlikeness(ROW, [*ROW[:3], *ridges], [0.97] * 3 + [0.6] * 12)) < 0.1
