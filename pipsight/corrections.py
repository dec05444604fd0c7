"""What people said of tiles that were misread: it holds where each lies, and for a while where it is laid next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vision.following.likeness import lies_at
from vision.pips import NUMBERS

if TYPE_CHECKING:
    from pipsight.asking import Said
    from vision.scene import Point, Scene, TileDetection

FOLLOWED_S = 8.0  # a tile that was taken up is laid down again within so long, or it is another one
FOLLOWED = 0.75  # how sure it is then that it is the same one
WHY = "it was said to be another one where it lay before"


@dataclass(frozen=True)
class Correction:
    """What a person said of one tile: where it lies, what was read, and what it really is.

    face_up: whether it was read as lying so. gone_s: since when nothing lies there, None while it does. followed: it
    was taken up since, and is taken for the one that was laid down next and is misread alike.
    """

    at_px: Point
    misread: tuple[int, int]
    pips: Said
    face_up: bool = True
    gone_s: float | None = None
    followed: bool = False

    def reads_alike(self, tile: TileDetection) -> bool:
        """Whether a tile reads as the one of which it was said, or as was said."""
        said = (0, 0) if self.pips == "back" else self.pips or ()
        as_said = sorted(tile.pips) == sorted(said) and tile.face_up == (self.pips != "back")
        return as_said or (sorted(tile.pips) == sorted(self.misread) and tile.face_up == self.face_up)

    def is_of(self, tile: TileDetection) -> bool:
        """Whether a tile is the one of which it was said, where it lies: none that clearly reads otherwise."""
        perhaps = tile.doubtful and tile.face_up == self.face_up
        return lies_at(tile, self.at_px) and (perhaps or self.reads_alike(tile))


class Corrections:
    """Remembers what people said of the tiles of one table."""

    def __init__(self) -> None:
        self._said: list[Correction] = []

    def say(self, tile: TileDetection, pips: Said) -> None:
        """Take a person's word for a tile."""
        self._said = [one for one in self._said if not lies_at(tile, one.at_px)]
        self._said.append(Correction(tile.middle_px, tile.pips, pips, tile.face_up))

    def see_all(self) -> bool:
        """Take everything for a domino again that a person said is none; whether there was anything."""
        before, self._said = self._said, [one for one in self._said if one.pips]
        return len(self._said) < len(before)

    def see(self, raw: Scene, now_s: float) -> None:
        """Forget what was said of tiles that are gone: whatever is laid there next is another one."""
        told = (self._seen(one, raw, now_s) for one in self._said)
        self._said = [one for one in told if one]

    def _seen(self, one: Correction, raw: Scene, now_s: float) -> Correction | None:
        here = [tile for tile in raw.tiles if lies_at(tile, one.at_px)]
        if not here:
            gone_s = now_s if one.gone_s is None else one.gone_s
            return replace(one, gone_s=gone_s) if now_s - gone_s <= FOLLOWED_S else None
        if one.gone_s is None or any(map(one.reads_alike, here)):
            return replace(one, gone_s=None)
        return None

    def dismissed(self, scene: Scene) -> tuple[int, ...]:
        """The tiles of a scene of which a person said that they are none."""
        nothing = [one for one in self._said if not one.pips]
        return tuple(k for k, tile in enumerate(scene.tiles) if any(one.is_of(tile) for one in nothing))

    def applied(self, scene: Scene, before: Scene) -> Scene:
        """The scene as people said that it reads; before: as it lay."""
        tiles = list(scene.tiles)
        for number, one in enumerate(self._said):
            k = _meant(scene, one, before) if one.pips else None
            if k is not None:
                followed = one.followed or not lies_at(tiles[k], one.at_px)
                self._said[number] = replace(one, at_px=tiles[k].middle_px, gone_s=None, followed=followed)
                tiles[k] = _told(tiles[k], self._said[number])
        return replace(scene, tiles=tuple(tiles))


def _meant(scene: Scene, one: Correction, before: Scene) -> int | None:
    """Which tile it was said of: the one that lies there, or the only one laid down since that is misread alike."""
    here = [k for k, tile in enumerate(scene.tiles) if lies_at(tile, one.at_px)]
    if here:
        return here[0] if one.is_of(scene.tiles[here[0]]) else None
    alike = [k for k, tile in enumerate(scene.tiles) if _is_misread(tile, one)]
    lay = [tile.middle_px for tile in before.tiles]
    fresh = len(alike) == 1 and not any(lies_at(scene.tiles[alike[0]], at) for at in lay)
    return alike[0] if fresh and one.gone_s is not None else None


def _is_misread(tile: TileDetection, one: Correction) -> bool:
    return sorted(tile.pips) == sorted(one.misread) and tile.face_up == one.face_up


def _told(tile: TileDetection, one: Correction) -> TileDetection:
    """The tile as a person reads it; found turned round, its numbers are turned round with it."""
    assert one.pips
    sure = replace(tile, confidence=1.0, doubtful=False, why="", changed_from=None, weighed=None)
    if one.followed:
        sure = replace(sure, confidence=FOLLOWED, doubtful=True, why=WHY)
    if one.pips == "back":
        return replace(sure, pips=(0, 0), face_up=False, likelihoods=((), ()))
    turned = tile.pips != one.misread and tile.pips == one.misread[::-1]
    pips = one.pips[::-1] if turned else one.pips
    head, tail = (tuple(float(k == number) for k in range(NUMBERS)) for number in pips)
    return replace(sure, pips=pips, face_up=True, likelihoods=(head, tail))
