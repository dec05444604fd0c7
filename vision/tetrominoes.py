"""Cardboard tetrominoes: four squares that point to the same middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.peaks import Spot, distinct
from vision.scene import Faint, TetrominoDetection, TileDetection

TOGETHER = 0.8  # edges: squares whose middles of the whole lie closer than this may be one piece
SQUARES = 4
SAME = 0.35  # of a half: a square whose middle is nearer to that of a half lies upon it


def find_tetrominoes(found: Sequence[Spot]) -> tuple[Faint, ...]:
    """What may be a tetromino among the spots; squares that find no three others are left out."""
    seen = [*_pieces(found, "light"), *_pieces(found, "dark")]
    return tuple(Faint("tetromino", piece.confidence, piece) for piece in seen)


def not_cardboard(
    tiles: Sequence[TileDetection], tetrominoes: Sequence[TetrominoDetection]
) -> tuple[TileDetection, ...]:
    """The tiles without those doubtful backs of which a tetromino's square takes up a half: cardboard looks alike."""
    squares = [np.array(center) for piece in tetrominoes for center in piece.centers_px]
    return tuple(t for t in tiles if t.face_up or not t.doubtful or not any(_takes_up(at, t) for at in squares))


def _takes_up(square: NDArray[np.float64], tile: TileDetection) -> bool:
    head, tail = np.array(tile.centers_px)
    return bool(min(np.linalg.norm(square - head), np.linalg.norm(square - tail)) < SAME * np.linalg.norm(tail - head))


def _pieces(found: Sequence[Spot], kind: str) -> list[TetrominoDetection]:
    free = list(distinct(tuple(s for s in found if s.kind == kind)))
    pieces = []
    while free:
        first = free.pop(0)
        near = sorted((s for s in free if _apart(first, s) < TOGETHER), key=lambda s: _apart(first, s))
        group = [first, *near[: SQUARES - 1]]
        if len(group) == SQUARES and _adjoin(group):
            for square in group[1:]:
                free.remove(square)
            pieces.append(_detection(group))
    return pieces


def _detection(group: list[Spot]) -> TetrominoDetection:
    centers = tuple(sorted(s.center for s in group))
    return TetrominoDetection(centers, group[0].kind == "light", float(np.prod([s.score for s in group])) ** 0.25)


def _whole(spot: Spot) -> tuple[float, float]:
    return spot.center[0] + spot.way[0], spot.center[1] + spot.way[1]


def _apart(a: Spot, b: Spot) -> float:
    """How far apart, in edges, two squares believe the middle of their piece to be."""
    (ax, ay), (bx, by) = _whole(a), _whole(b)
    return float(np.hypot(ax - bx, ay - by)) / max(a.edge_px, b.edge_px)


def _adjoin(group: list[Spot]) -> bool:
    """Whether the squares hang together edge by edge."""
    reached, open_ = {0}, [0]
    while open_:
        k = open_.pop()
        for j in range(len(group)):
            if j not in reached and _side_by_side(group[k], group[j]):
                reached.add(j)
                open_.append(j)
    return len(reached) == len(group)


def _side_by_side(a: Spot, b: Spot) -> bool:
    apart = float(np.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]))
    return 0.6 < apart / ((a.edge_px + b.edge_px) / 2) < 1.3
