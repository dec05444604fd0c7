"""Which tiles touch as neighbours on a grid do, and which lie on top of one another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calibration.homography import Array
    from vision.level import Level

# Halves whose middles are nearer than this lie on the same place.
_SAME_PLACE = 0.55
_MOST_ASTRAY = 0.32
_MOST_TURNED = np.deg2rad(15)
_CORNER_COSTS = 0.15
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))

# By how many half cells the middles of neighbours differ, if the second lies across the first; True where corners meet.
_NEIGHBOURS = {
    (False, 4, 0): False,
    (False, 0, 2): False,
    (False, 2, 2): False,
    (False, 4, 2): True,
    (True, 3, 1): False,
    (True, 1, 3): False,
    (True, 3, 3): True,
}


@dataclass(frozen=True)
class Spot:
    """A tile on a grid: the cell of its head as (x, y), and the quarter turns from x to y that point at its tail."""

    x: int
    y: int
    turn: int

    @property
    def cells(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The head's cell and the tail's."""
        right, down = STEPS[self.turn]
        return (self.x, self.y), (self.x + right, self.y + down)

    def turned(self, quarters: int) -> Spot:
        """The spot after the grid has been turned about its origin."""
        x, y = self.x, self.y
        for _ in range(quarters % 4):
            x, y = -y, x
        return Spot(x, y, (self.turn + quarters) % 4)

    def shifted(self, right: int, down: int) -> Spot:
        """The spot some cells farther on."""
        return replace(self, x=self.x + right, y=self.y + down)


@dataclass(frozen=True)
class Contact:
    """Two neighbours by index.

    spot: where the second lies if the first has its head on (0, 0) and its tail on (1, 0). cost: small if sure.
    """

    first: int
    second: int
    spot: Spot
    cost: float


@dataclass(frozen=True)
class Rivals:
    """For each tile that lies partly where a better one lies, that better one; twins lie there as a whole."""

    better: dict[int, int]
    twins: dict[int, int]


def contacts(level: Level, chosen: NDArray[np.intp], pitch: float = 1.0) -> list[Contact]:
    """Return the contacts among the chosen tiles, surest first; pitch is the width of a cell in halves."""
    first, second, steps, turns, skew = _pairs(level, chosen, pitch)
    astray, doubled = _astray(steps, turns)
    fitting = (np.abs(astray) < _MOST_ASTRAY).all(1) & (np.abs(skew) < _MOST_TURNED)
    found = []
    for k in np.flatnonzero(fitting):
        x, y = (int(v) for v in doubled[k])
        corner = _NEIGHBOURS.get((bool(turns[k] % 2), abs(x), abs(y)))
        if corner is None:
            continue
        cost = float(np.hypot(*astray[k]) + abs(skew[k]) / 2 + corner * _CORNER_COSTS)
        found.append(Contact(int(first[k]), int(second[k]), _spot(x, y, int(turns[k])), cost))
    return sorted(found, key=lambda contact: (contact.cost, contact.first, contact.second))


def pitch_of(level: Level, chosen: NDArray[np.intp]) -> float:
    """Return the usual distance of neighbouring cells in halves: 1 where tiles touch, more where gaps stay."""
    _, _, steps, turns, skew = _pairs(level, chosen, 1.0)
    astray, doubled = _astray(steps, turns)
    ratios = []
    for k in np.flatnonzero((np.abs(astray) < 0.45).all(1) & (np.abs(skew) < _MOST_TURNED)):
        x, y = abs(int(doubled[k, 0])), abs(int(doubled[k, 1]))
        if _NEIGHBOURS.get((bool(turns[k] % 2), x, y)) is False:
            axis = 0 if x > y else 1
            ratios.append(abs(float(steps[k, axis])) * 2 / max(x, y))
    return float(np.clip(np.median(ratios), 0.95, 1.25)) if ratios else 1.0


def rivals(level: Level, ranks: Array) -> Rivals:
    """Return the tiles that lie on the place of a better one; of two ranks the lower is the better."""
    half = np.column_stack([np.cos(level.angles), np.sin(level.angles)]) / 2
    ends = np.stack([level.middles - half, level.middles + half], 1)
    near = (np.linalg.norm(ends[:, None, :, None] - ends[None, :, None, :], axis=-1) < _SAME_PLACE).any((2, 3))
    better: dict[int, int] = {}
    for tile in (int(k) for k in np.argsort(ranks, kind="stable")):
        if tile not in better:
            others = (int(k) for k in np.flatnonzero(near[tile]) if k != tile)
            better.update({k: tile for k in others if k not in better and ranks[k] >= ranks[tile]})
    apart = {k: float(np.hypot(*(level.middles[k] - level.middles[by]))) for k, by in better.items()}
    return Rivals(better, {k: by for k, by in better.items() if apart[k] < _SAME_PLACE})


def _pairs(level: Level, chosen: NDArray[np.intp], pitch: float) -> tuple[Array, ...]:
    """Return for each near pair: both indices, the step between their middles in their own frame, turns and skew."""
    first, second = (chosen[k] for k in np.triu_indices(len(chosen), 1))
    apart = level.middles[second] - level.middles[first]
    near = np.hypot(*apart.T) < 2.9 * pitch
    first, second, apart = first[near], second[near], apart[near]
    bend = level.angles[second] - level.angles[first]
    turns = np.round(bend / (np.pi / 2))
    skew = bend - turns * (np.pi / 2)
    frame = level.angles[first] + skew / 2
    cosine, sine = np.cos(frame), np.sin(frame)
    steps = np.column_stack([apart[:, 0] * cosine + apart[:, 1] * sine, apart[:, 1] * cosine - apart[:, 0] * sine])
    return first, second, steps / pitch, turns.astype(int) % 4, skew


def _astray(steps: Array, turns: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return how far each step misses the nearest one that a grid allows, and twice that allowed step."""
    offset = np.where(turns % 2 == 1, 0.5, 0.0)[:, None]
    allowed = np.round(steps - offset) + offset
    return steps - allowed, np.round(allowed * 2).astype(int)


def _spot(x: int, y: int, turn: int) -> Spot:
    """Return the spot whose middle lies (x, y) half cells from that of a tile on (0, 0) and (1, 0)."""
    right, down = STEPS[turn]
    return Spot((x + 1 - right) // 2, (y - down) // 2, turn)
