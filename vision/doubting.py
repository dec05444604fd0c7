"""What is said of a tile whose reading is not sure: where it lies, what it reads best, what else it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rules.domino import HIGHEST_PIPS, pips_text
from rules.table import Doubt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.board import Cell
    from vision.scene import TileDetection

    Cells = tuple[Cell, Cell]

MOST_OTHERS = 2
LEAST_CHANCE = 0.005
FACE_DOWN = "face down"


def pips_of(tile: TileDetection) -> tuple[int, int]:
    """Return a tile's numbers, kept within what a half can show."""
    head, tail = (min(max(int(pips), 0), HIGHEST_PIPS) for pips in tile.pips)
    return head, tail


def doubt_about(tile: TileDetection, cells: Cells | None) -> Doubt:
    """Return the doubt about one tile, its numbers in the order in which they lie: left or upper half first."""
    backwards = _backwards(cells)
    others = [_text(pair, backwards) for pair in _likeliest(tile)] if tile.face_up else []
    confidence = float(np.clip(np.nan_to_num(tile.confidence, nan=0.0), 0, 1))
    return Doubt(tuple(sorted(cells or ())), _reading(tile, backwards), tuple(others[:MOST_OTHERS]), confidence)


def doubt_between(tile: TileDetection, twins: Iterable[tuple[TileDetection, bool]], cells: Cells | None) -> Doubt:
    """Return the doubt about a tile that lies where others seem to lie as well: their readings come first.

    twins: each of the others, and whether its head lies at the tail of the first.
    """
    own = doubt_about(tile, cells)
    seen = [_reading(twin, turned != _backwards(cells)) for twin, turned in twins]
    texts = dict.fromkeys([*seen, *own.others])
    texts.pop(own.reading, None)
    return Doubt(own.where, own.reading, tuple(texts)[:MOST_OTHERS], own.confidence)


def _backwards(cells: Cells | None) -> bool:
    return cells is not None and cells[1] < cells[0]


def _reading(tile: TileDetection, backwards: bool) -> str:
    return _text(pips_of(tile), backwards) if tile.face_up else FACE_DOWN


def _text(pips: tuple[int, int], backwards: bool) -> str:
    return "".join(map(pips_text, reversed(pips) if backwards else pips))


def _likeliest(tile: TileDetection) -> list[tuple[int, int]]:
    """Return the likeliest readings besides the best one."""
    head, tail = (np.nan_to_num(np.array(half, float))[: HIGHEST_PIPS + 1] for half in tile.likelihoods)
    chances = np.outer(head, tail)
    order = np.argsort(-chances, axis=None, kind="stable")[: MOST_OTHERS + 1]
    likely = [divmod(int(k), chances.shape[1]) for k in order if chances.flat[k] >= LEAST_CHANCE]
    return [pair for pair in likely if pair != pips_of(tile)]
