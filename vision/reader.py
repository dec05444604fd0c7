"""One picture in, one Scene out: what is known without any memory of the table."""

from __future__ import annotations

import numpy as np

from vision.detector import Detector
from vision.pips import PipReader
from vision.scene import Scene, TileDetection
from vision.straighten import Image
from vision.tiles import find_tiles

READABLE_PX = 45.0  # a tile shorter than this is read badly whatever the light


class Reader:
    """Reads single pictures; loads its two networks once.

    >>> scene = Reader().read(frame)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._detector, self._pips = Detector(), PipReader()

    def read(self, frame: Image) -> Scene:
        """The tiles on one BGR frame, (h, w, 3) of 0 to 255."""
        tiles = find_tiles(frame, self._detector, self._pips)
        return Scene(size_px=(frame.shape[1], frame.shape[0]), tiles=tiles, advice=_advice(tiles))


def _advice(tiles: tuple[TileDetection, ...]) -> tuple[str, ...]:
    """What the person behind the camera might change."""
    if not tiles:
        return ()
    length = float(np.median([_length(t) for t in tiles]))
    if length < READABLE_PX:
        needed = f"{READABLE_PX:.0f} are needed: come nearer or take a larger picture."
        return (f"The dominoes are {length:.0f} pixels long and {needed}",)
    doubtful = sum(t.doubtful for t in tiles)
    if doubtful > max(2, 0.4 * len(tiles)):
        return (
            "Many dominoes are hard to read: hold the camera still, give more light, and avoid glare on the tiles.",
        )
    return ()


def _length(tile: TileDetection) -> float:
    c = np.asarray(tile.corners_px)
    return float(np.linalg.norm(c[2:].mean(axis=0) - c[:2].mean(axis=0)))
