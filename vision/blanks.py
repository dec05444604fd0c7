"""What shows no pips is the double blank or a tile face down: its colour tells, its likes, and the set that lies there.

Where the light is hard the bar between two blanks is not seen, and the network takes the double blank for a back. But
backs of one set look alike: what only the faces look like may be the double blank, and who knows the set can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from rules.domino import Domino
from vision.place import Place
from vision.reading import Reading, believed
from vision.scene import TileDetection
from vision.tints import CLOSE, FEWEST

LONE = 0.4  # about how often what seems a back, and alone looks like the faces, is the double blank
SURE, LIKELY = 0.8, 0.5  # chances of the fronts that tell the faces' colour, and of backs that look like others
LIKE = 0.15  # two backs whose colours lie no farther apart may be of one set: shadows fall on them
MAY_BE_BLANK = "it may be the double blank"
BLANK = Domino.of(0, 0)


def lone_backs(places: Sequence[Place]) -> list[Place]:
    """The places; a back that has the colour of a face, and of no other back, is marked: it may be the double blank."""
    fronts = [place for place in places if place.face_up and place.presence > SURE]
    backs = [place for place in places if not place.face_up and place.presence > LIKELY]
    if len(fronts) < FEWEST or any(_reads_blank(front) for front in fronts):
        return list(places)
    plain = {id(back) for back in backs if _is_alone(back, backs) and _looks_like(back, fronts)}
    return [replace(place, plain=True) if id(place) in plain else place for place in places]


def _is_alone(back: Place, backs: Sequence[Place]) -> bool:
    return all(_apart(back, other) > LIKE for other in backs if other is not back)


def _looks_like(back: Place, fronts: Sequence[Place]) -> bool:
    return _reads_blank(back) and min(_apart(back, front) for front in fronts) < CLOSE


def _reads_blank(place: Place) -> bool:
    return not believed(place.look).argmax(axis=1).any()


def _apart(one: Place, other: Place) -> float:
    return float(np.linalg.norm(one.tint - other.tint))


def plainly(reading: Reading) -> Reading:
    """What is told of such a back: that it lies face down is in doubt."""
    return replace(reading, confidence=reading.confidence * (1 - LONE), why=MAY_BE_BLANK)


def may_be_blank(tile: TileDetection) -> bool:
    """Whether a tile was told as the double blank, or as a back that may be it."""
    return tile.why == MAY_BE_BLANK or (tile.face_up and Domino.of(*tile.pips) == BLANK)


def known_blank(
    tiles: Sequence[TileDetection], supply: Collection[Domino], *, face_down: bool | None = None
) -> list[TileDetection]:
    """The tiles, such a back face up where that is likelier to somebody who knows which dominoes lie there.

    A back may be any domino that lies nowhere else, seldom the double blank; if that lies face up it is this one.
    face_down: whether some may lie face down, None where nobody knows.
    """
    missing = Counter(supply) - Counter(Domino.of(*tile.pips) for tile in tiles if tile.face_up)
    perhaps = [k for k, tile in enumerate(tiles) if tile.why == MAY_BE_BLANK]
    if face_down or len(perhaps) != 1 or BLANK not in missing:
        return list(tiles)
    odds = LONE / (1 - LONE) * len(supply) / missing.total()
    chance = 1.0 if face_down is False else odds / (1 + odds)
    return [_turned(tile, chance) if k in perhaps and chance > LIKELY else tile for k, tile in enumerate(tiles)]


def _turned(tile: TileDetection, chance: float) -> TileDetection:
    """The same tile as the double blank."""
    why = "no other domino is the double blank, so this is it"
    sure = replace(tile, face_up=True, changed_from=tile.pips, doubtful=False, why=why)
    return replace(sure, confidence=presence(tile) * chance)


def presence(tile: TileDetection) -> float:
    """How sure it is that a tile lies there, however doubtful its numbers and its side are."""
    read = [max(half, default=1.0) for half in tile.likelihoods]
    side = 1 - LONE if tile.why == MAY_BE_BLANK else 1.0
    return min(1.0, tile.confidence / max(read[0] * read[1] * side, 1e-3))
