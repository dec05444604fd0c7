"""Where the squares of a checkered board meet: its crossings are found one by one and joined to the board's own grid.

A piece, a domino or a hand hides some of them; those that are left tell where the board is all the same.
The test of one crossing, by a ring of samples around it: ChESS (Bennett and Lasenby 2014).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import mapped
from vision.layout.checkered import SIDE, first_square

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.homography import Array
    from vision.scene import TileDetection

Frame = NDArray[np.uint8]
Node = tuple[int, int]  # column and row of a crossing, counted from the one that the search began with

LOOKED_AT = (1280, 640)  # pixels of the longer side, one after the other: from afar a cloth's fine lines are gone
RING = 5.0  # pixels: the radius of the samples
RING_OF = 16
SPACE = 7  # pixels: crossings do not lie closer
WEAKEST = 0.12  # of the strongest response
MOST = 400
BEGINNINGS, PLENTY = 60, 30  # crossings from which a grid is tried, until one has more than every other corner has
NEAREST = 6
SQUARE_TO = 0.35  # cosine: how far from square two sides of a square may look
ASTRAY = 0.22  # of a square's side: how far from where it is expected a crossing may lie
FEWEST = 12  # crossings: fewer line up by chance
MOSTLY = 0.9  # of the crossings of a grid lie on one board
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def find_board(frame: Frame, tiles: Sequence[TileDetection] = ()) -> Array | None:
    """The 8 x 8 checkered board in a BGR picture: (3, 3), from squares, as (column, row), to pixels; None without one.

    The first row is the upper one as the picture shows it. tiles: those that may lie on the board.
    """
    seen = (_seen_at(frame, tiles, longest) for longest in LOOKED_AT)
    return next((board for board in seen if board is not None), None)


def _seen_at(frame: Frame, tiles: Sequence[TileDetection], longest: int) -> Array | None:
    """The board in a picture made no longer than so many pixels."""
    scale = min(1.0, longest / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else frame
    points = crossings(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)) / scale
    grid = _within_one_board(_largest(points))
    return _placed(frame, points, grid, tiles) if len(grid) >= FEWEST else None


def outline(board: Array) -> Array:
    """The corners (4, 2) of a board in pixels, going round."""
    return mapped(board, np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], float))


def crossings(gray: Frame) -> Array:
    """(n, 2) places where four squares of two colours seem to meet, the clearest first."""
    response = _response(cv2.GaussianBlur(gray, (0, 0), 1.2).astype(np.float32))
    peak = response >= cv2.dilate(response, np.ones((SPACE, SPACE), np.uint8))
    rows, cols = np.nonzero(peak & (response > WEAKEST * max(float(response.max()), 1.0)))
    order = np.argsort(-response[rows, cols], kind="stable")[:MOST]
    return np.column_stack([cols[order], rows[order]]).astype(np.float64)


def _response(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much each pixel is like a crossing: opposite samples alike, those a quarter round unlike."""
    turns = 2 * np.pi * np.arange(RING_OF) / RING_OF
    ring = [_shifted(light, RING * np.cos(a), RING * np.sin(a)) for a in turns]
    half, quarter = RING_OF // 2, RING_OF // 4
    pairs = [ring[k] + ring[k + half] for k in range(half)]
    unlike = sum(abs(pairs[k] - pairs[k + quarter]) for k in range(quarter))
    astray = sum(abs(ring[k] - ring[k + half]) for k in range(half))
    middle = cv2.blur(light, (3, 3))
    return np.asarray(unlike - astray - abs(sum(ring) - RING_OF * middle), np.float32)


