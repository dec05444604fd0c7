"""Tables seen aslant and made straight: from above tiles look as they are, and the truth still lies on them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from training import arrangements
from training.arrangements import Lying
from training.lens import leaning, looking_down
from training.look import Look
from training.render import STRAIGHTENED, random_scene, render
from training.samples import set_of
from training.straightened import straightened
from training.truth import TrueTile

pytestmark = pytest.mark.needs("cv2")


def _sides(tile: TrueTile) -> tuple[float, float]:
    """How long and how wide a tile looks."""
    a, b, _, d = np.array(tile.corners_px)
    return float(np.linalg.norm(d - a)), float(np.linalg.norm(b - a))


def test_from_a_chair_tiles_look_flat_and_made_straight_twice_as_long_as_wide() -> None:
    lens = looking_down(640, 480, 40.0, 50.0, 0.0)
    look = Look(replace(lens, radial=0.0), set_of(3), table=(90.0, 120.0, 60.0))
    laid = (Lying(-2, 0, 90.0, 1, 2), Lying(0, 0, 90.0, 3, 4), Lying(2, 0, 90.0, 5, 6))
    picture, truth = render(look, laid, np.random.default_rng(3))
    _, straight = straightened(picture, truth, look.lens, np.random.default_rng(4))
    flat, upright = ([long / wide for long, wide in map(_sides, one.tiles)] for one in (truth, straight))
    assert max(flat) < 1.6
    assert upright == pytest.approx([2.0] * 3, rel=0.1)


def test_what_is_told_of_a_tile_still_lies_on_it() -> None:
    """A tile's own pixels are the same in both pictures."""
    lens = looking_down(640, 480, 40.0, 45.0, 20.0)
    look = Look(lens, set_of(5), table=(40.0, 40.0, 200.0))
    laid = arrangements.turned((Lying(-2, 0, 0.0, 1, 2), Lying(2, 1, 90.0, 3, 4)), 30.0)
    picture, truth = render(look, laid, np.random.default_rng(5))
    seen, straight = straightened(picture, truth, lens, np.random.default_rng(6))
    frame = np.array([[0, 0], [0, 40], [80, 40], [80, 0]], np.float32)
    for before, after in zip(truth.tiles, straight.tiles, strict=True):
        one, two = (
            cv2.warpPerspective(
                image, cv2.getPerspectiveTransform(np.array(tile.corners_px, np.float32), frame), (80, 40)
            ).astype(float)
            for image, tile in ((picture, before), (seen, after))
        )
        assert abs(one - two).mean() < 12


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_told_of_what_the_straight_picture_does_not_show(seed: int) -> None:
    picture, truth = random_scene(np.random.default_rng((12, seed)), 320, holding="upon", seen=STRAIGHTENED)
    assert picture.shape[1::-1] == truth.size_px
    outlines = [*(tile.corners_px for tile in truth.tiles), *(die.corners_px for die in truth.dice)]
    middles = [np.mean(outline, axis=0) for outline in outlines]
    assert all((middle >= 0).all() and (middle < truth.size_px).all() for middle in middles)


def test_who_sits_at_the_table_looks_at_it_aslant() -> None:
    lens = leaning(looking_down(640, 480, 40.0, 0.0, 0.0), np.random.default_rng(1))
    up = lens.rotation[2, 2]  # how straight the camera looks down
    assert np.degrees(np.arccos(abs(up))) >= 25
