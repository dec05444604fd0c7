"""The lens: bent and straight pixels, other sizes of the same picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.errors import UnsuitableCalibration
from calibration.lens import Lens

pytestmark = pytest.mark.needs("cv2")

WEBCAM = Lens(
    (1280, 720), ((900.0, 0.0, 650.0), (0.0, 905.0, 350.0), (0.0, 0.0, 1.0)), (-0.3, 0.12, 0.001, -0.002, -0.02)
)
WIDE = Lens(
    (1280, 720), ((500.0, 0.0, 650.0), (0.0, 505.0, 350.0), (0.0, 0.0, 1.0)), (-0.03, 0.012, 0.001, -0.002), "fisheye"
)
STRAIGHT = Lens((1280, 720), ((900.0, 0.0, 650.0), (0.0, 900.0, 350.0), (0.0, 0.0, 1.0)))
LENSES = (WEBCAM, WIDE, STRAIGHT)

pixels = st.lists(st.tuples(st.floats(0, 1279), st.floats(0, 719)), min_size=1, max_size=8)


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
@settings(max_examples=25, derandomize=True, deadline=None)
@given(points=pixels)
def test_straightening_and_bending_undo_each_other(lens: Lens, points: list[tuple[float, float]]) -> None:
    assert np.allclose(lens.seen(lens.ideal(points)), points, atol=1e-5)


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
def test_half_the_size_sees_the_same_rays(lens: Lens) -> None:
    half = lens.scaled((640, 360))
    points = np.array([[100.0, 50.0], [640.0, 360.0], [1200.0, 700.0]])
    assert np.allclose((half.ideal((points + 0.5) / 2 - 0.5) + 0.5) * 2 - 0.5, lens.ideal(points), atol=1e-6)
    assert half.rms_px == lens.rms_px / 2


def test_another_shape_of_picture_is_refused_with_the_reason() -> None:
    with pytest.raises(UnsuitableCalibration, match=r"at 1280x720 and now gives 640x480.*another shape"):
        WEBCAM.scaled((640, 480))


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
def test_sensitivity_is_how_pixels_move(lens: Lens) -> None:
    points = np.array([[0.2, -0.1, 0.0], [-0.3, 0.2, 0.1]])
    place = np.array([0.1, -0.2, 0.3, 0.05, -0.02, 1.5])
    pixels, by = lens.sensitivity(points, place[:3], place[3:])
    for k in range(6):
        step = np.zeros(6)
        step[k] = 1e-6
        moved = lens.project(points, *np.split(place + step, 2))
        assert np.allclose((moved - pixels).ravel() / 1e-6, by[:, k], rtol=1e-3, atol=1e-2)
    assert by.shape[1] == 10 + len(lens.distortion)
