"""A map of Mountains and Valleys found by annealing: turn, exchange and shift dominoes until all areas are joined.

The idea of annealing the tiling, the order and the flips together is an old one; here every change begins at a square
that cannot be reached from the biggest area, and the number of areas is what has to fall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import NamedTuple

from rules.domino import Domino
from rules.mountains.heights import BITS, SIDE, SQUARES, areas_at, levels_of
from rules.watch import Watch

HEAT = 0.18
RESTART = 1_000
TURNING, EXCHANGING = 0.3, 0.85

Place = tuple[int, int]
"""The two squares of a domino, counted row by row, the left or upper one first."""


class _Change(NamedTuple):
    """Squares with their new heights, and for two dominoes their new places, if they get any."""

    squares: tuple[int, ...]
    heights: tuple[int, ...]
    places: Mapping[int, Place]


@dataclass
class Draft:
    """A map that is being worked on: its heights, and where its movable dominoes lie; owner is -1 for all others."""

    heights: list[int]
    places: list[Place]
    chance: Random

    def __post_init__(self) -> None:
        self.levels = levels_of(self.heights)
        self.owner = [-1] * SQUARES
        self.movable = sum(1 << square for place in self.places for square in place)
        for number, place in enumerate(self.places):
            for square in place:
                self.owner[square] = number

    def improve(self, steps: int) -> int:
        """Anneal until all areas are one, at most so many steps; returns how many were made, `steps + 1` in vain."""
        heights, levels, chance = self.heights, self.levels, self.chance
        count, biggest = areas_at(levels)
        for step in range(steps + 1):
            if count == 1:
                return step
            change = self._change(self._cut_off(biggest))
            if change is None:
                continue
            old = [heights[square] for square in change.squares]
            self._set(change.squares, change.heights)
            after, bigger = areas_at(levels)
            if after <= count or chance.random() < exp((count - after) / HEAT):
                count, biggest = after, bigger
                self._move(change.places)
            else:
                self._set(change.squares, old)
        return steps + 1

    def _set(self, squares: Sequence[int], heights: Sequence[int]) -> None:
        lying, levels = self.heights, self.levels
        for square, height in zip(squares, heights, strict=True):
            bit = BITS[square]
            levels[lying[square]] ^= bit
            levels[height] ^= bit
            lying[square] = height

    def _move(self, places: Mapping[int, Place]) -> None:
        for number, place in places.items():
            self.places[number] = place
            for square in place:
                self.owner[square] = number

    def _cut_off(self, biggest: int) -> int:
        """A movable domino off the biggest area; where none is, any."""
        off = self.movable & ~biggest
        if not off:
            return self._any()
        for _ in range(int(self.chance.random() * off.bit_count())):
            off &= off - 1
        return self.owner[(off & -off).bit_length() - 1]

    def _any(self) -> int:
        return int(self.chance.random() * len(self.places))

    def _change(self, number: int) -> _Change | None:
        kind = self.chance.random()
        if kind < TURNING:
            one, other = self.places[number]
            return _Change((one, other), (self.heights[other], self.heights[one]), {})
        return self._exchange(number) if kind < EXCHANGING else self._shift(number)

    def _halves(self, number: int) -> tuple[int, int]:
        """The numbers of a domino, any way round."""
        one, other = self.places[number]
        pair = self.heights[one], self.heights[other]
        return pair if self.chance.random() < 0.5 else pair[::-1]

    def _exchange(self, number: int) -> _Change | None:
        """Two dominoes change places."""
        other = self._any()
        if other == number:
            return None
        squares = (*self.places[number], *self.places[other])
        return _Change(squares, (*self._halves(other), *self._halves(number)), {})

    def _shift(self, number: int) -> _Change | None:
        """Two dominoes side by side turn, as a block of two by two, so that they lie across."""
        one, other = self.places[number]
        along = other - one
        across = SIDE + 1 - along
        for by in (across, -across) if self.chance.random() < 0.5 else (-across, across):
            beside = one + by
            if not 0 <= beside < SQUARES or (across == 1 and beside // SIDE != one // SIDE):
                continue
            twin = self.owner[beside]
            if twin >= 0 and self.places[twin] == (beside, beside + along):
                first, second = sorted((one, beside)), sorted((other, beside + along))
                places = {number: (first[0], first[1]), twin: (second[0], second[1])}
                return _Change((*first, *second), (*self._halves(number), *self._halves(twin)), places)
        return None


def begun(fixed: Sequence[int], dominoes: Sequence[Domino], places: Sequence[Place], chance: Random) -> Draft:
    """A map to begin with: the lowest dominoes in the first places, more or less, each any way round.

    fixed: heights that stay, whatever stands where dominoes go.
    """
    heights = list(fixed)
    order = sorted(dominoes, key=lambda domino: domino.high + domino.low + 2 * chance.random())
    for place, domino in zip(places, order, strict=True):
        one, other = place
        heights[one], heights[other] = chance.sample((domino.high, domino.low), 2)
    return Draft(heights, list(places), chance)


def anneal(
    fixed: Sequence[int], dominoes: Sequence[Domino], starts: Sequence[Sequence[Place]], chance: Random, watch: Watch
) -> tuple[Draft | None, int]:
    """A map on which every square can be walked to, None where `watch` ended it first; and how many were looked at.

    starts: places for the dominoes, the lowest first; one of them is taken each time it begins anew.
    """
    looked_at = 0
    while watch.goes_on(looked_at, 0):
        draft = begun(fixed, dominoes, chance.choice(starts), chance)
        steps = draft.improve(RESTART)
        looked_at += steps
        if steps <= RESTART:
            return draft, looked_at
    return None, looked_at


def snake() -> tuple[Place, ...]:
    """Places over the whole square in an order that goes to and fro, so that neighbours in it are neighbours there."""
    rows = [[(row * SIDE + col, (row + 1) * SIDE + col) for col in range(SIDE)] for row in range(0, SIDE, 2)]
    return tuple(place for number, row in enumerate(rows) for place in (row if number % 2 == 0 else reversed(row)))
