"""Trains the eyes for dice, pawns, tokens and tetrominoes of a detector that finds tiles already.

python -m training.train_pieces SCENES DETECTOR CHECKPOINT --steps 12000

What it shares with the tiles stays as it is, so that not one tile is read otherwise afterwards.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training.augment import recolored, roughened
from training.checkpoints import ahead, train
from training.nets import DetectorNet
from training.scenes import Scene, load
from training.targets import piece_target
from training.train_detector import piece_middles, pieces_loss, tile_middles, view
from vision.straighten import brighten

LENGTHS = (34.0, 130.0)  # pixels of a tile in the crops: at the finest level looked at, a die has 17 or more
BARE = 0.25  # of the scenes without any piece so many are looked at: there nothing may be found

Batch = tuple[Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches, mostly of scenes with pieces in them."""
    rng = np.random.default_rng(seed)
    scenes = list(load(folder))
    peopled = np.array([len(piece_middles(scene.truth)) > 0 for scene in scenes])
    while True:
        order = rng.permutation(np.flatnonzero(peopled | (rng.random(len(scenes)) < BARE)))
        for j in range(0, len(order) - size, size):
            yield _stacked([scenes[int(k)] for k in order[j : j + size]], rng)


def _stacked(group: list[Scene], rng: np.random.Generator) -> Batch:
    pictures, targets = [], []
    for scene in group:
        middles = piece_middles(scene.truth)
        image, placed = view(scene, middles if len(middles) else tile_middles(scene.truth), LENGTHS, rng)
        targets.append(piece_target(scene.truth, placed))
        pictures.append(brighten(roughened(recolored(image, rng), rng)))
    maps, weights = np.stack([t.maps for t in targets]), np.stack([t.weight for t in targets])
    return torch.from_numpy(np.stack(pictures)), torch.from_numpy(maps), torch.from_numpy(weights)


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    assert isinstance(net, DetectorNet)
    picture, maps, weight = batch
    with torch.no_grad():
        views = net.views(picture)
    return pieces_loss(net.pieces(*views), maps, weight)


def alone(detector: Path) -> DetectorNet:
    """The trained detector, of which nothing but the eyes for pieces can learn."""
    net = DetectorNet()
    net.load_state_dict(torch.load(detector, map_location="cpu", weights_only=True)["average"])
    net.requires_grad_(False).eval()
    net.pieces.requires_grad_(True).train()
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("detector", type=Path, help="the checkpoint of training.train_detector")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3, help="lower to go on from good weights")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    train(
        alone(args.detector),
        ahead(batches(args.scenes, args.batch, 1)),
        loss_of,
        args.checkpoint,
        args.steps,
        args.rate,
    )


if __name__ == "__main__":
    main()
