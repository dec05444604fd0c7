"""What a reader without fault would see on a rendered picture: its truth as a scene."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.truth import TruePiece, TrueTile, Truth
from vision.scene import DieDetection, PawnDetection, Point, Scene, TetrominoDetection, TileDetection

MOSTLY_HIDDEN = 0.5


def sighted(truth: Truth) -> Scene:
    """The scene of a truth, without the tiles of which next to nothing is seen."""
    return Scene(
        truth.size_px,
        tuple(_tile(tile) for tile in truth.tiles if tile.visible >= MOSTLY_HIDDEN),
        tuple(DieDetection(die.center_px, die.value, 1.0, edge_px=_edge(die.corners_px)) for die in truth.dice),
        tuple(_piece(piece) for piece in truth.pieces if piece.kind == "pawn"),
        tuple(_piece(piece) for piece in truth.pieces if piece.kind == "token"),
        tuple(
            TetrominoDetection(tuple(_middle(square) for square in one.squares_px), one.light, 1.0)
            for one in truth.tetrominoes
        ),
    )


def _tile(tile: TrueTile) -> TileDetection:
    one, two, three, four = tile.corners_px
    head, tail = np.mean([one, two], 0), np.mean([three, four], 0)
    centers = _point(0.75 * head + 0.25 * tail), _point(0.25 * head + 0.75 * tail)
    likelihoods = tuple(tuple(float(number == pips) for number in range(13)) for pips in tile.pips)
    known = (likelihoods[0], likelihoods[1]) if tile.face_up else ((), ())
    return TileDetection((one, two, three, four), centers, tile.pips, 1.0, face_up=tile.face_up, likelihoods=known)


def _piece(piece: TruePiece) -> PawnDetection:
    return PawnDetection(piece.center_px, piece.color, 1.0, piece.width_px)


def _edge(corners: tuple[Point, ...]) -> float:
    return float(np.linalg.norm(np.subtract(corners[0], corners[1])))


def _middle(corners: tuple[Point, ...]) -> Point:
    return _point(np.mean(corners, 0))


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1])
