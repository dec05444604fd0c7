"""The picture's border, walked round clockwise from its top left corner: where arms come in."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.scene import Point

Floats = NDArray[np.float64]

INNER = 0.6  # of a stretch, about its middle: there an arm comes in that reaches over all of it


@dataclass(frozen=True)
class _Stretch:
    """A part of the border: where it begins, so far round the picture, and how long it is."""

    first: float
    length: float

    @property
    def middle(self) -> float:
        return self.first + self.length / 2


@dataclass(frozen=True)
class Border:
    """The border of a picture, size: (width, height) in pixels."""

    size: tuple[int, int]

    @property
    def around(self) -> float:
        """How long it is."""
        return 2.0 * sum(self.size)

    def entries(self, mask: NDArray[np.uint8], gap: float, least: float) -> list[Point]:
        """The middles of the stretches over which a mask reaches the border; nearer ones than a gap are one."""
        return [self._at(one.middle) for one in self._stretches(mask, gap, least)]

    def followed(self, entry: Point, mask: NDArray[np.uint8], gap: float, least: float) -> Point:
        """Where an arm comes in now that came in at an entry before.

        It stays as near to that as it can: a hand that reaches along the border covers ever more of it on one side.
        """
        stretches = self._stretches(mask, gap, least)
        if not stretches:
            return entry
        place = self._round(entry)
        nearest = min(stretches, key=lambda one: abs(self._from(one.middle, place)))
        most = INNER / 2 * nearest.length
        return self._at(nearest.middle + min(most, max(-most, self._from(nearest.middle, place))))

    def _stretches(self, mask: NDArray[np.uint8], gap: float, least: float) -> list[_Stretch]:
        places = self._reached(mask)
        if not len(places):
            return []
        gaps = np.diff(np.append(places, places[0] + self.around))
        cuts = [k for k, wide in enumerate(gaps) if wide > gap] or [len(places) - 1]
        found = []
        for before, last in pairwise([*cuts, cuts[0] + len(places)]):
            first = float(places[(before + 1) % len(places)])
            found.append(_Stretch(first, float(places[last % len(places)] - first) % self.around))
        return [one for one in found if one.length >= least]

    def nearest(self, window: tuple[slice, slice]) -> Point:
        """The place on the border that a window in rows and columns is nearest to."""
        (width, height), (rows, cols) = self.size, window
        x, y = (cols.start + cols.stop) / 2, (rows.start + rows.stop) / 2
        ways = {(0.0, y): cols.start, (width - 1.0, y): width - cols.stop, (x, 0.0): rows.start}
        ways[x, height - 1.0] = height - rows.stop
        return min(ways, key=lambda place: ways[place])

    def _reached(self, mask: NDArray[np.uint8]) -> Floats:
        """How far round those places of the border are that a mask covers, in order."""
        (width, height), every = self.size, np.flatnonzero
        return np.concatenate(
            [
                every(mask[0]),
                width + every(mask[:, -1]),
                np.sort(2 * width + height - 1 - every(mask[-1])),
                np.sort(2 * (width + height) - 1 - every(mask[:, 0])),
            ]
        ).astype(np.float64)

    def _from(self, start: float, place: float) -> float:
        """How far it is from one place to another, the shorter way round: negative against the clock."""
        half = self.around / 2
        return (place - start + half) % self.around - half

    def _round(self, point: Point) -> float:
        """How far round the picture a point of the border lies."""
        (x, y), (width, height) = point, self.size
        if y <= 0:
            return x
        if x >= width - 1:
            return width + y
        return 2 * width + height - 1 - x if y >= height - 1 else self.around - 1 - y

    def _at(self, place: float) -> Point:
        """The point so far round the picture."""
        width, height = self.size
        place %= self.around
        if place < width:
            return place, 0.0
        if place < width + height:
            return width - 1.0, place - width
        if place < 2 * width + height:
            return 2 * width + height - 1 - place, height - 1.0
        return 0.0, self.around - 1 - place
