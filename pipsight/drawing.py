"""A position on paper: a Diagram drawn as SVG in true millimetres, and as PNG."""

from __future__ import annotations

from dataclasses import replace
from math import cos, floor, radians, sin
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from pipsight.pip_faces import face, figures
from rules.board import Cell, Placed, Way, corner, extent
from rules.table import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rules.diagram import Diagram
    from rules.table import Die, LooseTile, Piece, Table

HALF = 12.0
"""Millimetres of one half of a domino, so that eight of them side by side fit on a sheet."""

MARGIN, CAPTION, INSET, DPI = 6.0, 7.0, 0.35, 254.0
SHADOW = 1.1
NAMES = 5.0  # below a board whose columns have names
IVORY, INK, LINE, FAINT, LIT, BACK = "#fffdf4", "#1c1a17", "#c2402f", "#b9b4a8", "#ffd84d", "#6b6f78"
SQUARE = "#d9d2c0"


FONTS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
STYLE = f"<style>.bar {{ stroke: {INK}; stroke-width: 0.4px }}</style>"


def svg(diagram: Diagram, caption: str = "") -> str:
    """The position as an SVG document whose lengths are millimetres; what lies on no cells is drawn where nothing does.

    caption: a line below, before the diagram's own.
    """
    cells = _cells(diagram) or set(_under(diagram.table))
    origin, (rows, cols) = corner(cells), extent(cells)
    words = ". ".join(filter(None, (caption, diagram.caption)))
    low = rows * HALF + (NAMES if diagram.files else 0)
    queue = list(_queue(diagram.queue, low + HALF / 2)) if diagram.queue else []
    wide = max(cols, len(diagram.queue), 1) * HALF
    height = low + (2.5 * HALF if queue else 0) + 2 * MARGIN + (CAPTION if words else 0)
    width = max(wide, 1.75 * len(words)) + 2 * MARGIN
    board = _group(-origin.col * HALF, -origin.row * HALF, [*_names(diagram), *_layers(diagram)])
    told = [f'<text x="0" y="{height - 2 * MARGIN:.2f}" font-family="{FONTS}" font-size="3.2">{escape(words)}</text>']
    drawn = _group((width - wide) / 2 - MARGIN, 0, [*board, *queue])
    body = "\n".join(_group(MARGIN, MARGIN, [*drawn, *(told if words else [])]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}mm" height="{height:.2f}mm"'
        f' viewBox="0 0 {width:.2f} {height:.2f}">\n<rect width="100%" height="100%" fill="white"/>\n'
        f"{STYLE}\n{body}\n</svg>\n"
    )


def png(drawn: str) -> bytes:
    """An SVG document as PNG, 10 pixels a millimetre; the caption appears where the system has a font for it."""
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=drawn, dpi=DPI, background="white"))


def _cells(diagram: Diagram) -> set[Cell]:
    table = diagram.table
    found = {*table.board.owner, *diagram.marked, *(cell for cell, _ in diagram.numbers)}
    found |= {cell for line in diagram.lines for cell in line}
    found |= {cell for place in table.face_down for cell in place.cells}
    found |= {cell for piece in table.tetrominoes for cell in piece.cells}
    found |= {spot.cell for spot in table.spots}
    found |= {Cell(row, col) for row in range(len(diagram.ranks)) for col in range(len(diagram.files))}
    found |= {die.cell for die in table.dice if die.cell}
    return found | {piece.cell for piece in (*table.pawns, *table.tokens) if piece.cell}


def _scattered(table: Table) -> Iterator[LooseTile | Place]:
    """The dominoes that lie on no cells."""
    yield from (tile for tile in table.loose if tile.unit == "halves")
    yield from (back for back in table.face_down if not back.cells and back.unit == "halves")


def _cast(table: Table) -> Iterator[Die]:
    """The dice that lie on no cells."""
    yield from (die for die in table.dice if not die.cell and die.unit == "halves")


def _under(table: Table) -> Iterator[Cell]:
    """The cells beneath the corners of what lies on none."""
    for die in _cast(table):
        yield from (Cell(floor(die.y + side), floor(die.x + side)) for side in (-0.4, 0.4))
    for one in _scattered(table):
        right, down = cos(radians(one.angle_deg)), sin(radians(one.angle_deg))
        for along, across in ((0.99, 0.49), (0.99, -0.49), (-0.99, 0.49), (-0.99, -0.49)):
            x, y = one.x + along * right - across * down, one.y + along * down + across * right
            yield Cell(floor(y), floor(x))


