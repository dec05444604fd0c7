"""Fits how far the networks are believed, on rendered scenes, fresh and degraded, that they were not trained on.

    python -m training.calibrate --scenes 360

Prints the constants exactly as they stand in vision/reading.py (which number?) and in vision/place.py (is a tile
here?), then what they make of other scenes: the calibration, and what each doubt threshold would cost if readings were
believed by that alone (training.calibrate_trust fits how they are). The fit starts from values of its own, whatever
stands in those files, so the same networks and scenes always print the same.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from types import ModuleType

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.changes import degraded
from benchmarks.doubt import lines
from benchmarks.pictures import Picture, rendered
from benchmarks.reliability import Judged, Reliability
from benchmarks.scoring import Label, LabelledTile
from vision import place, reading
from vision.detector import Detector
from vision.peaks import Candidate
from vision.pips import Look, PipReader
from vision.place import Place
from vision.places import Finder, places_in
from vision.reading import FLOOR, read_halves
from vision.settling import weighed
from vision.straighten import HALF, MARGIN_X, MARGIN_Y, Image, to_picture
from vision.tiles import PRESENT

Floats = NDArray[np.float64]

NUMBERS = ("COUNT_WEIGHT", "LOOK_WEIGHT")
PRESENCE = ("PEAK_WEIGHT", "TILE_WEIGHT", "CLEAR_WEIGHT", "UNLIKE_WEIGHT", "ODD_WEIGHT", "LIES_WEIGHT", "OFFSET")
START: dict[str, float] = (
    dict.fromkeys(NUMBERS, 0.5)
    | dict.fromkeys(PRESENCE, 1.0)
    | {"UNLIKE_WEIGHT": -1.0, "ODD_WEIGHT": -1.0, "OFFSET": 0.0}
)
ROUNDS = 6  # the weights settle which of two places that overlap is kept, and so the cases they are fitted on


@dataclass(frozen=True)
class Case:
    """One place, and what really lies there: both numbers, the head first; None for no tile, () for a back."""

    place: Place
    truth: tuple[int, ...] | None


class Remembering(PipReader):
    """A reader that looks at each place once, or once each way, and knows it again when it is shown for another fit."""

    def __init__(self) -> None:
        super().__init__()
        self._known, self._known_each_way = dict[bytes, Look](), dict[bytes, Look]()

    def look(self, patches: Sequence[Image]) -> list[Look]:
        """One Look for each picture made by vision.straighten.straighten."""
        return _recalled(patches, self._known, super().look)

    def look_each_way(self, patches: Sequence[Image]) -> list[Look]:
        """The same, surer and slower."""
        return _recalled(patches, self._known_each_way, super().look_each_way)


def _recalled(
    patches: Sequence[Image], known: dict[bytes, Look], look: Callable[[Sequence[Image]], list[Look]]
) -> list[Look]:
    """What is known of these pictures, or else, and from now on, what a look tells."""
    keys = [blake2b(p.tobytes(), digest_size=16).digest() for p in patches]
    new = {key: p for key, p in zip(keys, patches, strict=True) if key not in known}
    known.update(zip(new, look(list(new.values())), strict=True))
    return [known[key] for key in keys]


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture with its label, what the detector proposes on it, and how it would look at it again."""

    label: Label
    image: Image
    candidates: Sequence[Candidate]
    find: Finder


