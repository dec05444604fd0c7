"""Corners to a small part of a pixel, on a rendered table."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from training.arrangements import Lying
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.samples import set_of
from vision.corners import Points, sharpened
from vision.pips import PipReader
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")


@cache
def table() -> tuple[Image, Points]:
    """Eight dominoes lying apart, and their true corners."""
    rng = np.random.default_rng(8)
    tiles = tuple(Lying(3.4 * (k % 4) - 5.1, 3.4 * (k // 4) - 1.7, 25.0 * k, k % 7, 3) for k in range(8))
    image, truth = render(Look(looking_down(960, 540, 40.0, 15.0, 10.0), set_of(3)), tiles, rng)
    return image, np.array([tile.corners_px for tile in truth.tiles])


def roughly(true: Points, px: float) -> Points:
    """Corners as somebody gives them who does not look closely."""
    return true + np.random.default_rng(1).normal(0, px, true.shape)


@cache
def reader() -> PipReader:
    return PipReader()


def test_rough_corners_are_moved_to_where_they_are_seen() -> None:
    image, true = table()
    rough = roughly(true, 1.5)
    seen, uncertain = sharpened(image, rough, reader())
    before, after = (np.median(np.linalg.norm(one - true, axis=2)) for one in (rough, seen))
    assert after < 0.6 * before
    assert after < 0.8
    assert uncertain.shape == (8, 4)
    assert 0.3 < np.median(uncertain) < 2


def test_corners_that_cannot_be_seen_are_uncertain() -> None:
    image, true = table()
    _, seen = sharpened(image, true, reader())
    _, hidden = sharpened(np.full_like(image, 128), true, reader())
    assert np.median(hidden) > 2 * np.median(seen)


def test_no_tiles_have_no_corners() -> None:
    corners, uncertain = sharpened(table()[0], [], reader())
    assert corners.shape == (0, 4, 2)
    assert uncertain.shape == (0, 4)
