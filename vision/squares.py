"""The squares that a tetromino may be made of, among what the detector saw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.peaks import Spot, distinct

Points = NDArray[np.float64]

MOST = 64  # squares that are looked at, the likeliest: a scene has seven tetrominoes at most
SCALES = 3  # at which one square is found
ONE = 0.4  # edges: a light and a dark square so near are one, of which the colour is not sure
BLANK, SHOWING = 0.4, 0.2  # how much less likely a light square is where a blank is known to lie, and still shows
UNSEEN = 0.08  # the chance of a square's colour where only the other one was seen


@dataclass(frozen=True, eq=False)
class Square:
    """A square of cardboard: its middle and edge in pixels, and where it believes the middle of its piece.

    chances: how likely it is dark, and light. blank: how much less likely it is light where a blank lies, which looks
    light as well.
    """

    center: Points
    edge: float
    whole: Points
    chances: tuple[float, float]
    blank: float = 1.0


def squares_of(found: Sequence[Spot]) -> list[Square]:
    """The squares among the spots, the likeliest first, each with both of its colours."""
    likeliest = sorted(found, key=lambda spot: -spot.score)
    spots = [
        spot
        for kind in ("dark", "light")
        for spot in distinct(tuple(s for s in likeliest if s.kind == kind)[: SCALES * MOST])
    ]
    squares: list[Square] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        center, light = np.array(spot.center), spot.kind == "light"
        near = [k for k, one in enumerate(squares) if math.dist(one.center, center) < ONE * max(one.edge, spot.edge_px)]
        if near:
            known = squares[near[0]]
            dark, bright = known.chances
            chances = (dark, max(bright, spot.score)) if light else (max(dark, spot.score), bright)
            squares[near[0]] = Square(known.center, known.edge, known.whole, chances)
        elif len(squares) < MOST:
            chances = (UNSEEN, spot.score) if light else (spot.score, UNSEEN)
            squares.append(Square(center, spot.edge_px, center + spot.way, chances))
    return squares
