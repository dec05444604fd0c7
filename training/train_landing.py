"""Trains how the touch network judges what its eyes have seen; the eyes stay as they are.

python -m training.train_landing FILMS TOUCH CHECKPOINT --steps 800 --rate 5e-4

What the eyes see in the films is remembered beside them, for looking takes far longer than judging: of each film, as
so many cameras (`--cameras`) would show it. What is there already stays, and a run that was stopped goes on from it;
as many films as `--loaders` says are looked at at a time.
What is remembered is turned, shifted and stretched a little each time, and some of it left out: else the judge learns
these films by heart, and sees less in others than before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rules.table import TableSide
from training.checkpoints import ahead, asked, require_lessons, train
from training.nets import TouchNet
from training.touches import Watched, load_film
from training.train_touch import LENGTH, MOST_TOUCHED, SEATS, as_seen, nearest, pictures, random_camera, told_loss
from vision.layout.seats import SIDES

Rng = np.random.Generator
Floats = NDArray[np.float16]
Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]

BEFORE, AFTER = 34, 26  # frames that are looked at about the moments when fingertips touch a tile or come closest to it
LONGEST = 110
QUIET = 60  # frames where none comes close
AT_ONCE = 84  # pictures that the eyes look at at a time
FORGETS = 0.3  # of what the eyes see, in training
TURNS, GROWS, SHIFTS = 0.15, 0.1, 0.06  # radians, a share, and of half a close-up: how far points are moved about
SURER, BLURRED = 0.1, 0.01  # by what share all else is stronger or weaker, and how far all is blurred
TOGETHER = 4  # tiles that are judged at a time, for each row is held against all others


class Seen(NamedTuple):
    """One tile over some frames, as some sides see it, a row each.

    features: (rows, n, 96) what the eyes see. where: (rows, 4), lags: (rows, n - 12, 17), weight: (rows, n - 12), upon:
    (rows, n - 12, 2), as of train_touch.sequence. who: (rows,) which side, by number. touched: whether any touches it.
    """

    features: Floats
    where: Floats
    lags: Floats
    weight: Floats
    upon: Floats
    who: NDArray[np.int64]
    touched: bool


def look(net: TouchNet, one: Watched, rng: Rng) -> Seen:
    """What the eyes see of one tile while hands are about it, as one camera shows it."""
    sides = _sides(one, rng)
    closeups = one.closeups()
    numbers = _numbers(one, sides, len(closeups) - 1, rng)
    camera = random_camera(rng)
    rows = [as_seen(one, side, closeups, numbers, camera, rng) for side in sides]
    pixels, by, where, lags, weight, upon, _ = (np.stack(part) for part in zip(*rows, strict=True))
    with torch.inference_mode():
        seen = pictures(torch.from_numpy(pixels), torch.from_numpy(by))
        features = torch.cat([net.look(some)[0] for some in seen.split(AT_ONCE)]).reshape(len(rows), -1, net.features)
    told = [np.asarray(part, np.float16) for part in (features.numpy(), where, lags, weight, upon)]
    who = np.array([SIDES.index(side) for side in sides])
    return Seen(told[0], told[1], told[2], told[3], told[4], who, bool(one.touched))


def _sides(one: Watched, rng: Rng) -> Sequence[TableSide]:
    """Those whose hands come here, and one more."""
    order = sorted(SIDES, key=lambda side: (side in one.touched) + (side in one.tips) + rng.random(), reverse=True)
    return order[: min(SEATS, 1 + sum(side in one.touched or side in one.tips for side in SIDES))]


def _numbers(one: Watched, sides: Sequence[TableSide], count: int, rng: Rng) -> NDArray[np.int64]:
    """The frames to look at, by number, and the one before; -1 is the still table."""
    moments = [when for side in sides if (when := nearest(one, side)) is not None]
    if moments:
        first, last = int(min(moments)) - BEFORE, min(count, int(max(moments)) + AFTER)
    else:
        first = int(rng.integers(-TouchNet.memory, max(1, count - QUIET)))
        last = min(count, first + QUIET)
    first = min(max(first, last - LONGEST), last - LENGTH)
    return np.maximum(np.arange(first - 1, last), -1)


def remember(folder: Path, touch: Path, cameras: int, workers: int) -> None:
    """Look at all films of a folder with the eyes of a checkpoint."""
    name = _name(touch)
    todo = [
        (film, camera)
        for camera in range(cameras)
        for film in sorted(folder.glob("film*.jsonl"))
        if not _path(film, name, camera).exists()
    ]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        films, numbers = zip(*todo, strict=True) if todo else ((), ())
        for done, _ in enumerate(pool.map(_remember, films, numbers, repeat(touch)), 1):
            print(f"\rlooked at {done} of {len(todo)} films", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _remember(film: Path, camera: int, touch: Path) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = _eyes(touch)
    rng = np.random.default_rng((crc32(film.name.encode()), camera))
    parts = {
        f"{k}.{field}": value
        for k, one in enumerate(load_film(film))
        for field, value in look(net, one, rng)._asdict().items()
    }
    target = _path(film, _name(touch), camera)
    draft = target.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez(file, **parts)
    draft.replace(target)


def _eyes(touch: Path) -> TouchNet:
    net = TouchNet()
    net.load_state_dict(torch.load(touch, map_location="cpu", weights_only=True)["average"])
    return net.eval()


def _name(touch: Path) -> str:
    """Other eyes see otherwise: what they saw has other names."""
    return f"{crc32(touch.read_bytes()):08x}"


def _path(film: Path, name: str, camera: int) -> Path:
    return film.with_name(f"{film.stem}.{name}.{camera}.npz")


def recalled(folder: Path, touch: Path) -> Iterator[Seen]:
    """All that these eyes have seen in a folder of films."""
    for path in sorted(folder.glob(f"film*.{_name(touch)}.*.npz")):
        with np.load(path) as parts:
            for k in range(len(parts.files) // len(Seen._fields)):
                yield Seen(*(parts[f"{k}.{field}"] for field in Seen._fields))


def batches(tiles: Sequence[Seen], size: int, seed: int) -> Iterator[Batch]:
    """Endless batches of so many tiles, some frames of each."""
    rng = np.random.default_rng(seed)
    touched = [one for one in tiles if one.touched]
    while True:
        some = touched if rng.random() < MOST_TOUCHED else tiles
        yield _moved(_stacked([_part(one, rng) for one in (some[k] for k in rng.integers(len(some), size=size))]), rng)


def _part(one: Seen, rng: Rng) -> Seen:
    """As many frames as a sequence of train_touch has."""
    start = int(rng.integers(one.features.shape[1] - LENGTH + 1))
    told = slice(start, start + LENGTH - TouchNet.memory)
    features = one.features[:, start : start + LENGTH]
    return one._replace(features=features, lags=one.lags[:, told], weight=one.weight[:, told], upon=one.upon[:, told])


def _stacked(tiles: Sequence[Seen]) -> Batch:
    who = np.array([(k, side) for k, one in enumerate(tiles) for side in one.who], np.float32)
    fields = ([getattr(one, name) for one in tiles] for name in ("features", "where", "lags", "weight", "upon"))
    features, where, lags, weight, upon = (torch.from_numpy(np.concatenate(part).astype(np.float32)) for part in fields)
    return features, where, torch.from_numpy(who), lags, weight, upon


def _moved(batch: Batch, rng: Rng) -> Batch:
    """The same as if each tile's close-ups had been turned, shifted and stretched a little more."""
    features, where, who, *told = batch
    tile, count = who[:, 0].long(), int(who[-1, 0]) + 1

    def chance(size: tuple[int, ...], by: float) -> Tensor:
        return torch.from_numpy(rng.normal(0, by, size).astype(np.float32))

    turn, grow = (chance((count, 1, 1), by)[tile] for by in (TURNS, GROWS))
    points = features[..., : 2 * TouchNet.points].unflatten(2, (2, -1))
    x, y = points.unbind(2)
    spun = torch.stack([turn.cos() * x - turn.sin() * y, turn.sin() * x + turn.cos() * y], 2)
    points = spun * grow.exp()[..., None] + chance((count, 1, 2, 1), SHIFTS)[tile]
    rest = features[..., 2 * TouchNet.points :]
    rest = rest * chance((len(rest), 1, rest.shape[2]), SURER).exp()
    seen = torch.cat([points.flatten(2), rest], 2)
    a, b, c = told
    return seen + chance(tuple(seen.shape), BLURRED), where, who, a, b, c


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, str]:
    features, where, who, lags, weight, upon = batch
    assert isinstance(net, TouchNet)
    few = [int(rows) for rows in torch.unique_consecutive(who[:, 0] // TOGETHER, return_counts=True)[1]]
    parts = zip(features.transpose(1, 2).split(few), where.split(few), who.split(few), strict=True)
    told = torch.cat([net.says(*part) for part in parts]).float().transpose(1, 2)
    return told_loss(told, lags, weight, upon)


def judging(touch: Path) -> TouchNet:
    """The network of a checkpoint, of which nothing but what judges can learn."""
    net = _eyes(touch).requires_grad_(False)
    for part in net.judges():
        part.requires_grad_(True).train()
    net.some.p = FORGETS
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", type=Path, help="a folder of training.touches")
    parser.add_argument("touch", type=Path, help="a checkpoint of the touch network")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--cameras", type=int, default=2)
    args = asked(parser, 800, 48)
    require_lessons(args.films)
    remember(args.films, args.touch, args.cameras, max(1, args.loaders))
    made = ahead(batches(list(recalled(args.films, args.touch)), args.batch, 1))
    train(judging(args.touch), made, loss_of, args.checkpoint, args.steps, args.rate)


if __name__ == "__main__":
    main()
