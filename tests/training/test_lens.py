"""Cameras near and far: what they show as large, and what of the sides of things."""

from __future__ import annotations

import numpy as np
import pytest

from training.lens import looking_down, zoomed


def test_a_camera_that_zooms_in_from_afar_shows_the_table_as_large_and_less_of_the_sides() -> None:
    near = looking_down(640, 480, 50.0, tilt_deg=0.0, turn_deg=0.0)
    far = zoomed(near, 4.0)
    on_table, on_top = np.array([[3.0, 2.0, 0.0]]), np.array([[3.0, 2.0, 1.0]])
    assert far.project(on_table) == pytest.approx(near.project(on_table))
    sides = [float(np.linalg.norm(lens.project(on_top) - lens.project(on_table))) for lens in (near, far)]
    assert 3.5 < sides[0] / sides[1] < 5
