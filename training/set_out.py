"""The table of a game set out to be rendered: dominoes, backs, dice, pawns, tokens and tetrominoes in their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rules.board import Cell, Way
from rules.table import Die, Piece, Table
from training.arrangements import Arrangement, Lying
from training.boards import PrintedBoard
from training.dice import die, random_die
from training.lens import Lens
from training.pieces import PieceStyle, height_of, piece
from training.render import Stand, Standing
from training.sets import Color, SetStyle
from training.solids import Box
from training.tetrominoes import Grid, random_tetrominoes, tetromino

Rng = np.random.Generator

EDGE = 0.6  # of a die, in halves
PAWN = PieceStyle("halma", 0.62, 0.3, 0.0, 1)
TOKEN = PieceStyle("disc", 0.7, 0.2, 0.2, 1)
ON_SQUARES = 1.75  # halves from square to square, where a domino lies cornerwise on one
SQUARES = 8
_APART = 1.6  # halves between things beside the board


@dataclass(frozen=True)
class SetOut:
    """A table in halves, its middle at (0, 0), as a person sets it out: a little crooked, with narrow gaps.

    pitch: halves from one cell to the next. crooked: by how much, in halves.
    """

    table: Table
    style: SetStyle
    pitch: float = 1.04
    crooked: float = 0.012

    @classmethod
    def of(cls, table: Table, style: SetStyle) -> SetOut:
        """A table on cells, or on the squares of a checkered board where dominoes lie on one each."""
        return cls(table, style, ON_SQUARES if table.spots else 1.04)

    @property
    def board(self) -> PrintedBoard | None:
        """The checkered board, where the table takes one."""
        if not self.table.spots:
            return None
        half = self.pitch / 2
        return PrintedBoard(half, half, 0.0, self.pitch, SQUARES, ((70.0, 110.0, 150.0), (185.0, 215.0, 230.0)))

    def tiles(self, rng: Rng) -> Arrangement:
        """The dominoes, those that lie face down too."""
        lying = list(self._tiles())
        shaken = rng.normal(0, self.crooked, (len(lying), 3)) * [1, 1, 40]
        return tuple(
            replace(tile, x=tile.x + float(dx), y=tile.y + float(dy), angle_deg=tile.angle_deg + float(turn))
            for tile, (dx, dy, turn) in zip(lying, shaken, strict=True)
        )

    def stands(self, rng: Rng) -> tuple[Stand, ...]:
        """Whatever stands or lies on the table besides, what has no place of its own in a row beside the board."""
        return (*self._tetrominoes(rng), *self._dice(rng), *self._pieces())

    def _tiles(self) -> Iterator[Lying]:
        for placed in self.table.board.placed:
            x, y = np.mean([self._at(cell) for cell in placed.cells], 0)
            yield Lying(float(x), float(y), 0.0 if placed.way is Way.RIGHT else 90.0, placed.head, placed.tail)
        for place in self.table.face_down:
            one, other = (self._at(cell) for cell in place.cells)
            angle = 0.0 if one[1] == other[1] else 90.0
            yield Lying((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, angle, 0, 0, face_up=False)
        for spot in self.table.spots:
            yield Lying(*self._at(spot.cell), 45.0, spot.domino.high, spot.domino.low)
        middle = np.mean([[loose.x, loose.y] for loose in self.table.loose] or [[0.0, 0.0]], 0)
        for loose in self.table.loose:
            x, y = loose.x - float(middle[0]), loose.y - float(middle[1])
            yield Lying(x, y, loose.angle_deg, loose.head, loose.tail)

    def _at(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell."""
        (top, left), (bottom, right) = self._corners
        return (cell.col - (left + right) / 2) * self.pitch, (cell.row - (top + bottom) / 2) * self.pitch

    @property
    def _corners(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first and the last row and column."""
        if self.table.spots:
            return (0, 0), (SQUARES - 1, SQUARES - 1)
        cells = [*self.table.board.owner, *(cell for place in self.table.face_down for cell in place.cells)]
        rows, cols = [cell.row for cell in cells] or [0], [cell.col for cell in cells] or [0]
        return (min(rows), min(cols)), (max(rows), max(cols))

    def _box(self, thing: Die | Piece, beside: int, size: float, height: float) -> Box:
        """Where a thing stands: on its cell, at its place, or as one of those beside the board."""
        if thing.cell is not None:
            x, y = self._at(thing.cell)
            lying = thing.cell in self.table.board.owner
            lying = lying or any(thing.cell in place.cells for place in self.table.face_down)
            return Box(x, y, size / 2, size / 2, 12.0, height, self.style.thickness if lying else 0.0)
        if (thing.x, thing.y) != (0.0, 0.0):
            return Box(thing.x, thing.y, size / 2, size / 2, 12.0, height)
        (_, left), (_, right) = self._corners
        edge = (right - left + 1) / 2 * self.pitch
        return Box(edge + _APART, (beside - 0.5) * _APART, size / 2, size / 2, 25.0, height)

    def _dice(self, rng: Rng) -> Iterator[Stand]:
        style, seed = random_die(np.random.default_rng(3)), int(rng.integers(2**31))
        for number, one in enumerate(self.table.dice):
            box = self._box(one, number, EDGE, EDGE)

            def cast(lens: Lens, light_deg: float, box: Box = box, value: int = one.value) -> Standing:
                return die(lens, box, style, value, light_deg, np.random.default_rng((seed, value)))

            yield cast

    def _pieces(self) -> Iterator[Stand]:
        pieces = [*((PAWN, one) for one in self.table.pawns), *((TOKEN, one) for one in self.table.tokens)]
        for number, (style, one) in enumerate(pieces, len(self.table.dice)):
            red, green, blue = one.color
            color: Color = (float(blue), float(green), float(red))
            box = self._box(one, number, style.width, height_of(style))

            def stood(
                lens: Lens, light_deg: float, box: Box = box, style: PieceStyle = style, color: Color = color
            ) -> Standing:
                return piece(lens, box, style, color, light_deg)

            yield stood

    def _tetrominoes(self, rng: Rng) -> Iterator[Stand]:
        style, seed = random_tetrominoes(np.random.default_rng(2)), int(rng.integers(2**31))
        x, y = self._at(Cell(0, 0))
        grid = Grid(x, y, 0.0, self.pitch)
        for number, one in enumerate(self.table.tetrominoes):
            cells = [(cell.col, cell.row) for cell in one.cells]
            squares = tuple(grid.square(c, style.gap / 2, self.style.thickness, style.thickness) for c in cells)

            def laid(
                lens: Lens,
                light_deg: float,
                squares: tuple[Box, ...] = squares,
                light: bool = one.light,
                number: int = number,
            ) -> Standing:
                return tetromino(lens, squares, style, light, light_deg, np.random.default_rng((seed, number)))

            yield laid
