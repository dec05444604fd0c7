"""What counts as new where a hand was: also what it pushed a little, or exchanged where it lay."""

from __future__ import annotations

import pytest

from vision.following.newcomers import is_new
from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2", "onnxruntime")


def tile(x: float, pips: tuple[int, int]) -> TileDetection:
    """A tile of 100 by 50 pixels with its middle at (x, 100)."""
    corners = ((x - 50, 75.0), (x - 50, 125.0), (x + 50, 125.0), (x + 50, 75.0))
    return TileDetection(corners, ((x - 25, 100.0), (x + 25, 100.0)), pips, 0.95, likelihoods=((), ()))


LAY = tile(100.0, (6, 6))


def test_a_tile_where_none_lay_is_new() -> None:
    assert is_new(tile(300.0, (6, 5)), [LAY])


def test_a_tile_that_was_pushed_a_little_is_new_where_it_lies_now() -> None:
    assert is_new(tile(140.0, (6, 6)), [LAY])


def test_a_tile_that_was_exchanged_for_another_in_its_place_is_new() -> None:
    assert is_new(tile(110.0, (6, 5)), [LAY])


def test_what_overlaps_a_tile_that_lay_there_and_is_another_is_not() -> None:
    assert not is_new(tile(140.0, (6, 5)), [LAY])
