"""What lies about on a table and belongs to no reading: pens, cards, plates, crumbs, standing tiles, hands."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training import surfaces
from training.lens import Lens
from training.sets import HALF, Face, SetStyle, back, dimmed, face, random_color
from training.solids import Box, Points, Solid, fill, paint_face, paint_sides
from training.truth import Point

Rng = np.random.Generator
Image = NDArray[np.uint8]
Quad = tuple[Point, ...]


def standing(lens: Lens, box: Box, style: SetStyle, rng: Rng) -> tuple[Solid, tuple[Quad, ...]]:
    """A tile on its long or short edge, as players hide their hands, and the corners of the broad faces seen."""
    top, foot = lens.project(box.top), lens.project(box.foot)
    faces: list[tuple[Face, Points]] = []
    for k in (1, 3):
        j = (k + 1) % 4
        quad = np.array([top[k], foot[k], foot[j], top[j]])
        if box.height > 1.5:  # on its short edge: the tile's length stands upright
            quad = np.array([top[j], top[k], foot[k], foot[j]])
        x, y = quad[:, 0], quad[:, 1]
        if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0:
            head, tail = (int(v) for v in rng.integers(0, style.highest + 1, 2))
            faces.append((face(style, head, tail, rng) if k == 1 else back(style, rng), quad))

    def paint(image: Image) -> None:
        paint_sides(image, lens, box, style.side, style.light_deg)
        for shown, quad in faces:
            paint_face(image, shown, quad, 0.85)
        fill(image, top, dimmed(style.side, 0.97))

    quads = tuple(tuple((float(x), float(y)) for x, y in quad) for _, quad in faces)
    return Solid(box.x, box.y, box.z0, ((box.foot, box.top),), (), paint), quads


def standing_box(rng: Rng, style: SetStyle, span: float) -> Box:
    """Room for a tile that stands on its long edge, or now and then on its short one."""
    x, y = (float(v) for v in rng.uniform(-span, span, 2))
    angle = float(rng.uniform(0, 360))
    if rng.random() < 0.25:
        return Box(x, y, 0.5 * style.aspect, style.thickness / 2, angle, 2.0)
    return Box(x, y, 1.0, style.thickness / 2, angle, style.aspect)


def _plate(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    """A saucer, a lid, a cup from above: too large for a token."""
    color = random_color(rng) if rng.random() < 0.6 else (float(rng.uniform(20, 250)),) * 3
    r = max(2, int(size * rng.uniform(1.0, 2.2)))
    cv2.circle(image, (at[0] + r // 6, at[1] + r // 6), r, tuple(0.3 * c for c in color), -1, cv2.LINE_AA)
    cv2.circle(image, at, r, color, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 4))):
        ring = tuple(min(255.0, c * float(rng.uniform(0.6, 1.2))) for c in color)
        cv2.circle(image, at, int(r * rng.uniform(0.3, 0.95)), ring, int(rng.integers(1, 5)), cv2.LINE_AA)


def _crumbs(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    """Beans, crumbs, beads: as small as pips and on no tile."""
    color = random_color(rng) if rng.random() < 0.5 else (float(rng.uniform(10, 250)),) * 3
    for _ in range(int(rng.integers(1, 12))):
        x, y = (int(v) for v in rng.normal(at, 1.2 * size))
        cv2.circle(image, (x, y), max(1, int(size * rng.uniform(0.03, 0.1))), color, -1, cv2.LINE_AA)


def _bar(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    """A pen, a stick, a ruler."""
    a, n = rng.uniform(0, 2 * np.pi), size * rng.uniform(2, 8)
    end = (int(at[0] + n * np.cos(a)), int(at[1] + n * np.sin(a)))
    thick = max(2, int(size * rng.uniform(0.08, 0.7)))
    color = random_color(rng)
    cv2.line(
        image,
        (at[0] + thick // 3, at[1] + thick // 3),
        (end[0] + thick // 3, end[1] + thick // 3),
        (30, 30, 30),
        thick,
        cv2.LINE_AA,
    )
    cv2.line(image, at, end, color, thick, cv2.LINE_AA)
    cv2.line(image, at, end, tuple(min(255.0, c * 1.4 + 30) for c in color), max(1, thick // 4), cv2.LINE_AA)


def _card(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    """A card, a box, a phone: a rectangle of any shape with something printed on it."""
    wide, high = size * rng.uniform(0.6, 4), size * rng.uniform(0.6, 4)
    rect = ((float(at[0]), float(at[1])), (float(wide), float(high)), float(rng.uniform(0, 180)))
    corners = cv2.boxPoints(rect).astype(np.float64)
    color = (float(rng.uniform(190, 250)),) * 3 if rng.random() < 0.5 else random_color(rng)
    fill(image, corners + size * 0.08, (25.0, 25.0, 25.0))
    if rng.random() < 0.3:
        skin = Face(
            np.asarray(cv2.resize(surfaces.texture(rng), (2 * HALF, HALF)), np.uint8),
            np.full((HALF, 2 * HALF), 255, np.uint8),
            (),
        )
        paint_face(image, skin, corners[[0, 3, 2, 1]])
    else:
        fill(image, corners, color)
    ink = random_color(rng)
    for _ in range(int(rng.integers(0, 9))):
        p = (
            corners[0]
            + rng.uniform(0.1, 0.9) * (corners[1] - corners[0])
            + rng.uniform(0.1, 0.9) * (corners[3] - corners[0])
        )
        spot = (int(p[0]), int(p[1]))
        kind = rng.random()
        if kind < 0.5:
            cv2.circle(image, spot, max(1, int(size * rng.uniform(0.03, 0.12))), ink, -1, cv2.LINE_AA)
        elif kind < 0.8:
            cv2.putText(
                image,
                "AK9Q2x"[: int(rng.integers(1, 6))],
                spot,
                0,
                float(size * rng.uniform(0.004, 0.015)),
                ink,
                1,
                cv2.LINE_AA,
            )
        else:
            cv2.line(image, spot, (int(corners[2][0]), int(corners[2][1])), ink, 1, cv2.LINE_AA)


def paint_things(image: Image, rng: Rng, half_px: float, count: int) -> None:
    """Plates, pens, cards and crumbs about the table."""
    h, w = image.shape[:2]
    for _ in range(count):
        at = (int(rng.integers(0, w)), int(rng.integers(0, h)))
        (_plate, _bar, _card, _crumbs)[int(rng.integers(0, 4))](image, rng, at, 1.2 * half_px)


def paint_hand(image: Image, rng: Rng, half_px: float) -> NDArray[np.bool_]:
    """A hand that reaches in from an edge of the picture; returns what it covers."""
    h, w = image.shape[:2]
    cut = surfaces.hand(rng)
    if rng.random() < 0.5:
        cut = cut[:, ::-1]
    scale = half_px * float(rng.uniform(4, 7)) / cut.shape[1]
    angle = float(rng.uniform(0, 360))
    way = np.deg2rad(angle)
    # The arm leaves at the cut-out's lower edge: put that edge outside the picture.
    reach = float(rng.uniform(0.15, 0.55))
    middle = np.array([w / 2, h / 2]) + (0.5 - reach + 0.35) * max(w, h) * np.array([np.sin(way), np.cos(way)])
    warp = cv2.getRotationMatrix2D((cut.shape[1] / 2, cut.shape[0] / 2), angle, scale)
    warp[:, 2] += middle - [cut.shape[1] / 2, cut.shape[0] / 2]
    seen = cv2.warpAffine(cut, warp, (w, h), flags=cv2.INTER_LINEAR)
    cover = seen[..., 3:].astype(np.float32) / 255
    image[:] = np.clip(image + cover * (seen[..., :3].astype(np.float32) - image), 0, 255).astype(np.uint8)
    return np.asarray(cover[..., 0] > 0.2)
