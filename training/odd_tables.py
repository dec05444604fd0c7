"""Tables with an odd set: all of it laid out to be learnt from, and fresh tables to be read.

python -m training.odd_tables docs/calibration      # the picture in docs/calibration.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.domino import Domino
from training import arrangements
from training.arrangements import Arrangement, Lying, turned
from training.odd_faces import OddSet
from training.odd_sets import odd_sets
from training.render import staged
from training.truth import Truth

Rng = np.random.Generator
Shot = tuple[NDArray[np.uint8], Truth]

WIDTH, HEIGHT = 1280, 960
PITCH = (2.35, 1.35)  # halves from one tile to the next of a set laid out
LEAST_COLOR = 1.0  # levels between blue and red, on average
SHOWN, SHOWN_SEED = "stars", 3
KINDS = ("scattered", "packed", "chain", "jumble", "rows", "lattice")


def laid_out(odd: OddSet, seed: int, pictures: int = 2, missing: Sequence[Domino] = ()) -> Iterator[Shot]:
    """All dominoes of a set in any order and any way round, an equal part of them on each picture."""
    rng = np.random.default_rng((seed, 1))
    dominoes = [d for d in odd.dominoes if d not in missing]
    for part in np.array_split(rng.permutation(len(dominoes)), pictures):
        tiles, half_px = _in_rows([dominoes[k] for k in part], rng)
        tilt = float(rng.uniform(0, 18))
        laid = turned(tiles, float(rng.normal(0, 4)))
        yield _in_color(odd, laid, rng, tilt, half_px)


def _in_rows(dominoes: Sequence[Domino], rng: Rng) -> tuple[Arrangement, float]:
    """Rows that fill the picture, and how long a half is on it in pixels."""
    across, down = PITCH
    per_row = int(np.ceil(np.sqrt(len(dominoes) * WIDTH / HEIGHT * down / across)))
    rows = -(-len(dominoes) // per_row)
    laid = []
    for k, domino in enumerate(dominoes):
        row, col = divmod(k, per_row)
        x = (col - (per_row - 1) / 2) * across + float(rng.normal(0, 0.05))
        y = (row - (rows - 1) / 2) * down + float(rng.normal(0, 0.05))
        angle = float(rng.normal(0, 6)) + 180 * float(rng.integers(0, 2))
        laid.append(Lying(x, y, angle, *_either_way(domino, rng)))
    return tuple(laid), min(0.88 * WIDTH / (per_row * across), 0.84 * HEIGHT / (rows * down))


def _either_way(domino: Domino, rng: Rng) -> tuple[int, int]:
    return (domino.high, domino.low) if rng.random() < 0.5 else (domino.low, domino.high)


def fresh_table(odd: OddSet, seed: int, number: int) -> Shot:
    """Some of a set's dominoes as people lay them, each at most once, in another light on another table."""
    rng = np.random.default_rng((seed, 2, number))
    half_px = float(rng.uniform(30, 52))
    span = 0.4 * WIDTH / half_px
    kind = KINDS[number % len(KINDS)]
    laid = arrangements.KINDS[kind](rng, odd.style.highest, int(rng.integers(10, 25)), 0.8 * span)
    order = rng.permutation(len(odd.dominoes))
    named = [(t, _either_way(odd.dominoes[k], rng)) for t, k in zip(laid, order, strict=False)]
    tiles = turned(tuple(replace(t, head=a, tail=b) for t, (a, b) in named), float(rng.uniform(0, 360)))
    tilt = float(rng.uniform(0, 25))
    return _in_color(odd, tiles, rng, tilt, half_px)


def _in_color(odd: OddSet, laid: Arrangement, rng: Rng, tilt_deg: float, half_px: float) -> Shot:
    """The table by a camera that sees colours: on a grey picture pips as bright as their tile are not there at all."""
    while True:
        shot = staged(laid, odd.style, rng, WIDTH, HEIGHT, tilt_deg=tilt_deg, half_px=half_px, front=odd.face)
        if np.abs(shot[0][..., 0].astype(float) - shot[0][..., 2]).mean() > LEAST_COLOR:
            return shot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    image, _ = next(laid_out(next(odd for odd in odd_sets() if odd.name == SHOWN), SHOWN_SEED))
    small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / "set.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main()
