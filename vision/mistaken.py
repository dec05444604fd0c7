"""What seems to be a domino and is a piece: dice side by side, a die and a side of it, the squares of cardboard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vision.overlap import holds
from vision.quads import corners_of
from vision.tetrominoes import takes_up

if TYPE_CHECKING:
    from vision.pieces import Pieces
    from vision.scene import DieDetection, TetrominoDetection, TileDetection

TWO_DICE = 2.5  # edges: two dice side by side look like a domino, and are shorter than any that a die stands on
MIDDLE = 0.25  # of an edge: so near a half's middle a die is that half
WITH_ITS_SIDE = 1.7  # edges: the top of a die and a side of it look like a domino too
BESIDE = 1.2  # edges: how far a die and its side reach


def without_pieces(
    tiles: Sequence[TileDetection], pieces: Pieces, *, cardboard: bool = False
) -> tuple[TileDetection, ...]:
    """The tiles without what is a piece, or a part of one; cardboard: whether tetrominoes are known to lie there."""
    return not_cardboard(not_dice(tiles, pieces.dice), pieces.tetrominoes, expected=cardboard)


def not_dice(tiles: Sequence[TileDetection], dice: Sequence[DieDetection]) -> tuple[TileDetection, ...]:
    """The tiles without those that are a die with two of its sides, or two dice, and doubtful ones that may be."""
    return tuple(t for t in tiles if not (_are_dice(t, dice) or any(_is_die(t, die) for die in dice)))


def _are_dice(tile: TileDetection, dice: Sequence[DieDetection]) -> bool:
    """Whether a die fills each of its halves: no domino that two dice stand on is so short."""
    upon = [die for die in dice if _upon(die, tile, TWO_DICE)]
    return all(any(math.dist(die.center_px, half) < MIDDLE * die.edge_px for die in upon) for half in tile.centers_px)


def _is_die(tile: TileDetection, die: DieDetection) -> bool:
    if not tile.doubtful:
        return _upon(die, tile, WITH_ITS_SIDE)
    return _upon(die, tile, TWO_DICE) or _side(die, tile)


def _upon(die: DieDetection, tile: TileDetection, dice: float) -> bool:
    """Whether the die is on it, and it is no longer than so many dice: a real tile is, and may have a die on it."""
    short = tile.length_px < dice * die.edge_px
    return short and holds(corners_of(tile), die.center_px)


def _side(die: DieDetection, tile: TileDetection) -> bool:
    """Whether it lies beside the die and is no longer than one: no domino is so small."""
    beside = math.dist(die.center_px, tile.middle_px) < BESIDE * die.edge_px
    return beside and tile.length_px < BESIDE * die.edge_px


def not_cardboard(
    tiles: Sequence[TileDetection], tetrominoes: Sequence[TetrominoDetection], *, expected: bool = False
) -> tuple[TileDetection, ...]:
    """The tiles without those doubtful backs of which a tetromino's square takes up a half: cardboard looks alike.

    expected: whether tetrominoes are known to lie there. Then even a sure back and a double blank, new where they lie,
    are cardboard if a tetromino's squares take up both halves.
    """
    return tuple(t for t in tiles if not any(_is_part(t, piece, expected=expected) for piece in tetrominoes))


def _is_part(tile: TileDetection, piece: TetrominoDetection, *, expected: bool) -> bool:
    """Whether what looks like a tile is a part of this tetromino."""
    taken = [any(takes_up(center, half, tile) for center in piece.centers_px) for half in tile.centers_px]
    if not tile.face_up and tile.doubtful:
        return any(taken)
    return expected and all(taken) and (not tile.face_up or tile.pips == (0, 0))
