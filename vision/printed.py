"""What only seems to be a tile: a printed pattern looks just so in many other places, a domino in none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import LONGEST_SIDE
from vision.quads import Quad, corners_of
from vision.reading import SURE

if TYPE_CHECKING:
    from vision.scene import TileDetection
    from vision.straighten import Image

WIDE_PX = 10.0  # how wide a tile is on the small picture that is enough to compare places
ALIKE, ALIKE_BACK = 0.8, 0.7  # correlation, of colours: tiles that are doubtful for other reasons hardly come to it
PLACES = 4  # so many places without a tile look alike, and more than tiles do: some may be tiles that nobody found
FLAT = 2.0  # levels: what varies less has no pattern
COVERED = 0.15  # of a place: with more of it under tiles it is none without a tile


@dataclass(frozen=True)
class Places:
    """Places of one size on a small picture: at, (n, 2), their first rows and columns."""

    at: NDArray[np.int64]
    high: int
    wide: int


NOWHERE = Places(np.zeros((0, 2), np.int64), 0, 0)


def not_printed(frame: Image, tiles: Sequence[TileDetection]) -> tuple[TileDetection, ...]:
    """The tiles without those that look like the bare table of a BGR frame in more places than like other tiles.

    Numbers that are sure are believed on any table.
    """
    if not any(map(_plain, tiles)):
        return tuple(tiles)
    small, by = _small(frame, tiles)
    quads = [corners_of(tile) * by for tile in tiles]
    alike = [
        _alike(small, quad, ALIKE if tile.face_up else ALIKE_BACK) if _plain(tile) else NOWHERE
        for tile, quad in zip(tiles, quads, strict=True)
    ]
    kept, lie = list[int](), list(range(len(tiles)))
    while len(kept) != len(lie):  # what is left out leaves more bare table
        kept, lie = lie, _unlike_table(small, quads, alike, lie)
    return tuple(tiles[k] for k in kept)


def _small(frame: Image, tiles: Sequence[TileDetection]) -> tuple[Image, float]:
    """The frame no larger than it has to be to compare places, and by how much it is shrunk."""
    wide = float(np.median([_width(np.array(tile.corners_px)) for tile in tiles]))
    by = min(1.0, WIDE_PX / max(wide, 1.0), LONGEST_SIDE / max(frame.shape[:2]))
    return np.asarray(cv2.resize(frame, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8), by


def _unlike_table(small: Image, quads: Sequence[Quad], alike: Sequence[Places], lie: Sequence[int]) -> list[int]:
    """Those of the tiles that lie here which look like the table in few places, or like more tiles."""
    covered = np.zeros(small.shape[:2], np.uint8)
    for k in lie:
        cv2.fillConvexPoly(covered, np.round(quads[k]).astype(np.int32), (1,))
    under = np.asarray(cv2.integral(covered), np.int64)
    kept = []
    for k in lie:
        bare = int((_share(under, alike[k]) <= COVERED).sum())
        if bare < max(PLACES, len(alike[k].at) - bare - 1):
            kept.append(k)
    return kept


def _plain(tile: TileDetection) -> bool:
    """Whether no numbers speak for the tile: those of a short one are doubtful, however likely they are."""
    return not tile.face_up or (tile.doubtful and tile.confidence < SURE)


def _width(quad: Quad) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]))


def _alike(small: Image, quad: Quad, least: float) -> Places:
    """The places that look like this one, itself among them; none where it has no pattern."""
    size = np.array(small.shape[1::-1])
    (left, top), (right, low) = (
        np.clip(corner, 0, size).astype(int) for corner in (np.floor(quad.min(0)) - 2, np.ceil(quad.max(0)) + 2)
    )
    place = small[top:low, left:right]
    high, wide = place.shape[:2]
    if min(high, wide) < WIDE_PX / 2 or float(place.std(axis=(0, 1)).max()) < FLAT:
        return NOWHERE
    alike = np.asarray(cv2.matchTemplate(small, place, cv2.TM_CCOEFF_NORMED), np.float32)
    around = np.ones((2 * (high // 3) + 1, 2 * (wide // 3) + 1), np.uint8)
    peaks = (alike >= least) & (alike >= cv2.dilate(alike, around))
    return Places(np.argwhere(peaks), high, wide)


def _share(under: NDArray[np.int64], places: Places) -> NDArray[np.float64]:
    """How much of each place is under tiles, by the integral of what is."""
    (top, left), high, wide = places.at.T, places.high, places.wide
    inside = under[top + high, left + wide] - under[top, left + wide] - under[top + high, left] + under[top, left]
    return np.asarray(inside / max(high * wide, 1))
