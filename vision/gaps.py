"""Where a tile is missing among others: people lay dominoes in rows and blocks, and few leave a hole as large as one.

A back without a bar under a shadow's edge, or white on white, shows so little that the detector passes it by; the tiles
on two sides of it still tell just where to look more closely.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.overlap import OVERLAP, conflicts, taken, unexplained
from vision.quads import Quad
from vision.straighten import as_point

BESIDE = 1.03  # tiles that touch lie a little more than their own width apart
AGREED = 0.35  # widths: two tiles mean the same gap if the places they tell are nearer to each other
HELD, CLOSE = 4, 0.2  # a gap held on so many of its six sides needs no second teller; tiles so many widths away hold it
ALIGNED = float(np.sin(np.deg2rad(15)))  # ways that are turned less against each other are the same
FREE = 0.2  # of a face: a gap is at most so much covered
BARE = 0.3  # of a face: what those that exclude a tile leave of it shows at most so much


def gaps(quads: Sequence[Quad], plain: Sequence[bool], others: Sequence[Quad] = ()) -> list[Quad]:
    """The places (4, 2) where one more tile would just fit: among several, beside a plain one, where one seems to lie.

    quads: corners of the tiles, as on TileDetection. plain: which of them show nothing but a back, and so little of
    where one ends and the next begins. others: what seemed to be a tile and is none just there; it may be half of one
    and half of the next.
    """
    told = [(place, bare) for quad, bare in zip(quads, plain, strict=True) for place in _beside(quad)]
    empty = ~conflicts([*(place for place, _ in told), *quads], FREE)[: len(told), len(told) :].any(axis=1)
    free = [told[k] for k in np.flatnonzero(empty)]
    return _agreed([(place, bare or _held(place, quads) >= HELD or _seems(place, others)) for place, bare in free])


def _held(place: Quad, quads: Sequence[Quad]) -> int:
    """Against how many of a place's six sides, each as long as it is wide, lie tiles."""
    across, along = _ways(place)
    ends = [way * (0.5 + CLOSE / 2) * along for way in (1, -1)]
    sides = [way * (0.5 + CLOSE) * across + half * along for way in (1, -1) for half in (0.25, -0.25)]
    faces = [quad.astype(np.float32) for quad in quads]
    points = [(float(x), float(y)) for x, y in (place.mean(axis=0) + step for step in (*ends, *sides))]
    return sum(any(cv2.pointPolygonTest(face, point, False) > 0 for face in faces) for point in points)


def _seems(place: Quad, others: Sequence[Quad]) -> bool:
    """Whether the middle of one of the others is in a place, and it lies along it."""
    face, ahead = place.astype(np.float32), _ahead(place)
    inside = [quad for quad in others if cv2.pointPolygonTest(face, as_point(quad.mean(axis=0)), False) > 0]
    return any(_aligned(_ahead(quad), ahead) for quad in inside)


def farther_along(quad: Quad) -> list[Quad]:
    """The places (4, 2) a quarter and half of its length before and behind one."""
    _, along = _ways(quad)
    return [quad + by * along for by in (0.25, 0.5, -0.25, -0.5)]


def instead(likely: Sequence[Quad], kept: Sequence[Quad]) -> list[Quad]:
    """The places (4, 2) that would lie beside a likely tile which others push aside, on what those leave without it.

    Two tiles side by side are a square that may as well be two tiles the other way round, where bars look like seams:
    whoever saw only one of those cannot choose. likely: tiles pushed aside. kept: those that lie there as it seems.
    """
    if not likely or not kept:
        return []
    pushed = conflicts([*likely, *kept], OVERLAP)[: len(likely), len(likely) :]
    found = list[Quad]()
    for place, aside in zip(likely, pushed, strict=True):
        rivals, stay = ([quad for quad, one in zip(kept, which, strict=True) if one] for which in (aside, ~aside))
        told = _beside(place)
        free = ~taken(told, stay, FREE) & (unexplained(told, rivals) < BARE)
        found += [quad for quad, one in zip(told, free, strict=True) if one]
    return found


def _beside(quad: Quad) -> list[Quad]:
    """The four places straight beside a tile, on its long sides and at its ends."""
    across, along = _ways(quad)
    return [quad + BESIDE * step for step in (across, -across, along, -along)]


def _ways(quad: Quad) -> tuple[Quad, Quad]:
    """From one long side of a tile to the other, and from one end to the other."""
    return (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2


def _agreed(told: Sequence[tuple[Quad, bool]]) -> list[Quad]:
    """The middle of the places that several tiles tell alike, or one alone that is believed alone."""
    if not told:
        return []
    places, alone = [place for place, _ in told], [believed for _, believed in told]
    middles = np.array([place.mean(axis=0) for place in places])
    ahead = np.array([_ahead(place) for place in places])
    width = np.array([np.linalg.norm(place[1] - place[0]) for place in places])
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < AGREED * np.minimum(width[:, None], width[None])
    alike = near & _aligned(ahead[:, None], ahead[None])
    found, used = list[Quad](), set[int]()
    for k in range(len(places)):
        same = [int(j) for j in np.flatnonzero(alike[k]) if j not in used]
        if k not in used and (len(same) > 1 or any(alone[j] for j in same)):
            used.update(same)
            found.append(np.mean([_as(places[j], ahead[k]) for j in same], axis=0))
    return found


def _as(place: Quad, ahead: NDArray[np.float64]) -> Quad:
    """The same place with its head at the end that another tile's way begins with."""
    return place if _ahead(place) @ ahead > 0 else np.roll(place, 2, axis=0)


def _ahead(place: Quad) -> NDArray[np.float64]:
    """The direction from a place's head to its tail, of length one."""
    _, along = _ways(place)
    return np.asarray(along / max(float(np.linalg.norm(along)), 1e-9))


def _aligned(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether directions (..., 2) are nearly the same, or opposite."""
    return np.asarray(abs(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) < ALIGNED)
