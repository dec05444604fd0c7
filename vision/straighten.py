"""A tile cut out of the picture and laid straight, as the reading network wants it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import mapped
from vision.scene import Point

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

HALF = 64  # pixels a half on a straightened tile
MARGIN_X, MARGIN_Y = 16, 8  # pixels of the neighbourhood left around the tile
WIDTH, HEIGHT = 2 * HALF + 2 * MARGIN_X, HALF + 2 * MARGIN_Y

# The corners of the tile itself on the straightened picture, in the order of TileDetection.corners_px.
FRAME = (
    np.array([[0, 0], [0, HALF], [2 * HALF, HALF], [2 * HALF, 0]], np.float32)
    + np.array([MARGIN_X, MARGIN_Y], np.float32)
    - 0.5
)

# The middles of its head and of its tail there.
HALVES = np.array([[0.5 * HALF, 0.5 * HALF], [1.5 * HALF, 0.5 * HALF]]) + [MARGIN_X - 0.5, MARGIN_Y - 0.5]


def pyramid(frame: Image, smallest: int = 48) -> tuple[Image, ...]:
    """The picture and its halvings, so that a near tile can be shrunk without losing pips between pixels."""
    levels = [frame]
    while min(levels[-1].shape[:2]) >= 2 * smallest:
        levels.append(np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(levels)


def straighten(levels: Sequence[Image], corners_px: ArrayLike) -> Image:
    """The tile with these four corners, (80, 160, 3): its head at the left, a margin of its surroundings about it."""
    return onto(levels, corners_px, FRAME, (WIDTH, HEIGHT))


def onto(levels: Sequence[Image], corners_px: ArrayLike, frame: Floats, size: tuple[int, int]) -> Image:
    """A picture of this size (width, height) on which the four corners lie where `frame` (4, 2) has them."""
    corners = np.asarray(corners_px, np.float32)
    length = float(max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1])))
    shrink = max(length, 1.0) / float(np.linalg.norm(frame[3] - frame[0]))
    level = int(np.clip(np.floor(np.log2(shrink * 1.1)), 0, len(levels) - 1))
    at_level = (corners + 0.5) / 2**level - 0.5
    warp = cv2.getPerspectiveTransform(at_level.astype(np.float32), np.asarray(frame, np.float32))
    return np.asarray(
        cv2.warpPerspective(levels[level], warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def to_picture(corners_px: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """Points (n, 2) of the straightened tile, in pixels of the picture it was cut from."""
    warp = cv2.getPerspectiveTransform(FRAME, np.asarray(corners_px, np.float32))
    return mapped(warp, points)


def standardise(patch: Image) -> Floats:
    """Even out light and contrast: (3, 80, 160), mean 0, deviation about 1."""
    values = patch.astype(np.float32)
    inner = values[MARGIN_Y:-MARGIN_Y, MARGIN_X:-MARGIN_X]
    return np.asarray(((values - inner.mean()) / (inner.std() + 6.0)).transpose(2, 0, 1), np.float32)


def brighten(frame: Image) -> Floats:
    """A whole picture for the detector: (3, h, w), dark rooms lifted so that its brightest parts are near 1."""
    step = max(1, min(frame.shape[:2]) // 160)
    top = float(np.percentile(frame[::step, ::step].max(axis=2), 98))
    gain = 1.0 / max(top, 24.0)
    return np.asarray(cv2.dnn.blobFromImage(frame, gain)[0] - 0.5, np.float32)


def as_point(xy: NDArray[np.floating]) -> Point:
    """A place in pixels, (2,), as two numbers."""
    return float(xy[0]), float(xy[1])
