"""A domino wholly under cardboard lies there still."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.laying import Eye, Laid, detection
from vision.following.evidence import Evidence
from vision.following.sighting import Sighting
from vision.picture import load
from vision.pips import PipReader
from vision.reader import Reader
from vision.scene import Scene, TetrominoDetection, TileDetection
from vision.straighten import Image
from vision.vanished import Before, Vanished, unseen

pytestmark = pytest.mark.needs("cv2")

SAMPLES = Path(__file__).parents[2] / "sample_images"


def lost(x: float, pips: tuple[int, int] = (2, 3)) -> Sighting:
    """A domino that a hand is believed to have taken away."""
    tile = detection(Laid(x, 0.0, 0.0, pips), Eye(), 0.0, np.random.default_rng(0))
    return Sighting(tile, 0.9, Evidence.none(), 3, covered=True, empty=3)


def cardboard(tile: TileDetection) -> Scene:
    """A table on which cardboard lies upon this domino and beside it."""
    (x, y), (x2, y2) = tile.centers_px
    squares = tuple((x + k * (x2 - x), y + k * (y2 - y)) for k in range(4))
    return Scene((960, 540), tetrominoes=(TetrominoDetection(squares, True, 0.9),))


def test_a_domino_comes_back_with_the_cardboard_upon_it() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(Scene((960, 540)), [])
    (back,) = vanished.come_back(cardboard(one.tile), [])
    assert back.tile == one.tile
    assert not back.covered
    assert not back.empty
    assert not vanished.tiles


def test_one_that_lies_elsewhere_now_does_not() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(cardboard(one.tile), [lost(5.0)])
    assert not vanished.tiles


def test_nor_one_in_whose_place_another_lies() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(cardboard(one.tile), [lost(0.5, pips=(4, 4))])


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
    (seen,) = unseen(picture, Before([tile], cardboard(tile).tetrominoes), PipReader())
    assert seen.held == (True, True)
