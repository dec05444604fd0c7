"""What is known of a table before it is read, and how much of that a picture still shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.quads import corners_of
from vision.reading import believed
from vision.straighten import pyramid, straighten

if TYPE_CHECKING:
    from vision.pips import Floats, PipReader
    from vision.scene import Point, TetrominoDetection, TileDetection
    from vision.straighten import Image

UPON = 0.35  # of a half: cardboard so near its middle lies upon it


@dataclass(frozen=True)
class Before:
    """What was known of a table: tiles that do not show as they did, and the cardboard upon them.

    lightest: how light the lightest parts of all tiles were, 0 to 255; 0 if not known. bare: the tiles that do show as
    they did, with nothing upon them.
    """

    tiles: Sequence[TileDetection] = ()
    cardboard: Sequence[TetrominoDetection] = ()
    lightest: float = 0.0
    bare: Sequence[TileDetection] = ()


NOTHING = Before()


@dataclass(frozen=True)
class Unseen:
    """A tile known from before that does not show as it did, with two facts of each half.

    shows: the chance that it still shows its pips. held: whether cardboard was known to lie upon it.
    """

    tile: TileDetection
    shows: tuple[float, float]
    held: tuple[bool, bool] = (False, False)


def unseen(frame: Image, before: Before, reader: PipReader) -> list[Unseen]:
    """How much a BGR frame still shows of tiles known from before, where they lay; a blank half shows nothing."""
    levels = pyramid(frame) if before.tiles else ()
    looks = reader.look([straighten(levels, corners_of(tile)) for tile in before.tiles])
    told = list[Unseen]()
    for tile, halves in zip(before.tiles, map(believed, looks), strict=True):
        head, tail = (_held(tile, half, before.cardboard) for half in tile.centers_px)
        told.append(Unseen(tile, (_shown(halves[0], tile.pips[0]), _shown(halves[1], tile.pips[1])), (head, tail)))
    return told


def _held(tile: TileDetection, half: Point, cardboard: Sequence[TetrominoDetection]) -> bool:
    """Whether a square of cardboard lay upon this half of a tile."""
    near = UPON * math.dist(*tile.centers_px)
    return any(math.dist(half, square) < near for piece in cardboard for square in piece.centers_px)


def _shown(chances: Floats, pips: int) -> float:
    return float(chances[pips]) if pips else 0.0
