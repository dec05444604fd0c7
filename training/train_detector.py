"""Trains the network that finds tiles and everything else in a whole picture.

python -m training.train_detector SCENES CHECKPOINT --steps 10000
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.augment import recolored, roughened, shaded
from training.checkpoints import trainer
from training.nets import DetectorNet
from training.scenes import Scene, load
from training.targets import CROP, Placing, piece_target, tile_target
from training.train_reader import bump_loss
from training.truth import Truth
from vision.peaks import PIECES
from vision.straighten import brighten

Rng = np.random.Generator
Floats = NDArray[np.float32]
LENGTHS = (24.0, 96.0)  # pixels of a tile in the crops
SMALL_LENGTHS = (34.0, 130.0)  # in those about pieces: at the finest level looked at, a die has 17 or more
ABOUT_PIECES = 0.45  # of the crops of scenes with pieces are about those alone: most things on a table are tiles
TILE_PARTS = (("turn", 2, 2.0), ("size", 2, 3.0), ("place", 2, 1.0))
PIECE_PARTS = (("turn", 2, 0.5), ("size", 1, 2.0), ("way", 2, 0.5), ("place", 2, 0.5))


def view(scene: Scene, middles: Floats, lengths: tuple[float, float], rng: Rng) -> tuple[NDArray[np.uint8], Placing]:
    """A crop of the scene at another scale and turn, and where the scene's points lie in it.

    middles: (n, 2), what most crops are about; lengths: pixels, from the shortest to the longest that a tile gets.
    """
    w, h = scene.truth.size_px
    length = usual_length(scene.truth) or float(rng.uniform(30, 90))
    scale = float(np.exp(rng.uniform(*np.log(lengths))) / max(length, 1.0))
    scale = float(np.clip(scale, 0.12, 1.6))
    span = CROP / scale
    focus = (
        middles[int(rng.integers(0, len(middles)))]
        if len(middles) and rng.random() < 0.7
        else rng.uniform(0, 1, 2) * (w, h)
    )
    middle = focus + rng.uniform(-0.4, 0.4, 2) * span
    middle = np.clip(middle, min(span / 2, w / 2), max(w - span / 2, w / 2)) if span < w else np.array([w / 2, h / 2])
    flip = -1.0 if rng.random() < 0.5 else 1.0
    angle = float(rng.integers(0, 4)) * np.pi / 2 + float(rng.normal(0, 0.15))
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([flip, 1.0])
    warp = np.column_stack([turn, CROP / 2 - turn @ middle])
    image, on_image = _shrunk(scene, warp, scale)
    border = (cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT)[int(rng.integers(0, 2))]
    seen = cv2.warpAffine(image, on_image, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=border)

    def placed(points: object) -> Floats:
        return np.asarray(np.asarray(points, np.float32) @ turn.T + warp[:, 2], np.float32)

    return np.asarray(seen, np.uint8), placed


def tile_middles(truth: Truth) -> Floats:
    """The middles (n, 2) of the tiles."""
    return _quads([t.corners_px for t in truth.tiles]).mean(1)


def piece_middles(truth: Truth) -> Floats:
    """The middles (n, 2) of dice, pawns, tokens and the squares of tetrominoes."""
    squares = _quads([s for t in truth.tetrominoes for s in t.squares_px]).mean(1)
    rounds = np.array([p.center_px for p in truth.pieces], np.float32).reshape(-1, 2)
    return np.concatenate([_quads([d.corners_px for d in truth.dice]).mean(1), rounds, squares])


def within(points: Floats) -> Floats:
    """Those of the points (n, 2) that the crop shows."""
    return points[((points >= 0) & (points < CROP)).all(axis=1)]


def usual_length(truth: Truth) -> float:
    """The usual length of a tile in pixels, that of two dice where there is none, 0 where nothing tells it."""
    tiles, dice = _quads([t.corners_px for t in truth.tiles]), _quads([d.corners_px for d in truth.dice])
    if len(tiles) == 0 and len(dice) == 0:
        return 0.0
    return float(np.median(_lengths(tiles) if len(tiles) else 2 * _lengths(dice)))


def _quads(corners: list[object]) -> Floats:
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def _shrunk(scene: Scene, warp: NDArray[np.float64], scale: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The scene small enough to be warped without losing pixels between samples, and the warp from that size."""
    halved = scale < 0.5
    image, on_image = scene.image(halved), warp.copy()
    if halved:
        on_image[:, 2] += warp[:, :2] @ [0.5, 0.5]
        on_image[:, :2] *= 2
        scale *= 2
    if scale < 0.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.42 / scale), np.uint8)
    return image, on_image


