"""One picture in, one Scene out: what is known without any memory of the table."""

from __future__ import annotations

from vision.advice import advice
from vision.detector import Detector
from vision.pips import PipReader
from vision.scene import Scene
from vision.straighten import Image
from vision.tiles import find_tiles


class Reader:
    """Reads single pictures; loads its two networks once.

    >>> scene = Reader().read(frame)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._detector, self._pips = Detector(), PipReader()

    def read(self, frame: Image) -> Scene:
        """The tiles on one BGR frame, (h, w, 3) of 0 to 255."""
        tiles = find_tiles(frame, self._detector, self._pips)
        return Scene(size_px=(frame.shape[1], frame.shape[0]), tiles=tiles, advice=advice(frame, tiles, self._detector))
