"""Domino sets as makers build them: colours, pips, bars, pins, borders and backs, drawn as flat faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]
Color = tuple[float, float, float]  # blue, green, red, 0 to 255, as OpenCV orders them

HALF = 96  # pixels a half on a flat face

# The usual colours of the numbers in a many-coloured set, (blue, green, red).
_BY_NUMBER: tuple[Color, ...] = (
    (40, 40, 40), (200, 150, 60), (60, 140, 40), (60, 50, 200), (40, 70, 130), (170, 80, 30), (30, 160, 240),
    (150, 50, 200), (90, 120, 20), (110, 30, 90), (20, 90, 230), (40, 40, 150), (110, 110, 110),
)  # fmt: skip


@dataclass(frozen=True)
class Face:
    """One flat face: its picture (BGR), its cover (0 to 255), and where its pips are, in halves from its middle."""

    image: Image
    alpha: Image
    pips_at: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SetStyle:
    """How one set looks; every tile of a scene's set shares it."""

    highest: int
    base: Color
    side: Color
    pip_colors: tuple[Color, ...]
    pip_radius: float
    pip_kind: str  # "flat", "cup", "ring", "dome", "square"
    spread: float
    bar: str  # "none", "painted", "groove", "broken"
    bar_color: Color
    bar_length: float
    bar_width: float
    pin: float  # radius of the spinner pin in halves, 0 for none
    pin_color: Color
    border: float  # inset of a printed border line in halves, 0 for none
    bevel: float
    corner: float
    thickness: float
    gloss: float
    grain: Image | None
    grain_strength: float
    back: str  # "plain", "other", "pattern", "logo"
    back_color: Color
    turned_six: bool
    layout: int
    light_deg: float
    aspect: float = 1.0
    speckle: float = 0.0
    seed: int = field(default=0)
    empty_cups: bool = False  # every half is moulded with nine cups, of which only the pips are painted
    cup_depth: float = 1.0  # how strongly the walls of unpainted cups catch light and shade
    paint_fill: float = 1.0  # the part of a cup's radius that its paint fills
    rim: float = 0.0  # how bright a thin light runs along the rounded edges
    ridge: float = 0.0  # how much brighter the raised ring around each moulded cup is


def tinted(rng: Rng, color: Color, by: float) -> Color:
    """Nearly the same colour, as another batch comes out."""
    b, g, r = (float(np.clip(c + rng.normal(0, by), 0, 255)) for c in color)
    return (b, g, r)


def dimmed(color: Color, by: float) -> Color:
    """The same colour with less light on it."""
    b, g, r = color
    return (b * by, g * by, r * by)