def _layers(diagram: Diagram) -> Iterator[str]:
    """Everything that lies there, what lies lowest first; the top left corner of cell (0, 0) is (0, 0)."""
    return _on_cells(diagram) if _cells(diagram) else _on_none(diagram.table)


def _on_none(table: Table) -> Iterator[str]:
    """Dominoes and dice by their middles, in halves."""
    for one in _scattered(table):
        if isinstance(one, Place):
            lying: Iterable[str] = [_rounded(0, 0, 2 * HALF, HALF, BACK)]
        else:
            lying = _domino(Placed(Cell(0, 0), Way.RIGHT, one.head, one.tail))
        place = f"translate({one.x * HALF:.2f} {one.y * HALF:.2f}) rotate({one.angle_deg:.1f})"
        yield from (f'<g transform="{place} translate({-HALF:.2f} {-HALF / 2:.2f})">', *lying, "</g>")
    for die in _cast(table):
        yield from _group((die.x - 0.5) * HALF, (die.y - 0.5) * HALF, _die(replace(die, cell=Cell(0, 0))))


def _names(diagram: Diagram) -> Iterator[str]:
    """What rows and columns are called, left of them and below."""
    low = len(diagram.ranks) * HALF + 0.75 * NAMES
    places = [(name, -MARGIN / 2, (row + 0.5) * HALF + 1.2) for row, name in enumerate(diagram.ranks)]
    for name, x, y in (*places, *((name, (col + 0.5) * HALF, low) for col, name in enumerate(diagram.files))):
        yield (
            f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="middle" font-family="{FONTS}" font-size="3.4">{name}</text>'
        )


def _on_cells(diagram: Diagram) -> Iterator[str]:
    table = diagram.table
    squares = len(diagram.ranks) if diagram.checkered else 0
    for cell in (Cell(row, col) for row in range(squares) for col in range(len(diagram.files))):
        yield _square(cell, SQUARE if (cell.row + cell.col) % 2 else "white", FAINT)
    yield from (_square(cell, "none", FAINT) for cell, _ in diagram.numbers)
    bare = ((cell, number) for cell, number in diagram.numbers if cell not in table.board.owner)
    yield from (part for cell, number in bare for part in _printed(cell, number))
    for placed in sorted(table.board.placed, key=lambda placed: placed.cell in table.raised):
        yield from _domino(placed, raised=placed.cell in table.raised)
    yield from _covers(table)
    yield from (_square(cell, LIT, "none", 0.45) for cell in diagram.marked)
    yield from (_line(cells) for cells in diagram.lines)
    yield from _pieces(table)


def _covers(table: Table) -> Iterator[str]:
    for place in table.face_down:
        first, (rows, cols) = corner(place.cells), extent(place.cells)
        yield _rounded(first.col * HALF, first.row * HALF, cols * HALF, rows * HALF, BACK)
    for piece in table.tetrominoes:
        yield from (_square(cell, "#e8e2d0" if piece.light else "#3b4a63", INK, 0.85) for cell in piece.cells)
    for spot in table.spots:
        lying = _domino(Placed(Cell(0, 0), Way.RIGHT, spot.domino.high, spot.domino.low))
        x, y = _middle(spot.cell)
        turn = f"translate({x:.2f} {y:.2f}) rotate(-45) scale(0.55) translate({-HALF:.2f} {-HALF / 2:.2f})"
        yield from (f'<g transform="{turn}">', *lying, "</g>")


def _pieces(table: Table) -> Iterator[str]:
    yield from (part for die in table.dice for part in _die(die))
    yield from (_disc(token, 0.3, 0.18) for token in table.tokens if token.cell)
    yield from (_disc(pawn, 0.36, 0.0) + _disc(pawn, 0.16, 0.0) for pawn in table.pawns if pawn.cell)


def _domino(placed: Placed, *, raised: bool = False) -> Iterator[str]:
    """One domino; a raised one, which lies on others, with its shadow."""
    x, y = placed.cell.col * HALF, placed.cell.row * HALF
    flat = placed.way is Way.RIGHT
    if raised:
        yield _rounded(x + SHADOW, y + SHADOW, HALF * (2 if flat else 1), HALF * (1 if flat else 2), INK)
    yield _rounded(x, y, HALF * (2 if flat else 1), HALF * (1 if flat else 2), IVORY)
    bar = (x + HALF, y + 1.5, x + HALF, y + HALF - 1.5) if flat else (x + 1.5, y + HALF, x + HALF - 1.5, y + HALF)
    yield '<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" class="bar"/>'.format(*bar)
    for cell, pips in zip(placed.cells, (placed.head, placed.tail), strict=True):
        yield from _dots(cell, pips, flat)


