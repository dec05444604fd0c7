"""The table without hands, as it lay last: how hands are told from it, and when it is taken for that anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.domino import Domino
from vision.hands.touch import TouchWatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipsight.look import Look
    from rules.table import TableSide
    from vision.camera import Frame
    from vision.hands.landing import LandingEyes
    from vision.scene import Scene

CALM_S = 0.3  # a table that has lain so long without a hand is how hands are told from it
ASLEEP_S = 1.0  # what looks like a hand, does not stir for so long and covers nothing is the table: it was nudged
PUSHED = 0.8  # of the tiles: where more of them look otherwise at once, no hand covers them, but the table was pushed
STALE_S = 10.0  # light wanders: so often the calm table is looked at anew
REACH = 1.6  # tile lengths around the finger on a photo finish
REACH_PX = 150.0  # where nobody knows how long the tile is


@dataclass(frozen=True)
class Calm:
    """The table without hands: what lies in each place, its corners, and the eyes that look for hands over it."""

    watch: TouchWatch
    scene: Scene
    dominoes: tuple[Domino | None, ...]
    corners: tuple[np.ndarray, ...]
    since_s: float

    @classmethod
    def of(cls, frame: Frame, scene: Scene, eyes: LandingEyes, seats: Sequence[TableSide]) -> Calm:
        """The table that a frame shows. seats: the sides of the picture where somebody sits."""
        tiles = [tile for tile in scene.tiles if tile.face_up]
        corners = tuple(np.array(tile.corners_px, np.float64) for tile in tiles)
        dominoes = tuple(Domino.of(*tile.pips) for tile in tiles)
        watch = TouchWatch(frame.image, [tile.corners_px for tile in tiles], eyes, seats)
        return cls(watch, scene, dominoes, corners, frame.time_s)

    def reach_px(self, place: int) -> float:
        """How far around the finger on a tile its photo finish shows the table."""
        if place >= len(self.corners):
            return REACH_PX
        quad = self.corners[place]
        return REACH * float(np.linalg.norm(quad[2] - quad[1]))


class Stillness:
    """How long a table has rested, by looks at it that know of all frames but the newest."""

    def __init__(self) -> None:
        self._stirred_s = 0.0
        self._pushed = False  # since it was taken for calm

    def see(self, now_s: float, look: Look) -> None:
        """Take in a further look."""
        self._stirred_s = now_s if look.moving else self._stirred_s
        self._pushed |= len(look.covered) > PUSHED * len(look.scene.tiles)

    def rests(self, now_s: float, look: Look, hands_s: float | None) -> bool:
        """Whether the table may be taken for calm.

        hands_s: for how long something has looked like hands over it, which may be the table itself; None if nothing.
        """
        if look.covered or look.busy or not look.scene.tiles:
            return False
        rests_s = now_s - self._stirred_s
        if hands_s is not None:  # the look knows nothing yet of a hand that has just come
            rests_s = min(rests_s, hands_s)
        long_s = CALM_S if hands_s is None or self._pushed else ASLEEP_S
        return rests_s >= long_s and look.still_s >= CALM_S

    def is_fresh(self, calm: Calm, now_s: float, look: Look, hands_s: float | None) -> bool:
        """Whether it still lies as it was taken for calm: nothing stirred since, and no light had time to wander."""
        long_s = STALE_S if hands_s is None else ASLEEP_S
        return calm.scene is look.scene and self._stirred_s < calm.since_s > now_s - long_s

    def taken(self) -> None:
        """It was taken for calm."""
        self._pushed = False
