"""Trains the eyes for dice, pawns, tokens and tetrominoes of a detector that finds tiles already.

python -m training.train_pieces SCENES DETECTOR CHECKPOINT --steps 12000

What it shares with the tiles stays as it is, so that not one tile is read otherwise afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.augment import recolored, roughened, shaded
from training.eyes import eyes_trainer
from training.nets import DetectorNet
from training.scenes import Scene, load
from training.targets import piece_target
from training.train_detector import SMALL_LENGTHS, piece_middles, pieces_loss, tile_middles, view, within
from vision.straighten import brighten

BARE = 0.25  # of the scenes without any piece so many are looked at: there nothing may be found

Batch = tuple[Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches, mostly of scenes with pieces in them."""
    rng = np.random.default_rng(seed)
    scenes = list(load(folder))
    peopled = np.array([len(piece_middles(scene.truth)) > 0 for scene in scenes])
    while True:
        order = rng.permutation(np.flatnonzero(peopled | (rng.random(len(scenes)) < BARE)))
        for j in range(0, max(1, len(order) - size), size):  # fewer scenes than a batch are one
            yield _stacked([scenes[int(k)] for k in order[j : j + size]], rng)


def _stacked(group: list[Scene], rng: np.random.Generator) -> Batch:
    pictures, targets = [], []
    for scene in group:
        middles = piece_middles(scene.truth)
        image, placed = view(scene, middles if len(middles) else tile_middles(scene.truth), SMALL_LENGTHS, rng)
        targets.append(piece_target(scene.truth, placed))
        shadowy = shaded(image, rng, within(placed(middles)))
        pictures.append(brighten(roughened(recolored(shadowy, rng), rng)))
    maps, weights = np.stack([t.maps for t in targets]), np.stack([t.weight for t in targets])
    return torch.from_numpy(np.stack(pictures)), torch.from_numpy(maps), torch.from_numpy(weights)


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    assert isinstance(net, DetectorNet)
    picture, maps, weight = batch
    with torch.no_grad():
        views = net.views(picture)
    return pieces_loss(net.pieces(*views), maps, weight)


def eyes(net: DetectorNet) -> Iterable[nn.Module]:
    """What learns."""
    return (net.pieces,)


def main() -> None:
    eyes_trainer(__doc__, eyes, batches, loss_of, steps=12000)


if __name__ == "__main__":
    main()
