"""Where tiles may lie: each candidate is straightened, looked at, moved to where its corners are, and looked at again.

Candidates that claim the same piece of table are settled by what the closer look says, not by the first impression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sizes, tints
from vision.overlap import conflicts
from vision.peaks import Candidate
from vision.pips import Look, PipReader
from vision.reading import fused
from vision.straighten import FRAME, HALF, Image, pyramid, straighten, to_picture
from vision.tints import Tint, tint

Quad = NDArray[np.float64]

MOST_CANDIDATES = 400  # enough for four double-twelve sets; more is texture taken for tiles
SAME_PLACE = 0.3  # candidates closer than this part of their width are one
STRAY = 0.12  # corners that move by more than this many halves are worth another look
HOPELESS = 0.9  # places whose chance of being no tile is above this are not looked at again
FAINTEST = 0.1  # places with a smaller chance of being a tile are forgotten
OVERLAP = 0.3  # of the smaller tile's face; tiles that share more cannot both lie flat

# How the two networks together tell a tile from none (a logistic fit, as training.calibrate makes): by the first
# impression, by the closer look, by how clear the numbers are, which they seldom are where no tile lies, and by how
# its size and its colour differ from the others'.
LIKELY = 0.4  # tiles likelier than this tell the usual size and colour
STRONG = 0.3  # candidates that the detector gives a smaller chance are faint
ALIKE, MOST_FAINT = 0.15, 24  # so much a faint candidate may differ in size, and so many are looked at
CERTAIN = 0.9  # where a tile is surer than this, none that overlaps it is looked for
PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, UNLIKE_WEIGHT, ODD_WEIGHT, OFFSET = 0.82, 0.68, -0.22, -8.06, -3.23, 1.25


@dataclass(frozen=True)
class Place:
    """A place where a tile may lie, after the closer look.

    quad: corners as on TileDetection. peak: the chance by the detector that a tile has its middle here.
    tint: its face's colour. unlike, odd: how far its size and its colour are from those of the sure tiles of this
    table, as vision.sizes and vision.tints tell; odd is for a back how much it looks like the bare table.
    """

    quad: Quad
    look: Look
    peak: float
    tint: Tint = field(default_factory=lambda: np.zeros(3))
    unlike: float = sizes.UNKNOWN
    odd: float = tints.UNKNOWN

    @cached_property
    def presence(self) -> float:
        """The chance that a tile lies exactly here."""
        weights = np.array([PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, UNLIKE_WEIGHT, ODD_WEIGHT, OFFSET])
        return float(1 / (1 + np.exp(-weights @ self.evidence)))

    @property
    def evidence(self) -> NDArray[np.float64]:
        """What speaks for a tile, for the logistic fit; the last of the six is the constant."""
        clear = 1.0 if not self.face_up else float(fused(self.look).max(axis=1).prod())
        seen = (_logit(self.peak), _logit(1 - self.look.nothing), float(np.log(max(clear, 1e-4))))
        return np.array([*seen, self.unlike, self.odd, 1.0])

    @property
    def face_up(self) -> bool:
        """Whether it is rather a tile's front than its back."""
        return self.look.up >= self.look.down

    @property
    def length_px(self) -> float:
        """How long the tile is in the picture."""
        return float(np.linalg.norm(self.quad[2:].mean(axis=0) - self.quad[:2].mean(axis=0)))


def _logit(chance: float) -> float:
    p = float(np.clip(chance, 1e-4, 1 - 1e-4))
    return float(np.log(p / (1 - p)))


def find_places(frame: Image, candidates: Sequence[Candidate], reader: PipReader) -> list[Place]:
    """Those of the candidates in a BGR frame where a tile may lie, the likeliest first; no two overlap much.

    The likeliest candidate of each spot is looked at first, its rivals only where it turns out not to be one for sure,
    and faint candidates only where they are as large as the sure tiles.
    """
    levels, waiting = pyramid(frame), distinct(candidates)[:MOST_CANDIDATES]
    strong = [c for c in waiting if c.score >= STRONG]
    first = _unrivalled(conflicts([c.corners for c in strong], OVERLAP))
    places = _looked_at(levels, [strong[k] for k in first], reader)
    rivals = [c for k, c in enumerate(strong) if k not in first]
    places += _looked_at(levels, _free(rivals, places), reader)
    faint = _alike(_free([c for c in waiting if c.score < STRONG], places), places)
    places += _looked_at(levels, faint[:MOST_FAINT], reader)
    return _settled(_compared(places, _bare(levels, places)))


