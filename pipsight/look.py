"""Frames in, a table and how long it has lain like that out: what the eyes see, what the game knows, what people said.

A tile that somebody corrected keeps that reading where it lies, and for a while where it is laid next (corrections.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import dist
from typing import TYPE_CHECKING, Any

from pipsight.awaiting import awaited
from pipsight.corrections import Corrections
from rules.domino import Domino
from rules.foreseen import backs, dice_foreseen, expected, in_place, lacking, laid, may_lie_down, playable, promised
from vision.assignment import assign
from vision.awaited import MAY, Awaited
from vision.beneath import beneath_told
from vision.blanks import MAY_BE_BLANK
from vision.camera import Frame
from vision.expected import as_expected, with_foreseen
from vision.following.likeness import Likeness, colors, doubts, in_order, lies_at, settles
from vision.layout.crossings import find_board, outline
from vision.reading import NO_DOMINO
from vision.reconstruct import rebuild
from vision.scene import Scene
from vision.steady import Steady
from vision.taught import each_once

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from calibration.homography import Array
    from calibration.tileset import TileSet
    from pipsight.asking import Said
    from rules.board import Cell, Placed
    from rules.game import Game
    from rules.table import Table
    from vision.motion import Polygon
    from vision.reconstruct import Rebuilt
    from vision.scene import DieDetection, Point, TileDetection
    from vision.straighten import Image

SOUGHT_EVERY_S = 0.5  # a board that was not found is looked for again after so long
AGAIN_S = 2.0  # a table that nobody touches is read anew no sooner than after so long
UNSEEN_S = 2.0  # where no frame came for so long nobody knows that the table lay still meanwhile
NEAR = 0.5  # of a tile's length: a tap so far from a tile's middle still means it


class Look:
    """The table as it is known by now, from one camera's frames.

    game: promises which dominoes there are, where it can. before: gives the state that the table continues. start:
    gives the state that is set up on it, None once it lies there.
    """

    def __init__(
        self,
        game: Game[Any, Any] | None = None,
        before: Callable[[], Any] = lambda: None,
        start: Callable[[], Any] = lambda: None,
    ) -> None:
        self._steady, self._game, self._before, self._start = Steady(), game, before, start
        if game:
            upon = game.info.frame != "checkered"  # where both stand on squares
            self._steady.expect([one.kind for one in game.info.pieces], upon=upon)
        self._steady.expect_backs(self._backs)
        self._taught: tuple[TileSet, ...] = ()
        self._raw = Scene((0, 0))
        self._board: Array | None = None
        self._board_sought_s = -SOUGHT_EVERY_S
        self._picture: Image | None = None  # the frame that the scene was seen on
        self._since_s = self._now_s = 0.0
        self._corrections = Corrections()
        self._dismissed: tuple[int, ...] = ()  # which of the raw tiles are none
        self._likeness = Likeness()
        self.scene = Scene((0, 0))
        self.rebuilt: Rebuilt | None = None
        self._tables: tuple[Table, ...] = ()
        self._read_anew: Table | None = None
        self._again_s = 0.0
        self._by_others = False  # whether other sets are known than those that it was read by

    def know(self, taught: Sequence[TileSet]) -> None:
        """Know which taught sets lie on the table, none for dominoes that nobody taught; it is read anew."""
        self._taught, self._by_others = tuple(taught), True
        self._steady.know(self._taught)

    @property
    def tables(self) -> tuple[Table, ...]:
        """What lies on the table, and, where something may be no domino of the game, what lies there without it."""
        return self._tables

    @property
    def still_s(self) -> float:
        """How long the table has been seen to lie like this, by the frames' own times."""
        return self._now_s - self._since_s

    @property
    def searching(self) -> bool:
        """Whether more may have changed than was read so far."""
        return self._steady.searching

    @property
    def moving(self) -> bool:
        """Whether something moves over the table."""
        return bool(self._steady.moving.any())

    @property
    def busy(self) -> bool:
        """Whether hands move or rest over what lies there; those that fidget at the table's edge do not count."""
        return self._steady.busy

    @property
    def covered(self) -> tuple[int, ...]:
        """Which of the scene's tiles something lies or moves over."""
        told = [k for k in range(len(self._raw.tiles)) if k not in self._dismissed]
        return tuple(told.index(k) for k in self._steady.covered if k in told)

    def look_again(self) -> None:
        """Read the whole table anew from the next frame on which nothing moves or lies over it: once for each table.

        One that merely has other doubts is the same, and while nothing moves readings that waver are no other tables.
        """
        lying = replace(self._tables[0], doubts=()) if self._tables else None
        if self._read_anew != lying and self._now_s >= self._again_s:
            self._read_anew, self._again_s = lying, self._now_s + AGAIN_S
            self._steady.read_again()

    def see(self, frame: Frame, lit: Sequence[Polygon] = ()) -> None:
        """Look at one frame. lit: where LEDs may shine."""
        raw = self._steady.see(frame.image, frame.time_s, lit)
        if frame.time_s - self._now_s > UNSEEN_S:
            self._since_s = frame.time_s
        self._now_s = frame.time_s
        if self.moving:
            self._again_s = self._now_s
        found = self._board_missed and self._seek_board(frame.image, raw)
        if self._game:
            within = None if self._board is None else outline(self._board)
            raw = as_expected(with_foreseen(raw, self._foresees), expected(self._game, self._before()), within)
        else:
            raw = beneath_told(raw)
        self._corrections.see(raw, frame.time_s)
        if found or self.rebuilt is None or not self._likeness.lies_as_it_lay(raw, self._raw):
            self._since_s = frame.time_s
        elif self._says_the_same(raw) and not self._by_others:
            return
        self._raw, self._picture, self._by_others = raw, frame.image, False
        self._renew()

    def see_alone(self, picture: Image) -> Rebuilt:
        """Look at a picture that stands alone: what must lie there by the game is looked for in it, too."""
        self.see(Frame(picture, 0.0))
        if self._steady.misses_some:
            self.see(Frame(picture, 0.0))
        assert self.rebuilt
        return self.rebuilt

    def _says_the_same(self, raw: Scene) -> bool:
        """Whether a scene that lies as the last one did tells no more of its tiles and pieces than that."""
        same = doubts(raw) == doubts(self._raw) and colors(raw) == colors(self._raw)
        return same and in_order(raw, self._raw) and not settles(raw, self._raw, self.scene)

    def _renew(self) -> None:
        """Read the table anew from what was seen, what is known of it, and what people said."""
        scene = self._corrected(self._dominoes(self._raw))
        if self._picture is not None:
            self._seek_board(self._picture, scene)
        before = self.rebuilt
        self._steady.expect_backs(self._backs)
        self.rebuilt = self._rebuild(scene, before)
        if (known := self._with_backs(scene, self.rebuilt)) != scene:
            scene, self.rebuilt = known, self._rebuild(known, before)
        dominoes = promised(self._game, self.rebuilt.table, self._before()) if self._game else ()
        if dominoes or self._taught:
            read = self._corrected(self._each_once(scene, dominoes))
            scene = replace(read, tiles=tuple(map(_still_perhaps_none, read.tiles, scene.tiles)))
            self.rebuilt = self._rebuild(scene, before)
        self.scene = scene
        lacks = lacking(self._game, self.rebuilt.table, self._before()) if self._game else ()
        sure = tuple(scene.tiles[k] for k in self._sure(scene, self.rebuilt, lacks))
        fewer = replace(scene, tiles=sure)
        without = (self._rebuild(fewer, before).table,) if len(sure) < len(scene.tiles) else ()
        self._tables = (self.rebuilt.table, *without)
        self._steady.look_for(self._awaited(self.rebuilt, lacks), self._playable)

    def _sure(self, scene: Scene, rebuilt: Rebuilt, lacks: Sequence[Placed]) -> list[int]:
        """The tiles that surely are part of the game: what lies where it has to, and what reads as one that lies there.

        Where none lies face down, of the backs only those of dominoes that were turned.
        """
        if self._game is None:
            return [k for k, tile in enumerate(scene.tiles) if not _perhaps_none(tile)]
        turned = {cell for placed in lacks for cell in placed.cells}
        stays = {cell for placed in in_place(self._game, rebuilt.table, self._before()) for cell in placed.cells}
        known = laid(self._game, self._before())
        read = Counter(Domino.of(*tile.pips) for tile in scene.tiles if tile.face_up)

        def sure(tile: TileDetection, cells: set[Cell]) -> bool:
            if not tile.face_up:
                return not _perhaps_none(tile) and (self._backs or not turned.isdisjoint(cells))
            domino = Domino.of(*tile.pips)
            return not _perhaps_none(tile) or not stays.isdisjoint(cells) or (domino in known and read[domino] == 1)

        return [k for k, tile in enumerate(scene.tiles) if sure(tile, {*(rebuilt.cells[k] or ())})]

    @property
    def _backs(self) -> bool:
        """Whether dominoes of the game may lie face down."""
        return self._face_down is not False

    @property
    def _face_down(self) -> bool | None:
        """The same, None where nobody can tell."""
        return None if self._game is None else may_lie_down(self._game, self._before())

    def _awaited(self, rebuilt: Rebuilt, lacks: Sequence[Placed]) -> list[Awaited]:
        """The dominoes that must lie there by the game, and were not found."""
        if self._game is None:
            return []
        return awaited(self._game, rebuilt, self._start(), lacks)

    def _with_backs(self, scene: Scene, rebuilt: Rebuilt) -> Scene:
        """The scene with what may be no domino told for one, where the game has it lie face down there."""
        doubted = [k for k, tile in enumerate(scene.tiles) if not tile.face_up and tile.why == NO_DOMINO]
        there = {*map(frozenset, backs(self._game, rebuilt.table, self._before()))} if self._game and doubted else set()
        sure = {k for k in doubted if frozenset(rebuilt.cells[k] or ()) in there}
        tiles = (replace(t, doubtful=False, why="") if k in sure else t for k, t in enumerate(scene.tiles))
        return replace(scene, tiles=tuple(tiles)) if sure else scene

    def _playable(self) -> list[Awaited]:
        """Where the next move may lay a domino, and which ones."""
        if self._game is None or self.rebuilt is None:
            return []
        at: dict[tuple[Cell, Cell], list[tuple[int, int]]] = {}
        for one in playable(self._game, self.rebuilt.table, self._before()):
            at.setdefault(one.cells, []).append((one.head, one.tail))
        return [Awaited(self.rebuilt.face_px(*cells), tuple(pips), MAY) for cells, pips in at.items()]

    def _foresees(self, die: DieDetection) -> bool:
        """Whether by the rules a die that hardly shows stands there, or may be set there by the next move."""
        if self._game is None or self.rebuilt is None:
            return False
        cell = self.rebuilt.cell_of(die)
        dice = dice_foreseen(self._game, self.rebuilt.table, self._before()) if cell else ()
        return any(one.cell == cell and one.value == die.value for one in dice)

    def _rebuild(self, scene: Scene, before: Rebuilt | None) -> Rebuilt:
        checkered = self._game is None or self._checkered
        return rebuild(scene, self._picture, self._board, before, checkered=checkered)

    def _seek_board(self, picture: Image, scene: Scene) -> bool:
        """Look for the game's checkered board; whether it was found. Where a hand hides it, it lies where it lay."""
        if not self._checkered:
            self._board = None
            return False
        self._board_sought_s = self._now_s
        board = find_board(picture, scene.tiles)
        self._board = self._board if board is None else board
        return board is not None

    @property
    def _checkered(self) -> bool:
        return self._game is not None and self._game.info.frame == "checkered"

    @property
    def _board_missed(self) -> bool:
        """Whether a board should lie there, was not seen, and may be seen now."""
        late = self._now_s - self._board_sought_s > SOUGHT_EVERY_S
        return self._checkered and self._board is None and late and not self.moving

    def _each_once(self, scene: Scene, dominoes: Collection[Domino]) -> Scene:
        """Read the scene once more with each domino there once: of each taught set, or of those that are promised."""
        if self._taught:
            return each_once(scene, self._taught, dominoes or None, face_down=self._face_down)
        return assign(scene, dominoes, face_down=self._face_down)

    def correct(self, at_px: Point, pips: Said) -> TileDetection | None:
        """Take a person's word for the tile at a place of the picture, its numbers in the tile's own order.

        "back": it lies face down. None: it is no domino, as long as nothing else is clearly read there.

        Returns the tile as it was read, None where none lies there.
        """
        tile = nearest(self._raw, at_px)
        if tile is None:
            return None
        shown = nearest(self.scene, at_px) or tile
        if pips is not None and not lies_at(tile, shown.middle_px):
            tile = shown  # its halves were paired otherwise than they were seen
        self._corrections.say(tile, pips)
        self._renew()
        return shown

    def see_all(self) -> None:
        """Take everything for a domino again that a person said is none."""
        if self._corrections.see_all():
            self._renew()

    def _dominoes(self, scene: Scene) -> Scene:
        """The scene without what a person said is no domino."""
        self._dismissed = self._corrections.dismissed(scene)
        return replace(scene, tiles=tuple(t for k, t in enumerate(scene.tiles) if k not in self._dismissed))

    def _corrected(self, scene: Scene) -> Scene:
        return self._corrections.applied(scene, self.scene)


def nearest(scene: Scene, at_px: Point) -> TileDetection | None:
    """The tile that a tap on the picture means, None where none is near."""
    near = [tile for tile in scene.tiles if dist(tile.middle_px, at_px) < NEAR * tile.length_px]
    return min(near, key=lambda tile: dist(tile.middle_px, at_px)) if near else None


def _perhaps_none(tile: TileDetection) -> bool:
    """Whether a tile may be no domino at all."""
    return tile.why == NO_DOMINO or (not tile.face_up and tile.doubtful and tile.why != MAY_BE_BLANK)


def _still_perhaps_none(tile: TileDetection, before: TileDetection) -> TileDetection:
    """The tile as it reads among the others; what may be no domino before, and is doubtful still, still may be none."""
    return replace(tile, why=NO_DOMINO) if tile.doubtful and before.why == NO_DOMINO else tile
