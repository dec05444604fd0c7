"""Which halves belong together: two dominoes side by side show the same four halves as two that lie across them.

Where no seam shows between tiles that touch, or one that looks like a bar, the eye may pair the halves wrongly. Whoever
knows the set can tell: then both dominoes lie elsewhere, too, and the two across them are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rules.domino import Domino
from rules.words import pair
from vision.quads import Quad
from vision.scene import Point, TileDetection

Pips = tuple[int, int]

MEETS = 0.2  # of a tile's width: so exactly the long sides of two tiles lie on each other if they make a square


@dataclass(frozen=True)
class Across:
    """Two tiles across two others. instead: which of the tiles of the picture those are."""

    instead: tuple[int, int]
    tiles: tuple[TileDetection, TileDetection]

    @property
    def dominoes(self) -> list[Domino]:
        """What they would be."""
        return [Domino.of(*tile.pips) for tile in self.tiles]


def paired(tiles: Sequence[TileDetection], supply: Collection[Domino]) -> tuple[TileDetection, ...]:
    """The tiles, two of them across where they lay if that alone makes four dominoes lie there rightly that did not.

    supply: the dominoes that may lie there, each as often as it may. What is changed says so (`changed_from`, `why`).
    Where two pairs of tiles could be meant neither is.
    """
    lying, there = Counter(Domino.of(*tile.pips) for tile in tiles if tile.face_up), Counter(supply)
    surplus, missing = lying - there, there - lying
    wrong = {k for k, tile in enumerate(tiles) if tile.face_up and Domino.of(*tile.pips) in surplus}
    told = [one for one in _squares(tiles, wrong) if all(d in missing for d in one.dominoes)]
    right = [one for one in told if len(set(one.dominoes)) == 2 and not any(_rivals(one, other) for other in told)]
    changed = {k: tile for one in right for k, tile in zip(one.instead, one.tiles, strict=True)}
    return tuple(changed.get(k, tile) for k, tile in enumerate(tiles))


def _rivals(one: Across, other: Across) -> bool:
    """Whether only one of two changes can be right."""
    return one is not other and bool({*one.instead} & {*other.instead} or {*one.dominoes} & {*other.dominoes})


def _squares(tiles: Sequence[TileDetection], among: Collection[int]) -> Iterator[Across]:
    """What lies across each two of the tiles with these numbers that make a square."""
    for k, other in combinations(sorted(among), 2):
        across = _across(tiles[k], tiles[other])
        if across is not None:
            yield Across((k, other), across)


def _across(one: TileDetection, other: TileDetection) -> tuple[TileDetection, TileDetection] | None:
    """The two tiles across these, if they make a square."""
    if np.dot(_along(one), _along(other)) < 0:
        other = _turned(other)
    for left, right in ((one, other), (other, one)):
        a, b = np.array(left.corners_px), np.array(right.corners_px)
        if np.linalg.norm(a[[1, 2]] - b[[0, 3]], axis=1).max() < MEETS * np.linalg.norm(a[1] - a[0]):
            outer, inner = (a[0] + a[3]) / 2, (b[1] + b[2]) / 2
            heads = _joined(left, right, 0, np.stack([outer, a[0], b[1], inner]))
            return heads, _joined(left, right, 1, np.stack([a[3], outer, inner, b[2]]))
    return None


def _joined(one: TileDetection, other: TileDetection, half: int, corners: Quad) -> TileDetection:
    """The tile that a half of each makes; as sure as the less sure one."""
    both = f"{pair(*one.pips)} and {pair(*other.pips)}"
    pips = one.pips[half], other.pips[half]
    likelihoods = tuple(tile.likelihoods[half] for tile in (one, other))
    return replace(
        min(one, other, key=lambda tile: tile.confidence),
        corners_px=_points(corners),
        centers_px=(one.centers_px[half], other.centers_px[half]),
        pips=pips,
        likelihoods=(likelihoods[0], likelihoods[1]),
        changed_from=one.pips,
        why=f"{both} lie elsewhere, so their halves make {pair(*pips)}",
    )


def _points(corners: Quad) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _along(tile: TileDetection) -> NDArray[np.float64]:
    return np.subtract(tile.centers_px[1], tile.centers_px[0])


def _turned(tile: TileDetection) -> TileDetection:
    """The same tile, its other half first."""
    a, b, c, d = tile.corners_px
    (head, tail), (first, second), (high, low) = tile.centers_px, tile.pips, tile.likelihoods
    return replace(
        tile, corners_px=(c, d, a, b), centers_px=(tail, head), pips=(second, first), likelihoods=(low, high)
    )
