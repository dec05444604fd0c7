"""Fits how far a taught set is believed, on rendered tables of odd sets.

    python -m training.calibrate_taught --tables 2

Prints the constants as they stand in calibration/likeness.py and vision/taught.py: how many independent places a half
is worth, what the networks count beside its picture. The sets are learnt from tiles whose numbers are known.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.pictures import label_of
from benchmarks.scoring import Label, readings
from calibration.learn_set import Known, learn
from calibration.likeness import SOFT, compare, contrast, unexplained
from calibration.tileset import TileSet
from training.odd_faces import OddSet
from training.odd_sets import odd_sets
from training.odd_tables import fresh_table, laid_out
from training.render import Image
from training.truth import Truth
from vision.lessons import Shown
from vision.reader import Reader
from vision.scene import TileDetection
from vision.taught import LEAST

Floats = NDArray[np.float64]

SEED = 777  # of tables that no figure is measured on
FREEDOMS, WEIGHTS = (4, 8, 12, 16, 20, 24, 32), (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


@dataclass(frozen=True, eq=False)
class Half:
    """What every number leaves of a half, what the networks say of it, and what it is."""

    left: Floats
    unaided: Floats
    number: int


def true_tiles(shot: Shown, label: Label) -> Iterator[TileDetection]:
    """The tiles found on a picture with the numbers that they really have."""
    for tile in shot.scene(()).tiles:
        told = [pips for pips in (_true(tile, label),) if pips is not None]
        yield from (replace(tile, pips=pips) for pips in told)


def _true(tile: TileDetection, label: Label) -> tuple[int, int] | None:
    """A tile's own numbers, head first: asked for by giving it each half's own mark."""
    for true in label.tiles:
        marked = replace(tile, pips=(0, 1), face_up=True)
        read = readings(replace(label, tiles=(true,)), (marked,))[0]
        if read is not None:
            return true.pips if read == (0, 1) else (true.pips[1], true.pips[0])
    return None


def halves(odd: OddSet, seed: int, tables: int, reader: Reader) -> Iterator[Half]:
    """Every half on some tables of a set beside what two pictures of it taught."""
    lessons = []
    for number, (image, truth) in enumerate(laid_out(odd, seed)):
        shot = Shown(reader, image, number)
        lessons += [shot.lesson(tile) for tile in true_tiles(shot, label_of(odd.name, truth))]
    taught = learn(lessons, Known(odd.name, odd.style.highest, datetime.now(UTC)))
    for number in range(tables):
        yield from _on(fresh_table(odd, seed, number), taught, reader)


def _on(table: tuple[Image, Truth], taught: TileSet, reader: Reader) -> Iterator[Half]:
    shot = Shown(reader, table[0], 0)
    tiles = list(true_tiles(shot, label_of(taught.name, table[1])))
    if not tiles:
        return
    squares = [square for tile in tiles for square in shot.lesson(tile).squares]
    left = unexplained(compare(squares, taught.exemplars), contrast(taught.exemplars))
    unaided = np.concatenate([shot.unaided(tile)[:, list(taught.known)] for tile in tiles])
    numbers = [n for tile in tiles for n in tile.pips]
    for row, networks, number in zip(left.astype(np.float64), unaided, numbers, strict=True):
        if number in taught.known:  # the two pictures taught not every number
            yield Half(row, networks, taught.known.index(number))


def surprise(found: Sequence[Half], freedom: float, weight: float) -> float:
    """How little the true numbers were expected, on average."""
    total = 0.0
    for half in found:
        logs = weight * half.unaided - freedom * np.log(half.left + SOFT)
        chances = np.exp(logs - logs.max())
        total -= float(np.log(chances[half.number] / chances.sum() + LEAST))
    return total / max(len(found), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2, help="for each set")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader, found = Reader(), list[Half]()
    for number, odd in enumerate(odd_sets()):
        found += halves(odd, SEED + number, args.tables, reader)
        print(f"\r{number + 1} sets", end="", file=sys.stderr, flush=True)
    freedom, weight = min(itertools.product(FREEDOMS, WEIGHTS), key=lambda pair: surprise(found, *pair))
    print(f"\nFREEDOM = {freedom}\nNET_WEIGHT = {weight}\n{len(found)} halves: {surprise(found, freedom, weight):.4f}")


if __name__ == "__main__":
    main()
