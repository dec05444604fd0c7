"""The faces of one set share their colours: what looks otherwise than all the tiles around it is seldom a tile."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sizes import votes
from vision.straighten import MARGIN_X, MARGIN_Y, Image

Tint = NDArray[np.float64]

FEWEST = 3  # tiles that tell a set's colours
UNKNOWN = 0.12  # how odd a face counts where there are fewer
ODDEST = 1.0  # beyond this more makes no difference
SHADE = 0.35  # how much brightness counts against hue: shadows fall on tiles too
STEP = 4  # every so many pixels of a face are looked at
CLOSE = 0.07  # two colours nearer than this are one
COMMON = 0.25  # of the picture: a colour as common there is the table's
KIN = 4  # of the sure tiles, one part in so many has to be alike


def tint(patch: Image) -> Tint:
    """(3,) the usual colour of a tile's face: logarithms of two ratios of its channels and of its light."""
    face = patch[MARGIN_Y:-MARGIN_Y:STEP, MARGIN_X:-MARGIN_X:STEP].reshape(-1, 3)
    b, g, r = np.log(np.median(face, axis=0) + 8.0)
    return np.array([b - g, r - g, SHADE * g])


def oddity(tints: Sequence[Tint], sure: Sequence[Tint], chances: Sequence[float]) -> list[float]:
    """How far each face's colour is from those of the sure faces, the face itself not counted.

    chances: of each of the sure faces to be one; the surer, the more it counts.
    """
    if len(sure) < FEWEST + 1:
        return [UNKNOWN] * len(tints)
    known, weight = np.stack(sure), votes(chances)
    return [min(ODDEST, _from_kin(np.linalg.norm(known - t, axis=1), weight)) for t in tints]


def of_table(picture: Image, quads: Sequence[NDArray[np.float64]]) -> Tint:
    """(n, 3): the colours of a BGR picture outside these faces (4, 2), each as `tint` gives that of a face."""
    free = np.ones(picture.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillPoly(free, [np.round(quad).astype(np.int32)], 0)
    return of_pixels(picture[free > 0])


def of_pixels(pixels: Image) -> Tint:
    """(n, 3): the colour of each of some pixels, (n, 3) in BGR, as `tint` gives that of a face."""
    b, g, r = np.log(pixels[::STEP].astype(np.float64) + 8.0).T
    return np.stack([b - g, r - g, SHADE * g], axis=1)


def sameness(tints: Sequence[Tint], table: Tint) -> list[float]:
    """How much each face looks like the table around, 0 to 1: a gap between tiles is as large as a tile's back.

    table: (n, 3) colours of the picture where no tile may lie. A colour counts as the table's by how common it is.
    """
    return (
        [UNKNOWN] * len(tints)
        if len(table) == 0
        else [min(ODDEST, float((np.linalg.norm(table - t, axis=1) < CLOSE).mean()) / COMMON) for t in tints]
    )


def _from_kin(far: Tint, weight: Tint) -> float:
    """How far it is to the nearest part of the others; the nearest of all is the face itself, or might be odd too."""
    order = far.argsort()[1:]
    reached = weight[order].cumsum()
    return float(far[order][np.searchsorted(reached, reached[-1] / KIN)])
