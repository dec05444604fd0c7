"""How players go for a tile: straight, in two parts, from above, out of a waiting hand, or along the table.

Each of the two splits has its own speed profiles and its own ranges. What networks learn from moves in more ways than
what they are tuned on: learnt from those alone, they took ways that they had not met for touches, or touches for none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from training.reaching import (
    STEPS,
    Profile,
    bell,
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
from training.surfaces import LEARNING

Rng = np.random.Generator
Points = NDArray[np.float64]
Range = tuple[float, float]

SHORTEST_CUT = 0.5  # of the profile's time
BRAKED = 0.5  # of the hands that stop in the air, where they may have to
FASTEST_AT_TOUCH = 500.0  # mm/s along the table: who comes in faster slips off


@dataclass(frozen=True)
class Manner:
    """What one split's reaches are drawn from.

    ways: how often each kind of approach occurs. cut: after which share of the profile's time the tile stops it.
    aside_mm, above_mm: how far the way bulges. short: how far the first part of two goes, as a share. mend_s: how long
    the second part takes. poised_mm, poised_s: how high a hand waits, how long. low: how high a sweep goes, in
    millimetres, or how early a hand comes down. feint_mm, feint_s: how far above a tile feints stop, for how long.
    feints: how often who goes for the target stops above it on the way.
    brake_s: how soon a hand stops in the air that was as fast as one that strikes; None where all slow down in time.
    down_mm_s: how fast a fingertip at least comes down onto a tile.
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
    feint_mm: Range = (5.0, 30.0)
    feint_s: Range = (0.03, 0.2)
    feints: float = 0.12
    brake_s: Range | None = None
    down_mm_s: float = 0.0


MANNERS = {
    "tuning": Manner(
        (("straight", 0.35), ("two parts", 0.2), ("above", 0.18), ("poised", 0.12), ("early down", 0.15)),
        (0.72, 0.97), (-50, 50), (0, 60), (0.9, 2.2), (0.82, 1.04), (0.08, 0.2), (20, 90), (0.05, 0.45), (0.25, 0.7),
    ),
    LEARNING: Manner(
        (("straight", 0.3), ("two parts", 0.15), ("above", 0.13), ("poised", 0.12), ("early down", 0.15),
         ("settled", 0.15)),
        (0.55, 0.97), (-70, 70), (0, 80), (0.9, 2.3), (0.75, 1.1), (0.06, 0.3), (10, 100), (0.03, 0.6), (0.25, 0.8),
        (4.0, 34.0), (0.0, 0.3), 0.2, (0.006, 0.03), 25.0,
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
    if split == LEARNING:
        which = rng.random()
        if which < 0.3:
            return uneven(rng.gamma(2.0, 1.0, 6))
        if which < 0.65:
            return bell(float(rng.uniform(0.6, 3.5)), float(rng.uniform(0.6, 5.0)))
        return minimum_jerk if which < 0.75 else skewed(float(rng.uniform(0.6, 1.5)))
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
    if word == "settled":
        return _settled(rng, split, a, b)
    return _from_above(rng, split, a, b, waits=word == "poised")


def halted(rng: Rng, split: str, start: ArrayLike, aim: ArrayLike) -> Points:
    """A way that looks like one onto a tile and ends above it, slowed down in time or stopped in the air."""
    a, b = np.asarray(start, float), np.asarray(aim, float)
    brake = MANNERS[split].brake_s
    if brake is not None and rng.random() < BRAKED:
        return _braked(_strike(rng, split, a, b), float(rng.uniform(*brake)))
    shape = profile(rng, split)
    seconds = duration(float(np.linalg.norm(b - a)), peak(rng), shape)
    return reach(a, b, seconds, shape, bulge_mm=_bulge(rng, split))


def _braked(points: Points, soon_s: float) -> Points:
    """A strike that ends where it would, but loses its speed in the air before."""
    speed = (points[-1] - points[-2]) * STEPS
    after = np.arange(round(4 * soon_s * STEPS) + 1) / STEPS
    runs_on = speed * soon_s * (1 - np.exp(-after / soon_s))[:, None]
    early = np.linspace(0, 1, len(points))[:, None] ** 2 * runs_on[-1]
    return np.concatenate([points - early, points[-1] - runs_on[-1] + runs_on[1:]])


def _settled(rng: Rng, split: str, a: Points, b: Points) -> Points:
    """The hand stops close above the tile, and sinks onto it."""
    air = b + [*rng.normal(0, 4, 2), float(rng.uniform(*MANNERS[split].feint_mm))]
    way = halted(rng, split, a, air)
    if rng.random() < 0.5:
        way = np.concatenate([way, held(way[-1], float(rng.uniform(*MANNERS[split].feint_s)))[1:]])
    return np.concatenate([way, reach(way[-1], b, float(rng.uniform(0.05, 0.3)), cut=float(rng.uniform(0.5, 0.9)))[1:]])


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

    def struck(cut: float) -> Points:
        seconds = duration(float(np.linalg.norm(b - a)), fast, shape, cut)
        return reach(a, b, seconds, shape, cut=cut, bulge_mm=bulge, late=down)

    def ends(cut: float) -> tuple[float, float]:
        """How fast it is in the end, along the table and down."""
        before, last = struck(cut)[-2:]
        speed = (last - before) * STEPS
        return float(np.hypot(*speed[:2])), -float(speed[2])

    while cut > SHORTEST_CUT and ends(cut)[1] < manner.down_mm_s:
        cut -= 0.05
    while cut < 1.0 and ends(cut)[0] >= FASTEST_AT_TOUCH:
        cut = min(1.0, cut + 0.02)
    return struck(cut)


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
