"""Trains the network that sees where hands and arms are over a table: python -m training.train_hands FILMS CHECKPOINT

What it must not take for an arm is added here: hard shadows, other light, things that came or went, and arms that were
in the picture of the still table and have left.
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
from training.hand_films import HandFilm, load, read
from training.nets import HandNet
from vision.limbs import beside
from vision.straighten import Image

Rng = np.random.Generator
Floats = NDArray[np.float32]
Batch = tuple[Tensor, Tensor]

SIDE = (160, 224)  # (h, w) of what is shown at once
ZOOM = (0.56, 1.35)  # how large a film's pictures are shown
UPRIGHT = 0.8  # where they are shown smaller they are not turned on their sides: they would not fill what is shown
PAIRS = 4  # of a film each time, each shown mirrored too
HAUNTED = 0.35  # how often there are arms in the still table's picture, which may have left
SHADOWED, RELIT, STREWN = 0.5, 0.7, 0.4  # how often there are hard shadows, other light, other things
VEILED = 0.3  # how often a camera's black is no black, or not the same everywhere
NOISE = (0.5, 9.0)  # grey levels


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; films that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    pool: list[tuple[Floats, Floats]] = []
    stuff: list[Image] = []
    while True:
        paths = load(folder)
        for k in rng.permutation(len(paths)):
            film = read(paths[int(k)])
            stuff = [*stuff[-30:], film.pictures[0]]
            shown = [sample(film, stuff, rng) for _ in range(PAIRS)]
            pool += [*shown, *((one[..., ::-1].copy(), arms[..., ::-1].copy()) for one, arms in shown)]
            if len(pool) >= 8 * size:
                order = rng.permutation(len(pool))
                for j in range(0, len(order) - size + 1, size):
                    chosen = [pool[int(i)] for i in order[j : j + size]]
                    yield _stacked([one for one, _ in chosen]), _stacked([arms for _, arms in chosen])
                pool = []


def _stacked(parts: list[Floats]) -> Tensor:
    return torch.from_numpy(np.stack(parts))


def sample(film: HandFilm, stuff: list[Image], rng: Rng) -> tuple[Floats, Floats]:
    """What is shown to the network (6, h, w), where the arms are (1, h / 2, w / 2); stuff: pictures of other tables."""
    seen = int(rng.integers(len(film.pictures)))
    table = int(rng.integers(len(film.pictures))) if rng.random() < HAUNTED else 0
    warp = _warp(film.pictures.shape[2:0:-1], rng)
    picture, still = (_laid(film.pictures[k], warp) for k in (seen, table))
    arms = _laid(film.arms[seen], warp)
    still_arms = _laid(film.arms[table], warp)
    if rng.random() < STREWN:
        picture = _strewn(picture, arms, stuff, rng)
        still = _strewn(still, still_arms, stuff, rng) if rng.random() < 0.3 else still
    color = int(rng.integers(2**31))
    picture, still = (recolored(one, np.random.default_rng(color)) for one in (picture, still))
    picture, still = (_relit(one, rng) if rng.random() < RELIT else one for one in (picture, still))
    picture = _shadowed(picture, rng) if rng.random() < SHADOWED else picture
    still = _shadowed(still, rng) if rng.random() < SHADOWED / 3 else still
    level = float(np.exp(rng.uniform(*np.log(NOISE))))
    picture, still = (_noisy(roughened(one, rng), level, rng) for one in (picture, still))
    target = np.asarray(cv2.resize(arms, (SIDE[1] // 2, SIDE[0] // 2), interpolation=cv2.INTER_AREA), np.float32)
    return beside(picture, still), target[None] / np.float32(255)


def _warp(size: tuple[int, int], rng: Rng) -> NDArray[np.float64]:
    """Where a film's picture is shown: turned by quarters, larger or smaller, its border often in view."""
    zoom = float(np.exp(rng.uniform(*np.log(ZOOM))))
    quarters = int(rng.integers(4)) if zoom > UPRIGHT else 2 * int(rng.integers(2))
    turn = np.radians(90 * quarters)
    cos, sin = zoom * np.cos(turn), zoom * np.sin(turn)
    linear = np.array([[cos, -sin], [sin, cos]])
    shown = np.array(SIDE[::-1])[:: -1 if quarters % 2 else 1] / zoom / 2
    middle = shown + rng.uniform(0, 1, 2) * np.maximum(np.array(size) - 2 * shown, 0)
    return np.column_stack([linear, np.array(SIDE[::-1]) / 2 - linear @ middle])


def _laid(picture: Image, warp: NDArray[np.float64]) -> Image:
    scale = float(np.sqrt(abs(np.linalg.det(warp[:, :2]))))
    if scale < 0.75:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    border = cv2.BORDER_REFLECT_101
    return np.asarray(cv2.warpAffine(picture, warp, SIDE[::-1], borderMode=border), np.uint8)


