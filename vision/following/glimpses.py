"""Dice that hardly show where something came: each is looked at again in other parts of the frame, and all looks count.

Where a part begins decides what the networks make of a white die on a white domino.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vision.following.renewing import with_more
from vision.odds import log_odds
from vision.pieces import MAY_STAND, PRESENT, Pieces, around, middle, reach

if TYPE_CHECKING:
    from vision.pieces import Piece
    from vision.scene import Faint, Scene

WIDER = (0.0, 0.6)  # tile lengths by which the part of each further look is wider
NOTHING = 0.02  # the chance that counts where a look shows no die at all


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A die that hardly shows, and how likely it is one by each look so far, as log odds."""

    faint: Faint
    looks: list[float] = field(default_factory=list)

    def box(self, length_px: float) -> tuple[int, int, int, int]:
        """The part of the frame for the next look, x0, y0, x1, y1; length_px: how long tiles usually are."""
        wider = WIDER[len(self.looks) - 1] * length_px
        (left, top), (right, low) = around(self.faint.piece)[[0, 2]]
        return round(left - wider), round(top - wider), round(right + wider), round(low + wider)

    def is_at(self, piece: Piece) -> bool:
        """Whether a piece is seen where this one is."""
        return math.dist(middle(piece), middle(self.faint.piece)) < reach(self.faint.piece)


class Glimpses:
    """Remembers the looks at each die that hardly shows, until they are enough."""

    def __init__(self) -> None:
        self._known: list[Glimpse] = []

    def due(self, scene: Scene) -> Glimpse | None:
        """The likeliest die of a scene that hardly shows and has to be looked at again; None where there is none."""
        hardly = [one for one in scene.faint if one.kind == "die" and MAY_STAND < one.chance <= PRESENT["die"]]
        known = {id(one.faint): one for one in self._known}
        self._known = [known.get(id(one)) or Glimpse(one, [log_odds(one.chance)]) for one in hardly]
        open_ = [one for one in self._known if len(one.looks) <= len(WIDER)]
        return max(open_, key=lambda one: one.faint.chance, default=None)


def seen_again(scene: Scene, one: Glimpse, again: Pieces) -> Scene:
    """The scene after one more look; with the die, in doubt, once there were enough and on the whole they show one."""
    dice = [die for die in again.dice if one.is_at(die)]
    faint = [other.chance for other in again.faint if other.kind == "die" and one.is_at(other.piece)]
    one.looks.append(log_odds(max([NOTHING, *(die.confidence for die in dice), *faint])))
    if not dice or len(one.looks) <= len(WIDER) or sum(one.looks) <= 0:
        return scene
    scene = replace(scene, faint=tuple(other for other in scene.faint if other is not one.faint))
    return with_more(scene, Pieces(dice=(replace(dice[0], doubtful=True),)))
