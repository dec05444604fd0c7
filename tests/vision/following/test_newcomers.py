"""What counts as new where a hand was: also what it pushed a little, or exchanged; and how finely it is looked for."""

from __future__ import annotations

import numpy as np
import pytest

from vision.eyes import Eyes
from vision.following.newcomers import Newcomers, is_new
from vision.scene import TileDetection
from vision.straighten import Image
from vision.taught import TaughtSets

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


@pytest.mark.parametrize(("kinds", "length_px", "finest"), [((), 112.0, 262), (("die",), 112.0, 524), ((), 0.0, 600)])
def test_an_empty_part_is_looked_at_as_finely_as_tiles_and_pieces_there_need(
    monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...], length_px: float, finest: int
) -> None:
    """Twice as fine a look costs the time of several frames, and tiles of a known length are not tiny."""
    newcomers, sides = Newcomers(eyes := Eyes()), list[int]()
    newcomers.expect(kinds)
    maps = eyes.detector.maps

    def noted(picture: Image) -> object:
        sides.append(max(picture.shape[:2]))
        return maps(picture)

    monkeypatch.setattr(eyes.detector, "maps", noted)
    cloth = np.random.default_rng(1).integers(100, 112, (720, 1280, 3)).astype(np.uint8)
    newcomers.find(cloth, (400, 200, 700, 500), [], length_px, TaughtSets(()))
    assert max(sides) == finest
