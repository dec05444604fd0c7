"""What light and a camera make of a tile: the numbers stay where they are."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from training.augment import Image, Rng, burnt, recolored, shaded, smeared, worn

pytestmark = pytest.mark.needs("cv2")

GREY = np.full((80, 160, 3), 100, np.uint8)
DOT = GREY.copy()
DOT[38:42, 78:82] = 250


def changed(way: Callable[[Image, Rng], Image], image: Image) -> list[Image]:
    """What a way makes of a picture, wherever it makes anything of it."""
    made = [way(image, np.random.default_rng(seed)) for seed in range(400)]
    return [one for one in made if (one != image).any()]


def test_a_shadow_has_two_sides_and_an_edge() -> None:
    pictures = changed(shaded, GREY)
    assert 40 < len(pictures) < 140
    for picture in pictures:
        assert picture.min() < 0.9 * picture.max()
    assert sum(picture.max() > 110 for picture in pictures) > 5  # now and then it is the sun that comes in
    steepest = [
        max(abs(np.diff(p[..., 1].astype(int), axis=k)).max() / np.ptp(p[..., 1]) for k in (0, 1)) for p in pictures
    ]
    assert min(steepest) < 0.15
    assert max(steepest) > 0.5


def test_where_small_things_are_told_the_edge_goes_through_one_of_them() -> None:
    at = np.array([[30.0, 40.0], [130.0, 40.0]])
    pictures = changed(lambda image, rng: shaded(image, rng, at), GREY)
    assert 140 < len(pictures) < 260
    across = [max(np.ptp(p[20:60, 10:50]), np.ptp(p[20:60, 110:150])) > 0.5 * np.ptp(p) for p in pictures]
    assert sum(across) > 0.9 * len(pictures)


def test_too_much_light_leaves_only_white() -> None:
    for picture in changed(burnt, DOT):
        assert (picture >= DOT).all()
        assert picture.max() == 255


def test_a_blur_moves_nothing() -> None:
    rows, cols = np.mgrid[:80, :160]
    for picture in changed(smeared, DOT):
        light = picture[..., 0].astype(float) - 100
        assert (light * cols).sum() / light.sum() == pytest.approx(79.5, abs=0.6)
        assert (light * rows).sum() / light.sum() == pytest.approx(39.5, abs=0.6)
        assert (picture > 100).sum() > (DOT > 100).sum()


def test_worn_pips_are_fainter_and_where_they_were() -> None:
    tile = np.full((80, 160, 3), 40, np.uint8)
    tile[8:72, 16:144] = 200
    tile[20:32, 30:42] = 60
    pictures = changed(worn, tile)
    assert 30 < len(pictures) < 90
    for picture in pictures:
        assert (picture[:8] == 40).all()  # all around is as it was
        assert picture[60, 130].tolist() == [200] * 3
        assert 60 <= picture[26, 36, 0] <= 60 + 0.82 * 140
    assert max(picture[26, 36, 0] for picture in pictures) > 150


def test_other_colours_leave_what_differs_to_differ_though_it_may_be_as_light() -> None:
    pictures = changed(recolored, DOT)
    light = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(int) for picture in pictures]
    lighter = [abs(grey[40, 80] - grey[5, 5]) for grey in light]
    other = [np.ptp(picture.astype(int)[[40, 5], [80, 5]], axis=0).max() for picture in pictures]
    assert sum(a < 15 and b > 40 for a, b in zip(lighter, other, strict=True)) > 10
    assert np.percentile(other, 5) > 20
