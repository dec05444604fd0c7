"""The table seen straight from above: the tiles are of one size and their corners square, which levels the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.homography import Array, mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.scene import TileDetection

# A tile's size as read strays by this share; the view of a camera over a table seldom narrows faster than this a half.
_SIZE_STRAYS = 0.03
_TILT_A_HALF = 0.03
# One over the usual error of a tile's length, of its width, and of how square its corners are.
_SHAPE_WEIGHTS = (20.0, 6.0, 12.0)
_STEPS, _STEP = 4, 1e-4
_FLATTEST = 0.1  # how far the table may be pressed together at most
_FARTHEST_PX = 1e6
# Length and width, in halves, of what can be a tile like the others.
_SMALLEST = np.array([1.3, 0.6])
_SQUARE = 1.7  # halves: how wide a square is on which a tile just fits cornerwise
_LARGEST = np.array([2.9, 1.6])


@dataclass(frozen=True)
class Level:
    """Where the tiles lie on the table, the tilt of the camera taken out.

    to_table: (3, 3) homography from pixels to the table, in units of half a tile's length, turned as the picture is.
    middles: (n, 2) middles of the tiles. angles: (n,) directions from head to tail in radians, x towards y.
    usable: (n,) False where a detection cannot be a tile of the same size as the others.
    """

    to_table: Array
    middles: Array
    angles: Array
    usable: NDArray[np.bool_]


def leveled(tiles: Sequence[TileDetection]) -> Level:
    """Return where each tile lies on the table, in halves, whatever the camera's turn and tilt."""
    points = _finite(np.array([(*tile.corners_px, *tile.centers_px) for tile in tiles], float).reshape(-1, 6, 2))
    areas = _areas(points)
    sound = (areas > 1.0) & (np.linalg.norm(points[:, 5] - points[:, 4], axis=1) > 0.5)
    matrix = _leveling(points, areas, sound)
    seen = mapped(matrix, points)
    along, across = _sides(seen)
    sizes = np.column_stack([2 * np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)])
    likely = (sizes > _SMALLEST).all(1) & (sizes < _LARGEST).all(1)
    return Level(matrix, seen.mean(1), np.arctan2(along[:, 1], along[:, 0]), sound & likely)


def leveling(faces: Array) -> Array:
    """Return the homography (3, 3) from pixels to the table, in halves, by the corners (n, 4, 2) of tiles alone."""
    head, tail = faces[:, :2].mean(axis=1), faces[:, 2:].mean(axis=1)
    points = np.concatenate([faces, np.stack([0.75 * head + 0.25 * tail, 0.25 * head + 0.75 * tail], axis=1)], axis=1)
    areas = _areas(points)
    return _leveling(points, areas, areas > 0)


def _leveling(points: Array, areas: Array, sound: NDArray[np.bool_]) -> Array:
    """Return the homography that levels tiles with these corners and middles (n, 6, 2), by those that are sound."""
    to_halves = _to_halves(points[sound], areas[sound])
    seen = mapped(to_halves, points)
    untilted = _without_tilt(seen, sound)
    square = _square(*_sides(mapped(untilted, seen[sound])))
    return _rectified(square @ untilted, seen, sound) @ to_halves


def leveled_by(to_table: Array, tiles: Sequence[TileDetection]) -> Level:
    """Return where each tile lies on the table, in halves, where something else than the tiles tells its tilt.

    to_table: (3, 3) homography from pixels to the table, in the squares of a board on which tiles lie cornerwise.
    """
    points = _finite(np.array([(*tile.corners_px, *tile.centers_px) for tile in tiles], float).reshape(-1, 6, 2))
    seen = mapped(to_table, points)
    unit = float(np.sqrt(np.median(_areas(seen)) / 2)) if len(seen) else 1 / _SQUARE
    along, across = _sides(seen / unit)
    sizes = np.column_stack([2 * np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)])
    usable = np.asarray((sizes > _SMALLEST).all(1) & (sizes < _LARGEST).all(1), np.bool_)
    matrix = np.diag([1 / unit, 1 / unit, 1.0]) @ to_table
    return Level(matrix, seen.mean(1) / unit, np.arctan2(along[:, 1], along[:, 0]), usable)


def _sides(points: Array) -> tuple[Array, Array]:
    """Return the steps from head to tail and from side to side that fit each tile's six points best."""
    along = (2 * (points[:, 2] + points[:, 3] - points[:, 0] - points[:, 1]) + points[:, 5] - points[:, 4]) / 9
    across = (points[:, 1] + points[:, 2] - points[:, 0] - points[:, 3]) / 2
    side = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    return along, np.where(side < 0, -1.0, 1.0)[:, None] * across


def _finite(points: Array) -> Array:
    return np.clip(
        np.nan_to_num(points, nan=0.0, posinf=_FARTHEST_PX, neginf=-_FARTHEST_PX), -_FARTHEST_PX, _FARTHEST_PX
    )


def _areas(points: Array) -> Array:
    across, other = points[:, 2] - points[:, 0], points[:, 3] - points[:, 1]
    return np.asarray(np.abs(across[:, 0] * other[:, 1] - across[:, 1] * other[:, 0]) / 2)


