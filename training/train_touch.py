"""Trains the network that sees when a hand touches a tile.

python -m training.train_touch FILMS CHECKPOINT --steps 8000
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from rules.table import TableSide
from training.checkpoints import trainer
from training.nets import LAGS, TouchNet
from training.touches import Watched, load
from vision.hands.closeup import LESS, SIZE, face, scale, stacked, turned_points
from vision.hands.landing import LAG
from vision.layout.seats import SIDES

Rng = np.random.Generator
Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
Camera = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]
Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]
Sample = tuple[NDArray[np.uint8], Floats, Floats, Floats, Floats, Floats, Floats]

LENGTH = 28  # frames of a sequence; what the network says of all but the first twelve counts
ABOUT = (-3, 17)  # frames after a touch at which most sequences with one end
MOST_TOUCHED = 0.65  # of the sequences are of tiles that are touched
SEATS = 3  # sides from which a tile is looked at
MIRRORED = 0.5
NOISE = 5.0  # grey levels
COARSE, COARSEST = 0.3, 0.4  # how often a camera shows less, and then at least such a share of the pixels each way
FADED = 0.2  # of the cameras show paler colours, down to none
SOFT, SOFTEST = 0.15, 2.0  # how often a camera is out of focus, and by how many pixels at most
LIFTED_MM = 1.0  # a fingertip that is higher is not on the tile any more, or carries it
HIGH_MM, LOW_MM = 60.0, 5.0  # above the tiles: a fingertip that is higher is just high; the lower, the finer it counts


def sequence(one: Watched, sides: Sequence[TableSide], rng: Rng) -> list[Sample]:
    """One tile as each of some sides sees it: pixels (28, 108, 108, 8), scale (8,), whereabouts (4,), lags (16, 17),
    weights (16,), upon (16, 2), tips.

    Pixels and scale are those of vision.hands.closeup. upon: whether the hand is on the tile, and how far that counts.
    tips: (28, 4): whether the fingertip of that side's arm is in the close-up, where, -1 to 1, and how far above the
    tiles, 0 to 1, the lowest millimetres told finest.
    """
    closeups = one.closeups()
    count, near = len(closeups) - 1, _moment(one, sides, rng)
    last = int(rng.integers(0, count))
    if near is not None and rng.random() < 0.8:
        last = int(np.clip(round(near) + rng.integers(*ABOUT), 0, count - 1))
    numbers = np.maximum(np.arange(last - LENGTH, last + 1), -1)  # one more than it is long; -1 is the still one
    camera = random_camera(rng)
    return [as_seen(one, side, closeups, numbers, camera, rng) for side in sides]


def _moment(one: Watched, sides: Sequence[TableSide], rng: Rng) -> float | None:
    """When one of the sides, or another one, touches the tile or almost does, in frames."""
    times = [time for side in sides if (time := nearest(one, side)) is not None] or list(one.touched.values())
    return times[int(rng.integers(len(times)))] if times else None


def nearest(one: Watched, side: TableSide) -> float | None:
    """When a side touches the tile, or else when its fingertip has come closest to it from above, in frames."""
    if side in one.touched or side not in one.tips:
        return one.touched.get(side)
    tips = one.tips[side]
    high = np.where((tips[:, :2] >= 0).all(axis=1) & (tips[:, :2] < SIZE).all(axis=1), tips[:, 2], np.inf)
    low = float(high.min(initial=HIGH_MM))
    return float(np.argmax(high <= low + 1)) if low < HIGH_MM else None


def as_seen(
    one: Watched,
    side: TableSide,
    closeups: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    camera: Camera,
    rng: Rng,
) -> Sample:
    """What one side's player sees of some frames, as of `sequence`; numbers: theirs, and of the one before."""
    where = np.array(one.view.whereabouts(side, one.size_px), np.float32)
    warp = _jitter(rng) @ _turning(side)
    if rng.random() < MIRRORED:
        warp, where = np.array([[-1.0, 0, SIZE - 1], [0, 1, 0], [0, 0, 1]]) @ warp, where[[1, 0, 2, 3]]
    frames = np.stack([camera(_warped(closeup, warp)) for closeup in closeups[numbers + 1]])
    still = camera(_warped(closeups[0], warp))
    pixels = stacked(frames, still, face(_onto(warp, one.tile)))
    touch = one.touched.get(side)
    lags = np.stack([_lags(number - touch if touch is not None else None) for number in numbers[1:]])
    weight = np.full(len(numbers) - 1, 0.0 if side in one.unclear else 1.0, np.float32)
    used = slice(TouchNet.memory, None)
    upon = _upon(one, side, len(closeups) - 1)[np.maximum(numbers[1:], 0)] * weight[:, None]
    return pixels, scale(still), where, lags[used], weight[used], upon[used], _tips(one, side, numbers[1:], warp)


