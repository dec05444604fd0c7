"""Corners to a small part of a pixel, on a rendered table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest

from calibration.rectangles import SeenTile
from training.arrangements import Lying
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.samples import set_of
from training.truth import TrueTile
from vision.corners import Points, sharpened
from vision.pips import PipReader
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")


@cache
def table() -> tuple[Image, tuple[TrueTile, ...]]:
    """Eight dominoes lying apart, and the truth of each."""
    rng = np.random.default_rng(8)
    tiles = tuple(Lying(3.4 * (k % 4) - 5.1, 3.4 * (k // 4) - 1.7, 25.0 * k, k % 7, 3) for k in range(8))
    image, truth = render(Look(looking_down(960, 540, 40.0, 15.0, 10.0), set_of(3)), tiles, rng)
    return image, truth.tiles


def corners(tiles: Iterable[SeenTile | TrueTile]) -> Points:
    return np.array([tile.corners_px for tile in tiles])


def roughly(true: Points, px: float) -> Points:
    """Corners as somebody gives them who does not look closely."""
    return true + np.random.default_rng(1).normal(0, px, true.shape)


@cache
def reader() -> PipReader:
    return PipReader()


def test_rough_corners_are_moved_to_where_they_are_seen() -> None:
    image, tiles = table()
    true = corners(tiles)
    rough = roughly(true, 1.5)
    seen = sharpened(image, rough, reader())
    before, after = (np.median(np.linalg.norm(one - true, axis=2)) for one in (rough, corners(seen)))
    assert after < 0.6 * before
    assert after < 0.8
    assert 0.3 < np.median([tile.uncertain_px for tile in seen]) < 2


def test_each_pip_is_found_once_and_its_middle_to_a_small_part_of_a_pixel() -> None:
    image, tiles = table()
    off = []
    for seen, true in zip(sharpened(image, roughly(corners(tiles), 1.0), reader()), tiles, strict=True):
        pips = np.array(true.pips_px).reshape(-1, 2)
        assert len(seen.pips_px) == len(pips)
        off += [np.linalg.norm(pips - pip, axis=1).min() for pip in seen.pips_px]
    assert np.median(off) < 0.5


def test_corners_that_cannot_be_seen_are_uncertain() -> None:
    image, tiles = table()
    seen, hidden = (
        np.median([tile.uncertain_px for tile in sharpened(one, corners(tiles), reader())])
        for one in (image, np.full_like(image, 128))
    )
    assert hidden > 2 * seen


def test_no_tiles_are_no_tiles() -> None:
    assert sharpened(table()[0], [], reader()) == []
