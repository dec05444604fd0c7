"""The table's plane from things that lie on it anyhow: rectangles of one known shape and one common size.

Seen aslant, squares stop being square and far tiles are smaller; the plane is the one in which they are alike again.
Where the lens is known only the plane's slant is sought; where it is not, a free homography up to its similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.lens import Lens, Points, as_matrix
from calibration.plane import Plane, mapped
from calibration.plane_fit import framed

FEWEST, FEWEST_WITHOUT_LENS = 3, 5
TILE_SHAPE, SHAPE_SPREAD = 2.0, 0.05  # how much longer than wide tiles are, and how far sets differ in it
USUAL_TILE_MM = 48.0
CORNER_PX = 0.7  # how well a corner is seen at best; what misses by more than a few of these counts for less
EXACT_PX = 0.3  # no corner is believed to be seen better
STEEPEST_DEG = 60.0


@dataclass(frozen=True)
class RectangleFit:
    """The plane on which rectangles are alike, or none, and why.

    rms_px: how far their corners miss. shape: how much longer than wide they are. slant_deg: how surely its slant is
    known, one standard deviation.
    """

    plane: Plane | None
    reason: str = ""
    rms_px: float = 0.0
    shape: float = TILE_SHAPE
    slant_deg: float = 0.0


def plane_from_tiles(
    corners_px: ArrayLike,
    lens: Lens | None = None,
    length_mm: float | None = None,
    uncertain_px: ArrayLike | None = None,
) -> RectangleFit:
    """The table under dominoes, from their corners (n, 4, 2): four going round, the first two bound a short edge.

    length_mm: how long a tile is; without it the scale is marked unknown, and a tile counts as 48 mm long.
    uncertain_px: (n, 4) how far off each corner may be, one standard deviation, where that is known.
    """
    return _fit(corners_px, lens, (TILE_SHAPE, SHAPE_SPREAD), length_mm, uncertain_px)


def plane_from_tags(corners_px: ArrayLike, side_mm: float, lens: Lens | None = None) -> RectangleFit:
    """The table under square tags of a known side, from their corners (n, 4, 2), going round."""
    return _fit(corners_px, lens, (1.0, 1e-4), side_mm)


def _fit(
    corners_px: ArrayLike,
    lens: Lens | None,
    known: tuple[float, float],
    length_mm: float | None,
    uncertain_px: ArrayLike | None = None,
) -> RectangleFit:
    """known: the usual shape, and its spread."""
    seen = np.asarray(corners_px, np.float64).reshape(-1, 4, 2)
    fewest = FEWEST if lens else FEWEST_WITHOUT_LENS
    if len(seen) < fewest:
        return RectangleFit(None, f"{fewest} tiles or tags are needed, spread over the table, and {len(seen)} are seen")
    uncertain = np.full(seen.shape[:2], CORNER_PX) if uncertain_px is None else np.asarray(uncertain_px, np.float64)
    sought = _Sought(seen, lens, known, np.maximum(uncertain.reshape(-1, 4), EXACT_PX))
    best = sought.solved()
    if best is None:
        return RectangleFit(None, "these tiles do not lie on one plane: spread more of them flat over the table")
    to_units = sought.to_plane(best)
    size = sought.size(best)
    scale = (length_mm or USUAL_TILE_MM) / size
    plane = Plane(as_matrix(np.diag([scale, scale, 1.0]) @ to_units), scale_known=length_mm is not None)
    middle = sought.ideal.reshape(-1, 2).mean(axis=0)
    missed, slant = sought.missed_px(best), sought.slant_deg(best)
    return RectangleFit(framed(plane, (middle[0], middle[1])), "", missed, float(best[0]) * known[0], slant)


class _Sought:
    """The unknowns: by how much the shape differs from the usual one, then the slant of the plane (two angles), or,
    without a lens, how the picture is squeezed and slanted (four numbers)."""

    def __init__(self, seen: Points, lens: Lens | None, known: tuple[float, float], uncertain: Points) -> None:
        shape, self._spread = known
        self.ideal = lens.ideal(seen).reshape(seen.shape) if lens else seen
        self._lens, self._uncertain = lens, uncertain
        half_length, half_width = 0.5, 0.5 / shape
        self._model = np.array(
            [
                [-half_width, -half_length],
                [half_width, -half_length],
                [half_width, half_length],
                [-half_width, half_length],
            ]
        )
        self._middle = self.ideal.reshape(-1, 2).mean(axis=0)
        self._reach = float(np.ptp(self.ideal.reshape(-1, 2), axis=0).max())

    def to_plane(self, unknown: Points) -> Points:
        """3x3, from ideal pixels to the plane in a unit of its own."""
        if self._lens is None:
            squeezed, slanted, far_x, far_y = unknown[1:]
            out = np.array([[1, slanted, 0], [0, squeezed, 0], [far_x, far_y, 1]])
            norm = np.array([[1, 0, -self._middle[0]], [0, 1, -self._middle[1]], [0, 0, self._reach]])
            return np.asarray(np.linalg.inv(out) @ norm, np.float64)
        matrix = np.array(self._lens.matrix, np.float64)
        turn = cv2.Rodrigues(np.array([unknown[1], unknown[2], 0.0]))[0]
        ray = np.linalg.inv(matrix) @ (*self._middle, 1.0)
        return np.asarray(np.linalg.inv(matrix @ np.column_stack([turn[:, :2], ray])), np.float64)

    def size(self, unknown: Points) -> float:
        """How long the tiles are in the plane's own unit."""
        return self._aligned(unknown)[2]

    def _aligned(self, unknown: Points) -> tuple[Points, Points, float]:
        """The corners on the plane (n, 4, 2), the model laid where it fits each best, and the common size."""
        flat = mapped(self.to_plane(unknown), self.ideal).reshape(self.ideal.shape)
        model = self._model * (unknown[0] ** -0.5, unknown[0] ** 0.5)
        weights = self._uncertain**-2 / (self._uncertain**-2).sum(axis=1, keepdims=True)
        own = flat - (weights[..., None] * flat).sum(axis=1, keepdims=True)
        # Complex numbers: a turn and a scale are one factor.
        points, forms = own @ (1, 1j), np.tile(model @ (1, 1j), (len(own), 1))
        if np.median(_area(own)) * _area(model[None])[0] < 0:
            forms = forms.conj()
        forms = forms - (weights * forms).sum(axis=1, keepdims=True)
        factors = (weights * points * forms.conj()).sum(axis=1) / (weights * abs(forms) ** 2).sum(axis=1)
        size = float(np.median(abs(factors)))
        laid = (size * factors / np.maximum(abs(factors), 1e-12))[:, None] * forms
        return own, np.stack([laid.real, laid.imag], axis=-1), size

    def residuals(self, unknown: Points) -> Points:
        """How far the corners miss, in pixels, (n, 8)."""
        own, fitted, _ = self._aligned(unknown)
        to_px = np.linalg.inv(self.to_plane(unknown))
        middles = mapped(self.to_plane(unknown), self.ideal.mean(axis=1))
        solid = np.column_stack([middles, np.ones(len(middles))]) @ to_px.T
        pixels = solid[:, :2] / solid[:, 2:]
        # The derivative of a homography where each tile lies.
        slopes = (to_px[None, :2, :2] - pixels[:, :, None] * to_px[None, 2:, :2]) / solid[:, 2, None, None]
        return np.asarray(np.einsum("nij,nkj->nki", slopes, own - fitted).reshape(len(own), 8), np.float64)

    def cost(self, unknown: Points) -> float:
        """How badly all miss, what is far off counting for less (Huber)."""
        if not self._possible(unknown):
            return float("inf")
        missed = np.sqrt((self._missed(unknown) ** 2).mean(axis=1))
        loss = np.where(missed < 2, missed**2, 4 * missed - 4).sum()
        return float(loss * 8 + ((unknown[0] - 1) / self._spread) ** 2)

    def _missed(self, unknown: Points) -> Points:
        """How far the corners miss, in their own deviations, (n, 8)."""
        return np.asarray(self.residuals(unknown) / np.repeat(self._uncertain, 2, axis=1), np.float64)

    def _possible(self, unknown: Points) -> bool:
        to_plane = self.to_plane(unknown)
        depth = np.column_stack([self.ideal.reshape(-1, 2), np.ones(self.ideal.size // 2)]) @ to_plane[2]
        return bool(np.isfinite(to_plane).all() and (np.sign(depth) == np.sign(depth[0])).all() and unknown[0] > 0.5)

    def solved(self) -> Points | None:
        """The unknowns that make the cost least, from many beginnings."""
        found = [self._descended(start) for start in self._starts()]
        return min(found, key=self.cost) if found else None

    def _starts(self) -> list[Points]:
        if self._lens is None:
            tilts = product((0.6, 0.8, 1.0), (-0.5, 0.0, 0.5))
            starts = [np.array([1.0, squeezed, 0.0, 0.0, far]) for squeezed, far in tilts]
        else:
            steep = np.radians(STEEPEST_DEG)
            angles = (-0.8 * steep, -0.4 * steep, 0.0, 0.4 * steep, 0.8 * steep)
            starts = [np.array([1.0, a, b]) for a, b in product(angles, angles)]
        costs = sorted((self.cost(start), k) for k, start in enumerate(starts))
        return [starts[k] for cost, k in costs[:3] if np.isfinite(cost)]

    def _descended(self, unknown: Points) -> Points:
        """A beginning improved by damped steps of Gauss and Newton (Levenberg and Marquardt)."""
        damping, cost = 1e-3, self.cost(unknown)
        for _ in range(40):
            normal, gradient = self._normal(unknown)
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
            tried = unknown - step
            after = self.cost(tried)
            if after < cost:
                ended = cost - after < 1e-9 * cost
                unknown, cost, damping = tried, after, damping / 5
                if ended:
                    break
            else:
                damping *= 6
                if damping > 1e6:
                    break
        return unknown

    def _normal(self, unknown: Points) -> tuple[Points, Points]:
        """The normal equations of the weighted residuals, and the pull of the usual shape."""
        missed = self._missed(unknown)
        size = np.sqrt((missed**2).mean(axis=1))
        weights = np.repeat(np.minimum(1, 2 / np.maximum(size, 1e-9)), 8)
        by = np.stack([self._slope(unknown, k) for k in range(len(unknown))], axis=1)
        normal = by.T @ (weights[:, None] * by) + 1e-9 * np.eye(len(unknown))
        gradient = by.T @ (weights * missed.ravel())
        normal[0, 0] += self._spread**-2
        gradient[0] += (unknown[0] - 1) * self._spread**-2
        return normal, gradient

    def _slope(self, unknown: Points, k: int) -> Points:
        step = np.zeros(len(unknown))
        step[k] = 1e-5
        return ((self._missed(unknown + step) - self._missed(unknown - step)) / 2e-5).ravel()

    def missed_px(self, unknown: Points) -> float:
        """The median over the tiles of how far, root mean square, their corners miss."""
        return float(np.median(np.sqrt((self.residuals(unknown) ** 2).mean(axis=1) * 2)))

    def slant_deg(self, unknown: Points) -> float:
        """The standard deviation of the plane's slant, from how far corners miss; infinite without a lens."""
        if self._lens is None:
            return float("inf")
        noise = max(float(np.median(np.sqrt((self._missed(unknown) ** 2).mean(axis=1)))), 0.3)
        spread = np.linalg.inv(self._normal(unknown)[0]) * noise**2
        return float(np.degrees(np.sqrt(spread[1, 1] + spread[2, 2])))


def _area(corners: Points) -> Points:
    """Twice the signed area of quadrilaterals (n, 4, 2)."""
    a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], np.float64)