def _shifted(light: NDArray[np.float32], x: float, y: float) -> NDArray[np.float32]:
    matrix = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    size = light.shape[1], light.shape[0]
    return np.asarray(cv2.warpAffine(light, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _largest(points: Array) -> dict[Node, int]:
    """The largest grid that the crossings make; a pip or a letter begins none."""
    best: dict[Node, int] = {}
    for first in range(min(BEGINNINGS, len(points))):
        best = max(best, _grown(points, first), key=len)
        if len(best) >= PLENTY:
            break
    return best


def _within_one_board(grid: dict[Node, int]) -> dict[Node, int]:
    """The crossings that one board can have; none where too many lie outside: then it is no such board."""
    inner = SIDE - 1
    corners = {(col - right, row - down) for col, row in grid for right, down in product((0, inner - 1), repeat=2)}
    parts = [
        {n: k for n, k in grid.items() if 0 <= n[0] - col < inner and 0 <= n[1] - row < inner} for col, row in corners
    ]
    best = max(parts, key=len, default={})
    return best if len(best) > MOSTLY * len(grid) else {}


def _grown(points: Array, first: int) -> dict[Node, int]:
    """The largest grid that holds the crossing: from two sides of a square on, each neighbour where it is expected."""
    apart = points - points[first]
    near = np.argsort((apart**2).sum(1), kind="stable")[1 : NEAREST + 1]
    best: dict[Node, int] = {}
    for right, down in product(near, near):
        a, b = apart[right], apart[down]
        sides = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        upright = abs(a @ b) < SQUARE_TO * sides[0] * sides[1] and a[0] * b[1] - a[1] * b[0] > 0
        if upright and abs(a[1]) <= a[0] and 0.5 < sides[0] / sides[1] < 2:
            grid = _spread({(0, 0): first, (1, 0): int(right), (0, 1): int(down)}, points, (a, b))
            best = max(best, grid, key=len)
    return best


def _spread(grid: dict[Node, int], points: Array, sides: tuple[Array, Array]) -> dict[Node, int]:
    """Join crossings to the grid, one beside the other, until none lies where one is expected."""
    waiting, used = list(grid), set(grid.values())
    while waiting:
        col, row = waiting.pop(0)
        for right, down in STEPS:
            node = col + right, row + down
            if node in grid:
                continue
            at, side = _expected(grid, points, (col, row), (right, down), sides)
            k = int(((points - at) ** 2).sum(1).argmin())
            if k not in used and float(np.linalg.norm(points[k] - at)) < ASTRAY * side:
                grid[node] = k
                used.add(k)
                waiting.append(node)
    return grid


def _expected(
    grid: dict[Node, int], points: Array, node: Node, way: Node, sides: tuple[Array, Array]
) -> tuple[Array, float]:
    """Where the next crossing should lie, and how long that side is: as on the side before, or on the row beside."""
    (col, row), (right, down) = node, way
    here = points[grid[node]]
    known = [((col - right, row - down), node)]
    known += [((col + s * down, row + s * right), (col + s * down + right, row + s * right + down)) for s in (1, -1)]
    steps = [points[grid[b]] - points[grid[a]] for a, b in known if a in grid and b in grid]
    step = np.mean(steps, axis=0) if steps else right * sides[0] + down * sides[1]
    return here + step, float(np.linalg.norm(step))


def _placed(frame: Frame, points: Array, grid: dict[Node, int], tiles: Sequence[TileDetection]) -> Array | None:
    """The board's own squares: where on the grid its corner lies is told by where the squares end."""
    nodes = np.array(list(grid), np.float64)
    matrix, _ = cv2.findHomography(nodes, points[list(grid.values())], cv2.RANSAC, 3.0)
    if matrix is None:
        return None
    low, high = nodes.min(0).astype(int) - 1, nodes.max(0).astype(int)
    corner = first_square(frame, np.asarray(matrix, float), [(int(x), int(y)) for x, y in (low, high)], tiles)
    if corner is None:
        return None
    board = matrix @ np.array([[1, 0, corner[0]], [0, 1, corner[1]], [0, 0, 1.0]])
    inside = mapped(board, np.array([[0, 0], [SIDE, SIDE], [0, SIDE], [SIDE, 0]], float))
    return np.asarray(board, float) if np.isfinite(inside).all() else None
