"""How players go for a tile: straight, in two parts, from above, out of a waiting hand, or along the table.

Each of the two splits has its own speed profiles and its own ranges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from training.reaching import (
    STEPS,
    Profile,
    duration,
    held,
    log_logistic,
    minimum_jerk,
    plateau,
    reach,
    skewed,
    swaying,
    uneven,
)

Rng = np.random.Generator
Points = NDArray[np.float64]
Range = tuple[float, float]

FASTEST_AT_TOUCH = 500.0  # mm/s along the table: who comes in faster slips off


@dataclass(frozen=True)
class Manner:
    """What one split's reaches are drawn from.

    ways: how often each kind of approach occurs. cut: after which share of the profile's time the tile stops it.
    aside_mm, above_mm: how far the way bulges. short: how far the first part of two goes, as a share. mend_s: how long
    the second part takes. poised_mm, poised_s: how high a hand waits, how long. low: how high a sweep goes, in
    millimetres, or how early a hand comes down.
    """

    ways: tuple[tuple[str, float], ...]
    cut: Range
    aside_mm: Range
    above_mm: Range
    late: Range
    short: Range
    mend_s: Range
    poised_mm: Range
    poised_s: Range
    low: Range


MANNERS = {
    "tuning": Manner(
        (("straight", 0.35), ("two parts", 0.2), ("above", 0.18), ("poised", 0.12), ("early down", 0.15)),
        (0.72, 0.97), (-50, 50), (0, 60), (0.9, 2.2), (0.82, 1.04), (0.08, 0.2), (20, 90), (0.05, 0.45), (0.25, 0.7),
    ),
    "judging": Manner(
        (("straight", 0.3), ("two parts", 0.2), ("above", 0.2), ("poised", 0.15), ("sweep", 0.15)),
        (0.72, 0.97), (-55, 55), (0, 70), (0.85, 2.4), (0.8, 1.06), (0.08, 0.22), (20, 95), (0.05, 0.5), (4, 12),
    ),
}  # fmt: skip


def profile(rng: Rng, split: str) -> Profile:
    """How the speed of one reach rises and falls."""
    if split == "tuning":
        if rng.random() < 0.4:
            return uneven(rng.gamma(2.0, 1.0, 6))
        return minimum_jerk if rng.random() < 0.3 else skewed(float(rng.uniform(0.7, 1.35)))
    if rng.random() < 0.65:
        return log_logistic(float(rng.uniform(0.3, 0.45)), float(rng.uniform(3.0, 4.5)))
    return plateau(float(rng.uniform(0.25, 0.5)))


def peak(rng: Rng) -> float:
    """The largest speed of a reach, 0.5 to 3 metres a second, in millimetres a second."""
    return float(np.exp(rng.uniform(np.log(500), np.log(3000))))


def approach(rng: Rng, split: str, start: ArrayLike, aim: ArrayLike) -> Points:
    """A way from one place to the tile, whose last point is the moment of contact."""
    manner = MANNERS[split]
    a, b = np.asarray(start, float), np.asarray(aim, float)
    words, shares = zip(*manner.ways, strict=True)
    word = str(rng.choice(words, p=shares))
    if word == "straight":
        return _strike(rng, split, a, b)
    if word == "two parts":
        return _mended(rng, split, a, b)
    if word == "sweep":
        return _sweep(rng, split, a, b)
    if word == "early down":
        return _early_down(rng, split, a, b)
    return _from_above(rng, split, a, b, waits=word == "poised")


def halted(rng: Rng, split: str, start: ArrayLike, aim: ArrayLike) -> Points:
    """A way that looks like one onto a tile and ends above it; it slows down by itself."""
    a, b = np.asarray(start, float), np.asarray(aim, float)
    shape = profile(rng, split)
    seconds = duration(float(np.linalg.norm(b - a)), peak(rng), shape)
    return reach(a, b, seconds, shape, bulge_mm=_bulge(rng, split))


def _early_down(rng: Rng, split: str, a: Points, b: Points) -> Points:
    """Down first, and low over the table to the tile, onto which the finger drops."""
    low = np.array([*b[:2], float(rng.uniform(3, 12))])
    points = _strike(rng, split, a, low, late=MANNERS[split].low)
    drop = np.clip(np.linspace(-float(rng.uniform(2, 8)), 1, len(points)), 0, 1)
    points[:, 2] -= (low[2] - b[2]) * drop**1.5
    return points


def _strike(rng: Rng, split: str, a: Points, b: Points, late: Range | None = None) -> Points:
    manner, shape = MANNERS[split], profile(rng, split)
    cut, fast, bulge = float(rng.uniform(*manner.cut)), peak(rng), _bulge(rng, split)
    down = float(rng.uniform(*(late or manner.late)))
    while True:
        seconds = duration(float(np.linalg.norm(b - a)), fast, shape, cut)
        points = reach(a, b, seconds, shape, cut=cut, bulge_mm=bulge, late=down)
        if cut >= 1.0 or np.linalg.norm((points[-1] - points[-2])[:2]) * STEPS < FASTEST_AT_TOUCH:
            return points
        cut = min(1.0, cut + 0.02)


def _mended(rng: Rng, split: str, a: Points, b: Points) -> Points:
    """Two parts: the first falls short or goes too far, the second corrects it."""
    manner = MANNERS[split]
    first = a + (b - a) * float(rng.uniform(*manner.short)) + rng.normal(0, 5, 3)
    first[2] = b[2] + float(rng.uniform(5, 25))
    whole = halted(rng, split, a, first)
    second = reach(whole[-1], b, float(rng.uniform(*manner.mend_s)), profile(rng, split), cut=_short_cut(rng, split))
    return np.concatenate([whole, second[1:]])


def _from_above(rng: Rng, split: str, a: Points, b: Points, *, waits: bool) -> Points:
    """The hand comes to rest in the air over the tile or beside it, and strikes from there."""
    manner = MANNERS[split]
    air = b + [*rng.normal(0, 35 if waits else 6, 2), float(rng.uniform(*manner.poised_mm))]
    way = halted(rng, split, a, air)
    if waits:
        sway = swaying(air, float(rng.uniform(*manner.poised_s)), rng.uniform(1, 6, 3), 2.0, rng)
        way = np.concatenate([way, sway[1:]])
    return np.concatenate([way, _strike(rng, split, way[-1], b)[1:]])


def _sweep(rng: Rng, split: str, a: Points, b: Points) -> Points:
    """Low along the table and onto the tile from the side."""
    low = float(rng.uniform(*MANNERS[split].low))
    before = b + (a - b) * 0.35
    before[2] = low
    points = _strike(rng, split, np.array([a[0], a[1], low]), b)
    points[:, 2] = b[2] + low * np.sqrt(np.clip(1 - np.linspace(0, 1, len(points)) ** 6, 0, 1))
    return points


def _short_cut(rng: Rng, split: str) -> float:
    return float(rng.uniform(*MANNERS[split].cut))


def _bulge(rng: Rng, split: str) -> tuple[float, float]:
    manner = MANNERS[split]
    return float(rng.uniform(*manner.aside_mm)), float(rng.uniform(*manner.above_mm))


def away(rng: Rng, split: str, start: ArrayLike, end: ArrayLike) -> Points:
    """Back, up and out of the picture."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    seconds = duration(float(np.linalg.norm(b - a)), float(rng.uniform(500, 1600)), minimum_jerk)
    return reach(a, b, seconds, profile(rng, split), bulge_mm=(0.0, float(rng.uniform(5, 50))))


def rest(points: Points, seconds: float) -> Points:
    """The way with a rest at its end."""
    return np.concatenate([points, held(points[-1], seconds)[1:]])
