"""A trained network as the ONNX file that the program runs.

python -m training.export detector CHECKPOINT... vision/models/detector.onnx

Of several checkpoints of one network, each trained on from the one before, the mean of the weights is written
(Izmailov and others 2018).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from training.nets import DetectorNet, DieNet, ReaderNet, ReliefNet, TouchNet


@dataclass(frozen=True)
class Shape:
    """How a network is called: what it takes, what its outputs are named, and which sizes may change.

    takes: the size of one of each input, without how many of them there are.
    """

    net: type[torch.nn.Module]
    takes: dict[str, tuple[int, ...]]
    outputs: tuple[str, ...]
    loose: dict[int, str]


KINDS = {
    "detector": Shape(DetectorNet, {"picture": (3, 320, 320)}, ("tiles", "pieces"), {0: "n", 2: "h", 3: "w"}),
    "reader": Shape(ReaderNet, {"picture": (3, 80, 160)}, ("pips", "numbers", "face", "corners"), {0: "n"}),
    "dice": Shape(DieNet, {"picture": (3, 80, 80)}, ("number", "corners"), {0: "n"}),
    "relief": Shape(ReliefNet, {"picture": (3, 80, 120)}, ("lies",), {0: "n"}),
    "touch": Shape(
        TouchNet,
        {"picture": (8, 108, 108), "before": (96, 12), "where": (4,), "who": (2,)},
        ("seen", "lags", "upon"),
        {0: "n"},
    ),
}


def export(kind: str, weights: dict[str, torch.Tensor], target: Path) -> None:
    """Write the network to `target`, whole or not at all, its folder first."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shape = KINDS[kind]
    net = shape.net()
    net.load_state_dict(weights)
    net.eval()
    draft = target.with_suffix(".draft")
    torch.onnx.export(
        net,
        tuple(torch.zeros((1, *size)) for size in shape.takes.values()),
        str(draft),
        input_names=list(shape.takes),
        output_names=list(shape.outputs),
        dynamo=False,
        opset_version=13,
        dynamic_axes=dict.fromkeys([*shape.takes, *shape.outputs], shape.loose),
    )
    draft.replace(target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("target", type=Path)
    args = parser.parse_args()
    export(args.kind, mean([_weights(path) for path in args.checkpoints]), args.target)


def _weights(checkpoint: Path) -> dict[str, torch.Tensor]:
    saved: dict[str, dict[str, torch.Tensor]] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    return saved["average"]


def mean(weights: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of several networks' weights; counters are those of the last."""
    last = weights[-1]
    return {
        name: torch.stack([one[name] for one in weights]).mean(0) if value.dtype.is_floating_point else value
        for name, value in last.items()
    }


if __name__ == "__main__":
    main()
