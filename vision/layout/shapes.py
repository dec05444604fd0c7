"""Which cells a cardboard tetromino covers: four that adjoin, or a doubt that says what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rules.board import Cell, areas
from rules.table import Doubt, Tetromino
from rules.words import where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.homography import Array
    from vision.layout.standing import Ground
    from vision.scene import TetrominoDetection

_SQUARES = 4
_ASTRAY = 0.38  # cells: a piece that lies farther off might belong one cell farther on
_OUT_OF_SHAPE = 0.28  # cells: how far one square may lie off the others' grid


def tetrominoes(seen: Sequence[TetrominoDetection], ground: Ground) -> tuple[tuple[Tetromino, ...], tuple[Doubt, ...]]:
    """Return the tetrominoes that lie on the board or beside it, and doubts about those that lie askew over it.

    Those that lie farther off are laid aside, and are in no place; one that adjoins another on the board is on it too.
    """
    found, doubts = [], []
    fitted = [_cells(ground.cells_at(_middles(piece))) for piece in seen] if ground.covered else []
    on_board = _reached([cells for cells, _ in fitted], ground)
    for number in on_board:
        piece, (cells, fits) = seen[number], fitted[number]
        if fits:
            found.append(Tetromino(cells, piece.light))
        else:
            doubts.append(_doubt(piece, tuple(filter(ground.near, cells)) or cells))
    return tuple(found), tuple(doubts)


def _middles(piece: TetrominoDetection) -> Array:
    return np.asarray(np.clip(np.nan_to_num(np.array(piece.centers_px, float)), -1e6, 1e6), float)


def _reached(pieces: Sequence[tuple[Cell, ...]], ground: Ground) -> list[int]:
    """Which pieces lie near the board, or near one that does: they may hide the tiles that joined them."""
    reached = {number for number, cells in enumerate(pieces) if any(map(ground.near, cells))}
    while True:
        beside = {other for number in reached for cell in pieces[number] for other in cell.neighbours()}
        more = {number for number, cells in enumerate(pieces) if not beside.isdisjoint(cells)} - reached
        if not more:
            return sorted(reached)
        reached |= more


def _cells(at: Array) -> tuple[tuple[Cell, ...], bool]:
    """Return the cells (column, row) nearest to the squares' middles, moved as one piece, and whether they fit them."""
    phase = np.angle(np.exp(2j * np.pi * (at - 0.5)).mean(0)) / (2 * np.pi)
    nearest = np.round(at - 0.5 - phase)
    cells = tuple(sorted({Cell(int(row), int(col)) for col, row in nearest}))
    shape = np.abs(at - 0.5 - phase - nearest).max() < _OUT_OF_SHAPE and np.abs(phase).max() < _ASTRAY
    whole = len(cells) == _SQUARES and len(areas(cells, lambda one, other: True)) == 1
    return cells, bool(shape and whole)


def _doubt(piece: TetrominoDetection, cells: tuple[Cell, ...]) -> Doubt:
    name = f"{'light' if piece.light else 'dark'} tetromino"
    text = f"The {name} near {where(cells)} does not lie on four squares that adjoin: lay it straight."
    return Doubt(cells, name, confidence=float(np.clip(np.nan_to_num(piece.confidence), 0, 1)), sentence=text)
