"""Whether and when a finger came to rest on a tile, as a small network sees it.

The network is shown a strip: the last pictures of one tile, turned so that the arm in question comes in from below, as
they differ from the tile before any hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.scene import Point
from vision.straighten import Image

Floats = NDArray[np.float32]

SIDE = 48  # pixels of one picture
SPAN = 1.8  # of a tile's length: what its side shows
FRAMES = 16  # pictures in a strip, about a thirtieth of a second apart
AGES = 9  # frames before the newest up to which a contact is told
COLORED = (0, 3, 6, 9)  # frames before the newest whose colour is shown too
LOOKS = np.array([[1 / 3, 1 / 3, 1 / 3], [-1, 0, 1]], np.float32)  # how light, how red, of blue, green, red
DARK = 24.0  # grey levels added, so that the dark does not count for more than the light


@dataclass(frozen=True)
class Spot:
    """A tile as one arm comes to it: its middle and corners in pixels, its length, and the way from it to the arm."""

    middle_px: Point
    corners_px: tuple[Point, ...]
    length: float
    toward: Point

    def patch(self, image: Image) -> Image:
        """The tile's surroundings, (48, 48, 3), the arm coming in from below."""
        start = np.asarray(self.middle_px) - (SIDE - 1) / 2 * self._steps.sum(axis=0)
        warp = np.column_stack([*self._steps, start])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(image, warp, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    @property
    def face(self) -> Image:
        """Where the tile lies in its patch, (48, 48), 255 there."""
        away = np.asarray(self.corners_px, np.float64) - self.middle_px
        at = away @ np.linalg.inv(self._steps) + (SIDE - 1) / 2
        mask = np.zeros((SIDE, SIDE), np.uint8)
        cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
        return mask

    @cached_property
    def _steps(self) -> NDArray[np.float64]:
        """The steps in the picture from one pixel of a patch to the next on its right, and to the next below."""
        x, y = np.asarray(self.toward, np.float64) / max(float(np.hypot(*self.toward)), 1e-9)
        return SPAN * self.length / SIDE * np.array([[y, -x], [x, y]])


class Surface:
    """A spot before any hand: what its patches are compared with."""

    def __init__(self, still: ArrayLike, face: Image) -> None:
        table = np.asarray(still, np.float32)
        self._level = float(table.mean()) + DARK
        self._table = cv2.transform(table, LOOKS)
        self.own = np.stack([self._table[..., 0] / self._level - 1, face.astype(np.float32) / 255])

    def apart(self, patch: Image) -> Floats:
        """(48, 48, 2): how much lighter a patch is than the spot was, and how much redder than blue."""
        return np.asarray((cv2.transform(patch.astype(np.float32), LOOKS) - self._table) / self._level, np.float32)

    def strip(self, apart: Sequence[Floats]) -> Floats:
        """What the network is shown, (22, 48, 48), of what the last 16 patches told, oldest first."""
        grey = [one[..., 0] for one in apart]
        tint = [apart[-1 - age][..., 1] for age in COLORED]
        return np.stack([*grey, *tint, *self.own]).astype(np.float32)


class ContactReader:
    """Looks at strips; one instance holds one loaded network."""

    def __init__(self) -> None:
        with as_file(files("vision") / "models" / "touch.onnx") as path:
            self._net = cv2.dnn.readNetFromONNX(str(path))

    def look(self, strips: Sequence[Floats]) -> Floats:
        """(n, 10): the chances of no contact lately, and of one so many frames before the newest, 1 to 9."""
        if not strips:
            return np.zeros((0, AGES + 1), np.float32)
        self._net.setInput(np.stack(strips))
        logits = np.asarray(self._net.forward(), np.float32)
        power = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(power / power.sum(axis=1, keepdims=True), np.float32)
