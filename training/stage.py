"""A game's table as a picture: every domino, die, pawn and tetromino of a `rules.table.Table` in its place.

The table, the light, the set and each tile's own small crookedness stay the same from picture to picture, so that
pictures of one game after the other are those that a camera over one real table would take.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rules.board import Cell, Way
from rules.table import Die, Piece, Table
from training import boards, light, surfaces
from training.arrangements import Lying
from training.boards import PrintedBoard
from training.dice import DieStyle, die
from training.lens import Lens
from training.pieces import PieceStyle, height_of, piece
from training.pile import Lamp, paint_pile
from training.render import Image, Standing, tile_solid, truth_of
from training.sets import SetStyle, back, face
from training.solids import Box, tile_box
from training.tetrominoes import Grid, TetrominoStyle, tetromino
from training.truth import Truth

Rng = np.random.Generator

PITCH = 1.04  # halves from cell to cell: people leave narrow gaps
SQUARE = 1.75  # halves: a square on which a domino lies cornerwise
CROOKED, CROOKED_DEG = 0.012, 0.7
DIE_EDGE = 0.62

DIE = DieStyle(
    (238.0, 240.0, 240.0), ((24.0, 24.0, 24.0),) * 7, 0.1, 0.1, 0.26, 0.12, True, False, 0.0, 0.0, False, 0.3, 1
)
PAWN = PieceStyle("halma", 0.56, 0.3, 0.0, 1)
TOKEN = PieceStyle("disc", 0.6, 0.2, 0.2, 1)
TETROMINOES = TetrominoStyle((170.0, 205.0, 225.0), (60.0, 60.0, 45.0), (120.0, 150.0, 170.0), 0.05, False, 3.0, 0.01)


@dataclass(frozen=True, eq=False)
class Stage:
    """One camera over one table with one set.

    middle: the place in cells (column, row) that the camera looks at; for tables without cells in halves. ground: what
    the tables' surface, light and crookedness are drawn by. bare: a plain table of this (blue, green, red), None for
    any surface. squares: how many squares a checkered board has on each side, where dominoes lie one on each. split: of
    which surfaces the table is, as in `surfaces.texture`. dice: how dice look. careless: how far from the middle of its
    cell a die stands at most, in halves.
    """

    lens: Lens
    style: SetStyle
    middle: tuple[float, float] = (0.0, 0.0)
    ground: int = 1
    bare: tuple[float, float, float] | None = None
    squares: int = 0
    split: str = ""
    dice: DieStyle = DIE
    careless: float = 0.0

    def picture(self, table: Table) -> tuple[Image, Truth]:
        """The table as a camera sees it, without noise, and all that lies there with its pixels."""
        standing = [*self._tiles(table), *self._others(table)]
        image = self._empty.copy()
        owner = paint_pile(image, self.lens, [solid for solid, _ in standing], self._lamp)
        lit = np.clip(image * self._light[..., None], 0, 255).astype(np.uint8)
        return lit, truth_of(self.lens, standing, owner)

    @cached_property
    def _empty(self) -> Image:
        rng = np.random.default_rng((self.ground, 1))
        image = np.empty((self.lens.height, self.lens.width, 3), np.uint8)
        if self.bare is None:
            reach = self.lens.distance / self.lens.focal_px * self.lens.width / 2
            image = surfaces.table(self.lens, rng, reach, self.split)
        else:
            image[:] = self.bare
        if self.squares:
            boards.paint_board(image, self.lens, self._board, rng)
        return image

    @property
    def _board(self) -> PrintedBoard:
        """The checkered board whose square (0, 0) is the tables' cell (0, 0)."""
        x, y = ((self.squares // 2 + 0.5 - at) * SQUARE for at in self.middle)
        return PrintedBoard(x, y, 0.0, SQUARE, self.squares, ((60.0, 110.0, 165.0), (170.0, 215.0, 235.0)))

    @cached_property
    def _light(self) -> NDArray[np.float32]:
        field = light.illumination((self.lens.height, self.lens.width), np.random.default_rng((self.ground, 2)))
        return np.clip(field / field.mean(), 0.7, 1.3).astype(np.float32)

    @property
    def _lamp(self) -> Lamp:
        return Lamp(self.style.light_deg, 0.5, 0.08, 0.4, 0.3)

    def _tiles(self, table: Table) -> Iterator[Standing]:
        for lying, height, place in (*self._on_cells(table), *self._off_cells(table)):
            rng = self._chance(place)
            dx, dy = rng.normal(0, CROOKED, 2)
            turn = lying.angle_deg + float(rng.normal(0, CROOKED_DEG))
            there = replace(lying, x=lying.x + float(dx), y=lying.y + float(dy), angle_deg=turn)
            box = tile_box(self.style, there.x, there.y, turn, height)
            shown = face(self.style, there.head, there.tail, rng) if there.face_up else back(self.style, rng)
            layer = self.style.back_color if self.style.back == "other" and self.style.thickness > 0.2 else None
            yield tile_solid(self.lens, self.style, there, box, shown, (layer, float(rng.normal(1.0, 0.02))))

    def _chance(self, place: object) -> Rng:
        """What makes this very tile in this very place a little crooked, the same each time, wherever the camera is."""
        return np.random.default_rng((self.ground, crc32(repr(place).encode())))

    def _on_cells(self, table: Table) -> Iterator[tuple[Lying, float, object]]:
        raised = set(table.raised)
        for placed in table.board.placed:
            angle = 0.0 if placed.way is Way.RIGHT else 90.0
            x, y = np.mean([self._at(cell) for cell in placed.cells], axis=0)
            height = self.style.thickness if placed.cell in raised else 0.0
            yield Lying(float(x), float(y), angle, placed.head, placed.tail), height, placed
        for spot in table.spots:
            yield Lying(*self._at(spot.cell), -45.0, spot.domino.high, spot.domino.low), 0.0, spot

    def _off_cells(self, table: Table) -> Iterator[tuple[Lying, float, object]]:
        across, down = self.middle
        for tile in table.loose:
            yield Lying(tile.x - across, tile.y - down, tile.angle_deg, tile.head, tile.tail), 0.0, tile
        for one in table.face_down:
            if one.cells:
                x, y = np.mean([self._at(cell) for cell in one.cells], axis=0)
                angle = 0.0 if one.cells[0].row == one.cells[1].row else 90.0
                yield Lying(float(x), float(y), angle, 0, 0, False), 0.0, one
            else:
                yield Lying(one.x - across, one.y - down, one.angle_deg, 0, 0, False), 0.0, one

    def _at(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell, or of a square of the board, on the table, in halves."""
        pitch = SQUARE if self.squares else PITCH
        across, down = self.middle
        return (cell.col + 0.5 - across) * pitch, (cell.row + 0.5 - down) * pitch

    def _others(self, table: Table) -> Iterator[Standing]:
        """Dice, pawns, tokens and tetrominoes, upon the tiles where there are some."""
        tall = self.style.thickness
        covered = dict.fromkeys(table.board.owner, tall)
        covered |= {cell: tall for one in table.face_down for cell in one.cells}
        covered |= dict.fromkeys(table.raised, 2 * tall)
        beside = self._beside(table)
        yield from self._tetrominoes(table, covered)
        for shown in table.dice:
            x, y = self._stands(shown, shown.cell) if shown.cell else self._place(shown) or next(beside)
            box = Box(
                x, y, DIE_EDGE / 2, DIE_EDGE / 2, *self._die_turn(shown), covered.get(shown.cell or Cell(-9, -9), 0)
            )
            yield die(self.lens, box, self.dice, shown.value, self.style.light_deg, np.random.default_rng(shown.value))
        for one, kind in (*((p, PAWN) for p in table.pawns), *((t, TOKEN) for t in table.tokens)):
            x, y = self._at(one.cell) if one.cell else next(beside)
            yield self._piece(one, kind, x, y, covered.get(one.cell or Cell(-9, -9), 0))

    def _stands(self, shown: Die, cell: Cell) -> tuple[float, float]:
        """The middle of a die that somebody set down on a cell."""
        x, y = self._at(cell)
        dx, dy = self.careless * self._chance(shown).uniform(-1, 1, 2)
        return x + float(dx), y + float(dy)

    def _place(self, shown: Die) -> tuple[float, float] | None:
        """Where a die lies that has a place of its own."""
        across, down = self.middle
        return (shown.x - across, shown.y - down) if shown.x or shown.y else None

    def _die_turn(self, shown: Die) -> tuple[float, float]:
        """A die's turn, in degrees, and its height."""
        thrown = (self.ground, shown.value, round(abs(10 * shown.x)), round(abs(10 * shown.y)))
        return float(np.random.default_rng(thrown).uniform(-30, 30)), DIE_EDGE

    def _piece(self, one: Piece, kind: PieceStyle, x: float, y: float, height: float) -> Standing:
        r, g, b = one.color
        foot = kind.width / 2
        box = Box(x, y, foot, foot, 0.0, height_of(kind), height)
        return piece(self.lens, box, kind, (float(b), float(g), float(r)), self.style.light_deg)

    def _beside(self, table: Table) -> Iterator[tuple[float, float]]:
        """Places on the bare table to the right of the board, for dice and pieces on no cell."""
        right = max((cell.col for cell in self._cells(table)), default=0)
        top = min((cell.row for cell in self._cells(table)), default=0)
        x, y = self._at(Cell(top, right + 3))
        k = 0
        while True:
            yield x, y + 1.3 * k
            k += 1

    def _cells(self, table: Table) -> set[Cell]:
        return {*table.board.owner, *(cell for one in table.face_down for cell in one.cells)}

    def _tetrominoes(self, table: Table, covered: dict[Cell, float]) -> Iterator[Standing]:
        x, y = self._at(Cell(0, 0))
        grid = Grid(x, y, 0.0, PITCH)
        for number, one in enumerate(table.tetrominoes):
            under = max(covered.get(cell, 0.0) for cell in one.cells)
            flat = tuple(grid.square((c.col, c.row), 0.005, under, TETROMINOES.thickness) for c in one.cells)
            rng = np.random.default_rng((self.ground, number))
            yield tetromino(self.lens, flat, TETROMINOES, one.light, self.style.light_deg, rng)
            covered |= dict.fromkeys(one.cells, under + TETROMINOES.thickness)


def shown_whole(tables: list[Table]) -> tuple[tuple[float, float], float, float]:
    """The middle of all that lies on some tables, and how wide and high it is, in cells or halves."""
    spots = [(c.col + d, c.row + d) for table in tables for c in _all_cells(table) for d in (0.0, 1.0)]
    lying = [(t.x, t.y) for table in tables for t in table.loose]
    lying += [(t.x, t.y) for table in tables for t in table.face_down if not t.cells]
    spots += [(x + d, y + d) for x, y in lying for d in (-1.0, 1.0)]
    across, down = np.array(spots or [(0.0, 0.0)]).T
    middle = (float(across.min() + across.max()) / 2, float(down.min() + down.max()) / 2)
    return middle, float(np.ptp(across)), float(np.ptp(down))


def _all_cells(table: Table) -> set[Cell]:
    found = {*table.board.owner, *table.raised, *(spot.cell for spot in table.spots)}
    found |= {cell for one in table.face_down for cell in one.cells}
    found |= {cell for one in table.tetrominoes for cell in one.cells}
    places = [*(d.cell for d in table.dice), *(p.cell for p in (*table.pawns, *table.tokens))]
    right = Cell(0, max((cell.col for cell in found), default=0) + 4)
    return found | {cell for cell in places if cell} | ({right} if None in places else set())
