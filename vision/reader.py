"""One picture in, one Scene out: what is known without any memory of the table."""

from __future__ import annotations

import numpy as np

from vision.advice import advice
from vision.detector import Detector
from vision.dice import DieReader, not_dice
from vision.pieces import find_pieces
from vision.pips import PipReader
from vision.scene import Scene
from vision.straighten import HEIGHT, WIDTH, Image
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
        pieces = find_pieces(frame, found.pieces, tiles, self._dice)
        tiles = not_dice(tiles, pieces.dice)
        return Scene(
            size_px=(frame.shape[1], frame.shape[0]),
            tiles=tiles,
            dice=pieces.dice,
            pawns=pieces.pawns,
            tokens=pieces.tokens,
            tetrominoes=pieces.tetrominoes,
            advice=advice(frame, tiles, self._detector),
        )
