"""Tiles of one table are of one size, which changes slowly over the picture: what differs is seldom a tile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad

Floats = NDArray[np.float64]

FEWEST = 2.5  # tiles, each counted by its chance to be one, that tell a usual size
UNKNOWN = 0.12  # how unlike a place counts where there are fewer: about as much as a tile seen askew
FURTHEST = 0.7  # beyond this, twice the size, more makes no difference
LEAST = 1e-3  # what is smaller has no size
SPREADS = (0.6, 0.3, 0.15)  # of the fit's rounds: tiles further off than this count little
SUREST = 0.95  # surer than this makes no difference
STIFF = 0.2  # keeps few tiles in a row from telling how the size changes across the row


def unlikeness(quads: Sequence[Quad], known: Sequence[Quad], chances: Sequence[float]) -> list[float]:
    """How far the size of each face (4, 2) is from what the known ones around it let expect, as a logarithm.

    chances: of each of the known ones to be a tile. The logarithm of the size is taken to change evenly over the
    picture, which a tilted plane does nearly.
    """
    if not len(quads) or sum(chances) < FEWEST:
        return [UNKNOWN] * len(quads)
    middles = np.stack(known).mean(axis=1)
    center, reach = middles.mean(axis=0), max(float(np.ptp(middles, axis=0).max()) / 2, 1.0)
    plane = _fit((middles - center) / reach, _sizes(known), votes(chances))
    there = (np.stack(quads).mean(axis=1) - center) / reach
    apart = abs(_sizes(quads) - plane[0] - there @ plane[1:])
    return [float(one) for one in np.minimum(FURTHEST, apart)]


def votes(chances: Sequence[float]) -> Floats:
    """(n,) how much each counts beside the surest, by its odds: many weak ones outvote no real ones."""
    sure = np.minimum(np.array(chances, np.float64), SUREST)
    odds = sure / (1 - sure)
    return np.asarray(odds / max(float(odds.max(initial=0.0)), 1e-6))


def size(quad: Quad) -> float:
    """Half the logarithm of the area of a face (4, 2)."""
    return float(_sizes([quad])[0])


def _sizes(quads: Sequence[Quad]) -> Floats:
    """(n,): the sizes of n faces."""
    x, y = np.moveaxis(np.stack(quads), 2, 0)
    doubled = (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)
    return np.asarray(0.5 * np.log(np.maximum(abs(doubled) / 2, LEAST)))


def _fit(places: Floats, sizes: Floats, votes: Floats) -> Floats:
    """(3,) size = a + b x + c y by least squares, in which strangers lose their weight round by round."""
    columns = np.column_stack([np.ones(len(places)), places])
    order = sizes.argsort()
    half = np.searchsorted(votes[order].cumsum(), votes.sum() / 2)
    plane = np.array([float(sizes[order[half]]), 0.0, 0.0])
    stiff = np.diag([0.0, STIFF, STIFF])
    for spread in SPREADS:
        weight = votes * np.exp(-(((sizes - columns @ plane) / spread) ** 2)) + 1e-6
        plane = np.linalg.solve((columns.T * weight) @ columns + stiff, (columns.T * weight) @ sizes)
    return plane
