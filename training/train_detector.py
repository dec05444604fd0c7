"""Trains the network that finds tiles in a whole picture.

python -m training.train_detector SCENES CHECKPOINT --steps 10000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.augment import recolored, roughened
from training.checkpoints import ahead, train
from training.nets import DetectorNet
from training.scenes import Scene, load
from training.train_reader import bump_loss
from vision.detector import LENGTH_UNIT, STRIDE, WIDTH_UNIT
from vision.straighten import brighten

Rng = np.random.Generator
Floats = NDArray[np.float32]
CROP = 256
SHORTEST, LONGEST = 20.0, 115.0  # tile lengths, in pixels, that one level of the pyramid answers for


def _view(scene: Scene, rng: Rng) -> tuple[NDArray[np.uint8], NDArray[np.float32], list[tuple[bool, float]]]:
    """A crop of the scene at another scale and turn: picture, tile corners (n, 4, 2), (face up, part seen) of each."""
    quads = np.array([t.corners_px for t in scene.truth.tiles], np.float32).reshape(-1, 4, 2)
    w, h = scene.truth.size_px
    length = np.median(_lengths(quads)) if len(quads) else float(rng.uniform(30, 90))
    scale = float(np.exp(rng.uniform(np.log(24), np.log(96))) / max(float(length), 1.0))
    scale = float(np.clip(scale, 0.12, 1.6))
    span = CROP / scale
    focus = (
        quads[int(rng.integers(0, len(quads)))].mean(0)
        if len(quads) and rng.random() < 0.7
        else rng.uniform(0, 1, 2) * (w, h)
    )
    middle = focus + rng.uniform(-0.4, 0.4, 2) * span
    middle = np.clip(middle, min(span / 2, w / 2), max(w - span / 2, w / 2)) if span < w else np.array([w / 2, h / 2])
    flip = -1.0 if rng.random() < 0.5 else 1.0
    angle = float(rng.integers(0, 4)) * np.pi / 2 + float(rng.normal(0, 0.15))
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([flip, 1.0])
    warp = np.column_stack([turn, CROP / 2 - turn @ middle])
    image, on_image = _shrunk(scene, warp, scale)
    border = (cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT)[int(rng.integers(0, 2))]
    seen = cv2.warpAffine(image, on_image, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=border)
    moved = quads @ turn.T.astype(np.float32) + warp[:, 2].astype(np.float32)
    state = [(t.face_up, t.visible) for t in scene.truth.tiles]
    return np.asarray(seen, np.uint8), np.asarray(moved, np.float32), state


def _shrunk(scene: Scene, warp: NDArray[np.float64], scale: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The scene small enough to be warped without losing pixels between samples, and the warp from that size."""
    halved = scale < 0.5
    image, on_image = scene.image(halved), warp.copy()
    if halved:
        on_image[:, 2] += warp[:, :2] @ [0.5, 0.5]
        on_image[:, :2] *= 2
        scale *= 2
    if scale < 0.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.42 / scale), np.uint8)
    return image, on_image


def _lengths(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm((quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2, axis=1), np.float32)


def _inside(quad: NDArray[np.float32]) -> float:
    """The part of a tile that the crop shows."""
    frame = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float32)
    try:
        common, _ = cv2.intersectConvexConvex(quad, frame)
    except cv2.error:
        return 0.0
    return float(common / max(cv2.contourArea(quad), 1e-3))


def targets(quads: NDArray[np.float32], state: list[tuple[bool, float]]) -> tuple[Floats, Floats]:
    """Maps (8, n, n) as the network should answer, and weights (2, n, n): for the centres, for the shape."""
    n = CROP // STRIDE
    maps, weight = np.zeros((8, n, n), np.float32), np.ones((2, n, n), np.float32)
    weight[1] = 0
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    for quad, (face_up, visible), length in zip(quads, state, _lengths(quads), strict=True):
        middle = (quad.mean(0) + 0.5) / STRIDE - 0.5
        across = float(np.linalg.norm((quad[1] + quad[2] - quad[0] - quad[3]) / 2))
        if (middle < -2 * length / STRIDE).any() or (middle > n + 2 * length / STRIDE).any():
            continue
        seen = visible * _inside(quad)
        distance = (x - middle[0]) ** 2 + (y - middle[1]) ** 2
        if seen < 0.25:
            continue
        if seen < 0.95 or not SHORTEST <= length <= LONGEST or across < 8:
            weight[0][distance < (0.45 * length / STRIDE) ** 2] = 0
            continue
        _mark(maps, weight, quad, face_up, (length, across), (x, y))
    return maps, weight


def _mark(
    maps: Floats, weight: Floats, quad: Floats, face_up: bool, size: tuple[float, float], grid: tuple[Floats, Floats]
) -> None:
    """Write one tile into the maps: a bump at its middle, and its shape around it."""
    (length, across), (x, y) = size, grid
    middle = (quad.mean(0) + 0.5) / STRIDE - 0.5
    sigma = max(0.8, 0.14 * across / STRIDE)
    cx, cy = int(round(float(middle[0]))), int(round(float(middle[1])))
    bump = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * sigma**2))
    if not (0 <= cx < x.shape[1] and 0 <= cy < x.shape[0]):
        return
    channel = 0 if face_up else 1
    np.maximum(maps[channel], bump, out=maps[channel])
    near = bump > 0.3
    along = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    angle = 2 * np.arctan2(along[1], along[0])
    values = (np.cos(angle), np.sin(angle), np.log(length / LENGTH_UNIT), np.log(across / WIDTH_UNIT))
    for k, value in enumerate(values):
        maps[2 + k][near] = value
    maps[6][near], maps[7][near] = (middle[0] - x)[near], (middle[1] - y)[near]
    weight[1][near] = bump[near]


Batch = tuple[Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; scenes that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    while True:
        scenes = list(load(folder))
        order = rng.permutation(len(scenes))
        for j in range(0, len(order) - size, size):
            yield _stacked([scenes[int(k)] for k in order[j : j + size]], rng)


def _stacked(group: list[Scene], rng: Rng) -> Batch:
    pictures, maps, weights = [], [], []
    for scene in group:
        image, quads, state = _view(scene, rng)
        map_, weight = targets(quads, state)
        pictures.append(brighten(roughened(recolored(image, rng), rng)))
        maps.append(map_)
        weights.append(weight)
    return torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(maps)), torch.from_numpy(np.stack(weights))


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    picture, maps, weight = batch
    said = net(picture)
    tiles = maps[:, :2].eq(1).sum().clamp(min=1)
    centre = (bump_loss(said[:, :2], maps[:, :2]) * weight[:, :1]).sum() / tiles
    shape = functional.smooth_l1_loss(said[:, 2:], maps[:, 2:], reduction="none", beta=0.05) * weight[:, 1:]
    total = weight[:, 1].sum().clamp(min=1)
    turn, size, place = (shape[:, a:b].sum() / total for a, b in ((0, 2), (2, 4), (4, 6)))
    note = f"centres {centre:.3f} turn {turn:.4f} size {size:.4f} place {place:.4f}"
    return centre + 2 * turn + 3 * size + place, note


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    train(DetectorNet(), ahead(batches(args.scenes, args.batch, 1)), loss_of, args.checkpoint, args.steps, 2e-3)


if __name__ == "__main__":
    main()
