"""Everything on the table that is no domino: dice, pawns, tokens and tetrominoes, from the spots where one may be."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.aslant import Box
from vision.before import unseen
from vision.dice import dice_of
from vision.dice_aslant import Finder, find_tops
from vision.odds import likelier
from vision.pawns import find_round
from vision.scene import DieDetection, Faint, PawnDetection, Scene, TetrominoDetection
from vision.tetrominoes import find_tetrominoes, shining, sides_told

if TYPE_CHECKING:
    from vision.before import Before
    from vision.eyes import Eyes
    from vision.peaks import Spot
    from vision.scene import Point, TileDetection
    from vision.straighten import Image

Piece = DieDetection | PawnDetection | TetrominoDetection
T = TypeVar("T", bound=Piece)

SHADOW = 1.8  # of its reach: so far from its middle a piece changes the picture
SMALL = frozenset({"die", "pawn"})  # much smaller than a tile; the squares of tetrominoes are best told from afar
MAY_STAND = 0.3  # a piece so likely accounts for a change, and the tile under it is not taken for one that was lifted
STIRRED = 4.0  # so much likelier is a die upon a tile on which something changed, and which is not another one
PRESENT = {"die": 0.5, "pawn": 0.5, "token": 0.5, "tetromino": 0.5}  # what is less likely is not told


@dataclass(frozen=True)
class Wanted:
    """Which pieces are expected: small ones, looked for as finely as the frame shows them; cardboard tetrominoes."""

    closely: bool = False
    cardboard: bool = False

    @classmethod
    def of(cls, kinds: Collection[str]) -> Wanted:
        """kinds: as in GameInfo.pieces."""
        return cls(not SMALL.isdisjoint(kinds), "tetromino" in kinds)


@dataclass(frozen=True)
class Pieces:
    """What was found besides tiles, each kind from the left; and what may be a piece but is too unsure."""

    dice: tuple[DieDetection, ...] = ()
    pawns: tuple[PawnDetection, ...] = ()
    tokens: tuple[PawnDetection, ...] = ()
    tetrominoes: tuple[TetrominoDetection, ...] = ()
    faint: tuple[Faint, ...] = ()


def find_pieces(
    frame: Image,
    found: Sequence[Spot],
    tiles: Sequence[TileDetection],
    find: Finder,
    eyes: Eyes,
    wanted: Wanted,
    before: Before,
    box: Box | None = None,
) -> Pieces:
    """The pieces among the spots of a BGR frame; tiles are those on the same frame.

    find: finds spots in another picture of it. box: the part of the frame that they are from, if not all of it.
    wanted: which pieces are expected. before: what was known of the table: cardboard may lie upon its tiles.
    """
    hidden = unseen(frame, before, eyes.pips) if wanted.cardboard else ()
    cardboard = find_tetrominoes(found, hidden, before.bare)
    if cardboard:
        cardboard = sides_told(frame, cardboard, before.lightest or shining(frame, tiles))
    tops = find_tops(frame, found, tiles, find, eyes.dice, box or (0, 0, frame.shape[1], frame.shape[0]))
    dice = dice_of(tops)
    sure = [one.piece for one in dice if isinstance(one.piece, DieDetection) and one.chance > PRESENT["die"]]
    return likely_and_faint([*dice, *find_round(frame, found, tiles, sure), *cardboard])


def likely_and_faint(seen: Sequence[Faint]) -> Pieces:
    """The pieces that are likely enough, and beside them those that are not."""
    sure = [one for one in seen if one.chance > PRESENT[one.kind]]
    return Pieces(
        from_left(one.piece for one in sure if isinstance(one.piece, DieDetection)),
        from_left(one.piece for one in sure if isinstance(one.piece, PawnDetection) and one.kind == "pawn"),
        from_left(one.piece for one in sure if isinstance(one.piece, PawnDetection) and one.kind == "token"),
        from_left(one.piece for one in sure if isinstance(one.piece, TetrominoDetection)),
        tuple(one for one in seen if one not in sure),
    )


def with_stirred(seen: Pieces, tiles: Sequence[TileDetection]) -> Pieces:
    """The pieces where something changed upon these tiles, which lie as they lay: a die there is likelier."""
    faces = [np.array(tile.corners_px) for tile in tiles]

    def weighed(one: Faint) -> Faint:
        stirs = one.kind == "die" and any(lies_upon(one.piece, face) for face in faces)
        return replace(one, chance=likelier(one.chance, STIRRED)) if stirs else one

    more = likely_and_faint([weighed(one) for one in seen.faint])
    dice = from_left((*seen.dice, *(replace(die, doubtful=True) for die in more.dice)))
    return replace(seen, dice=dice, faint=more.faint) if faces else seen


def perhaps(seen: Pieces | Scene) -> tuple[Piece, ...]:
    """All pieces that were told of, and those that may be some."""
    return (*pieces_of(seen), *(one.piece for one in seen.faint if one.chance > MAY_STAND))


def from_left(pieces: Iterable[T]) -> tuple[T, ...]:
    """Pieces from the left of the picture to the right."""
    return tuple(sorted(pieces, key=middle))


def pieces_of(seen: Pieces | Scene) -> tuple[Piece, ...]:
    """All pieces that were told of."""
    return (*seen.dice, *seen.pawns, *seen.tokens, *seen.tetrominoes)


def around(one: Piece) -> NDArray[np.float64]:
    """The corners (4, 2) of the square in pixels that a piece takes up with its sides and its shadow."""
    (x, y), far = middle(one), SHADOW * reach(one)
    return np.array([[x - far, y - far], [x + far, y - far], [x + far, y + far], [x - far, y + far]])


def covers(one: Piece) -> list[NDArray[np.float64]]:
    """The squares (4, 2) in pixels that a piece hides: one for each square of a tetromino."""
    if not isinstance(one, TetrominoDetection):
        return [around(one)]
    centers = np.array(one.centers_px, np.float64)
    half = min(math.dist(a, b) for a, b in combinations(one.centers_px, 2)) / 2
    return [center + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) for center in centers]


def stands_upon(scene: Scene, corners: NDArray[np.floating], kinds: Collection[str]) -> bool:
    """Whether a piece of these kinds stands on a face (4, 2), even one that only a game that has some believes in."""
    return any(is_on(at, corners) for at in standing(scene, kinds))


def lies_upon(one: Piece, corners: NDArray[np.floating]) -> bool:
    """Whether this piece stands on a face (4, 2)."""
    return any(is_on(at, corners) for at in _points(one))


def is_on(at: Point, corners: NDArray[np.floating]) -> bool:
    """Whether a point of the picture is on a face (4, 2)."""
    return cv2.pointPolygonTest(corners.astype(np.float32), at, False) > 0


def standing(scene: Scene, kinds: Collection[str]) -> tuple[Point, ...]:
    """Where pieces of these kinds stand, in pixels, faint ones too: a tetromino with each of its squares."""
    seen: dict[str, tuple[Piece, ...]] = {
        "die": scene.dice,
        "pawn": scene.pawns,
        "token": scene.tokens,
        "tetromino": scene.tetrominoes,
    }
    told = [piece for kind, pieces in seen.items() if kind in kinds for piece in pieces]
    likely = [one.piece for one in scene.faint if one.kind in kinds and one.chance > MAY_STAND]
    return tuple(at for one in (*told, *likely) for at in _points(one))


def _points(one: Piece) -> tuple[Point, ...]:
    """The middle of a piece, or of each square of a tetromino."""
    return one.centers_px if isinstance(one, TetrominoDetection) else (one.center_px,)


def middle(one: Piece) -> Point:
    """Where the middle of a piece is, in pixels."""
    if isinstance(one, TetrominoDetection):
        x, y = np.mean(one.centers_px, axis=0)
        return float(x), float(y)
    return one.center_px


def reach(one: Piece) -> float:
    """How far a piece reaches from its middle, in pixels."""
    if isinstance(one, TetrominoDetection):
        return max(math.dist(center, middle(one)) for center in one.centers_px)
    return (one.edge_px if isinstance(one, DieDetection) else one.width_px) / 2
