"""The table's plane from things that lie on it anyhow and are all alike: dominoes with their pips, or square tags.

Seen aslant, squares stop being square and far tiles are smaller; the plane is the one in which all are alike again.
A tile is thick: the camera sees its near sides too, often in the colour of its face, so that its near edges are seen
too near, by an amount that is sought with the rest. Pips lie on the face and tell the slant without that doubt.
Where the lens is not known either, how wide it sees is sought as well: its middle is taken to be the picture's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import OptimizeResult, least_squares

from calibration.homography import inverse, mapped
from calibration.lens import Lens, Points, as_matrix
from calibration.plane import USUAL_TILE_MM, Plane
from calibration.plane_fit import framed

FEWEST, FEWEST_WITHOUT_LENS = 3, 4
CORNER_PX = 0.7  # how well a corner is seen, where nobody says it
EXACT_PX = 0.3  # no corner is believed to be seen better
PIP_PX = 0.35  # how well the middle of a pip is seen
MOST_PIPS = 9  # more than these on a half lie otherwise in every set
STEEPEST_DEG = 60.0
FAR_OFF = 2.0  # what misses by more than so many deviations counts for less
STRANGE = 3.0  # deviations by which, root mean square, a thing misses that is none of them

# The unknowns of what lies there, with what they usually are and how far that differs, in lengths of a tile: how much
# wider it is than usual, how far the middles of its halves are from its own, how far pips are apart along and across
# it, and how much of its near sides is taken for its face.
USUAL = np.array([1.0, 0.25, 0.13, 0.13, 0.0])
TILES, TAGS = np.array([0.05, 0.015, 0.03, 0.03, 0.1]), np.array([1e-4, 1e-6, 1e-6, 1e-6, 1e-6])
TILE_WIDTH, TAG_WIDTH = 0.5, 1.0
USUAL_VIEW, VIEW_SPREAD = 0.75, 0.35  # a lens's focal length in widths of the picture, and by which factor it differs


Plain = NDArray[np.complex128]  # points of a plane as complex numbers: a turn and a scale are one factor


@dataclass(frozen=True, eq=False)
class SeenTile:
    """What is seen of one domino, in pixels.

    corners_px: (4, 2) going round, the first two bound a short edge. uncertain_px: (4,) how far off each may be, one
    standard deviation. pips_px: (n, 2) the middles of its pips, as far as they are seen.
    """

    corners_px: Points
    uncertain_px: Points
    pips_px: Points

    @classmethod
    def of_corners(cls, corners_px: ArrayLike) -> SeenTile:
        """A tile of which nothing but its corners is known."""
        return cls(np.asarray(corners_px, np.float64).reshape(4, 2), np.full(4, CORNER_PX), np.zeros((0, 2)))


@dataclass(frozen=True)
class RectangleFit:
    """The plane on which things are alike, or none, and why.

    rms_px: how far they miss being alike. shape: how much longer than wide they are.
    """

    plane: Plane | None
    reason: str = ""
    rms_px: float = 0.0
    shape: float = 2.0


def plane_from_tiles(
    tiles: Sequence[SeenTile], size_px: tuple[int, int], lens: Lens | None = None, length_mm: float | None = None
) -> RectangleFit:
    """The table under dominoes in a picture of so many pixels (width, height), at the height of their faces.

    length_mm: how long a tile is; without it the scale is marked unknown, and a tile counts as USUAL_TILE_MM long.
    """
    return _fit(tiles, size_px, lens, TILE_WIDTH, TILES, length_mm)


def plane_from_tags(
    corners_px: ArrayLike, size_px: tuple[int, int], side_mm: float, lens: Lens | None = None
) -> RectangleFit:
    """The table under square tags of a known side, from their corners (n, 4, 2), going round."""
    tags = [SeenTile.of_corners(quad) for quad in np.asarray(corners_px, np.float64).reshape(-1, 4, 2)]
    return _fit(tags, size_px, lens, TAG_WIDTH, TAGS, side_mm)


def _fit(
    seen: Sequence[SeenTile],
    size_px: tuple[int, int],
    lens: Lens | None,
    width: float,
    spread: Points,
    length_mm: float | None,
) -> RectangleFit:
    fewest = FEWEST if lens else FEWEST_WITHOUT_LENS
    if len(seen) < fewest:
        return RectangleFit(None, f"{fewest} tiles or tags are needed, spread over the table, and {len(seen)} are seen")
    sought = _Sought(seen, size_px, lens, width, spread)
    best = sought.solved()
    if best is not None and fewest <= (alike := sought.alike(best)).sum() < len(seen):
        sought = _Sought([tile for tile, kept in zip(seen, alike, strict=True) if kept], size_px, lens, width, spread)
        best = sought.solved()
    if best is None:
        return RectangleFit(None, "these tiles do not lie on one plane: spread more of them flat over the table")
    scale = (length_mm or USUAL_TILE_MM) / sought.size(best)
    plane = Plane(as_matrix(np.diag([scale, scale, 1.0]) @ sought.to_plane(best)), scale_known=length_mm is not None)
    middle = (float(sought.middle[0]), float(sought.middle[1]))
    return RectangleFit(framed(plane, middle), "", sought.missed_px(best), 1 / (width * best[-5]))


class _Sought:
    """The unknowns: the plane's slant (two angles), the logarithm of the lens's focal length if that is not known, and
    the five of USUAL."""

    def __init__(
        self, seen: Sequence[SeenTile], size_px: tuple[int, int], lens: Lens | None, width: float, spread: Points
    ) -> None:
        self._lens, self._size, self._width = lens, size_px, width
        most = max(len(tile.pips_px) for tile in seen)
        self._points = np.array([_filled(_going_round(tile), most) for tile in seen])
        if lens:
            self._points = lens.ideal(self._points.reshape(-1, 2)).reshape(self._points.shape)
        self._nodes = np.array([_nodes(points) for points in self._points])
        self._deviations = np.full(self._points.shape[:2], np.inf)
        for k, tile in enumerate(seen):
            self._deviations[k, :4] = np.maximum(tile.uncertain_px, EXACT_PX)
            self._deviations[k, 4 : 4 + len(tile.pips_px)] = PIP_PX
        self._deviations[:, 4:][_crowded(self._nodes[:, 4:], np.isfinite(self._deviations[:, 4:]))] = np.inf
        weights = self._deviations**-2
        self._weights = weights / weights.sum(axis=1, keepdims=True)
        self.middle = self._points[:, :4].reshape(-1, 2).mean(axis=0)
        view = ([], []) if lens else ([np.log(USUAL_VIEW)], [VIEW_SPREAD])
        self._usual = np.concatenate([view[0], USUAL])
        self._spread = np.concatenate([view[1], spread])

    def _camera(self, unknown: Points) -> Points:
        """The camera's matrix."""
        if self._lens:
            return np.array(self._lens.matrix, np.float64)
        focal = self._size[0] * np.exp(unknown[2])
        return np.array([[focal, 0, self._size[0] / 2 - 0.5], [0, focal, self._size[1] / 2 - 0.5], [0, 0, 1]])

    def _posed(self, unknown: Points) -> tuple[Points, Points]:
        """The homography from the plane, in a unit of its own, to ideal pixels; the camera's place over the plane."""
        matrix = self._camera(unknown)
        turn = cv2.Rodrigues(np.array([unknown[0], unknown[1], 0.0]))[0]
        ray = np.linalg.inv(matrix) @ (*self.middle, 1.0)
        to_px, camera = matrix @ np.column_stack([turn[:, :2], ray]), -turn.T @ ray
        return np.asarray(to_px, np.float64), np.asarray(camera, np.float64)

    def to_plane(self, unknown: Points) -> Points:
        """3x3, from ideal pixels to the plane in a unit of its own."""
        return np.asarray(np.linalg.inv(self._posed(unknown)[0]), np.float64)

    def size(self, unknown: Points) -> float:
        """How long the tiles are in the plane's own unit."""
        return self._aligned(unknown)[1]

    def _aligned(self, unknown: Points) -> tuple[Points, float]:
        """Where each point would lie on the plane if all were alike (n, m, 2), and the common size."""
        to_px, camera = self._posed(unknown)
        flat = mapped(inverse(to_px), self._points)
        points, forms = _plain(flat), self._forms(unknown[-5:])
        _, factors = self._laid(points, forms)
        near = unknown[-1] * (complex(*camera[:2]) - points[:, :4].mean(axis=1)) / abs(camera[2])
        forms = forms + self._sides(near * abs(factors) / factors)
        forms, factors = self._laid(points, forms)
        size = float(np.median(abs(factors)))
        middles = (self._weights * points).sum(axis=1, keepdims=True)
        laid = middles + (size * factors / abs(factors))[:, None] * forms
        return np.stack([laid.real, laid.imag], axis=-1), size

    def _forms(self, unknown: Points) -> Plain:
        """Where the corners and pips of each tile lie on it, in its lengths, (n, m)."""
        wider, half, along, across, _ = unknown
        x, y, end = np.moveaxis(self._nodes, -1, 0)
        corner = np.arange(x.shape[1]) < 4
        right = np.where(corner, x * self._width * wider / 2, x * across)
        down = np.where(corner, y / 2, end * half + y * along)
        return np.asarray(right + 1j * down, np.complex128)

    def _sides(self, near: Plain) -> Plain:
        """How far corners are moved by the sides that the camera sees, it being `near` (n,) of each tile as it lies."""
        x, y = (self._nodes[..., k] for k in (0, 1))
        right = x * np.maximum(0, x * near.real[:, None])
        down = y * np.maximum(0, y * near.imag[:, None])
        return np.asarray((right + 1j * down) * (np.arange(x.shape[1]) < 4), np.complex128)

    def _laid(self, points: Plain, forms: Plain) -> tuple[Plain, Plain]:
        """Each form about its middle, and by which factor (n,) it is turned and sized to fit the points best."""
        own = points - (self._weights * points).sum(axis=1, keepdims=True)
        forms = forms - (self._weights * forms).sum(axis=1, keepdims=True)
        factors = (self._weights * own * forms.conj()).sum(axis=1) / (self._weights * abs(forms) ** 2).sum(axis=1)
        return forms, factors

    def _missed(self, unknown: Points) -> Points:
        """How far each point lies from where it would be if all were alike, in pixels, (n, m, 2)."""
        to_px, _ = self._posed(unknown)
        laid, _ = self._aligned(unknown)
        return np.asarray(self._points - mapped(to_px, laid), np.float64)

    def _residuals(self, unknown: Points) -> Points:
        missed = (self._missed(unknown) / self._deviations[..., None]).ravel()
        return np.concatenate([missed, (unknown[2:] - self._usual) / self._spread])

    def solved(self) -> Points | None:
        """The unknowns under which all are most alike, from many beginnings."""
        steep = np.radians(STEEPEST_DEG)
        angles = (-0.8 * steep, -0.4 * steep, 0.0, 0.4 * steep, 0.8 * steep)
        starts = [np.array([a, b, *self._usual]) for a, b in product(angles, angles)]
        costs = sorted((float(np.log1p(self._residuals(s) ** 2).sum()), k) for k, s in enumerate(starts))
        found = [self._descended(starts[k]) for cost, k in costs[:3] if np.isfinite(cost)]
        good = [end for end in found if end is not None]
        return np.asarray(min(good, key=lambda end: end.cost).x, np.float64) if good else None

    def _descended(self, start: Points) -> OptimizeResult | None:
        bound = np.full(len(start), np.inf)
        bound[:2] = np.radians(85)
        least = np.where(np.arange(len(start)) < 2, -bound, -np.inf)
        least[-5:-1], least[-1] = 0.02, -0.5
        end = least_squares(
            self._residuals, start, bounds=(least, bound), loss="soft_l1", f_scale=FAR_OFF, x_scale="jac", max_nfev=60
        )
        return end if np.isfinite(end.cost) else None

    def alike(self, unknown: Points) -> NDArray[np.bool_]:
        """Which of the things (n,) are like the others: what was taken for a tile and is none is not."""
        missed = (self._missed(unknown) ** 2).sum(axis=2) / self._deviations**2
        seen = np.isfinite(self._deviations)
        return np.asarray(missed.sum(axis=1) < 2 * seen.sum(axis=1) * STRANGE**2, np.bool_)

    def missed_px(self, unknown: Points) -> float:
        """The median over the tiles of how far, root mean square, their corners miss."""
        corners = self._missed(unknown)[:, :4]
        return float(np.median(np.sqrt((corners**2).sum(axis=2).mean(axis=1))))


