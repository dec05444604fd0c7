"""A place where a tile may lie, and how likely one does."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision import relief, sizes, tints
from vision.odds import chance_of, log_odds
from vision.pips import Look
from vision.quads import Quad, length_of
from vision.reading import fused
from vision.tints import Tint

# How the two networks together tell a tile from none (a logistic fit, as training.calibrate makes): by the first
# impression, by the closer look, by how clear the numbers are, by how its size and its colour differ from the others',
# and by what is around it. OFFSET is not as fitted: vision/models/README.md says how it was settled.
PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, UNLIKE_WEIGHT, ODD_WEIGHT = 1.43, 0.68, -0.39, -10.34, -2.55
LIES_WEIGHT, OFFSET = 0.56, -0.7

# How far is believed what is told of a tile face up, numbers apart: by the chance that one lies there, by the first
# impression, by how long it is, by how much less it stands out from the table than the other tiles, and by how many of
# those there are (training.calibrate_trust fits it).
TRUST = (0.77, -1.21, 1.02, 0.27, 1.07, -5.8)


@dataclass(frozen=True)
class Place:
    """A place where a tile may lie, after the closer look.

    quad: corners as on TileDetection. peak: the chance by the detector that a tile has its middle here.
    tint: its face's colour. unlike, odd: how far its size and its colour are from those of the sure tiles of this
    table, as vision.sizes and vision.tints tell; odd is for a back how much it looks like the bare table. lies: what is
    around it speaks for a tile that lies there and is not printed, flatter: less so than the other tiles, others: how
    many those are. taught: the looks of a taught set speak for it, against: what else may lie there speaks against it;
    these, lies and flatter as log odds. plain: whether it may be the double blank though it seems a back.
    """

    quad: Quad
    look: Look
    peak: float
    tint: Tint = field(default_factory=lambda: np.zeros(3))
    unlike: float = sizes.UNKNOWN
    odd: float = tints.UNKNOWN
    lies: float = relief.UNKNOWN
    flatter: float = 0.0
    others: int = 0
    taught: float = 0.0
    against: float = 0.0
    plain: bool = False

    @cached_property
    def presence(self) -> float:
        """The chance that a tile lies exactly here."""
        weights = np.array([PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, UNLIKE_WEIGHT, ODD_WEIGHT, LIES_WEIGHT, OFFSET])
        return chance_of(float(weights @ self.evidence) + self.taught - self.against)

    @property
    def evidence(self) -> NDArray[np.float64]:
        """What speaks for a tile, for the logistic fit; the last of the seven is the constant."""
        clear = self.read if self.face_up else 1.0
        seen = (log_odds(self.peak), log_odds(1 - self.look.nothing), float(np.log(max(clear, 1e-4))))
        lies = self.lies if self.face_up else relief.UNKNOWN  # pictures of dominoes show their numbers
        return np.array([*seen, self.unlike, self.odd, min(max(lies, relief.LEAST), relief.MOST), 1.0])

    @property
    def trust(self) -> float:
        """The chance that whoever tells of a tile here is right, numbers apart.

        What counts as a tile is settled by `presence`, in which the first impression weighs so much that no faint tile
        is lost; to say how sure a told one is, that is too much. Of backs nothing tells more than `presence` does.
        """
        return chance_of(float(np.array(TRUST) @ self.grounds)) if self.face_up else self.presence

    @property
    def grounds(self) -> NDArray[np.float64]:
        """What `trust` goes by, for the fit; the last of the six is the constant."""
        seen = log_odds(self.presence), log_odds(self.peak), np.log(max(self.length_px, 1.0))
        return np.array([*seen, self.flatter, np.log1p(self.others), 1.0])

    @property
    def read(self) -> float:
        """How sure its numbers are, or that it is a back."""
        return float(fused(self.look).max(axis=1).prod()) if self.face_up else self.look.down

    @property
    def face_up(self) -> bool:
        """Whether it is rather a tile's front than its back."""
        return self.look.up >= self.look.down

    @property
    def length_px(self) -> float:
        """How long the tile is in the picture."""
        return length_of(self.quad)
