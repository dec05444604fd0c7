"""How much of each other tiles would cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.floating]

OVERLAP = 0.3  # of the smaller face: two tiles that share more cannot both lie there


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
