"""The closer look at a candidate: it is straightened, moved to where its corners are, and looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision import relief
from vision.peaks import Candidate
from vision.pips import Look, PipReader
from vision.place import Place
from vision.quads import Quad
from vision.relief import surroundings
from vision.straighten import FRAME, HALF, Image, straighten, to_picture
from vision.tints import tint

STRAY = 0.12  # corners that move by more than this many halves are worth another look
HOPELESS = 0.9  # places whose chance of being no tile is above this are not looked at again, nor moved
OPEN, MOST_OPEN = (0.02, 0.98), 64  # chances between which a place is looked at each way; so many places, at most


def looked_at(levels: Sequence[Image], candidates: Sequence[Candidate], reader: PipReader) -> list[Place]:
    """Two closer looks at each candidate, the second where the first one saw the corners."""
    quads = [c.corners.astype(np.float64) for c in candidates]
    patches = [straighten(levels, q) for q in quads]
    looks = reader.look(patches)
    again = [k for k, look in enumerate(looks) if look.nothing < HOPELESS and _strays(look)]
    for k in again:
        quads[k] = _moved(quads[k], looks[k])
        patches[k] = straighten(levels, quads[k])
    for k, look in zip(again, reader.look([patches[k] for k in again]), strict=True):
        looks[k] = look
    quads = [_seen_at(quad, look) for quad, look in zip(quads, looks, strict=True)]
    hopeful = [k for k, look in enumerate(looks) if look.nothing < HOPELESS]
    lies = dict(zip(hopeful, reader.relief.odds([surroundings(levels, quads[k]) for k in hopeful]), strict=True))
    seen = enumerate(zip(quads, looks, candidates, patches, strict=True))
    return [
        Place(quad, look, c.score, tint(patch), lies=lies.get(k, relief.UNKNOWN)) for k, (quad, look, c, patch) in seen
    ]


def _seen_at(quad: Quad, look: Look) -> Quad:
    """Where the tile's corners are; whoever sees no tile sees no corners either, and the first impression stands."""
    return quad if look.nothing > HOPELESS else _moved(quad, look)


def _strays(look: Look) -> bool:
    return bool(abs(look.corners - FRAME).max() > STRAY * HALF)


def _moved(quad: Quad, look: Look) -> Quad:
    return to_picture(quad, look.corners)


def each_way(levels: Sequence[Image], places: Sequence[Place], reader: PipReader) -> list[Place]:
    """The places, those that are open still as they look each way; the likeliest go first where they are many."""
    told = list(places)
    still = sorted((k for k, place in enumerate(places) if _open(place)), key=lambda k: -places[k].presence)[:MOST_OPEN]
    looks = reader.look_each_way([straighten(levels, places[k].quad) for k in still])
    for k, look in zip(still, looks, strict=True):
        told[k] = replace(places[k], quad=_seen_at(places[k].quad, look), look=look)
    return told


def _open(place: Place) -> bool:
    """Whether a tile may lie there, and it is not plain which one."""
    return place.presence > OPEN[0] and min(place.presence, place.read) < OPEN[1]
