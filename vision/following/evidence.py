"""What many looks at one tile say together: likelihoods add up, but two looks at one scene are not two scenes.

n looks whose errors are alike by a share r are worth n / (1 + (n - 1) r) independent ones (cluster samples, Kish 1965).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pips import NUMBERS, Look
from vision.reading import FLOOR

Floats = NDArray[np.float64]

ALIKE = 0.3  # the share of two looks' errors taken to be the same; benchmarks.live --boards shows what it brings
BLIND = 0.9  # and of two looks at a back: it shows nothing that another look might see otherwise, like a hole
MOST = 40.0  # looks remembered; older ones fade


@dataclass(frozen=True)
class Evidence:
    """Sums over looks at one tile, head first: logarithms of chances, and where the corners were seen.

    counted, recognised, known: (2, 13), as on Look. face: (3,) front, back, nothing.
    corners: (4, 2) in pixels. looks: how many.
    """

    counted: Floats
    recognised: Floats
    face: Floats
    corners: Floats
    looks: float
    known: Floats | None = None

    @classmethod
    def none(cls) -> Evidence:
        """Before the first look."""
        return cls(np.zeros((2, NUMBERS)), np.zeros((2, NUMBERS)), np.zeros(3), np.zeros((4, 2)), 0.0)

    def plus(self, look: Look, corners: Floats, *, turned: bool = False) -> Evidence:
        """One look more; turned: it saw the tile with its tail first. corners are given head first."""
        way = -1 if turned else 1
        fade = min(1.0, (MOST - 1) / self.looks) if self.looks else 1.0
        return Evidence(
            fade * self.counted + np.log(look.counted[::way] + FLOOR),
            fade * self.recognised + np.log(look.recognised[::way] + FLOOR),
            fade * self.face + np.log(np.array([look.up, look.down, look.nothing]) + FLOOR),
            fade * self.corners + corners,
            fade * self.looks + 1,
            None if look.known is None else fade * self._known + np.log(look.known[::way] + FLOOR),
        )

    @property
    def _known(self) -> Floats:
        return np.zeros((2, NUMBERS)) if self.known is None else self.known

    @property
    def worth(self) -> float:
        """How many independent looks these are worth."""
        return self._worth(ALIKE)

    def _worth(self, alike: float) -> float:
        return self.looks / (1 + (self.looks - 1) * alike) if self.looks else 0.0

    @property
    def middle(self) -> Floats:
        """(4, 2): the mean of the corners seen."""
        return self.corners / self.looks

    def look(self) -> Look:
        """The looks as one, for vision.reading."""
        counted, recognised, face = (
            _chances(total, self.worth / self.looks) for total in (self.counted, self.recognised, self.face)
        )
        up, down, nothing = (float(v) for v in face)
        none = np.zeros((0, 3), np.float32)
        known = None if self.known is None else _chances(self.known, self.worth / self.looks)
        return Look(up, down, nothing, self.middle, counted, recognised, none, known)

    @property
    def tile_log_odds(self) -> float:
        """How much the looks after the first speak for a tile, against none."""
        up, down, nothing = self.face
        worth = self._worth(BLIND if down > up else ALIKE)
        return float((np.logaddexp(up, down) - nothing) / self.looks * (worth - 1))


def _chances(total: Floats, weight: float) -> NDArray[np.float32]:
    power = np.exp(weight * (total - total.max(axis=-1, keepdims=True)))
    return np.asarray(power / power.sum(axis=-1, keepdims=True), np.float32)
