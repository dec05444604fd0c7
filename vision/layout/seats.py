"""Hands: rows of tiles that lie apart from the game, along an edge of the picture, each before its player."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from rules.domino import Domino
from rules.table import Hand
from vision.layout.doubting import pips_of

if TYPE_CHECKING:
    from calibration.homography import Array
    from rules.table import TableSide
    from vision.level import Level
    from vision.scene import Scene, TileDetection

Rows = dict["TableSide", tuple[int, ...]]
T = TypeVar("T", float, "Array")

SIDES: tuple[TableSide, ...] = ("bottom", "left", "top", "right")  # clockwise: by quarter turns that bring each below
_FEWEST = 2
_TOGETHER, _APART = 2.4, 4.0  # halves, from middle to middle
_DEPTH = 0.25  # of the picture: so near its edge a hand lies
_SLANTED = 0.5  # how much nearer to the edge one end of a row may lie than the other, against its length


def rows_before_seats(level: Level, scene: Scene) -> Rows:
    """Return the tiles of each hand, by index, from its player's left to the right; a game has to lie between them."""
    if not level.usable.any():
        return {}
    points = np.array([np.mean(tile.centers_px, 0) if use else (0.0, 0.0) for tile, use in _tiles(level, scene)])
    depths = side_depths(points[:, 0], points[:, 1], scene.size_px)
    rows = [(side, group) for group in _groups(level) if (side := _side_of(group, points, depths, scene))]
    game = np.flatnonzero(level.usable & ~np.isin(np.arange(len(points)), [k for _, group in rows for k in group]))
    found: Rows = {}
    for side, group in rows:
        own = depths[side]
        apart = np.linalg.norm(level.middles[group][:, None] - level.middles[game][None], axis=-1)
        if len(game) and apart.min() > _APART and own[group].max() < own[game].min():
            found[side] = _from_left((*found.get(side, ()), *group), side, points)
    return {side: found[side] for side in SIDES if side in found}


def hands(rows: Rows, scene: Scene) -> tuple[Hand, ...]:
    """Return the hands that these rows of tiles are."""
    found = []
    for seat, (side, row) in enumerate(rows.items()):
        up = [scene.tiles[k] for k in row if scene.tiles[k].face_up]
        found.append(Hand(seat, tuple(Domino.of(*pips_of(tile)) for tile in up), len(row) - len(up), side))
    return tuple(found)


def _tiles(level: Level, scene: Scene) -> list[tuple[TileDetection, bool]]:
    return [(tile, bool(use)) for tile, use in zip(scene.tiles, level.usable, strict=True)]


def side_depths(x: T, y: T, size_px: tuple[int, int]) -> dict[TableSide, T]:
    """How far a place, or each of many, lies from each side of the picture, as a share of the picture."""
    right, down = x / max(size_px[0], 1), y / max(size_px[1], 1)
    return {"bottom": 1 - down, "left": right, "top": down, "right": 1 - right}


def _groups(level: Level) -> list[list[int]]:
    """The tiles parted into groups, from tile to near tile."""
    left = [int(k) for k in np.flatnonzero(level.usable)]
    groups = []
    while left:
        group = [left.pop(0)]
        for k in group:
            near = [j for j in left if np.hypot(*(level.middles[j] - level.middles[k])) < _TOGETHER]
            group += near
            left = [j for j in left if j not in near]
        groups.append(group)
    return groups


def _side_of(group: list[int], points: Array, depths: dict[TableSide, Array], scene: Scene) -> TableSide | None:
    """Return the side along which a group lies as a row; None if it does not, or shows nothing but backs."""
    if not np.isfinite(points[group]).all():
        return None
    side = min(SIDES, key=lambda side: float(depths[side][group].mean()))
    if len(group) < _FEWEST or depths[side][group].mean() > _DEPTH or not any(scene.tiles[k].face_up for k in group):
        return None
    across, along = np.ptp(points[group], axis=0)[:: -1 if side in ("left", "right") else 1][::-1]
    return side if across < _SLANTED * along else None


def _from_left(group: tuple[int, ...], side: TableSide, points: Array) -> tuple[int, ...]:
    """The tiles in the order in which someone sees them who sits at that side and looks at the table."""
    axis, way = {"bottom": (0, 1), "left": (1, 1), "top": (0, -1), "right": (1, -1)}[side]
    return tuple(sorted(group, key=lambda k: way * float(points[k, axis])))
