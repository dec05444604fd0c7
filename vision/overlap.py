"""How much of each other tiles would cover."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.floating]


def shared(a: Quad, b: Quad) -> float:
    """The shared part of the smaller of two faces, 0 to 1; their corners are (4, 2), going round."""
    one, two = a.astype(np.float32), b.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(one, two)
    return float(common / max(min(cv2.contourArea(one), cv2.contourArea(two)), 1e-3))


def covered(face: Quad, outline: Quad) -> float:
    """The part of a face, 0 to 1, that lies within an outline (n, 2) of any form."""
    low = np.floor(face.min(axis=0))
    size = np.ceil(face.max(axis=0) - low).astype(int) + 1
    inside, over = (np.zeros((size[1], size[0]), np.uint8) for _ in range(2))
    cv2.fillPoly(inside, [np.round(face - low).astype(np.int32)], 1)
    cv2.fillPoly(over, [np.round(outline - low).astype(np.int32)], 1)
    return float((inside & over).sum() / max(1, int(inside.sum())))


def taken(quads: Sequence[Quad], others: Sequence[Quad], most: float) -> NDArray[np.bool_]:
    """(n,): which of the faces share more than `most` of the smaller one with any of some others."""
    found = np.zeros(len(quads), np.bool_)
    if not len(quads) or not len(others):
        return found
    one, two = np.stack(quads), np.stack(others)
    near = (one.min(1)[:, None] < two.max(1)[None]) & (two.min(1)[None] < one.max(1)[:, None])
    for i, j in zip(*np.nonzero(near.all(axis=2)), strict=True):
        found[i] = found[i] or shared(one[i], two[j]) > most
    return found


def conflicts(quads: Sequence[Quad], most: float) -> NDArray[np.bool_]:
    """(n, n): which pairs of faces share more than `most` of the smaller one; none conflicts with itself."""
    clash = np.zeros((len(quads), len(quads)), np.bool_)
    if len(quads) < 2:
        return clash
    stack = np.stack(quads)
    low, high = stack.min(axis=1), stack.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    for i, j in zip(*np.nonzero(np.triu(near, 1)), strict=True):
        clash[i, j] = clash[j, i] = shared(stack[i], stack[j]) > most
    return clash
