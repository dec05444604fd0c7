"""Cardboard tetrominoes: four squares edge by edge on one grid, that point to the same middle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.peaks import Spot, distinct
from vision.scene import Faint, TetrominoDetection, TileDetection

Points = NDArray[np.float64]

SQUARES = 4
MOST = 64  # squares that are looked at, the likeliest: a scene has seven tetrominoes at most
SCALES = 3  # at which one square is found
ONE = 0.4  # edges: a light and a dark square so near are one, of which the colour is not sure
NEAREST, FARTHEST = 0.7, 1.3  # edges from a square's middle to that of one beside it
ASTRAY = 0.25  # of an edge: how far a square may be off the grid of the others
UNSEEN = 0.08  # the chance of a square's colour where only the other one was seen
STRAYS = 0.6  # edges by which squares usually miss the middle of their piece
EVEN, CLEARER = 0.27, 18.0  # the score at which every second is a tetromino, and how quickly more makes it likelier
LEAST = 0.12  # a smaller score is none
TOGETHER = 0.8  # edges: squares whose middles of the whole lie closer are surely one piece,
SURE = 0.5  # if they are so likely
FAINT = 0.49  # of its chance: what is not so sure only a game that has tetrominoes believes
_ONES, _OTHERS = (list(side) for side in zip(*combinations(range(SQUARES), 2), strict=True))  # every pair of the four
SAME = 0.35  # of a half: a square whose middle is nearer to that of a half lies upon it


def find_tetrominoes(found: Sequence[Spot]) -> tuple[Faint, ...]:
    """What may be a tetromino among the spots, the likeliest first; no square belongs to two."""
    squares = _squares(found)
    told, used = list[Faint](), set[int]()
    for piece in sorted(_pieces(squares), key=lambda one: -one.score):
        if used.isdisjoint(piece.squares):
            used.update(piece.squares)
            centers = sorted((float(x), float(y)) for x, y in (squares[k].center for k in piece.squares))
            chance = piece.sure or FAINT * float(1 / (1 + np.exp(CLEARER * (EVEN - piece.score))))
            told.append(Faint("tetromino", chance, TetrominoDetection(tuple(centers), piece.light, chance)))
    return tuple(told)


def not_cardboard(
    tiles: Sequence[TileDetection], tetrominoes: Sequence[TetrominoDetection]
) -> tuple[TileDetection, ...]:
    """The tiles without those doubtful backs of which a tetromino's square takes up a half: cardboard looks alike."""
    squares = [np.array(center) for piece in tetrominoes for center in piece.centers_px]
    return tuple(t for t in tiles if t.face_up or not t.doubtful or not any(_takes_up(at, t) for at in squares))


def _takes_up(square: NDArray[np.float64], tile: TileDetection) -> bool:
    head, tail = np.array(tile.centers_px)
    return bool(min(np.linalg.norm(square - head), np.linalg.norm(square - tail)) < SAME * np.linalg.norm(tail - head))


@dataclass(frozen=True, eq=False)
class _Square:
    """A square of cardboard: its middle, edge and where it believes the middle of its piece, and how likely it is
    dark (0) and light (1)."""

    center: Points
    edge: float
    whole: Points
    chances: tuple[float, float]


@dataclass(frozen=True)
class _Piece:
    """Four squares by number, and how well they make a tetromino of one colour.

    sure: how likely the squares are where nothing speaks against it, else 0.
    """

    squares: tuple[int, ...]
    light: bool
    score: float
    sure: float


