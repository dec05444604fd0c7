"""What to change about a camera, in words."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.advice import advice, tile_px
from calibration.lens import Image
from calibration.plane import Plane
from calibration.plane_fit import area_around
from tests.calibration.test_lens import STRAIGHT
from tests.calibration.test_plane import aslant, seen_through

pytestmark = pytest.mark.needs("cv2")


def plane(height_mm: float, tilt_deg: float = 10.0, side_mm: float = 200.0) -> Plane:
    seen = seen_through(STRAIGHT, *aslant(tilt_deg, height_mm))
    return Plane(seen.to_mm, area_around((side_mm, side_mm)))


def grey(level: int = 150) -> Image:
    return np.full((720, 1280, 3), level, np.uint8)


def test_a_good_view_needs_no_advice() -> None:
    assert advice(grey(), plane(500.0), STRAIGHT) == ()


def test_small_tiles_say_how_long_they_would_be() -> None:
    told = advice(grey(), plane(800.0, 0.0), STRAIGHT)
    assert told == ("Nearer, or a larger picture: tiles would be 54 pixels long and 70 are needed.",)
    assert tile_px(plane(800.0, 0.0), STRAIGHT) == pytest.approx(54, abs=0.5)


def test_an_area_beyond_the_picture_and_a_steep_look_are_told() -> None:
    told = " ".join(advice(grey(), plane(400.0, 60.0, 700.0), STRAIGHT))
    assert "reaches over the picture's edge" in told
    assert "looks 60 degrees aslant" in told


@pytest.mark.parametrize(("left", "right", "where"), [(0, 200, "at the left"), (500, 700, "in the middle")])
def test_glare_is_told_with_its_place(left: int, right: int, where: str) -> None:
    frame = grey()
    frame[200:400, left:right] = 255
    assert advice(frame, plane(500.0), STRAIGHT) == (f"Glare {where}: move the lamp, or turn the camera a little.",)


def test_single_bright_pixels_are_no_glare_and_a_dark_picture_is_dark() -> None:
    frame = grey()
    frame[::8, ::8] = 255
    assert advice(frame, plane(500.0), STRAIGHT) == ()
    assert advice(grey(40), plane(500.0), STRAIGHT) == ("More light: the picture is too dark.",)
