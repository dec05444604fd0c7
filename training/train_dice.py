"""Trains the network that reads a die's top face and sees where its corners are.

python -m training.train_dice SCENES CHECKPOINT --steps 6000
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.augment import recolored, roughened, shaded
from training.checkpoints import trainer
from training.nets import DieNet
from training.scenes import Scene, load
from training.truth import TrueDie, Truth
from vision.dice import EDGE, FRAME, standardise, straightened
from vision.straighten import pyramid

Rng = np.random.Generator
Floats = NDArray[np.float32]
NO_DIE = 0
CLEAR = 0.9  # of a top face: dice of which less is seen teach nothing
UPON = 0.45  # edges: a place no farther from the die is the die
NOWHERE = np.full(8, np.nan, np.float32)


@dataclass(frozen=True)
class Sample:
    """A straightened picture, the number on top, 0 where no die is, and how far its corners (8,) are off, in edges."""

    picture: Floats
    number: int
    corners: Floats


def _as_looked_at(die: TrueDie, rng: Rng) -> Floats:
    """A die's top as it comes to be looked at: at first where the detector found it, then almost where it lies."""
    quad = np.roll(np.asarray(die.corners_px, np.float32), int(rng.integers(0, 4)), axis=0)
    if rng.random() < 0.6:
        return _jittered(quad, rng)
    return np.asarray(
        quad + rng.normal(0, 0.03, (4, 2)) * _edge(quad) + rng.normal(0, 0.03, 2) * _edge(quad), np.float32
    )


def _jittered(quad: Floats, rng: Rng) -> Floats:
    """A die's square as the detector finds it, on good days and on bad: a true square, shifted, turned, scaled."""
    much = float(rng.choice([1.0, 1.0, 1.6, 2.4]))
    middle, along = quad.mean(0), (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    edge = float(np.sqrt(np.linalg.norm(along) * np.linalg.norm(across)))
    angle = np.arctan2(along[1], along[0]) + np.pi / 2 * rng.integers(0, 4) + rng.normal(0, 0.12) * much
    size = 2 * edge * float(np.exp(rng.normal(0, 0.09) * much))
    return _square(middle + rng.normal(0, 0.07, 2) * much * 2 * edge, size, angle)


def _square(middle: Floats, edge: float, angle: float) -> Floats:
    a = edge / 2 * np.array([np.cos(angle), np.sin(angle)])
    c = np.array([-a[1], a[0]])
    return np.asarray(middle + np.array([-a - c, -a + c, a + c, a - c]), np.float32)


def _elsewhere(truth: Truth, rng: Rng) -> Floats | None:
    """A square where no die is: on a tile, a pawn or a token, beside a die, on a detail of one, or anywhere."""
    printed = truth.lookalikes if rng.random() < 0.3 else ()
    faces = printed or tuple(t.corners_px for t in truth.tiles)
    squares = [_half(face, end) for face in faces for end in (0, 2)]
    if not squares or rng.random() < 0.5:
        squares = [np.asarray(d.corners_px, np.float32) for d in truth.dice] or squares
    kind = rng.random()
    if truth.pieces and kind < 0.1:
        piece = truth.pieces[int(rng.integers(0, len(truth.pieces)))]
        middle, edge = np.asarray(piece.center_px), piece.width_px * rng.uniform(0.7, 1.3)
        angle = rng.uniform(0, 2 * np.pi)
    elif squares and kind < 0.85:
        middle, edge, angle = _near(squares[int(rng.integers(0, len(squares)))], rng)
    else:
        middle, edge = rng.uniform(0, 1, 2) * truth.size_px, float(np.exp(rng.uniform(np.log(8), np.log(60))))
        angle = rng.uniform(0, 2 * np.pi)
    if any(_hits(middle, edge, _edge(d.corners_px), d.center_px) for d in truth.dice):
        return None
    return _square(np.asarray(middle, np.float32), max(edge, 6.0), float(angle))


def _half(corners_px: tuple[tuple[float, float], ...], end: int) -> Floats:
    """The corners of the half of a tile at one end (0 the head, 2 the tail)."""
    a, b, c, d = (np.asarray(corners_px[(end + k) % 4], np.float32) for k in range(4))
    return np.stack([a, b, (b + c) / 2, (a + d) / 2])


def _near(quad: Floats, rng: Rng) -> tuple[Floats, float, float]:
    """A square on this one, beside it, or on a detail of it such as a pip: its middle, edge and turn."""
    middle, along = quad.mean(0), (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    edge, angle = float(np.linalg.norm(along)), float(np.arctan2(along[1], along[0])) + rng.normal(0, 0.1)
    kind = rng.random()
    if kind < 0.4:
        return middle + rng.normal(0, 0.1, 2) * edge, edge * float(np.exp(rng.normal(0, 0.15))), angle
    if kind < 0.7:
        return middle + rng.uniform(-0.5, 0.5, 2) * edge, edge * float(rng.uniform(0.15, 0.6)), angle
    return middle + edge * rng.uniform(0.5, 1.2) * _way(rng), edge * float(rng.uniform(0.5, 1.5)), angle


def _hits(middle: Floats, edge: float, die_edge: float, die_middle: tuple[float, float]) -> bool:
    """Whether a square is so nearly a die that it cannot be called none."""
    near = float(np.hypot(*(middle - np.asarray(die_middle)))) < 0.45 * die_edge
    return near and 0.6 < edge / max(die_edge, 1.0) < 1.6


def _way(rng: Rng) -> Floats:
    a = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(a), np.sin(a)], np.float32)


