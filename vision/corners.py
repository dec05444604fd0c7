"""The corners of tiles and the middles of their pips to a small part of a pixel, for measuring by them.

A reader of pips needs its corners no better than a pip is wide; whoever measures a table by its tiles needs more. So
the reader looks at each tile many times, each time at a picture cut a little otherwise, from either end and as in a
mirror: the mean is more exact than any one look, and how far the looks differ tells how exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.rectangles import SeenTile
from vision.pips import PipReader
from vision.quads import length_of
from vision.straighten import Image, pyramid, straighten, to_picture

ROUNDS = 3  # each begins where the one before it ended
CUTS = 3  # pictures of a tile in a round, each seen in all of the ways
SCALED, SHIFTED = 0.02, 0.015  # how much larger, and how far off in lengths of the tile, a picture is cut
# The same four corners from another one on: a tile is looked at from either end, and as in a mirror.
WAYS = ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))
LARGER = 1.0019  # so much larger than they are tiles look to the reader: see training.calibrate_corners
BLIND, LIKE = 0.3, 3.0  # pixels by which all looks may be off together, and deviations of the looks that count for one
CLEAR = 0.5  # a pip that a look is less sure of does not count in it
SAME_PIP = 0.07  # lengths of a tile: pips of two looks that lie so near are one
OFTEN = 0.6  # of the looks have to see a pip

Points = NDArray[np.float64]


def sharpened(frame: Image, corners_px: ArrayLike, reader: PipReader) -> list[SeenTile]:
    """Tiles in a BGR frame whose corners (n, 4, 2) are roughly known, as exactly as can be seen.

    In pixels; the first two corners bound a short edge, as in TileDetection.corners_px.
    """
    levels, chance = pyramid(frame), np.random.default_rng(0)
    return [_sharpened(levels, quad, reader, chance) for quad in np.array(corners_px, np.float64).reshape(-1, 4, 2)]


def _sharpened(levels: tuple[Image, ...], quad: Points, reader: PipReader, chance: np.random.Generator) -> SeenTile:
    for _ in range(ROUNDS):
        corners, pips = _looks(levels, quad, reader, chance)
        quad = corners.mean(axis=0)
    off = corners.std(axis=0).mean(axis=1)
    middle = quad.mean(axis=0)
    return SeenTile(
        middle + (quad - middle) / LARGER,
        np.hypot(BLIND, LIKE * off),
        _gathered(np.concatenate(pips), SAME_PIP * length_of(quad), OFTEN * len(pips)),
    )


def _looks(
    levels: tuple[Image, ...], quad: Points, reader: PipReader, chance: np.random.Generator
) -> tuple[Points, list[Points]]:
    """Where a tile's corners are by each of many looks, (looks, 4, 2), and its pips by each, (n, 2)."""
    middle, length = quad.mean(axis=0), length_of(quad)
    cuts = [
        middle + (quad - middle) * (1 + chance.normal(0, SCALED)) + chance.normal(0, SHIFTED, 2) * length
        for _ in range(CUTS)
    ]
    turned = [(cut[list(way)], way) for cut in cuts for way in WAYS]
    looks = reader.look([straighten(levels, one) for one, _ in turned])
    seen = list(zip(turned, looks, strict=True))
    corners = np.stack([to_picture(one, look.corners)[np.argsort(way)] for (one, way), look in seen])
    return corners, [to_picture(one, look.pips[look.pips[:, 2] > CLEAR, :2]) for (one, _), look in seen]


def _gathered(points: Points, near: float, fewest: float) -> Points:
    """The mean of each heap of points (n, 2) that lie so near to one another, if there are enough of them."""
    found: list[Points] = []
    while len(points):
        first = np.linalg.norm(points - points[0], axis=1) < near
        heap = np.linalg.norm(points - points[first].mean(axis=0), axis=1) < near
        heap[0] = True
        if heap.sum() >= fewest:
            found.append(points[heap].mean(axis=0))
        points = points[~heap]
    return np.array(found).reshape(-1, 2)
