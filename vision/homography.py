"""Plane to plane: points as a homography (3, 3) takes them, as from the picture to the table, and the way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def moved(matrix: Array, points: Array) -> Array:
    """Return the points (..., 2) after a homography (3, 3)."""
    flat = points @ matrix[:2, :2].T + matrix[:2, 2]
    depth = points @ matrix[2, :2] + matrix[2, 2]
    return np.asarray(flat / np.where(np.abs(depth) < 1e-9, 1e-9, depth)[..., None])


def inverse(matrix: Array) -> Array:
    """Return the homography (3, 3) that leads back."""
    return np.asarray(np.linalg.inv(matrix), float)
