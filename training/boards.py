"""Boards printed with squares, on which tiles may lie: two squares and the line between look like a double blank."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training import surfaces
from training.arrangements import Arrangement
from training.lens import Lens

Rng = np.random.Generator
Image = NDArray[np.uint8]
Quad = tuple[tuple[float, float], ...]
Color = tuple[float, float, float]

CELL = 40  # pixels a square on the flat board
APART = 0.1  # halves: squares beside a tile are free, though it lies a little over the line


@dataclass(frozen=True)
class PrintedBoard:
    """A square board: where one of its squares has its middle, its turn, and a square's side, in halves."""

    x: float
    y: float
    angle_deg: float
    pitch: float
    squares: int
    checkers: tuple[Color, Color] | None = None  # two colours in turn, as on a chess board; else anything is printed

    def point(self, col: float, row: float) -> tuple[float, float, float]:
        """The table point of a place counted in squares from the board's upper left corner."""
        a = np.deg2rad(self.angle_deg)
        u, v = ((k - self.squares // 2 - 0.5) * self.pitch for k in (col, row))
        return (float(self.x + u * np.cos(a) - v * np.sin(a)), float(self.y + u * np.sin(a) + v * np.cos(a)), 0.0)


def random_board(rng: Rng, laid: Arrangement) -> PrintedBoard:
    """A board whose squares fit the tiles that lie on it, or one that has nothing to do with them."""
    squares = int(rng.integers(7, 18))
    if laid and rng.random() < 0.6:
        t = laid[0]
        a = np.deg2rad(t.angle_deg)
        return PrintedBoard(t.x - 0.5 * float(np.cos(a)), t.y - 0.5 * float(np.sin(a)), t.angle_deg, 1.03, squares)
    x, y = (float(v) for v in rng.uniform(-2, 2, 2))
    return PrintedBoard(x, y, float(rng.uniform(0, 90)), float(np.exp(rng.uniform(np.log(0.5), np.log(2.5)))), squares)


def checkered(rng: Rng) -> PrintedBoard:
    """A board of 8x8 or 6x6 squares in two colours, on each of which a domino can lie cornerwise."""
    pairs = [
        ((60.0, 110.0, 165.0), (170.0, 215.0, 235.0)),
        ((30.0, 30.0, 30.0), (235.0, 238.0, 240.0)),
        (_ink(rng), _ink(rng)),
    ]
    light, dark = pairs[int(rng.integers(0, 3))]
    pitch = float(np.sqrt(2) * rng.uniform(1.0, 1.35))
    x, y = (float(v) for v in rng.uniform(-1, 1, 2))
    return PrintedBoard(x, y, float(rng.uniform(0, 90)), pitch, int(rng.choice([6, 8, 8])), (light, dark))


def middles(board: PrintedBoard) -> tuple[tuple[float, float], ...]:
    """The middle of each square on the table, row by row."""
    n = range(board.squares)
    points = [board.point(c + 0.5, r + 0.5) for r in n for c in n]
    return tuple((x, y) for x, y, _ in points)


def _ink(rng: Rng) -> Color:
    b, g, r = rng.integers(0, 256, 3)
    return (float(b), float(g), float(r))


def _decorated(flat: Image, rng: Rng, squares: int) -> None:
    """Stars, spots, letters and coloured squares, each kind with its own ink."""
    inks = [_ink(rng) for _ in range(4)]
    share, checkered = float(rng.choice([0.0, 0.2, 0.5])), rng.random() < 0.25
    for r in range(squares):
        for c in range(squares):
            x, y = c * CELL, r * CELL
            if checkered and (r + c) % 2:
                cv2.rectangle(flat, (x, y), (x + CELL, y + CELL), inks[0], -1)
            if rng.random() < share:
                _mark(flat, (x + CELL // 2, y + CELL // 2), inks[int(rng.integers(0, 4))], rng)


def _mark(flat: Image, at: tuple[int, int], ink: Color, rng: Rng) -> None:
    x, y = at
    kind, size = rng.random(), int(rng.integers(5, 19))
    if kind < 0.4:
        diamond = np.array([[x - size, y], [x, y - size], [x + size, y], [x, y + size]])
        cv2.fillConvexPoly(flat, diamond, ink, cv2.LINE_AA)
    elif kind < 0.6:
        cv2.circle(flat, at, size, ink, int(rng.choice([-1, 2])), cv2.LINE_AA)
    if kind > 0.3:
        cv2.putText(flat, "1234567890ABK"[int(rng.integers(0, 13))], (x - 7, y + 8), 0, 0.7, ink, 2, cv2.LINE_AA)


def _printed(board: PrintedBoard, rng: Rng) -> Image:
    """Squares with lines between them and marks on some."""
    side = board.squares * CELL
    flat = np.empty((side, side, 3), np.uint8)
    flat[:] = _ink(rng)
    if rng.random() < 0.6:
        flat = np.asarray(cv2.resize(surfaces.texture(rng), (side, side)), np.uint8)
    _decorated(flat, rng, board.squares)
    line, thick = _ink(rng), int(rng.choice([1, 1, 2, 4]))
    for k in range(board.squares + 1):
        cv2.line(flat, (k * CELL, 0), (k * CELL, side), line, thick)
        cv2.line(flat, (0, k * CELL), (side, k * CELL), line, thick)
    return flat


def _checkers(board: PrintedBoard, colors: tuple[Color, Color], rng: Rng) -> Image:
    """Two colours in turn within a frame that is half a square wide."""
    side = board.squares * CELL
    grain = cv2.resize(surfaces.texture(rng), (side, side)).astype(np.float32)
    grain -= grain.mean(axis=(0, 1))
    flat = np.empty((side, side, 3), np.float32)
    for r in range(board.squares):
        for c in range(board.squares):
            flat[r * CELL : (r + 1) * CELL, c * CELL : (c + 1) * CELL] = colors[(r + c) % 2]
    flat += float(rng.choice([0.0, 0.25, 0.6])) * grain
    border = tuple(float(v) for v in np.clip(np.array(colors[int(rng.integers(0, 2))]) * rng.uniform(0.4, 1.0), 0, 255))
    m = CELL // 2
    framed = cv2.copyMakeBorder(flat, m, m, m, m, cv2.BORDER_CONSTANT, value=border)
    return np.clip(framed, 0, 255).astype(np.uint8)


def paint_board(image: Image, lens: Lens, board: PrintedBoard, rng: Rng) -> None:
    """Lay the board on the table, seen through the lens."""
    flat = _checkers(board, board.checkers, rng) if board.checkers else _printed(board, rng)
    side, margin = flat.shape[0], 0.5 if board.checkers else 0.0
    lo, n = -margin, board.squares + margin
    corners = lens.project([board.point(*p) for p in ((lo, lo), (n, lo), (n, n), (lo, n))]).astype(np.float32)
    warp = cv2.getPerspectiveTransform(np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32), corners)
    seen = cv2.warpPerspective(flat, warp, (lens.width, lens.height))
    cover = cv2.warpPerspective(np.full((side, side), 255, np.uint8), warp, (lens.width, lens.height))
    image[cover > 127] = seen[cover > 127]


def decoys(lens: Lens, board: PrintedBoard, laid: Arrangement, rng: Rng, most: int = 12) -> tuple[Quad, ...]:
    """Pairs of neighbouring squares on which no tile lies, though one may touch them: corners in pixels."""
    found: list[Quad] = []
    for _ in range(4 * most):
        c, r = (int(v) for v in rng.integers(0, board.squares - 1, 2))
        wide, high = (2, 1) if rng.random() < 0.5 else (1, 2)
        x, y, _z = board.point(c + wide / 2, r + high / 2)
        pair = (x, y), (wide * board.pitch - APART, high * board.pitch - APART), board.angle_deg
        if any(cv2.rotatedRectangleIntersection(pair, t.rect())[0] for t in laid):
            continue
        spots = ((c, r), (c, r + high), (c + wide, r + high), (c + wide, r))
        quad = lens.project([board.point(*(spots if wide == 2 else (*spots[3:], *spots[:3]))[k]) for k in range(4)])
        inside = (quad > 2).all() and (quad < [lens.width - 3, lens.height - 3]).all()
        if inside and len(found) < most:
            found.append(tuple((float(px), float(py)) for px, py in quad))
    return tuple(found)
