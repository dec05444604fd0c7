"""What is said where a picture does not show enough: dark, blurred, too far away."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pipsight.commands.demo import SAMPLES
from vision.advice import BLURRED, BLURRY, DARK, TOO_BRIGHT, blur
from vision.picture import load
from vision.reader import Reader
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

READER = Reader()


def table() -> Image:
    return load(SAMPLES / "mountains_solved.jpg")


def smaller(image: Image, by: float) -> Image:
    return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)


def test_a_good_picture_needs_no_advice() -> None:
    assert READER.read(table()).advice == ()


def test_a_picture_out_of_focus_is_said_to_be_blurred() -> None:
    soft = np.asarray(cv2.GaussianBlur(table(), (0, 0), 14), np.uint8)
    assert blur(table()) < BLURRY < blur(soft)
    assert READER.read(soft).advice == (BLURRED,)


def test_a_picture_in_which_nothing_can_be_seen_is_said_to_be_dark() -> None:
    night = np.random.default_rng(2).integers(0, 8, (480, 640, 3)).astype(np.uint8)
    assert READER.read(night).advice == (DARK,)


def test_a_table_that_is_burnt_white_is_said_to_be_too_bright() -> None:
    cloth = np.random.default_rng(1).integers(230, 255, (480, 640, 3)).astype(np.uint8)
    assert READER.read(cloth).advice == ()
    cloth[:, :400] = 255
    assert READER.read(cloth).advice == (TOO_BRIGHT,)


def test_dominoes_in_the_dark_are_read_as_long_as_the_camera_sees_them() -> None:
    dim = (table() // 20).astype(np.uint8)
    assert [t.pips for t in READER.read(dim).tiles] == [t.pips for t in READER.read(table()).tiles]


@pytest.mark.parametrize("by", [0.24, 0.1])
def test_dominoes_too_small_to_read_are_said_to_be(by: float) -> None:
    told = READER.read(smaller(table(), by)).advice
    assert "come nearer" in told[0]


def test_dominoes_too_small_to_read_in_a_part_of_a_large_photo_are_said_to_be() -> None:
    tiny = smaller(table(), 0.09)
    photo = np.random.default_rng(1).integers(100, 112, (2250, 3000, 3)).astype(np.uint8)
    photo[1700 : 1700 + tiny.shape[0], 2300 : 2300 + tiny.shape[1]] = tiny
    assert "come nearer" in READER.read(photo).advice[0]


def test_an_empty_table_in_good_light_needs_no_advice() -> None:
    cloth = np.random.default_rng(1).integers(90, 140, (480, 640, 3)).astype(np.uint8)
    assert READER.read(cloth).advice == ()
