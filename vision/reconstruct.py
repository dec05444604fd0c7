"""From what the camera saw to what lies on the table: tiles onto cells, lines into chains, doubts by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from calibration.homography import inverse, mapped
from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.table import Chain, LooseTile, Place, Spot, Table
from vision.layout.chains import longest_line
from vision.layout.contacts import rivals
from vision.layout.cornerwise import squares
from vision.layout.doubting import doubt_about, doubt_between, pips_of
from vision.layout.grid import largest_grid
from vision.layout.laying import Laying, on_board, on_cells, on_squares
from vision.layout.recalled import recalled
from vision.layout.seats import hands, rows_before_seats
from vision.layout.shapes import tetrominoes
from vision.layout.standing import Ground
from vision.layout.upon import doubt_whether_raised
from vision.layout.viewpoint import viewpoint
from vision.level import leveled, leveled_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.homography import Array
    from rules.table import Doubt
    from vision.layout.checkered import Frame
    from vision.layout.contacts import Rivals
    from vision.layout.cornerwise import Squares
    from vision.layout.grid import Grid
    from vision.layout.seats import Rows
    from vision.layout.viewpoint import Viewpoint
    from vision.level import Level
    from vision.scene import DieDetection, Point, Scene, TileDetection

Cells = tuple[Cell, Cell]
Quad = tuple["Point", "Point", "Point", "Point"]

_CLEARLY_APART = 1.7  # halves: nobody leaves such gaps between tiles on a grid of cells, on squares everybody does
_UPON = 2  # a tile that covers parts of so many others lies on top of them


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """The table, and how its cells and the picture belong together.

    cells: for each tile of the scene the cell of its head half and that of its tail half; None if it lies on no cells.
    to_picture: (3, 3) homography from the grid, as (column, row) with cell (0, 0) between 0 and 1, to pixels.
    scene: what it was rebuilt from. ground: the table as pieces stand on it.
    """

    table: Table
    cells: tuple[Cells | None, ...]
    to_picture: Array
    scene: Scene
    ground: Ground

    @property
    def scattered(self) -> Table:
        """The dominoes alone, each by its middle and direction: so a line is drawn whose doubles lie across it."""
        places = [(tile, self.ground.lying(k)) for k, tile in enumerate(self.scene.tiles)]
        return Table(
            loose=tuple(LooseTile(*pips_of(tile), *at) for tile, at in places if tile.face_up),
            face_down=tuple(Place((), *at) for tile, at in places if not tile.face_up),
        )

    def quad_px(self, cell: Cell) -> Quad:
        """Where a cell lies in the picture: its corners (x, y) in pixels, going round from the top left one."""
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) + [cell.col, cell.row]
        one, two, three, four = ((float(x), float(y)) for x, y in mapped(self.to_picture, square))
        return one, two, three, four

    def cell_of(self, die: DieDetection) -> Cell | None:
        """The cell that a die stands on, be it seen later than the table; None where it stands on none."""
        return self.ground.dice((die,))[0].cell

    def face_px(self, head: Cell, tail: Cell) -> Array:
        """Where a domino on two cells lies in the picture: its corners (4, 2) in pixels, those of the head first."""
        ends = np.array([[head.col, head.row], [tail.col, tail.row]], float) + 0.5
        along = (ends[1] - ends[0]) / 2
        across = np.array([-along[1], along[0]])
        return mapped(
            self.to_picture, ends[[0, 0, 1, 1]] + [across - along, -across - along, along - across, along + across]
        )


def rebuild(
    scene: Scene,
    frame: Frame | None = None,
    board: Array | None = None,
    before: Rebuilt | None = None,
    *,
    checkered: bool = True,
) -> Rebuilt:
    """Return everything that a scene shows on the table: boards, chains, hands, pieces, each in its place.

    The tiles give the grid by themselves, whatever the camera's turn and tilt: no calibration is needed. The top left
    cell in use is (0, 0) and rows grow down the picture as nearly as the tiles allow. A line of play is also given as
    the table's chain, whether or not its tiles stand on cells; face-up tiles on no cells, in no chain and no hand are
    loose. Where two tiles claim the same place, the surer one keeps it and a doubt names both. Tiles that lie
    cornerwise on squares are spots; with the frame, the BGR picture, an 8 x 8 checkered board under them has its
    corner at (0, 0). board: where such a board was found by itself (vision.layout.crossings), whatever lies on it: what
    lies on its squares is no hand, however near the edge. before: the same table a moment ago: what has not moved since
    lies on one grid still, though too little may lie between. checkered: whether dominoes may lie cornerwise on
    squares; where a game has none, a line with many bends is no such.
    """
    level = leveled(scene.tiles) if board is None else leveled_by(inverse(board), scene.tiles)
    claims = rivals(level, np.array([_rank(tile) for tile in scene.tiles]) + 4.0 * ~level.usable)
    rows, view = rows_before_seats(level, scene), viewpoint(level.to_table, scene.size_px)
    in_hands = [k for row in rows.values() for k in row]
    sound = np.array([k for k in np.flatnonzero(level.usable) if k not in claims.better and k not in in_hands], int)
    known = recalled(scene, before.scene, before.cells) if before else {}
    grid = largest_grid(level, sound, known) if board is None else None
    cornerwise = _squares(level, scene, sound) if board is None and checkered else None
    if board is not None:
        laying = on_board(level, board, scene)
        rows = {side: row for side, row in rows.items() if laying.singles.keys().isdisjoint(row)}
    elif cornerwise and _rather_squares(cornerwise, grid, scene):
        laying = on_squares(level, cornerwise, scene, frame)
    else:
        laying = on_cells(level, grid, claims, scene, view) if grid else Laying()
    spread = _Spread(scene, level, claims, rows, laying, view)
    pairs = tuple(laying.pairs.get(k) for k in range(len(scene.tiles)))
    return Rebuilt(spread.table(), pairs, inverse(level.to_table) @ laying.to_table, scene, spread.ground)


def _rank(tile: TileDetection) -> float:
    """Return a number that is the lower, the more a tile is to be believed."""
    certainty = tile.confidence if np.isfinite(tile.confidence) else 0.0
    return 2.0 * (not tile.face_up) + tile.doubtful - certainty


def _squares(level: Level, scene: Scene, sound: NDArray[np.intp]) -> Squares | None:
    return squares(level, np.array([k for k in sound if scene.tiles[k].face_up], int))


def _rather_squares(found: Squares, grid: Grid | None, scene: Scene) -> bool:
    """Whether more tiles lie on squares than on cells; where as many do, wide gaps speak for squares."""
    on_grid = sum(scene.tiles[k].face_up for k in grid.spots) if grid else 0
    return len(found.spots) > on_grid or (len(found.spots) == on_grid and found.width > _CLEARLY_APART)


@dataclass(frozen=True, eq=False)
class _Spread:
    """A scene's tiles spread over the table: which lie on the board, in the chain, in a hand, and which are loose."""

    scene: Scene
    level: Level
    claims: Rivals
    rows: Rows
    laying: Laying
    view: Viewpoint

    @cached_property
    def ground(self) -> Ground:
        laying = self.laying
        return Ground(self.level, laying.to_table, self.view, laying.covered, laying.room)

    def table(self) -> Table:
        tiles, singles = self.scene.tiles, self.laying.singles
        placed = {k: on for k in self._own if tiles[k].face_up and (on := self._placed(k))}
        line = longest_line(self.level, self._free, [pips_of(tile) for tile in tiles])
        kept = {*placed, *singles, *(line.tiles if line else ())}
        loose = [k for k in self._own if tiles[k].face_up and k not in kept]
        ground = self.ground
        shapes, askew = tetrominoes(self.scene.tetrominoes, ground)
        spots = (Spot(cell, Domino.of(*pips_of(tiles[k]))) for k, cell in singles.items())
        return Table(
            board=Board(tuple(placed.values())),
            chain=line.chain if line else Chain(),
            spots=tuple(sorted(spots, key=lambda spot: spot.cell)),
            hands=hands(self.rows, self.scene),
            loose=tuple(LooseTile(*pips_of(tiles[k]), *ground.lying(k)) for k in loose),
            dice=ground.dice(self.scene.dice),
            pawns=ground.pieces(self.scene.pawns),
            tokens=ground.pieces(self.scene.tokens),
            tetrominoes=shapes,
            raised=tuple(sorted(cell for k in placed if self._lies_upon(k) for cell in placed[k].cells)),
            face_down=tuple(Place(self._where(k), *ground.lying(k)) for k in self._own if not tiles[k].face_up),
            doubts=(*self._doubts(), *askew),
        )

    @cached_property
    def _own(self) -> tuple[int, ...]:
        """The tiles that are no second sight of another and lie in no hand."""
        in_hands = {k for row in self.rows.values() for k in row}
        return tuple(k for k in range(len(self.scene.tiles)) if k not in self.claims.twins and k not in in_hands)

    @property
    def _free(self) -> NDArray[np.intp]:
        """The tiles that may be part of a line."""
        off = {k for k in self._own if k in self.claims.better or k in self.laying.singles}
        up = [k for k in self._own if self.scene.tiles[k].face_up and self.level.usable[k]]
        return np.array([k for k in up if k not in off], int)

    def _placed(self, k: int) -> Placed | None:
        pair = self.laying.pairs.get(k)
        return Placed.on(*pair, *pips_of(self.scene.tiles[k])) if pair and k not in self.claims.better else None

    def _lies_upon(self, k: int) -> bool:
        under = Counter(by for other, by in self.claims.better.items() if other not in self.claims.twins)
        return k in self.laying.raised.surely or under[k] >= _UPON

    def _where(self, k: int) -> tuple[Cell, ...]:
        return tuple(sorted(self.laying.pairs.get(k, ())))

    def _doubts(self) -> Iterator[Doubt]:
        yield from (doubt for k in range(len(self.scene.tiles)) if (doubt := self._doubt(k)))
        if self.laying.raised.perhaps:
            yield doubt_whether_raised(tuple(sorted(c for k in self.laying.raised.perhaps for c in self._where(k))))

    def _doubt(self, k: int) -> Doubt | None:
        if k in self.claims.twins:
            return None
        tile, pair = self.scene.tiles[k], self.laying.pairs.get(k)
        if twins := [other for other, better in self.claims.twins.items() if better == k]:
            turned = np.cos(self.level.angles[twins] - self.level.angles[k]) < 0
            seen = [self.scene.tiles[other] for other in twins]
            return self._on_its_square(k, doubt_between(tile, zip(seen, turned, strict=True), pair))
        contested = k in self.claims.better or k in self.claims.better.values()
        unsure = tile.doubtful or contested or not self.level.usable[k]
        return self._on_its_square(k, doubt_about(tile, pair)) if unsure else None

    def _on_its_square(self, k: int, doubt: Doubt) -> Doubt:
        return replace(doubt, where=(self.laying.singles[k],)) if k in self.laying.singles else doubt
