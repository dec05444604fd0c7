"""Trains one part of a detector alone, its eyes for tiles or its eyes for everything else: the rest says what it said.

Both see by the same views of the picture, which stay as they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import cv2
import torch
from torch import Tensor, nn

from training.checkpoints import ahead, train
from training.nets import DetectorNet

Batch = TypeVar("Batch")
Eyes = Callable[[DetectorNet], Iterable[nn.Module]]


def alone(detector: Path, eyes: Eyes) -> DetectorNet:
    """The trained detector, of which nothing but those modules can learn."""
    net = DetectorNet()
    net.load_state_dict(torch.load(detector, map_location="cpu", weights_only=True)["average"])
    net.requires_grad_(False).eval()
    for part in eyes(net):
        part.requires_grad_(True).train()
    return net


def eyes_trainer(
    doc: str | None,
    eyes: Eyes,
    batches: Callable[[Path, int, int], Iterator[Batch]],
    loss_of: Callable[[nn.Module, Batch], tuple[Tensor, str]],
    *,
    steps: int,
) -> None:
    """A trainer's command line, as of checkpoints.trainer; eyes: the modules that learn."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("detector", type=Path, help="a checkpoint of a detector")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3, help="lower to go on from good weights")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    net = alone(args.detector, eyes)
    train(net, ahead(batches(args.scenes, args.batch, 1)), loss_of, args.checkpoint, args.steps, args.rate)
