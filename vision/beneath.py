"""Dominoes that a piece stands on: a whole new read may miss them, but what was known of them still holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.overlap import shared
from vision.pieces import stands_upon
from vision.resighting import pushed
from vision.scene import Point, Scene, TileDetection

Quad = NDArray[np.float64]

OVERLAP = 0.3  # of the smaller face: where a new tile takes up so much of an old one's place, that one is gone


def beneath_pieces(known: Sequence[TileDetection], scene: Scene, kinds: Collection[str]) -> tuple[TileDetection, ...]:
    """Those known tiles of which a new scene shows but a piece of these kinds there, pushed as far as the others."""
    across, down = pushed(known, scene.tiles)
    there = (_moved(tile, float(across), float(down)) for tile in known)
    seen = [_corners(tile) for tile in scene.tiles]
    return tuple(t for t in there if stands_upon(scene, _corners(t), kinds) and not _taken(_corners(t), seen))


def _taken(place: Quad, seen: Sequence[Quad]) -> bool:
    return any(shared(place, other) > OVERLAP for other in seen)


def _moved(tile: TileDetection, across: float, down: float) -> TileDetection:
    a, b, c, d, head, tail = ((x + across, y + down) for x, y in (*tile.corners_px, *tile.centers_px))
    corners: tuple[Point, Point, Point, Point] = (a, b, c, d)
    return replace(tile, corners_px=corners, centers_px=(head, tail))


def _corners(tile: TileDetection) -> Quad:
    return np.array(tile.corners_px, np.float64)
