"""From candidate places to tiles: each is straightened, looked at, moved to where its corners are, and looked at again.

Candidates that claim the same piece of table are settled by what the closer look says, not by the first impression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Candidate, Detector
from vision.pips import Look, PipReader
from vision.reading import Reading, read_halves
from vision.scene import Point, TileDetection
from vision.straighten import FRAME, HALF, MARGIN_X, MARGIN_Y, Image, pyramid, straighten, to_picture

Quad = NDArray[np.float64]

MOST_CANDIDATES = 400  # enough for four double-twelve sets; more is texture taken for tiles
SAME_PLACE = 0.3  # candidates closer than this part of their width are one
STRAY = 0.035  # corners that move by more than this many halves are worth another look
NO_TILE = 0.5  # places whose chance of being no tile is above this are dropped
OVERLAP = 0.3  # of the smaller tile's face; tiles that share more cannot both lie flat

# The middles of the head and of the tail on the straightened picture.
_HALVES = np.array([[0.5 * HALF, 0.5 * HALF], [1.5 * HALF, 0.5 * HALF]]) + [MARGIN_X - 0.5, MARGIN_Y - 0.5]


@dataclass(frozen=True)
class _Place:
    """A candidate after the closer look."""

    quad: Quad
    look: Look
    score: float


def find_tiles(frame: Image, detector: Detector, reader: PipReader) -> tuple[TileDetection, ...]:
    """All dominoes lying in a BGR frame, in reading order: from the top, then from the left."""
    candidates = _distinct(detector.find(frame))[:MOST_CANDIDATES]
    places = _settled(_looked_at(frame, candidates, reader))
    tiles = [_detection(p) for p in places]
    return tuple(sorted(tiles, key=lambda t: (t.centers_px[0][1] + t.centers_px[1][1], t.centers_px[0][0])))


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a place: the same tile is found at neighbouring scales."""
    kept: list[Candidate] = []
    for c in candidates:
        if not any(_same(c, k) for k in kept):
            kept.append(c)
    return kept


def _same(a: Candidate, b: Candidate) -> bool:
    apart = np.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1])
    wide_a, wide_b = 2 * np.hypot(*a.across), 2 * np.hypot(*b.across)
    alike = abs(np.log(max(wide_a, 1e-3) / max(wide_b, 1e-3))) < 0.4
    aligned = abs(a.along[0] * b.along[0] + a.along[1] * b.along[1]) > 0.9 * np.hypot(*a.along) * np.hypot(*b.along)
    return bool(alike and aligned and apart < SAME_PLACE * min(wide_a, wide_b))


def _looked_at(frame: Image, candidates: Sequence[Candidate], reader: PipReader) -> list[_Place]:
    """Two closer looks at each candidate, the second where the first one saw the corners."""
    levels = pyramid(frame)
    quads = [c.corners.astype(np.float64) for c in candidates]
    looks = reader.look([straighten(levels, q) for q in quads])
    again = [k for k, look in enumerate(looks) if look.nothing < 0.97 and _strays(look)]
    for k in again:
        quads[k] = _moved(quads[k], looks[k])
    second = reader.look([straighten(levels, quads[k]) for k in again])
    for k, look in zip(again, second, strict=True):
        looks[k] = look
    return [
        _Place(_moved(q, look), look, (1 - look.nothing) * (0.3 + c.score))
        for q, look, c in zip(quads, looks, candidates, strict=True)
        if look.nothing < NO_TILE
    ]


def _strays(look: Look) -> bool:
    return bool(abs(look.corners - FRAME).max() > STRAY * HALF)


def _moved(quad: Quad, look: Look) -> Quad:
    return to_picture(quad, look.corners)


def _settled(places: Sequence[_Place]) -> list[_Place]:
    """The best place first; those that overlap one already taken give way."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda p: -p.score):
        if _convex(place.quad) and not any(_overlap(place.quad, other.quad) > OVERLAP for other in kept):
            kept.append(place)
    return kept


def _convex(quad: Quad) -> bool:
    return bool(cv2.isContourConvex(quad.astype(np.float32)) and cv2.contourArea(quad.astype(np.float32)) > 16)


def _overlap(a: Quad, b: Quad) -> float:
    """The shared part of the smaller of two faces."""
    reach = max(np.ptp(a, axis=0).max(), np.ptp(b, axis=0).max())
    if abs(a.mean(0) - b.mean(0)).max() > reach:
        return 0.0
    one, two = a.astype(np.float32), b.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(one, two)
    return float(common / max(min(cv2.contourArea(one), cv2.contourArea(two)), 1e-3))


def _detection(place: _Place) -> TileDetection:
    look = place.look
    middles = to_picture(place.quad, _HALVES)
    face_up = look.up >= look.down
    length = float(np.linalg.norm(place.quad[2:].mean(0) - place.quad[:2].mean(0)))
    reading = read_halves(look, length)
    swap = _head_is_tail(middles)
    return _build(place.quad, middles, reading, face_up, swap)


def _head_is_tail(middles: Quad) -> bool:
    """The head is the left half, or the upper one of a tile that stands nearly upright in the picture."""
    dx, dy = middles[1] - middles[0]
    return bool(dy < 0 if abs(dy) > abs(dx) else dx < 0)


def _build(quad: Quad, middles: Quad, reading: Reading, face_up: bool, swap: bool) -> TileDetection:
    order = (2, 3, 0, 1) if swap else (0, 1, 2, 3)
    a, b, c, d = (_point(quad[k]) for k in order)
    one, two = (1, 0) if swap else (0, 1)
    return TileDetection(
        corners_px=(a, b, c, d),
        centers_px=(_point(middles[one]), _point(middles[two])),
        pips=(reading.pips[one], reading.pips[two]) if face_up else (0, 0),
        confidence=reading.confidence,
        doubtful=bool(reading.why),
        face_up=face_up,
        likelihoods=(reading.likelihoods[one], reading.likelihoods[two]) if face_up else ((), ()),
        why=reading.why,
    )


def _point(xy: Quad) -> Point:
    return (float(xy[0]), float(xy[1]))
