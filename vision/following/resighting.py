"""A whole new read of a table that is known: tiles that lie as they lay are the same tiles, and none is lost for it.

A new read is but one look more. Where it shows a tile as it was, all earlier looks still count; where it shows none,
or only doubtfully another, the place is looked at once more before the tile is taken for gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.blanks import MAY_BE_BLANK
from vision.following.recognising import lies_as
from vision.following.sighting import Sighting
from vision.overlap import exclude
from vision.quads import corners_of
from vision.scene import TileDetection
from vision.tiles import shifted

Shows: TypeAlias = Callable[[Sequence[TileDetection], Sequence[TileDetection]], bool]

FEWEST = 3  # tiles that tell how far the whole table was pushed
ASTRAY = 0.15  # of its length: a tile seen so near to its place, pushed as far as the others, is the same
STILL = 0.02  # of its length: a tile that is seen no farther from its place was not moved
NEAR = 0.4  # of its length: the back of a tile is taken for the nearest known one, if it is so near


def shows_most(known: Sequence[TileDetection], seen: Sequence[TileDetection]) -> bool:
    """Whether so many tiles are seen that nothing large lies over those that are known."""
    return 2 * len(seen) >= len(known)


def shows_all_moved(
    changed: Sequence[TileDetection], known: Sequence[TileDetection], seen: Sequence[TileDetection]
) -> bool:
    """Whether each of the known tiles is among those that are seen, and those that look changed lie elsewhere now.

    Under a hand that hides no number they would look changed, too.
    """
    if Counter(map(_face, known)) - Counter(map(_face, seen)):
        return False
    far = [np.hypot(*step) for step in _steps(changed, seen, far=np.inf)]
    return bool(far) and float(np.median(far)) > STILL * float(np.median([tile.length_px for tile in known]))


def _face(tile: TileDetection) -> tuple[int, ...]:
    """A tile's numbers, () for one that lies face down."""
    return tuple(sorted(tile.pips)) if tile.face_up else ()


def pushed(known: Sequence[TileDetection], seen: Sequence[TileDetection]) -> NDArray[np.float64]:
    """How far the tiles seen lie from the known ones that read the same, (2,) in pixels: usually not at all."""
    steps = _steps(known, [tile for tile in seen if tile.face_up], far=np.inf)
    if len(steps) < FEWEST:
        steps = _steps(known, [tile for tile in seen if not tile.face_up], far=NEAR)
    return np.asarray(np.median(steps, axis=0)) if len(steps) >= FEWEST else np.zeros(2)


def _steps(known: Sequence[TileDetection], seen: Sequence[TileDetection], far: float) -> list[NDArray[np.float64]]:
    """From the nearest known tile that reads the same to each seen, unless it is farther than so many lengths."""
    steps = []
    for tile in seen:
        apart = [_center(tile) - _center(one) for one in known if _alike(one, tile)]
        if apart and np.linalg.norm(nearest := min(apart, key=np.linalg.norm)) < far * tile.length_px:
            steps.append(nearest)
    return steps


def resighted(
    known: Sequence[Sighting], fresh: Sequence[Sighting], push: NDArray[np.float64]
) -> tuple[list[Sighting], list[Sighting]]:
    """What a new read found, earlier looks included; and the known tiles, pushed, that it has nothing sure for."""
    found, missing = list(fresh), list[Sighting]()
    for old in known:
        there = moved(old, push)
        same = [k for k, new in enumerate(found) if _lies_as(there.tile, new)]
        if same:
            new = found[same[0]]
            there = moved(old, _center(new.tile) - _center(old.tile), new.seen)
            found[same[0]] = replace(there, bare=old.bare or new.bare, plain=old.plain or new.plain)
        elif not any(exclude(there.corners, new.corners) and not new.tile.doubtful for new in found):
            missing.append(there)
    return found, missing


def seen_clearer(
    known: Sequence[Sighting], seen: Sequence[TileDetection]
) -> tuple[list[Sighting], list[TileDetection]]:
    """The known tiles without those that were in doubt and that a clearer picture shows as others, and what it shows.

    What takes the place of a tile that is known for sure is left out: the table is the same.
    """
    sure = [old for old in known if not old.tile.doubtful]
    tiles = [new for new in seen if not any(_over(new, old) and not lies_as(new, old) for old in sure)]
    belied = (old.tile.doubtful and any(_over(new, old) and not _reads_as(new, old) for new in tiles) for old in known)
    return [old for old, gone in zip(known, belied, strict=True) if not gone], tiles


def _over(tile: TileDetection, known: Sighting) -> bool:
    return exclude(corners_of(tile), known.corners)


def _reads_as(tile: TileDetection, known: Sighting) -> bool:
    return lies_as(tile, known) and _alike(known.tile, tile)


def instead(found: Sequence[Sighting], again: Sequence[Sighting]) -> list[Sighting]:
    """What was found, and the known tiles that a closer look saw again in place of doubtful ones."""
    kept = [new for new in found if not any(exclude(new.corners, old.corners) for old in again)]
    return [*kept, *again]


def without_backs(seen: Sequence[TileDetection], known: Sequence[Sighting]) -> list[TileDetection]:
    """The tiles without all backs but those of known tiles, turned over where they lay, and what may be no back."""
    quads = [one.corners for one in known]
    turned = [any(exclude(corners_of(tile), quad) for quad in quads) for tile in seen]
    told = zip(seen, turned, strict=True)
    return [tile for tile, known_there in told if tile.face_up or known_there or tile.why == MAY_BE_BLANK]


def moved(known: Sighting, by: NDArray[np.float64], seen: int | None = None) -> Sighting:
    """A known tile so many pixels farther on, with all that is known of it."""
    evidence = replace(known.evidence, corners=known.evidence.corners + known.evidence.looks * by)
    last = known.seen if seen is None else seen
    return replace(known, tile=shifted(known.tile, by), evidence=evidence, seen=last, empty=0)


def _lies_as(old: TileDetection, new: Sighting) -> bool:
    """Whether a tile lies where an old one lay, the same way round, and reads the same: one half, if a piece hides the
    other."""
    tile = new.tile
    ends = zip(old.centers_px, tile.centers_px, strict=True)
    near = all(np.hypot(x1 - x0, y1 - y0) < ASTRAY * old.length_px for (x0, y0), (x1, y1) in ends)
    alike = [one == other for one, other in zip(old.pips, tile.pips, strict=True)]
    return near and old.face_up == tile.face_up and (not old.face_up or (all if new.bare else any)(alike))


def _alike(one: TileDetection, other: TileDetection) -> bool:
    return one.face_up == other.face_up and (not one.face_up or sorted(one.pips) == sorted(other.pips))


def _center(tile: TileDetection) -> NDArray[np.float64]:
    """The mean of its corners, (2,)."""
    return np.asarray(corners_of(tile).mean(axis=0))
