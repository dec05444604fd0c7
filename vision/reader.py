"""One picture in, one Scene out: what is known without any memory of the table."""

from __future__ import annotations

import numpy as np

from vision.advice import advice
from vision.detector import Detector
from vision.dice import DieReader, find_dice, not_dice
from vision.pawns import find_pawns, find_tokens
from vision.pips import PipReader
from vision.scene import Scene
from vision.straighten import HEIGHT, WIDTH, Image
from vision.tetrominoes import find_tetrominoes
from vision.tiles import find_tiles


class Reader:
    """Reads single pictures; loads its networks once.

    >>> scene = Reader().read(frame)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._detector, self._pips, self._dice = Detector(), PipReader(), DieReader()

    def prepare(self, size_px: tuple[int, int]) -> None:
        """Get ready for frames of this (width, height), as a camera gives them: the first one takes longer."""
        self._detector.prepare(size_px)
        self._pips.look([np.zeros((HEIGHT, WIDTH, 3), np.uint8)] * 28)

    def read(self, frame: Image) -> Scene:
        """The tiles, dice, pawns, tokens and tetrominoes on one BGR frame, (h, w, 3) of 0 to 255."""
        found = self._detector.find(frame)
        tiles = find_tiles(frame, found.tiles, self._pips)
        dice = find_dice(frame, found.pieces, tiles, self._dice)
        tiles = not_dice(tiles, dice)
        return Scene(
            size_px=(frame.shape[1], frame.shape[0]),
            tiles=tiles,
            dice=dice,
            pawns=find_pawns(frame, found.pieces),
            tokens=find_tokens(frame, found.pieces),
            tetrominoes=find_tetrominoes(found.pieces),
            advice=advice(frame, tiles, self._detector),
        )
