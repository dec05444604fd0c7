"""Solids in the scene: boxes with their visible sides, and what everything that stands on a table has in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.sets import Color, Face, SetStyle, dimmed

Field = NDArray[np.float32]
Points = NDArray[np.float64]
SHIFT = 4  # bits of sub-pixel position for OpenCV's drawing


@dataclass(frozen=True)
class Box:
    """A box on the table: middle, half sizes along its own axes, turn, and height; z0 is what it stands on."""

    x: float
    y: float
    along: float
    across: float
    angle_deg: float
    height: float
    z0: float = 0.0

    def ring(self, z: float) -> Points:
        """The four corners at height z: head-left, head-right, tail-right, tail-left."""
        a = np.deg2rad(self.angle_deg)
        ux, uy = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        flat = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
        xy = np.array([self.x, self.y]) + np.array([sx * self.along * ux + sy * self.across * uy for sx, sy in flat])
        return np.column_stack([xy, np.full(4, z)])

    def rect(self, grow: float = 0.0) -> tuple[tuple[float, float], tuple[float, float], float]:
        """What it covers of the table, as OpenCV's turned rectangle."""
        return ((self.x, self.y), (2 * self.along + grow, 2 * self.across + grow), self.angle_deg)

    @property
    def top(self) -> Points:
        return self.ring(self.z0 + self.height)

    @property
    def foot(self) -> Points:
        return self.ring(self.z0)


def fill(image: NDArray[np.uint8] | NDArray[np.int32], polygon: Points, color: float | Color) -> None:
    """An antialiased convex polygon at sub-pixel places."""
    points = np.round(polygon * (1 << SHIFT)).astype(np.int32)
    aa = cv2.LINE_AA if image.dtype == np.uint8 else cv2.LINE_8
    cv2.fillConvexPoly(image, points, color, aa, SHIFT)


def shade_of(normal_deg: float, light_deg: float) -> float:
    """How bright an upright side is that faces normal_deg."""
    return 0.62 + 0.3 * float(np.cos(np.deg2rad(normal_deg - light_deg)))


def paint_sides(
    image: NDArray[np.uint8], lens: Lens, box: Box, color: Color, light_deg: float, layer: Color | None = None
) -> None:
    """The upright sides that the camera sees; layer colours the lower half of a two-layered tile."""
    top, foot = box.top, box.foot
    seen_top, seen_foot = lens.project(top), lens.project(foot)
    middle = box.foot.copy()
    middle[:, 2] = box.z0 + 0.5 * box.height
    seen_middle = lens.project(middle)
    for k in range(4):
        j = (k + 1) % 4
        quad = np.array([seen_top[k], seen_top[j], seen_foot[j], seen_foot[k]])
        if _signed_area(quad) <= 0:  # faces away from the camera
            continue
        edge = top[j, :2] - top[k, :2]
        normal = float(np.rad2deg(np.arctan2(edge[0], -edge[1])))
        light = shade_of(normal, light_deg)
        fill(image, quad, dimmed(color, light))
        if layer is not None:
            lower = np.array([seen_middle[k], seen_middle[j], seen_foot[j], seen_foot[k]])
            fill(image, lower, dimmed(layer, light))


def _signed_area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def paint_face(image: NDArray[np.uint8], face: Face, quad: Points, light: float = 1.0) -> None:
    """Warp a flat face onto its four projected corners (head-left, head-right, tail-right, tail-left)."""
    lo = np.floor(quad.min(0)).astype(int) - 1
    hi = np.ceil(quad.max(0)).astype(int) + 2
    h, w = image.shape[:2]
    x0, y0, x1, y1 = max(lo[0], 0), max(lo[1], 0), min(hi[0], w), min(hi[1], h)
    if x1 <= x0 or y1 <= y0:
        return
    long_px = max(float(np.linalg.norm(quad[2] - quad[1])), float(np.linalg.norm(quad[3] - quad[0])), 4.0)
    picture, alpha = face.image, face.alpha
    shrink = float(min(1.0, 1.25 * long_px / picture.shape[1]))
    if shrink < 0.85:
        picture = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        alpha = np.asarray(cv2.resize(alpha, picture.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    fh, fw = picture.shape[:2]
    flat = np.array([[-0.5, -0.5], [-0.5, fh - 0.5], [fw - 0.5, fh - 0.5], [fw - 0.5, -0.5]], np.float32)
    warp = cv2.getPerspectiveTransform(flat, (quad - [x0, y0]).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    seen = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, warp, size, flags=cv2.INTER_LINEAR)[..., None].astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    part[:] = np.clip(part + cover * (seen.astype(np.float32) * light - part), 0, 255).astype(np.uint8)


def tile_box(style: SetStyle, x: float, y: float, angle_deg: float, z0: float = 0.0) -> Box:
    """A tile lying flat."""
    return Box(x, y, 1.0 - 0.01, 0.5 * style.aspect - 0.005, angle_deg, style.thickness, z0)


Stack = tuple[Points, ...]


@dataclass(frozen=True)
class Solid:
    """Something that stands on the table or on a tile.

    parts: stacks of (n, 3) outlines from foot to top, in halves; between two of them the part is their hull.
    faces: the polygons in pixels that count when asking how much of it is seen. paint draws it into a picture.
    """

    x: float
    y: float
    z0: float
    parts: tuple[Stack, ...]
    faces: tuple[Points, ...]
    paint: Callable[[NDArray[np.uint8]], None]


def circle(x: float, y: float, z: float, radius: float, points: int = 20) -> Points:
    """A level circle as a polygon."""
    a = np.arange(points) * (2 * np.pi / points)
    return np.column_stack([x + radius * np.cos(a), y + radius * np.sin(a), np.full(points, z)])


def hull(*points: Points) -> Points:
    """The convex hull of points in pixels."""
    return np.asarray(cv2.convexHull(np.vstack(points).astype(np.float32))[:, 0], np.float64)


def silhouette(lens: Lens, stack: Stack) -> tuple[Points, ...]:
    """What a stack of outlines covers in the picture, as convex polygons from foot to top."""
    seen = [lens.project(ring) for ring in stack]
    return tuple(hull(a, b) for a, b in pairwise(seen))