def _squares(found: Sequence[Spot]) -> list[_Square]:
    """The squares among the spots, the likeliest first, each with both of its colours."""
    likeliest = sorted(found, key=lambda spot: -spot.score)
    spots = [
        spot
        for kind in ("dark", "light")
        for spot in distinct(tuple(s for s in likeliest if s.kind == kind)[: SCALES * MOST])
    ]
    squares: list[_Square] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        center, light = np.array(spot.center), spot.kind == "light"
        near = [k for k, one in enumerate(squares) if math.dist(one.center, center) < ONE * max(one.edge, spot.edge_px)]
        if near:
            known = squares[near[0]]
            dark, bright = known.chances
            chances = (dark, max(bright, spot.score)) if light else (max(dark, spot.score), bright)
            squares[near[0]] = _Square(known.center, known.edge, known.whole, chances)
        elif len(squares) < MOST:
            chances = (UNSEEN, spot.score) if light else (spot.score, UNSEEN)
            squares.append(_Square(center, spot.edge_px, center + spot.way, chances))
    return squares


def _pieces(squares: Sequence[_Square]) -> Iterator[_Piece]:
    """Every four squares that lie edge by edge on one grid, in both colours, as far as they may be a piece."""
    groups = np.array(sorted(_connected(squares)), int).reshape(-1, SQUARES)
    if not len(groups):
        return
    centers, wholes, edges = (
        np.array(values)[groups]
        for values in (
            [complex(*one.center) for one in squares],
            [complex(*one.whole) for one in squares],
            [one.edge for one in squares],
        )
    )
    chances = np.array([one.chances for one in squares])[groups]
    missed = abs(wholes - centers.mean(axis=1, keepdims=True)) / edges
    agreed = np.exp(-(missed**2).mean(axis=1) / (2 * STRAYS**2)) * _on_one_grid(centers, edges)
    apart = abs(wholes[:, _ONES] - wholes[:, _OTHERS]).max(axis=1)
    for light in (False, True):
        likely = chances[..., int(light)].prod(axis=1) ** 0.25
        sure = np.where((apart < TOGETHER * edges.max(axis=1)) & (likely > SURE), likely, 0.0)
        for k in np.flatnonzero(agreed * likely > LEAST):
            yield _Piece(tuple(groups[k].tolist()), light, float(agreed[k] * likely[k]), float(sure[k]))


def _connected(squares: Sequence[_Square]) -> set[tuple[int, ...]]:
    """Every four squares of which each lies beside another, by number."""
    beside: list[list[int]] = [[] for _ in squares]
    for k, j in combinations(range(len(squares)), 2):
        if _beside(squares[k], squares[j]):
            beside[k].append(j)
            beside[j].append(k)
    groups: set[tuple[int, ...]] = {(k,) for k in range(len(squares))}
    for _ in range(SQUARES - 1):
        groups = {tuple(sorted((*group, j))) for group in groups for k in group for j in beside[k] if j not in group}
    return groups


def _on_one_grid(centers: NDArray[np.complex128], edges: Points) -> NDArray[np.bool_]:
    """Whether four squares (n, 4) lie on four cells of one grid, whichever way it is turned, (n,)."""
    steps = centers[:, _OTHERS] - centers[:, _ONES]
    ratio = 2 * abs(steps) / (edges[:, _OTHERS] + edges[:, _ONES])
    beside = (ratio > NEAREST) & (ratio < FARTHEST)
    turn = np.angle((beside * steps**4).sum(axis=1, keepdims=True)) / 4
    pitch = (beside * abs(steps)).sum(axis=1, keepdims=True) / beside.sum(axis=1, keepdims=True)
    cells = (centers - centers[:, :1]) * np.exp(-1j * turn) / pitch
    on = np.round(cells.real) + 1j * np.round(cells.imag)
    off = cells - on
    off = off - off.mean(axis=1, keepdims=True)
    tidy = np.maximum(abs(off.real), abs(off.imag)).max(axis=1) < ASTRAY
    return np.asarray(tidy & (on[:, _OTHERS] != on[:, _ONES]).all(axis=1), np.bool_)


def _beside(a: _Square, b: _Square) -> bool:
    return NEAREST < math.dist(a.center, b.center) / ((a.edge + b.edge) / 2) < FARTHEST
