"""How a hand moves: a fingertip's way through the air in millimetres and seconds, onto a tile, near it, and away.

Reaches are of one speed profile (minimum jerk, Flash and Hogan 1985; log-logistic, near the lognormal of Plamondon
1995), or of two parts, the second of which corrects the first (Meyer 1988). A strike cuts the slowing down short.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Rng = np.random.Generator
Points = NDArray[np.float64]
Profile = Callable[[Points], Points]

STEPS = 1000  # points a second
SLIP_S = 0.007  # how soon the skin holds on to what it strikes
TREMOR_HZ = (8.0, 12.0)
_SPAN = np.linspace(0.0, 1.0, 401)


@dataclass(frozen=True, eq=False)
class Way:
    """Where a fingertip is: points (n, 3) in millimetres, z the gap above a tile's face, a thousand a second."""

    start_s: float
    points: Points

    @property
    def end_s(self) -> float:
        """When it ends."""
        return self.start_s + (len(self.points) - 1) / STEPS

    def at(self, times_s: ArrayLike) -> Points:
        """(n, 3) places at these times; before and after the way its ends."""
        steps = (np.asarray(times_s, float).reshape(-1) - self.start_s) * STEPS
        known = np.arange(len(self.points))
        return np.stack([np.interp(steps, known, self.points[:, k]) for k in range(3)], axis=1)

    def then(self, points: Points) -> Way:
        """The way with another part after it."""
        return Way(self.start_s, np.concatenate([self.points, points[1:]]))


def minimum_jerk(done: Points) -> Points:
    """The smoothest way from 0 to 1."""
    return np.asarray(done**3 * (10 - 15 * done + 6 * done**2))


def skewed(skew: float) -> Profile:
    """A minimum-jerk way that is faster at first (skew below 1) or at last."""
    return lambda done: minimum_jerk(done**skew)


def uneven(bumps: ArrayLike) -> Profile:
    """A reach that is faster and slower on its way, as if in several strokes: how fast in each part, evenly apart."""
    knots = np.concatenate([[0.0], np.asarray(bumps, float), [0.0]])
    speed = np.interp(_SPAN, np.linspace(0, 1, len(knots)), knots)
    speed = (
        np.convolve(np.pad(speed, 30, mode="edge"), np.hanning(61) / 30, mode="valid") * np.sin(np.pi * _SPAN) ** 0.5
    )
    far = np.concatenate([[0.0], np.cumsum((speed[1:] + speed[:-1]) / 2)])
    return lambda done: np.interp(done, _SPAN, far / far[-1])


def bell(rise: float, fall: float) -> Profile:
    """One swell of speed, time to the power of `rise` from its start and of `fall` to its end: early, late, broad."""
    speed = _SPAN**rise * (1 - _SPAN) ** fall
    far = np.concatenate([[0.0], np.cumsum((speed[1:] + speed[:-1]) / 2)])
    return lambda done: np.interp(done, _SPAN, far / far[-1])


def log_logistic(middle: float, steep: float) -> Profile:
    """A quick start and a long slowing down: the speed of a handwriting stroke, nearly."""

    def profile(done: Points) -> Points:
        def share(at: Points) -> Points:
            return np.asarray(1 / (1 + (np.maximum(at, 1e-6) / middle) ** -steep))

        return np.asarray(share(done) / share(np.ones(1))[0])

    return profile


def plateau(rise: float) -> Profile:
    """Speeding up, an even speed, slowing down, with soft corners."""
    speed = np.minimum(1.0, np.minimum(_SPAN, 1 - _SPAN) / rise)
    speed = 0.5 - 0.5 * np.cos(np.pi * speed)
    far = np.concatenate([[0.0], np.cumsum((speed[1:] + speed[:-1]) / 2)])
    return lambda done: np.interp(done, _SPAN, far / far[-1])


def steepest(profile: Profile, cut: float = 1.0) -> float:
    """The largest speed of a profile that is left after the share `cut` of its time, where way and time count as 1."""
    far = profile(_SPAN * cut)
    return float(np.diff(far).max() / far[-1] * (len(_SPAN) - 1))


def duration(distance_mm: float, peak_mm_s: float, profile: Profile, cut: float = 1.0) -> float:
    """How long a reach takes that is this fast at its fastest."""
    return float(np.clip(steepest(profile, cut) * distance_mm / peak_mm_s, 0.12, 1.2))


def reach(
    start: ArrayLike,
    end: ArrayLike,
    seconds: float,
    profile: Profile = minimum_jerk,
    *,
    cut: float = 1.0,
    bulge_mm: tuple[float, float] = (0.0, 0.0),
    late: float = 1.0,
) -> Points:
    """A reach from one place to another.

    cut: the share of the profile's time after which the end stops it. bulge_mm: how far the middle of the way lies to
    the side, and above. late: above 1 the way down comes after the way across.
    """
    a, b = np.asarray(start, float), np.asarray(end, float)
    done = np.linspace(0.0, 1.0, max(2, round(seconds * STEPS) + 1))
    far = profile(done * cut)
    far = far / far[-1]
    points = a + (b - a) * far[:, None]
    points[:, 2] = a[2] + (b[2] - a[2]) * far**late
    across = np.array([-(b - a)[1], (b - a)[0]]) / max(1.0, float(np.hypot(*(b - a)[:2])))
    swell = np.sin(np.pi * far)
    points[:, :2] += bulge_mm[0] * swell[:, None] * across
    points[:, 2] += bulge_mm[1] * swell
    return points


def stopped(points: Points, seconds: float) -> Points:
    """A strike comes to rest: what speed is left along the tile is lost within a few thousandths of a second."""
    speed = (points[-1] - points[-2]) * STEPS
    speed[2] = 0.0
    after = np.arange(round(seconds * STEPS) + 1) / STEPS
    return np.asarray(points[-1] + speed * SLIP_S * (1 - np.exp(-after / SLIP_S))[:, None])


def held(place: ArrayLike, seconds: float) -> Points:
    """The finger stays where it is."""
    return np.repeat(np.asarray(place, float)[None], max(2, round(seconds * STEPS) + 1), axis=0)


def swaying(place: ArrayLike, seconds: float, sway_mm: ArrayLike, rate_hz: float, rng: Rng) -> Points:
    """A hand in the air that gestures about a place, back at it in the end."""
    after = np.arange(round(seconds * STEPS) + 1) / STEPS
    turns = np.maximum(1.0, np.round(seconds * rate_hz * rng.uniform(0.7, 1.3, 3)))
    swing = np.sin(2 * np.pi * turns * (after / max(seconds, 1e-3))[:, None])
    return np.asarray(np.asarray(place, float) + np.asarray(sway_mm, float) * swing)


def trembling(way: Way, size_mm: float, rng: Rng) -> Way:
    """The way with a hand's tremor; on a tile it is across only, for the tile holds the finger's height."""
    after = np.arange(len(way.points)) / STEPS
    tremor = np.zeros_like(way.points)
    for k in range(3):
        for rate in rng.uniform(*TREMOR_HZ, 3):
            tremor[:, k] += size_mm / 3 * np.sin(2 * np.pi * (rate * after + rng.random()))
    free = np.clip(way.points[:, 2] / 10, 0.15, 1.0)
    tremor *= free[:, None]
    tremor[:, 2] *= way.points[:, 2] > 0.5
    return Way(way.start_s, way.points + tremor)
