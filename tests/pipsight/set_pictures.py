"""Pictures of an odd set for the wizards, and somebody who looks at a tile's picture and says what it is."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.domino import Domino
from training.odd_sets import odd_sets
from training.odd_tables import fresh_table, laid_out
from training.truth import Truth
from vision.straighten import Image, pyramid, straighten

POLYGONS = next(odd for odd in odd_sets() if odd.name == "polygons")
LOST = Domino(4, 2)
SEED = 7
SHRUNK = 0.6  # of what is rendered: enough to be read, and quicker


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture, the corners of each tile on it (n, 4, 2), and the numbers of each, head first."""

    image: Image
    corners: NDArray[np.float64]
    pips: tuple[tuple[int, int], ...]


@cache
def shots() -> tuple[Shot, ...]:
    """A set with polygons for pips, 4-2 lost, on two pictures; and a fresh table with some of it."""
    taken = [*laid_out(POLYGONS, SEED, missing=(LOST,)), fresh_table(POLYGONS, SEED, 0)]
    return tuple(_shrunk(image, truth) for image, truth in taken)


def _shrunk(image: Image, truth: Truth) -> Shot:
    small = cv2.resize(image, None, fx=SHRUNK, fy=SHRUNK, interpolation=cv2.INTER_AREA)
    corners = (np.array([tile.corners_px for tile in truth.tiles]) + 0.5) * SHRUNK - 0.5
    return Shot(np.asarray(small, np.uint8), corners, tuple(tile.pips for tile in truth.tiles))


def recognised(address: str) -> tuple[int, int]:
    """The numbers of the tile whose portrait this is, its left half first, by the picture that looks most like it."""
    data = np.frombuffer(b64decode(address.partition(",")[2]), np.uint8)
    portrait = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32)
    found: list[tuple[float, tuple[int, int]]] = []
    for shot in shots():
        levels = pyramid(shot.image)
        for corners, (head, tail) in zip(shot.corners, shot.pips, strict=True):
            for turn, told in ((0, (head, tail)), (2, (tail, head))):
                cut = straighten(levels, np.roll(corners, turn, axis=0)).astype(np.float32)
                found.append((float(np.abs(cut - portrait).mean()), told))
    return min(found)[1]
