"""Tiles and pictures of tiles: what lies there as a thing, and what is printed on paper or on a box."""

from __future__ import annotations

import numpy as np
import pytest

from training.render import random_scene
from vision.relief import HEIGHT, UTMOST, WIDTH, Relief, flatter, surroundings
from vision.straighten import pyramid

pytestmark = pytest.mark.needs("cv2", "onnxruntime")

SCENES = 18


def shown(seed: int) -> tuple[list[float], list[float]]:
    """What speaks for the tiles of a rendered scene, and for the printed ones."""
    picture, truth = random_scene(np.random.default_rng((77, seed)), holding="sheets")
    levels, relief = pyramid(picture), Relief()
    lying = [tile.corners_px for tile in truth.tiles if tile.visible > 0.97]
    looks = (relief.odds([surroundings(levels, quad) for quad in quads]) for quads in (lying, truth.lookalikes))
    tiles, printed = looks
    return tiles, printed


def test_what_is_around_tells_tiles_from_printed_ones_more_often_than_not() -> None:
    told = [shown(seed) for seed in range(SCENES)]
    tiles, printed = (np.concatenate([one[k] for one in told]) for k in range(2))
    assert len(tiles) > 60
    assert len(printed) > 20
    assert (tiles > 0).mean() > 0.85
    assert (printed < 0).mean() > 0.8
    assert -UTMOST <= printed.min() <= tiles.max() <= UTMOST


def test_what_stands_out_less_than_the_tiles_besides_it_is_told_from_them() -> None:
    lies, sure = [6.0, 5.0, 7.0, -2.0, 6.5], [True, True, True, False, False]
    assert flatter(lies, sure) == [0.0, -1.5, 0.0, -8.0, 0.0]
    assert flatter(lies[:2], sure[:2]) == [0.0, 0.0]  # one other tile tells nothing yet
    assert flatter([], []) == []


def test_the_surroundings_of_a_place_are_as_wide_wherever_it_lies() -> None:
    picture = np.full((200, 300, 3), 90, np.uint8)
    for x, y in ((150, 100), (5, 5), (295, 190)):
        quad = np.array([[x, y], [x, y + 20], [x + 40, y + 20], [x + 40, y]], np.float32)
        assert surroundings(pyramid(picture), quad).shape == (HEIGHT, WIDTH, 3)
    assert Relief().odds([]) == []