def _free(candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Candidate]:
    """Those that do not overlap a place where a tile lies for sure."""
    sure = [p.quad for p in places if p.presence > CERTAIN and _convex(p.quad)]
    clash = conflicts([*(c.corners for c in candidates), *sure], OVERLAP)
    return [c for c, row in zip(candidates, clash[:, len(candidates) :], strict=False) if not row.any()]


def _alike(candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Candidate]:
    """Those as large as the likely tiles; none where there are too few of them."""
    likely = [p for p in _settled(places) if p.presence > LIKELY]
    if sum(p.presence for p in likely) < sizes.FEWEST:
        return []
    far = sizes.unlikeness([c.corners.astype(np.float64) for c in candidates], *_known(likely))
    return [c for c, unlike in zip(candidates, far, strict=True) if unlike < ALIKE]


def _bare(levels: Sequence[Image], places: Sequence[Place]) -> Tint:
    """The colours of the picture where no tile may lie."""
    picture = levels[-1]
    scale = picture.shape[1] / levels[0].shape[1]
    free = np.ones(picture.shape[:2], np.uint8)
    for place in places:
        cv2.fillPoly(free, [np.round(place.quad * scale).astype(np.int32)], 0)
    return tints.of_pixels(picture[free > 0])


def _known(likely: Sequence[Place]) -> tuple[list[Quad], list[float]]:
    return [p.quad for p in likely], [p.presence for p in likely]


def _unrivalled(clash: NDArray[np.bool_]) -> list[int]:
    """Taken one after the other, those that conflict with none taken before."""
    kept: list[int] = []
    for k in range(len(clash)):
        if not clash[k, kept].any():
            kept.append(k)
    return kept


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a place: the same tile is found at neighbouring scales."""
    if not candidates:
        return []
    middles, along = np.array([c.center for c in candidates]), np.array([c.along for c in candidates])
    way = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    wide = np.maximum(2 * np.linalg.norm([c.across for c in candidates], axis=1), 1e-3)
    kept: list[int] = []
    for k in range(len(candidates)):
        near = np.linalg.norm(middles[kept] - middles[k], axis=1) < SAME_PLACE * np.minimum(wide[kept], wide[k])
        alike = abs(np.log(wide[kept] / wide[k])) < 0.4
        aligned = abs(way[kept] @ way[k]) > 0.9
        if not (near & alike & aligned).any():
            kept.append(k)
    return [candidates[k] for k in kept]


def _looked_at(levels: Sequence[Image], candidates: Sequence[Candidate], reader: PipReader) -> list[Place]:
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
    seen = zip(quads, looks, candidates, patches, strict=True)
    return [Place(_moved(q, look), look, c.score, tint(patch)) for q, look, c, patch in seen]


def _strays(look: Look) -> bool:
    return bool(abs(look.corners - FRAME).max() > STRAY * HALF)


def _moved(quad: Quad, look: Look) -> Quad:
    return to_picture(quad, look.corners)


def _compared(places: Sequence[Place], table: Tint) -> list[Place]:
    """The same places, each knowing how its size and colour compare with the likely tiles and with the bare table."""
    likely = [p for p in _settled(places) if p.presence > LIKELY]
    far = sizes.unlikeness([p.quad for p in places], *_known(likely))
    fronts = [p for p in likely if p.face_up]
    odd = tints.oddity([p.tint for p in places], [p.tint for p in fronts], [p.presence for p in fronts])
    bare = tints.sameness([p.tint for p in places], table)
    told = zip(places, far, odd, bare, strict=True)
    return [replace(p, unlike=a, odd=b if p.face_up else c) for p, a, b, c in told]


def _settled(places: Sequence[Place]) -> list[Place]:
    """The best place first; those that overlap one already taken give way, unless two together are likelier."""
    likely = sorted((p for p in places if p.presence >= FAINTEST and _convex(p.quad)), key=lambda p: -p.presence)
    clash = conflicts([p.quad for p in likely], OVERLAP)
    weight = np.array([_logit(p.presence) - _logit(FAINTEST) for p in likely])
    kept = set(_unrivalled(clash))
    for k in sorted(kept):
        rivals = [r for r in np.flatnonzero(clash[k]).tolist() if clash[r, list(kept)].sum() == 1]
        several = [rivals[i] for i in _unrivalled(clash[np.ix_(rivals, rivals)])]
        if weight[several].sum() > weight[k]:
            kept = (kept - {k}) | set(several)
    return [likely[k] for k in sorted(kept)]


def _convex(quad: Quad) -> bool:
    return bool(cv2.isContourConvex(quad.astype(np.float32)) and cv2.contourArea(quad.astype(np.float32)) > 16)
