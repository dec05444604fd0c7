"""Whether the camera keeps its settings is told by the picture, whatever its driver says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.lens import Image
from calibration.steadiness import Steadiness
from tests.calibration.staging import frame

pytestmark = pytest.mark.needs("cv2")


@cache
def table() -> Image:
    return frame()


def sheet_over(k: int) -> Image:
    """The table with a white sheet that comes in over a quarter of it, and goes."""
    picture = table().copy()
    if 8 <= k < 22:
        picture[60:240, 10 * k - 60 : 10 * k + 180] = 235
    return picture


def told(change: Callable[[Image, int], Image]) -> tuple[str, ...]:
    steadiness, rng = Steadiness(), np.random.default_rng(1)
    for k in range(30):
        noise = rng.normal(0, 2.5, table().shape)
        steadiness.see(np.clip(change(sheet_over(k), k) + noise, 0, 255).astype(np.uint8))
    return steadiness.warnings()


def test_a_camera_that_keeps_its_settings_is_not_blamed_for_the_sheet() -> None:
    assert told(lambda picture, k: picture) == ()


def test_an_exposure_that_follows_the_sheet_is_noticed() -> None:
    words = told(lambda picture, k: np.asarray(picture * (0.75 if 10 <= k < 24 else 1.0), np.uint8))
    assert len(words) == 1
    assert words[0].startswith("The camera changes its exposure by itself: the picture became 3")


def test_a_white_balance_that_wanders_is_noticed() -> None:
    words = told(lambda picture, k: np.asarray(picture * [1 - k / 200, 1.0, 1.0], np.uint8))
    assert [word[:39] for word in words] == ["The camera changes its white balance by"]


def test_a_focus_that_hunts_is_noticed() -> None:
    words = told(lambda picture, k: np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.5) if k > 15 else picture, np.uint8))
    assert [word[:29] for word in words] == ["The camera focuses by itself:"]


def test_few_frames_tell_nothing() -> None:
    steadiness = Steadiness()
    steadiness.see(table())
    assert steadiness.changes() == {}
    assert steadiness.warnings() == ()
