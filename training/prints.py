"""Pictures of dominoes: on the lid of a box, on a sheet or a game board. They look like tiles and are none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training import surfaces
from training.lens import Lens
from training.sets import Color, Face, SetStyle, back, dimmed, face, random_color
from training.solids import Box, Points, Solid, paint_face, paint_sides
from training.truth import Point

Rng = np.random.Generator
Image = NDArray[np.uint8]
Quad = tuple[Point, ...]

PX = 40  # pixels a half of the printed picture


def random_sheet(rng: Rng, span: float, height: float) -> Box:
    """Where a sheet (of no height) or a box lies, and how large it is."""
    along, across = (float(v) for v in rng.uniform(1.6, 4.5, 2))
    x, y = (float(v) for v in rng.uniform(-0.8 * span, 0.8 * span, 2))
    return Box(x, y, along, across, float(rng.uniform(0, 180)), height)


def printed(lens: Lens, box: Box, style: SetStyle, rng: Rng) -> tuple[Solid, tuple[Quad, ...]]:
    """A sheet or a box with dominoes printed on its top, and the corners of those printed dominoes in pixels."""
    flat, quads = _picture(box, replace(style, turned_six=not style.turned_six), rng)
    paper = Face(flat, np.full(flat.shape[:2], 255, np.uint8), ())
    color, seen = random_color(rng), lens.project(box.top)

    def paint(image: Image) -> None:
        if box.height > 0.02:
            paint_sides(image, lens, box, color, style.light_deg)
        paint_face(image, paper, seen, 0.97)

    decoys = tuple(_on_table(lens, box, q, flat.shape) for q in quads)
    return Solid(box.x, box.y, box.z0, ((box.foot, box.top),), (), paint), decoys


def _on_table(lens: Lens, box: Box, quad: Points, shape: tuple[int, ...]) -> Quad:
    top = box.top
    part = (quad + 0.5) / [shape[1], shape[0]]
    points = top[0] + part[:, :1] * (top[3] - top[0]) + part[:, 1:] * (top[1] - top[0])
    return tuple((float(x), float(y)) for x, y in lens.project(points))


def _picture(box: Box, style: SetStyle, rng: Rng) -> tuple[Image, list[Points]]:
    """The print: a ground, and some dominoes in rows or anywhere, cut off by the border where they reach it."""
    w, h = int(2 * box.along * PX), int(2 * box.across * PX)
    flat = _ground(rng, w, h)
    size = PX * float(rng.uniform(0.55, 1.1))
    drawn: list[tuple[Box, Points]] = []
    slope, in_rows = float(rng.choice([0.0, 90.0, rng.uniform(0, 180)])), bool(rng.random() < 0.5)
    for k in range(int(rng.integers(1, 9))):
        at = rng.uniform(0, 1, 2) * (w, h)
        if in_rows:
            row, col = divmod(k, max(1, int(w / (2.3 * size))))
            at = np.array([size * (1.3 + 2.3 * col), size * (0.9 + 1.3 * row)])
        angle = float(rng.uniform(0, 360)) if not in_rows and rng.random() < 0.5 else (0.0 if in_rows else slope)
        one = Box(float(at[0]), float(at[1]), size, size / 2, angle, 0.0)
        if any(cv2.rotatedRectangleIntersection(one.rect(), other.rect())[0] for other, _ in drawn):
            continue
        head, tail = (int(n) for n in rng.integers(0, style.highest + 1, 2))
        quad = one.top[:, :2]
        paint_face(flat, back(style, rng) if rng.random() < 0.08 else face(style, head, tail, rng), quad)
        drawn.append((one, quad))
    return flat, [quad for one, quad in drawn if 0 < one.x < w and 0 < one.y < h]


def _ground(rng: Rng, w: int, h: int) -> Image:
    kind = rng.random()
    flat = np.empty((h, w, 3), np.uint8)
    gray = float(rng.uniform(150, 250))
    tone: Color = random_color(rng) if kind < 0.4 else (gray, gray, gray)
    flat[:] = tone
    if kind > 0.75:
        flat = np.asarray(cv2.resize(surfaces.texture(rng), (w, h)), np.uint8)
    if rng.random() < 0.6:
        word, at = (
            "DOMINOES GAME SET"[int(rng.integers(0, 8)) :],
            (int(rng.integers(0, w // 2)), int(rng.integers(12, h))),
        )
        cv2.putText(
            flat, word, at, int(rng.integers(0, 8)), float(rng.uniform(0.5, 2)), random_color(rng), 2, cv2.LINE_AA
        )
    if rng.random() < 0.4:
        cv2.rectangle(flat, (3, 3), (w - 4, h - 4), dimmed(tone, 0.5), int(rng.integers(1, 6)))
    return flat
