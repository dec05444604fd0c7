"""Everything that stands on the table, painted far to near and low to high with its shadows, and what is seen of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.solids import Points, Solid, fill, hull, silhouette

Rng = np.random.Generator
Image = NDArray[np.uint8]
Owner = NDArray[np.int32]


@dataclass(frozen=True)
class Lamp:
    """Where the light comes from, how long a shadow is for each half of height, and how soft and dark it is."""

    light_deg: float
    length: float
    blur: float
    contact: float
    cast: float


def random_lamp(rng: Rng, light_deg: float) -> Lamp:
    """A lamp, a window or the sun."""
    return Lamp(
        light_deg,
        length=float(rng.uniform(0.0, 1.6)),
        blur=float(rng.choice([0.02, 0.08, 0.2])),
        contact=float(rng.uniform(0.1, 0.6)),
        cast=float(rng.uniform(0.0, 0.65)),
    )


def paint_pile(image: Image, lens: Lens, solids: Sequence[Solid], lamp: Lamp) -> Owner:
    """Paint all of it; returns for each pixel the number, from 1, of the solid whose face is seen there, else 0."""
    owner = np.zeros(image.shape[:2], np.int32)
    middles = np.array([[s.x, s.y, 0.0] for s in solids]).reshape(-1, 3)
    depth = lens.depth(middles)
    order = sorted(range(len(solids)), key=lambda k: (_level(solids[k]), -float(depth[k])))
    for _, group in groupby(order, key=lambda k: _level(solids[k])):
        level = list(group)
        _shadow(image, lens, [solids[k] for k in level], lamp)
        for k in level:
            solids[k].paint(image)
            for part in solids[k].parts:
                for polygon in silhouette(lens, part):
                    fill(owner, polygon, 0.0)
            for polygon in solids[k].faces:
                fill(owner, polygon, float(k + 1))
    return owner


def _level(solid: Solid) -> float:
    return round(solid.z0, 2)


def _shadow(image: Image, lens: Lens, solids: Sequence[Solid], lamp: Lamp) -> None:
    """Darken what they stand on: the dark line where they touch it, and the shadow that the lamp throws."""
    feet, thrown = _outlines(lens, solids, lamp)
    half_px = lens.focal_px / lens.distance / 2  # the masks are half as large as the picture
    everything = np.vstack([*feet, *thrown])
    margin = 4 + 0.7 * half_px
    lo = np.clip(np.floor(everything.min(0) - margin), 0, [lens.width // 2, lens.height // 2]).astype(int)
    hi = np.clip(np.ceil(everything.max(0) + margin), 0, [lens.width // 2, lens.height // 2]).astype(int)
    if (hi - lo < 2).any():
        return
    dark = np.ones((hi[1] - lo[1], hi[0] - lo[0]), np.float32)
    for polygons, blur, strength in ((feet, 0.03, lamp.contact), (thrown, lamp.blur, lamp.cast)):
        mask = np.zeros(dark.shape, np.uint8)
        for polygon in polygons:
            fill(mask, polygon - lo, 255.0)
        dark *= 1 - cv2.GaussianBlur(mask, (0, 0), max(0.6, blur * half_px)).astype(np.float32) * (strength / 255)
    part = image[2 * lo[1] : 2 * hi[1], 2 * lo[0] : 2 * hi[0]]
    part[:] = (part * cv2.resize(dark, part.shape[1::-1])[..., None]).astype(np.uint8)


def _outlines(lens: Lens, solids: Sequence[Solid], lamp: Lamp) -> tuple[list[Points], list[Points]]:
    """The feet and the thrown shadows, as convex polygons in a picture of half the size."""
    a = np.deg2rad(lamp.light_deg)
    throw = -lamp.length * np.array([np.cos(a), np.sin(a)])
    feet, thrown = [], []
    for solid in solids:
        for part in solid.parts:
            feet.append(hull(lens.project(part[0]) / 2))
            flat = [
                np.column_stack([r[:, :2] + throw * (r[:, 2:] - solid.z0), np.full(len(r), solid.z0)]) for r in part
            ]
            seen = [lens.project(ring) / 2 for ring in flat]
            thrown += [hull(low, high) for low, high in pairwise(seen)]
    return feet, thrown


def seen_part(polygons: Sequence[Points], number: int, owner: Owner) -> float:
    """The part of these polygons, 0 to 1, that is in the picture and belongs to this number."""
    h, w = owner.shape
    points = np.vstack(polygons)
    lo, hi = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int) + 1
    size = hi - lo
    if (size > 4 * max(h, w)).any() or (hi < 0).any() or (lo > (w, h)).any():
        return 0.0
    whole = np.zeros((size[1], size[0]), np.int32)  # drawn as the owners were, so that the same pixels count
    for polygon in polygons:
        fill(whole, polygon - lo, 1.0)
    total = int((whole > 0).sum())
    x0, y0, x1, y1 = max(lo[0], 0), max(lo[1], 0), min(hi[0], w), min(hi[1], h)
    if x1 <= x0 or y1 <= y0 or total == 0:
        return 0.0
    inside = whole[y0 - lo[1] : y1 - lo[1], x0 - lo[0] : x1 - lo[0]] > 0
    return min(1.0, int((inside & (owner[y0:y1, x0:x1] == number)).sum()) / total)
