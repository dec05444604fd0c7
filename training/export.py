"""A trained network as the ONNX file that OpenCV runs.

python -m training.export detector CHECKPOINT vision/models/detector.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from training.nets import DetectorNet, ReaderNet


def export(kind: str, weights: dict[str, torch.Tensor], target: Path) -> None:
    """Write the network to `target`, whole or not at all."""
    net = (DetectorNet if kind == "detector" else ReaderNet)()
    net.load_state_dict(weights)
    net.eval()
    size = (1, 3, 320, 320) if kind == "detector" else (1, 3, 80, 160)
    names = ["maps"] if kind == "detector" else ["pips", "numbers", "face", "corners"]
    loose = {0: "n", 2: "h", 3: "w"} if kind == "detector" else {0: "n"}
    draft = target.with_suffix(".draft")
    torch.onnx.export(
        net,
        (torch.zeros(size),),
        str(draft),
        input_names=["picture"],
        output_names=names,
        dynamo=False,
        opset_version=13,
        dynamic_axes={"picture": loose, **({"maps": loose} if kind == "detector" else {n: {0: "n"} for n in names})},
    )
    draft.replace(target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["detector", "reader"])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    args = parser.parse_args()
    saved = torch.load(args.checkpoint, map_location="cpu", weights_only=True)
    export(args.kind, saved["average"], args.target)


if __name__ == "__main__":
    main()
