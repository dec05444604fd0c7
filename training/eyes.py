"""Trains one part of a detector alone, its eyes for tiles or its eyes for everything else: the rest says what it said.

Both see by the same views of the picture, which stay as they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from training.checkpoints import asked, learned_from, train
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
    args = asked(parser, steps, 16)
    net = alone(args.detector, eyes)
    train(net, learned_from(batches, args.scenes, args), loss_of, args.checkpoint, args.steps, args.rate)
