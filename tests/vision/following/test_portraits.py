"""What a tile's portrait tells of a later frame."""

from __future__ import annotations

import cv2
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


def drifted(picture: Image, dx: float, dy: float) -> Image:
    """The picture as a camera sees it that has drifted so far."""
    return np.asarray(cv2.warpAffine(picture, np.array([[1, 0, dx], [0, 1, dy]], float), picture.shape[::-1]), np.uint8)


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


@pytest.mark.parametrize("dimmer", [0.0, 0.004])
def test_how_far_a_tile_slid_is_told_though_its_portrait_follows_so_slow_a_camera(dimmer: float) -> None:
    picture = np.asarray(cv2.GaussianBlur(cloth(1, 150), (0, 0), 2), np.uint8)
    portraits = Portraits()
    portraits.add(picture, CORNERS)
    for k in range(1, 101):
        now = (drifted(picture, 0.05 * k, -0.02 * k) * (1 - dimmer * k)).astype(np.uint8)
        unlike = portraits.unlike(now)
        assert not unlike.any()
        slid = portraits.slid(now, unlike)
    assert slid[0] == pytest.approx([5, -2], abs=0.15)
    portraits.shift(slid)
    assert portraits.strayed() == pytest.approx(np.hypot(5, 2), abs=0.2)
    assert portraits.slid(now, portraits.unlike(now))[0] == pytest.approx([0, 0], abs=0.15)


def test_a_covered_tile_slid_as_far_as_the_others() -> None:
    picture = np.asarray(cv2.GaussianBlur(cloth(1, 150), (0, 0), 2), np.uint8)
    portraits = Portraits()
    for across in (-20, 0, 25):
        portraits.add(picture, CORNERS + [across, 10])
    for k in range(1, 21):
        slid = portraits.slid(drifted(picture, min(0.1 * k, 1), 0), np.array([False, True, False]))
    assert slid[:, 0] == pytest.approx([1, 1, 1], abs=0.1)
