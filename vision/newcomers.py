"""Tiles that are new in one part of a table whose other tiles are known already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detector
from vision.overlap import shared
from vision.places import distinct
from vision.tiles import find_tiles

if TYPE_CHECKING:
    from vision.pips import PipReader
    from vision.scene import Point, TileDetection
    from vision.straighten import Image

Quad = NDArray[np.float64]

FITTING_PX = 56.0  # the length of a tile that the detector is shown where the usual length is known
LARGEST_PX = 320  # the longest side of the part that one frame has time for
AT_ONCE = 2  # candidates that one frame has time for
SHARED = 0.3  # of the smaller face: two that share more are not two tiles


class Newcomers:
    """Finds what is new; one instance holds one loaded detector."""

    def __init__(self, reader: PipReader) -> None:
        self._detector, self._reader = Detector(), reader

    def find(
        self, frame: Image, box: tuple[int, int, int, int], known: Sequence[Quad], length_px: float
    ) -> tuple[list[TileDetection], bool]:
        """The new tiles whose middles lie in box (x0, y0, x1, y1), and whether there may be more than were looked at.

        known: corners (4, 2) of the tiles to pass over. length_px: how long tiles usually are here, 0 if unknown.
        """
        x0, y0, x1, y1 = _wider(box, length_px, frame)
        at = np.array([x0, y0], float)
        part = np.ascontiguousarray(frame[y0:y1, x0:x1])
        fitting = min(1.0, FITTING_PX / length_px) if length_px else 1.0
        side = max(32, min(LARGEST_PX, round(fitting * max(part.shape[:2]))))
        lying = [quad - at for quad in known]
        candidates = [c for c in distinct(self._detector.find(part, side).tiles) if _free(c.corners, lying)]
        found = [_moved(tile, at) for tile in find_tiles(part, candidates[:AT_ONCE], self._reader)]
        fresh = [t for t in found if _free(np.array(t.corners_px), known)]
        inside = [t for t in fresh if _within(np.array(t.corners_px).mean(axis=0), box)]
        return inside, len(candidates) > AT_ONCE


def _free(corners: NDArray[np.floating], known: Sequence[Quad]) -> bool:
    return not any(shared(corners, quad) > SHARED for quad in known)


def _wider(box: tuple[int, int, int, int], length_px: float, frame: Image) -> tuple[int, int, int, int]:
    """The box with a margin of one tile, inside the frame: a tile is not told by a part of it."""
    x0, y0, x1, y1 = box
    margin = round(length_px or 0.5 * max(x1 - x0, y1 - y0))
    h, w = frame.shape[:2]
    return max(0, x0 - margin), max(0, y0 - margin), min(w, x1 + margin), min(h, y1 + margin)


def _within(point: Quad, box: tuple[int, int, int, int]) -> bool:
    return bool(box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3])


def _moved(tile: TileDetection, by: Quad) -> TileDetection:
    a, b, c, d, head, tail = (_plus(p, by) for p in (*tile.corners_px, *tile.centers_px))
    return replace(tile, corners_px=(a, b, c, d), centers_px=(head, tail))


def _plus(point: Point, by: Quad) -> Point:
    return (point[0] + float(by[0]), point[1] + float(by[1]))
