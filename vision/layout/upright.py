"""Which way up a grid is told: its rows grow down the picture, as nearly as they can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped

if TYPE_CHECKING:
    from calibration.homography import Array
    from vision.layout.lattice import Lattice


def quarters_of(to_table: Array, lattice: Lattice, middle: Array) -> int:
    """Return the quarter turns after which the grid's columns run right and its rows down, as seen at `middle`.

    to_table: (3, 3) homography from pixels to the table. middle: a point (x, y) of the table.
    """
    at = lattice.cells_at(middle)
    ends = mapped(inverse(to_table) @ lattice.matrix, at + np.array([[-0.5, 0], [0.5, 0]]))
    right, down = ends[1] - ends[0]
    return round(float(np.arctan2(down, right)) / (np.pi / 2))


def turned_back(quarters: int, left: int, top: int) -> Array:
    """Return the map (3, 3) from turned cells, counted from (left, top), back to the grid's own.

    Cells turn as wholes, so it pivots on the middle of one.
    """
    turn = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), quarters % 4)
    shift = turn @ [left - 0.5, top - 0.5] + 0.5
    return np.block([[turn, shift[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])
