"""Fits by how much larger than they are tiles look to the reader, on rendered tables.

    python -m training.calibrate_corners --scenes 24

Prints the constant as it stands in vision/corners.py.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np

from benchmarks.bare_table import COUNTS, HALF_PX, SIZE, scattered
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.samples import set_of
from vision.corners import LARGER, Points, sharpened
from vision.pips import PipReader
from vision.reader import Reader

FIRST = 3_000  # of the scenes, none of which a figure is measured on
NEAR_PX, WRONG = 12.0, 0.05  # a tile found so near a true one is that one, unless its size is quite another


def ratios(number: int, reader: Reader, pips: PipReader) -> list[float]:
    """How much larger the tiles of one table, seen from above, look than they are."""
    rng = np.random.default_rng((31, number))
    camera = looking_down(*SIZE, HALF_PX, 0.0, float(rng.uniform(-20, 20)))
    laid = scattered(COUNTS[number % len(COUNTS)], (11.5, 7.4), rng)
    image, truth = render(Look(camera, set_of(number + FIRST)), laid, rng)
    true = np.array([tile.corners_px for tile in truth.tiles])
    found = []
    for tile in sharpened(image, [tile.corners_px for tile in reader.read(image).tiles], pips):
        quad = tile.corners_px
        far = np.linalg.norm(true.mean(axis=1) - quad.mean(axis=0), axis=1)
        ratio = LARGER * _size(quad) / _size(true[int(far.argmin())])
        if far.min() < NEAR_PX and abs(ratio - 1) < WRONG:
            found.append(ratio)
    return found


def _size(quad: Points) -> float:
    """How far the corners lie from their middle."""
    return float(np.linalg.norm(quad - quad.mean(axis=0), axis=1).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=24)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader, pips = Reader(), PipReader()
    found = [ratio for number in range(args.scenes) for ratio in ratios(number, reader, pips)]
    print(f"LARGER = {np.median(found):.4f}  # {len(found)} tiles")


if __name__ == "__main__":
    main()