def _upon(one: Watched, side: TableSide, count: int) -> Floats:
    """Whether the hand of a side is on the tile, frame by frame (n, 2), and how far that counts.

    It does not once the fingertip is out of the close-up, or higher than the tiles: then it may carry the tile.
    """
    told = np.zeros((count, 2), np.float32)
    told[:, 1] = 1
    if side in one.touched:
        since, tips = np.arange(count) >= one.touched[side], one.tips[side]
        away = (tips[:, 2] > LIFTED_MM) | (abs(tips[:, :2] - SIZE / 2).max(axis=1) > SIZE / 2)
        told[since, 0] = 1
        told[np.maximum.accumulate(away & since), 1] = 0
    return told


def _turning(side: TableSide) -> Matrix:
    """Turns pixels of a close-up (3, 3) so that a side lies below."""
    three = np.array([[0, 0], [SIZE, 0], [0, SIZE]], np.float32)
    turned = turned_points(three, side).astype(np.float32)
    return np.vstack([cv2.getAffineTransform(three, turned), [0, 0, 1]])


def _jitter(rng: Rng) -> Matrix:
    """A little turn, shift and stretch of a close-up, (3, 3)."""
    middle = (SIZE - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), float(rng.normal(0, 6)), float(np.exp(rng.normal(0, 0.1))))
    warp = np.asarray(turn, np.float64)
    warp[:, 2] += rng.normal(0, SIZE / 60, 2)
    return np.vstack([warp, [0, 0, 1]])


def _onto(warp: Matrix, points: Matrix) -> Matrix:
    """Where points (n, 2) lie after a warp."""
    return points @ warp[:2, :2].T + warp[:2, 2]


def _tips(one: Watched, side: TableSide, numbers: NDArray[np.int64], warp: Matrix) -> Floats:
    """Where the fingertip of a side's arm is in some frames, after a warp of the close-ups, as of `sequence`."""
    told = np.zeros((len(numbers), 4), np.float32)
    if side not in one.tips:
        return told
    tips = one.tips[side][np.maximum(numbers, 0)]
    told[:, 1:3] = _onto(warp, tips[:, :2]) / (SIZE - 1) * 2 - 1
    told[:, 3] = np.log1p(np.clip(tips[:, 2], 0, HIGH_MM) / LOW_MM) / np.log1p(HIGH_MM / LOW_MM)
    told[:, 0] = (abs(told[:, 1:3]).max(axis=1) < 1) & (numbers >= 0)
    return told * told[:, :1]


def _lags(since: float | None) -> Floats:
    """(17,): how likely each lag is, the last that there was no touch so lately; since: frames since the touch."""
    told = np.zeros(LAGS + 1, np.float32)
    at = -1.0 if since is None or since < 0 else since / LAG - 0.5
    if at < -0.5 or at >= LAGS:
        told[LAGS] = 1
        return told
    low = int(np.floor(max(at, 0.0)))
    part = max(at, 0.0) - low
    told[low] += 1 - part
    told[min(low + 1, LAGS)] += part
    return told


