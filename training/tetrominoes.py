"""Cardboard tetrominoes of seven shapes, two-sided, lying over dominoes in line with their grid or loose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.placing import room
from training.sets import Color, dimmed, random_color, tinted
from training.solids import Box, Points, Solid, paint_sides
from training.truth import TrueTetromino

Rng = np.random.Generator
Image = NDArray[np.uint8]
Cell = tuple[int, int]  # along and across the grid

SHAPES: dict[str, tuple[Cell, ...]] = {
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "S": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "Z": ((0, 1), (1, 1), (1, 0), (2, 0)),
    "J": ((0, 0), (0, 1), (1, 1), (2, 1)),
    "L": ((2, 0), (0, 1), (1, 1), (2, 1)),
}
_LIGHT: tuple[Color, ...] = ((170, 205, 225), (244, 246, 246), (120, 215, 240), (200, 200, 200), (210, 225, 190))
_DARK: tuple[Color, ...] = ((45, 70, 105), (35, 35, 35), (90, 50, 25), (45, 75, 30), (40, 30, 110), (95, 90, 85))


@dataclass(frozen=True)
class TetrominoStyle:
    """A set of tetrominoes: colours (blue, green, red) of the light side, the dark side and the cut edge."""

    light: Color
    dark: Color
    edge: Color
    thickness: float
    lined: bool  # the squares' borders are printed
    rough: float
    gap: float


@dataclass(frozen=True)
class Grid:
    """A grid of cells as large as halves: where cell (0, 0) has its middle, its turn, its pitch."""

    x: float
    y: float
    angle_deg: float
    pitch: float

    def square(self, cell: Cell, shrink: float, z0: float, height: float) -> Box:
        """The flat box that fills a cell."""
        a = np.deg2rad(self.angle_deg)
        u, v = cell[0] * self.pitch, cell[1] * self.pitch
        x, y = self.x + u * np.cos(a) - v * np.sin(a), self.y + u * np.sin(a) + v * np.cos(a)
        half = self.pitch / 2 - shrink
        return Box(float(x), float(y), half, half, self.angle_deg, height, z0)


def random_tetrominoes(rng: Rng) -> TetrominoStyle:
    """A set that differs clearly between its two sides."""
    light = tinted(rng, _LIGHT[int(rng.integers(0, len(_LIGHT)))], 10)
    dark = tinted(rng, _DARK[int(rng.integers(0, len(_DARK)))], 10)
    if rng.random() < 0.15:
        dark = dimmed(random_color(rng), 0.55)
    edge = tinted(rng, (120, 150, 170), 20) if rng.random() < 0.6 else dimmed(light, 0.8)
    return TetrominoStyle(
        light, dark, edge, float(rng.uniform(0.03, 0.1)), bool(rng.random() < 0.3), float(rng.uniform(0, 6)),
        float(rng.uniform(0.0, 0.02)),
    )  # fmt: skip


def _turned(shape: tuple[Cell, ...], quarter: int) -> tuple[Cell, ...]:
    for _ in range(quarter):
        shape = tuple((-v, u) for u, v in shape)
    return shape


def _next_cells(rng: Rng, used: set[Cell], shape: tuple[Cell, ...], adjoining: bool) -> tuple[Cell, ...] | None:
    """The shape somewhere free on the grid; beside what is there, if asked for."""
    turned = _turned(shape, int(rng.integers(0, 4)))
    if adjoining and used:
        u, v = sorted(used)[int(rng.integers(0, len(used)))]
        du, dv = ((0, 1), (0, -1), (1, 0), (-1, 0))[int(rng.integers(0, 4))]
        own = turned[int(rng.integers(0, 4))]
        at = (u + du - own[0], v + dv - own[1])
    else:
        at = (int(rng.integers(-3, 4)), int(rng.integers(-3, 4)))
    cells = tuple((u + at[0], v + at[1]) for u, v in turned)
    return None if set(cells) & used else cells


def lay_tetrominoes(
    rng: Rng, lens: Lens, light_deg: float, span: float, count: int, tiles: Sequence[Box]
) -> list[tuple[Solid, TrueTetromino]]:
    """Lay up to `count` of a set over the tiles' grid, some of them adjoining; a few lie loose on the table."""
    style = random_tetrominoes(rng)
    shapes = [SHAPES[name] for name in rng.permutation(sorted(SHAPES))][:count]
    adjoining = bool(rng.random() < 0.6)
    used: set[Cell] = set()
    grid = _grid_of(rng, tiles)
    found, blocked = [], list(tiles)
    for shape in shapes:
        loose = bool(rng.random() < (0.2 if tiles else 0.5))
        own = _loose(rng, span) if loose else grid
        for _ in range(6):
            cells = shape if loose else _next_cells(rng, used, shape, adjoining)
            squares = None if cells is None else _squares(own, cells, style, blocked, tiles)
            if cells is None or squares is None:
                continue
            used |= set() if loose else set(cells)
            blocked += squares
            found.append(tetromino(lens, squares, style, bool(rng.random() < 0.5), light_deg, rng))
            break
    return found


