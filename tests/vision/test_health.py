"""What keeps a camera from showing the table, told in a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Frame
from vision.health import Health
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")


def told(*pictures: Image, noise: float = 2.0, live: bool = True) -> str:
    """What is said at last of ten seconds of each of these pictures, as a camera sees them, with its noise."""
    health, rng, said = Health(), np.random.default_rng(1), ""
    for number, picture in enumerate(picture for picture in pictures for _ in range(50)):
        seen = np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
        said = health.trouble(Frame(seen, number / 5), live=live)
    return said


def lit(table: float, domino: float) -> Image:
    """A plain table with one domino on it."""
    picture = np.full((180, 320, 3), table, np.uint8)
    picture[90:106, 100:132] = domino
    return picture


def test_a_table_in_the_light_is_fine() -> None:
    assert told(lit(120, 230)) == ""


def test_one_white_domino_on_a_black_table_is_fine() -> None:
    assert told(lit(2, 240)) == ""


def test_a_room_without_light_is_too_dark() -> None:
    assert "too dark" in told(lit(2, 9))
    assert "too dark" in told(lit(2, 25), noise=6.0)


def test_a_hand_over_the_lens_covers_it() -> None:
    assert "covers the camera" in told(lit(120, 230), lit(70, 70))
    coming = [np.where(np.arange(320)[None, :, None] < edge, 70, lit(120, 230)).astype(np.uint8) for edge in (99, 250)]
    health = Health()
    shots = [*[lit(120, 230)] * 30, *coming, *[lit(70, 70)] * 30]
    assert "covers the camera" in [health.trouble(Frame(shot, k / 10), live=False) for k, shot in enumerate(shots)][-1]


def test_a_bare_table_is_fine_before_the_first_domino_lies_there_and_after_the_last_has_gone() -> None:
    assert told(lit(200, 200)) == ""
    assert told(lit(200, 200), lit(200, 20), lit(200, 200)) == ""


def test_a_picture_that_never_changes_is_frozen_where_a_camera_takes_it() -> None:
    assert "same picture" in told(lit(120, 230), noise=0.0)
    assert told(lit(120, 230), noise=0.0, live=False) == ""


def test_a_hand_over_the_lens_shows_no_table_from_its_first_picture_on() -> None:
    health, shots = Health(), [lit(120, 230), lit(120, 230), lit(70, 70), lit(2, 9), lit(120, 230)]
    shown = list[bool]()
    for k, shot in enumerate(shots):
        assert health.trouble(Frame(shot, k / 10), live=True) == ""
        shown.append(health.shows)
    assert shown == [True, True, False, False, True]
