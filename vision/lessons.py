"""A picture to be learnt from: looked at once, read again and again while the set becomes known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.learn_set import Lesson
from calibration.tileset import Color, TileSet
from vision.pips import NUMBERS
from vision.place import Place
from vision.reader import Reader
from vision.reading import FLOOR, fused, read_halves
from vision.scene import Scene, TileDetection
from vision.straighten import MARGIN_X, MARGIN_Y, Image, pyramid, straighten
from vision.taught import TaughtSets, seam, squares
from vision.tiles import detection

Floats = NDArray[np.float64]

INK = (0, 0, 220)


class Shown:
    """One picture of the set: `Shown(reader, frame, 0)`; number: which of the pictures it is."""

    def __init__(self, reader: Reader, frame: Image, number: int) -> None:
        self.frame, self.number = frame, number
        self._places = reader.places(frame)
        self._levels = pyramid(frame)

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height)."""
        return self.frame.shape[1], self.frame.shape[0]

    def scene(self, taught: Sequence[TileSet]) -> Scene:
        """The dominoes as they are read by somebody who knows these sets, or none."""
        return Scene(self.size_px, TaughtSets(taught).tiles(self.frame, self._places))

    def unaided(self, tile: TileDetection) -> Floats:
        """(2, 13): logarithms of the chances of each number as the networks alone see a tile's halves."""
        return self._unaided.get(tile.corners_px, np.zeros((2, NUMBERS)))

    @cached_property
    def _unaided(self) -> dict[object, Floats]:
        found: dict[object, Floats] = {}
        for place in self._places:
            tile = detection(place, read_halves(place.look, place.length_px))
            logs = np.log(fused(place.look) + FLOOR).astype(np.float64)
            found[tile.corners_px] = logs if _head_first(place, tile) else logs[::-1]
        return found

    def lesson(self, tile: TileDetection) -> Lesson:
        """What a tile whose numbers are right teaches."""
        patch = straighten(self._levels, tile.corners_px)
        return Lesson(self.number, tile.pips, squares(patch), seam(patch))

    def portrait(self, tile: TileDetection) -> Image:
        """A tile by itself, (80, 160, 3), its head at the left."""
        return straighten(self._levels, tile.corners_px)

    def back_color(self, tiles: Iterable[TileDetection]) -> Color | None:
        """The usual colour of those tiles that lie face down, None where none does."""
        backs = [straighten(self._levels, tile.corners_px) for tile in tiles if not tile.face_up]
        if not backs:
            return None
        inner = np.stack(backs)[:, MARGIN_Y:-MARGIN_Y, MARGIN_X:-MARGIN_X].reshape(-1, 3)
        b, g, r = (int(v) for v in np.median(inner, axis=0))
        return r, g, b


def _head_first(place: Place, tile: TileDetection) -> bool:
    """Whether the head of the tile is the first half of the place."""
    return bool(np.allclose(place.quad[0], tile.corners_px[0]))


def numbered(frame: Image, tiles: Sequence[TileDetection]) -> Image:
    """The picture with 1, 2, 3 ... written beside these tiles, each of them outlined."""
    drawn = frame.copy()
    for number, tile in enumerate(tiles, 1):
        corners = np.array(tile.corners_px)
        large = float(np.linalg.norm(corners[1] - corners[0])) / 40
        cv2.polylines(drawn, [np.rint(corners).astype(np.int32)], True, INK, max(2, round(2 * large)), cv2.LINE_AA)
        x, y = corners[:, 0].min(), corners[:, 1].min()
        at = (int(max(x, 2)), int(max(y - 4, 20)))
        cv2.putText(drawn, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, max(0.7, large), INK, 3, cv2.LINE_AA)
    return drawn
