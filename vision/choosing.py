"""Which of some faces lie there, if no two that clash can: the likeliest together, and how likely each one is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

AROUND = 14  # faces, the nearest by what excludes what, that are weighed against one


def likeliest(log_odds: NDArray[np.float64], clash: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Which of some faces lie there, if no two that clash can: those with the greatest log odds together.

    log_odds (n,): of each face; those below 0 are left out. clash (n, n): which pairs exclude each other.
    """
    chosen = np.flatnonzero(log_odds > 0)
    pairs = np.argwhere(np.triu(clash[np.ix_(chosen, chosen)]))
    if not len(pairs):
        return chosen
    either = np.zeros((len(pairs), len(chosen)))
    np.put_along_axis(either, pairs, 1.0, axis=1)
    best = milp(-log_odds[chosen], integrality=1, bounds=Bounds(0, 1), constraints=LinearConstraint(either, ub=1.0))
    return np.asarray(chosen[best.x > 0.5], np.intp)


def chances(log_odds: NDArray[np.float64], clash: NDArray[np.bool_], which: Sequence[int]) -> list[float]:
    """How likely some of the faces lie there, if no two that clash can: each beside all that might lie there instead.

    log_odds (n,): of each face by itself. clash (n, n): which pairs exclude each other. A face that nothing excludes is
    as likely as by itself; of two that exclude each other and are as likely neither is sure.
    """
    odds = np.exp(np.clip(log_odds, -30, 30))
    rivals = [frozenset(np.flatnonzero(row).tolist()) for row in clash]

    @cache
    def weight(free: frozenset[int]) -> float:
        """The weights of all ways in which any of these faces may lie there, added up."""
        if not free:
            return 1.0
        one = max(free, key=lambda k: len(rivals[k] & free))
        if not rivals[one] & free:
            return float(np.prod([1 + odds[k] for k in free]))
        return weight(free - {one}) + float(odds[one]) * weight(free - rivals[one] - {one})

    told = []
    for one in which:
        about = _about(one, rivals)
        told.append(float(odds[one]) * weight(about - rivals[one] - {one}) / weight(about))
    return told


def _about(one: int, rivals: Sequence[frozenset[int]]) -> frozenset[int]:
    """A face, its rivals, theirs, and so on, as many as are weighed together."""
    found, edge = [one], [one]
    while edge and len(found) < AROUND:
        edge = sorted({rival for k in edge for rival in rivals[k]} - set(found))
        found += edge
    return frozenset(found[:AROUND])
