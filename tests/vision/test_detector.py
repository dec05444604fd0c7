"""Which levels of a picture are looked at."""

import numpy as np
import pytest

from training.arrangements import Lying
from training.dice import die, random_die
from training.lens import looking_down
from training.look import Look
from training.render import random_scene, render, staged
from training.samples import set_of
from training.solids import Box
from vision.detector import LIKELY, Detector, Found, _small
from vision.peaks import Candidate

pytestmark = pytest.mark.needs("cv2")


def test_a_heap_of_small_tiles_is_not_taken_for_a_few_large_ones() -> None:
    """From far away some heaps look like one large tile; the finest level shows what lies there."""
    heap, truth = random_scene(np.random.default_rng((1_000_003, 32)))
    longest = max(float(np.ptp(np.array(tile.corners_px), axis=0).max()) for tile in truth.tiles)
    likely = [c for c in Detector().tiles(heap) if c.score > LIKELY and 2 * np.hypot(*c.along) < 1.3 * longest]
    assert len(truth.tiles) > 10
    assert len(likely) > len(truth.tiles) / 2


@pytest.mark.parametrize("size", [(9, 4000), (4000, 9), (36, 9000)])
def test_a_strip_of_a_picture_holds_nothing_and_breaks_nothing(size: tuple[int, int]) -> None:
    assert Detector().find(np.full((*size, 3), 120, np.uint8)).tiles == ()


def test_tiles_that_are_tiny_in_a_large_picture_are_looked_for_more_finely() -> None:
    laid = tuple(Lying(3.0 * (k % 6) - 7.5, 2.0 * (k // 6) - 3, 0.0, k % 7, (3 * k) % 7) for k in range(24))
    image, truth = staged(laid, set_of(0), np.random.default_rng(5), 2560, 1920, half_px=25)
    middles = [np.mean(tile.corners_px, axis=0) for tile in truth.tiles]
    found = [c.center for c in Detector().find(image).tiles if c.score > LIKELY]
    seen = [min(np.hypot(*(np.array(at) - middle)) for at in found) < 12 for middle in middles]
    assert sum(seen) >= 22


def test_a_field_of_tiny_tiles_is_not_taken_for_fewer_that_are_longer() -> None:
    laid = tuple(Lying(2.08 * (k % 7) - 6.2, 1.06 * (k // 7) - 1.6, 0.0, k % 7, (3 * k) % 7) for k in range(28))
    image, truth = staged(laid, set_of(7), np.random.default_rng(5), 3000, 2250, half_px=18)
    middles = [np.mean(tile.corners_px, axis=0) for tile in truth.tiles]
    found = [c.center for c in Detector().find(image).tiles if c.score > LIKELY]
    assert sum(any(np.hypot(*(np.array(at) - middle)) < 6 for at in found) for middle in middles) >= 26


@pytest.mark.parametrize(("score", "wanted"), [(0.55, True), (0.95, False)])
def test_small_tiles_are_looked_for_beside_something_large_that_may_be_none(score: float, wanted: bool) -> None:
    large = Candidate((400.0, 300.0), (140.0, 0.0), (0.0, 70.0), score, face_up=True)
    small = [Candidate((50.0 * k, 90.0), (10.0, 0.0), (0.0, 5.0), 0.25, face_up=True) for k in range(5)]
    assert _small([Found((large, *small), ())], 1.0) is wanted


def test_dice_that_are_tiny_are_looked_for_more_finely_than_the_picture_shows_them() -> None:
    """Tiles are not: enlarged, more things look like some."""
    rng = np.random.default_rng(2)
    style, box = random_die(rng), Box(1.5, 2.0, 0.4, 0.4, 20, 0.8)
    look = Look(looking_down(320, 180, 12.0, 10.0, 5.0), set_of(3))
    image, _ = render(look, (Lying(0, 0, 0, 3, 5),), rng, [lambda lens, deg: die(lens, box, style, 5, deg, rng)])
    finely, as_it_is = Detector().find(image), Detector().find(image, finer=False)
    assert len(finely.pieces) > len(as_it_is.pieces)
    assert finely.tiles == as_it_is.tiles
