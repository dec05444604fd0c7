"""Trains the network that reads a straightened tile.

python -m training.train_reader SCENES CHECKPOINT --steps 12000
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.augment import burnt, recolored, roughened, shaded, smeared, worn
from training.checkpoints import trainer
from training.nets import ReaderNet
from training.scenes import Scene, load
from training.truth import TrueTile
from vision.pips import PIP_STRIDE
from vision.straighten import FRAME, HALF, HEIGHT, WIDTH, pyramid, standardise, straighten

Rng = np.random.Generator
Floats = NDArray[np.float32]
UP, DOWN, NOTHING, ANY = 0, 1, 2, -1
DECOYS = 0.3  # of the scenes with printed dominoes show one: see `samples`
SQUARES = 2  # pairs of squares of a printed board that are met in one scene
# Of which more is seen is a tile, its numbers as likely as what is seen of it leaves them; of which less is seen, none.
MOSTLY, COVERED = 0.6, 0.5
UNKNOWN_MAP = np.full((HEIGHT // PIP_STRIDE, WIDTH // PIP_STRIDE), np.nan, np.float32)
FURTHEST = 0.6  # halves: a place whose corners are further off than this is no tile's


@dataclass(frozen=True)
class Sample:
    """One straightened tile and what there is to learn from it; ANY and NaN mean: nothing."""

    picture: Floats
    pip_map: Floats
    numbers: tuple[int, int]
    face: int
    corners: Floats


def _jittered(quad: Floats, rng: Rng, much: float) -> Floats:
    """Corners as a first, rough look finds them: shifted, turned, scaled, a little out of shape."""
    middle = quad.mean(0)
    along, across = (quad[3] + quad[2] - quad[0] - quad[1]) / 4, (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    if rng.random() < 0.5:  # a parallelogram, as the detector gives it
        quad = middle + np.array([-along - across, -along + across, along + across, along - across])
    angle = np.deg2rad(rng.normal(0, 3.5) * much)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    scale = np.exp(rng.normal(0, 0.05, 2) * much)
    local = (quad - middle) @ turn.T
    unit_a, unit_c = along / (np.linalg.norm(along) + 1e-6), across / (np.linalg.norm(across) + 1e-6)
    spread = (local @ unit_a)[:, None] * unit_a * (scale[0] - 1) + (local @ unit_c)[:, None] * unit_c * (scale[1] - 1)
    shift = rng.normal(0, 0.06) * along * much + rng.normal(0, 0.1) * across * much
    wobble = rng.normal(0, 0.025 * much, (4, 2)) * np.linalg.norm(across)
    return np.asarray(middle + local + spread + shift + wobble, np.float32)


def _misplaced(quad: Floats, rng: Rng) -> Floats:
    """A place where no tile lies quite: half on the next one, across two, on a detail, much too small or too large."""
    middle = quad.mean(0)
    along, across = (quad[3] + quad[2] - quad[0] - quad[1]) / 4, (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    kind = rng.random()
    if kind < 0.35:  # the end of this tile and the beginning of the next
        return np.asarray(
            quad + along * rng.choice([-1, 1]) * rng.choice([rng.normal(1.0, 0.05), rng.uniform(0.45, 1.2)]), np.float32
        )
    if kind < 0.48:
        return np.asarray(quad + across * rng.choice([-1, 1]) * rng.uniform(0.6, 1.5), np.float32)
    if kind < 0.75:  # two halves of neighbours side by side
        a, c = across * 2, -along / 2
        step = along * float(rng.choice([-0.5, 0.5, 0])) + across * float(rng.choice([-1, 1, 0]))
        return np.asarray(middle + step + np.array([-a - c, -a + c, a + c, a - c]), np.float32)
    if kind < 0.9:  # a bar, two pips, a piece of an edge
        spot = middle + along * rng.uniform(-1, 1) + across * rng.uniform(-1, 1)
        a = (along if rng.random() < 0.5 else 2 * across) * float(rng.uniform(0.1, 0.55))
        c = np.array([-a[1], a[0]]) / 2
        return np.asarray(spot + np.array([-a - c, -a + c, a + c, a - c]), np.float32)
    return np.asarray(
        middle + (quad - middle) * float(rng.choice([rng.uniform(0.45, 0.65), rng.uniform(1.5, 3.0)])), np.float32
    )


def _offsets(quad: Floats, truth: Floats) -> Floats:
    """Where the true corners lie on the straightened picture, from where they ought to be, in halves."""
    warp = cv2.getPerspectiveTransform(quad, FRAME)
    seen = cv2.perspectiveTransform(truth[None], warp)[0]
    return np.asarray((seen - FRAME) / HALF, np.float32).reshape(-1)


def _pip_map(quad: Floats, tile: TrueTile) -> Floats:
    """A small bump at each pip, in cells of PIP_STRIDE pixels."""
    heat = np.zeros((HEIGHT // PIP_STRIDE, WIDTH // PIP_STRIDE), np.float32)
    if not tile.pips_px:
        return heat
    warp = cv2.getPerspectiveTransform(quad, FRAME)
    at = (cv2.perspectiveTransform(np.array([tile.pips_px], np.float32), warp)[0] + 0.5) / PIP_STRIDE - 0.5
    y, x = np.mgrid[0 : heat.shape[0], 0 : heat.shape[1]].astype(np.float32)
    for cx, cy in at:
        np.maximum(heat, np.exp(-((x - round(float(cx))) ** 2 + (y - round(float(cy))) ** 2) / (2 * 1.1**2)), out=heat)
    return heat


def _half_turn(tile: TrueTile) -> TrueTile:
    c = tile.corners_px
    return replace(tile, corners_px=(c[2], c[3], c[0], c[1]), pips=(tile.pips[1], tile.pips[0]))


def _sample(levels: tuple[NDArray[np.uint8], ...], tile: TrueTile, rng: Rng) -> Sample | None:
    if rng.random() < 0.5:
        tile = _half_turn(tile)
    true = np.asarray(tile.corners_px, np.float32)
    seen = tile.visible >= MOSTLY
    if seen and (not tile.clear or rng.random() < 0.75):
        quad = _jittered(true, rng, float(rng.choice([0.3, 1.0, 1.6])))
        off = _offsets(quad, true)
        if not np.isfinite(off).all() or abs(off).max() > FURTHEST:
            return None
        return _near(levels, quad, off, tile, rng)
    if not seen and tile.visible >= COVERED:
        return None
    quad = _misplaced(true, rng) if seen else true
    return _nothing(levels, quad, rng)


def _proposed(
    levels: tuple[NDArray[np.uint8], ...], quad: Floats, tiles: tuple[TrueTile, ...], rng: Rng
) -> Sample | None:
    """A place as the detector proposes it: the tile that lies there, or none."""
    off, tile = _nearest(quad, tiles)
    if tile is None:
        return _nothing(levels, quad, rng)
    if tile.visible < MOSTLY:
        return None
    return _near(levels, quad, off, tile, rng)


def _mixed(quads: Floats, tiles: tuple[TrueTile, ...], rng: Rng, most: int = 3) -> list[Floats]:
    """A few of the proposed places where a tile lies and as many of those where none does."""
    right: list[Floats] = []
    wrong: list[Floats] = []
    for k in rng.permutation(len(quads)):
        if len(right) == most == len(wrong):
            break
        kind = wrong if _nearest(quads[k], tiles)[1] is None else right
        if len(kind) < most:
            kind.append(quads[k])
    return right + wrong


def _nearest(quad: Floats, tiles: tuple[TrueTile, ...]) -> tuple[Floats, TrueTile | None]:
    """The tile that lies where the quad is, its head where the quad's is, and how far its corners are off."""
    best, at = np.zeros(8, np.float32), None
    (x, y), reach = quad.mean(0).tolist(), 0.5 * float(np.hypot(*(quad[3] - quad[0])))
    for tile in tiles:
        (ax, ay), _, (cx, cy), _ = tile.corners_px
        if abs((ax + cx) / 2 - x) > reach or abs((ay + cy) / 2 - y) > reach:
            continue
        for turned in (tile, _half_turn(tile)):
            off = _offsets(quad, np.asarray(turned.corners_px, np.float32))
            if np.isfinite(off).all() and abs(off).max() < (FURTHEST if at is None else abs(best).max()):
                best, at = off, turned
    return best, at


