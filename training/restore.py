"""The weights of a network that the program runs, as a checkpoint to train on from.

python -m training.restore pieces vision/models/detector.onnx SCENES CHECKPOINT

An export folds each normalisation into the convolution before it. Here it is taken out again, with the means and
spreads that a few batches of scenes have there, so that the network says the same as before and learns as before.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training import train_detector, train_dice, train_pieces, train_reader, train_relief, train_touch
from training.checkpoints import save
from training.export import KINDS, Shape
from training.nets import TouchNet

BATCHES = 12  # by which the means and spreads are measured
LEARNERS = {
    "detector": train_detector,
    "pieces": train_pieces,
    "reader": train_reader,
    "dice": train_dice,
    "relief": train_relief,
    "touch": train_touch,
}
Part: TypeAlias = nn.Conv1d | nn.Conv2d | nn.Linear | nn.BatchNorm2d


def restored(kind: str, shipped: Path, pictures: Iterable[Tensor]) -> nn.Module:
    """The network of that kind, one of export.KINDS, with the weights of the file and normalisations made anew.

    pictures: batches such as the network learns from. What only training asks of a network is in no file and begins
    anew.
    """
    shape = KINDS[kind]
    net = shape.net().eval()
    parts = _in_order(net, shape)
    learning = [part for part in parts if not isinstance(part, nn.BatchNorm2d)]
    for part, (weight, bias) in zip(learning, _stored(shipped), strict=True):
        norm = _norm_after(part, parts)
        with torch.no_grad():
            part.weight.copy_(weight)
            (part.bias if norm is None else norm.bias).copy_(bias)
            if norm is not None:
                norm.running_var.fill_(1 - norm.eps)
    see = net.look if isinstance(net, TouchNet) else net
    _measure([part for part in parts if isinstance(part, nn.BatchNorm2d)], see, pictures)
    return net


def pictures_of(batch: Sequence[Tensor]) -> Tensor:
    """The pictures (n, channels, rows, columns) of a batch; those of films are still pixels (films, n, ...)."""
    return train_touch.pictures(batch[0], batch[1]) if batch[0].ndim == 5 else batch[0]


def _stored(shipped: Path) -> Iterator[tuple[Tensor, Tensor]]:
    """The weights and biases in the file, in the order in which they are used."""
    graph = onnx.load(shipped).graph
    arrays = {one.name: np.array(numpy_helper.to_array(one)) for one in graph.initializer}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            _, weight, bias = node.input
            yield torch.from_numpy(arrays[weight]), torch.from_numpy(arrays[bias])


def _in_order(net: nn.Module, shape: Shape) -> list[Part]:
    """The convolutions, layers and normalisations of a network, in the order in which they are used."""
    order: list[Part] = []
    hooks = [
        part.register_forward_hook(lambda part, _, __: order.append(part))
        for part in net.modules()
        if isinstance(part, nn.Conv1d | nn.Conv2d | nn.Linear | nn.BatchNorm2d)
    ]
    with torch.no_grad():
        net(*(torch.zeros((1, *size)) for size in shape.takes.values()))
    for hook in hooks:
        hook.remove()
    return order


def _norm_after(part: Part, parts: list[Part]) -> nn.BatchNorm2d | None:
    """The normalisation that a convolution without a bias of its own feeds."""
    if part.bias is not None:
        return None
    after = parts[parts.index(part) + 1]
    assert isinstance(after, nn.BatchNorm2d)
    return after


@torch.no_grad()
def _measure(norms: list[nn.BatchNorm2d], see: Callable[[Tensor], object], pictures: Iterable[Tensor]) -> None:
    """Give each normalisation the means and spreads that come to it, without changing what it makes of them."""
    sums = {norm: [torch.zeros(norm.num_features, dtype=torch.float64) for _ in range(3)] for norm in norms}

    def watch(norm: nn.Module, taken: tuple[Tensor, ...]) -> None:
        values = taken[0].double()
        count, total, squares = sums[norm]
        count += values[:, 0].numel()
        total += values.sum((0, 2, 3))
        squares += (values**2).sum((0, 2, 3))

    hooks = [norm.register_forward_pre_hook(watch) for norm in norms]
    for picture in pictures:
        see(picture)
    for hook in hooks:
        hook.remove()
    for norm, (count, total, squares) in sums.items():
        mean = total / count
        spread = (squares / count - mean**2).clamp(min=0.0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=list(LEARNERS), help='"pieces" is the detector for training.train_pieces')
    parser.add_argument("shipped", type=Path, help="the .onnx file")
    parser.add_argument("scenes", type=Path, help="a folder of training.scenes, of training.touches for touch")
    parser.add_argument("checkpoint", type=Path)
    args = parser.parse_args()
    batches = LEARNERS[args.kind].batches(args.scenes, 16, 1)
    pictures = (pictures_of(batch) for batch in islice(batches, BATCHES))
    net = restored("detector" if args.kind == "pieces" else args.kind, args.shipped, pictures)
    save(args.checkpoint, {"net": net.state_dict(), "average": net.state_dict(), "step": 0})


if __name__ == "__main__":
    main()