def random_color(rng: Rng) -> Color:
    """Any strong colour."""
    hsv = np.array([[[rng.integers(0, 180), rng.integers(90, 256), rng.integers(70, 256)]]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return (float(b), float(g), float(r))


def _bodies(rng: Rng) -> tuple[Color, bool]:
    """A tile's colour, and whether it is a dark one that takes light pips."""
    kind = rng.choice(["white", "ivory", "black", "wood", "dark", "color"], p=[0.36, 0.16, 0.18, 0.08, 0.04, 0.18])
    if kind == "white":
        return tinted(rng, (242, 244, 244), 6), False
    if kind == "ivory":
        return tinted(rng, (200, 225, 238), 10), False
    if kind == "black":
        return tinted(rng, (32, 30, 30), 12), True
    if kind == "wood":
        return tinted(rng, (120, 170, 210), 22), False
    if kind == "dark":
        return tinted(rng, (40, 60, 95), 15), True
    color = random_color(rng)
    return color, sum(color) < 3 * 190 and bool(rng.random() < 0.9)


def _pip_colors(rng: Rng, dark_body: bool, base: Color) -> tuple[Color, ...]:
    if dark_body:
        one = tinted(rng, (240, 242, 242), 8) if rng.random() < 0.75 else tinted(rng, (60, 200, 235), 25)
        if rng.random() < 0.08:
            one = random_color(rng)
    elif rng.random() < 0.62:
        one = tinted(rng, (25, 25, 25), 12)
    else:
        one = random_color(rng)
    contrast = abs(_luma(one) - _luma(base))
    if contrast < 60:
        one = (235.0, 240.0, 240.0) if _luma(base) < 120 else (25.0, 25.0, 25.0)
    if dark_body or rng.random() >= 0.35:
        return (one,) * 13
    return tuple(tinted(rng, c, 18) for c in _BY_NUMBER)


def _luma(color: Color) -> float:
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def _bar(rng: Rng, base: Color, dark_body: bool, pip: Color) -> tuple[str, Color]:
    """What divides the halves, and its colour."""
    kind = str(rng.choice(["none", "painted", "groove", "broken"], p=[0.22, 0.47, 0.22, 0.09]))
    if rng.random() < 0.5:
        return kind, pip
    return kind, tinted(rng, (225, 225, 225), 15) if dark_body else dimmed(base, 0.45)


def _back_kind(rng: Rng, bar: str) -> str:
    kind = str(rng.choice(["plain", "other", "pattern", "logo"], p=[0.55, 0.2, 0.15, 0.1]))
    if bar == "none" and kind == "plain":
        return "pattern"  # a blank without a bar and a plain back are the same thing: no reader could tell them
    return kind


def _now_and_then(rng: Rng, chance: float, low: float, high: float) -> float:
    """Something between low and high with this chance, else 0."""
    return float(rng.uniform(low, high)) if rng.random() < chance else 0.0


def random_style(rng: Rng, grain: Callable[[Rng], Image | None]) -> SetStyle:
    """A set that some maker might sell; `grain` gives a surface texture for wood and marble."""
    base, dark = _bodies(rng)
    highest = int(rng.choice([6, 9, 12], p=[0.55, 0.2, 0.25]))
    pips = _pip_colors(rng, dark, base)
    bar, bar_color = _bar(rng, base, dark, pips[1])
    wooden, two_layers = rng.random() < 0.15, rng.random() < 0.2
    back = _back_kind(rng, bar)
    return SetStyle(  # the draws come in this order: another order is another set from the same seed
        highest=highest, base=base, side=random_color(rng) if two_layers else tinted(rng, base, 8),
        pip_colors=pips, pip_radius=float(rng.uniform(0.55, 1.12) * {6: 0.125, 9: 0.115, 12: 0.1}[highest]),
        pip_kind=str(rng.choice(["flat", "cup", "ring", "dome", "square"], p=[0.45, 0.36, 0.05, 0.11, 0.03])),
        spread=float(rng.uniform(0.22, 0.33)), bar=bar, bar_color=bar_color,
        bar_length=float(rng.uniform(0.55, 0.96)), bar_width=float(rng.uniform(0.015, 0.07)),
        pin=_now_and_then(rng, 0.3, 0.05, 0.12),
        pin_color=tinted(rng, (110, 170, 190), 30) if rng.random() < 0.7 else tinted(rng, (190, 190, 190), 20),
        border=_now_and_then(rng, 0.1, 0.04, 0.09),
        bevel=float(rng.uniform(0, 0.09)), corner=float(rng.uniform(0.02, 0.2)),
        thickness=float(rng.uniform(0.12, 0.5)), gloss=float(rng.beta(1.2, 2.5)),
        grain=grain(rng) if wooden or rng.random() < 0.12 else None, grain_strength=float(rng.uniform(0.2, 0.8)),
        back=back, back_color=random_color(rng), turned_six=bool(rng.random() < 0.25), layout=int(rng.integers(0, 4)),
        light_deg=float(rng.uniform(0, 360)), aspect=float(rng.normal(1.0, 0.03)),
        speckle=float(rng.uniform(0, 6)), seed=int(rng.integers(2**31)),
        empty_cups=highest <= 9 and bool(rng.random() < (0.4 if bar == "none" else 0.08)),
    )  # fmt: skip


def moulded(style: SetStyle, rng: Rng) -> SetStyle:
    """The cheap dark sets: nine cups in every half, some of them painted, hardly a bar, satin rounded edges."""
    base = tinted(rng, (30, 28, 28), 9) if rng.random() < 0.7 else dimmed(random_color(rng), 0.4)
    paint = tinted(rng, (236, 240, 240), 10) if rng.random() < 0.85 else tinted(rng, (110, 200, 225), 20)
    radius = float(rng.uniform(0.075, 0.15))
    return replace(
        style, highest=6 if rng.random() < 0.8 else 9, base=base, side=dimmed(base, float(rng.uniform(0.8, 1.2))),
        pip_colors=(paint,) * 13, pip_radius=radius, pip_kind="cup" if rng.random() < 0.6 else "flat",
        spread=min(float(rng.uniform(0.25, 0.34)), 0.475 - radius), bar="none" if rng.random() < 0.5 else "groove",
        bar_width=float(rng.uniform(0.01, 0.035)), pin=_now_and_then(rng, 0.1, 0.05, 0.1), border=0.0,
        bevel=float(rng.uniform(0.02, 0.1)), corner=float(rng.uniform(0.06, 0.2)), gloss=float(rng.beta(1.5, 2.0)),
        grain=None, back="other" if rng.random() < 0.3 else "pattern", empty_cups=True, turned_six=False, layout=0,
        cup_depth=float(rng.uniform(0.3, 1.4)), paint_fill=float(rng.uniform(0.68, 1.0)),
        rim=float(rng.uniform(0.2, 1.0)), ridge=_now_and_then(rng, 0.5, 8, 45),
    )  # fmt: skip


_GRID: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
    7: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1), (0, 0)),
    8: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1), (0, -1), (0, 1)),
    9: tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)),
}


