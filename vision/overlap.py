"""How much of each other tiles would cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

Quad = NDArray[np.floating]

OVERLAP = 0.3  # of the smaller face: two tiles that share more cannot both lie there
AROUND = 14  # faces, the nearest by what excludes what, that are weighed against one


def shared(a: Quad, b: Quad) -> float:
    """The shared part of the smaller of two faces, 0 to 1; their corners are (4, 2), going round."""
    return _shared(_Face.of(a), _Face.of(b))


def exclude(a: Quad, b: Quad) -> bool:
    """Whether no two tiles can lie flat on these faces at once."""
    return shared(a, b) > OVERLAP


@dataclass(frozen=True, eq=False)
class _Face:
    """A face as OpenCV takes it, and how large it is."""

    corners: NDArray[np.float32]
    area: float

    @classmethod
    def of(cls, quad: Quad) -> _Face:
        corners = quad.astype(np.float32)
        return cls(corners, cv2.contourArea(corners))


def _shared(one: _Face, two: _Face) -> float:
    common, _ = cv2.intersectConvexConvex(one.corners, two.corners)
    return float(common / max(min(one.area, two.area), 1e-3))


def covered(face: Quad, outline: Quad) -> float:
    """The part of a face, 0 to 1, that lies within an outline (n, 2) of any form."""
    low = np.floor(face.min(axis=0))
    size = np.ceil(face.max(axis=0) - low).astype(int) + 1
    inside, over = (np.zeros((size[1], size[0]), np.uint8) for _ in range(2))
    cv2.fillPoly(inside, [np.round(face - low).astype(np.int32)], 1)
    cv2.fillPoly(over, [np.round(outline - low).astype(np.int32)], 1)
    return float((inside & over).sum() / max(1, int(inside.sum())))


def holds(face: Quad, point: tuple[float, float]) -> bool:
    """Whether a point lies on a face, its edge included."""
    return cv2.pointPolygonTest(face.astype(np.float32), point, False) >= 0


def taken(quads: Sequence[Quad], others: Sequence[Quad], most: float) -> NDArray[np.bool_]:
    """(n,): which of the faces share more than `most` of the smaller one with any of some others."""
    found = np.zeros(len(quads), np.bool_)
    if not len(quads) or not len(others):
        return found
    for i, j in _near(quads, others):
        found[i] = found[i] or shared(quads[i], others[j]) > most
    return found


def unexplained(quads: Sequence[Quad], others: Sequence[Quad]) -> NDArray[np.float64]:
    """(n,): the part of each face that lies on none of some others, which do not cover each other."""
    left = np.ones(len(quads))
    if not len(quads) or not len(others):
        return left
    for i, j in _near(quads, others):
        face = quads[i].astype(np.float32)
        common, _ = cv2.intersectConvexConvex(face, others[j].astype(np.float32))
        left[i] -= common / max(cv2.contourArea(face), 1e-3)
    return left


def _near(quads: Sequence[Quad], others: Sequence[Quad]) -> Iterator[tuple[int, int]]:
    """Which of the faces may share anything with which of the others."""
    one, two = np.stack(quads), np.stack(others)
    near = (one.min(1)[:, None] < two.max(1)[None]) & (two.min(1)[None] < one.max(1)[:, None])
    yield from zip(*(k.tolist() for k in np.nonzero(near.all(axis=2))), strict=True)


def conflicts(quads: Sequence[Quad], most: float) -> NDArray[np.bool_]:
    """(n, n): which pairs of faces share more than `most` of the smaller one; none conflicts with itself."""
    clash = np.zeros((len(quads), len(quads)), np.bool_)
    if len(quads) < 2:
        return clash
    faces = [_Face.of(quad) for quad in quads]
    for i, j in _near(quads, quads):
        if i < j:
            clash[i, j] = clash[j, i] = _shared(faces[i], faces[j]) > most
    return clash


def likeliest(log_odds: NDArray[np.float64], clash: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Which of some faces lie there, if no two that clash can: those with the greatest log odds together.

    log_odds (n,): of each face; those below 0 are left out. clash (n, n): which pairs exclude each other.
    """
    chosen = np.flatnonzero(log_odds > 0)
    pairs = np.argwhere(np.triu(clash[np.ix_(chosen, chosen)]))
    if not len(pairs):
        return chosen
    either = np.zeros((len(pairs), len(chosen)))
    np.put_along_axis(either, pairs, 1.0, axis=1)
    best = milp(-log_odds[chosen], integrality=1, bounds=Bounds(0, 1), constraints=LinearConstraint(either, ub=1.0))
    return np.asarray(chosen[best.x > 0.5], np.intp)


def chances(log_odds: NDArray[np.float64], clash: NDArray[np.bool_], which: Sequence[int]) -> list[float]:
    """How likely some of the faces lie there, if no two that clash can: each beside all that might lie there instead.

    log_odds (n,): of each face by itself. clash (n, n): which pairs exclude each other. A face that nothing excludes is
    as likely as by itself; of two that exclude each other and are as likely neither is sure.
    """
    odds = np.exp(np.clip(log_odds, -30, 30))
    rivals = [frozenset(np.flatnonzero(row).tolist()) for row in clash]

    @cache
    def weight(free: frozenset[int]) -> float:
        """The weights of all ways in which any of these faces may lie there, added up."""
        if not free:
            return 1.0
        one = max(free, key=lambda k: len(rivals[k] & free))
        if not rivals[one] & free:
            return float(np.prod([1 + odds[k] for k in free]))
        return weight(free - {one}) + float(odds[one]) * weight(free - rivals[one] - {one})

    told = []
    for one in which:
        about = _about(one, rivals)
        told.append(float(odds[one]) * weight(about - rivals[one] - {one}) / weight(about))
    return told


def _about(one: int, rivals: Sequence[frozenset[int]]) -> frozenset[int]:
    """A face, its rivals, theirs, and so on, as many as are weighed together."""
    found, edge = [one], [one]
    while edge and len(found) < AROUND:
        edge = sorted({rival for k in edge for rival in rivals[k]} - set(found))
        found += edge
    return frozenset(found[:AROUND])
