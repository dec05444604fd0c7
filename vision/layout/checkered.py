"""Where a checkered board begins: its squares change from light to dark, the table around it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.homography import mapped

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from calibration.homography import Array
    from vision.layout.cornerwise import Square
    from vision.scene import TileDetection

Frame = NDArray[np.uint8]

SIDE = 8  # squares on each side of the board
# Where a square is looked at, in squares from its corner: a tile that lies cornerwise leaves two of these free.
_LOOKS = np.array([[0.16, 0.16], [0.84, 0.16], [0.16, 0.84], [0.84, 0.84]])
_LEAST_CONTRAST = 10.0  # of 255: squares whose colours differ less could be a tablecloth's
_HALF_A_CHANGE = 0.5  # a step from square to square counts for the board if it is more than this share of the usual
_SURELY = 2.0  # by so many steps one place has to beat the next


def first_square(
    frame: Frame, to_picture: Array, used: Collection[Square], tiles: Sequence[TileDetection]
) -> Square | None:
    """Return the square (column, row) in the corner of the 8 x 8 board, from which its others count.

    frame: the BGR picture. to_picture: (3, 3) homography from squares, as (column, row), to pixels. used: squares on
    which tiles lie. None where no such board shows.
    """
    lowest, highest = np.array(list(used)).min(0), np.array(list(used)).max(0)
    if (highest - lowest >= SIDE).any():
        return None
    low, high = highest - SIDE + 1, lowest + SIDE
    shades = _shades(frame, to_picture, low, high, tiles)
    signs = np.where(np.add.outer(np.arange(shades.shape[0]), np.arange(shades.shape[1])) % 2, -1.0, 1.0)
    steps = [np.diff(shades, axis=0) * signs[:-1], np.diff(shades, axis=1) * signs[:, :-1]]
    inside = [_part(step, lowest - low, highest - low) for step in steps]
    known = np.concatenate([part[np.isfinite(part)] for part in inside])
    usual = float(np.median(known)) if len(known) else 0.0
    if abs(usual) < _LEAST_CONTRAST:
        return None
    votes = [np.nan_to_num(np.clip(step / usual, -1, 1) - _HALF_A_CHANGE, nan=-_HALF_A_CHANGE) for step in steps]
    at = _best_place(*votes)
    return (int(low[0]) + at[1], int(low[1]) + at[0]) if at else None


def _shades(frame: Frame, to_picture: Array, low: Array, high: Array, tiles: Sequence[TileDetection]) -> Array:
    """How bright each square is, (rows, columns), where no tile lies on it; nan where it lies outside the picture."""
    cols, rows = np.arange(low[0], high[0]), np.arange(low[1], high[1])
    corners = np.stack(np.meshgrid(cols, rows), -1).astype(float)
    points = mapped(to_picture, corners[:, :, None] + _LOOKS)
    height, width = frame.shape[:2]
    seen = np.asarray(((points >= 0) & (points < [width - 1, height - 1])).all(-1), np.bool_)
    at = np.where(seen[..., None], points, 0).astype(int)
    shade = np.asarray(frame[at[..., 1], at[..., 0]].mean(-1), float)
    for tile in tiles:
        seen = seen & ~_inside(points, np.array(tile.corners_px, float))
    free = np.where(seen, shade, np.nan)
    known = np.asarray(seen.any(-1), np.bool_)
    return np.where(known, np.nanmedian(np.where(known[..., None], free, 0.0), -1), np.nan)


def _inside(points: Array, quad: Array) -> NDArray[np.bool_]:
    """Which points (..., 2) lie within a tile's corners (4, 2), and a little around."""
    wide = quad.mean(0) + 1.1 * (quad - quad.mean(0))
    sides = np.roll(wide, -1, 0) - wide
    apart = points[..., None, :] - wide
    turns = sides[:, 0] * apart[..., 1] - sides[:, 1] * apart[..., 0]
    return np.asarray((turns >= 0).all(-1) | (turns <= 0).all(-1))


def _part(step: Array, low: Array, high: Array) -> Array:
    return step[max(low[1] - 1, 0) : high[1] + 1, max(low[0] - 1, 0) : high[0] + 1]


def _best_place(down: Array, right: Array) -> tuple[int, int] | None:
    """Return the row and column of the 8 x 8 squares with the most changes between them, None if two places tie."""
    rows, cols = right.shape[0] - SIDE + 1, down.shape[1] - SIDE + 1
    scores = np.array(
        [
            [
                down[r : r + SIDE - 1, c : c + SIDE].sum() + right[r : r + SIDE, c : c + SIDE - 1].sum()
                for c in range(cols)
            ]
            for r in range(rows)
        ]
    )
    best, second = (float(v) for v in [*np.sort(scores, axis=None)[::-1], -np.inf][:2])
    if best <= 0 or best - second < _SURELY:
        return None
    row, col = np.unravel_index(int(scores.argmax()), scores.shape)
    return int(row), int(col)
