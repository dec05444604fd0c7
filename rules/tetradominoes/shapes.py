"""The seven tetrominoes as real pieces: light on one side, dark on the other, mirrored by turning over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from rules.board import Cell, corner

Shape: TypeAlias = tuple[Cell, ...]

# As they look with the light side up.
_DRAWN = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": ("###", ".#."),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "J": ("#..", "###"),
    "L": ("..#", "###"),
}
PIECES = tuple(_DRAWN)


def at_origin(cells: Iterable[Cell]) -> Shape:
    """The cells moved so that their top left is (0, 0), in order."""
    cells = tuple(cells)
    first = corner(cells)
    return tuple(sorted(cell.shifted(-first.row, -first.col) for cell in cells))


def _turns(cells: Shape) -> frozenset[Shape]:
    return frozenset(at_origin(cell.turned(turns) for cell in cells) for turns in range(4))


def _known() -> Mapping[Shape, tuple[tuple[str, bool], ...]]:
    """For each shape as it lies, the pieces and sides that make it."""
    found: dict[Shape, list[tuple[str, bool]]] = {}
    for piece, rows in _DRAWN.items():
        cells = tuple(Cell(row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#")
        mirrored = tuple(Cell(cell.row, -cell.col) for cell in cells)
        for light, side in ((True, cells), (False, mirrored)):
            for shape in sorted(_turns(side)):
                found.setdefault(shape, []).append((piece, light))
    return MappingProxyType({shape: tuple(pieces) for shape, pieces in found.items()})


MAKERS = _known()


def piece_of(cells: Iterable[Cell], light: bool) -> str | None:
    """The piece that covers these four cells with this side up; None where none has that shape."""
    return next((piece for piece, side in MAKERS.get(at_origin(cells), ()) if side is light), None)
