"""Things on a table that are not dominoes: dice, coins, pens, cards, cups, standing tiles, hands."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from training import surfaces
from training.lens import Lens
from training.sets import HALF, Color, Face, SetStyle, _random_color, _stamp, dimmed, face, layout
from training.solids import Box, fill, paint_face, paint_sides
from training.truth import TrueDie

Rng = np.random.Generator
Image = NDArray[np.uint8]


@lru_cache(maxsize=64)
def _cut_square(corner: int) -> Image:
    alpha = np.zeros((HALF, HALF), np.uint8)
    cv2.rectangle(alpha, (corner, corner), (HALF - 1 - corner, HALF - 1 - corner), 255, -1)
    for shape in (((corner, 0), (HALF - 1 - corner, HALF - 1)), ((0, corner), (HALF - 1, HALF - 1 - corner))):
        cv2.rectangle(alpha, *shape, 255, -1)
    for x in (corner, HALF - 1 - corner):
        for y in (corner, HALF - 1 - corner):
            cv2.circle(alpha, (x, y), corner, 255, -1, cv2.LINE_AA)
    return alpha


def _die_face(style: SetStyle, value: int, color: Color, ink: Color, radius: float, corner: int) -> Face:
    image = np.empty((HALF, HALF, 3), np.float32)
    image[:] = color
    for x, y in layout(value, style.layout, style.turned_six):
        center = (HALF * (0.5 + x * 0.27) - 0.5, HALF * (0.5 + y * 0.27) - 0.5)
        _stamp(image, center, style, ink, radius, style.pip_kind)
    return Face(np.clip(image, 0, 255).astype(np.uint8), _cut_square(corner), ())


def paint_dice(image: Image, lens: Lens, style: SetStyle, rng: Rng, span: float, count: int) -> tuple[TrueDie, ...]:
    """Some dice, alone or touching, with their side faces; returns what they show."""
    size = float(rng.uniform(0.35, 1.1))
    dark = rng.random() < 0.3
    color: Color = (
        _random_color(rng) if rng.random() < 0.35 else ((30.0, 30.0, 30.0) if dark else (235.0, 238.0, 240.0))
    )
    ink: Color = (240.0, 240.0, 240.0) if sum(color) < 330 else (25.0, 25.0, 25.0)
    radius, corner = float(rng.uniform(0.07, 0.12)), int(rng.integers(4, 30))
    boxes: list[Box] = []
    for _ in range(count):
        x, y = (float(v) for v in rng.uniform(-span, span, 2))
        angle = float(rng.uniform(0, 90))
        if boxes and rng.random() < 0.5:
            old = boxes[-1]
            a = np.deg2rad(old.angle_deg + 90 * rng.integers(0, 4))
            x, y, angle = old.x + 1.02 * size * float(np.cos(a)), old.y + 1.02 * size * float(np.sin(a)), old.angle_deg
        if all((x - b.x) ** 2 + (y - b.y) ** 2 > 0.9 * size**2 for b in boxes):
            boxes.append(Box(x, y, size / 2, size / 2, angle, size))
    boxes.sort(key=lambda b: -float(lens.depth([[b.x, b.y, 0]])[0]))
    seen = []
    for box in boxes:
        value = int(rng.integers(1, 7))
        paint_sides(image, lens, box, color, style.light_deg)
        _paint_die_sides(image, lens, box, style, rng, (color, ink, radius, corner))
        quad = lens.project(box.top)
        paint_face(image, _die_face(style, value, color, ink, radius, corner), quad)
        seen.append(TrueDie((float(quad[:, 0].mean()), float(quad[:, 1].mean())), value))
    return tuple(seen)


def _paint_die_sides(
    image: Image, lens: Lens, box: Box, style: SetStyle, rng: Rng, looks: tuple[Color, Color, float, int]
) -> None:
    """The numbers on the sides that the camera sees."""
    color, ink, radius, corner = looks
    top, foot = lens.project(box.top), lens.project(box.foot)
    for k in range(4):
        j = (k + 1) % 4
        quad = np.array([top[k], top[j], foot[j], foot[k]])
        x, y = quad[:, 0], quad[:, 1]
        if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0:
            paint_face(
                image, _die_face(style, int(rng.integers(1, 7)), color, ink, radius, corner), quad[[0, 3, 2, 1]], 0.75
            )


def paint_standing(image: Image, lens: Lens, style: SetStyle, rng: Rng, span: float) -> None:
    """A tile standing on its long edge, as players hide their hands: not a tile lying on the table."""
    x, y = (float(v) for v in rng.uniform(-span, span, 2))
    box = Box(x, y, 1.0, style.thickness / 2, float(rng.uniform(0, 180)), style.aspect)
    paint_sides(image, lens, box, style.side, style.light_deg)
    top, foot = lens.project(box.top), lens.project(box.foot)
    for k in (1, 3):
        j = (k + 1) % 4
        quad = np.array([top[k], foot[k], foot[j], top[j]])
        x_, y_ = quad[:, 0], quad[:, 1]
        if np.sum(x_ * np.roll(y_, -1) - np.roll(x_, -1) * y_) < 0 and rng.random() < 0.6:
            head, tail = (int(v) for v in rng.integers(0, style.highest + 1, 2))
            paint_face(image, face(style, head, tail, rng), quad, 0.85)
    fill(image, top, dimmed(style.side, 0.97))


def _disc(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    color = _random_color(rng) if rng.random() < 0.6 else (float(rng.uniform(20, 250)),) * 3
    r = max(2, int(size * rng.uniform(0.15, 1.4)))
    cv2.circle(image, (at[0] + r // 6, at[1] + r // 6), r, tuple(0.3 * c for c in color), -1, cv2.LINE_AA)
    cv2.circle(image, at, r, color, -1, cv2.LINE_AA)
    cv2.circle(
        image,
        at,
        int(r * rng.uniform(0.3, 0.9)),
        tuple(c * float(rng.uniform(0.6, 1.2)) for c in color),
        int(rng.integers(-1, 4)) or 1,
        cv2.LINE_AA,
    )


def _bar(image: Image, rng: Rng, at: tuple[int, int], size: float) -> None:
    """A pen, a stick, a ruler."""
    a, n = rng.uniform(0, 2 * np.pi), size * rng.uniform(2, 8)
    end = (int(at[0] + n * np.cos(a)), int(at[1] + n * np.sin(a)))
    thick = max(2, int(size * rng.uniform(0.08, 0.7)))
    color = _random_color(rng)
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
    color = (float(rng.uniform(190, 250)),) * 3 if rng.random() < 0.5 else _random_color(rng)
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
    ink = _random_color(rng)
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
    """Coins, pens and cards about the table."""
    h, w = image.shape[:2]
    for _ in range(count):
        at = (int(rng.integers(0, w)), int(rng.integers(0, h)))
        (_disc, _bar, _card)[int(rng.integers(0, 3))](image, rng, at, 1.2 * half_px)


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
