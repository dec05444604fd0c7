"""Where the camera stands over the table: what is higher than the tiles looks larger, and pushed away from its foot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped

if TYPE_CHECKING:
    from calibration.homography import Array

# Of the picture's longer side: how far off its plane a lens stands, from wide ones of telephones to narrow ones.
_FOCALS = np.geomspace(0.5, 2.5, 60)
_USUAL_FOCAL, _FOCALS_STRAY = 0.85, 0.3
_SQUARE_STRAYS = 0.03  # how far from square, as seen, a square of a well levelled table may be
_MISFIT = 4.0  # above it the horizon cannot be where the tiles' sizes put it
_LEANS = 0.15  # of the camera's height: how far its foot is off the picture's middle at the least, if that is to count
_LOWEST = 2.0  # halves: nobody holds a camera nearer to a table


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """The camera's place: the point (x, y) of the table right below it, and its height above the tiles, in halves."""

    foot: Array
    height: float

    def lowered(self, points: Array, height: float | Array) -> Array:
        """Where things really are that stand `height` above the tiles and are seen at these table points (..., 2)."""
        shrink = np.asarray(1 - np.asarray(height, float) / self.height)
        return np.asarray(self.foot + (points - self.foot) * shrink[..., None])


def viewpoint(to_table: Array, size_px: tuple[int, int]) -> Viewpoint:
    """Return where the camera stands, from how it sees the table.

    to_table: (3, 3) homography from pixels to the table. The lens is taken to look through the picture's middle; how
    long it is follows from how squares of the table look, as far as they tell, and else is that of most cameras
    (calibration from a plane: Zhang 2000).
    """
    rays = _centered(inverse(to_table), size_px)
    focal, misfit = _focal(rays)
    found = _seen_through(rays, focal)
    return found if misfit < _MISFIT else _by_foreshortening(rays, found)


def _seen_through(rays: Array, focal: float) -> Viewpoint:
    view = rays / np.array([[focal], [focal], [1.0]])
    view = view * np.sign(view[2, 2] or 1.0) / max(np.sqrt((view[:, :2] ** 2).sum() / 2), 1e-12)
    u, _, v = np.linalg.svd(view[:, :2], full_matrices=False)
    right, down = (u @ v).T
    turn = np.stack([right, down, np.cross(right, down)])
    x, y, away = -turn @ view[:, 2]
    return Viewpoint(np.array([x, y]), max(float(-away), _LOWEST))


def _by_foreshortening(rays: Array, rough: Viewpoint) -> Viewpoint:
    """Return the camera's place from how much shorter one direction looks: a single row of tiles shows no horizon.

    Which end of that direction is the near one, the rough viewpoint says if it can; else it is the picture's bottom.
    """
    back = inverse(rays)
    middle, right, down = mapped(back, np.array([[0, 0], [0.01, 0], [0, 0.01]]))
    _, stretch, ways = np.linalg.svd(np.column_stack([right - middle, down - middle]) / 0.01)
    longest = np.column_stack([right - middle, down - middle]) @ ways[0]
    near = longest / max(float(np.linalg.norm(longest)), 1e-12) * (1 if ways[0, 1] >= 0 else -1)
    leaning = float((rough.foot - middle) @ near)
    near = -near if leaning < -_LEANS * rough.height else near
    slant = np.arccos(np.clip(stretch[1] / max(stretch[0], 1e-12), 0.3, 1.0))
    away = _USUAL_FOCAL * stretch[1]
    return Viewpoint(middle + near * away * np.sin(slant), max(float(away * np.cos(slant)), _LOWEST))


def _centered(to_picture: Array, size_px: tuple[int, int]) -> Array:
    """The same view in shares of the longer side, from the picture's middle."""
    width, height = size_px
    longer = float(max(width, height, 1))
    return (
        np.array([[1 / longer, 0, -width / 2 / longer], [0, 1 / longer, -height / 2 / longer], [0, 0, 1]]) @ to_picture
    )


def _focal(rays: Array) -> tuple[float, float]:
    """Return the likeliest length of the lens, and how little squares look square even so."""
    views = rays[None] / np.stack([_FOCALS, _FOCALS, np.ones(len(_FOCALS))], 1)[..., None]
    right, down = views[..., 0], views[..., 1]
    size = ((right**2).sum(1) + (down**2).sum(1)) / 2 + 1e-12
    askew, uneven = (right * down).sum(1) / size, ((right**2).sum(1) - (down**2).sum(1)) / (2 * size)
    misfit = (askew**2 + uneven**2) / _SQUARE_STRAYS**2
    best = int(np.argmin(misfit + (np.log(_FOCALS / _USUAL_FOCAL) / _FOCALS_STRAY) ** 2))
    return float(_FOCALS[best]), float(misfit[best])
