"""Pips counted on the taught pictures themselves, which are cleaner than any half they were made from."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tileset import HalfLook, TileSet

FINER = 3  # the picture is enlarged so many times, so that pips that nearly touch stay apart
UNLIKE = 0.35  # a blot so much larger or smaller than a pip, in parts, spoils the count


def counted(tiles: TileSet) -> dict[int, int]:
    """The pips on each number's picture; a number is left out where they touch or are of many sizes."""
    blots = {half.pips: _blots(half) for half in tiles.halves if half.rows is not None}
    sizes = np.concatenate(list(blots.values()))
    usual = float(np.median(sizes)) if len(sizes) else 1.0
    return {number: len(sizes) for number, sizes in blots.items() if _alike(sizes, usual)}


def _blots(half: HalfLook) -> NDArray[np.float64]:
    """(n,) the area of each thing on a picture."""
    large = cv2.resize(half.cover, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    _, _, told, _ = cv2.connectedComponentsWithStats((large > 0.5).astype(np.uint8))
    return np.asarray(told[1:, cv2.CC_STAT_AREA], np.float64)


def _alike(sizes: NDArray[np.float64], usual: float) -> bool:
    """Whether all are pips; those of the large numbers are a little smaller."""
    return bool((np.abs(np.log(sizes / usual)) < -np.log(1 - UNLIKE)).all())
