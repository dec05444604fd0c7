"""Dice by their top faces, even where the first impression is a little off."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.arrangements import Lying
from training.dice import die, random_die
from training.lens import Lens, looking_down
from training.look import Look
from training.render import Standing, render
from training.samples import set_of
from training.solids import Box
from vision.dice import PATCH, DieReader, dice_of, look_at, straightened
from vision.peaks import Spot
from vision.reader import Reader
from vision.scene import DieDetection, Point
from vision.straighten import Image, pyramid

pytestmark = pytest.mark.needs("cv2")

SAMPLES = Path(__file__).parents[2] / "sample_images"


@pytest.mark.parametrize("name", ["pieces", "bee_race"])
def test_a_die_is_told_though_the_first_impression_of_it_is_aside_and_too_small(name: str) -> None:
    picture, dice = _sample(name)
    corners = [np.array(die["corners_px"]) for die in dice]
    spots = [_aside(face) for face in corners]
    likely = [one.piece for one in dice_of(look_at(picture, spots, (), DieReader())) if one.chance > 0.7]
    found = [die for die in likely if isinstance(die, DieDetection)]
    told = [[die.value for die in found if _within(die.center_px, face)] for face in corners]
    assert told == [[die["value"]] for die in dice]


def test_a_die_shows_the_same_number_from_each_side() -> None:
    picture, dice = _sample("bee_race")
    seen = [straightened(pyramid(picture), np.array(die["corners_px"], np.float32)) for die in dice]
    turned = [np.rot90(patch) for patch in seen]
    reader = DieReader()
    for upright, left in zip(reader.look(seen), reader.look(turned), strict=True):
        assert left.chances == pytest.approx(upright.chances, abs=1e-4)
        x, y = upright.corners.T
        turned_left = np.stack([y, PATCH - 1 - x], axis=1)  # as np.rot90 turns the picture
        assert np.roll(left.corners, -1, axis=0) == pytest.approx(turned_left, abs=1e-2)


def _sample(name: str) -> tuple[Image, list[dict[str, Any]]]:
    dice: list[dict[str, Any]] = json.loads((SAMPLES / f"{name}.json").read_text())["dice"]
    return np.asarray(cv2.imread(str(SAMPLES / f"{name}.jpg")), np.uint8), dice


def _within(at: Point, face: NDArray[np.float64]) -> bool:
    return cv2.pointPolygonTest(face.astype(np.float32), at, False) > 0


def _aside(face: NDArray[np.float64]) -> Spot:
    """A spot as the detector gives it on a bad day: off by a fifth of an edge, too small, turned."""
    (dx, dy), edge = face[1] - face[0], float(np.linalg.norm(face[1] - face[0]))
    x, y = face.mean(0) + 0.2 * (face[1] - face[0])
    return Spot("die", (float(x), float(y)), 0.85 * edge, math.degrees(math.atan2(dy, dx)) + 8, (0.0, 0.0), 0.5)


@pytest.mark.parametrize("number", [4, 5])
def test_a_red_die_that_shows_the_number_it_lies_on_is_not_taken_for_that_half(number: int) -> None:
    pips = [((number + k) % 7, (number + 2 * k) % 7) for k in range(8)]
    laid = tuple(Lying(2.1 * (k % 4) - 3, 1.1 * (k // 4) - 1, 0, *both) for k, both in enumerate(pips))
    dominoes, white = set_of(3), (244.0, 244.0, 244.0)
    style = replace(random_die(np.random.default_rng(6)), body=(40.0, 30.0, 200.0), inks=(white,) * 7)

    def cast(lens: Lens, light_deg: float) -> Standing:
        box = Box(laid[0].x - 0.5, laid[0].y, 0.36, 0.36, 7.0, dominoes.thickness, 0.72)
        return die(lens, box, style, number, light_deg, np.random.default_rng(number))

    look = Look(looking_down(1280, 720, 60.0, 8.0, 5.0), dominoes)
    picture, truth = render(look, laid, np.random.default_rng(3), [cast])
    at = truth.dice[0].center_px
    assert [d.value for d in Reader().read(picture).dice if math.dist(d.center_px, at) < 20] == [number]
