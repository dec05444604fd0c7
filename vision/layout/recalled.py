"""Tiles that lie just where they lay before, on cells that are known since then."""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING

from vision.layout.contacts import STEPS, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.board import Cell
    from vision.scene import Scene, TileDetection

_UNMOVED = 0.06  # of a tile's length: how far off a tile seen again may be


def recalled(scene: Scene, before: Scene, cells: Sequence[tuple[Cell, Cell] | None]) -> dict[int, Spot]:
    """The spot of each tile of a scene that has not moved since an earlier scene, whose tiles lay on these cells."""
    known = [(tile, pair) for tile, pair in zip(before.tiles, cells, strict=True) if pair]
    return {
        number: spot
        for number, tile in enumerate(scene.tiles)
        for old, pair in known
        if (spot := _spot(tile, old, pair))
    }


def _spot(tile: TileDetection, old: TileDetection, pair: tuple[Cell, Cell]) -> Spot | None:
    """Where a tile lies that is the old one, also if its head is now taken for its tail."""
    for there, (head, tail) in ((old.centers_px, pair), (old.centers_px[::-1], pair[::-1])):
        off = max(dist(*ends) for ends in zip(tile.centers_px, there, strict=True))
        if off < _UNMOVED * tile.length_px:
            return Spot(head.col, head.row, STEPS.index((tail.col - head.col, tail.row - head.row)))
    return None