def _strewn(picture: Image, arms: Image, stuff: list[Image], rng: Rng) -> Image:
    """Things that lie there now: pieces of other tables, below the arms."""
    picture = picture.copy()
    free = arms < 8
    for _ in range(int(rng.integers(1, 6))):
        other = stuff[int(rng.integers(len(stuff)))]
        high, wide = (int(v) for v in np.exp(rng.uniform(np.log(5), np.log(60), 2)))
        y, x = int(rng.integers(0, SIDE[0] - high)), int(rng.integers(0, SIDE[1] - wide))
        v, u = int(rng.integers(0, other.shape[0] - high)), int(rng.integers(0, other.shape[1] - wide))
        shape = np.zeros(SIDE, np.uint8)
        middle, turn = (x + wide / 2, y + high / 2), float(rng.uniform(0, 180))
        if rng.random() < 0.5:
            cv2.ellipse(shape, (middle, (float(wide), float(high)), turn), 255, -1)
        else:
            box = cv2.boxPoints((middle, (0.7 * wide, 0.7 * high), turn))
            cv2.fillConvexPoly(shape, box.round().astype(np.int32), 255)
        piece = np.zeros_like(picture)
        piece[y : y + high, x : x + wide] = other[v : v + high, u : u + wide]
        where = (shape > 0) & free & (piece.max(axis=2) > 0)
        picture[where] = piece[where]
    return picture


def _relit(picture: Image, rng: Rng) -> Image:
    """Another exposure, another white, light from another side, a veil of flare; some of it in a part of the rows only.

    The first frames of a camera change from one row to the next.
    """
    rows, cols = np.mgrid[-1 : 1 : SIDE[0] * 1j, -1 : 1 : SIDE[1] * 1j].astype(np.float32)
    (down, right), whole = rng.normal(0, 0.15, 2), float(rng.normal(0, 0.25))
    field = np.exp(whole + np.float32(down) * rows + np.float32(right) * cols)[..., None] * _white(rng, 0.1)
    veil = np.zeros((SIDE[0], 1, 3), np.float32)
    if rng.random() < VEILED:
        veil += _veil(rng)
    if rng.random() < VEILED:
        part = slice(int(rng.integers(1, SIDE[0])))
        field[part] *= _white(rng, 0.2)
        veil[part] += _veil(rng)
    return np.asarray(np.clip(picture * field + veil, 0, 255), np.uint8)


def _white(rng: Rng, spread: float) -> Floats:
    return np.exp(rng.normal(0, spread, 3)).astype(np.float32)


def _veil(rng: Rng) -> Floats:
    """Grey levels that a camera adds to all colours, or takes from them."""
    return (rng.normal(0, 20) + rng.normal(0, 15, 3)).astype(np.float32)


def _shadowed(picture: Image, rng: Rng) -> Image:
    """Shadows of all sizes and softness, or spots of light: of heads, bodies, arms out of the picture."""
    light, veil = np.ones((*SIDE, 3), np.float32), np.zeros((*SIDE, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        shape = np.zeros(SIDE, np.float32)
        if rng.random() < 0.5:  # an arm's
            ends = rng.uniform(-0.2, 1.2, (2, 2)) * SIDE[::-1]
            (a, b), wide = ends.round().astype(int).tolist(), int(np.exp(rng.uniform(np.log(4), np.log(60))))
            cv2.line(shape, a, b, 1.0, wide)
            if rng.random() < 0.5:  # with fingers
                for _ in range(4):
                    tip = ends[1] + rng.normal(0, wide, 2)
                    cv2.line(shape, b, tip.round().astype(int).tolist(), 1.0, max(1, wide // 4))
        else:
            middle, reach = rng.uniform(-0.2, 1.2, 2) * SIDE[::-1], float(np.exp(rng.uniform(np.log(15), np.log(150))))
            turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 9))))
            spread = reach * rng.uniform(0.5, 1.2, len(turns))
            points = middle + np.stack([np.cos(turns), np.sin(turns)], axis=1) * spread[:, None]
            cv2.fillPoly(shape, [points.round().astype(np.int32)], 1.0)
        shape = np.asarray(cv2.GaussianBlur(shape, (0, 0), float(np.exp(rng.uniform(np.log(0.5), np.log(9))))))
        dark = float(rng.uniform(0.1, 0.75)) if rng.random() < 0.85 else -float(rng.uniform(0.1, 0.8))
        light *= np.maximum(1 - np.float32(dark) * _white(rng, 0.15) * shape[..., None], 0.05)
        if rng.random() < VEILED:
            veil -= (dark * rng.uniform(0, 100) * _white(rng, 0.2)) * shape[..., None]
    return np.asarray(np.clip(picture * light + veil, 0, 255), np.uint8)


def _noisy(picture: Image, level: float, rng: Rng) -> Image:
    noise = rng.standard_normal(picture.shape, np.float32) * np.float32(level)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    """Cross entropy, and how much of the arms and of what was taken for them is common."""
    shown, arms = batch
    logits = net(shown)
    each = functional.binary_cross_entropy_with_logits(logits, arms)
    chance = torch.sigmoid(logits)
    common = (chance * arms).sum((1, 2, 3))
    dice = 1 - (2 * common + 20) / (chance.sum((1, 2, 3)) + arms.sum((1, 2, 3)) + 20)
    return each + 0.5 * dice.mean(), f"each {each.item():.4f} common {1 - dice.mean().item():.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    train(HandNet(), ahead(batches(args.films, args.batch, 1)), loss_of, args.checkpoint, args.steps, 2e-3)


if __name__ == "__main__":
    main()
