"""Trains the eyes for tiles of a detector alone.

python -m training.train_tiles SCENES DETECTOR CHECKPOINT --steps 2500 --rate 1e-3
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from training.eyes import eyes_trainer
from training.nets import DetectorNet
from training.train_detector import Batch, batches, tiles_loss


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    assert isinstance(net, DetectorNet)
    picture, tiles, weight, _, _ = batch
    with torch.no_grad():
        views = net.views(picture)
    return tiles_loss(net.tiles(*views), tiles, weight)


def eyes(net: DetectorNet) -> Iterable[nn.Module]:
    """What learns."""
    return net.eyes_for_tiles()


def main() -> None:
    eyes_trainer(__doc__, eyes, batches, loss_of, steps=2500)


if __name__ == "__main__":
    main()