def _loose(rng: Rng, span: float) -> Grid:
    x, y = (float(v) for v in rng.uniform(-span, span, 2))
    return Grid(x, y, float(rng.uniform(0, 90)), 1.0)


def _grid_of(rng: Rng, tiles: Sequence[Box]) -> Grid:
    if not tiles:
        return Grid(0.0, 0.0, float(rng.uniform(0, 90)), 1.0)
    t = tiles[int(rng.integers(0, len(tiles)))]
    a = np.deg2rad(t.angle_deg)
    jitter = rng.normal(0, 0.03, 2)
    x, y = t.x - 0.5 * np.cos(a) + jitter[0], t.y - 0.5 * np.sin(a) + jitter[1]
    return Grid(float(x), float(y), t.angle_deg + float(rng.normal(0, 1.0)), float(rng.uniform(0.98, 1.04)))


def _squares(
    grid: Grid, cells: tuple[Cell, ...], style: TetrominoStyle, blocked: Sequence[Box], tiles: Sequence[Box]
) -> tuple[Box, ...] | None:
    """Its four squares at the height of what lies under them, or None where something else is in the way."""
    flat = [grid.square(c, style.gap / 2, 0.0, style.thickness) for c in cells]
    under = [t.z0 + t.height for t in tiles if not all(room(s, [t]) for s in flat)]
    squares = tuple(grid.square(c, style.gap / 2, max(under, default=0.0), style.thickness) for c in cells)
    others = [b for b in blocked if not any(b is t for t in tiles)]
    return squares if all(room(s, others) for s in squares) else None


def tetromino(
    lens: Lens, squares: tuple[Box, ...], style: TetrominoStyle, light: bool, light_deg: float, rng: Rng
) -> tuple[Solid, TrueTetromino]:
    """One tetromino of four flat boxes."""
    quads = [lens.project(s.top) for s in squares]
    color = tinted(rng, style.light if light else style.dark, 3)
    seed = int(rng.integers(2**31))

    def paint(image: Image) -> None:
        for s in squares:
            paint_sides(image, lens, s, style.edge, light_deg)
        _paint_top(image, quads, color, style, seed)

    middle = np.mean([[s.x, s.y] for s in squares], axis=0)
    parts = tuple((s.foot, s.top) for s in squares)
    solid = Solid(float(middle[0]), float(middle[1]), squares[0].z0, parts, tuple(quads), paint)
    corners = tuple(tuple((float(x), float(y)) for x, y in q) for q in quads)
    return solid, TrueTetromino(corners, light)


def _paint_top(image: Image, quads: Sequence[Points], color: Color, style: TetrominoStyle, seed: int) -> None:
    """The printed side: one colour over all four squares, cardboard grain, borders on some sets."""
    h, w = image.shape[:2]
    points = np.vstack(quads)
    x0, y0 = (int(v) for v in np.clip(np.floor(points.min(0)) - 1, 0, [w, h]))
    x1, y1 = (int(v) for v in np.clip(np.ceil(points.max(0)) + 2, 0, [w, h]))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [np.round((quad - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        if style.gap < 0.01:  # one piece of cardboard: no seam between its squares
            cv2.polylines(mask, [np.round((quad - [x0, y0]) * 16).astype(np.int32)], True, 255, 1, cv2.LINE_AA, 4)
    noise = style.rough * np.random.default_rng(seed).standard_normal(mask.shape, np.float32)
    cover, part = mask[..., None].astype(np.float32) / 255, image[y0:y1, x0:x1]
    part[:] = np.clip(part + cover * (np.array(color, np.float32) + noise[..., None] - part), 0, 255).astype(np.uint8)
    if style.lined:
        for quad in quads:
            outline = np.round(quad * 16).astype(np.int32)
            cv2.polylines(image, [outline], True, dimmed(color, 0.7), 1, cv2.LINE_AA, 4)
