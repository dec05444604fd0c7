"""The network that finds things: a frame becomes dense maps at several scales, and the maps become candidate places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import network
from vision.peaks import Candidate, Spot, candidates, spots
from vision.straighten import Image, brighten

Floats = NDArray[np.float32]

LONGEST_SIDE, LONGEST_FOR_DICE = 1280, 1600  # of the largest picture that the network looks at
SMALLEST_LEVEL = 120  # pixels of the longest side at which halving stops
LIKELY, SHORT = 0.5, 70.0  # tiles this long, in pixels of the finest level, are found as well on the next one
SURE = 0.7  # where nothing is likelier than this to be a tile, all that seemed to be may be things like tiles
TINY, TINY_DIE = 30.0, 18.0  # pixels: tiles and dice that are shorter on the finest level are often overlooked there
PERHAPS = 0.3  # what is likelier than this tells how large tiles are here, if most of it agrees
PIECE = 0.15  # spots of pieces below this chance are not reported
ROUND = 32  # the network halves its input five times


@dataclass(frozen=True)
class Found:
    """Where things may lie in a frame, the likeliest first; the same tile may be found at two scales."""

    tiles: tuple[Candidate, ...]
    pieces: tuple[Spot, ...]


class Detector:
    """Finds candidate places; one instance holds its loaded network.

    threshold: tiles below this chance are not reported; for pieces it is PIECE.
    """

    def __init__(self, threshold: float = 0.12) -> None:
        self.threshold = threshold
        self._net = network("detector.onnx")

    def find(
        self, frame: Image, longest_side: int = LONGEST_SIDE, *, closely: bool = False, finer: bool = True
    ) -> Found:
        """All candidates in a BGR frame.

        longest_side: pixels; a larger frame is shrunk to it first. closely: whether the finest level is looked at even
        where tiles are large: pawns may be much smaller. finer: whether a larger frame is looked at twice as finely
        where all that may be tiles is tiny, or nothing is sure, and any frame for dice alone where one may be tiny.
        """
        scale = min(1.0, longest_side / max(frame.shape[:2]))
        levels = [(_resized(frame, scale), scale)]
        while max(levels[-1][0].shape[:2]) >= 2 * SMALLEST_LEVEL:
            picture, scale = levels[-1]
            levels.append((_resized(picture, 0.5), scale / 2))
        told = [self._peaks(picture, scale) for picture, scale in levels[1:]]
        if closely or _small(told, levels[0][1]):
            told.append(self._peaks(*levels[0]))
            if finer and levels[0][1] < 1 and _tiny(told, levels[0][1]):
                by = min(1.0, 2 * levels[0][1])
                told.append(self._peaks(_resized(frame, by), by))
            elif finer and _tiny_dice(told, levels[0][1]):
                by = min(2 * levels[0][1], LONGEST_FOR_DICE / max(frame.shape[:2]))
                told.append(replace(self._peaks(_resized(frame, by), by), tiles=()))
        return Found(
            tuple(sorted((c for found in told for c in found.tiles), key=lambda c: -c.score)),
            tuple(sorted((s for found in told for s in found.pieces), key=lambda s: -s.score)),
        )

    def tiles(self, frame: Image) -> tuple[Candidate, ...]:
        """The candidates for tiles alone."""
        return self.find(frame).tiles

    def pieces(self, frame: Image) -> tuple[Spot, ...]:
        """The spots of pieces alone."""
        return self.find(frame).pieces

    def maps(self, picture: Image) -> tuple[Floats, Floats]:
        """The maps of tiles (8, h/4, w/4) and of pieces (12, h/8, w/8), as vision.peaks describes them.

        The picture is padded below and at the right to a multiple of 32 pixels.
        """
        h, w = picture.shape[:2]
        padded = cv2.copyMakeBorder(picture, 0, -h % ROUND, 0, -w % ROUND, cv2.BORDER_REPLICATE)
        tiles, pieces = self._net(brighten(np.asarray(padded, np.uint8))[None], "tiles", "pieces")
        return tiles[0], pieces[0]

    def _peaks(self, picture: Image, scale: float) -> Found:
        tiles, pieces = self.maps(picture)
        return Found(candidates(tiles, self.threshold, scale), spots(pieces, PIECE, scale))


def _small(told: list[Found], scale: float) -> bool:
    """Whether the finest level may show more than the next one did: things that are short there, or any tile at all.

    One likely tile among many others that may be tiles says little: a heap of small ones looks like a few large ones.
    """
    tiles = [(c.score, scale * 2 * float(np.hypot(*c.along))) for found in told for c in found.tiles]
    likely = [length for score, length in tiles if score > LIKELY]
    spots = [s for found in told for s in found.pieces if s.score > LIKELY or s.kind == "die"]  # faint from afar
    pieces = [2 * scale * s.edge_px for s in spots]  # half a tile long
    usual = float(np.median([length for score, length in tiles if score > PERHAPS] or [0.0]))
    sure = any(score > SURE for score, _ in tiles)
    return not sure or min([*likely, *pieces, usual]) < SHORT


def _tiny(told: list[Found], scale: float) -> bool:
    """Whether others may be overlooked on the finest level, of this scale: all that may be tiles is so short there.

    Where nothing is sure, rows of tiny ones may look like fewer that are longer.
    """
    tiles = [(c.score, scale * 2 * float(np.hypot(*c.along))) for found in told for c in found.tiles]
    sure = any(score > SURE for score, _ in tiles)
    return not sure or float(np.median([length for score, length in tiles if score > PERHAPS])) < TINY


def _tiny_dice(told: list[Found], scale: float) -> bool:
    """Whether others may be overlooked on the finest level, of this scale: something that may be a die is so small."""
    dice = [s for found in told for s in found.pieces if s.kind == "die" and s.score > PERHAPS]
    return any(scale * s.edge_px < TINY_DIE for s in dice)


def _resized(picture: Image, by: float) -> Image:
    if by == 1.0:
        return picture
    way = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    height, width = (max(1, round(by * side)) for side in picture.shape[:2])  # a strip has no less than one row
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)
