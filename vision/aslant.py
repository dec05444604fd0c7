"""Tables seen from a chair: there tiles look askew and flat, and what the likely ones tell of the tilt finds the rest.

The detector takes every tile for a rectangle, and meets few as flat as they look from a low chair. Once a few tiles
tell where straight above the table is, the other candidates get the shape that a tile has in their place, and the
detector looks a second time, at the table as it is seen from above.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.homography import Array, inverse, mapped
from vision import sizes
from vision.blanks import presence
from vision.leaning import as_usual, to_table
from vision.level import leveling
from vision.peaks import Candidate
from vision.quads import Quad, corners_of
from vision.scene import TileDetection
from vision.straighten import Image, as_point

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in pixels

TILTED = 1.12  # how much longer one direction has to look than the other: less is no trouble to the detector
FEWEST = 0.9  # so many tiles, chances taken together, tell how the table lies
AROUND = 8.0  # halves: so far beyond the likely tiles others are looked for
NEAR = 2.0  # and so far beyond other points
LONGEST_SIDE = 1280  # pixels of the picture from above
ALIKE = 0.2  # so much larger or smaller, as a logarithm, a tile may look from above
STEP = 0.1  # of a way: so short a part of it is measured
HALVES = 0.5 * float(np.log(2))  # a tile's size: half the logarithm of its area in halves
FROM_CHAIRS = (0.9, 1.5, 2.4)  # how steeply the table falls away ahead there: looking down at 48, 34 and 23 degrees
MANY = 16  # tiles that tell the tilt by themselves
AS_IT_WAS = 0.1  # widths: a candidate whose corners move by less than this has its shape already


@dataclass(frozen=True, eq=False)
class Tilt:
    """How a table lies before the camera.

    to_table: (3, 3) homography from pixels to the table, in halves. faces: the corners (n, 4, 2) of tiles on it.
    """

    to_table: Array
    faces: Array

    @property
    def stretch(self) -> tuple[float, float]:
        """How many pixels a half is long amid the tiles, along the direction that looks longest and the shortest."""
        return self.stretch_at(self.faces.mean(axis=(0, 1)))

    def stretch_at(self, point: Sequence[float] | Array) -> tuple[float, float]:
        """The same at a point of the picture."""
        longest, shortest = self._stretches(np.array([point]))[0]
        return float(longest), float(shortest)

    def nearer(self, point: Sequence[float] | Array) -> Array:
        """The way (2,) on the table, one half long, that leads from a point of the picture toward the camera."""
        step = self.to_table[2, :2] / max(float(np.linalg.norm(self.to_table[2, :2])), 1e-12)
        here, there = mapped(self.to_table, np.array([point, np.add(point, step)]))
        return np.asarray((there - here) / max(float(np.linalg.norm(there - here)), 1e-12))

    def is_before(self, point: Sequence[float] | Array) -> bool:
        """Whether a point of the picture is below the horizon."""
        return bool(self.to_table[2] @ [*point, 1.0] > 0)

    def disturbs(self, points: Iterable[tuple[float, float]]) -> bool:
        """Whether tiles look so flat that more are found from above, be it amid those known or at these points.

        Far from the known ones tiles may look much flatter.
        """
        amid = self.faces.mean(axis=(0, 1))
        longest, shortest = self._stretches(np.array([amid, *(point for point in points if self.is_before(point))])).T
        return bool((longest > TILTED * shortest).any())

    def _stretches(self, points: Array) -> Array:
        """(n, 2): of each of some points (n, 2), the longest first."""
        ways = STEP * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
        right, down, left, up = mapped(inverse(self.to_table), mapped(self.to_table, points) + ways[:, None])
        steps = np.stack([right - left, down - up], axis=1) / (2 * STEP)
        return np.asarray(np.linalg.svd(steps, compute_uv=False))

    def unlikeness(self, quads: Sequence[Quad]) -> list[float]:
        """How far the size of each face (4, 2) is from a tile's where it lies on the table, as of vision.sizes."""
        return [abs(sizes.size(mapped(self.to_table, quad)) - HALVES) for quad in quads]


def tilt_of(faces: Sequence[Quad], chances: Sequence[float], size_px: tuple[int, int]) -> Tilt:
    """How the table lies on which these faces (4, 2) are seen, one or more, in a picture (width, height).

    chances: that each is a tile. Many tiles tell it by themselves, a few with what is usual of cameras.
    """
    many = len(faces) >= MANY
    return Tilt(leveling(np.stack(faces)) if many else to_table(faces, chances, size_px), np.stack(faces))


def usual_tilts(faces: Sequence[Quad], size_px: tuple[int, int]) -> list[Tilt]:
    """How a table may lie before a camera held as from a chair, in a picture (width, height) of what may be tiles."""
    return [Tilt(as_usual(faces, ahead, size_px), np.stack(faces)) for ahead in FROM_CHAIRS]


def tilt_under(tiles: Sequence[TileDetection], size_px: tuple[int, int]) -> Tilt | None:
    """How the table lies under these tiles in a picture (width, height); None where too few of them are likely."""
    chances = [presence(tile) for tile in tiles]
    if sum(chances) < FEWEST:
        return None
    return tilt_of([corners_of(tile) for tile in tiles], chances, size_px)


def askew(candidates: Iterable[Candidate], tilt: Tilt) -> list[Candidate]:
    """Those candidates that need it, with the size and the corners that a tile has which lies there in that way."""
    facing = [c for c in candidates if tilt.is_before(c.center)]
    shaped = [_lying(c, tilt) for c in facing]
    return [new for old, new in zip(facing, shaped, strict=True) if _differ(old, new)]


