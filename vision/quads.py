"""The corners of a tile, four (x, y) in the order of TileDetection.corners_px, as an array (4, 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.scene import TileDetection

Quad = NDArray[np.float64]


def corners_of(tile: TileDetection) -> Quad:
    """The corners of a tile that was found."""
    return np.array(tile.corners_px, np.float64)


def length_of(quad: NDArray[np.floating]) -> float:
    """How long a face is from the middle of one short end to that of the other.

    A tile seen aslant is longer or shorter by that than twice the way between its halves, TileDetection.length_px.
    """
    return float(np.linalg.norm(quad[2:].mean(axis=0) - quad[:2].mean(axis=0)))
