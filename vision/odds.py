"""Chances and the logarithms of their odds, by which what speaks for something adds up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def log_odds(chance: float) -> float:
    """The logarithm of a chance's odds; no chance counts as certain."""
    p = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def chance_of(log_odds: float) -> float:
    """The chance whose odds have this logarithm."""
    return float(1 / (1 + np.exp(-log_odds)))


def likelier(chance: float, odds: float) -> float:
    """A chance after something that is so many times as usual where it holds as where it does not."""
    return odds * chance / (1 + (odds - 1) * chance)


def chances_of(log_odds: Floats) -> Floats:
    """The same for many at once, as the networks give them."""
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)