def _lengths(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm((quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2, axis=1), np.float32)


Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; scenes that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    while True:
        scenes = list(load(folder))
        order = rng.permutation(len(scenes))
        for j in range(0, max(1, len(order) - size), size):  # fewer scenes than a batch are one
            yield _stacked([scenes[int(k)] for k in order[j : j + size]], rng)


def _stacked(group: list[Scene], rng: Rng) -> Batch:
    pictures, tiles, pieces = [], [], []
    for scene in group:
        small = piece_middles(scene.truth)
        if len(small) and rng.random() < ABOUT_PIECES:
            image, placed = view(scene, small, SMALL_LENGTHS, rng)
            shadowy = shaded(image, rng, within(placed(small)))
        else:
            image, placed = view(scene, np.concatenate([tile_middles(scene.truth), small]), LENGTHS, rng)
            shadowy = shaded(image, rng)
        tiles.append(tile_target(scene.truth, placed))
        pieces.append(piece_target(scene.truth, placed))
        pictures.append(brighten(roughened(recolored(shadowy, rng), rng)))
    stacks = [[t.maps for t in tiles], [t.weight for t in tiles], [t.maps for t in pieces], [t.weight for t in pieces]]
    a, b, c, d, e = (torch.from_numpy(np.stack(s)) for s in (pictures, *stacks))
    return a, b, c, d, e


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    picture, tiles, tile_weight, pieces, piece_weight = batch
    said_tiles, said_pieces = net(picture)
    tile_loss, tile_note = tiles_loss(said_tiles, tiles, tile_weight)
    piece_loss, piece_note = pieces_loss(said_pieces, pieces, piece_weight)
    return tile_loss + piece_loss, f"tiles {tile_note} pieces {piece_note}"


def tiles_loss(said: Tensor, maps: Tensor, weight: Tensor) -> tuple[Tensor, str]:
    """The loss of the maps of tiles, and its parts in words."""
    return _part(said, maps, weight, 2, TILE_PARTS)


def pieces_loss(said: Tensor, maps: Tensor, weight: Tensor) -> tuple[Tensor, str]:
    """The loss of the maps of pieces, and its parts in words."""
    return _part(said, maps, weight, len(PIECES), PIECE_PARTS)


def _part(
    said: Tensor, maps: Tensor, weight: Tensor, kinds: int, parts: tuple[tuple[str, int, float], ...]
) -> tuple[Tensor, str]:
    """The loss of the middles of so many kinds of things, and of the parts (name, maps, weight) of their shapes."""
    said = said.float()
    count = (maps[:, :kinds].eq(1) & (weight[:, :1] > 0)).sum().clamp(min=1)
    loss = (bump_loss(said[:, :kinds], maps[:, :kinds]) * weight[:, :1]).sum() / count
    shape = functional.smooth_l1_loss(said[:, kinds:], maps[:, kinds:], reduction="none", beta=0.05) * weight[:, 1:]
    total, note, first = weight[:, 1].sum().clamp(min=1), f"{loss:.3f}", 0
    for name, wide, much in parts:
        part = shape[:, first : first + wide].sum() / total
        loss, first, note = loss + much * part, first + wide, f"{note} {name} {part:.4f}"
    return loss, note


def main() -> None:
    trainer(__doc__, DetectorNet, batches, loss_of, steps=10000, batch=16)


if __name__ == "__main__":
    main()
