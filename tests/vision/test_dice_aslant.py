"""Dice on a table seen from a chair: their tops are told, and their sides, which look squarer, are not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from training.arrangements import Lying
from training.dice import die, random_die
from training.lens import Lens, looking_down
from training.look import Look
from training.render import Standing, render
from training.samples import set_of
from training.solids import Box
from training.truth import Truth
from vision.detector import Detector
from vision.dice import DieReader, dice_of, look_at
from vision.dice_aslant import find_tops
from vision.reader import Reader
from vision.scene import DieDetection, Faint
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

LAID = tuple(Lying(2.3 * (k % 4) - 3.5, 1.3 * (k // 4) - 1, 0, k % 7, (2 * k + 1) % 7) for k in range(8))
NUMBERS = (3, 4, 5, 6)
WHITE, BLACK = (244.0, 244.0, 244.0), (25.0, 25.0, 25.0)


def thrown(k: int, number: int) -> Callable[[Lens, float], Standing]:
    """One of the dice, each of its own make."""
    style = random_die(np.random.default_rng((2, k)))
    box = Box(2 * k - 3, 2.6 + 0.5 * (k % 2), 0.4, 0.4, 20 * k + 20, 0.8)
    return lambda lens, light_deg: die(lens, box, style, number, light_deg, np.random.default_rng(k))


def table(tilt_deg: float) -> tuple[Image, Truth]:
    """Eight dominoes and four dice before them, seen from a chair."""
    look = Look(looking_down(1280, 720, 70.0, tilt_deg, 5.0), set_of(3))
    return render(look, LAID, np.random.default_rng(2), [thrown(k, number) for k, number in enumerate(NUMBERS)])


def right_and_others(seen: list[DieDetection], truth: Truth) -> tuple[int, int]:
    """How many of the dice are told with their numbers, and how much else is taken for a die."""
    right = sum(
        any(math.dist(one.center_px, lies.center_px) < 20 and one.value == lies.value for one in seen)
        for lies in truth.dice
    )
    return right, len(seen) - right


def likely(told: tuple[Faint, ...]) -> list[DieDetection]:
    return [one.piece for one in told if isinstance(one.piece, DieDetection) and one.chance > 0.5]


@pytest.mark.parametrize("tilt_deg", [52.0, 62.0])
def test_dice_are_told_from_a_low_chair(tilt_deg: float) -> None:
    picture, truth = table(tilt_deg)
    right, others = right_and_others(list(Reader().read(picture).dice), truth)
    assert right >= 3
    assert others <= 1


def of_one_kind(k: int, number: int) -> Callable[[Lens, float], Standing]:
    """One of some white dice that lie upon white dominoes, as Bee has them."""
    style = replace(random_die(np.random.default_rng(2)), body=WHITE, inks=(BLACK,) * 7, glow=0.0, wooden=False)
    box = Box(LAID[k].x - 0.5, LAID[k].y, 0.33, 0.33, 25 * k + 14, 0.66, 0.34)
    return lambda lens, light_deg: die(lens, box, style, number, light_deg, np.random.default_rng(k + 2))


@pytest.mark.parametrize("tilt_deg", [38.0, 42.0, 46.0])
def test_where_a_side_looks_as_long_as_a_top_it_is_told_by_its_place(tilt_deg: float) -> None:
    look = Look(looking_down(1280, 720, 60.0, tilt_deg, 8.0), set_of(3))
    dice = [of_one_kind(k, number) for k, number in enumerate(NUMBERS)]
    picture, truth = render(look, LAID, np.random.default_rng(2), dice)
    assert right_and_others(list(Reader().read(picture).dice), truth) == (len(NUMBERS), 0)


@pytest.mark.parametrize("tilt_deg", [42.0, 46.0])
def test_a_die_that_touches_another_on_the_near_side_is_no_side_of_it(tilt_deg: float) -> None:
    look = Look(looking_down(1280, 720, 70.0, tilt_deg, 0.0), set_of(3))
    style = replace(random_die(np.random.default_rng(2)), body=WHITE, inks=(BLACK,) * 7, glow=0.0, wooden=False)
    boxes = Box(0.0, 2.4, 0.4, 0.4, 30.0, 0.8), Box(-0.41, 3.11, 0.4, 0.4, 30.0, 0.8)

    def standing(box: Box, number: int) -> Callable[[Lens, float], Standing]:
        return lambda lens, light_deg: die(lens, box, style, number, light_deg, np.random.default_rng(number))

    dice = [standing(box, number) for box, number in zip(boxes, (5, 4), strict=True)]
    picture, truth = render(look, LAID, np.random.default_rng(2), dice)
    assert right_and_others(list(Reader().read(picture).dice), truth) == (2, 0)


def test_as_it_is_such_a_table_shows_sides_rather_than_tops() -> None:
    picture, truth = table(62.0)
    detector, reader, tiles = Detector(), DieReader(), Reader().read(picture).tiles
    spots, box = detector.pieces(picture), (0, 0, 1280, 720)
    as_it_is = right_and_others(likely(dice_of(look_at(picture, spots, tiles, reader))), truth)
    from_above = right_and_others(
        likely(dice_of(find_tops(picture, spots, tiles, detector.pieces, reader, box))), truth
    )
    assert from_above[0] > as_it_is[0]
    assert from_above[1] < as_it_is[1]


def test_a_table_seen_from_above_is_looked_at_as_it_is() -> None:
    picture, _ = table(5.0)
    detector, reader, tiles = Detector(), DieReader(), Reader().read(picture).tiles
    spots, box = detector.pieces(picture), (0, 0, 1280, 720)
    told = dice_of(find_tops(picture, spots, tiles, detector.pieces, reader, box))
    assert told == dice_of(look_at(picture, spots, tiles, reader))


def test_dice_far_from_the_tiles_are_told_too() -> None:
    """What the picture from above does not show is taken as it is seen."""
    far = Box(9.0, 12.0, 0.4, 0.4, 20.0, 0.8)
    style = random_die(np.random.default_rng(4))

    def cast(lens: Lens, light_deg: float) -> Standing:
        return die(lens, far, style, 5, light_deg, np.random.default_rng(5))

    look = Look(looking_down(1280, 720, 32.0, 45.0, 0.0), set_of(3))
    picture, truth = render(look, LAID, np.random.default_rng(2), [cast])
    assert right_and_others(list(Reader().read(picture).dice), truth)[0] == 1


def test_only_the_part_that_is_asked_for_is_told_of() -> None:
    picture, _ = table(52.0)
    detector, reader, tiles = Detector(), DieReader(), Reader().read(picture).tiles
    spots = [spot for spot in detector.pieces(picture) if spot.center[0] < 640]
    left = likely(dice_of(find_tops(picture, spots, tiles, detector.pieces, reader, (0, 0, 640, 720))))
    assert left
    assert all(one.center_px[0] < 640 for one in left)
