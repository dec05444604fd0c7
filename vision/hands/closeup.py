"""A tile with its surroundings, seen so that the player of one side sits below it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.table import TableSide
from vision.layout.seats import SIDES
from vision.scene import Point
from vision.straighten import Image

SIZE = 108  # pixels of a close-up, each way
ACROSS = 3.0  # tiles' lengths that it shows, each way
FAR = 10.0  # tiles' lengths that count as 1 where a place is described
LESS = np.array([0.5] * 7 + [0.0], np.float32)  # what is taken off the scaled pixels of each channel


@dataclass(frozen=True)
class View:
    """Where a close-up is taken: about a middle in pixels, of tiles of this length.

    size: pixels of the close-up, each way. across: tiles' lengths that it shows, each way.
    """

    middle: Point
    length: float
    size: int = SIZE
    across: float = ACROSS

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner of what it shows."""
        half = self.across * self.length / 2
        return self.middle[0] - half, self.middle[1] - half

    def see(self, frame: Image) -> Image:
        """The close-up, (size, size, 3), of a BGR frame; beyond the picture its border goes on."""
        (x, y), side = self.corner, max(2, round(self.across * self.length))
        left, top = round(x), round(y)
        part = frame[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
        height, width = frame.shape[:2]
        above, before = max(0, -top), max(0, -left)
        below, behind = max(0, top + side - height), max(0, left + side - width)
        if above or before or below or behind:
            part = np.asarray(cv2.copyMakeBorder(part, above, below, before, behind, cv2.BORDER_REPLICATE), np.uint8)
        how = cv2.INTER_AREA if side > self.size else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(part, (self.size, self.size), interpolation=how), np.uint8)

    def onto(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Points (n, 2) of the frame in pixels of the close-up."""
        by = self.size / (self.across * self.length)
        return np.asarray((np.asarray(points_px, np.float64) + 0.5 - np.asarray(self.corner)) * by - 0.5)

    def whereabouts(self, side: TableSide, size_px: tuple[int, int]) -> tuple[float, float, float, float]:
        """How far the left, the right, the own and the far edge of the picture are, as a side's player sees it."""
        (x, y), (width, height) = self.middle, size_px
        ways = (height - y, x, y, width - x)  # to the bottom, the left, the top, the right
        k = SIDES.index(side)
        near, left, far, right = (ways[(k + turn) % 4] / self.length / FAR for turn in range(4))
        return left, right, near, far


def turned(pictures: NDArray[np.generic], side: TableSide) -> NDArray[np.generic]:
    """Pictures (..., rows, cols) turned so that a side lies below."""
    return np.rot90(pictures, SIDES.index(side), (-2, -1))


def turned_points(points: ArrayLike, side: TableSide) -> NDArray[np.float64]:
    """Points (n, 2) of a close-up where they lie once it is turned so that a side lies below."""
    x, y = np.asarray(points, np.float64).T
    for _ in range(SIDES.index(side)):
        x, y = y, SIZE - 1 - x
    return np.column_stack([x, y])


def face(corners: ArrayLike) -> Image:
    """A tile's face, given by its corners in pixels of the close-up, 255 on black."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.asarray(corners, np.float64)).astype(np.int32), (255,))
    return mask


def stacked(frames: NDArray[np.uint8], still: Image, tile: Image) -> NDArray[np.uint8]:
    """Colours now, light a frame before, the still table and the tile, (n - 1, 108, 108, 8).

    frames: (n, 108, 108, 3) close-ups; still: one without hands; tile: see `face`.
    """
    told = np.empty((len(frames) - 1, SIZE, SIZE, 8), np.uint8)
    told[..., :3] = frames[1:]
    told[..., 3] = [cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) for frame in frames[:-1]]
    told[..., 4:7] = still
    told[..., 7] = tile
    return told


def scale(still: Image) -> NDArray[np.float32]:
    """(8,): what the pixels of each channel are multiplied by, so that the still table's brightest parts are 1."""
    top = max(24.0, float(np.percentile(still.max(axis=2), 98)))
    return np.array([1 / top] * 7 + [1 / 255], np.float32)


class Closeups:
    """What the network sees of one tile, moment by moment, measured by the still table's brightest parts.

    still: (108, 108, 3), the close-up of the table without hands. tile: see `face`. calm: (8, 108, 108), what it sees
    while nothing happens.
    """

    def __init__(self, still: Image, tile: Image) -> None:
        self._by = scale(still)
        (pixels,) = stacked(np.stack([still] * 2), still, tile)
        self.calm = np.ascontiguousarray((pixels * self._by - LESS).transpose(2, 0, 1), np.float32)

    def of(self, before: Image, now: Image) -> NDArray[np.float32]:
        """(8, 108, 108): as `stacked` has it, of a close-up and that of a frame before."""
        told = self.calm.copy()
        planes = (*cv2.split(now), cv2.cvtColor(before, cv2.COLOR_BGR2GRAY))
        for k, plane in enumerate(planes):
            np.multiply(plane, self._by[k], out=told[k])
            told[k] -= LESS[k]
        return told
