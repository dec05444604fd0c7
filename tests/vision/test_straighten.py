"""A tile cut out of a picture: the places on it and in the picture are the same places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.straighten import FRAME, HEIGHT, WIDTH, brighten, pyramid, standardise, straighten, to_picture

pytestmark = pytest.mark.needs("cv2")

QUAD = np.array([[100, 40], [100, 80], [180, 80], [180, 40]], float)  # head at the left, twice as long as wide


def test_the_corners_of_the_tile_come_back_to_the_picture() -> None:
    assert to_picture(QUAD, FRAME) == pytest.approx(QUAD, abs=1e-3)


@given(turn=st.floats(0, 360), scale=st.floats(0.3, 6))
def test_a_turned_or_distant_tile_is_laid_straight(turn: float, scale: float) -> None:
    """A tile with a dark head and a light tail is so after straightening, wherever it lay."""
    a = np.deg2rad(turn)
    around = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    quad = (QUAD - QUAD.mean(0)) * scale @ around.T + 400
    y, x = np.mgrid[0:800, 0:800]
    along = (x - 400) * np.cos(a) + (y - 400) * np.sin(a)
    frame = np.repeat(np.where(along < 0, 20, 220).astype(np.uint8)[..., None], 3, axis=2)
    patch = straighten(pyramid(frame), quad)
    assert patch.shape == (HEIGHT, WIDTH, 3)
    assert patch[20:60, 20:72].max() < 60
    assert patch[20:60, 88:140].min() > 180


def test_light_and_contrast_are_evened_out() -> None:
    patch = np.random.default_rng(1).integers(0, 40, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    dark, light = standardise(patch), standardise(patch * 5 + 30)
    assert dark.shape == (3, HEIGHT, WIDTH)
    assert abs(dark - light).max() < 1.2
    assert abs(dark.mean()) < 0.2


def test_a_dark_room_is_lifted_for_the_detector() -> None:
    frame = np.full((64, 64, 3), 10, np.uint8)
    frame[:, 32:] = 50
    assert brighten(frame).max() == pytest.approx(0.5, abs=0.05)
