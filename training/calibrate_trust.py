"""Fits how far readings of tiles face up are believed, on rendered scenes that the networks were not trained on.

    python -m training.calibrate_trust --fresh 300 777001 --degraded 450 555

So many scenes of a seed as they are, and so many others, eight in nine of them degraded. Prints the constants as they
stand in vision/place.py, by the constants that stand there for what counts as a tile, and what they make of the same
readings; `python -m benchmarks.doubt` judges them on others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.changes import degraded
from benchmarks.doubt import lines
from benchmarks.pictures import Picture, rendered
from benchmarks.reliability import Judged, Reliability
from benchmarks.scoring import judged
from vision.blanks import lone_backs
from vision.place import TRUST
from vision.printed import not_printed
from vision.reader import Reader
from vision.reading import SURE
from vision.settling import weighed
from vision.tiles import PRESENT, in_order, tile_at

Floats = NDArray[np.float64]

RIDGE = 0.1  # how much large weights are held against a fit


@dataclass(frozen=True, eq=False)
class Case:
    """A reading: the grounds to believe it, how sure it would be by its numbers alone, and whether it is right."""

    grounds: Floats
    read: float
    right: bool


def cases(pictures: Iterable[Picture]) -> Iterator[Case]:
    """Every reading of a tile face up on the pictures that can be called right or wrong."""
    reader = Reader()
    for k, picture in enumerate(pictures):
        label, image = picture.take()
        places = [place for place in lone_backs(weighed(reader.places(image))) if place.presence > PRESENT]
        tiles = [tile_at(place) for place in places]
        of = {id(tile): place for tile, place in zip(tiles, places, strict=True)}
        for tile, right in judged(label, not_printed(image, in_order(tiles))):
            place = of[id(tile)]
            if place.face_up:
                yield Case(place.grounds, tile.confidence / place.trust, right)
        print(f"\r{k + 1} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def fit(found: Sequence[Case]) -> list[float]:
    """The weights of the grounds, to two digits, under which what was right and what was wrong is likeliest."""
    x, right = np.array([case.grounds for case in found]), np.array([case.right for case in found])
    read = np.clip([case.read for case in found], 1e-4, 1 - 1e-4)

    def surprise(weights: Floats) -> tuple[float, Floats]:
        trust = 1 / (1 + np.exp(-x @ weights))
        chance = np.where(right, read * trust, 1 - read * trust)
        slope = np.where(right, 1 - trust, -read * trust * (1 - trust) / chance)
        return float(-np.log(chance).sum() + RIDGE * weights @ weights / 2), RIDGE * weights - slope @ x

    best = minimize(surprise, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return [round(float(weight), 2) for weight in best.x]


def believed(found: Iterable[Case], weights: Sequence[float]) -> Iterator[Judged]:
    """The readings as they would be told by these weights."""
    for case in found:
        confidence = case.read / (1 + float(np.exp(-np.array(weights) @ case.grounds)))
        yield Judged(confidence, case.right, confidence < SURE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fresh", type=int, nargs=2, default=(300, 777_001), metavar=("COUNT", "SEED"))
    parser.add_argument("--degraded", type=int, nargs=2, default=(450, 555), metavar=("COUNT", "SEED"))
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    found = list(cases(chain(rendered(*args.fresh), degraded(rendered(*args.degraded)))))
    weights = fit(found)
    print(f"TRUST = ({', '.join(map(str, weights))})")
    for name, ones in (("fitted", weights), ("as it is", TRUST)):
        print(f"\n{name}:", *lines(Reliability(list(believed(found, ones)))), sep="\n")


if __name__ == "__main__":
    main()
