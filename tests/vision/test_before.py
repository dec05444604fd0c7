"""How much a picture still shows of the dominoes known from before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.laying import cardboard_upon
from vision.before import Before, unseen
from vision.picture import load
from vision.pips import PipReader
from vision.reader import Reader
from vision.scene import TileDetection
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

SAMPLES = Path(__file__).parents[2] / "sample_images"


@pytest.fixture(scope="module")
def picture() -> Image:
    """Dominoes on a table."""
    return load(str(SAMPLES / "all_fives.jpg"))


@pytest.fixture(scope="module")
def tile(picture: Image) -> TileDetection:
    """One of them, with pips on both halves."""
    return next(one for one in Reader().read(picture).tiles if all(one.pips) and not one.doubtful)


def test_halves_that_lie_bare_show_their_pips(picture: Image, tile: TileDetection) -> None:
    (seen,) = unseen(picture, Before([tile]), PipReader())
    assert min(seen.shows) > 0.9
    assert seen.held == (False, False)


def test_a_covered_half_shows_none(picture: Image, tile: TileDetection) -> None:
    x, y = (round(at) for at in tile.centers_px[0])
    half = round(0.5 * float(np.hypot(*np.subtract(*tile.centers_px))))
    hidden = picture.copy()
    hidden[y - half : y + half, x - half : x + half] = (40, 60, 120)
    (seen,) = unseen(hidden, Before([tile]), PipReader())
    assert seen.shows[0] < 0.2
    assert seen.shows[1] > 0.5


def test_nor_does_a_blank_for_it_looks_like_cardboard(picture: Image, tile: TileDetection) -> None:
    (seen,) = unseen(picture, Before([replace(tile, pips=(0, tile.pips[1]))]), PipReader())
    assert seen.shows[0] == 0


def test_where_cardboard_lay_it_is_remembered(picture: Image, tile: TileDetection) -> None:
    (seen,) = unseen(picture, Before([tile], cardboard_upon(tile).tetrominoes), PipReader())
    assert seen.held == (True, True)
