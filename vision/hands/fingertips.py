"""The fingertips of a hand: the far, convex, narrow ends of its outline (k-curvature, after Segen and Kumar 1999)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.scene import Point

Floats = NDArray[np.float64]

STEP = 1.0  # pixels of the mask between neighbouring points of the outline as it is walked
SHARP_DEG = 105.0  # a fingertip's two sides enclose less
FAR = 0.45  # of the reach: nearer to the arm's entry are wrist, thumb's root and sleeve
MOST = 6  # fingertips of one hand
EDGE = 2.0  # pixels from the picture's border: where an outline is cut off it has no ends


def fingertips(outline: Floats, entry: Point, finger: float, size: tuple[int, int]) -> tuple[Point, ...]:
    """The fingertips on an outline, the one that reaches farthest from the arm's entry first.

    outline: (n, 2) in pixels, in order. finger: about how wide a finger is. size: (width, height) of the picture.
    """
    walk = _even(outline)
    reach = np.hypot(*(walk - entry).T)
    inside = np.all((walk > EDGE) & (walk < np.array(size) - 1 - EDGE), axis=1)
    if not inside.any():
        return ()
    far = int(np.argmax(np.where(inside, reach, -1)))
    span = max(3, round(1.3 * finger / STEP))
    ends = [far, *_sharp(walk, span, inside & (reach > FAR * reach[far]))] if len(walk) > 4 * span else [far]
    ends.sort(key=lambda k: -reach[k])
    kept: list[Point] = []
    for k in ends:
        tip = _smoothed(walk, k, span)
        if len(kept) < MOST and all(np.hypot(tip[0] - x, tip[1] - y) > 0.8 * finger for x, y in kept):
            kept.append(tip)
    return tuple(kept)


def _even(outline: Floats) -> Floats:
    """The closed outline walked in even steps."""
    closed = np.vstack([outline, outline[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    steps = np.arange(0.0, max(along[-1], STEP), STEP)
    return np.stack([np.interp(steps, along, closed[:, axis]) for axis in (0, 1)], axis=1)


def _sharp(walk: Floats, span: int, allowed: NDArray[np.bool_]) -> list[int]:
    """Where the outline turns sharply outwards: the sharpest of each neighbourhood."""
    before, after = np.roll(walk, span, axis=0) - walk, np.roll(walk, -span, axis=0) - walk
    lengths = np.hypot(*before.T) * np.hypot(*after.T) + 1e-9
    cosine = (before * after).sum(axis=1) / lengths
    outwards = np.sign(_area(walk)) * (before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) < 0
    sharp = np.where(allowed & outwards, cosine, -1.0)
    ends: list[int] = []
    while (k := int(np.argmax(sharp))) >= 0 and sharp[k] > np.cos(np.radians(SHARP_DEG)) and len(ends) < 2 * MOST:
        ends.append(k)
        sharp[np.arange(k - span, k + span + 1) % len(walk)] = -1.0
    return ends


def _smoothed(walk: Floats, k: int, span: int) -> Point:
    """The end near point k, finer than a pixel: where the outline's near points lie on average, pushed out again."""
    near = walk[np.arange(k - span // 3, k + span // 3 + 1) % len(walk)]
    x, y = near.mean(axis=0)
    return float(x), float(y)


def _area(walk: Floats) -> float:
    """The signed area that an outline encloses."""
    x, y = walk.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)
