"""What to change about a camera, in words."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.advice import advice, tile_px
from calibration.lens import Image, Lens
from calibration.plane import Plane
from calibration.plane_fit import area_around
from tests.calibration.test_lens import LENSES, STRAIGHT
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
    assert tile_px(plane(800.0, 0.0), STRAIGHT, STRAIGHT.size_px) == pytest.approx(54, abs=0.5)


def test_an_area_beyond_the_picture_and_a_steep_look_are_told() -> None:
    told = " ".join(advice(grey(), plane(400.0, 60.0, 700.0), STRAIGHT))
    assert "reaches over the picture's edge" in told
    assert "looks 60 degrees aslant" in told


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
@pytest.mark.parametrize(("tilt", "side_mm"), [(0.0, 6000.0), (45.0, 2200.0), (45.0, 20000.0), (-45.0, 20000.0)])
def test_an_area_far_beyond_the_picture_reaches_over_its_near_edge_too(lens: Lens, tilt: float, side_mm: float) -> None:
    """Whether a bent lens sees nothing there, or it lies behind the camera."""
    seen = seen_through(lens, *aslant(tilt, 700.0))
    told = advice(grey(), Plane(seen.to_mm, area_around((side_mm, side_mm))), lens)[0]
    assert "reaches over the picture's edge" in told
    assert ("top" if tilt < 0 else "bottom") in told


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
def test_a_tile_is_never_longer_than_where_it_is_nearest_however_far_the_area_reaches(lens: Lens) -> None:
    seen = seen_through(lens, *aslant(0.0, 700.0))
    lengths = [
        tile_px(Plane(seen.to_mm, area_around((side, side))), lens, lens.size_px) for side in (300.0, 3000.0, 20000.0)
    ]
    assert lengths == sorted(lengths, reverse=True)


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
