"""Cardboard tetrominoes: four squares edge by edge on one grid, that point to the same middle."""

from __future__ import annotations

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
ONE = 0.4  # edges: a light and a dark square so near are one, of which the colour is not sure
NEAREST, FARTHEST = 0.7, 1.3  # edges from a square's middle to that of one beside it
ASTRAY = 0.25  # of an edge: how far a square may be off the grid of the others
UNSEEN = 0.08  # the chance of a square's colour where only the other one was seen
STRAYS = 0.6  # edges by which squares usually miss the middle of their piece
EVEN, CLEARER = 0.27, 18.0  # the score at which every second is a tetromino, and how quickly more makes it likelier
TOGETHER, SURE = (
    0.8,
    0.5,
)  # edges: squares whose middles of the whole lie closer, and are so likely, are surely one piece
FAINT = 0.49  # of its chance: what is not so sure only a game that has tetrominoes believes
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
    spots = [
        *distinct(tuple(s for s in found if s.kind == "dark")),
        *distinct(tuple(s for s in found if s.kind == "light")),
    ]
    squares: list[_Square] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        center, light = np.array(spot.center), spot.kind == "light"
        near = [k for k, one in enumerate(squares) if _apart(one.center, center) < ONE * max(one.edge, spot.edge_px)]
        if near:
            known = squares[near[0]]
            dark, bright = known.chances
            chances = (dark, max(bright, spot.score)) if light else (max(dark, spot.score), bright)
            squares[near[0]] = _Square(known.center, known.edge, known.whole, chances)
        else:
            chances = (UNSEEN, spot.score) if light else (spot.score, UNSEEN)
            squares.append(_Square(center, spot.edge_px, center + spot.way, chances))
    return squares[:MOST]


def _pieces(squares: Sequence[_Square]) -> Iterator[_Piece]:
    """Every four squares that lie edge by edge on one grid, in both colours."""
    for group in _connected(squares):
        four = [squares[k] for k in group]
        if not _on_one_grid(four):
            continue
        middle = np.mean([one.center for one in four], axis=0)
        missed = np.array([_apart(one.whole, middle) / one.edge for one in four])
        agreed = float(np.exp(-(missed**2).mean() / (2 * STRAYS**2)))
        edge = max(one.edge for one in four)
        together = max(_apart(a.whole, b.whole) for a, b in combinations(four, 2)) < TOGETHER * edge
        for light in (False, True):
            likely = float(np.prod([one.chances[light] for one in four])) ** 0.25
            yield _Piece(group, light, agreed * likely, likely if together and likely > SURE else 0.0)


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


def _on_one_grid(four: Sequence[_Square]) -> bool:
    """Whether four squares lie on four cells of one grid, whichever way it is turned."""
    points = np.array([one.center for one in four])
    steps = np.array([b.center - a.center for a, b in combinations(four, 2) if _beside(a, b)]) @ (1, 1j)
    turn = np.angle((steps**4).sum()) / 4
    cells = (points - points[0]) @ (1, 1j) * np.exp(-1j * turn) / np.abs(steps).mean()
    on = np.round(cells.real) + 1j * np.round(cells.imag)
    off = cells - on - (cells - on).mean()
    return len(set(on.tolist())) == SQUARES and bool(max(np.abs(off.real).max(), np.abs(off.imag).max()) < ASTRAY)


def _beside(a: _Square, b: _Square) -> bool:
    return NEAREST < _apart(a.center, b.center) / ((a.edge + b.edge) / 2) < FARTHEST


def _apart(one: Points, other: Points) -> float:
    return float(np.hypot(*(one - other)))
