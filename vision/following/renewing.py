"""The pieces of a table that is looked at again: what is seen now, and what stands there still though it is missed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.pieces import Piece, Pieces, from_left, is_on, middle, pieces_of, reach
from vision.quads import corners_of

if TYPE_CHECKING:
    from vision.aslant import Box
    from vision.scene import Faint, Point, Scene, TileDetection

T = TypeVar("T", bound=Piece)

STAYS = 0.2  # a piece known to stand there is believed as long as it is so likely


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
        dice=from_left((*scene.dice, *more.dice)),
        pawns=from_left((*scene.pawns, *more.pawns)),
        tokens=from_left((*scene.tokens, *more.tokens)),
        tetrominoes=from_left((*scene.tetrominoes, *more.tetrominoes)),
    )


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
    faces = None if bare is None else [corners_of(tile) for tile in bare if not tile.doubtful]

    def unseen(one: Piece) -> bool:
        """Whether nobody saw the place of a piece."""
        hidden = faces is not None and not any(is_on(middle(one), face) for face in faces)
        return hidden or not _reaches(one, box) or stays(one)

    def there(one: Piece) -> bool:
        """Whether a piece that was not found may be there still."""
        return unseen(one) or dimly_seen(one, seen.faint)

    return replace(
        scene,
        dice=_exchanged(scene.dice, box, seen.dice, there),
        pawns=_exchanged(scene.pawns, box, seen.pawns, there),
        tokens=_exchanged(scene.tokens, box, seen.tokens, there),
        tetrominoes=_exchanged(scene.tetrominoes, box, seen.tetrominoes, there),
        faint=(
            *(f for f in scene.faint if unseen(f.piece)),
            *(f for f in seen.faint if _is_fresh(f.piece, [old.piece for old in scene.faint], box)),
        ),
    )


def dimly_seen(one: Piece, faint: Iterable[Faint]) -> bool:
    """Whether one of its kind is at least faintly seen where a piece stood: a shadow fell on it."""
    kind = type(one)  # a pawn from above may be taken for a token
    return any(
        isinstance(other.piece, kind) and other.chance > STAYS and _stands_at(one, middle(other.piece))
        for other in faint
    )


def _exchanged(known: Sequence[T], box: Box, seen: Sequence[T], there: Callable[[T], bool]) -> tuple[T, ...]:
    """Those known that may be there still, and those seen in the box, from the left; only one in one place."""
    fresh = [one for one in seen if _is_fresh(one, known, box)]
    places = [middle(one) for one in fresh]
    kept = [one for one in known if there(one) and not any(map(partial(_stands_at, one), places))]
    return from_left([*kept, *fresh])


def _is_fresh(one: Piece, known: Iterable[Piece], box: Box) -> bool:
    """Whether a piece seen is one of the box: also the known one at its rim, seen a pixel farther off."""
    return _reaches(one, box) or any(_reaches(old, box) and _stands_at(old, middle(one)) for old in known)


def _stands_at(one: Piece, at: Point) -> bool:
    return math.dist(middle(one), at) <= reach(one)


def _reaches(one: Piece, box: Box) -> bool:
    x, y, far = *middle(one), reach(one)
    return box[0] - far <= x <= box[2] + far and box[1] - far <= y <= box[3] + far
