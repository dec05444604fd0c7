"""What is said of a tile whose reading is not sure: where it lies, what it reads best, what else it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rules.domino import HIGHEST_PIPS, pips_text
from rules.table import Doubt
from vision.scene import MOST_OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.board import Cell
    from vision.scene import TileDetection

    Cells = tuple[Cell, Cell]

LEAST_CHANCE = 0.005
FACE_DOWN = "face down"


def pips_of(tile: TileDetection) -> tuple[int, int]:
    """Return a tile's numbers, kept within what a half can show."""
    return _kept(tile.pips)


def _kept(pips: tuple[int, int]) -> tuple[int, int]:
    head, tail = (min(max(int(half), 0), HIGHEST_PIPS) for half in pips)
    return head, tail


def doubt_about(tile: TileDetection, cells: Cells | None) -> Doubt:
    """Return the doubt about one tile, its numbers in the order in which they lie: left or upper half first."""
    backwards = _backwards(cells)
    likely = [other.pips for other in tile.alternatives if other.chance >= LEAST_CHANCE] if tile.face_up else []
    others = tuple(_text(_kept(pips), backwards) for pips in likely)
    confidence = float(np.clip(np.nan_to_num(tile.confidence, nan=0.0), 0, 1))
    return Doubt(tuple(sorted(cells or ())), _reading(tile, backwards), others, confidence)


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
