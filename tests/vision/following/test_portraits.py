"""What a tile's portrait tells of a later frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.following.portraits import Portraits
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

CORNERS = np.array([[40, 40], [40, 80], [120, 80], [120, 40]], np.float64)


def piece(left: int, right: int, top: int = 44, low: int = 76) -> NDArray[np.bool_]:
    """Where one stands in the picture."""
    mask = np.zeros((120, 160), np.bool_)
    mask[top:low, left:right] = True
    return mask


PAWN = piece(44, 76)


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
    assert not portraits.beside(0, (picture * light).astype(np.uint8), PAWN)


def test_what_is_seen_beside_a_piece_tells_that_the_tile_was_taken() -> None:
    portraits, _ = known()
    assert portraits.beside(0, cloth(2, 150), PAWN)


def test_a_plain_tile_is_missed_by_its_light() -> None:
    portraits = Portraits()
    portraits.add(np.full((120, 160), 40, np.uint8), CORNERS)
    assert portraits.beside(0, np.full((120, 160), 200, np.uint8), PAWN)
    assert not portraits.beside(0, np.full((120, 160), 50, np.uint8), PAWN)


def test_where_a_piece_hides_nearly_all_nobody_can_tell() -> None:
    portraits, _ = known()
    assert not portraits.beside(0, cloth(2, 150), piece(30, 110, 30, 90))


def test_a_pawn_that_goes_from_half_to_half_says_nothing_of_the_tile_beneath() -> None:
    before, after = cloth(1, 150), cloth(1, 150)
    before[44:76, 44:76] = 30
    after[44:76, 84:116] = 30
    portraits = Portraits()
    portraits.add(before, CORNERS, PAWN)
    assert not portraits.beside(0, after, piece(84, 116))
    portraits.retake(0, after, CORNERS, piece(84, 116))
    assert not portraits.beside(0, before, PAWN)
