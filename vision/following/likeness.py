"""Whether two scenes show the same table, though their readings waver."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING, TypeVar

from rules.colors import color_name
from vision.reading import NO_DOMINO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vision.scene import DieDetection, PawnDetection, Point, Scene, TetrominoDetection, TileDetection

SHIFTED = 0.12  # of a tile's length: what lies nearer to where it lay was not moved

Thing = TypeVar("Thing")


class Likeness:
    """Compares the scenes of one table; remembers what may be no domino, and so may come and go while nothing moves."""

    def __init__(self) -> None:
        self._wavering: list[TileDetection] = []

    def lies_as_it_lay(self, scene: Scene, before: Scene) -> bool:
        """Whether a scene shows the same table as the one before."""
        if not alike(_without(scene, scene.tiles), _without(before, before.tiles)):
            self._wavering.clear()
        same = alike(_without(scene, self._wavering), _without(before, self._wavering))
        unsure = (tile for tile in scene.tiles if tile.why == NO_DOMINO)
        self._wavering += [tile for tile in unsure if not _lies_among(tile, self._wavering)]
        return same


def alike(one: Scene, other: Scene) -> bool:
    """Whether two scenes show the same table: the same things with the same readings, where they were, in any order.

    A tile of which neither look is sure may be read otherwise, and lies as it lay.
    """
    return (
        one.size_px == other.size_px
        and _all_there(one.tiles, other.tiles, _may_be_same)
        and _all_there(one.dice, other.dice, same_die)
        and _all_there(one.pawns, other.pawns, _same_piece)
        and _all_there(one.tokens, other.tokens, _same_piece)
        and _all_there(one.tetrominoes, other.tetrominoes, _same_cardboard)
    )


def _all_there(ones: Sequence[Thing], others: Sequence[Thing], same: Callable[[Thing, Thing], bool]) -> bool:
    """Whether there are as many of some things, each the same as one of the others: a new look may name them anew."""
    if len(ones) != len(others):
        return False
    return all(same(one, other) or any(same(one, it) for it in others) for one, other in zip(ones, others, strict=True))


def in_order(one: Scene, other: Scene) -> bool:
    """Whether two scenes that are alike name their tiles and dice in one order: `covered` tells them by number."""
    return all(map(_same_tile, one.tiles, other.tiles)) and all(map(same_die, one.dice, other.dice))


def colors(scene: Scene) -> tuple[str, ...]:
    """The names of the pieces' colours: one that stood in a shadow may turn out to be white while all lies still."""
    return tuple(color_name(piece.color) for piece in (*scene.pawns, *scene.tokens))


def doubts(scene: Scene) -> tuple[bool, ...]:
    """Which of the tiles and dice are doubtful: that may change while everything lies still."""
    return (*(tile.doubtful for tile in scene.tiles), *(die.doubtful for die in scene.dice))


def settles(scene: Scene, before: Scene, told: Scene) -> bool:
    """Whether a scene may settle a doubt that was told of the one before: what other tiles made doubtful is read again.

    told: the one before, as it reads among the others. The doubt is worth another thought when half of what spoke
    against the tile alone is gone.
    """
    return any(
        not one.doubtful and 1 - one.confidence < (1 - was.confidence) / 2
        for one, was in zip(scene.tiles, before.tiles, strict=True)
        for other in told.tiles
        if other.doubtful and _same_place(one, other)
    )


def _same_tile(one: TileDetection, other: TileDetection) -> bool:
    return _same_place(one, other) and (one.pips, one.face_up) == (other.pips, other.face_up)


def _may_be_same(one: TileDetection, other: TileDetection) -> bool:
    return _same_tile(one, other) or (one.doubtful and other.doubtful and _same_place(one, other))


def _same_place(one: TileDetection, other: TileDetection) -> bool:
    return dist(one.middle_px, other.middle_px) < SHIFTED * one.length_px


def same_die(one: DieDetection, other: DieDetection) -> bool:
    """Whether a die lies where one lay, and shows the same."""
    near = dist(one.center_px, other.center_px) < 2 * SHIFTED * max(one.edge_px, 1.0)
    return near and one.value == other.value


def _same_piece(one: PawnDetection, other: PawnDetection) -> bool:
    return dist(one.center_px, other.center_px) < 2 * SHIFTED * max(one.width_px, 1.0)


def _same_cardboard(one: TetrominoDetection, other: TetrominoDetection) -> bool:
    edge = min(dist(*pair) for pair in pairwise(one.centers_px))
    pairs = zip(one.centers_px, other.centers_px, strict=True)
    return one.light == other.light and all(dist(*pair) < 2 * SHIFTED * edge for pair in pairs)


def _without(scene: Scene, wavering: Sequence[TileDetection]) -> Scene:
    """A scene without those tiles that may be no dominoes, and lie where one of these does."""
    kept = (tile for tile in scene.tiles if tile.why != NO_DOMINO or not _lies_among(tile, wavering))
    return replace(scene, tiles=tuple(kept))


def _lies_among(tile: TileDetection, others: Iterable[TileDetection]) -> bool:
    return any(_same_place(tile, other) for other in others)


def lies_at(tile: TileDetection, at_px: Point) -> bool:
    """Whether a tile lies where one lay with its middle there."""
    return dist(tile.middle_px, at_px) < 2 * SHIFTED * tile.length_px
