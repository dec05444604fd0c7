"""What lies on the table, in cells and pieces, without pixels; and what is not sure about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from rules.board import EMPTY, Board, Cell
from rules.colors import color_name
from rules.domino import Domino, require_pips

Unit = Literal["mm", "halves", "px"]
TableSide = Literal["bottom", "left", "top", "right"]


@dataclass(frozen=True)
class Doubt:
    """Something on the table that is not sure: most often the reading of a tile.

    where: its cells, or () where it lies on no cells. reading: the best reading as it lies, left or upper half first:
    "24"; or "face down"; or what the thing seems to be. others: what else it may read, likeliest first. confidence: the
    chance, 0 to 1, that `reading` is right. sentence: empty where the doubt is about a tile's numbers; else they stand,
    and the sentence says what is not sure and what to do about it.
    """

    where: tuple[Cell, ...]
    reading: str
    others: tuple[str, ...] = ()
    confidence: float = 0.0
    sentence: str = ""


class Side(Enum):
    """Where a tile of a chain is touched: at its two ends, or at the middle of its long sides.

    LEFT and RIGHT are those of someone who stands on the tail and looks towards the head.
    """

    HEAD = "head"
    TAIL = "tail"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class LaidTile:
    """A tile of a chain; the head is the number that is listed first."""

    head: int
    tail: int

    def __post_init__(self) -> None:
        require_pips(self.head)
        require_pips(self.tail)

    @property
    def domino(self) -> Domino:
        """Which domino of the set this is."""
        return Domino.of(self.head, self.tail)


@dataclass(frozen=True)
class Joint:
    """Two tiles of a chain that touch, and where; `tile` and `other` are places in the chain's tiles, from 0."""

    tile: int
    side: Side
    other: int
    other_side: Side


@dataclass(frozen=True)
class Chain:
    """Tiles laid end to end, in lines that may bend and with doubles that may lie across, half a cell off.

    turns: for each tile how many quarter turns, from right towards down, its tail points; () where nobody saw that.
    """

    tiles: tuple[LaidTile, ...] = ()
    joints: tuple[Joint, ...] = ()
    turns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.turns and len(self.turns) != len(self.tiles):
            raise ValueError(f"{len(self.tiles)} tiles have as many turns, not {len(self.turns)}")
        for joint in self.joints:
            if joint.tile == joint.other or not {joint.tile, joint.other} <= set(range(len(self.tiles))):
                raise ValueError(f"a joint ties two of the chain's {len(self.tiles)} tiles, not {joint}")


@dataclass(frozen=True)
class LooseTile:
    """A face-up tile on no cells: its middle, and the direction from head to tail, in degrees clockwise from right.

    unit: millimetres on the table, halves (the side of one half, from the first tile's middle), or pixels.
    """

    head: int
    tail: int
    x: float
    y: float
    angle_deg: float
    unit: Unit = "halves"

    def __post_init__(self) -> None:
        require_pips(self.head)
        require_pips(self.tail)

    @property
    def domino(self) -> Domino:
        """Which domino of the set this is."""
        return Domino.of(self.head, self.tail)


@dataclass(frozen=True)
class Place:
    """Where a face-down tile lies: its two cells, () if it lies on none, and its middle as for a loose tile."""

    cells: tuple[Cell, ...] = ()
    x: float = 0.0
    y: float = 0.0
    angle_deg: float = 0.0
    unit: Unit = "halves"

    def __post_init__(self) -> None:
        if len(self.cells) not in (0, 2):
            raise ValueError(f"a tile lies on two cells or on none, not on {len(self.cells)}")


@dataclass(frozen=True)
class Spot:
    """A domino that lies on one single cell, as in Domineering."""

    cell: Cell
    domino: Domino


