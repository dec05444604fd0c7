"""Fits how far the two networks are believed about dice, on rendered scenes that they were not trained on.

    python -m training.calibrate_dice --scenes 450

Every third scene holds dice. Prints the constants as they stand in vision/dice.py, and what they make of these scenes.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator

import cv2
import numpy as np

from training.calibrate import logistic
from training.render import random_scene
from training.truth import TrueDie, Truth
from vision.detector import Detector
from vision.dice import DieReader, Top, settled
from vision.dice_aslant import find_tops
from vision.pips import PipReader
from vision.places import places_in
from vision.settling import weighed
from vision.tiles import tiles_at

WITH_DICE = 3  # one scene in so many holds dice for sure: elsewhere they are few
NEAR, ALIKE = 0.3, 0.4  # edges, and logarithm of sizes: a spot so near and so large is the die
NAMES = ("PEAK_WEIGHT", "FIRST_WEIGHT", "LAST_WEIGHT", "UNLIKE_WEIGHT", "HALF_WEIGHT", "OFFSET")
HALF_SEEN = 0.9  # dice of which less is seen are neither


def cases(count: int, seed: int) -> Iterator[tuple[Top, int | None]]:
    """The tops that are settled on, each with the number that really lies there, 0 for none."""
    detector, tiles, dice = Detector(), PipReader(), DieReader()
    for k in range(count):
        holding = None if k % WITH_DICE else "dice"
        image, truth = random_scene(np.random.default_rng((seed, k)), holding=holding)
        found = detector.find(image)
        lying = tiles_at(weighed(places_in(image, found.tiles, tiles)))
        box = (0, 0, image.shape[1], image.shape[0])
        for top in settled(find_tops(image, found.pieces, lying, detector.pieces, dice, box)):
            value = _lying(top, truth)
            if value is not None:
                yield top, value
        print(f"\r{k + 1} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _lying(top: Top, truth: Truth) -> int | None:
    """The number of the die under a spot, 0 if there is none, None if it cannot be called either."""
    for die in truth.dice:
        edge = _edge(die)
        if math.dist(top.spot.center, die.center_px) < NEAR * edge and abs(math.log(top.spot.edge_px / edge)) < ALIKE:
            return die.value if die.visible >= HALF_SEEN else None
    return 0


def _edge(die: TrueDie) -> float:
    c = np.asarray(die.corners_px)
    return float(np.linalg.norm((c[2] + c[3] - c[0] - c[1]) / 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=300)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    found = list(cases(args.scenes, 4_000_037))
    x = np.array([top.evidence for top, _ in found])
    there = np.array([value > 0 for _, value in found if value is not None], float)
    weights = np.array(logistic(x, there))
    print(f"{', '.join(NAMES)} = {', '.join(f'{w:g}' for w in weights)}")
    chance = 1 / (1 + np.exp(-x @ weights))
    for least in (0.3, 0.5, 0.7, 0.8, 0.9):
        kept = chance > least
        right = sum(t.value == v for (t, v), k in zip(found, kept, strict=True) if k)
        print(f"above {least}: {int(kept.sum())} reported, {right} right, {int((kept & (there == 0)).sum())} no dice")
    print(f"{int(there.sum())} dice among the spots")


if __name__ == "__main__":
    main()