def _edge(corners: Sequence[tuple[float, float]] | Floats) -> float:
    c = np.asarray(corners)
    return float(np.linalg.norm((c[2] + c[3] - c[0] - c[1]) / 2))


def samples(scene: Scene, rng: Rng) -> list[Sample]:
    """The dice of a scene, and some places where none is."""
    truth, image = scene.truth, scene.image()
    shrink = float(rng.choice([1.0, 1.0, rng.uniform(0.4, 1.0)]))
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    dice = [d for d in truth.dice if d.visible > CLEAR and shrink * _edge(d.corners_px) > 7]
    often = [d for d in dice for _ in range(3)]  # unpacking the picture is what costs time
    places: list[tuple[Floats, TrueDie | None]] = [(_as_looked_at(d, rng), d) for d in often]
    others = [_elsewhere(truth, rng) for _ in range(4 + len(dice))]
    places += [(quad, None) for quad in others if quad is not None]
    places += _as_proposed(scene, rng)
    levels = pyramid(image)
    return [_sample(_picture(levels, shrink * (quad + 0.5) - 0.5, rng), quad, die) for quad, die in places]


def _sample(picture: Floats, quad: Floats, die: TrueDie | None) -> Sample:
    return Sample(picture, die.value, _offsets(quad, die)) if die else Sample(picture, NO_DIE, NOWHERE)


def _offsets(quad: Floats, die: TrueDie) -> Floats:
    """Where the top's corners lie on the straightened picture, from where they ought to be, in edges."""
    warp = cv2.getPerspectiveTransform(quad, FRAME)
    true = cv2.perspectiveTransform(np.asarray(die.corners_px, np.float32)[None], warp)[0]
    turned = [np.roll(true, k, axis=0) - FRAME for k in range(4)]
    nearest = min(turned, key=lambda off: float(np.linalg.norm(off)))
    return np.asarray(nearest / EDGE, np.float32).reshape(8)


def _as_proposed(scene: Scene, rng: Rng) -> list[tuple[Floats, TrueDie | None]]:
    """The places that the detector proposed, which are what the network will be asked about, each with its die."""
    told: list[tuple[Floats, TrueDie | None]] = []
    for quad in scene.proposed_dice:
        middle, edge = quad.mean(0), _edge(quad)
        near = [d for d in scene.truth.dice if _hits(middle, edge, _edge(d.corners_px), d.center_px)]
        if not near:
            told.append((quad, None))
        elif near[0].visible > CLEAR and math.dist(middle, near[0].center_px) < UPON * edge:
            told.append((np.roll(quad, int(rng.integers(0, 4)), axis=0), near[0]))
    return told


def _picture(levels: tuple[NDArray[np.uint8], ...], quad: Floats, rng: Rng) -> Floats:
    return standardise(roughened(recolored(shaded(straightened(levels, quad), rng), rng), rng))


Batch = tuple[Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; scenes that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    pool: list[Sample] = []
    while True:
        scenes = [s for s in load(folder) if s.truth.dice or rng.random() < 0.3]
        for k in rng.permutation(len(scenes)):
            pool += samples(scenes[int(k)], rng)
            if len(pool) >= 16 * size:
                order = rng.permutation(len(pool))
                for j in range(0, 8 * size, size):
                    group = [pool[int(i)] for i in order[j : j + size]]
                    yield _batch(group)
                pool = [pool[int(i)] for i in order[8 * size :]]


def _batch(group: Sequence[Sample]) -> Batch:
    return (
        torch.from_numpy(np.stack([s.picture for s in group])),
        torch.tensor([s.number for s in group]),
        torch.from_numpy(np.stack([s.corners for s in group])),
    )


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    picture, value, corners = batch
    said, moved = (part.float() for part in net(picture))
    read = functional.cross_entropy(said, value)
    sure = ~torch.isnan(corners[:, 0])
    place = functional.smooth_l1_loss(moved[sure], corners[sure], beta=0.05)
    right = (said.argmax(1) == value).float().mean()
    return read + 3 * place, f"number {read:.3f} ({right:.3f} right) corners {place:.4f}"


def main() -> None:
    trainer(__doc__, DieNet, batches, loss_of, steps=6000, batch=64)


if __name__ == "__main__":
    main()
