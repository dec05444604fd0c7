"""Where tiles may lie: each candidate is straightened, looked at, moved to where its corners are, and looked at again.

Candidates that claim the same piece of table are settled by what the closer look says, not by the first impression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Candidate, Detector
from vision.pips import Look, PipReader
from vision.reading import fused
from vision.straighten import FRAME, HALF, Image, pyramid, straighten, to_picture

Quad = NDArray[np.float64]

MOST_CANDIDATES = 400  # enough for four double-twelve sets; more is texture taken for tiles
SAME_PLACE = 0.3  # candidates closer than this part of their width are one
STRAY = 0.08  # corners that move by more than this many halves are worth another look
HOPELESS = 0.9  # places whose chance of being no tile is above this are not looked at again
FAINTEST = 0.1  # places with a smaller chance of being a tile are forgotten
OVERLAP = 0.3  # of the smaller tile's face; tiles that share more cannot both lie flat

# How the two networks together tell a tile from none (a logistic fit, as training.calibrate makes): by the first
# impression, by the closer look, and by how clear the numbers are, which they seldom are where no tile lies.
PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, OFFSET = 2.45, 0.68, 0.96, -0.59


@dataclass(frozen=True)
class Place:
    """A place where a tile may lie, after the closer look.

    quad: corners as on TileDetection. peak: the chance by the detector that a tile has its middle here.
    """

    quad: Quad
    look: Look
    peak: float

    @cached_property
    def presence(self) -> float:
        """The chance that a tile lies exactly here."""
        weights = np.array([PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, OFFSET])
        return float(1 / (1 + np.exp(-weights @ self.evidence)))

    @property
    def evidence(self) -> NDArray[np.float64]:
        """What speaks for a tile, for the logistic fit; the last of the four is the constant."""
        clear = 1.0 if self.look.down > self.look.up else float(fused(self.look).max(axis=1).prod())
        return np.array([_logit(self.peak), _logit(1 - self.look.nothing), np.log(max(clear, 1e-4)), 1.0])

    @property
    def length_px(self) -> float:
        """How long the tile is in the picture."""
        return float(np.linalg.norm(self.quad[2:].mean(axis=0) - self.quad[:2].mean(axis=0)))


def _logit(chance: float) -> float:
    p = float(np.clip(chance, 1e-4, 1 - 1e-4))
    return float(np.log(p / (1 - p)))


def find_places(frame: Image, detector: Detector, reader: PipReader) -> list[Place]:
    """Every place in a BGR frame where a tile may lie, the likeliest first; no two overlap much."""
    candidates = _distinct(detector.find(frame))[:MOST_CANDIDATES]
    return _settled(_looked_at(frame, candidates, reader))


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


def _looked_at(frame: Image, candidates: Sequence[Candidate], reader: PipReader) -> list[Place]:
    """Two closer looks at each candidate, the second where the first one saw the corners."""
    levels = pyramid(frame)
    quads = [c.corners.astype(np.float64) for c in candidates]
    looks = reader.look([straighten(levels, q) for q in quads])
    again = [k for k, look in enumerate(looks) if look.nothing < HOPELESS and _strays(look)]
    for k in again:
        quads[k] = _moved(quads[k], looks[k])
    second = reader.look([straighten(levels, quads[k]) for k in again])
    for k, look in zip(again, second, strict=True):
        looks[k] = look
    return [Place(_moved(q, look), look, c.score) for q, look, c in zip(quads, looks, candidates, strict=True)]


def _strays(look: Look) -> bool:
    return bool(abs(look.corners - FRAME).max() > STRAY * HALF)


def _moved(quad: Quad, look: Look) -> Quad:
    return to_picture(quad, look.corners)


def _settled(places: Sequence[Place]) -> list[Place]:
    """The best place first; those that overlap one already taken give way."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -p.presence):
        if place.presence < FAINTEST:
            break
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
