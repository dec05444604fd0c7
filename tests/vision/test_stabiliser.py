"""A camera that shakes is held still; what moves on the table is no shake."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.shaking import shaken
from vision.camera import Frame
from vision.stabiliser import LATELY_S, Stabiliser
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

WIDTH, HEIGHT = 960, 540
LATELY = round(30 * LATELY_S)  # frames
EDGE = 24  # pixels: what comes into the picture there nobody knows


def dominoes() -> Image:
    """Light tiles with dark pips on a plain table."""
    table = np.full((HEIGHT, WIDTH, 3), (70, 90, 80), np.uint8)
    for y in range(90, 420, 110):
        for x in range(90, 860, 130):
            table[y : y + 80, x : x + 40] = 225
            cv2.circle(table, (x + 20, y + 20), 6, (20, 20, 20), -1)
    return cv2.GaussianBlur(table, (0, 0), 1.0).astype(np.uint8)


def moved(picture: Image, right: float, down: float) -> Image:
    step = np.array([[1, 0, right], [0, 1, down]], float)
    return np.asarray(cv2.warpAffine(picture, step, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def apart(one: Image, other: Image) -> float:
    """How many grey levels two pictures are apart where they differ most, but for the edge."""
    inside = slice(EDGE, -EDGE), slice(EDGE, -EDGE)
    return float(cv2.absdiff(one[inside], other[inside]).max())


def held(pictures: list[Image]) -> list[Image]:
    stabiliser = Stabiliser()
    return [stabiliser.held(Frame(picture, k / 30)).image for k, picture in enumerate(pictures)]


def under_arm(picture: Image, reach: int, tone: int) -> Image:
    over = picture.copy()
    over[:reach, WIDTH // 3 : WIDTH // 2] = tone
    return over


@pytest.mark.parametrize("far", [0.3, 1.0, 2.0])
def test_a_camera_that_trembles_is_held_still(far: float) -> None:
    still = dominoes()
    frames = [Frame(still, k / 30) for k in range(40)]
    pictures = [frame.image for frame in shaken(frames, far, 5)]
    at_first = pictures[0]
    assert max(apart(picture, at_first) for picture in pictures) > 20
    sharp = [apart(picture, at_first) for picture in held(pictures)]
    assert np.median(sharp) < max(apart(picture, at_first) for picture in pictures) / 4


def test_a_camera_that_stands_still_gives_its_very_frames() -> None:
    chance = np.random.default_rng(1)
    noisy = [np.clip(dominoes() + chance.normal(0, 3, (HEIGHT, WIDTH, 3)), 0, 255).astype(np.uint8) for _ in range(9)]
    assert all(one is other for one, other in zip(held(noisy), noisy, strict=True))


@pytest.mark.parametrize("tone", [15, 90, 240])
def test_an_arm_that_comes_in_moves_no_table(tone: int) -> None:
    still = dominoes()
    pictures = [under_arm(still, reach, tone) for reach in range(0, 400, 15)]
    assert all(one is other for one, other in zip(held(pictures), pictures, strict=True))


@pytest.mark.parametrize("tone", [15, 90, 240])
def test_a_table_is_held_still_beneath_an_arm(tone: int) -> None:
    still = dominoes()
    pictures = [still, *(under_arm(moved(still, 3 * np.sin(k), 2), 20 * k, tone) for k in range(1, 20))]
    below = slice(410, -EDGE), slice(EDGE, -EDGE)
    for picture in held(pictures)[1:]:
        assert cv2.absdiff(picture[below], still[below]).max() < 25


def test_a_sleeve_that_rests_and_creeps_takes_no_domino_along() -> None:
    bare = dominoes()
    chequered = np.where((np.indices((HEIGHT + 40, 300)) // 20).sum(axis=0) % 2, 40, 220).astype(np.uint8)

    def with_sleeve(creeps: int) -> Image:
        picture = bare.copy()
        picture[:300, 300:600] = chequered[40 - creeps : 340 - creeps, :, None]
        return picture

    pictures = [bare] * 9 + [with_sleeve(0)] * 90 + [with_sleeve(k // 3) for k in range(36)]
    assert all(cv2.absdiff(picture[310:], bare[310:]).max() < 25 for picture in held(pictures))


def test_a_camera_that_was_turned_elsewhere_is_held_still_there() -> None:
    here, there = dominoes(), moved(dominoes(), 70, 45)
    pictures = held([here] * 5 + [there] * (LATELY + 2) + [moved(there, 1.0, 0.5)] * 3)
    assert all(picture is there for picture in pictures[5:-3])
    assert apart(pictures[-1], there) < 12


def test_light_that_changes_moves_nothing() -> None:
    still, across = dominoes(), np.linspace(0, 1, WIDTH)[None, :, None]
    pictures = [np.asarray(still * (1 - 0.04 * k * across), np.uint8) for k in range(12)]
    assert all(one is other for one, other in zip(held(pictures), pictures, strict=True))


def test_a_camera_that_was_pushed_a_little_stands_there_half_a_second_later() -> None:
    there = moved(dominoes(), 9, -3)
    pictures = held([dominoes()] * 5 + [there] * (LATELY + 2))
    assert apart(pictures[6], dominoes()) < 25
    assert apart(pictures[-1], there) < 12


def test_a_camera_that_froze_while_it_trembled_shows_the_very_same_picture() -> None:
    trembling = [frame.image for frame in shaken((Frame(dominoes(), k / 30) for k in range(40)), 1.5, 5)]
    pictures = held([*trembling, *([trembling[-1]] * 150)])
    assert apart(pictures[-1], trembling[-1]) > 0
    assert all(np.array_equal(picture, pictures[-1]) for picture in pictures[-120:])