def _plain(points: Points) -> Plain:
    return np.asarray(points @ (1, 1j), np.complex128)


def _going_round(tile: SeenTile) -> Points:
    """Its corners, all tiles the same way round, and after them its pips."""
    area = cv2.contourArea(tile.corners_px.astype(np.float32), oriented=True)
    corners = tile.corners_px if area > 0 else tile.corners_px[[1, 0, 3, 2]]
    return np.concatenate([corners, tile.pips_px])


def _filled(points: Points, pips: int) -> Points:
    """Corners and as many pips as any tile has: what is lacking lies in the middle and counts for nothing."""
    lacking = 4 + pips - len(points)
    return np.concatenate([points, np.tile(points[:4].mean(axis=0), (lacking, 1))])


def _nodes(points: Points) -> Points:
    """Where each point lies on its tile (m, 3): across and along, -1 to 1; for pips, on which half, -1 or 1."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float64)
    flat = cv2.getPerspectiveTransform(points[:4].astype(np.float32), corners[:, :2].astype(np.float32) / 2)
    x, y = mapped(flat, points[4:]).T
    _, half, along, across, _ = USUAL
    end = np.where(y > 0, 1.0, -1.0)
    rows = np.clip(np.round((y - end * half) / along), -1, 1)
    columns = np.clip(np.round(TILE_WIDTH * x / across), -1, 1)
    return np.concatenate([corners, np.column_stack([columns, rows, end])])


def _crowded(pips: Points, there: Points) -> Points:
    """Which pips (n, m, 3) lie on a half with too many of them for the usual rows of three, (n, m)."""
    end = pips[..., 2]
    count = {side: ((end == side) & there).sum(axis=1, keepdims=True) for side in (-1, 1)}
    return np.asarray(np.where(end > 0, count[1], count[-1]) > MOST_PIPS)
