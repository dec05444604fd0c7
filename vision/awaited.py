"""Dominoes that must or may lie there by the rules of a game: each is looked for in its place, and only as itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.overlap import exclude
from vision.pips import Look, PipReader
from vision.place import Place
from vision.reading import believed, read_halves
from vision.scene import TileDetection
from vision.straighten import Image, pyramid, straighten, to_picture
from vision.taught import TaughtSets
from vision.tiles import detection

Quad = NDArray[np.float64]

MOST = 4  # are looked for at once: where more lack, they were taken away
STEP = 0.05  # of its length: how far beside its place a tile is looked for
MUST, MAY = 20.0, 3.0  # the odds that one which must or may lie there does so, where its very numbers are read
LIKELY = 0.7  # what is less likely then is not told
FAR = 20.0  # by how much less likely it is no domino, of two that cannot both lie there
CLEAR = 0.8  # the chance at least that a half shows its number


@dataclass(frozen=True)
class Awaited:
    """A domino that must or may lie there: its corners in pixels, and what it may read, the numbers of one end first.

    pips: () if it lies face down. odds: that it lies there, where such numbers are read, or a back is seen.
    """

    corners: Quad
    pips: tuple[tuple[int, int], ...]
    odds: float = MUST


def found_there(
    frame: Image, awaited: Sequence[Awaited], reader: PipReader, sets: TaughtSets | None = None
) -> list[TileDetection]:
    """Those of the awaited dominoes that a BGR frame shows in their places, each as it is awaited.

    Of two that cannot both lie there one has to be far likelier: on a table as white as itself a blank half may lie on
    either side of the other one. A rival counts though its own numbers are not clear. sets: those that lie there, where
    somebody taught them.
    """
    levels = pyramid(frame) if awaited else ()
    seen = [_best_look(levels, one, reader, sets or TaughtSets()) for one in awaited[:MOST]]
    likely = [(one, *best) for one, best in zip(awaited, seen, strict=False) if best[0].peak > LIKELY]
    places = [place for _, place, _ in likely]
    return [_told(place, name) for one, place, name in likely if _as_awaited(place.look, one) and _alone(place, places)]


def _told(place: Place, of_set: str) -> TileDetection:
    """The domino at a place, of this taught set."""
    return replace(detection(place, read_halves(place.look, place.length_px, place.peak)), of_set=of_set)


def _best_look(levels: Sequence[Image], awaited: Awaited, reader: PipReader, sets: TaughtSets) -> tuple[Place, str]:
    """Where near its place it looks most like a domino, how likely that is one, and of which taught set."""
    quads = list(_around(awaited.corners))
    looks = reader.look([straighten(levels, quad) for quad in quads])
    quad, look = min(zip(quads, looks, strict=True), key=lambda seen: seen[1].nothing)
    place, of_set = sets.known(levels, Place(to_picture(quad, look.corners), look, 0.0))
    return replace(place, peak=_likely(place.look, awaited)), of_set


def _alone(place: Place, places: Sequence[Place]) -> bool:
    """Whether a place is far likelier than every other that cannot hold a domino too."""
    return all(
        other is place or not exclude(place.quad, other.quad) or 1 - other.peak > FAR * (1 - place.peak)
        for other in places
    )


def _around(corners: Quad) -> Sequence[Quad]:
    """The place, and those around it: a grid tells it only nearly."""
    along = corners[2:].mean(axis=0) - corners[:2].mean(axis=0)
    across = np.array([-along[1], along[0]])
    return [corners + STEP * (x * along + y * across) for x, y in product((0, -1, 1), repeat=2)]


def _likely(look: Look, awaited: Awaited) -> float:
    """How likely a domino lies there the right side up."""
    seen = awaited.odds * (look.up if awaited.pips else look.down)
    return seen / (seen + look.nothing + (look.down if awaited.pips else look.up) + 1e-9)


def _as_awaited(look: Look, awaited: Awaited) -> bool:
    """Whether it shows clearly what is awaited there; of one that lies face down nothing more is asked."""
    read = believed(look)
    shows = (all(row[number] > CLEAR for row, number in zip(read, pips, strict=True)) for pips in awaited.pips)
    return not awaited.pips or any(shows)