def _to_halves(points: Array, areas: Array) -> Array:
    if not len(points):
        return np.eye(3)
    unit = float(np.sqrt(np.median(areas) / 2))
    middle = points.mean((0, 1)) / unit
    return np.array([[1 / unit, 0, -middle[0]], [0, 1 / unit, -middle[1]], [0, 0, 1]])


def _without_tilt(points: Array, sound: NDArray[np.bool_]) -> Array:
    """Return the homography that sends the horizon to infinity.

    Under a tilted camera the cube root of a tile's area grows in proportion to the distance from the horizon, so a
    straight fit over the tiles finds it.
    """
    matrix = np.eye(3)
    if sound.sum() < 2:
        return matrix
    growth = np.cbrt(_areas(points[sound]) / 2)
    rows = np.column_stack([np.ones(len(growth)), points[sound].mean(1)])
    start = np.array([np.median(growth), 0.0, 0.0])
    constant, *slope = robust_fit(
        rows, growth, np.full(len(rows), 1 / _SIZE_STRAYS), np.array([0, 1, 1]) / _TILT_A_HALF, start
    )
    tilt = np.array(slope) / max(constant, 0.2)
    matrix[2, :2] = tilt * _before_horizon(tilt, points)
    return matrix


def _before_horizon(tilt: Array, points: Array) -> float:
    """Return which share of a tilt leaves all points well before the horizon."""
    lowest = float((points.reshape(-1, 2) @ tilt).min())
    return min(1.0, 0.7 / max(-lowest, 1e-9))


def _square(along: Array, across: Array) -> Array:
    """Return the stretch after which tiles are twice as long as wide and their corners square."""
    matrix = np.eye(3)
    if not len(along):
        return matrix
    unit = max(float(np.median(np.linalg.norm(along, axis=1))), 1e-6)
    along, across = along / unit, across / unit
    rows = np.concatenate([_products(along, along), _products(across, across), _products(along, across)])
    goal = np.repeat([1.0, 1.0, 0.0], len(along))
    weights = np.repeat(_SHAPE_WEIGHTS, len(along))
    a, b, c = robust_fit(rows, goal, weights, np.full(3, 1.0), np.array([1.0, 0.0, 1.0]))
    values, vectors = np.linalg.eigh(np.array([[a, b], [b, c]]))
    matrix[:2, :2] = vectors @ np.diag(np.sqrt(np.clip(values, 0.05, 20.0))) @ vectors.T / unit
    return matrix


def _rectified(first: Array, points: Array, sound: NDArray[np.bool_]) -> Array:
    """Return the homography near a first one that makes all tiles twice as long as wide, and their corners square.

    Areas tell a tilt only along the way that the tiles lie spread; how their sides lean tells it of a single row, too.
    """
    if sound.sum() < 2:
        return first
    ties, flat = np.array([1 / _TILT_A_HALF, 1 / _TILT_A_HALF, 1, 1, 1]), np.array([0.0, 0.0, 1.0, 0.0, 1.0])
    x = np.array([*first[2, :2], *first[0, :2], first[1, 1]])
    for _ in range(_STEPS):
        now = _misshapen(x, points[sound])
        slopes = np.column_stack([(_misshapen(x + step, points[sound]) - now) / _STEP for step in _STEP * np.eye(5)])
        x = robust_fit(slopes, slopes @ x - now, np.ones(len(now)), ties, flat)
        x[:2] *= _before_horizon(x[:2], points)
    found = _tilted_and_stretched(x)
    return found if np.linalg.eigvalsh(found[:2, :2])[0] > _FLATTEST else first  # what is no tile can fold the table


def _misshapen(x: Array, points: Array) -> Array:
    """Return by how many of the usual errors each tile's length, width and corners are off, after tilt and stretch."""
    along, across = _sides(mapped(_tilted_and_stretched(x), points))
    off = (along**2).sum(1) - 1, (across**2).sum(1) - 1, (along * across).sum(1)
    return np.concatenate([weight * one for weight, one in zip(_SHAPE_WEIGHTS, off, strict=True)])


def _tilted_and_stretched(x: Array) -> Array:
    """Return the homography of a tilt (x, y) and a symmetric stretch (xx, xy, yy)."""
    return np.array([[x[2], x[3], 0], [x[3], x[4], 0], [x[0], x[1], 1.0]])


def _products(one: Array, other: Array) -> Array:
    mixed = one[:, 0] * other[:, 1] + one[:, 1] * other[:, 0]
    return np.column_stack([one[:, 0] * other[:, 0], mixed, one[:, 1] * other[:, 1]])


def robust_fit(rows: Array, goal: Array, weights: Array, ties: Array, start: Array) -> Array:
    """Return x for which rows @ x is near goal, far outliers ignored and x tied to start.

    rows (m, k), goal (m,), weights (m,) one over the usual error, ties (k,) one over how far x may stray from start.
    """
    x = start.astype(float)
    for _ in range(5):
        errors = (rows @ x - goal) * weights
        spread = max(1.0, float(np.median(np.abs(errors))) * 1.5)
        trust = weights**2 / spread**2 / (1 + (errors / spread / 2) ** 2)
        normal = rows.T * trust
        x = np.linalg.solve(normal @ rows + np.diag(ties**2 + 1e-9), normal @ goal + ties**2 * start)
    return np.asarray(x)
