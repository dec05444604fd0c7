"""Dominoes that are seen no more: cardboard may lie upon them, and they come back with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vision.overlap import exclude
from vision.pieces import stands_upon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.following.sighting import Sighting
    from vision.scene import Scene, TileDetection


class Vanished:
    """Remembers tiles that are not seen any more, for a game whose cardboard may hide whole ones."""

    def __init__(self) -> None:
        self._tiles: list[Sighting] = []

    @property
    def tiles(self) -> list[TileDetection]:
        """Those that cardboard may still turn out to hide."""
        return [one.tile for one in self._tiles]

    def add(self, lost: Iterable[Sighting]) -> None:
        """Remember tiles that are seen no more."""
        self._tiles += lost

    def come_back(self, scene: Scene, known: Sequence[Sighting]) -> list[Sighting]:
        """Those upon which the scene's cardboard lies now; what is known to lie there, or elsewhere, is forgotten."""
        self._tiles = [one for one in self._tiles if not any(_excludes(other, one) for other in known)]
        back = [one for one in self._tiles if stands_upon(scene, one.corners, ("tetromino",))]
        self._tiles = [one for one in self._tiles if one not in back]
        return [replace(one, covered=False, empty=0) for one in back]


def _excludes(other: Sighting, one: Sighting) -> bool:
    """Whether a tile that is known lies on the other's place, or is the same domino."""
    same = other.tile.face_up and one.tile.face_up and sorted(other.tile.pips) == sorted(one.tile.pips)
    return same or exclude(other.corners, one.corners)