def _lying(candidate: Candidate, tilt: Tilt) -> Candidate:
    middle, ahead = (mapped(tilt.to_table, np.add(candidate.center, step)) for step in ((0, 0), candidate.along))
    way = (ahead - middle) / max(float(np.linalg.norm(ahead - middle)), 1e-9)
    return _shaped(candidate, inverse(tilt.to_table), middle, way, np.array([-way[1], way[0]]) / 2)


def _differ(old: Candidate, new: Candidate) -> bool:
    return bool(abs(new.corners - old.corners).max() > AS_IT_WAS * 2 * np.hypot(*new.across))


def from_above(
    levels: Sequence[Image], tilt: Tilt, box: Box | None = None, also: Sequence[tuple[float, float]] = ()
) -> tuple[Image, Array]:
    """The table around the tiles as it looks from above, and the homography (3, 3) from there back to the picture.

    levels: the picture as vision.straighten.pyramid makes it. box: x0, y0, x1, y1, the part of it that matters. also:
    points of it around which the table is shown as well, where they are not too far away.
    """
    low, high = _region(box or (0, 0, levels[0].shape[1], levels[0].shape[0]), tilt, also)
    half_px = min(tilt.stretch[0], LONGEST_SIDE / max(float((high - low).max()), 1e-6))
    onto = np.array([[half_px, 0, -half_px * low[0]], [0, half_px, -half_px * low[1]], [0, 0, 1]])
    size = np.maximum(np.ceil((high - low) * half_px), 1).astype(int)
    level = int(np.clip(np.floor(np.log2(tilt.stretch[0] / half_px)), 0, len(levels) - 1))
    shrunk = np.array([[2.0**level, 0, (2**level - 1) / 2], [0, 2.0**level, (2**level - 1) / 2], [0, 0, 1]])
    seen = cv2.warpPerspective(levels[level], onto @ tilt.to_table @ shrunk, tuple(size.tolist()))
    return np.asarray(seen, np.uint8), inverse(onto @ tilt.to_table)


def to_scale(seen: Iterable[Candidate], tilt: Tilt, back: Array) -> Tilt:
    """The same tilt, but a tile is as large as most of these candidates, one or more, found from above."""
    by = float(np.exp(-np.median([_size(c, tilt) for c in _in_picture(seen, back)])))
    return replace(tilt, to_table=np.diag([by, by, 1.0]) @ tilt.to_table)


def brought_back(seen: Iterable[Candidate], tilt: Tilt, back: Array, size_px: tuple[int, int]) -> list[Candidate]:
    """Candidates found from above as they lie in the picture (width, height), as far as it shows them.

    From above all tiles are of one size: what is of another is none.
    """
    shown = [c for c in _in_picture(seen, back) if 0 <= c.center[0] < size_px[0] and 0 <= c.center[1] < size_px[1]]
    return [c for c in shown if abs(_size(c, tilt)) < ALIKE]


def _in_picture(seen: Iterable[Candidate], back: Array) -> list[Candidate]:
    return [_shaped(c, back, np.array(c.center), np.array(c.along), np.array(c.across)) for c in seen]


def _size(candidate: Candidate, tilt: Tilt) -> float:
    """How much longer and wider it is on the table than a tile, as a logarithm."""
    sides = _steps(tilt.to_table, np.array(candidate.center), np.array([candidate.along, candidate.across]))
    return 0.5 * float(np.log(max(2 * abs(np.linalg.det(sides)), 1e-6)))


def _region(box: Box, tilt: Tilt, also: Sequence[tuple[float, float]]) -> tuple[Array, Array]:
    """The part of the table, from (x, y) to (x, y), that is around the tiles and other points, and in this box."""
    left, upper, right, lower = box
    middles = mapped(tilt.to_table, tilt.faces.mean(axis=1))
    low, high = middles.min(axis=0) - AROUND, middles.max(axis=0) + AROUND
    for x, y in (mapped(tilt.to_table, np.array([point]))[0] for point in also if tilt.is_before(point)):
        if (low - AROUND < (x, y)).all() and ((x, y) < high + AROUND).all():
            low, high = np.minimum(low, (x - NEAR, y - NEAR)), np.maximum(high, (x + NEAR, y + NEAR))
    corners = np.array([[left, upper], [right, upper], [right, lower], [left, lower]], float)
    depth = corners @ tilt.to_table[2, :2] + tilt.to_table[2, 2]
    if (depth > 0).all():  # the horizon is not in it
        shown = mapped(tilt.to_table, corners)
        low, high = np.maximum(low, shown.min(axis=0)), np.minimum(high, shown.max(axis=0))
    return low, np.maximum(high, low + STEP)


def _shaped(candidate: Candidate, to_picture: Array, middle: Array, along: Array, across: Array) -> Candidate:
    """The candidate as a tile looks in the picture whose middle and half sides are these where it lies flat."""
    center, (a, b) = mapped(to_picture, middle), _steps(to_picture, middle, np.stack([along, across]))
    return replace(candidate, center=as_point(center), along=as_point(a), across=as_point(b))


def _steps(matrix: Array, at: Array, ways: Array) -> Array:
    """How the ways (n, 2) from a point look after a homography, which is taken for even over so short a stretch."""
    return np.asarray((mapped(matrix, at + STEP * ways) - mapped(matrix, at - STEP * ways)) / (2 * STEP))
