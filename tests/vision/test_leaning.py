"""How a table leans, told by a few tiles: other tiles on the same table then look like tiles, too."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import mapped
from training.lens import Lens, looking_down
from vision.leaning import to_table

pytestmark = pytest.mark.needs("cv2")

Floats = NDArray[np.float64]
SIZE = (1280, 960)
LYING = ((-4.0, 2.0, 20.0), (3.0, -3.0, 100.0), (5.0, 3.0, 60.0))
ELSEWHERE = ((0.0, 0.0, 0.0), (-3.0, -3.0, 45.0), (2.0, 3.0, 90.0))


def face(lens: Lens, x: float, y: float, turn_deg: float) -> Floats:
    """A tile's corners as the lens sees them, where it lies about (x, y) in halves, turned by so much."""
    a = np.deg2rad(turn_deg)
    along, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)]) / 2
    corners = np.array([x, y]) + [-along - across, -along + across, along + across, along - across]
    return lens.project([(*corner, 0.0) for corner in corners])


def off(matrix: Floats, quad: Floats) -> float:
    """How far a face is from a tile on the table: in its length, in its width, or at its corners."""
    a, b, c, d = mapped(matrix, quad)
    along, across = (c + d - a - b) / 4, (b + c - a - d) / 2
    return float(max(abs(np.linalg.norm(along) - 1), abs(np.linalg.norm(across) - 1), abs(along @ across)))


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 45.0, 58.0])
@pytest.mark.parametrize(("count", "most"), [(1, 0.3), (2, 0.12), (3, 0.08)])
def test_the_more_tiles_the_surer_others_look_like_tiles(tilt_deg: float, count: int, most: float) -> None:
    lens = looking_down(*SIZE, 60.0, tilt_deg, 30.0)
    matrix = to_table([face(lens, *one) for one in LYING[:count]], [1.0] * count, SIZE)
    assert max(off(matrix, face(lens, *one)) for one in ELSEWHERE) < most


def test_what_is_hardly_a_tile_hardly_counts() -> None:
    lens = looking_down(*SIZE, 60.0, 45.0, 30.0)
    tiles = [face(lens, *one) for one in LYING]
    upright = np.array([[900.0, 300.0], [1000.0, 300.0], [1000.0, 520.0], [900.0, 520.0]])
    matrix = to_table([*tiles, upright], [1.0, 1.0, 1.0, 0.1], SIZE)
    assert max(off(matrix, face(lens, *one)) for one in ELSEWHERE) < 0.1


def test_a_tile_seen_from_above_is_as_it_looks() -> None:
    square = np.array([[600.0, 400.0], [600.0, 450.0], [700.0, 450.0], [700.0, 400.0]])
    matrix = to_table([square], [1.0], SIZE)
    assert off(matrix, square) < 0.1
    assert off(matrix, square - [200, 0]) < 0.15
