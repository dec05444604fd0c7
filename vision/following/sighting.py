"""One tile followed over many frames: what is known of it so far, and each further look at it.

Every look cuts the tile out a little differently, every second one from its other end: what one view of the noise and
of the pixels' grid suggests, the next need not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.blanks import may_be_blank, plainly, presence
from vision.closer_look import HOPELESS
from vision.following.evidence import Evidence
from vision.odds import chance_of
from vision.place import TILE_WEIGHT
from vision.quads import Quad, corners_of, length_of
from vision.reading import NO_DOMINO, read_halves
from vision.straighten import HALVES, Image, as_point, pyramid, straighten, to_picture

if TYPE_CHECKING:
    from vision.pips import Look, PipReader
    from vision.scene import TileDetection
    from vision.taught import TaughtSets

GOLDEN = 2.39996  # radians: steps of this angle never meet
SHIFT, SCALE = 0.02, 0.03  # of a tile's length: how differently it is cut out
CLEAR = 0.995  # where nothing came printed numbers look like a tile by less than this, and a tile by more
LEVELS = 3  # halvings of the picture that tiles are cut from


@dataclass(frozen=True)
class Sighting:
    """A tile as it is known: how it was first found, how sure it was then to be one, and all looks since.

    found, seen: the numbers of the frames that showed it there first and last. empty: looks in a row that showed
    nothing in its place. covered: whether something lies or moves over it. bare: whether it was ever seen without a
    piece upon it. appeared: whether it was found where nothing had changed since no tile was found there. plain:
    whether it was ever told as the double blank or as what may be that: one look that misses the bar makes no sure
    back of it.
    """

    tile: TileDetection
    presence: float
    evidence: Evidence
    seen: int
    empty: int = 0
    covered: bool = False
    bare: bool = True
    appeared: bool = False
    plain: bool = False
    found: int = 0

    @property
    def corners(self) -> Quad:
        """(4, 2) in pixels, head first."""
        return corners_of(self.tile)

    @property
    def told(self) -> TileDetection:
        """The tile as it is told of: what appeared where nothing came has to have very clear numbers to be believed."""
        unlikely = self.appeared and (self.tile.confidence < CLEAR or not self.tile.face_up)
        return replace(self.tile, doubtful=True, why=NO_DOMINO) if unlikely else self.tile


def sighted(tile: TileDetection, frame_number: int) -> Sighting:
    """A tile found by a full read."""
    return Sighting(
        tile,
        float(np.clip(presence(tile), 1e-3, 1 - 1e-3)),
        Evidence.none(),
        frame_number,
        plain=may_be_blank(tile),
        found=frame_number,
    )


def levels_of(frame: Image) -> tuple[Image, ...]:
    """The frame and its first halvings: no tile of a table in view needs more."""
    return pyramid(frame, smallest=max(48, min(frame.shape[:2]) >> LEVELS))


def look_again(
    levels: Sequence[Image], sightings: Sequence[Sighting], reader: PipReader, sets: TaughtSets | None = None
) -> list[tuple[Look, Quad, bool]]:
    """A look at each tile where it is known to lie: the look, the corners it saw (head first), and whether turned.

    sets: those that lie there, where somebody taught them.
    """
    ways = [_cut(s.corners, int(s.evidence.looks) + s.seen + s.empty) for s in sightings]
    patches = [straighten(levels, quad) for quad, _ in ways]
    looks = reader.look(patches)
    seen = [_seen_at(s, look, *way) for s, look, way in zip(sightings, looks, ways, strict=True)]
    if sets:
        looks = sets.seen(patches, looks, [s.tile.of_set for s in sightings])
    return [(look, corners, turned) for look, corners, (_, turned) in zip(looks, seen, ways, strict=True)]


def _seen_at(sighting: Sighting, look: Look, quad: Quad, turned: bool) -> Quad:
    """The corners that a look saw, head first; a network that sees no tile sees no corners, and they stay."""
    if look.nothing > HOPELESS:
        return sighting.corners
    corners = to_picture(quad, look.corners)
    return np.roll(corners, 2, axis=0) if turned else corners


def _cut(corners: Quad, k: int) -> tuple[Quad, bool]:
    middle = corners.mean(axis=0)
    way = np.array([np.cos(GOLDEN * k), np.sin(GOLDEN * k)])
    quad = middle + (corners - middle) * (1 + SCALE * np.cos(1.7 * k)) + SHIFT * length_of(corners) * way
    return (np.roll(quad, 2, axis=0), True) if k % 2 else (quad, False)


def confirmed(sighting: Sighting, told: tuple[Look, Quad, bool], frame_number: int) -> Sighting:
    """The tile after one look more that saw it."""
    look, corners, turned = told
    evidence = sighting.evidence.plus(look, corners, turned=turned)
    tile = _decided(sighting, evidence)
    return replace(
        sighting,
        tile=tile,
        evidence=evidence,
        seen=frame_number,
        empty=0,
        covered=False,
        bare=True,
        plain=sighting.plain or may_be_blank(tile),
    )


def _decided(sighting: Sighting, evidence: Evidence) -> TileDetection:
    """The tile as all looks together see it."""
    tile, corners, look = sighting.tile, evidence.middle, evidence.look()
    odds = np.log(sighting.presence / (1 - sighting.presence)) + TILE_WEIGHT * evidence.tile_log_odds
    reading = read_halves(look, length_of(corners), chance_of(np.clip(odds, -30, 30)))
    if sighting.plain and look.down > look.up:
        reading = plainly(reading)
    a, b, c, d, head, tail = (as_point(xy) for xy in (*corners, *to_picture(corners, HALVES)))
    return replace(
        tile,
        corners_px=(a, b, c, d),
        centers_px=(head, tail),
        pips=reading.pips,
        confidence=reading.confidence,
        likelihoods=reading.likelihoods,
        face_up=look.up >= look.down,
        doubtful=bool(reading.why),
        why=reading.why,
    )
