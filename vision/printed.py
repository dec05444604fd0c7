"""What only seems to be a tile: a printed pattern looks just so in many other places, a domino in none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.scene import TileDetection
    from vision.straighten import Image

Quad = NDArray[np.float64]

WIDE_PX = 10.0  # how wide a tile is on the small picture that is enough to compare places
ALIKE, ALIKE_BACK = 0.8, 0.7  # correlation, of colours: tiles that are doubtful for other reasons hardly come to it
PLACES = 4  # so many places without a tile look alike, and more than tiles do: some may be tiles that nobody found
FLAT = 2.0  # levels: what varies less has no pattern
COVERED = 0.15  # of a place: with more of it under tiles it is none without a tile


def not_printed(
    frame: Image, tiles: Sequence[TileDetection], others: Sequence[TileDetection] = ()
) -> tuple[TileDetection, ...]:
    """The tiles without those that look like the bare table of a BGR frame in more places than like other tiles.

    Numbers that are sure are believed on any table. others: what lies there too.
    """
    if not any(map(_plain, tiles)):
        return tuple(tiles)
    quads = [np.array(tile.corners_px, np.float64) for tile in (*tiles, *others)]
    by = min(1.0, WIDE_PX / max(float(np.median([_width(quad) for quad in quads])), 1.0))
    small = np.asarray(cv2.resize(frame, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)
    covered = np.zeros(small.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(covered, np.round(quad * by).astype(np.int32), (1,))
    alike = [
        _alike(small, covered, quad * by, ALIKE if tile.face_up else ALIKE_BACK) if _plain(tile) else (0, 0)
        for tile, quad in zip(tiles, quads, strict=False)
    ]
    kept = tuple(tile for tile, (bare, laid) in zip(tiles, alike, strict=True) if bare < max(PLACES, laid))
    return kept if len(kept) == len(tiles) else not_printed(frame, kept, others)  # there is more bare table now


def _plain(tile: TileDetection) -> bool:
    """Whether no numbers speak for the tile."""
    return tile.doubtful or not tile.face_up


def _width(quad: Quad) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]))


def _alike(small: Image, covered: Image, quad: Quad, least: float) -> tuple[int, int]:
    """How many places of the bare table look like this one, and how many on which tiles lie, this one not counted."""
    size = np.array(small.shape[1::-1])
    (left, top), (right, low) = (
        np.clip(corner, 0, size).astype(int) for corner in (np.floor(quad.min(0)) - 2, np.ceil(quad.max(0)) + 2)
    )
    place = small[top:low, left:right]
    high, wide = place.shape[:2]
    if min(high, wide) < WIDE_PX / 2 or float(place.std(axis=(0, 1)).max()) < FLAT:
        return 0, 0
    alike = np.asarray(cv2.matchTemplate(small, place, cv2.TM_CCOEFF_NORMED), np.float32)
    around = np.ones((2 * (high // 3) + 1, 2 * (wide // 3) + 1), np.uint8)
    peaks = (alike >= least) & (alike >= cv2.dilate(alike, around))
    under = cv2.boxFilter(covered.astype(np.float32), -1, (wide, high), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    bare = under[: alike.shape[0], : alike.shape[1]] <= COVERED
    return int((peaks & bare).sum()), int((peaks & ~bare).sum()) - 1
