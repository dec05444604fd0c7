"""One picture in, one Scene out: what is known without any memory of the table."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from calibration.tileset import TileSet
from vision.advice import advice
from vision.before import NOTHING, Before
from vision.eyes import Eyes
from vision.mistaken import without_pieces
from vision.pieces import Wanted, find_pieces
from vision.place import Place
from vision.places import places_in
from vision.printed import not_printed
from vision.scene import Scene
from vision.straighten import Image
from vision.taught import TaughtSets


class Reader:
    """Reads single pictures; loads its networks once.

    taught: the sets that lie on the table, where somebody taught them. kinds: of pieces that are expected, as in
    GameInfo.pieces; small ones take longer. eyes: the networks, where others look through them as well.

    >>> scene = Reader().read(frame)  # doctest: +SKIP
    """

    def __init__(self, taught: Sequence[TileSet] = (), kinds: Collection[str] = (), eyes: Eyes | None = None) -> None:
        self._eyes = eyes or Eyes()
        self.sets = TaughtSets(taught)
        self.expect(kinds)

    def expect(self, kinds: Collection[str]) -> None:
        """Know which kinds of pieces may be there."""
        self._wanted = Wanted.of(kinds)

    def read(self, frame: Image, before: Before = NOTHING) -> Scene:
        """The tiles, dice, pawns, tokens and tetrominoes on one BGR frame, (h, w, 3) of 0 to 255.

        before: what lay here, upon which cardboard may lie now.
        """
        detector = self._eyes.detector
        found = detector.find(frame, closely=self._wanted.closely)
        places = places_in(frame, found.tiles, self._eyes.pips, detector.tiles)
        tiles = not_printed(frame, self.sets.tiles(frame, places))
        pieces = find_pieces(frame, found.pieces, tiles, detector.pieces, self._eyes, self._wanted, before)
        tiles = without_pieces(tiles, pieces, cardboard=self._wanted.cardboard)
        return Scene(
            size_px=(frame.shape[1], frame.shape[0]),
            tiles=tiles,
            dice=pieces.dice,
            pawns=pieces.pawns,
            tokens=pieces.tokens,
            tetrominoes=pieces.tetrominoes,
            faint=pieces.faint,
            advice=advice(frame, tiles, detector),
        )

    def places(self, frame: Image) -> list[Place]:
        """Where tiles may lie on one BGR frame: what is left to decide is which of them do."""
        return places_in(frame, self._eyes.detector.tiles(frame), self._eyes.pips, self._eyes.detector.tiles)
