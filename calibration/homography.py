"""Plane to plane: points as a homography (3, 3) takes them, as from the picture to the table, and the way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def mapped(homography: ArrayLike, points: ArrayLike) -> Array:
    """Points (..., 2) as a homography (3, 3) maps them, (..., 2); what it takes to no place lies very far away."""
    matrix, flat = np.asarray(homography, np.float64), np.asarray(points, np.float64)
    depth = flat @ matrix[2, :2] + matrix[2, 2]
    flat = flat @ matrix[:2, :2].T + matrix[:2, 2]
    return np.asarray(flat / np.where(np.abs(depth) < 1e-9, 1e-9, depth)[..., None])


def inverse(homography: ArrayLike) -> Array:
    """The homography (3, 3) that leads back."""
    return np.asarray(np.linalg.inv(np.asarray(homography, np.float64)))
