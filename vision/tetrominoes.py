"""Cardboard tetrominoes: four squares edge by edge on one grid, that point to the same middle.

Dominoes that are known show where the cells of their grid are: there a square is told from less than anywhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.peaks import Spot, distinct
from vision.scene import Faint, Point, TetrominoDetection, TileDetection

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
AROUND = 4  # cells: so far around a domino its cells are told well enough
ALIGNED = 0.15  # of a cell: how far off the middles of cells a domino's halves may be that shows the same ones
OFF, LARGER = 0.35, 0.35  # of a cell: how far from its middle a square on it is seen, and how much larger (log)
BLANK = 0.4  # how much less likely a light square is where a blank is known to lie
ON_CELLS = 1.2  # how much better than any four squares are those on four cells that are known

Quad = NDArray[np.floating]
Cell = tuple[int, int]


def find_tetrominoes(
    found: Sequence[Spot], tiles: Sequence[TileDetection] = (), before: Sequence[TileDetection] = ()
) -> tuple[Faint, ...]:
    """What may be a tetromino among the spots, the likeliest first; no square belongs to two.

    tiles: those on the same picture, and before: those known from before, that cardboard may hide now. Both show where
    cells are.
    """
    told, used = list[Faint](), list[tuple[Point, float]]()
    pieces = [*_of(_squares(found)), *_on_known_cells(found, tiles, before)]
    for piece in sorted(pieces, key=lambda one: -one.score):
        centers = sorted((float(x), float(y)) for x, y in (square.center for square in piece.squares))
        if not any(math.dist(at, center) < ONE * edge for at, edge in used for center in centers):
            used += [(center, piece.squares[0].edge) for center in centers]
            chance = piece.sure or FAINT * float(1 / (1 + np.exp(CLEARER * (EVEN - piece.score))))
            told.append(Faint("tetromino", chance, TetrominoDetection(tuple(centers), piece.light, chance)))
    return tuple(told)


def _on_known_cells(
    found: Sequence[Spot], tiles: Sequence[TileDetection], before: Sequence[TileDetection]
) -> Iterator[_Piece]:
    """What lies on the cells that dominoes show; a half known to be blank looks like light cardboard."""
    blanks = [at for tile in before for at, pips in zip(tile.centers_px, tile.pips, strict=True) if not pips]
    for grid in _grids([np.array(tile.corners_px) for tile in (*before, *tiles)]):
        yield from _of(_on_cells(found, grid, blanks), ON_CELLS)


def not_cardboard(
    tiles: Sequence[TileDetection], tetrominoes: Sequence[TetrominoDetection], *, expected: bool = False
) -> tuple[TileDetection, ...]:
    """The tiles without those doubtful backs of which a tetromino's square takes up a half: cardboard looks alike.

    expected: whether tetrominoes are known to lie there. Then even a sure back and a double blank, new where they lie,
    are cardboard if a tetromino's squares take up both halves.
    """
    return tuple(t for t in tiles if not any(_is_part(t, piece, expected=expected) for piece in tetrominoes))


def _is_part(tile: TileDetection, piece: TetrominoDetection, *, expected: bool) -> bool:
    """Whether what looks like a tile is a part of this tetromino."""
    taken = [any(_takes_up(center, half, tile) for center in piece.centers_px) for half in tile.centers_px]
    if not tile.face_up and tile.doubtful:
        return any(taken)
    return expected and all(taken) and (not tile.face_up or tile.pips == (0, 0))


def _takes_up(square: Point, half: Point, tile: TileDetection) -> bool:
    return math.dist(square, half) < SAME * math.dist(*tile.centers_px)


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
    """Four squares, and how well they make a tetromino of one colour.

    sure: how likely the squares are where nothing speaks against it, else 0.
    """

    squares: tuple[_Square, ...]
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


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells around a domino: cell (0, 0) is its head's, (1, 0) its tail's."""

    middle: Points
    axes: Points

    @classmethod
    def of(cls, tile: Quad) -> _Cells:
        along = (tile[2:].sum(axis=0) - tile[:2].sum(axis=0)) / 4
        across = (tile[1:3].sum(axis=0) - tile[0] - tile[3]) / 2
        return cls(tile.mean(axis=0) - along / 2, np.array([along, across], np.float64))

    @property
    def edge(self) -> float:
        """How long a cell's edge is, in pixels."""
        return float(np.linalg.norm(self.axes, axis=1).mean())

    def at(self, points: Sequence[Point] | Points) -> Points:
        """Where points (n, 2) lie, in cells."""
        return np.asarray(np.linalg.solve(self.axes.T, (np.asarray(points, np.float64) - self.middle).T).T)

    def cell(self, point: Point) -> Cell:
        """The cell on which a point lies."""
        (place,) = self.at([point]).round()
        return int(place[0]), int(place[1])

    def center(self, cell: Cell) -> Points:
        """The middle of a cell, in pixels."""
        return np.asarray(self.middle + np.array(cell, np.float64) @ self.axes)

    def hold(self, tile: Quad) -> bool:
        """Whether another domino lies near, on two of these cells, so that it shows the same ones."""
        other = _Cells.of(tile)
        halves = self.at(np.array([other.center((0, 0)), other.center((1, 0))]))
        return bool(np.abs(halves - halves.round()).max() < ALIGNED and np.abs(halves).max() < AROUND / 2)


