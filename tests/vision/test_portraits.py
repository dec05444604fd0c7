"""What a tile's portrait tells of a later frame."""

from __future__ import annotations

import numpy as np
import pytest

from vision.portraits import Portraits
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

CORNERS = np.array([[40, 40], [40, 80], [120, 80], [120, 40]], np.float64)
PAWN = [[44, 44], [76, 44], [76, 76], [44, 76]]


def cloth(seed: int, light: float) -> Image:
    return np.clip(np.random.default_rng(seed).normal(light, 25, (120, 160)), 0, 255).astype(np.uint8)


def known() -> tuple[Portraits, Image]:
    """A tile on a cloth, and its portrait."""
    picture = cloth(1, 150)
    portraits = Portraits()
    portraits.add(picture, CORNERS)
    return portraits, picture


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_a_tile_beside_a_piece_is_the_same_in_any_light(light: float) -> None:
    portraits, picture = known()
    picture[44:76, 44:76] = 30
    assert not portraits.beside(0, (picture * light).astype(np.uint8), [PAWN])


def test_what_is_seen_beside_a_piece_tells_that_the_tile_was_taken() -> None:
    portraits, _ = known()
    assert portraits.beside(0, cloth(2, 150), [PAWN])


def test_a_plain_tile_is_missed_by_its_light() -> None:
    portraits = Portraits()
    portraits.add(np.full((120, 160), 40, np.uint8), CORNERS)
    assert portraits.beside(0, np.full((120, 160), 200, np.uint8), [PAWN])
    assert not portraits.beside(0, np.full((120, 160), 50, np.uint8), [PAWN])


def test_where_a_piece_hides_nearly_all_nobody_can_tell() -> None:
    portraits, _ = known()
    assert not portraits.beside(0, cloth(2, 150), [[[30, 30], [110, 30], [110, 90], [30, 90]]])
