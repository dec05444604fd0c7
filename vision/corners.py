"""The corners of tiles to a small part of a pixel, for measuring by them.

A reader of pips needs its corners no better than a pip is wide; whoever measures a table by its tiles needs more. So
the reader looks at each tile many times, each time at a picture cut a little otherwise, from either end and as in a
mirror: the mean is more exact than any one look, and how far the looks differ tells how exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pips import PipReader
from vision.straighten import Image, pyramid, straighten, to_picture

ROUNDS = 2  # each begins where the one before it ended
CUTS = 3  # pictures of a tile in a round, each seen in all of the ways
SCALED, SHIFTED = 0.02, 0.015  # how much larger, and how far off in lengths of the tile, a picture is cut
# The same four corners from another one on: a tile is looked at from either end, and as in a mirror.
WAYS = ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))
LARGER = 1.0025  # so much larger than they are tiles look to the reader: see training.calibrate_corners
BLIND, LIKE = 0.3, 3.0  # pixels by which all looks may be off together, and deviations of the looks that count for one

Points = NDArray[np.float64]


def sharpened(frame: Image, corners_px: ArrayLike, reader: PipReader) -> tuple[Points, Points]:
    """The corners (n, 4, 2) of tiles in a BGR frame whose corners are roughly known, as exactly as can be seen.

    In pixels; the first two bound a short edge, as in TileDetection.corners_px. With them how far off each may be,
    (n, 4), one standard deviation.
    """
    quads = np.array(corners_px, np.float64).reshape(-1, 4, 2)
    levels, chance, off = pyramid(frame), np.random.default_rng(0), np.zeros(quads.shape[:2])
    for _ in range(ROUNDS):
        for k, quad in enumerate(quads):
            looks = _looks(levels, quad, reader, chance)
            quads[k], off[k] = looks.mean(axis=0), looks.std(axis=0).mean(axis=1)
    middles = quads.mean(axis=1, keepdims=True)
    return middles + (quads - middles) / LARGER, np.hypot(BLIND, LIKE * off)


def _looks(levels: tuple[Image, ...], quad: Points, reader: PipReader, chance: np.random.Generator) -> Points:
    """Where a tile's corners are by each of many looks, (looks, 4, 2)."""
    middle, length = quad.mean(axis=0), float(np.linalg.norm(quad[2:].mean(axis=0) - quad[:2].mean(axis=0)))
    cuts = [
        middle + (quad - middle) * (1 + chance.normal(0, SCALED)) + chance.normal(0, SHIFTED, 2) * length
        for _ in range(CUTS)
    ]
    turned = [(cut[list(way)], way) for cut in cuts for way in WAYS]
    looks = reader.look([straighten(levels, one) for one, _ in turned])
    seen = zip(turned, looks, strict=True)
    return np.stack([to_picture(one, look.corners)[np.argsort(way)] for (one, way), look in seen])
