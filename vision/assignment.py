"""What the set knows: each domino lies once on the table, so a tile that is hard to read is what no other tile is.

The prior weighs and does not forbid: a domino laid twice by mistake, or one from another set, stays visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from rules.domino import HIGHEST_PIPS, Domino, DominoSet
from rules.words import pair
from vision.blanks import known_blank
from vision.pairing import paired
from vision.reading import SHORTEST_READABLE, SURE
from vision.scene import Alternative, Scene, TileDetection, likeliest

Floats = NDArray[np.float64]
Pips = tuple[int, int]

# The chance that a tile is not one of those promised: a second one of its kind, or one of another set. Two boxes get
# mixed up in perhaps one game of forty, which is one tile in a thousand. It has to lie well above the chance that a
# reader who is all but certain is wrong, else a true duplicate would be read away, and well below the chances that an
# unsure reader gives to its second best, else the set would settle nothing.
DUPLICATE = 1e-3

_SIDES = HIGHEST_PIPS + 1
_TINY = 1e-12
_OWN = 1 + 1e-3  # what a tile reads as is likelier than what it may be just as well
_ROUNDS, _SETTLED = 300, 1e-7


def assign(scene: Scene, dominoes: int | Iterable[Domino], *, face_down: bool | None = None) -> Scene:
    """The scene read once more by someone who knows which dominoes there are, each as often as it is named.

    dominoes: the highest number of a full set, a DominoSet, or the dominoes dealt.
    face_down: whether some may lie face down, None where nobody knows.
    The readings are the likeliest assignment as a whole; the confidences are each reading's own chance given what the
    other tiles may hold. `likelihoods` stay what was seen: ask with a fresh scene, not twice with the same one.
    """
    supply = tuple(DominoSet(dominoes) if isinstance(dominoes, int) else dominoes)
    tiles = list(paired(known_blank(scene.tiles, supply, face_down=face_down), supply))
    places = [k for k, tile in enumerate(tiles) if tile.face_up]
    if not places:
        return scene
    table = _Table(tuple(tiles[k] for k in places), Counter(supply))
    for number, k in enumerate(places):
        tiles[k] = table.told(number)
    return replace(scene, tiles=tuple(tiles))


@dataclass(frozen=True, eq=False)
class _Table:
    """n face-up tiles and how often there is each of the D dominoes that they may be."""

    tiles: tuple[TileDetection, ...]
    often: Counter[Domino]

    @cached_property
    def supply(self) -> tuple[Domino, ...]:
        """The D dominoes."""
        return tuple(sorted(self.often))

    @cached_property
    def copies(self) -> NDArray[np.int_]:
        """(D,): how often there is each."""
        return np.array([self.often[d] for d in self.supply], int)

    @cached_property
    def seen(self) -> Floats:
        """(n, 16, 16): the chance of each pair of numbers, head first, as each tile alone was read."""
        return np.stack([_seen(tile) for tile in self.tiles])

    @cached_property
    def real(self) -> Floats:
        """(n,): that its numbers are to be believed at all: that it is a tile, face up, and can be read."""
        best = np.array([self.seen[(k, *_within(tile.pips))] for k, tile in enumerate(self.tiles)])
        confidence = np.nan_to_num([tile.confidence for tile in self.tiles])
        return np.asarray(np.clip(confidence / np.maximum(best, _TINY), 0, 1))

    @cached_property
    def chances(self) -> Floats:
        """(n, D): the chance of each domino, either way round."""
        high, low = np.array([(d.high, d.low) for d in self.supply], int).reshape(-1, 2).T
        there, back = self.seen[:, high, low], self.seen[:, low, high]
        return np.asarray(np.where(high == low, there, there + back))

    @cached_property
    def likeliest(self) -> tuple[Pips, ...]:
        """The reading of each tile in the likeliest assignment of all; one that is left over keeps its own best."""
        best = self.seen.max(axis=(1, 2))
        alone = np.diag(1 - self.real + DUPLICATE * self.real * best)
        own = [[_OWN if sorted(tile.pips) == [d.low, d.high] else 1.0 for d in self.supply] for tile in self.tiles]
        each = np.repeat(self.real[:, None] * self.chances * own, self.copies, axis=1)
        _, held = linear_sum_assignment(-np.log(np.maximum(np.hstack([each, alone]), _TINY)))
        there = sorted(self.often.elements())
        return tuple(
            _way_round(self.seen[k], there[d]) if d < len(there) else _best(self.weighed[k]) for k, d in enumerate(held)
        )

    @cached_property
    def weighed(self) -> Floats:
        """(n, 16, 16): the chance of each pair of numbers if it is a tile at all, given what the others may be.

        Whether it is one is told by the picture alone: that its domino lies elsewhere is a fault to be shown, and no
        reason to think that it is not there.
        """
        left = np.zeros_like(self.seen)
        for d, free in zip(self.supply, availability(self.chances, self.real, self.copies).T, strict=True):
            left[:, d.high, d.low] = left[:, d.low, d.high] = free
        weight = self.seen * ((1 - DUPLICATE) * left + DUPLICATE)
        return np.asarray(weight / weight.sum(axis=(1, 2), keepdims=True))

    def told(self, k: int) -> TileDetection:
        """One tile with its numbers, its confidence and its doubt as they are now."""
        tile, pips, weighed = self.tiles[k], self.likeliest[k], self.weighed[k]
        confidence = float(self.real[k] * weighed[_within(pips)])
        doubtful = confidence < SURE or _hopeless(tile)
        others = (Alternative((int(a), int(b)), float(chance)) for (a, b), chance in np.ndenumerate(weighed))
        return replace(
            tile,
            pips=pips,
            confidence=confidence,
            doubtful=doubtful,
            why=self._why(tile, pips, doubtful=doubtful),
            changed_from=tile.pips if pips != tile.pips else tile.changed_from,
            weighed=likeliest(other for other in others if other.pips != pips),
        )

    def _why(self, tile: TileDetection, pips: Pips, *, doubtful: bool) -> str:
        """Why a tile is read so, or is in doubt."""
        if pips != tile.pips:
            return self._change(tile.pips, pips)
        if tile.changed_from is not None:  # its halves were paired otherwise
            return tile.why
        return (tile.why or self._rival(pips)) if doubtful else ""

    def _change(self, before: Pips, pips: Pips) -> str:
        held = any(sorted(before) == sorted(other) for other in self.likeliest)
        reason = "lies elsewhere" if held else "is none of the dominoes here"
        return f"{pair(*before)} {reason}, so this is {pair(*pips)}"

    def _rival(self, pips: Pips) -> str:
        promised = any(sorted(pips) == [d.low, d.high] for d in self.supply)
        return f"{pair(*pips)} {'may lie elsewhere' if promised else 'is none of the dominoes here'}"


def availability(chances: Floats, real: Floats, copies: NDArray[np.int_]) -> Floats:
    """(n, D): the chance that the other tiles leave a domino free, for each tile that might hold it.

    chances: (n, D) of each domino for each tile by itself. real: (n,) that a tile holds what it shows. copies: (D,) how
    often there is each, where more than twice counts as twice. Exact sums would take the permanent of a matrix; this is
    belief propagation for matchings in which tiles may stay unmatched, after Bayati and others, "Simple deterministic
    approximation algorithms for counting matchings" (2007): it is exact where no ring of tiles and dominoes hangs
    together, and settles everywhere.
    """
    weight = (1 - DUPLICATE) * real[:, None] * chances
    unmatched = np.maximum(1 - (1 - DUPLICATE) * real, _TINY)[:, None]
    free = np.ones_like(weight)
    for _ in range(_ROUNDS):
        held = weight * free
        claim = weight / (unmatched + np.maximum(held.sum(axis=1, keepdims=True) - held, 0))
        fresh = np.sqrt(_left_free(claim, copies) * free)  # halfway, or two rounds would answer each other for ever
        if np.abs(fresh - free).max(initial=0) < _SETTLED:
            break
        free = fresh
    return free


def _left_free(claim: Floats, copies: NDArray[np.int_]) -> Floats:
    """(n, D): the chance that the claims of the other tiles leave a domino free that is there once, or twice."""
    others = np.maximum(claim.sum(axis=0) - claim, 0)
    two = np.maximum(others**2 - (claim**2).sum(axis=0) + claim**2, 0) / 2
    return np.asarray(np.where(copies > 1, (1 + others) / (1 + others + two), 1 / (1 + others)))


def _seen(tile: TileDetection) -> Floats:
    """(16, 16), summing to 1; a tile that comes without likelihoods is taken at its word."""
    rows = np.zeros((2, _SIDES))
    for half, told in enumerate(tile.likelihoods):
        rows[half, : len(told)] = np.nan_to_num(told[:_SIDES])
        if not rows[half].any():
            rows[half, _within(tile.pips)[half]] = 1
    rows /= rows.sum(axis=1, keepdims=True)
    return np.outer(*rows)


def _within(pips: Pips) -> Pips:
    head, tail = (min(max(half, 0), HIGHEST_PIPS) for half in pips)
    return head, tail


def _best(seen: Floats) -> Pips:
    head, tail = divmod(int(seen.argmax()), _SIDES)
    return head, tail


def _way_round(seen: Floats, domino: Domino) -> Pips:
    there, back = (domino.high, domino.low), (domino.low, domino.high)
    return there if seen[there] >= seen[back] else back


def _hopeless(tile: TileDetection) -> bool:
    """Whether a tile is doubted for something that knowing the set does not mend."""
    return tile.doubtful and (tile.confidence >= SURE or tile.length_px < SHORTEST_READABLE)
