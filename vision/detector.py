"""The network that finds tiles: a frame becomes dense maps, and the maps become candidate places.

The maps, at a quarter of the picture's size: 0 middle of a face-up tile, 1 middle of a face-down tile (both as logits),
2 and 3 cosine and sine of twice the tile's direction (a tile turned by half looks the same from afar), 4 and 5 the
logarithms of its length and width, 6 and 7 where nearby its middle lies. Middles as peaks: after CenterNet (Zhou 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import Image, brighten

Floats = NDArray[np.float32]

STRIDE = 4
LENGTH_UNIT, WIDTH_UNIT = 48.0, 24.0  # pixels
LONGEST_SIDE = 1280  # of the largest picture that the network looks at
SMALLEST_LEVEL = 120  # pixels of the longest side at which halving stops
ROUND = 32  # the network halves its input five times


@dataclass(frozen=True)
class Candidate:
    """A place where a tile may lie: a parallelogram with an unknown head, in pixels of the frame."""

    center: tuple[float, float]
    along: tuple[float, float]  # from the middle to the middle of one short edge
    across: tuple[float, float]  # from the middle to the middle of one long edge
    score: float
    face_up: bool

    @cached_property
    def corners(self) -> NDArray[np.float32]:
        """(4, 2), in the order of TileDetection.corners_px."""
        c, a, b = (np.array(v, np.float32) for v in (self.center, self.along, self.across))
        return np.stack([c - a - b, c - a + b, c + a + b, c + a - b])


class Detector:
    """Finds candidate tiles; one instance holds one loaded network.

    threshold: peaks below this chance are not reported.
    """

    def __init__(self, threshold: float = 0.3) -> None:
        self.threshold = threshold
        with as_file(files("vision") / "models" / "detector.onnx") as path:
            self._net = cv2.dnn.readNetFromONNX(str(path))

    def find(self, frame: Image, longest_side: int = LONGEST_SIDE) -> list[Candidate]:
        """All candidates in a BGR frame, best first; the same tile may be found at two scales.

        longest_side: pixels; a larger frame is shrunk to it first.
        """
        found: list[Candidate] = []
        scale = min(1.0, longest_side / max(frame.shape[:2]))
        level = _resized(frame, scale)
        while True:
            found += self._peaks(level, scale)
            if max(level.shape[:2]) < 2 * SMALLEST_LEVEL:
                break
            scale /= 2
            level = _resized(level, 0.5)
        return sorted(found, key=lambda c: -c.score)

    def maps(self, picture: Image) -> Floats:
        """The raw maps (8, h/4, w/4) of a picture, padded below and at the right to a multiple of 32 pixels."""
        h, w = picture.shape[:2]
        padded = cv2.copyMakeBorder(picture, 0, -h % ROUND, 0, -w % ROUND, cv2.BORDER_REPLICATE)
        self._net.setInput(brighten(np.asarray(padded, np.uint8))[None])
        return np.asarray(self._net.forward()[0], np.float32)

    def _peaks(self, picture: Image, scale: float) -> list[Candidate]:
        maps = self.maps(picture)
        chance = np.asarray(1 / (1 + np.exp(-maps[:2])), np.float32)
        best = chance.max(axis=0)
        around = cv2.dilate(best, np.ones((3, 3), np.uint8))
        rows, cols = np.nonzero((best >= around) & (best > self.threshold))
        return [
            _candidate(maps[:, r, c], (int(c), int(r)), chance[:, r, c], scale) for r, c in zip(rows, cols, strict=True)
        ]


def _resized(picture: Image, by: float) -> Image:
    if by == 1.0:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)


def _candidate(values: Floats, cell: tuple[int, int], chance: Floats, scale: float) -> Candidate:
    """Decode one peak into the frame's pixels."""
    angle = 0.5 * float(np.arctan2(values[3], values[2]))
    length = LENGTH_UNIT * float(np.exp(np.clip(values[4], -2, 2))) / scale
    width = WIDTH_UNIT * float(np.exp(np.clip(values[5], -2, 2))) / scale
    x = ((cell[0] + float(values[6]) + 0.5) * STRIDE) / scale - 0.5
    y = ((cell[1] + float(values[7]) + 0.5) * STRIDE) / scale - 0.5
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return Candidate(
        (x, y),
        (c * length / 2, s * length / 2),
        (-s * width / 2, c * width / 2),
        float(chance.max()),
        bool(chance[0] >= chance[1]),
    )