def _near(levels: tuple[NDArray[np.uint8], ...], quad: Floats, off: Floats, tile: TrueTile, rng: Rng) -> Sample:
    """A tile seen through a quad whose corners are off by so much; much too far off, it is neither tile nor none."""
    far = abs(off.reshape(4, 2).mean(0)).max() > 0.22
    face = ANY if far or not tile.clear else (UP if tile.face_up else DOWN)
    numbers = tile.pips if tile.face_up else (ANY, ANY)
    pips = _pip_map(quad, tile) if tile.clear else UNKNOWN_MAP
    return Sample(_picture(levels, quad, rng), pips, numbers, face, off)


def _picture(levels: tuple[NDArray[np.uint8], ...], quad: Floats, rng: Rng) -> Floats:
    picture = smeared(burnt(shaded(worn(straighten(levels, quad), rng), rng), rng), rng)
    return standardise(roughened(recolored(picture, rng), rng))


def _no_tile(
    levels: tuple[NDArray[np.uint8], ...], tiles: tuple[TrueTile, ...], dice: Floats, rng: Rng
) -> Sample | None:
    """A place on the table where no tile lies: often two dice side by side, which look like one."""
    h, w = levels[0].shape[:2]
    size, angle = float(np.exp(rng.uniform(np.log(16), np.log(100)))), rng.uniform(0, np.pi)
    middle = rng.uniform(0, 1, 2) * (w, h)
    if len(dice) >= 2 and rng.random() < 0.8:
        first, second = dice[rng.permutation(len(dice))[:2]]
        others = np.linalg.norm(dice - first, axis=1)
        second = dice[int(np.argsort(others)[1])] if rng.random() < 0.8 else second
        middle, size = (first + second) / 2, float(np.linalg.norm(second - first)) * float(rng.uniform(0.85, 1.25))
        angle = np.arctan2(*(second - first)[::-1]) + rng.normal(0, 0.1)
    if any(
        np.linalg.norm(np.mean(t.corners_px, axis=0) - middle) < size + np.ptp(np.array(t.corners_px), axis=0).max()
        for t in tiles
    ):
        return None
    a = size * np.array([np.cos(angle), np.sin(angle)])
    c = np.array([-a[1], a[0]]) / 2
    quad = np.asarray(middle + np.array([-a - c, -a + c, a + c, a - c]), np.float32)
    return _nothing(levels, quad, rng)


