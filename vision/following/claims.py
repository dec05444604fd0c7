"""Which changed parts of the table the tiles account for, and which something else must have covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import CELL, Mask, Movement, Region, grown, regions

GROWN = 3  # cells around a tile that change with it: its shadow, and the blur of the comparison
CLOSE = 1  # and those that surely do
UNEXPLAINED = 0.35  # of a region: where tiles account for less of the rest, something lies over it
REACHES_IN = 0.2  # the same of a region that touches the border: beneath an arm's edge tiles account for much of it
UNTOUCHED = 0.3  # of a tile's place: where less than that changed, the tile was not lifted
EXAMINED = 0.85  # of a region that has been searched for new tiles


@dataclass(frozen=True)
class Claims:
    """One frame's changes against the tiles known: unlike says of each tile whether its place looks otherwise.

    feet: the cells of each tile. examined: cells searched for new tiles since something last moved there. vacated:
    cells from which tiles are known to have gone since then. lingering: as of motion.regions. standing: the cells of
    each piece.
    """

    movement: Movement
    unlike: NDArray[np.bool_]
    feet: Sequence[Mask]
    examined: Mask
    vacated: Mask
    lingering: int
    standing: Sequence[Mask] = ()

    @cached_property
    def regions(self) -> list[Region]:
        """The changed regions, the largest first."""
        return regions(self.movement, self.lingering) if self.movement.changed.any() else []

    @property
    def reaching(self) -> Mask:
        """The cells over which something reaches in from outside that is no part of the table: mostly an arm."""
        cells = np.zeros_like(self.examined)
        for region in self.regions:
            if region.enters:
                cells |= region.cells
        return cells

    def moving(self, k: int) -> bool:
        """Whether something moves at tile k."""
        return bool((self.movement.moving & self.feet[k]).any())

    def untouched(self, k: int) -> bool:
        """Whether the place of tile k has the colours that it had, but for a rim that what lies beside it changed."""
        return bool((self.movement.changed & self.feet[k]).sum() < UNTOUCHED * self.feet[k].sum())

    def changing(self, k: int) -> bool:
        """Whether something at tile k moves or changed a moment ago, so that a look at it may be a look at that."""
        unsettled = (region for region in self.regions if not region.settled)
        return self.moving(k) or any((region.cells & self.feet[k]).any() for region in unsettled)

    def disturbs(self, region: Region) -> bool:
        """Whether a tile in a region looks otherwise than it is known."""
        return any(gone and (region.cells & foot).any() for foot, gone in zip(self.feet, self.unlike, strict=True))

    def covered(self, k: int) -> bool:
        """Whether something moves or lies over tile k."""
        if not self.unlike[k]:
            return False
        return self.moving(k) or any(
            (region.cells & self.feet[k]).any() and (not region.settled or self.foreign(region, self.standing))
            for region in self.regions
        )

    def foreign(self, region: Region, new: Sequence[Mask] = ()) -> bool:
        """Whether more of a region changed than tiles that came or went account for, or it reaches in from outside.

        A tile that looks as it is known accounts for its place too: nothing lies over it.
        """
        left = self._left(region, new)
        border = left[0].any() or left[-1].any() or left[:, 0].any() or left[:, -1].any()
        most = REACHES_IN if region.enters else UNEXPLAINED
        return bool(border or left.sum() > most * region.cells.sum())

    def _left(self, region: Region, new: Sequence[Mask], by: int = GROWN) -> Mask:
        """What changed of a region that no tiles account for, which change so many cells around them."""
        left = region.cells & ~self.vacated
        for foot in [*self.feet, *new]:
            left &= ~grown(foot, by)
        return left

    def strange(self, region: Region, pieces: Sequence[Mask]) -> Mask:
        """The cells of a region in which something lies that is neither a tile nor a piece, nor reaches in.

        Close beside a small tile another one has no more room than what changes around a tile.
        """
        left = self._left(region, pieces, CLOSE)
        lies = left.sum() > UNEXPLAINED * region.cells.sum() and not region.enters
        return left if lies else np.zeros_like(left)

    def unsearched(self) -> Region | None:
        """The largest settled region not yet searched for new tiles."""
        open_ = (r for r in self.regions if r.settled and self.examined[r.cells].mean() < EXAMINED)
        return next(open_, None)

    def searched(self) -> list[Region]:
        """The settled regions that were searched for new tiles."""
        return [r for r in self.regions if r.settled and self.examined[r.cells].mean() >= EXAMINED]

    def finished(self) -> list[Region]:
        """Regions searched, settled, and with no tile that awaits a verdict: the table looks like this now."""
        return [r for r in self.searched() if not self.disturbs(r)]


def footprint(corners: NDArray[np.float64], by: int, shape: tuple[int, ...]) -> Mask:
    """The cells on which a tile lies; corners are in pixels of the frame, `by` of which make a working one."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners + 0.5) / (by * CELL) - 0.5).astype(np.int32), 1)
    return np.asarray(mask > 0, np.bool_)


def accounts(foot: Mask, cells: Mask) -> bool:
    """Whether a tile on a footprint may be why these cells changed."""
    return bool((cells & ~grown(foot, GROWN)).sum() <= UNEXPLAINED * cells.sum())
