"""Dice on a table seen from a chair: there their tops look flat and their sides square, and from above right.

The detector takes every top face for a square. Where the tiles tell how the table lies, it looks a second time, at the
table as it is seen from above, as vision.aslant does for tiles. What seems to be a top just where a side of another die
has to be seen is that side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import atan2, degrees, sqrt

import cv2
import numpy as np

from calibration.homography import Array, inverse, mapped
from vision.aslant import Box, Tilt, from_above, tilt_under
from vision.dice import SAME_DIE, DieReader, Top, look_at, settled
from vision.peaks import Spot, apart
from vision.scene import TileDetection
from vision.straighten import Image, pyramid

Finder = Callable[[Image], Sequence[Spot]]  # the spots of pieces in a BGR frame, as vision.detector finds them

STEEP = 1.3  # so much longer one direction looks than the other where what looks square is rather a side than a top
FEW = 4  # fewer tiles may be wrong about the tilt
SQUARE = 1.2  # seen from above a top is hardly longer than wide; a side is, as it was stretched
TURNED = np.radians(np.arange(-45, 46, 15))  # the sides that are seen face the camera, more or less
LIKELY = 0.5  # what is less likely a top has no sides either
OFF = 0.25  # edges that a side may seem to be off its place
PLAIN = 0.95  # what is likelier is a top wherever it is seen: of another die, which touches the first one


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
    return _without_sides([*tops, *(top for top in seen if _within(top.spot.center, box))], tilt)


def _without_sides(tops: Sequence[Top], tilt: Tilt) -> list[Top]:
    """The tops but for those that are rather a side of a likely one."""
    ahead = [top for top in tops if tilt.is_before(top.spot.center)]
    middles = mapped(tilt.to_table, np.array([top.spot.center for top in ahead]).reshape(-1, 2))
    no_tops: set[int] = set()
    for top in (one for one in ahead if one.presence > LIKELY):
        places, edge = _sides(top, tilt)
        far = np.linalg.norm(places - middles[:, None], axis=2).min(axis=1)
        near = (one for one, off in zip(ahead, far, strict=True) if off < OFF * edge)
        no_tops |= {id(one) for one in near if one.presence < PLAIN and apart(one.spot, top.spot) > SAME_DIE}
    return [top for top in tops if id(top) not in no_tops]


def _sides(top: Top, tilt: Tilt) -> tuple[Array, float]:
    """Where on the table the middle of a die's side is seen (n, 2), however the die is turned, and how long it is."""
    middle = mapped(tilt.to_table, np.array(top.spot.center))
    longest, shortest = tilt.stretch_at(top.spot.center)
    edge = top.spot.edge_px / sqrt(longest * shortest)
    near = tilt.nearer(top.spot.center)
    leans = sqrt(max(0.0, (longest / shortest) ** 2 - 1))  # so far, in heights, the top is seen from where it stands
    along, across = np.cos(TURNED) + leans, np.sin(TURNED)
    return middle + edge / 2 * (along[:, None] * near + across[:, None] * np.array([-near[1], near[0]])), edge


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