def _nothing(levels: tuple[NDArray[np.uint8], ...], quad: Floats, rng: Rng) -> Sample:
    """A place where no tile lies, whatever it looks like."""
    return Sample(_picture(levels, quad, rng), UNKNOWN_MAP, (ANY, ANY), NOTHING, np.full(8, np.nan, np.float32))


def samples(scene: Scene, rng: Rng, most: int = 6) -> list[Sample]:
    """Some tiles of a scene, seen at the scene's own or a smaller scale, and places without one.

    Printed dominoes are rarely among the latter. A tile seen straight from above on a dark table looks like one: a
    reader that met many lost such tiles on photographs. Their surroundings tell (`training.train_relief`). Squares of
    printed boards, which no tile looks like, are: a reader that did not meet them took two for a tile.
    """
    image, truth = scene.image(), scene.truth
    shrink = float(rng.choice([1.0, 1.0, rng.uniform(0.4, 1.0)]))
    tiles = truth.tiles
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        tiles = tuple(_scaled(t, shrink) for t in tiles)
    levels = pyramid(image)
    picked = rng.permutation(len(tiles))[:most]
    found = [_sample(levels, tiles[int(k)], rng) for k in picked if _length(tiles[int(k)]) >= 24]
    dice = np.asarray([d.center_px for d in truth.dice], np.float32).reshape(-1, 2) * shrink
    found += [_no_tile(levels, tiles, dice, rng) for _ in range(2 if len(dice) > 1 else 1)]
    decoys, squares = (
        [shrink * (np.array(quad, np.float32) + 0.5) - 0.5 for quad in quads] for quads in (truth.decoys, truth.squares)
    )
    if decoys and rng.random() < DECOYS:
        found.append(_nothing(levels, _jittered(decoys[int(rng.integers(len(decoys)))], rng, 1.0), rng))
    for k in rng.permutation(len(squares))[:SQUARES]:
        found.append(_nothing(levels, _jittered(squares[int(k)], rng, 1.0), rng))
    proposed = _elsewhere(shrink * (scene.proposed + 0.5) - 0.5, decoys)
    found += [_proposed(levels, quad, tiles, rng) for quad in _mixed(proposed, tiles, rng)]
    return [s for s in found if s is not None]


