"""Dice on a table seen from a chair: there their tops look flat and their sides square, and from above right.

The detector takes every top face for a square. Where the tiles tell how the table lies, it looks a second time, at the
table as it is seen from above, as vision.aslant does for tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import atan2, degrees, sqrt

import cv2
import numpy as np

from calibration.homography import Array, inverse, mapped
from vision.aslant import Box, from_above, tilt_under
from vision.dice import DieReader, Top, look_at, settled
from vision.peaks import Spot
from vision.scene import TileDetection
from vision.straighten import Image, pyramid

Finder = Callable[[Image], Sequence[Spot]]  # the spots of pieces in a BGR frame, as vision.detector finds them

STEEP = 1.3  # so much longer one direction looks than the other where what looks square is rather a side than a top
FEW = 4  # fewer tiles may be wrong about the tilt
SQUARE = 1.2  # seen from above a top is hardly longer than wide; a side is, as it was stretched


def find_tops(
    frame: Image, found: Sequence[Spot], tiles: Sequence[TileDetection], find: Finder, reader: DieReader, box: Box
) -> list[Top]:
    """What may be the tops of dice in the box of a BGR frame, seen as it is and, where it is aslant, from above.

    found: the spots in the frame as it is; where none may be a die nothing is looked for. tiles: those of the frame, by
    which the table's tilt is told. find: finds the spots in the picture from above.
    """
    tops = look_at(frame, found, tiles, reader)
    centers = [spot.center for spot in found if spot.kind == "die"]
    tilt = tilt_under(tiles, (frame.shape[1], frame.shape[0])) if centers else None
    if tilt is None or not tilt.disturbs(centers):
        return tops
    above, back = from_above(pyramid(frame), tilt, box, centers)
    ahead = inverse(back)
    lying = [_carried(tile, ahead) for tile in tiles]
    flat = [top for top in look_at(above, find(above), lying, reader) if top.stretch < SQUARE]
    seen = [_brought_back(top, back) for top in settled(flat)]
    longest, shortest = tilt.stretch
    if longest > STEEP * shortest and len(tiles) >= FEW:
        tops = [top for top in tops if not _within(_moved(top.spot.center, ahead), _all_of(above))]
    return [*tops, *(top for top in seen if _within(top.spot.center, box))]


def _carried(tile: TileDetection, by: Array) -> TileDetection:
    """A tile where a homography (3, 3) takes it."""
    a, b, c, d, head, tail = (
        (float(x), float(y)) for x, y in mapped(by, np.array([*tile.corners_px, *tile.centers_px]))
    )
    return replace(tile, corners_px=(a, b, c, d), centers_px=(head, tail))


def _brought_back(top: Top, back: Array) -> Top:
    """A top that was seen from above as the square that is most like it in the frame."""
    face = mapped(back, top.spot.corners.astype(np.float64))
    along = face[3] - face[0]
    edge = sqrt(max(1.0, cv2.contourArea(face.astype(np.float32))))
    angle = degrees(atan2(along[1], along[0]))
    return replace(top, spot=replace(top.spot, center=_moved(top.spot.center, back), edge_px=edge, angle_deg=angle))


def _moved(point: tuple[float, float], by: Array) -> tuple[float, float]:
    x, y = mapped(by, np.array([point]))[0]
    return float(x), float(y)


def _all_of(picture: Image) -> Box:
    return 0, 0, picture.shape[1], picture.shape[0]


def _within(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]
