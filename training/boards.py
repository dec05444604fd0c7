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


@dataclass(frozen=True)
class PrintedBoard:
    """A square board: where one of its squares has its middle, its turn, and a square's side, in halves."""

    x: float
    y: float
    angle_deg: float
    pitch: float
    squares: int

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


def paint_board(image: Image, lens: Lens, board: PrintedBoard, rng: Rng) -> None:
    """Lay the board on the table, seen through the lens."""
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
    n = float(board.squares)
    corners = lens.project([board.point(*p) for p in ((0, 0), (n, 0), (n, n), (0, n))]).astype(np.float32)
    warp = cv2.getPerspectiveTransform(np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32), corners)
    seen = cv2.warpPerspective(flat, warp, (lens.width, lens.height))
    cover = cv2.warpPerspective(np.full((side, side), 255, np.uint8), warp, (lens.width, lens.height))
    image[cover > 127] = seen[cover > 127]


def decoys(lens: Lens, board: PrintedBoard, laid: Arrangement, rng: Rng, most: int = 12) -> tuple[Quad, ...]:
    """Pairs of neighbouring squares on which no tile lies, as corners in pixels: they are no tiles."""
    found: list[Quad] = []
    for _ in range(4 * most):
        c, r = (int(v) for v in rng.integers(0, board.squares - 1, 2))
        wide, high = (2, 1) if rng.random() < 0.5 else (1, 2)
        x, y, _z = board.point(c + wide / 2, r + high / 2)
        if any(np.hypot(t.x - x, t.y - y) < 1.2 + board.pitch for t in laid):
            continue
        spots = ((c, r), (c, r + high), (c + wide, r + high), (c + wide, r))
        quad = lens.project([board.point(*(spots if wide == 2 else (*spots[3:], *spots[:3]))[k]) for k in range(4)])
        inside = (quad > 2).all() and (quad < [lens.width - 3, lens.height - 3]).all()
        if inside and len(found) < most:
            found.append(tuple((float(px), float(py)) for px, py in quad))
    return tuple(found)
