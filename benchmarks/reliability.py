"""How far a confidence can be taken at its word: pure counting over readings that were right or wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)  # finer where most readings are


@dataclass(frozen=True)
class Judged:
    """One reading: the confidence it came with, whether it was right, whether it was marked doubtful."""

    confidence: float
    right: bool
    doubtful: bool


@dataclass(frozen=True)
class Bin:
    """The readings whose confidence lies between two edges: how many, mean confidence, the share that is right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Threshold:
    """What doubting every reading below a confidence would do: errors left silent, right readings doubted."""

    sure: float
    silent: int
    doubted: int


@dataclass(frozen=True, eq=False)
class Reliability:
    """Many readings, taken together."""

    readings: Sequence[Judged]

    @cached_property
    def confidence(self) -> Floats:
        """(n,): what each reading says of itself."""
        return np.array([r.confidence for r in self.readings], float)

    @cached_property
    def right(self) -> NDArray[np.bool_]:
        """(n,): whether it was right."""
        return np.array([r.right for r in self.readings], bool)

    def bins(self) -> Iterator[Bin]:
        """The bins with anything in them, the least confident first."""
        place = np.clip(np.searchsorted(EDGES, self.confidence, side="right") - 1, 0, len(EDGES) - 2)
        for k in np.unique(place):
            told, right = self.confidence[place == k], self.right[place == k]
            yield Bin(EDGES[k], EDGES[k + 1], len(told), float(told.mean()), float(right.mean()))

    def expected_error(self) -> float:
        """How far confidence and share of right readings lie apart, by bin, weighted by readings (ECE)."""
        return sum(b.count * abs(b.confidence - b.right) for b in self.bins()) / len(self.readings)

    def auroc(self) -> float:
        """The chance that a right reading is more confident than a wrong one; nan where all are alike."""
        right, wrong = int(self.right.sum()), int((~self.right).sum())
        if not right or not wrong:
            return float("nan")
        ranks = rankdata(self.confidence)
        return float((ranks[self.right].sum() - right * (right + 1) / 2) / (right * wrong))

    def at(self, sure: float) -> Threshold:
        """What a threshold would do."""
        doubted = self.confidence < sure
        return Threshold(sure, int((~self.right & ~doubted).sum()), int((self.right & doubted).sum()))

    def as_marked(self) -> tuple[int, int]:
        """Errors left silent and right readings doubted, by the marks that the readings came with."""
        marked = np.array([r.doubtful for r in self.readings], bool)
        return int((~self.right & ~marked).sum()), int((self.right & marked).sum())

    def highest(self, most_doubted: float) -> Threshold:
        """The highest threshold, in steps of 0.005, that doubts at most this share of the right readings."""
        tried = [self.at(round(0.5 + 0.005 * k, 3)) for k in range(100)]
        few = [t for t in tried if t.doubted <= most_doubted * self.right.sum()]
        return few[-1] if few else tried[0]


def svg(told: Reliability, title: str) -> str:
    """The reliability curve as a picture: what readings say of themselves against how many are right."""
    dots = "\n".join(_dot(b, len(told.readings)) for b in told.bins())
    line = " ".join(f"{_x(b.confidence):.1f},{_y(b.right):.1f}" for b in told.bins())
    marks = "\n".join(
        f'<text x="{_x(v):.0f}" y="448" text-anchor="middle">{v:g}</text>'
        f'<text x="44" y="{_y(v) + 4:.0f}" text-anchor="end">{v:g}</text>'
        for v in (0, 0.2, 0.4, 0.6, 0.8, 1)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 470 490" font-family="sans-serif" font-size="13">
<rect width="470" height="490" fill="white"/>
<text x="250" y="20" text-anchor="middle">{title}</text>
<rect x="50" y="30" width="400" height="400" fill="none" stroke="#888"/>
<line x1="50" y1="430" x2="450" y2="30" stroke="#bbb" stroke-dasharray="4"/>
<polyline points="{line}" fill="none" stroke="#2a7"/>
{dots}
{marks}
<text x="250" y="474" text-anchor="middle">confidence</text>
<text x="16" y="230" text-anchor="middle" transform="rotate(-90 16 230)">share that is right</text>
</svg>
"""


def _dot(b: Bin, total: int) -> str:
    """A dot whose area grows with the share of readings in its bin."""
    radius = 3 + 12 * (b.count / total) ** 0.5
    spot = (
        f'<circle cx="{_x(b.confidence):.1f}" cy="{_y(b.right):.1f}" r="{radius:.1f}" fill="#2a7" fill-opacity="0.5">'
    )
    return f"{spot}<title>{b.low:g} to {b.high:g}: {b.count} readings, {b.right:.1%} right</title></circle>"


def _x(share: float) -> float:
    return 50 + 400 * share


def _y(share: float) -> float:
    return 430 - 400 * share
