"""All Fives as a picture on paper: the tiles of the line where they would lie on a long table."""

from __future__ import annotations

from collections.abc import Iterator

from rules.all_fives.line import Arm, Line
from rules.all_fives.scoring import sum_said
from rules.all_fives.state import FivesState
from rules.diagram import Diagram
from rules.table import LooseTile, Table

_ACROSS_DEG, _ALONG_DEG, _UP_DEG = 90.0, 0.0, 270.0


def drawn(state: FivesState) -> Diagram:
    """The line, doubles across, and below it the sum of its ends."""
    caption = f"{sum_said(state.line)}." if state.line.row else ""
    return Diagram(Table(loose=tuple(_tiles(state.line))), caption=caption)


def _tiles(line: Line) -> Iterator[LooseTile]:
    """Each tile by its middle, in halves from the sniff's or the first tile's left edge."""
    at = 0.0
    for place, tile in enumerate(line.row):
        across = tile.domino.is_double and (place != line.sniff or line.across)
        width = 1.0 if across else 2.0
        yield LooseTile(tile.head, tile.tail, at + width / 2, 0.0, _ACROSS_DEG if across else _ALONG_DEG)
        if place == line.sniff:
            yield from _arm(line.up, at + width / 2, -1, 1.0 if across else 0.5)
            yield from _arm(line.down, at + width / 2, 1, 1.0 if across else 0.5)
        at += width


def _arm(arm: Arm, x: float, way: int, start: float) -> Iterator[LooseTile]:
    edge = start
    for tile in arm:
        length = 1.0 if tile.domino.is_double else 2.0
        turned = _ALONG_DEG if tile.domino.is_double else _ACROSS_DEG if way > 0 else _UP_DEG
        yield LooseTile(tile.head, tile.tail, x, way * (edge + length / 2), turned)
        edge += length
