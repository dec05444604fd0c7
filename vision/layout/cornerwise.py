"""Dominoes that lie cornerwise on the squares of a board, one on each: their middles make the grid, not their sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import mapped
from vision.layout.lattice import Lattice
from vision.level import robust_fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.homography import Array
    from vision.level import Level

Square = tuple[int, int]  # column and row

# How wide squares may be, in halves: a tile hardly fits on smaller ones, and on larger ones nobody lays it askew.
_WIDTHS = np.geomspace(1.4, 3.6, 400)
_FEWEST = 4  # fewer tiles fit on squares of some width by chance
_MOST = 0.85  # of the tiles have to lie on squares: of a few that were thrown, some do by chance
_TURNED = np.deg2rad(14)
_ASTRAY = 0.24  # how far from the middle of its square a tile may lie, in squares
_TIDY = 0.34  # halves: how far a tile may lie from the middle before the grid is fitted well
_USUALLY_ASTRAY = 0.1  # squares: a line of play fits on squares too, but worse
_ROUNDS = 3


@dataclass(frozen=True)
class Squares:
    """Tiles by index with the square each lies on, as (column, row), and where the squares are on the table."""

    spots: dict[int, Square]
    lattice: Lattice

    @property
    def width(self) -> float:
        """How wide a square is, in halves."""
        middle = np.array(list(self.spots.values()), float).mean(0) + 0.5
        ends = mapped(self.lattice.matrix, middle + np.array([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]]))
        return float(np.hypot(*(ends[1] - ends[0])) + np.hypot(*(ends[3] - ends[2]))) / 2


def squares(level: Level, chosen: NDArray[np.intp]) -> Squares | None:
    """Return the squares on which most of the chosen tiles lie cornerwise, None where they do not."""
    if len(chosen) < _FEWEST:
        return None
    middle = level.middles[chosen].mean(0)
    turn = float(np.angle(np.exp(4j * level.angles[chosen]).sum())) / 4
    askew = np.abs(np.angle(np.exp(4j * (level.angles[chosen] - turn)))) / 4
    likely = chosen[askew < _TURNED]
    if len(likely) < max(_FEWEST, _MOST * len(chosen)):
        return None
    start = _widest(level.middles[likely] - middle, turn + np.pi / 4)
    shifted = None if start is None else np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1]]) @ start
    found = None if shifted is None else _refined(level.middles, likely, Lattice(shifted))
    if not found or len(found.spots) < max(_FEWEST, _MOST * len(chosen)):
        return None
    return found if _astray(level.middles, found) < _USUALLY_ASTRAY else None


def _astray(middles: Array, found: Squares) -> float:
    """How far the tiles usually lie from the middles of their squares, in squares."""
    at = found.lattice.cells_at(middles[np.fromiter(found.spots, int)])
    off = at - np.array(list(found.spots.values())) - 0.5
    return float(np.sqrt((off**2).sum(1).mean()))


def _widest(points: Array, turn: float) -> Array | None:
    """Return the grid (3, 3) of the widest squares, turned so, on whose middles nearly as many points lie as on any."""
    along = points @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    waves = np.exp(2j * np.pi * along[None] / _WIDTHS[:, None, None])
    phases = np.angle(waves.sum(1)) / (2 * np.pi)
    steps = along[None] / _WIDTHS[:, None, None] - phases[:, None]
    off = np.abs(steps - np.round(steps)).max(2) * _WIDTHS[:, None]
    fitting = (off < _TIDY).sum(1)
    if fitting.max() < _FEWEST:
        return None
    width = int(np.flatnonzero(fitting == fitting.max())[-1])
    near = 0.94 * _WIDTHS[width] < _WIDTHS
    width = int(np.argmin(np.where(near & (fitting == fitting.max()), np.minimum(off, _TIDY).mean(1), np.inf)))
    right = np.array([np.cos(turn), np.sin(turn)]) * _WIDTHS[width]
    down = np.array([-np.sin(turn), np.cos(turn)]) * _WIDTHS[width]
    first = (phases[width, 0] - 0.5) * right + (phases[width, 1] - 0.5) * down
    return np.array([[right[0], down[0], first[0]], [right[1], down[1], first[1]], [0, 0, 1]])


def _refined(middles: Array, likely: NDArray[np.intp], lattice: Lattice) -> Squares:
    """Return the grid fitted over the tiles that lie on it, and those tiles; of two on a square the nearer middle."""
    spots: dict[int, Square] = {}
    for _ in range(_ROUNDS):
        at = lattice.cells_at(middles[likely])
        off = np.abs(at - np.floor(at) - 0.5).max(1)
        spots = {}
        for k in np.argsort(off, kind="stable"):
            square = (int(np.floor(at[k, 0])), int(np.floor(at[k, 1])))
            if off[k] < _ASTRAY and square not in spots.values():
                spots[int(likely[k])] = square
        if len(spots) < _FEWEST:
            break
        lattice = _fitted(middles, spots, lattice)
    return Squares(spots, lattice)


def _fitted(middles: Array, spots: dict[int, Square], near: Lattice) -> Lattice:
    """Return the grid that fits best, tied to the one before: few tiles cannot tell how it narrows."""
    goal = near.cells_at(middles[np.fromiter(spots, int)])
    source = np.array(list(spots.values()), float) + 0.5
    center = source.mean(0)
    flat = np.column_stack([source - center, np.ones(len(source))])
    none = np.zeros_like(flat)
    rows = np.concatenate(
        [
            np.column_stack([flat, none, -flat[:, :2] * (goal[:, :1] - center[:1])]),
            np.column_stack([none, flat, -flat[:, :2] * (goal[:, 1:] - center[1:])]),
        ]
    )
    ties = np.array([10, 10, 0.1, 10, 10, 0.1, 60, 60.0])
    x = robust_fit(rows, (goal - center).T.ravel(), np.full(2 * len(goal), 12.0), ties, np.eye(3).ravel()[:8])
    back, forth = np.eye(3), np.eye(3)
    back[:2, 2], forth[:2, 2] = center, -center
    return Lattice(near.matrix @ back @ np.append(x, 1.0).reshape(3, 3) @ forth)