def _grids(tiles: Sequence[Quad]) -> list[_Cells]:
    """The cells that dominoes show, each once."""
    grids = list[_Cells]()
    for tile in tiles:
        if cv2.contourArea(tile.astype(np.float32)) > 1 and not any(grid.hold(tile) for grid in grids):
            grids.append(_Cells.of(tile))
    return grids


def _on_cells(found: Sequence[Spot], grid: _Cells, blanks: Sequence[Point]) -> list[_Square]:
    """The squares that the spots show on cells around a domino, each in the middle of its cell.

    blanks: the middles of halves that are known to be blank, and look like light cardboard.
    """
    known = dict[Cell, _Square]()
    for spot in (s for s in found if s.kind in ("dark", "light")):
        cells = _covered(spot, grid)
        whole = np.array(spot.center) + (spot.way if len(cells) == 1 else (0.0, 0.0))
        for cell in cells:
            known[cell] = _with(known.get(cell), spot, _Square(grid.center(cell), grid.edge, whole, (UNSEEN, UNSEEN)))
    for cell in {grid.cell(at) for at in blanks} & known.keys():
        dark, light = known[cell].chances
        known[cell] = replace(known[cell], chances=(dark, BLANK * light))
    return sorted(known.values(), key=lambda one: -max(one.chances))[:MOST]


def _covered(spot: Spot, grid: _Cells) -> list[Cell]:
    """The cells that a square takes up: one, or four if it is twice as large, as a square of four looks from afar."""
    (place,) = grid.at([spot.center])
    for side, ways in ((1, ((0.0, 0.0),)), (2, ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)))):
        cells = np.round(place + ways).astype(int)
        off = np.abs(cells.mean(axis=0) - place).max()
        if abs(math.log(spot.edge_px / (side * grid.edge))) < LARGER and off < OFF and np.abs(cells).max() <= AROUND:
            return [(int(x), int(y)) for x, y in cells]
    return []


def _with(known: _Square | None, spot: Spot, alone: _Square) -> _Square:
    """A square of which one more spot tells; the likeliest spot tells where the middle of its piece is."""
    dark, light = known.chances if known else alone.chances
    whole = known.whole if known and spot.score < max(dark, light) else alone.whole
    chances = (dark, max(light, spot.score)) if spot.kind == "light" else (max(dark, spot.score), light)
    return replace(alone, whole=whole, chances=chances)


def _of(squares: Sequence[_Square], better: float = 1.0) -> Iterator[_Piece]:
    """Every four squares that lie edge by edge on one grid, in both colours, as far as they may be a piece.

    better: by how much each is likelier than it looks.
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
    missed = abs(wholes - centers.mean(axis=1, keepdims=True)) / edges
    agreed = np.exp(-(missed**2).mean(axis=1) / (2 * STRAYS**2)) * _on_one_grid(centers, edges)
    apart = abs(wholes[:, _ONES] - wholes[:, _OTHERS]).max(axis=1)
    for light in (False, True):
        likely = chances[..., int(light)].prod(axis=1) ** 0.25
        sure = np.where((apart < TOGETHER * edges.max(axis=1)) & (likely > SURE), likely, 0.0)
        for k in np.flatnonzero(agreed * likely > LEAST):
            four = tuple(squares[j] for j in groups[k])
            yield _Piece(four, light, better * float(agreed[k] * likely[k]), float(sure[k]))


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
