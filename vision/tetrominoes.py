"""Cardboard tetrominoes: four squares edge by edge on one grid, that point to the same middle.

Cardboard is laid upon dominoes: on the cells of those that are known a square is told from less than anywhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.cells import grids, squares_on
from vision.odds import chance_of
from vision.scene import Faint, Point, TetrominoDetection, TileDetection
from vision.squares import ONE, SHOWING, Square, squares_of

if TYPE_CHECKING:
    from vision.before import Unseen
    from vision.peaks import Spot
    from vision.straighten import Image

Points = NDArray[np.float64]

SQUARES = 4
NEAREST, FARTHEST = 0.7, 1.3  # edges from a square's middle to that of one beside it
ASTRAY = 0.25  # of an edge: how far a square may be off the grid of the others
STRAYS = 0.6  # edges by which squares usually miss the middle of their piece
EVEN, CLEARER = 0.27, 18.0  # the score at which every second is a tetromino, and how quickly more makes it likelier
LEAST = 0.12  # a smaller score is none
TOGETHER = 0.8  # edges: squares whose middles of the whole lie closer are surely one piece,
SURE = 0.5  # if they are so likely
FAINT = 0.49  # of its chance: what is not so sure only a game that has tetrominoes believes
_ONES, _OTHERS = (list(side) for side in zip(*combinations(range(SQUARES), 2), strict=True))  # every pair of the four
SAME = 0.35  # of a half: a square whose middle is nearer to that of a half lies upon it
LIGHT, SHINING = 0.4, 90.0  # of a tile's lightest part, in per cent of it: no light side is darker
ON_CELLS = 1.35  # how much better than any four squares are those on four cells that are known,
STRAYS_ON_CELLS = 1.35  # and by how much they may miss the middle of their piece


def find_tetrominoes(
    found: Sequence[Spot], before: Sequence[Unseen] = (), bare: Sequence[TileDetection] = ()
) -> tuple[Faint, ...]:
    """What may be a tetromino among the spots, the likeliest first; no square belongs to two.

    before: the dominoes known from before that do not show as they did: cardboard may lie upon them. bare: those that
    do, so that it lies on none of them.
    """
    told, used = list[Faint](), list[tuple[Point, float]]()
    pieces = [*_of([*_off(squares_of(found), bare)]), *_upon(found, before)]
    for piece in sorted(pieces, key=lambda one: -one.score):
        centers = sorted((float(x), float(y)) for x, y in (square.center for square in piece.squares))
        if not any(math.dist(at, center) < ONE * edge for at, edge in used for center in centers):
            used += [(center, piece.squares[0].edge) for center in centers]
            chance = piece.sure or FAINT * chance_of(CLEARER * (piece.score - EVEN))
            told.append(Faint("tetromino", chance, TetrominoDetection(tuple(centers), piece.light, chance)))
    return tuple(told)


def sides_told(frame: Image, found: Sequence[Faint], lightest: float) -> tuple[Faint, ...]:
    """The same cardboard, with what is far darker than the tiles on a BGR frame told for dark, whatever lies around it.

    On a black table even the dark side looks light. lightest: how light the lightest parts of the tiles are, 0 to 255.
    """
    return tuple(
        replace(one, piece=replace(piece, light=False))
        if isinstance(piece := one.piece, TetrominoDetection) and _lightness(frame, piece) < LIGHT * lightest
        else one
        for one in found
    )


def shining(frame: Image, tiles: Sequence[TileDetection]) -> float:
    """How light the lightest parts of the face-up tiles are on a BGR frame, 0 to 255; 0 if there are none."""
    return float(np.median([_shining(frame, tile) for tile in tiles if tile.face_up] or [0.0]))


def _lightness(frame: Image, piece: TetrominoDetection) -> float:
    """How light the squares of cardboard are, 0 to 255."""
    edge = min(math.dist(a, b) for a, b in combinations(piece.centers_px, 2))
    spread = np.stack(np.meshgrid(*[np.linspace(-0.3, 0.3, 7) * edge] * 2), axis=-1).reshape(-1, 2)
    return float(np.median(_grey(frame, np.concatenate([np.array(center) + spread for center in piece.centers_px]))))


def _shining(frame: Image, tile: TileDetection) -> float:
    """How light the lightest part of a tile's face is: the face itself, or the pips of a dark one."""
    a, b, _, d = np.array(tile.corners_px)
    u, v = (x.ravel()[:, None] for x in np.meshgrid(np.linspace(0.1, 0.9, 16), np.linspace(0.1, 0.9, 8)))
    return float(np.percentile(_grey(frame, a + u * (d - a) + v * (b - a)), SHINING))


