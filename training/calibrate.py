"""Fits how far the two networks are believed, on rendered scenes that they were not trained on.

    python -m training.calibrate --scenes 200

Prints the weights of vision.places (is a tile here?), those of vision.reading (which number?), and, for a range of
thresholds, how many errors stay silent and how many right tiles are doubted: a guide to PRESENT and SURE.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.pictures import label_of
from benchmarks.scoring import Label, LabelledTile
from training.render import random_scene
from vision.detector import Detector
from vision.pips import PipReader
from vision.places import CLEAR_WEIGHT, OFFSET, PEAK_WEIGHT, TILE_WEIGHT, Place, find_places
from vision.reading import COUNT_WEIGHT, FLOOR, LOOK_WEIGHT, read_halves
from vision.straighten import HALF, MARGIN_X, MARGIN_Y, to_picture

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One place, and what really lies there: both numbers, the head first; None for no tile, () for a back."""

    place: Place
    truth: tuple[int, ...] | None


def cases(count: int, seed: int) -> list[Case]:
    """The places found on `count` scenes, those on hidden or tiny tiles left out."""
    detector, reader = Detector(), PipReader()
    found: list[Case] = []
    for k in range(count):
        image, truth = random_scene(np.random.default_rng((seed, k)))
        label = label_of("", truth)
        for place in find_places(image, detector, reader):
            case = _case(place, label)
            if case is not None:
                found.append(case)
    return found


def _case(place: Place, label: Label) -> Case | None:
    x, y = place.quad.mean(axis=0)
    if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in label.ignore):
        return None
    if any(math.dist(b, (x, y)) < 0.25 * place.length_px for b in label.backs):
        return Case(place, ())
    for tile in label.tiles:
        numbers = _on(place, tile)
        if numbers is not None:
            return Case(place, numbers)
    return Case(place, None)


def _on(place: Place, tile: LabelledTile) -> tuple[int, int] | None:
    """The tile's numbers in the order of the place's halves, if both halves lie where the place says."""
    y = MARGIN_Y + HALF / 2 - 0.5
    head, tail = to_picture(place.quad, [[MARGIN_X + HALF / 2, y], [MARGIN_X + 1.5 * HALF, y]])
    near = 0.3 * math.dist(tile.a, tile.b)
    if math.dist(head, tile.a) < near and math.dist(tail, tile.b) < near:
        return tile.pips
    if math.dist(head, tile.b) < near and math.dist(tail, tile.a) < near:
        return tile.pips[1], tile.pips[0]
    return None


def fit_presence(found: list[Case]) -> Floats:
    """The weights of Place.evidence: a logistic fit by Newton's method."""
    x = np.array([c.place.evidence for c in found])
    y = np.array([c.truth is not None for c in found], float)
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 0.1 * np.eye(len(w)), x.T @ (y - p) - 0.1 * w)
    return w


def fit_numbers(found: list[Case]) -> tuple[float, float]:
    """The weights of counting and of recognising under which the true numbers are likeliest."""
    read = [c for c in found if c.truth]
    counted = np.log(np.concatenate([c.place.look.counted for c in read]) + FLOOR)
    recognised = np.log(np.concatenate([c.place.look.recognised for c in read]) + FLOOR)
    true = np.array([n for c in read for n in c.truth or ()])
    grid = np.arange(0.0, 1.55, 0.1)
    return min(
        ((float(a), float(b)) for a in grid for b in grid),
        key=lambda ab: _surprise(ab[0] * counted + ab[1] * recognised, true),
    )


def _surprise(logs: Floats, true: NDArray[np.int64]) -> float:
    top = logs.max(axis=1, keepdims=True)
    total = np.log(np.exp(logs - top).sum(axis=1)) + top[:, 0]
    return float((total - logs[np.arange(len(true)), true]).mean())


def thresholds(found: list[Case]) -> None:
    """What each pair of thresholds would report, leave silent, and doubt for nothing."""
    tiles = sum(bool(c.truth) for c in found)
    told = [(c, read_halves(c.place.look, c.place.length_px, c.place.presence)) for c in found]
    fronts = [(c, r) for c, r in told if c.place.look.up >= c.place.look.down]
    print(f"{tiles} fronts were found at all")
    for present in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        kept = [(c.truth == r.pips, c.truth is None, r.confidence) for c, r in fronts if c.place.presence > present]
        spurious, right = sum(none for _, none, _ in kept), sum(ok for ok, _, _ in kept)
        print(f"PRESENT {present}: right {right}, spurious {spurious}")
        for sure in (0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98):
            silent = sum(not ok and c >= sure for ok, _, c in kept)
            doubted = sum(ok and c < sure for ok, _, c in kept)
            print(f"    SURE {sure}: silent {silent / tiles:.2%}, right but doubted {doubted / max(right, 1):.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=777)
    args = parser.parse_args()
    cv2.setNumThreads(2)
    found = cases(args.scenes, args.seed)
    weights = ", ".join(f"{w:.2f}" for w in fit_presence(found))
    print(f"PEAK_WEIGHT, TILE_WEIGHT, CLEAR_WEIGHT, OFFSET = {weights}", end="")
    print(f"  (now {PEAK_WEIGHT}, {TILE_WEIGHT}, {CLEAR_WEIGHT}, {OFFSET})")
    count, whole = fit_numbers(found)
    print(f"COUNT_WEIGHT, LOOK_WEIGHT = {count:.1f}, {whole:.1f}  (now {COUNT_WEIGHT}, {LOOK_WEIGHT})")
    thresholds(found)


if __name__ == "__main__":
    main()
