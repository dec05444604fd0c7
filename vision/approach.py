"""When a fingertip came to rest: its path slows down into a place, and the moment lies between two frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.scene import Point

STILL = 0.07  # of a tile's length: a resting fingertip strays no farther, as it is seen
LEAVES = 0.16  # of a tile's length: farther away it has left
FEWEST = 2  # frames that make a rest
SPREAD = 0.3  # of the time between two frames: how uncertain the moment is at the least


@dataclass(frozen=True)
class Spot:
    """Where a fingertip is seen in one frame."""

    time_s: float
    at_px: Point


@dataclass(frozen=True)
class Rest:
    """A fingertip that rests: since when, how uncertain that is, and where. until_s: when it was last seen there."""

    since_s: float
    sigma_s: float
    at_px: Point
    until_s: float


def rest_of(path: Sequence[Spot], length: float) -> Rest | None:
    """The rest that a path, oldest spot first, ends in; None while the fingertip moves. length: a tile's, in pixels."""
    if len(path) < FEWEST or _apart(path[-1].at_px, path[-2].at_px) > STILL * length:
        return None
    places = np.array([spot.at_px for spot in path])
    first = len(path) - FEWEST
    middle = places[first:].mean(axis=0)
    while first > 0 and hypot(*(places[first - 1] - middle)) < STILL * length:
        first -= 1
        middle = np.median(places[first:], axis=0)
    since, sigma = _arrival(path, first, (float(middle[0]), float(middle[1])))
    return Rest(since, sigma, (float(middle[0]), float(middle[1])), path[-1].time_s)


def _arrival(path: Sequence[Spot], first: int, goal: Point) -> tuple[float, float]:
    """When the way into a rest that was first seen in a frame was over, and how uncertain that is."""
    here = path[first]
    if first == 0:
        pause = path[1].time_s - here.time_s
        return here.time_s - pause / 2, pause
    last = path[first - 1]
    pause = here.time_s - last.time_s
    if first == 1:
        return last.time_s + pause / 2, SPREAD * pause
    before = path[first - 2]
    left, gone = _apart(last.at_px, goal), _apart(before.at_px, last.at_px)
    needed = left / max(gone, 1e-6) * (last.time_s - before.time_s)
    return last.time_s + min(needed, pause), SPREAD * pause


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
