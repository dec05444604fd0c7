"""Dominoes laid on a make-believe table and seen through a make-believe camera: the scenes that the tests rebuild."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.board import Board, Way
from vision.scene import Likelihoods, Scene, TetrominoDetection, TileDetection

Array = NDArray[np.float64]
SIZE_PX = (1280, 960)


@dataclass(frozen=True)
class Laid:
    """A tile on the table: its middle (x, y) in halves, its direction from head to tail, and its numbers.

    height: how far, in halves, its face lies above those of the other tiles.
    """

    x: float
    y: float
    angle_deg: float
    pips: tuple[int, int]
    face_up: bool = True
    height: float = 0.0


@dataclass(frozen=True)
class Eye:
    """A pinhole camera that looks at the table's origin from so many halves away."""

    turn_deg: float = 0.0
    tilt_deg: float = 0.0
    lean_deg: float = 0.0
    away: float = 25.0
    bend: float = 0.0
    focal_px: float = 1100.0

    def sees(self, points: Array, height: float = 0.0) -> Array:
        """(..., 2) table points in halves, so high above the tiles' faces, to (..., 2) pixels."""
        turn, lean = np.deg2rad([self.turn_deg, self.lean_deg])
        turned = points @ _rotation(turn).T @ _rotation(lean).T
        tilt = np.deg2rad(self.tilt_deg)
        depth = self.away - turned[..., 1] * np.sin(tilt) - height * np.cos(tilt)
        down = turned[..., 1] * np.cos(tilt) - height * np.sin(tilt)
        flat = np.stack([turned[..., 0], down], -1) / depth[..., None]
        flat = flat * (1 + self.bend * (flat**2).sum(-1, keepdims=True))
        return np.asarray(flat @ _rotation(-lean).T * self.focal_px + np.array(SIZE_PX) / 2)


def laid(board: Board, gap: float = 0.0, astray: float = 0.0, turned_deg: float = 0.0, seed: int = 0) -> list[Laid]:
    """Lay a board as a hand would: gaps between the cells, each tile a little astray and a little turned."""
    rng = np.random.default_rng(seed)
    tiles = []
    for placed in board.placed:
        middle = np.array([[cell.col, cell.row] for cell in placed.cells], float).mean(0) * (1 + gap)
        x, y = middle + rng.uniform(-astray, astray, 2)
        right = placed.way is Way.RIGHT
        angle = (0.0 if right else 90.0) + rng.uniform(-turned_deg, turned_deg)
        pips = (placed.head, placed.tail)
        backwards = rng.random() < 0.5
        tiles.append(Laid(x, y, angle + 180 * backwards, pips[::-1] if backwards else pips))
    return centered([tiles[k] for k in rng.permutation(len(tiles))])


def centered(tiles: list[Laid]) -> list[Laid]:
    """The tiles moved so that the camera looks at their middle."""
    x, y = np.mean([(tile.x, tile.y) for tile in tiles], 0) if tiles else (0.0, 0.0)
    return [replace(tile, x=tile.x - x, y=tile.y - y) for tile in tiles]


def seen(tiles: list[Laid], eye: Eye, noise_px: float = 0.0, seed: int = 0) -> Scene:
    """What a reader would find: corners and middles with a little noise."""
    rng = np.random.default_rng(seed)
    return Scene(SIZE_PX, tuple(detection(tile, eye, noise_px, rng) for tile in tiles))


def detection(tile: Laid, eye: Eye, noise_px: float, rng: np.random.Generator) -> TileDetection:
    """One tile as a reader would find it."""
    shape = np.array([[-1, -0.5], [-1, 0.5], [1, 0.5], [1, -0.5], [-0.5, 0], [0.5, 0]])
    points = eye.sees(shape @ _rotation(np.deg2rad(tile.angle_deg)).T + [tile.x, tile.y], tile.height)
    points = points + rng.normal(0, noise_px, points.shape) if noise_px else points
    corner = [(float(x), float(y)) for x, y in points]
    return TileDetection(
        corners_px=(corner[0], corner[1], corner[2], corner[3]),
        centers_px=(corner[4], corner[5]),
        pips=tile.pips,
        confidence=0.99,
        face_up=tile.face_up,
        likelihoods=likelihoods(*tile.pips),
    )


def likelihoods(head: int, tail: int, second: int | None = None) -> Likelihoods:
    """The chances of each number of pips for two halves; `second` is what the tail may be instead."""
    rows = np.zeros((2, 16))
    rows[[0, 1], [head, tail]] = 1.0
    if second is not None:
        rows[1, [tail, second]] = 0.7, 0.3
    one, other = (tuple(float(chance) for chance in row) for row in rows)
    return one, other


def _rotation(angle: float) -> Array:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def cardboard_upon(tile: TileDetection) -> Scene:
    """A table on which cardboard lies upon this domino and beside it."""
    (x, y), (x2, y2) = tile.centers_px
    squares = tuple((x + k * (x2 - x), y + k * (y2 - y)) for k in range(4))
    return Scene((960, 540), tetrominoes=(TetrominoDetection(squares, True, 0.9),))
