"""Trains the network that tells tiles from pictures of tiles by what is around them.

python -m training.train_relief SCENES CHECKPOINT --steps 5000
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

from training.augment import burnt, recolored, roughened, shaded
from training.checkpoints import trainer
from training.nets import ReliefNet
from training.scenes import Scene, load
from training.surfaces import texture
from vision.quads import length_of
from vision.relief import HALF, MARGIN_X, MARGIN_Y, standardise, surroundings
from vision.straighten import Image, pyramid

Rng = np.random.Generator
Floats = NDArray[np.float32]
Sample = tuple[Floats, float]
Batch = tuple[Tensor, Tensor]

TILES, OTHERS = 5, 5  # of a scene, at most
SHORTEST = 20.0  # pixels
ELSEWHERE = 0.5  # of the places are put among other things
NEAR = 0.5  # of a tile's length: a proposed place no farther from a tile is neither right nor wrong


def samples(scene: Scene, rng: Rng) -> list[Sample]:
    """Some tiles of a scene, and some places that look like tiles where none lies, at its own or a smaller scale."""
    image = scene.image()
    shrink = float(rng.choice([1.0, 1.0, rng.uniform(0.4, 1.0)]))
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    lying = [np.array(tile.corners_px, np.float32) for tile in scene.truth.tiles]
    tiles = [quad for quad, tile in zip(lying, scene.truth.tiles, strict=True) if tile.clear]
    others = [np.array(quad, np.float32) for quad in scene.truth.lookalikes]
    others += [quad for quad in scene.proposed if not any(_near(quad, one) for one in lying)]
    levels = pyramid(image)
    told = []
    for quads, most, lies in ((tiles, TILES, 1.0), (others, OTHERS, 0.0)):
        for k in rng.permutation(len(quads))[:most]:
            quad = shrink * (quads[k] + 0.5) - 0.5
            if length_of(quad) >= SHORTEST:
                told.append((_picture(levels, _jittered(quad, rng), rng), lies))
    return told


def _near(quad: Floats, tile: Floats) -> bool:
    return float(np.linalg.norm(quad.mean(0) - tile.mean(0))) < NEAR * length_of(tile)


def _jittered(quad: Floats, rng: Rng) -> Floats:
    """Corners as a closer look finds them, in either order of the halves."""
    quad = np.roll(quad, 2, axis=0) if rng.random() < 0.5 else quad
    return np.asarray(quad + rng.normal(0, 0.015 * length_of(quad), (4, 2)), np.float32)


def _picture(levels: tuple[NDArray[np.uint8], ...], quad: Floats, rng: Rng) -> Floats:
    picture = surroundings(levels, quad)
    picture = _elsewhere(picture, rng) if rng.random() < ELSEWHERE else picture
    picture = np.ascontiguousarray(picture[::-1]) if rng.random() < 0.5 else picture
    return standardise(roughened(recolored(burnt(shaded(picture, rng), rng), rng), rng))


def _elsewhere(picture: Image, rng: Rng) -> Image:
    """The place and a ring about it among other things: on the tables of this world lies what no render shows."""
    ring = int(rng.integers(3, MARGIN_Y))
    kept = np.zeros(picture.shape[:2], np.float32)
    kept[MARGIN_Y - ring : MARGIN_Y + HALF + ring, MARGIN_X - ring : MARGIN_X + 2 * HALF + ring] = 1
    kept = np.asarray(cv2.GaussianBlur(kept, (0, 0), float(rng.uniform(0.5, 4))), np.float32)[..., None]
    other = texture(rng, ("surface", "swatch", "tabletop", "hand"))
    top, left = (int(rng.integers(0, max(1, side // 2))) for side in other.shape[:2])
    part = other[top : top + max(8, other.shape[0] // 2), left : left + max(8, other.shape[1] // 2)]
    around = cv2.resize(part, picture.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    around *= float(np.exp(rng.normal(0, 0.3))) * picture.mean() / max(float(around.mean()), 1.0)
    return np.clip(picture * kept + around * (1 - kept), 0, 255).astype(np.uint8)


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; scenes that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    pool: list[Sample] = []
    while True:
        scenes = [s for s in load(folder) if s.truth.lookalikes or rng.random() < 0.5]
        for k in rng.permutation(len(scenes)):
            pool += samples(scenes[int(k)], rng)
            if len(pool) >= 16 * size:
                order = rng.permutation(len(pool))
                for j in range(0, 8 * size, size):
                    yield _stacked([pool[int(i)] for i in order[j : j + size]])
                pool = [pool[int(i)] for i in order[8 * size :]]


def _stacked(group: list[Sample]) -> Batch:
    pictures = torch.from_numpy(np.stack([picture for picture, _ in group]))
    return pictures.contiguous(memory_format=torch.channels_last), torch.tensor([[lies] for _, lies in group])


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    pictures, lies = batch
    said = net(pictures).float()
    loss = functional.binary_cross_entropy_with_logits(said, lies)
    right = ((said > 0) == (lies > 0.5)).float()
    shares = (right[lies > 0.5].mean(), right[lies < 0.5].mean())
    return loss, f"lies {loss:.3f} ({shares[0]:.3f} of the tiles, {shares[1]:.3f} of the others)"


def main() -> None:
    trainer(__doc__, ReliefNet, batches, loss_of, steps=5000, batch=48)


if __name__ == "__main__":
    main()