@dataclass(frozen=True)
class Hand:
    """The dominoes that lie before one player, from that player's left to the right.

    seat: from 0, clockwise from the bottom of the picture, counting those who have a hand. face_down: how many of the
    hand's tiles show their backs. side: the side of the picture that the player sits at; None if nobody saw it.
    """

    seat: int
    dominoes: tuple[Domino, ...]
    face_down: int = 0
    side: TableSide | None = None


@dataclass(frozen=True)
class Die:
    """One die: the number on its top face, the cell it stands on, and its middle as for a loose tile.

    cell: also one beside the board, row -1 or column -1, or a gap in it; None where it stands farther off. hides: other
    cells that nobody sees well, for it stands before them.
    """

    value: int
    cell: Cell | None = None
    x: float = 0.0
    y: float = 0.0
    unit: Unit = "halves"
    hides: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A pawn or a token: its colour (red, green, blue), 0 to 255, its cell, and its middle as for a loose tile.

    cell: also one beside the board, row -1 or column -1, or a gap in it; None where it stands farther off.
    """

    color: tuple[int, int, int]
    cell: Cell | None = None
    x: float = 0.0
    y: float = 0.0
    unit: Unit = "halves"

    @property
    def color_name(self) -> str:
        """What most people would call its colour: "red"."""
        return color_name(self.color)


@dataclass(frozen=True)
class Tetromino:
    """A cardboard tetromino: the four cells it covers, and whether its light side is up.

    Under it the board may have tiles, where they were seen, or none.
    """

    cells: tuple[Cell, ...]
    light: bool


@dataclass(frozen=True)
class Table:
    """Everything that lies on the table; an empty table is an ordinary one.

    spots: where dominoes lie on one square each; there is no board of two-celled ones then, and cells are squares.
    hands: tiles before a seat; they are not among the loose ones. raised: cells of the board's tiles that lie on top of
    others. doubts: the tiles, on the board or off it, that were not read surely; they are on the board, or among the
    loose tiles, with their best reading all the same. Doubts with a sentence are about other things than numbers.
    """

    board: Board = EMPTY
    chain: Chain = Chain()
    spots: tuple[Spot, ...] = ()
    hands: tuple[Hand, ...] = ()
    loose: tuple[LooseTile, ...] = ()
    dice: tuple[Die, ...] = ()
    pawns: tuple[Piece, ...] = ()
    tokens: tuple[Piece, ...] = ()
    tetrominoes: tuple[Tetromino, ...] = ()
    raised: tuple[Cell, ...] = ()
    face_down: tuple[Place, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    def without(self, domino: Domino) -> Table:
        """The same table after somebody took a face-up domino away; hands stay as they are."""
        gone = [k for k, tile in enumerate(self.chain.tiles) if tile.domino == domino]
        return replace(
            self,
            board=Board(tuple(placed for placed in self.board.placed if placed.domino != domino)),
            chain=Chain() if gone else self.chain,
            spots=tuple(spot for spot in self.spots if spot.domino != domino),
            loose=tuple(tile for tile in self.loose if tile.domino != domino),
        )

    def moved(self, place: Callable[[Cell], Cell]) -> Table:
        """The same table after each cell went to where `place` takes it; what lies on no cells stays as it is."""
        return replace(
            self,
            board=self.board.moved(place),
            spots=tuple(replace(spot, cell=place(spot.cell)) for spot in self.spots),
            dice=tuple(
                replace(die, cell=die.cell and place(die.cell), hides=tuple(map(place, die.hides))) for die in self.dice
            ),
            pawns=tuple(replace(pawn, cell=pawn.cell and place(pawn.cell)) for pawn in self.pawns),
            tokens=tuple(replace(token, cell=token.cell and place(token.cell)) for token in self.tokens),
            tetrominoes=tuple(replace(one, cells=tuple(map(place, one.cells))) for one in self.tetrominoes),
            raised=tuple(map(place, self.raised)),
            face_down=tuple(replace(back, cells=tuple(map(place, back.cells))) for back in self.face_down),
            doubts=tuple(replace(doubt, where=tuple(map(place, doubt.where))) for doubt in self.doubts),
        )
