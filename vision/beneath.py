"""Numbers that a piece hides: whoever stands on a half, nobody reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces import standing
from vision.pips import NUMBERS
from vision.reading import NO_DOMINO
from vision.scene import Point, Scene, TileDetection

Quad = NDArray[np.float32]

UNKNOWN = (1 / NUMBERS,) * NUMBERS
WHY = "a piece stands on it"
TOLD = ("die",)  # is told of surely enough though no game has any: what seems a pawn on a table without one seldom is


def veiled(tile: TileDetection, scene: Scene, kinds: Collection[str]) -> TileDetection:
    """A face-up tile with nothing known of the halves on which pieces of these kinds stand; what is left may tell."""
    feet = standing(scene, kinds)
    hidden = [half for half, quad in enumerate(_halves(tile)) if any(_inside(quad, foot) for foot in feet)]
    if not tile.face_up or not hidden:
        return tile
    halves, confidence = list(tile.likelihoods), tile.confidence
    for half in hidden:
        confidence *= UNKNOWN[0] / max(max(halves[half], default=1.0), UNKNOWN[0])
        halves[half] = UNKNOWN
    return replace(tile, likelihoods=(halves[0], halves[1]), confidence=confidence, doubtful=True, why=WHY)


def beneath_told(scene: Scene) -> Scene:
    """The scene where no game says what stands there: nothing is known of halves beneath dice."""
    sure = replace(scene, faint=())
    hidden = (veiled(tile, sure, TOLD) for tile in scene.tiles)
    told = (
        replace(one, why=NO_DOMINO) if tile.why == NO_DOMINO else one
        for one, tile in zip(hidden, scene.tiles, strict=True)
    )
    return replace(scene, tiles=tuple(told))


def _halves(tile: TileDetection) -> tuple[Quad, Quad]:
    """The corners of the head and those of the tail."""
    a, b, c, d = np.array(tile.corners_px, np.float32)
    return np.stack([a, b, (b + c) / 2, (a + d) / 2]), np.stack([(a + d) / 2, (b + c) / 2, c, d])


def _inside(quad: Quad, point: Point) -> bool:
    return cv2.pointPolygonTest(quad, point, False) > 0