def shots(pictures: Iterable[Picture]) -> Iterator[Shot]:
    """Each picture with the detector's first impression."""
    detector = Detector()
    for k, picture in enumerate(pictures):
        label, image = picture.take()
        yield Shot(label, image, detector.tiles(image), detector.tiles)
        print(f"\r{k + 1} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def find_places(shot: Shot, reader: PipReader) -> list[Place]:
    """The places of a picture where a tile may lie, the likeliest first; no two overlap much."""
    return weighed(places_in(shot.image, shot.candidates, reader, shot.find))


def cases(taken: Iterable[Shot], reader: PipReader) -> list[Case]:
    """The places that are settled on, those on hidden or tiny tiles left out."""
    found = ((shot, place) for shot in taken for place in find_places(shot, reader))
    return [case for shot, place in found if (case := _case(place, shot.label))]


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


@contextmanager
def believing(weights: dict[str, float]) -> Iterator[None]:
    """While this lasts, vision believes the networks so far; afterwards its own constants are back."""
    before = {name: getattr(_home(name), name) for name in weights}
    try:
        for name, value in weights.items():
            setattr(_home(name), name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(_home(name), name, value)


def _home(name: str) -> ModuleType:
    return reading if name in NUMBERS else place


def fit(taken: Sequence[Shot], reader: PipReader) -> dict[str, float]:
    """Every constant, to two digits, such that fitting with them once more would give them again."""
    weights = START
    for _ in range(ROUNDS):
        with believing(weights):
            found = cases(taken, reader)
        numbers = dict(zip(NUMBERS, fit_numbers(found), strict=True))
        with believing(weights | numbers):
            presence = dict(zip(PRESENCE, fit_presence(found), strict=True))
        before, weights = weights, numbers | presence
        if weights == before:
            break
    return weights


def fit_presence(found: Sequence[Case]) -> list[float]:
    """The weights of Place.evidence."""
    return logistic(np.array([c.place.evidence for c in found]), np.array([c.truth is not None for c in found], float))


def logistic(x: Floats, y: Floats) -> list[float]:
    """The weights of evidence x (n, k), to two digits, that make the answers y (n,) of 0 and 1 likeliest."""
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 0.1 * np.eye(len(w)), x.T @ (y - p) - 0.1 * w)
    return [round(float(value), 2) for value in w]


def fit_numbers(found: Sequence[Case]) -> tuple[float, float]:
    """The weights of counting and of recognising under which the true numbers are likeliest.

    Their sum is the temperature of the two together: below 1 where the networks believe themselves too much.
    """
    read = [c for c in found if c.truth]
    counted = np.log(np.concatenate([c.place.look.counted for c in read]) + FLOOR)
    recognised = np.log(np.concatenate([c.place.look.recognised for c in read]) + FLOOR)
    true = np.array([n for c in read for n in c.truth or ()])
    grid = [round(0.05 * k, 2) for k in range(31)]
    return min(
        ((a, b) for a in grid for b in grid), key=lambda ab: _surprise(ab[0] * counted + ab[1] * recognised, true)
    )


def _surprise(logs: Floats, true: NDArray[np.int64]) -> float:
    top = logs.max(axis=1, keepdims=True)
    total = np.log(np.exp(logs - top).sum(axis=1)) + top[:, 0]
    return float((total - logs[np.arange(len(true)), true]).mean())


def judged(found: Iterable[Case]) -> Iterator[Judged]:
    """What would be reported of the places, right or wrong, by the chance that a tile is there."""
    for case in found:
        look, presence = case.place.look, case.place.presence
        if presence > PRESENT:
            told = read_halves(look, case.place.length_px, presence)
            face_up = look.up >= look.down
            right = case.truth == told.pips if face_up else case.truth == ()
            yield Judged(told.confidence, right, bool(told.why))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=240, help="to fit on; half as many more are judged")
    parser.add_argument("--seed", type=int, default=777)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    reader = Remembering()
    weights = fit(list(shots(degraded(rendered(args.scenes, args.seed)))), reader)
    for names in (NUMBERS, PRESENCE):
        print(f"{', '.join(names)} = {', '.join(str(weights[name]) for name in names)}")
    apart = list(shots(degraded(rendered(args.scenes // 2, args.seed + 1))))
    with believing(weights):
        told = Reliability(list(judged(cases(apart, reader))))
    print("\n".join(lines(told)))


if __name__ == "__main__":
    main()