def _rows(counts: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """Rows of pips spread evenly, such as 4-3-4, in the unit of the spread."""
    spots = []
    for k, n in enumerate(counts):
        y = 0.0 if len(counts) == 1 else -1 + 2 * k / (len(counts) - 1)
        spots += [(0.0 if n == 1 else -1 + 2 * j / (n - 1), y) for j in range(n)]
    return tuple(spots)


_LARGE: dict[int, tuple[tuple[int, ...], ...]] = {
    10: ((3, 4, 3), (4, 2, 4), (5, 5), (3, 2, 2, 3)),
    11: ((4, 3, 4), (3, 3, 2, 3), (4, 3, 4), (3, 2, 3, 3)),
    12: ((4, 4, 4), (3, 3, 3, 3), (4, 4, 4), (3, 3, 3, 3)),
}


@lru_cache(maxsize=512)
def layout(number: int, variant: int, turned_six: bool) -> tuple[tuple[float, float], ...]:
    """Where the pips of a half lie, (along, across) the tile's length, in the unit of the spread.

    Makers differ in 6 (along or across) and in 10, 11 and 12, so variants 0 to 3 do as well.
    """
    if number > 9:
        return tuple((x, y * 1.0) for x, y in _rows(_LARGE[number][variant]))
    spots = tuple((float(x), float(y)) for x, y in _GRID[number])
    if number in (6, 7, 8) and turned_six:
        spots = tuple((y, x) for x, y in spots)
    if number in (2, 3) and variant % 2:
        spots = tuple((x, -y) for x, y in spots)
    return spots


@lru_cache(maxsize=256)
def _disk(radius_px: float, kind: str) -> NDArray[np.float32]:
    """How far a pip covers each pixel, 0 to 1, on a square just large enough."""
    n = int(np.ceil(radius_px + 2))
    y, x = np.mgrid[-n : n + 1, -n : n + 1].astype(np.float32)
    distance = np.maximum(abs(x), abs(y)) if kind == "square" else np.hypot(x, y)
    cover = np.clip(radius_px + 0.5 - distance, 0, 1)
    if kind == "ring":
        cover *= np.clip(distance - radius_px * 0.5, 0, 1)
    return np.asarray(cover, np.float32)


def _stamp(
    image: NDArray[np.float32], at: tuple[float, float], style: SetStyle, color: Color, radius: float, kind: str
) -> None:
    """Paint one pip with the shading of its cup or dome."""
    cover = _disk(round(radius * HALF, 1), kind)
    n = cover.shape[0] // 2
    cx, cy = int(round(at[0])), int(round(at[1]))
    y, x = np.mgrid[-n : n + 1, -n : n + 1].astype(np.float32) / max(radius * HALF, 1)
    shade = np.zeros_like(cover)
    if kind in ("cup", "dome"):
        light = np.deg2rad(style.light_deg)
        slope = x * np.cos(light) + y * np.sin(light)
        shade = (slope if kind == "cup" else -slope) * np.clip(np.hypot(x, y), 0, 1) * 70
        glint = np.exp(-((x - 0.45 * np.cos(light)) ** 2 + (y - 0.45 * np.sin(light)) ** 2) / 0.05)
        shade += 150 * style.gloss * glint * (1 if kind == "cup" else 0.7)
    y0, x0 = cy - n, cx - n
    patch = image[max(y0, 0) : cy + n + 1, max(x0, 0) : cx + n + 1]
    oy, ox = max(-y0, 0), max(-x0, 0)
    part = np.s_[oy : oy + patch.shape[0], ox : ox + patch.shape[1]]
    paint = np.array(color, np.float32)[None, None, :] + shade[part][..., None]
    patch += cover[part][..., None] * (paint - patch)


def _blank(style: SetStyle, color: Color, rng: Rng) -> NDArray[np.float32]:
    image = np.empty((HALF, 2 * HALF, 3), np.float32)
    image[:] = color
    if style.grain is not None:
        h, w = style.grain.shape[:2]
        y, x = int(rng.integers(0, max(1, h - HALF))), int(rng.integers(0, max(1, w - 2 * HALF)))
        part = style.grain[y : y + HALF, x : x + 2 * HALF]
        grain = cv2.resize(part, (2 * HALF, HALF)).astype(np.float32)
        image += style.grain_strength * (grain - grain.mean(axis=(0, 1)))
    if style.speckle:
        image += style.speckle * rng.standard_normal(image.shape[:2], np.float32)[..., None]
    image += rng.normal(0, 3, 3).astype(np.float32)
    return image


def _bevelled(image: NDArray[np.float32], style: SetStyle) -> None:
    """Lighten the edges that face the light and darken the others."""
    width = int(style.bevel * HALF)
    if width < 2:
        return
    light = np.deg2rad(style.light_deg)
    ramp = np.linspace(55, 0, width, dtype=np.float32)
    image[:, :width] -= (ramp * np.cos(light))[None, :, None]
    image[:, -width:] += (ramp[::-1] * np.cos(light))[None, :, None]
    image[:width] -= (ramp * np.sin(light))[:, None, None]
    image[-width:] += (ramp[::-1] * np.sin(light))[:, None, None]


def _rimmed(image: NDArray[np.float32], style: SetStyle) -> None:
    """A thin light along the rounded edges, strongest towards the lamp."""
    k, r = max(1, int(0.03 * HALF)), max(2, int(style.corner * HALF))
    line = np.zeros((HALF, 2 * HALF), np.float32)
    cv2.rectangle(line, (k + r, k), (2 * HALF - 1 - k - r, HALF - 1 - k), 1.0, 2)
    cv2.rectangle(line, (k, k + r), (2 * HALF - 1 - k, HALF - 1 - k - r), 1.0, 2)
    line[k + 3 : HALF - 3 - k, k + 3 : 2 * HALF - 3 - k] = 0
    y, x = np.mgrid[-1 : 1 : HALF * 1j, -1 : 1 : 2 * HALF * 1j].astype(np.float32)
    light = np.deg2rad(style.light_deg)
    line *= np.clip(0.35 + 0.65 * (x * np.cos(light) + y * np.sin(light)), 0.05, 1)
    image += (style.rim * 110 * cv2.GaussianBlur(line, (0, 0), 1.0))[..., None]


def _cut(style: SetStyle) -> Image:
    alpha = np.zeros((HALF, 2 * HALF), np.uint8)
    r = max(1, int(style.corner * HALF))
    cv2.rectangle(alpha, (r, 0), (2 * HALF - 1 - r, HALF - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (2 * HALF - 1, HALF - 1 - r), 255, -1)
    for x in (r, 2 * HALF - 1 - r):
        for y in (r, HALF - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1, cv2.LINE_AA)
    return alpha


def _divide(image: NDArray[np.float32], style: SetStyle) -> None:
    """The bar between the halves and the pin in its middle."""
    reach, half_width = style.bar_length * HALF / 2, max(0.6, style.bar_width * HALF / 2)
    top, bottom = int(HALF / 2 - reach), int(HALF / 2 + reach)
    left, right = int(round(HALF - half_width)), int(round(HALF + half_width))
    if style.bar == "groove":
        image[:, left:right] = dimmed(style.base, 0.55)
        image[:, right : right + 1] = np.clip(np.array(style.base) * 1.15 + 15, 0, 255)
    elif style.bar in ("painted", "broken"):
        image[top:bottom, left:right] = style.bar_color
        if style.bar == "broken":
            image[int(HALF * 0.36) : int(HALF * 0.64), left:right] = style.base
    if style.pin:
        _stamp(image, (HALF, HALF / 2), style, style.pin_color, style.pin, "dome")


def _mould(image: NDArray[np.float32], style: SetStyle) -> None:
    """The nine cups of each half, unpainted: a dark wall towards the light, a bright one opposite."""
    light = np.deg2rad(style.light_deg)
    way = 0.16 * style.pip_radius * HALF * np.array([np.cos(light), np.sin(light)])
    glow, floor = 26 * style.cup_depth * (0.4 + style.gloss), dimmed(style.base, 1 - 0.3 * min(style.cup_depth, 1.0))
    b, g, r = style.base
    ring = min(1.3 * style.pip_radius, 0.49 * style.spread)
    for middle in (-0.5, 0.5):
        for x, y in layout(9, 0, False):
            center = (HALF * (1 + middle + x * style.spread) - 0.5, HALF * (0.5 + y * style.spread) - 0.5)
            if style.ridge:
                _stamp(image, center, style, (b + style.ridge, g + style.ridge, r + style.ridge), ring, "flat")
            lit = (center[0] - float(way[0]), center[1] - float(way[1]))
            _stamp(image, lit, style, (b + glow, g + glow, r + glow), style.pip_radius, "flat")
            _stamp(image, center, style, floor, style.pip_radius, "cup")


def face(style: SetStyle, head: int, tail: int, rng: Rng) -> Face:
    """The front of the domino head-tail, the head at the left."""
    image = _blank(style, style.base, rng)
    _bevelled(image, style)
    if style.border:
        k = int(style.border * HALF)
        cv2.rectangle(image, (k, k), (2 * HALF - 1 - k, HALF - 1 - k), style.bar_color, 2, cv2.LINE_AA)
    _divide(image, style)
    if style.rim:
        _rimmed(image, style)
    if style.empty_cups:
        _mould(image, style)
    at: list[tuple[float, float]] = []
    for number, middle, turn in ((head, -0.5, 1), (tail, 0.5, -1)):
        spread = style.spread * (1.08 if number > 9 else 1.0)
        radius = style.pip_radius * (0.86 if number > 9 and style.pip_radius > 0.075 else 1.0)
        for along, across in layout(number, style.layout, style.turned_six):
            x, y = middle + turn * along * spread, turn * across * spread
            at.append((x, y))
            center = (HALF * (1 + x) - 0.5, HALF * (0.5 + y) - 0.5)
            _stamp(image, center, style, style.pip_colors[number], radius * style.paint_fill, style.pip_kind)
    return Face(np.clip(image, 0, 255).astype(np.uint8), _cut(style), tuple(at))


def back(style: SetStyle, rng: Rng) -> Face:
    """The back of any tile of the set, which tells nothing."""
    image = _blank(style, style.base if style.back == "plain" else style.back_color, rng)
    ink = tuple(float(c) for c in np.clip(np.array(style.back_color, np.float32) * rng.uniform(0.5, 1.5), 0, 255))
    pattern = np.random.default_rng(style.seed)
    if style.back == "pattern":
        step = int(pattern.integers(8, 26))
        for k in range(-HALF, 3 * HALF, step):
            cv2.line(image, (k, 0), (k + HALF, HALF), ink, 2, cv2.LINE_AA)
            if step % 2:
                cv2.line(image, (k + HALF, 0), (k, HALF), ink, 2, cv2.LINE_AA)
    _bevelled(image, style)
    picture = np.clip(image, 0, 255).astype(np.uint8)
    if style.back == "logo":
        size = (int(pattern.integers(15, 80)), int(pattern.integers(12, 40)))
        cv2.ellipse(picture, (HALF, HALF // 2), size, 0, 0, 360, ink, 3, cv2.LINE_AA)
        word, font = "DOMINO"[: int(pattern.integers(1, 7))], int(pattern.integers(0, 8))
        cv2.putText(picture, word, (int(HALF * 0.62), int(HALF * 0.58)), font, 0.8, ink, 2, cv2.LINE_AA)
    return Face(picture, _cut(style), ())
