"""The tiles of a picture: the places where one really lies, each with its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from vision.blanks import plainly
from vision.place import Place
from vision.quads import Quad
from vision.reading import Reading, read_halves
from vision.scene import TileDetection
from vision.straighten import HALVES, as_point, to_picture

PRESENT = 0.5  # places with a smaller chance of being a tile are not reported


def tiles_at(places: Iterable[Place]) -> tuple[TileDetection, ...]:
    """The dominoes at those places where one lies, in reading order: from the top, then the left."""
    return in_order(tile_at(place) for place in places if place.presence > PRESENT)


def tile_at(place: Place) -> TileDetection:
    """The domino that lies at a place, if one does."""
    reading = read_halves(place.look, place.length_px, place.trust)
    return detection(place, plainly(reading) if place.plain else reading)


def in_order(tiles: Iterable[TileDetection]) -> tuple[TileDetection, ...]:
    """Tiles from the top of the picture down, then from the left."""
    return tuple(sorted(tiles, key=lambda t: (t.centers_px[0][1] + t.centers_px[1][1], t.centers_px[0][0])))


def shifted(tile: TileDetection, by: ArrayLike) -> TileDetection:
    """A tile so many pixels, (right, down), farther on."""
    right, down = (float(step) for step in np.asarray(by))
    a, b, c, d, head, tail = ((x + right, y + down) for x, y in (*tile.corners_px, *tile.centers_px))
    return replace(tile, corners_px=(a, b, c, d), centers_px=(head, tail))


def detection(place: Place, reading: Reading) -> TileDetection:
    """A place and its reading as a tile, its head first."""
    middles = to_picture(place.quad, HALVES)
    return _build(place.quad, middles, reading, place.face_up, _head_is_tail(middles))


def _head_is_tail(middles: Quad) -> bool:
    """The head is the left half, or the upper one of a tile that stands nearly upright in the picture."""
    dx, dy = middles[1] - middles[0]
    return bool(dy < 0 if abs(dy) > abs(dx) else dx < 0)


def _build(quad: Quad, middles: Quad, reading: Reading, face_up: bool, swap: bool) -> TileDetection:
    order = (2, 3, 0, 1) if swap else (0, 1, 2, 3)
    a, b, c, d = (as_point(quad[k]) for k in order)
    one, two = (1, 0) if swap else (0, 1)
    return TileDetection(
        corners_px=(a, b, c, d),
        centers_px=(as_point(middles[one]), as_point(middles[two])),
        pips=(reading.pips[one], reading.pips[two]) if face_up else (0, 0),
        confidence=reading.confidence,
        doubtful=bool(reading.why),
        face_up=face_up,
        likelihoods=(reading.likelihoods[one], reading.likelihoods[two]) if face_up else ((), ()),
        why=reading.why,
    )
