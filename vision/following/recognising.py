"""Whether what is seen in a tile's place is the tile that is known there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.overlap import covered, shared
from vision.quads import Quad, corners_of, length_of
from vision.reading import FLOOR, believed

if TYPE_CHECKING:
    from vision.following.evidence import Evidence
    from vision.following.sighting import Sighting
    from vision.pips import Look
    from vision.scene import TileDetection

NOTHING = 0.5  # a look that gives "no tile" such a chance is one at an empty place
FAINTER = 2.0  # in log odds: a look that sees so much less of a tile than those before sees another thing
SLID = 0.12  # of its length: a tile seen so far from its place was moved
SAME = 0.8  # of the smaller face: a tile that covers so much of another's place may be the same
MORE = 1.2  # times a face: what is so much larger shows a part of the tile that was hidden


def is_gone(told: tuple[Look, Quad, bool], known: Sighting, *, untouched: bool = False) -> bool:
    """Whether a look at a tile's place shows that it does not lie there any more.

    untouched: whether the place has the colours that it had. Then a tile that hardly showed before, as a dark back on
    a dark table, may be missed by a look and lie there still.
    """
    missed = told[0].nothing > NOTHING and not (untouched and _as_faint(told[0], known.evidence))
    return missed or _apart(told[1], known.corners) or not _same(told, known)


def _as_faint(look: Look, evidence: Evidence) -> bool:
    """Whether a look sees hardly less of a tile than those before it did."""
    if not evidence.looks:
        return False
    up, down, nothing = evidence.face / evidence.looks
    before = float(np.logaddexp(up, down) - nothing)
    return bool(before - np.log((look.up + look.down + FLOOR) / (look.nothing + FLOOR)) < FAINTER)


def _same(told: tuple[Look, Quad, bool], known: Sighting) -> bool:
    """Whether a look reads what was read there before: another tile in its place is found by searching."""
    look, _, turned = told
    if known.tile.face_up != (look.up >= look.down):
        return False
    read = tuple(int(k) for k in believed(look).argmax(axis=1))
    return not known.tile.face_up or known.tile.pips == (read[::-1] if turned else read)


def _apart(seen: Quad, known: Quad) -> bool:
    """Whether what a look saw is another tile than the one known there: a slid one reaches into its old place."""
    return bool(np.linalg.norm(seen.mean(axis=0) - known.mean(axis=0)) > SLID * length_of(known))


def is_same(tile: TileDetection, other: TileDetection) -> bool:
    """Whether two are surely the same domino; of most sets each lies there once."""
    up = tile.face_up and other.face_up and not tile.doubtful
    return up and sorted(tile.pips) == sorted(other.pips)


def lies_as(tile: TileDetection, known: Sighting) -> bool:
    """Whether a tile lies just where a known one lay, the same side up."""
    corners = corners_of(tile)
    here = not _apart(corners, known.corners) and shared(corners, known.corners) > SAME
    return here and tile.face_up == known.tile.face_up


def bares(tile: TileDetection, known: Sighting) -> bool:
    """Whether a tile surely shows a part of itself that something hid when it was known: that was taken away."""
    corners, before = corners_of(tile), known.corners
    larger = _area(corners) > MORE * _area(before) and covered(before, corners) > SAME
    return larger and tile.face_up and not tile.doubtful


def _area(face: Quad) -> float:
    return float(cv2.contourArea(face.astype(np.float32)))