def _warped(closeup: NDArray[np.uint8], warp: Matrix) -> NDArray[np.uint8]:
    moved = cv2.warpAffine(closeup, warp[:2], (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def random_camera(rng: Rng) -> Camera:
    """Another light, and a camera that shows less, is out of focus, has paler colours and more noise."""
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.12, 3))
    pale = float(rng.choice([1.0, rng.random()])) if rng.random() < FADED else 0.0
    colours = (1 - pale) * np.eye(3) + pale * np.array([0.114, 0.587, 0.299])
    blur = float(rng.uniform(0.4, SOFTEST)) if rng.random() < SOFT else 0.0
    order = rng.permutation(3) if rng.random() < 0.3 else np.arange(3)
    noise = float(rng.uniform(0, NOISE)) if rng.random() < 0.3 else 0.0
    grain = np.clip(rng.normal(0, noise, (4, SIZE, SIZE, 3)), 0, 255).astype(np.uint8) if noise else ()
    fine = round(SIZE * float(rng.uniform(COARSEST, 1.0))) if rng.random() < COARSE else SIZE
    table = 255 * (np.arange(256) / 255) ** float(np.exp(rng.normal(0, 0.2)))
    tables = np.clip(table[:, None] * gain, 0, 255).astype(np.uint8)[None]

    def shown(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if fine < SIZE:
            picture = np.asarray(cv2.resize(picture, (fine, fine), interpolation=cv2.INTER_AREA), np.uint8)
            picture = np.asarray(cv2.resize(picture, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR), np.uint8)
        if blur:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        if pale:
            picture = np.asarray(cv2.transform(picture, colours), np.uint8)
        other = cv2.LUT(np.ascontiguousarray(picture[..., order]) if order[0] or order[1] != 1 else picture, tables)
        return np.asarray(cv2.add(other, rng.choice(grain)) if noise else other, np.uint8)

    return shown


def batches(folder: Path, size: int, seed: int) -> Iterator[Batch]:
    """Endless batches of so many tiles; films that appear in the folder meanwhile are taken up."""
    rng = np.random.default_rng(seed)
    while True:
        films = list(load(folder))
        touched = [one for one in films if one.touched]
        for _ in range(max(1, len(films) // size)):
            yield _stacked([_drawn(touched if rng.random() < MOST_TOUCHED else films, rng) for _ in range(size)])


def _drawn(films: list[Watched], rng: Rng) -> tuple[tuple[TableSide, ...], list[Sample]]:
    one = films[int(rng.integers(len(films)))]
    sides = sorted(SIDES, key=lambda side: (side in one.touched) + (side in one.tips) + rng.random(), reverse=True)
    chosen = tuple(sides[:SEATS])
    return chosen, sequence(one, chosen, rng)


def _stacked(tiles: list[tuple[tuple[TableSide, ...], list[Sample]]]) -> Batch:
    who = np.array([(k, SIDES.index(side)) for k, (sides, _) in enumerate(tiles) for side in sides], np.float32)
    group = [sample for _, samples in tiles for sample in samples]
    a, b, c, d, e, f, g = (torch.from_numpy(np.stack(part)) for part in zip(*group, strict=True))
    return a, b, c, torch.from_numpy(who), d, e, f, g


def pictures(pixels: Tensor, by: Tensor) -> Tensor:
    """What the network sees (rows * 28, 8, 108, 108) of pixels (rows, 28, 108, 108, 8) and their scales (rows, 8).

    Where the network computes in 16-bit floats they are made of such at once, a line of the close-ups at a time.
    """
    device, count = by.device, pixels.shape[3]
    kind = torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else by.dtype
    seen = pixels.flatten(3).to(kind)
    seen *= by.repeat(1, count)[:, None, None].to(kind)
    seen -= torch.from_numpy(LESS).repeat(count).to(device, kind)
    return seen.unflatten(3, (count, -1)).flatten(0, 1).permute(0, 3, 1, 2)


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    pixels, by, where, who, lags, weight, upon, tips = batch
    assert isinstance(net, TouchNet)
    count, length = pixels.shape[:2]
    features, maps = net.look(pictures(pixels, by))
    tip_loss = _tip_loss(features, maps[:, 0], net.tip(features).float(), tips.flatten(0, 1))
    seen = features.reshape(count, length, -1)
    told = net.says(seen.transpose(1, 2), where, who).float().transpose(1, 2)
    loss, note = told_loss(told, lags, weight, upon)
    return loss + tip_loss, f"tips {tip_loss:.3f} {note}"


def told_loss(told: Tensor, lags: Tensor, weight: Tensor, upon: Tensor) -> tuple[Tensor, str]:
    """How far what is told of sequences (rows, n, 18) is off; the rest as of `sequence`."""
    said, stays = told[..., :-1], told[..., -1]
    apart = -(lags * functional.log_softmax(said, 2)).sum(2)
    lag_loss = (apart * weight).sum() / weight.sum().clamp(min=1)
    doubt = functional.binary_cross_entropy_with_logits(stays, upon[..., 0], reduction="none")
    upon_loss = (doubt * upon[..., 1]).sum() / upon[..., 1].sum().clamp(min=1)
    return lag_loss + upon_loss, f"lags {lag_loss:.3f} upon {upon_loss:.3f} {_counted(said, lags, weight)}"


def _tip_loss(features: Tensor, maps: Tensor, said: Tensor, tips: Tensor) -> Tensor:
    """How far off the first point is from the fingertip; only training asks, for it teaches where to look."""
    there, count = tips[:, 0], tips[:, 0].sum().clamp(min=1)
    shown = functional.binary_cross_entropy_with_logits(said[:, 0], there)
    high = functional.smooth_l1_loss(said[:, 1], tips[:, 3], reduction="none", beta=0.05)
    at = features[:, [0, TouchNet.points]]
    apart = functional.smooth_l1_loss(at, tips[:, 1:3], reduction="none", beta=0.05).sum(1)
    cell = ((tips[:, 1:3] + 1) / 2 * 17).round().clamp(0, 17).long()
    placed = functional.cross_entropy(maps, cell[:, 1] * 18 + cell[:, 0], reduction="none")
    return shown + ((3 * high + 2 * apart + 0.2 * placed) * there).sum() / count


@torch.no_grad()
def _counted(said: Tensor, lags: Tensor, weight: Tensor) -> str:
    """How many touches at least three frames old are believed, and how many that are none."""
    counts, told = weight > 0, said.softmax(2)[..., -1] < 0.5
    old, none = (lags[..., 6:-1].sum(2) > 0.5) & counts, (lags[..., -1] > 0.5) & counts
    seen, wrong = (told & old).sum() / old.sum().clamp(min=1), (told & none).sum() / none.sum()
    return f"of {int(old.sum())} {seen:.2f} false {wrong:.3f}"


def main() -> None:
    trainer(__doc__, TouchNet, batches, loss_of, steps=8000, batch=4)


if __name__ == "__main__":
    main()