def _elsewhere(quads: Floats, decoys: list[Floats]) -> Floats:
    """Those of some places (n, 4, 2) whose middles lie on none of these things that look like tiles."""
    on = [any(cv2.pointPolygonTest(d, quad.mean(0).tolist(), False) >= 0 for d in decoys) for quad in quads]
    return quads[~np.array(on, bool)]


def _scaled(tile: TrueTile, by: float) -> TrueTile:
    def small(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple(((x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5) for x, y in points)

    return replace(tile, corners_px=small(tile.corners_px), pips_px=small(tile.pips_px))


def _length(tile: TrueTile) -> float:
    c = np.asarray(tile.corners_px)
    return float(np.linalg.norm((c[2] + c[3] - c[0] - c[1]) / 2))


Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches; scenes that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    pool: list[Sample] = []
    while True:
        scenes = list(load(folder))
        for k in rng.permutation(len(scenes)):
            pool += samples(scenes[int(k)], rng)
            if len(pool) >= 16 * size:
                order = rng.permutation(len(pool))
                for j in range(0, 8 * size, size):
                    yield _stacked([pool[int(i)] for i in order[j : j + size]])
                pool = [pool[int(i)] for i in order[8 * size :]]


def _stacked(group: list[Sample]) -> Batch:
    return (
        torch.from_numpy(np.stack([s.picture for s in group])).contiguous(memory_format=torch.channels_last),
        torch.from_numpy(np.stack([s.pip_map for s in group])),
        torch.tensor([s.numbers for s in group]),
        torch.tensor([s.face for s in group]),
        torch.from_numpy(np.stack([s.corners for s in group])),
    )


def bump_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Focal loss of a map of bumps (after CornerNet, Law and Deng 2018): the peak counts fully, its slope less."""
    chance = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    peak = target.eq(1).float()
    good = -((1 - chance) ** 2) * torch.log(chance) * peak
    bad = -((1 - target) ** 4) * chance**2 * torch.log(1 - chance) * (1 - peak)
    return good + bad


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    picture, pip_map, numbers, face, corners = batch
    pips, said, shown, moved = (part.float() for part in net(picture))
    known_map = ~torch.isnan(pip_map[:, 0, 0])
    pip = bump_loss(pips[known_map, 0], pip_map[known_map]).sum() / (8 * max(1, int(known_map.sum())))
    read = functional.cross_entropy(
        said[:, :, 0].transpose(1, 2).reshape(-1, 13), numbers.reshape(-1), ignore_index=ANY
    )
    side = functional.cross_entropy(shown, face, ignore_index=ANY)
    sure = ~torch.isnan(corners[:, 0])
    place = functional.smooth_l1_loss(moved[sure], corners[sure], beta=0.05)
    with torch.no_grad():
        asked = numbers.reshape(-1) != ANY
        right = (said[:, :, 0].transpose(1, 2).reshape(-1, 13).argmax(1) == numbers.reshape(-1))[asked].float().mean()
    note = f"pips {pip:.3f} numbers {read:.3f} ({right:.3f} right) face {side:.3f} corners {place:.4f}"
    return pip + read + side + 6 * place, note


def main() -> None:
    trainer(__doc__, ReaderNet, batches, loss_of, steps=12000, batch=32)


if __name__ == "__main__":
    main()
