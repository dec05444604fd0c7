"""Dominoes that must or may lie there by the rules of a game: each is looked for in its place, and only as itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from vision.overlap import exclude
from vision.pips import Look, PipReader
from vision.place import Place
from vision.quads import Quad
from vision.reading import believed, read_halves
from vision.scene import TileDetection
from vision.straighten import Image, pyramid, straighten, to_picture
from vision.taught import TaughtSets
from vision.tiles import detection

MOST = 4  # are looked for at once: where more lack, they were taken away
STEP = 0.05  # of its length: how far beside its place a tile is looked for
MUST, MAY = 20.0, 3.0  # the odds that one which must or may lie there does so, where its very numbers are read
LIKELY = 0.7  # what is less likely then is not told
FAR = 20.0  # by how much less likely it is no domino, of two that cannot both lie there
CLEAR = 0.8  # the chance at least that a half shows its number
UNPROPOSED = 0.0  # the detector was not asked


@dataclass(frozen=True)
class Awaited:
    """A domino that must or may lie there: its corners in pixels, and what it may read, the numbers of one end first.

    pips: () if it lies face down. odds: that it lies there, where such numbers are read, or a back is seen.
    """

    corners: Quad
    pips: tuple[tuple[int, int], ...]
    odds: float = MUST


@dataclass(frozen=True, eq=False)
class _Seen:
    """What is seen where a domino is awaited: the place, the chance that it lies there, and its taught set."""

    awaited: Awaited
    place: Place
    chance: float
    of_set: str

    @property
    def shows_it(self) -> bool:
        """Whether it shows clearly what is awaited there; of one that lies face down nothing more is asked."""
        read, pips = believed(self.place.look), self.awaited.pips
        shows = (all(row[number] > CLEAR for row, number in zip(read, ends, strict=True)) for ends in pips)
        return not pips or any(shows)

    @property
    def told(self) -> TileDetection:
        """The domino that lies there."""
        reading = read_halves(self.place.look, self.place.length_px, self.chance)
        return replace(detection(self.place, reading), of_set=self.of_set)

    def alone_among(self, others: Sequence[_Seen]) -> bool:
        """Whether it is far likelier than every other that cannot hold a domino too."""
        rivals = (one for one in others if one is not self and exclude(self.place.quad, one.place.quad))
        return all(1 - one.chance > FAR * (1 - self.chance) for one in rivals)


def found_there(
    frame: Image, awaited: Sequence[Awaited], reader: PipReader, sets: TaughtSets | None = None
) -> list[TileDetection]:
    """Those of the awaited dominoes that a BGR frame shows in their places, each as it is awaited.

    Of two that cannot both lie there one has to be far likelier: on a table as white as itself a blank half may lie on
    either side of the other one. A rival counts though its own numbers are not clear. sets: those that lie there, where
    somebody taught them.
    """
    levels = pyramid(frame) if awaited else ()
    seen = [_seen(levels, one, reader, sets or TaughtSets()) for one in awaited[:MOST]]
    likely = [one for one in seen if one.chance > LIKELY]
    return [one.told for one in likely if one.shows_it and one.alone_among(likely)]


def _seen(levels: Sequence[Image], awaited: Awaited, reader: PipReader, sets: TaughtSets) -> _Seen:
    """Where near its place it looks most like a domino."""
    quads = list(_around(awaited.corners))
    looks = reader.look([straighten(levels, quad) for quad in quads])
    quad, look = min(zip(quads, looks, strict=True), key=lambda seen: seen[1].nothing)
    place, of_set = sets.known(levels, Place(to_picture(quad, look.corners), look, UNPROPOSED))
    return _Seen(awaited, place, _likely(place.look, awaited), of_set)


def _around(corners: Quad) -> Sequence[Quad]:
    """The place, and those around it: a grid tells it only nearly."""
    along = corners[2:].mean(axis=0) - corners[:2].mean(axis=0)
    across = np.array([-along[1], along[0]])
    return [corners + STEP * (x * along + y * across) for x, y in product((0, -1, 1), repeat=2)]


def _likely(look: Look, awaited: Awaited) -> float:
    """How likely a domino lies there the right side up."""
    seen = awaited.odds * (look.up if awaited.pips else look.down)
    return seen / (seen + look.nothing + (look.down if awaited.pips else look.up) + 1e-9)
