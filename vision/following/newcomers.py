"""What is new in one part of a table whose other tiles are known already: tiles, and pieces of every kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.before import NOTHING, Before
from vision.mistaken import without_pieces
from vision.motion import CELL
from vision.overlap import exclude
from vision.pieces import Pieces, Wanted, find_pieces, with_stirred
from vision.places import places_in
from vision.quads import Quad, corners_of
from vision.reading import NO_DOMINO
from vision.tiles import shifted
from vision.tints import of_table

if TYPE_CHECKING:
    from vision.eyes import Eyes
    from vision.peaks import Spot
    from vision.scene import Point, TileDetection
    from vision.straighten import Image
    from vision.taught import TaughtSets
    from vision.tints import Tint

FITTING_PX = 56.0  # the length of a tile that the detector is shown where the usual length is known
LARGEST_PX = 480  # the longest side of the part that one frame has time for
COARSE = 8  # by how much smaller a picture shows the colours of the table well enough
NEAR = 0.6  # of a tile's length: so far beyond a part that changed the middle of a new tile may be
IN_PLACE = 0.25  # of a tile's length: what lies no farther off was exchanged where it lay


@dataclass(frozen=True)
class New:
    """The new tiles of a part, and all pieces near it."""

    tiles: list[TileDetection]
    pieces: Pieces


class Newcomers:
    """Finds what is new; eyes: the loaded networks."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._wanted = Wanted()

    def expect(self, kinds: Collection[str]) -> None:
        """Know which kinds of pieces may be there."""
        self._wanted = Wanted.of(kinds)

    def find(
        self,
        frame: Image,
        box: tuple[int, int, int, int],
        known: Sequence[TileDetection],
        length_px: float,
        sets: TaughtSets,
        before: Before = NOTHING,
        lifted: Sequence[TileDetection] = (),
        stirred: Sequence[TileDetection] = (),
    ) -> New:
        """What lies in box (x0, y0, x1, y1), pieces with a margin of one tile around it.

        Tiles have their middle in it, or near it where none lay: a white tile on a white table changes little.
        known: the tiles to pass over; they are looked at all the same, for a tile is told by its neighbours' size and
        colour. length_px: how long tiles usually are here, 0 if unknown. sets: those that lie here, if any were taught.
        before: what lay here and does not show as it did, upon which cardboard may lie. lifted: the tiles that look
        otherwise than they are known. stirred: those on which something changed and nothing stood: a die may do so now.
        """
        x0, y0, x1, y1 = wider = _wider(box, length_px, frame)
        at = np.array([x0, y0], float)
        part = np.ascontiguousarray(frame[y0:y1, x0:x1])
        closely = self._wanted.closely
        fitting = min(1.0, FITTING_PX / length_px) if length_px and not closely else 1.0
        side = max(32, min(LARGEST_PX, round(fitting * max(part.shape[:2]))))
        finer = closely or not length_px  # tiles of a known length are not tiny at that size
        find = partial(self._eyes.detector.find, longest_side=side, closely=closely, finer=finer)
        seen = find(part)
        quads = [corners_of(t) for t in known]
        places = places_in(part, seen.tiles, self._eyes.pips, table=_table(frame, quads), known=len(known))
        found = [shifted(tile, at) for tile in sets.tiles(part, places)]
        fresh = [t for t in found if _free(corners_of(t), quads)]
        wide = _grown(box, NEAR * length_px)
        inside = [t for t in fresh if _lies_in(t, box) or (_lies_in(t, wide) and is_new(t, lifted))]
        spots = [_at(spot, at) for spot in seen.pieces]
        laid = [*known, *inside]
        pieces = find_pieces(
            frame, spots, laid, lambda picture: find(picture).pieces, self._eyes, self._wanted, before, wider
        )
        pieces = with_stirred(pieces, [t for t in stirred if not _replaced(t, inside)])
        return New(list(without_pieces(inside, pieces, cardboard=self._wanted.cardboard)), pieces)


def _table(frame: Image, quads: Sequence[Quad]) -> Tint:
    """The colours of the whole table beside the tiles: a part of it shows too little of them."""
    small = np.asarray(cv2.resize(frame, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA), np.uint8)
    return of_table(small, [quad / COARSE for quad in quads])


def _free(corners: NDArray[np.floating], known: Sequence[Quad]) -> bool:
    return not any(exclude(corners, quad) for quad in known)


def _replaced(tile: TileDetection, found: Sequence[TileDetection]) -> bool:
    """Whether another tile was found where this one lay."""
    there = (t for t in found if exclude(corners_of(t), corners_of(tile)))
    return any(not t.doubtful and sorted(t.pips) != sorted(tile.pips) for t in there)


def _grown(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _wider(box: tuple[int, int, int, int], length_px: float, frame: Image) -> tuple[int, int, int, int]:
    """The box with a margin of one tile, inside the frame: a tile is not told by a part of it."""
    x0, y0, x1, y1 = box
    margin = round(length_px or 0.5 * max(x1 - x0, y1 - y0))
    h, w = frame.shape[:2]
    return max(0, x0 - margin), max(0, y0 - margin), min(w, x1 + margin), min(h, y1 + margin)


def _lies_in(tile: TileDetection, box: tuple[float, float, float, float]) -> bool:
    """Whether a tile's middle is in a box."""
    x, y = np.mean(tile.corners_px, axis=0)
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def is_new(tile: TileDetection, lifted: Sequence[TileDetection]) -> bool:
    """Whether no other tile lay there: none but one that was pushed there, or exchanged for it where it lay."""
    others = [corners_of(old) for old in lifted if not _takes_over(tile, old)]
    return _free(corners_of(tile), others)


def _takes_over(tile: TileDetection, old: TileDetection) -> bool:
    far = np.linalg.norm(np.mean(tile.corners_px, axis=0) - np.mean(old.corners_px, axis=0))
    return sorted(tile.pips) == sorted(old.pips) or bool(far < IN_PLACE * old.length_px)


def _plus(point: Point, by: NDArray[np.float64]) -> Point:
    return (point[0] + float(by[0]), point[1] + float(by[1]))


def _at(spot: Spot, by: NDArray[np.float64]) -> Spot:
    return replace(spot, center=_plus(spot.center, by))


def usual_length(tiles: Sequence[TileDetection]) -> float:
    """How long tiles are here, in pixels; 0 where that is not known: what may be no domino does not tell it."""
    sure = [tile.length_px for tile in tiles if tile.why != NO_DOMINO]
    return float(np.median(sure)) if sure else 0.0


def part_of(cells: NDArray[np.bool_], length_px: float, by: int) -> tuple[int, int, int, int]:
    """The first x, y, w, h of these cells' bounding box, not wider or higher than one frame has time to search.

    Tiles are length_px long, 0 if that is not known; `by` pixels of the frame make a working one.
    """
    reach = max(4, int((LARGEST_PX - 2 * FITTING_PX) / FITTING_PX * (length_px or FITTING_PX) / (by * CELL)))
    rows, cols = np.nonzero(cells)
    y, x = int(rows.min()), int(cols.min())
    return x, y, min(int(cols.max()) + 1 - x, reach), min(int(rows.max()) + 1 - y, reach)