def _grey(frame: Image, points: Points) -> NDArray[np.float64]:
    """The light at points (x, y) of a frame."""
    x, y = (np.clip(np.round(points[:, k]).astype(int), 0, frame.shape[1 - k] - 1) for k in (0, 1))
    return np.asarray(frame[y, x].mean(axis=-1), np.float64)


def takes_up(square: Point, half: Point, tile: TileDetection) -> bool:
    """Whether a square with its middle there lies upon a half of a tile."""
    return math.dist(square, half) < SAME * math.dist(*tile.centers_px)


@dataclass(frozen=True)
class _Piece:
    """Four squares, and how well they make a tetromino of one colour.

    sure: how likely the squares are where nothing speaks against it, else 0.
    """

    squares: tuple[Square, ...]
    light: bool
    score: float
    sure: float


def _off(squares: Sequence[Square], bare: Sequence[TileDetection]) -> Iterator[Square]:
    """The squares that do not lie where dominoes show their pips; a blank shows nothing, and may look like one."""
    halves = [(half, n, tile) for tile in bare for half, n in zip(tile.centers_px, tile.pips, strict=True)]
    for square in squares:
        center = float(square.center[0]), float(square.center[1])
        upon = [n for half, n, tile in halves if takes_up(center, half, tile)]
        if not any(upon):
            yield replace(square, blank=SHOWING) if upon else square


def _upon(found: Sequence[Spot], before: Sequence[Unseen]) -> Iterator[_Piece]:
    """What lies on the cells of dominoes that are known."""
    for grid in grids([np.array(one.tile.corners_px) for one in before]):
        yield from _of(squares_on(found, grid, before), ON_CELLS, STRAYS_ON_CELLS)


def _of(squares: Sequence[Square], better: float = 1.0, strays: float = STRAYS) -> Iterator[_Piece]:
    """Every four squares that lie edge by edge on one grid, in both colours, as far as they may be a piece.

    better: by how much each is likelier than it looks. strays: as STRAYS.
    """
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
    likely = chances.prod(axis=1) ** 0.25
    lighter = likely[:, 1] > likely[:, 0]
    likely[:, 1] *= np.array([one.blank for one in squares])[groups].prod(axis=1) ** 0.25
    missed = abs(wholes - centers.mean(axis=1, keepdims=True)) / edges
    agreed = np.exp(-(missed**2).mean(axis=1) / (2 * strays**2)) * _on_one_grid(centers, edges)
    apart = abs(wholes[:, _ONES] - wholes[:, _OTHERS]).max(axis=1)
    for light in (False, True):
        there = likely[:, int(light)]
        sure = np.where((apart < TOGETHER * edges.max(axis=1)) & (there > SURE), there, 0.0)
        for k in np.flatnonzero(agreed * there > LEAST):
            four = tuple(squares[j] for j in groups[k])
            on_blank = any(
                square.blank < 1 for square in four
            )  # light tells less there, but dark is not likelier for it
            yield _Piece(
                four, bool(lighter[k]) if on_blank else light, better * float(agreed[k] * there[k]), float(sure[k])
            )


def _connected(squares: Sequence[Square]) -> set[tuple[int, ...]]:
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


def _beside(a: Square, b: Square) -> bool:
    return NEAREST < math.dist(a.center, b.center) / ((a.edge + b.edge) / 2) < FARTHEST
