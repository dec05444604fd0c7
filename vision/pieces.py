"""Everything on the table that is no domino: dice, pawns, tokens and tetrominoes, from the spots where one may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.aslant import Box
from vision.dice import DieReader, dice_of
from vision.dice_aslant import Finder, find_tops
from vision.pawns import find_round
from vision.scene import DieDetection, Faint, PawnDetection, Scene, TetrominoDetection
from vision.tetrominoes import find_tetrominoes, shining, sides_told

if TYPE_CHECKING:
    from vision.peaks import Spot
    from vision.scene import Point, TileDetection
    from vision.straighten import Image
    from vision.vanished import Before, Unseen

Piece = DieDetection | PawnDetection | TetrominoDetection
T = TypeVar("T", bound=Piece)

SHADOW = 1.8  # of its reach: so far from its middle a piece changes the picture
SMALL = frozenset({"die", "pawn"})  # much smaller than a tile; the squares of tetrominoes are best told from afar
STAYS = 0.2  # a piece known to stand there is believed as long as it is so likely
MAY_STAND = 0.3  # a piece so likely accounts for a change, and the tile under it is not taken for one that was lifted
STIRRED = 4.0  # so much likelier is a die upon a tile on which something changed, and which is not another one
PRESENT = {"die": 0.5, "pawn": 0.5, "token": 0.5, "tetromino": 0.5}  # what is less likely is not told


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
    reader: DieReader,
    before: Before,
    hidden: Sequence[Unseen] = (),
    box: Box | None = None,
) -> Pieces:
    """The pieces among the spots of a BGR frame; tiles are those on the same frame.

    find: finds spots in another picture of it. box: the part of the frame that they are from, if not all of it.
    before: what was known of the table. hidden: its tiles that do not show as they did, upon which cardboard may lie.
    """
    cardboard = find_tetrominoes(found, hidden, before.bare)
    if cardboard:
        cardboard = sides_told(frame, cardboard, before.lightest or shining(frame, tiles))
    tops = find_tops(frame, found, tiles, find, reader, box or (0, 0, frame.shape[1], frame.shape[0]))
    dice = dice_of(tops)
    sure = [one.piece for one in dice if isinstance(one.piece, DieDetection) and one.chance > PRESENT["die"]]
    return told([*dice, *find_round(frame, found, tiles, sure), *cardboard])


def told(seen: Sequence[Faint]) -> Pieces:
    """The pieces that are likely enough, and beside them those that are not."""
    sure = [one for one in seen if one.chance > PRESENT[one.kind]]
    return Pieces(
        _sorted(one.piece for one in sure if isinstance(one.piece, DieDetection)),
        _sorted(one.piece for one in sure if isinstance(one.piece, PawnDetection) and one.kind == "pawn"),
        _sorted(one.piece for one in sure if isinstance(one.piece, PawnDetection) and one.kind == "token"),
        _sorted(one.piece for one in sure if isinstance(one.piece, TetrominoDetection)),
        tuple(one for one in seen if one not in sure),
    )


def likelier(seen: Pieces, tiles: Sequence[TileDetection]) -> Pieces:
    """The pieces where something changed upon these tiles, which lie as they lay: a die there is likelier."""
    faces = [np.array(tile.corners_px) for tile in tiles]

    def weighed(one: Faint) -> Faint:
        stirs = one.kind == "die" and any(lies_upon(one.piece, face) for face in faces)
        return replace(one, chance=STIRRED * one.chance / (1 + (STIRRED - 1) * one.chance)) if stirs else one

    more = told([weighed(one) for one in seen.faint])
    dice = _sorted((*seen.dice, *(replace(die, doubtful=True) for die in more.dice)))
    return replace(seen, dice=dice, faint=more.faint) if faces else seen


def perhaps(seen: Pieces | Scene) -> tuple[Piece, ...]:
    """All pieces that were told of, and those that may be some."""
    return (*pieces_of(seen), *(one.piece for one in seen.faint if one.chance > MAY_STAND))


def _sorted(pieces: Iterable[T]) -> tuple[T, ...]:
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


def missed(before: Scene, now: Scene, push: NDArray[np.floating]) -> Pieces:
    """The pieces of one scene that another has nothing for where they stood: pushed a little they are still there.

    push: how far the table was pushed, (2,) in pixels; a piece seen so much farther on went with it.
    """
    there = [middle(one) for one in pieces_of(now)]

    def lost(some: Sequence[T]) -> tuple[T, ...]:
        return tuple(one for one in some if not any(_stands_at(one, at) or _went(one, push, at) for at in there))

    return Pieces(lost(before.dice), lost(before.pawns), lost(before.tokens), lost(before.tetrominoes))


def _went(one: Piece, push: NDArray[np.floating], to: Point) -> bool:
    return bool(np.hypot(*(middle(one) + push - to)) <= reach(one))


def with_more(scene: Scene, more: Pieces) -> Scene:
    """The scene with more pieces in it."""
    return replace(
        scene,
        dice=_sorted((*scene.dice, *more.dice)),
        pawns=_sorted((*scene.pawns, *more.pawns)),
        tokens=_sorted((*scene.tokens, *more.tokens)),
        tetrominoes=_sorted((*scene.tetrominoes, *more.tetrominoes)),
    )


def stands_upon(scene: Scene, corners: NDArray[np.floating], kinds: Collection[str]) -> bool:
    """Whether a piece of these kinds stands on a face (4, 2), even one that only a game that has some believes in."""
    return any(_on(at, corners) for at in standing(scene, kinds))


def lies_upon(one: Piece, corners: NDArray[np.floating]) -> bool:
    """Whether this piece stands on a face (4, 2)."""
    return any(_on(at, corners) for at in _points(one))


def _on(at: Point, corners: NDArray[np.floating]) -> bool:
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


def renewed(
    scene: Scene,
    box: Box,
    seen: Pieces,
    bare: Sequence[TileDetection] | None = None,
    stays: Callable[[Piece], bool] = lambda _: False,
) -> Scene:
    """The scene with other pieces in one part of it: box is its (x0, y0, x1, y1) in pixels.

    Where one stood and something of its kind is still faintly seen, a shadow fell on it: it stays. bare: the tiles that
    are seen in a part that something may hide: one that stood elsewhere than upon them may be hidden, and stays too.
    stays: tells of a piece what else speaks for it.
    """
    faces = None if bare is None else [np.array(tile.corners_px) for tile in bare if not tile.doubtful]

    def unseen(one: Piece) -> bool:
        """Whether nobody saw the place of a piece."""
        hidden = faces is not None and not any(_on(middle(one), face) for face in faces)
        return hidden or not _reaches(one, box) or stays(one)

    def there(one: Piece, kind: str) -> bool:
        """Whether a piece that was not found may be there still."""
        faint = (f.piece for f in seen.faint if f.kind == kind and f.chance > STAYS)
        return unseen(one) or any(_stands_at(one, middle(other)) for other in faint)

    return replace(
        scene,
        dice=_exchanged(scene.dice, box, seen.dice, partial(there, kind="die")),
        pawns=_exchanged(scene.pawns, box, seen.pawns, partial(there, kind="pawn")),
        tokens=_exchanged(scene.tokens, box, seen.tokens, partial(there, kind="token")),
        tetrominoes=_exchanged(scene.tetrominoes, box, seen.tetrominoes, partial(there, kind="tetromino")),
        faint=(
            *(f for f in scene.faint if unseen(f.piece)),
            *(f for f in seen.faint if _is_fresh(f.piece, [old.piece for old in scene.faint], box)),
        ),
    )


def _exchanged(known: Sequence[T], box: Box, seen: Sequence[T], there: Callable[[T], bool]) -> tuple[T, ...]:
    """Those known that may be there still, and those seen in the box, from the left; only one in one place."""
    fresh = [one for one in seen if _is_fresh(one, known, box)]
    places = [middle(one) for one in fresh]
    kept = [one for one in known if there(one) and not any(map(partial(_stands_at, one), places))]
    return tuple(sorted([*kept, *fresh], key=middle))


def _is_fresh(one: Piece, known: Iterable[Piece], box: Box) -> bool:
    """Whether a piece seen is one of the box: also the known one at its rim, seen a pixel farther off."""
    return _reaches(one, box) or any(_reaches(old, box) and _stands_at(old, middle(one)) for old in known)


def _stands_at(one: Piece, at: Point) -> bool:
    return math.dist(middle(one), at) <= reach(one)


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


def _reaches(one: Piece, box: Box) -> bool:
    x, y, far = *middle(one), reach(one)
    return box[0] - far <= x <= box[2] + far and box[1] - far <= y <= box[3] + far
