"""The table: pixels and millimetres both ways, where the camera is, planes above the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.lens import Lens, Points, as_matrix
from calibration.plane import Plane
from calibration.plane_fit import area_around, framed, seen_area
from tests.calibration.test_lens import LENSES, WEBCAM

pytestmark = pytest.mark.needs("cv2")

POINTS = np.array([[-200.0, -100.0], [0.0, 0.0], [150.0, 90.0]])


def aslant(tilt_deg: float, height_mm: float, side: float = 1.0) -> tuple[Points, Points]:
    """The turn and shift of a table whose origin the camera sees in the middle; side -1 as a mirror shows it."""
    turn = cv2.Rodrigues(np.array([-np.radians(tilt_deg), 0.0, 0.0]))[0] @ np.diag([side, 1.0, side])
    return np.asarray(turn, np.float64), np.array([0.0, 0.0, height_mm / np.cos(np.radians(tilt_deg))])


def seen_through(lens: Lens, turn: Points, shift: Points) -> Plane:
    return Plane(as_matrix(np.linalg.inv(np.array(lens.matrix) @ np.column_stack([turn[:, :2], shift]))))


@pytest.mark.parametrize("lens", LENSES, ids=("webcam", "wide", "straight"))
@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_pixels_and_millimetres_undo_each_other(lens: Lens, tilt: float) -> None:
    plane = seen_through(lens, *aslant(tilt, 700.0))
    assert np.allclose(plane.to_table(plane.to_picture(POINTS, lens), lens), POINTS, atol=1e-4)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_camera_knows_its_height_and_tilt(tilt: float, side: float) -> None:
    at = seen_through(WEBCAM, *aslant(tilt, 700.0, side)).viewpoint(WEBCAM)
    assert at.height_mm == pytest.approx(700.0, abs=0.1)
    assert at.tilt_deg == pytest.approx(tilt, abs=0.01)


def test_a_raised_plane_is_where_the_faces_of_tiles_are() -> None:
    turn, shift = aslant(30.0, 700.0)
    table = seen_through(WEBCAM, turn, shift)
    above = np.column_stack([POINTS, np.full(len(POINTS), -9.0)])  # z points away from the camera
    pixels = WEBCAM.project(above, cv2.Rodrigues(turn)[0], shift)
    assert np.allclose(table.raised(9.0, WEBCAM).to_table(pixels, WEBCAM), POINTS, atol=1e-3)


def test_a_framed_plane_runs_to_the_right_and_down_from_its_origin() -> None:
    turn, shift = aslant(30.0, 700.0)
    spun = np.asarray(turn @ cv2.Rodrigues(np.array([0.0, 0.0, 2.0]))[0], np.float64)
    plane = framed(seen_through(WEBCAM, spun, shift), (650.0, 350.0))
    here, right, down = plane.to_table(WEBCAM.seen([[650.0, 350.0], [700.0, 350.0], [650.0, 400.0]]), WEBCAM)
    assert np.allclose(here, 0, atol=1e-6)
    assert right[0] > 10
    assert abs(right[1]) < 1
    assert down[1] > 10
    assert plane.viewpoint(WEBCAM).tilt_deg == pytest.approx(30.0, abs=0.01)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 75.0])
def test_the_seen_area_lies_in_the_picture_and_ends_before_the_horizon(tilt: float) -> None:
    plane = seen_through(WEBCAM, *aslant(tilt, 700.0))
    area = np.array(seen_area(plane, WEBCAM.size_px, WEBCAM))
    pixels = plane.to_picture(area, WEBCAM)
    assert (pixels > 0).all()
    assert (pixels < WEBCAM.size_px).all()
    middle = plane.to_table([np.array(WEBCAM.size_px) / 2], WEBCAM)
    assert np.linalg.norm(area - middle, axis=1).max() < 1501


def test_an_area_is_wide_and_deep_round_a_point() -> None:
    assert area_around((600, 400), (10, 0)) == ((-290, -200), (310, -200), (310, 200), (-290, 200))