def _dots(cell: Cell, pips: int, flat: bool) -> Iterator[str]:
    middle_x, middle_y = _middle(cell)
    size = 0.95 if pips < 10 else 0.75
    for x, y in face(pips):
        right, down = (y, x) if flat else (x, y)
        yield f'<circle cx="{middle_x + right * HALF:.2f}" cy="{middle_y + down * HALF:.2f}" r="{size}" fill="{INK}"/>'


def _die(die: Die) -> Iterator[str]:
    if die.cell:
        x, y = _middle(die.cell)
        side = 0.72 * HALF
        yield _rounded(x - side / 2, y - side / 2, side, side, "white", 1.6, 0.5)
        yield f'<g transform="translate({x * 0.28:.2f} {y * 0.28:.2f}) scale(0.72)">'
        yield from _dots(die.cell, die.value, False)
        yield "</g>"


def _disc(piece: Piece, radius: float, hole: float) -> str:
    assert piece.cell
    x, y = _middle(piece.cell)
    red, green, blue = piece.color
    ring = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{hole * HALF:.2f}" fill="white" stroke="{INK}" stroke-width="0.3"/>'
    return (
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius * HALF:.2f}" fill="rgb({red},{green},{blue})" fill-opacity="0.6"'
        f' stroke="{INK}" stroke-width="0.4"/>{ring if hole else ""}'
    )


def _printed(cell: Cell, number: int) -> Iterator[str]:
    x, y = _middle(cell)
    style = f'fill="none" stroke="{INK}" stroke-width="0.11" stroke-linecap="round" stroke-linejoin="round"'
    for right, path in figures(number):
        place = f"translate({x + right * HALF / 2:.2f} {y:.2f}) scale({HALF / 2:.2f})"
        yield f'<path transform="{place}" d="{path}" {style}/>'


def _line(cells: Sequence[Cell]) -> str:
    points = " ".join("{:.2f},{:.2f}".format(*_middle(cell)) for cell in cells)
    style = f'fill="none" stroke="{LINE}" stroke-width="1.1" stroke-opacity="0.75" stroke-linejoin="round"'
    return f'<polyline points="{points}" {style} stroke-linecap="round"/>'


def _queue(queue: Sequence[tuple[int, int]], top: float) -> Iterator[str]:
    """The dominoes that wait, standing side by side in their order, under a dashed line."""
    width = len(queue) * HALF
    yield (
        f'<line x1="0" y1="{top - HALF / 4:.2f}" x2="{width:.2f}" y2="{top - HALF / 4:.2f}"'
        f' stroke="{FAINT}" stroke-width="0.4" stroke-dasharray="2 1.5"/>'
    )
    standing = (Placed(Cell(0, col), Way.DOWN, *pips) for col, pips in enumerate(queue))
    yield from _group(0, top, [part for placed in standing for part in _domino(placed)])


def _square(cell: Cell, fill: str, stroke: str, opacity: float = 1.0) -> str:
    return (
        f'<rect x="{cell.col * HALF:.2f}" y="{cell.row * HALF:.2f}" width="{HALF:.2f}" height="{HALF:.2f}"'
        f' fill="{fill}" fill-opacity="{opacity}" stroke="{stroke}" stroke-width="0.3"/>'
    )


def _rounded(
    x: float, y: float, width: float, height: float, fill: str, round_by: float = 1.4, line: float = 0.45
) -> str:
    width, height = width - 2 * INSET, height - 2 * INSET
    return (
        f'<rect x="{x + INSET:.2f}" y="{y + INSET:.2f}" width="{width:.2f}" height="{height:.2f}"'
        f' rx="{round_by}" fill="{fill}" stroke="{INK}" stroke-width="{line}"/>'
    )


def _group(x: float, y: float, parts: Iterable[str]) -> list[str]:
    return [f'<g transform="translate({x:.2f} {y:.2f})">', *parts, "</g>"]


def _middle(cell: Cell) -> tuple[float, float]:
    return (cell.col + 0.5) * HALF, (cell.row + 0.5) * HALF
