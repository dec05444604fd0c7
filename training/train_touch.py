"""Trains the network that sees when a finger comes to rest on a tile.

python -m training.train_touch STRIPS CHECKPOINT --steps 4000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.checkpoints import ahead, train
from training.touch_net import TouchNet
from training.touches import moment_of
from vision.contact import AGES, COLORED, FRAMES, SIDE, Surface

Rng = np.random.Generator
Floats = NDArray[np.float32]
Batch = tuple[Tensor, Tensor]

LEARNT, TOLD = 0.75, 5.0  # of the windows about a contact; frames after which a contact should be told
NONE = 0
ASIDE = 3  # pixels by which a window is shifted at most
BENT = 0.9  # pixels by which its parts are shifted besides


@dataclass(frozen=True, eq=False)
class Strip:
    """A strip as the network's eyes take it: (n, 48, 48, 2) looks, (2, 48, 48) the table's own; contact: a frame."""

    looks: NDArray[np.float16]
    own: Floats
    contact: float


def strips_in(path: Path) -> list[Strip]:
    """The strips of a file."""
    known, found, start = np.load(path), list[Strip](), 0
    patches, times = known["patches"], known["times_s"]
    told = zip(known["counts"], known["still"], known["lies"], known["contact_s"], strict=True)
    for count, still, lies, contact in told:
        part, when = patches[start : start + count], times[start : start + count]
        start, table = start + count, Surface(still, lies)
        looks = np.stack([table.apart(patch) for patch in part]).astype(np.float16)
        found.append(Strip(looks, table.own, float((contact - when[0]) / np.median(np.diff(when)))))
    return found


def window(one: Strip, newest: int, rng: Rng | None) -> Floats:
    """What the network is shown when a frame is the newest; with chance, in other light, mirrored, noisier."""
    looks = one.looks[newest + 1 - FRAMES : newest + 1].astype(np.float32)
    shown = np.concatenate([looks[..., 0], looks[[FRAMES - 1 - age for age in COLORED], ..., 1], one.own])
    if rng is None:
        return shown
    shown[: FRAMES + len(COLORED)] *= np.float32(rng.uniform(0.6, 1.5))
    gain = np.float32(np.exp(rng.normal(0, 0.05)))
    shown[:FRAMES] = gain * shown[:FRAMES] + (gain - 1) * (one.own[0] + 1)
    shown[FRAMES:-2] = rng.choice([-1, 1]) * rng.uniform(0.3, 1.3) * shown[FRAMES:-2] + rng.normal(0, 0.03)
    if rng.random() < 0.1:
        k = int(rng.integers(1, FRAMES - 1))
        shown[k] = shown[k - 1]
    if rng.random() < 0.3:
        shown[:FRAMES] += np.float32(rng.uniform(0.005, 0.03)) * rng.standard_normal(shown[:FRAMES].shape, np.float32)
    return _bent(shown, rng)


def _bent(shown: Floats, rng: Rng) -> Floats:
    """The window turned, stretched, bent and perhaps mirrored as a whole: few hands then stand for many."""
    turn, (wide, high), lean = rng.normal(0, 0.12), np.exp(rng.normal(0, 0.1, 2)), rng.normal(0, 0.06)
    ways = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ [[wide, lean], [0, high]]
    ways[:, 0] *= rng.choice([-1, 1])
    at = np.mgrid[:SIDE, :SIDE][::-1].reshape(2, -1) - (SIDE - 1) / 2
    fields = [cv2.resize(rng.normal(0, BENT, (4, 4)), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) for _ in range(2)]
    moved = (
        (ways @ at).reshape(2, SIDE, SIDE) + (SIDE - 1) / 2 + np.stack(fields) + rng.uniform(-ASIDE, ASIDE, (2, 1, 1))
    )
    across, down = moved.astype(np.float32)
    bent = [cv2.remap(one, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT) for one in shown]
    return np.asarray(np.stack(bent), np.float32)


def _drawn(one: Strip, rng: Rng) -> int:
    """Which frame is the newest of a window, at random, more often soon after a contact."""
    if one.contact == one.contact and rng.random() < LEARNT:
        return int(np.clip(np.ceil(one.contact) + rng.integers(0, AGES + 1), FRAMES - 1, len(one.looks) - 1))
    return int(rng.integers(FRAMES - 1, len(one.looks)))


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; tables that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    known: dict[Path, list[Strip]] = {}
    while True:
        for path in sorted(folder.glob("*.npz")):
            if path not in known and path.stem.isdigit() and int(path.stem) % 10:
                known[path] = strips_in(path)
        strips = [one for found in known.values() for one in found if len(one.looks) >= FRAMES]
        weight = np.array([1.0 if one.contact == one.contact else 1.3 for one in strips])
        for _ in range(20):
            shown, told = list[Floats](), list[Floats]()
            while len(shown) < size:
                one = strips[int(rng.choice(len(strips), p=weight / weight.sum()))]
                newest = _drawn(one, rng)
                moment = moment_of(newest - one.contact)
                if moment is not None:
                    shown.append(window(one, newest, rng))
                    told.append(moment)
            yield torch.from_numpy(np.stack(shown)), torch.from_numpy(np.stack(told))


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    shown, told = batch
    said = net(shown.contiguous(memory_format=torch.channels_last))
    loss = functional.cross_entropy(said, told)
    with torch.no_grad():
        return loss, f"loss {loss:.3f} {judged(said.softmax(1), told)}"


def judged(chance: Tensor, told: Tensor) -> str:
    """How well contacts of some age are told, how often none is taken for one, and by how much the moment is off."""
    ages = torch.arange(AGES + 1, dtype=torch.float32)
    late, none = told @ ages >= TOLD, told[:, NONE] > 0.5
    hit = (chance[late, 1:].sum(1) > 0.5).float().mean()
    wrong = (chance[none, 1:].sum(1) > 0.5).float().mean()
    mean = chance[late] @ ages / chance[late, 1:].sum(1).clamp(min=1e-3)
    apart = (mean - told[late] @ ages).abs().median()
    return f"told {hit:.3f} false {wrong:.3f} off by {apart:.2f} frames"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strips", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    train(TouchNet(), ahead(batches(args.strips, args.batch, 1)), loss_of, args.checkpoint, args.steps, 2e-3)


if __name__ == "__main__":
    main()
