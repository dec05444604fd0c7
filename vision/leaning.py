"""How a table leans away from the camera, told by a few tiles, be it one: each is twice as long as wide, and square.

Many tiles tell it by themselves (`vision.level`). One alone does not tell apart how far the camera leans and how wide
it sees, nor a tile that is a little long from one seen aslant: so what is usual of cameras counts as well. They are
held level, look ahead rather than to a side, and sharply down or from a chair.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from calibration.homography import Array, mapped

# What is usual: from so many of its own lengths away a picture's longer side is seen, give or take (as a logarithm);
# and how steeply the table falls away before the camera, to a side and ahead.
FOCAL, FOCAL_VARIES = 0.9, 0.25
ASIDE_VARIES, AHEAD, AHEAD_VARIES = 0.15, 0.3, 0.6
# How far a tile's length and width as read stray (as logarithms), and the cosine of its corners.
STRAYS = np.array([0.05, 0.1, 0.07])
STARTS = (0.0, 0.6, 1.3)  # slopes ahead from which the best one is sought


def to_table(quads: Sequence[Array], chances: Sequence[float], size_px: tuple[int, int]) -> Array:
    """The homography (3, 3) from pixels to the table, in halves, under which these tiles look most like tiles.

    quads: corners (4, 2) as on TileDetection, one or more; chances: that each is a tile. size_px: (width, height).
    """
    faces, trust = np.stack(quads), np.sqrt(np.asarray(chances, float))[:, None]

    def errors(view: Array) -> Array:
        seen = _unlike(mapped(_leveled(view, size_px), faces), view[3])
        return np.concatenate([_unusual(view), (seen * trust).ravel()])

    unit = float(np.log(np.median(_lengths(faces))))
    found = [least_squares(errors, [0.0, ahead, 0.0, unit], loss="soft_l1", max_nfev=25) for ahead in STARTS]
    view = min(found, key=lambda one: one.cost).x
    return np.asarray(np.diag([np.exp(-view[3]), np.exp(-view[3]), 1.0]) @ _leveled(view, size_px))


def as_usual(quads: Sequence[Array], ahead: float, size_px: tuple[int, int]) -> Array:
    """The homography (3, 3) from pixels to a table that falls away so steeply before a usual camera that is held level.

    quads: corners (4, 2) of what may be tiles, one or more; a tile is as large as most of them. size_px: as above.
    """
    leveled = _leveled(np.array([0.0, ahead, 0.0, 0.0]), size_px)
    by = 1 / np.median(_lengths(mapped(leveled, np.stack(quads))))
    return np.asarray(np.diag([by, by, 1.0]) @ leveled)


def _leveled(view: Array, size_px: tuple[int, int]) -> Array:
    """What turns the camera so that it looks straight down, as a homography (3, 3).

    view: how steeply the table falls away to a side and ahead, and as logarithms the focal length beside the usual one
    and how long a half looks from above.
    """
    aside, ahead, wider, _ = view
    focal = FOCAL * np.exp(wider) * max(size_px)
    down = np.array([aside, ahead, 1.0]) / np.sqrt(1 + aside**2 + ahead**2)
    turn = np.cross(down, [0, 0, 1])  # the least turn that brings what lies straight down to the middle
    skew = np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
    lens = np.array([[focal, 0, size_px[0] / 2], [0, focal, size_px[1] / 2], [0, 0, 1]])
    return np.asarray(lens @ (np.eye(3) + skew + skew @ skew / (1 + down[2])) @ np.linalg.inv(lens))


def _unusual(view: Array) -> Array:
    aside, ahead, wider, _ = view
    return np.array([aside / ASIDE_VARIES, (ahead - AHEAD) / AHEAD_VARIES, wider / FOCAL_VARIES])


def _unlike(faces: Array, unit: float) -> Array:
    """How far faces (n, 4, 2) are from tiles with halves so long (a logarithm): in length, width, corners (n, 3)."""
    sizes = np.log(_lengths(faces))
    along, across = _sides(faces)
    cosine = (along * across).sum(1) / np.exp(sizes.sum(1))
    return np.asarray(np.column_stack([sizes - unit, cosine]) / STRAYS)


def _lengths(faces: Array) -> Array:
    """(n, 2): half the length and the width of each face, both a half's length on a tile."""
    return np.asarray(np.maximum(np.linalg.norm(np.stack(_sides(faces), axis=1), axis=2), 1e-6))


def _sides(faces: Array) -> tuple[Array, Array]:
    along = (faces[:, 2] + faces[:, 3] - faces[:, 0] - faces[:, 1]) / 4
    return along, (faces[:, 1] + faces[:, 2] - faces[:, 0] - faces[:, 3]) / 2
