"""Where tiles may lie: each candidate is straightened, looked at, moved to where its corners are, and looked at again.

Candidates that claim the same piece of table are settled by what the closer look says, not by the first impression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision import aslant, relief, sizes, tints
from vision.gaps import gaps, instead
from vision.overlap import OVERLAP, conflicts, taken, unexplained
from vision.peaks import Candidate
from vision.pips import Look, PipReader
from vision.place import Place, Quad
from vision.relief import surroundings
from vision.settling import ALMOST, convex, settled, unrivalled, weighed
from vision.straighten import FRAME, HALF, Image, as_point, pyramid, straighten, to_picture
from vision.tints import Tint, tint

Finder = Callable[[Image], Sequence[Candidate]]  # the candidates in a BGR frame, as vision.detector finds them

MOST_CANDIDATES = 400  # enough for four double-twelve sets; more is texture taken for tiles
SAME_PLACE = 0.3  # candidates closer than this part of their width are one
STRAY = 0.12  # corners that move by more than this many halves are worth another look
HOPELESS = 0.9  # places whose chance of being no tile is above this are not looked at again, nor moved
UNEXPLAINED = 0.35  # of a candidate's face must lie on no sure tile for it to be worth a look
LIKELY = 0.4  # tiles likelier than this tell the usual size and colour
SURELY = 0.8  # and fronts likelier than this how much a tile stands out from this table
STRONG = 0.3  # candidates that the detector gives a smaller chance are faint
ALIKE, MOST_FAINT = 0.15, 24  # so much a faint candidate may differ in size, and so many are looked at
FEW_FAINT = 8  # so many where no likely tiles tell the size
MOST_ASLANT = 60  # candidates that are looked at anew where the table is seen aslant
AGAIN, MANY = 3, 8.0  # how often that is asked where tiles found by it may tell more; more than so many tell enough
UNSEEN = 0.3  # what a guess counts where the detector proposed nothing
ROUNDS, TURNS = 6, 2  # how often gaps are looked for, and what would lie there if tiles pushed aside did
OPEN, MOST_OPEN = (0.02, 0.98), 64  # chances between which a place is looked at each way; so many places, at most
PLAINLY = 0.8  # a back likelier than this may have another beside it that shows as little
CERTAIN = 0.9  # where a tile is surer than this, none that overlaps it is looked for, but see UNEXPLAINED


def find_places(
    frame: Image, candidates: Sequence[Candidate], reader: PipReader, find: Finder | None = None
) -> list[Place]:
    """Those of the candidates in a BGR frame where a tile may lie, the likeliest first; no two overlap much."""
    return weighed(closer_looks(frame, candidates, reader, find))


def closer_looks(
    frame: Image,
    candidates: Sequence[Candidate],
    reader: PipReader,
    find: Finder | None = None,
    table: Tint | None = None,
    known: int = 0,
) -> list[Place]:
    """A closer look at the candidates in a BGR frame, rivals for one spot among them.

    The likeliest candidate of each spot is looked at first, its rivals only where it turns out not to be one for sure,
    and faint candidates only where they are as large as the sure tiles. Then those that are still open are looked at in
    the shape that tiles have there, and so is what `find` finds from above on a table seen aslant. Then come the gaps
    between likely tiles, then what would lie beside those that others push aside, and last what is open still is looked
    at each way. table: (n, 3) colours of the bare table, known: how many tiles lie there, where the frame is but a
    part of it.
    """
    levels, waiting = pyramid(frame), distinct(candidates)[:MOST_CANDIDATES]
    strong = [c for c in waiting if c.score >= STRONG]
    first = unrivalled(conflicts([c.corners for c in strong], OVERLAP))
    places = _looked_at(levels, [strong[k] for k in first], reader)
    rivals = [c for k, c in enumerate(strong) if k not in first]
    places += _looked_at(levels, _unsettled(rivals, places), reader)
    places += _faint(levels, [c for c in waiting if c.score < STRONG], places, reader)
    leaning, tilt = _aslant(levels, waiting, places, reader, find)
    places += leaning
    for guess, rounds in ((_in_gaps, ROUNDS), (_instead, TURNS)):
        places += _guessed_at(guess, rounds, levels, places, reader, table, tilt)
    places = _each_way(levels, places, reader)
    return _beside(_compared(places, _bare(levels, places) if table is None else table, tilt), known)


def _each_way(levels: Sequence[Image], places: Sequence[Place], reader: PipReader) -> list[Place]:
    """The places, those that are open still as they look each way; the likeliest go first where they are many."""
    told = list(places)
    still = sorted((k for k, place in enumerate(places) if _open(place)), key=lambda k: -places[k].presence)[:MOST_OPEN]
    looks = reader.look_each_way([straighten(levels, places[k].quad) for k in still])
    for k, look in zip(still, looks, strict=True):
        told[k] = replace(places[k], quad=_seen_at(places[k].quad, look), look=look)
    return told


def _open(place: Place) -> bool:
    """Whether a tile may lie there, and it is not plain which one."""
    return place.presence > OPEN[0] and min(place.presence, place.read) < OPEN[1]


def _aslant(
    levels: Sequence[Image],
    candidates: Sequence[Candidate],
    places: Sequence[Place],
    reader: PipReader,
    find: Finder | None,
) -> tuple[list[Place], aslant.Tilt | None]:
    """A closer look at the candidates in the shape that the likely tiles lend them, and at what is seen from above.

    Where few tiles told the tilt those found by it tell more, and all is looked at once more. Gives the tilt as well,
    if any tile tells it.
    """
    found, known, tilt = list[Place](), 0.0, None
    for _ in range(AGAIN):
        likely = _likely([*places, *found])
        sure = sum(p.presence for p in likely)
        if sure < max(aslant.FEWEST, known) or known > MANY:
            break
        tilt = aslant.tilt_of(*_known(likely), (levels[0].shape[1], levels[0].shape[0]))
        found += _tilted(levels, candidates, [*places, *found], tilt, reader, find)
        known = sure + 0.5
    return found, tilt


def _tilted(
    levels: Sequence[Image],
    candidates: Sequence[Candidate],
    places: Sequence[Place],
    tilt: aslant.Tilt,
    reader: PipReader,
    find: Finder | None,
) -> list[Place]:
    """A closer look at the free candidates on a table of this tilt."""
    free = _free(candidates, places)
    shaped = _free(aslant.askew(free, tilt), places)
    found = _looked_at(levels, shaped[:MOST_ASLANT], reader)
    if find is not None and tilt.disturbs(c.center for c in free):
        above, back = aslant.from_above(levels, tilt)
        lying = aslant.brought_back(distinct(find(above)), tilt, back, (levels[0].shape[1], levels[0].shape[0]))
        found += _looked_at(levels, _free(lying, [*places, *found])[:MOST_ASLANT], reader)
    return found


def _guessed_at(
    guess: Callable[[Sequence[Place], Sequence[Place]], Sequence[Candidate]],
    rounds: int,
    levels: Sequence[Image],
    places: Sequence[Place],
    reader: PipReader,
    table: Tint | None,
    tilt: aslant.Tilt | None,
) -> list[Place]:
    """A closer look at what the places lead one to guess; what is found so may show the next.

    guess: by all places, each of which knows how it compares with the others, and by those that were guessed before.
    """
    found = list[Place]()
    for _ in range(rounds):
        seen = [*places, *found]
        seen = _compared(seen, _bare(levels, seen) if table is None else table, tilt)
        if not (unseen := guess(seen, found)[:MOST_FAINT]):
            break
        found += _looked_at(levels, unseen, reader)
    return found


def _in_gaps(seen: Sequence[Place], found: Sequence[Place]) -> list[Candidate]:
    """The gaps that likely tiles leave, each once."""
    likely = _likely(seen)
    plain = [not p.face_up and p.presence > PLAINLY for p in likely]
    return _anew(list(map(_guessed, gaps([p.quad for p in likely], plain))), found)


def _instead(seen: Sequence[Place], found: Sequence[Place]) -> list[Candidate]:
    """What would lie beside likely tiles that others push aside: together those may be the likelier."""
    kept = settled(seen)
    lie = set(map(id, kept))
    aside = [p.quad for p in seen if p.presence > LIKELY and id(p) not in lie and convex(p.quad)]
    return _unlike(list(map(_guessed, instead(aside, [p.quad for p in kept]))), [p.quad for p in seen])


def _unlike(candidates: Sequence[Candidate], quads: Sequence[Quad]) -> list[Candidate]:
    """Those that are nearly none of the places looked at, and one of each that are nearly the same."""
    same = conflicts([*quads, *(c.corners.astype(np.float64) for c in candidates)], ALMOST)
    kept = list(range(len(quads)))
    for k in range(len(quads), len(same)):
        if not same[k, kept].any():
            kept.append(k)
    return [candidates[k - len(quads)] for k in kept[len(quads) :]]


def _anew(candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Candidate]:
    """Those whose middle is in none of the places looked at."""
    return [
        c
        for c in candidates
        if not any(cv2.pointPolygonTest(p.quad.astype(np.float32), c.center, False) > 0 for p in places)
    ]


def _guessed(quad: Quad) -> Candidate:
    """A place that the detector passed by, as one it might have proposed."""
    (x, y), across, along = (
        quad.mean(0),
        (quad[1] + quad[2] - quad[0] - quad[3]) / 4,
        (quad[2:] - quad[1::-1]).sum(0) / 4,
    )
    return Candidate((float(x), float(y)), as_point(along), as_point(across), UNSEEN, False)


def _free(candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Candidate]:
    """Those that do not overlap a place where a tile lies for sure."""
    sure = [p.quad for p in places if p.presence > CERTAIN and convex(p.quad)]
    hidden = taken([c.corners for c in candidates], sure, OVERLAP)
    return [c for c, gone in zip(candidates, hidden, strict=True) if not gone]


def _unsettled(rivals: Sequence[Candidate], places: Sequence[Place]) -> list[Candidate]:
    """Those of which much lies on no sure tile: what takes the rest of the place may be wrong, however sure it is."""
    sure = [p.quad for p in settled(places) if p.presence > CERTAIN]
    bare = unexplained([c.corners for c in rivals], sure)
    return [c for c, left in zip(rivals, bare, strict=True) if left > UNEXPLAINED]


def _faint(
    levels: Sequence[Image], candidates: Sequence[Candidate], places: Sequence[Place], reader: PipReader
) -> list[Place]:
    """A closer look at the faint candidates that are as large as the likely tiles.

    Where too few are likely the strongest faint ones are looked at, and count if they are several.
    """
    first = [] if _several(places) else _looked_at(levels, _free(candidates, places)[:FEW_FAINT], reader)
    known = [*places, *first]
    if not _several(known):
        return []
    free = _anew(_free(candidates, known), first)
    far = sizes.unlikeness([c.corners.astype(np.float64) for c in free], *_known(_likely(known)))
    alike = [c for c, unlike in zip(free, far, strict=True) if unlike < ALIKE]
    return first + _looked_at(levels, alike[:MOST_FAINT], reader)


def _several(places: Sequence[Place]) -> bool:
    """Whether so many tiles are likely that they tell the usual size."""
    return sum(p.presence for p in _likely(places)) >= sizes.FEWEST


def _likely(places: Sequence[Place]) -> list[Place]:
    return [p for p in settled(places) if p.presence > LIKELY]


def _bare(levels: Sequence[Image], places: Sequence[Place]) -> Tint:
    """The colours of the picture where no tile may lie."""
    scale = levels[-1].shape[1] / levels[0].shape[1]
    return tints.of_table(levels[-1], [scale * place.quad for place in places])


def _known(likely: Sequence[Place]) -> tuple[list[Quad], list[float]]:
    return [p.quad for p in likely], [p.presence for p in likely]


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a place: the same tile is found at neighbouring scales."""
    if not candidates:
        return []
    middles, along = np.array([c.center for c in candidates]), np.array([c.along for c in candidates])
    way = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    wide = np.maximum(2 * np.linalg.norm([c.across for c in candidates], axis=1), 1e-3)
    kept: list[int] = []
    for k in range(len(candidates)):
        near = np.linalg.norm(middles[kept] - middles[k], axis=1) < SAME_PLACE * np.minimum(wide[kept], wide[k])
        alike = abs(np.log(wide[kept] / wide[k])) < 0.4
        aligned = abs(way[kept] @ way[k]) > 0.9
        if not (near & alike & aligned).any():
            kept.append(k)
    return [candidates[k] for k in kept]


def _looked_at(levels: Sequence[Image], candidates: Sequence[Candidate], reader: PipReader) -> list[Place]:
    """Two closer looks at each candidate, the second where the first one saw the corners."""
    quads = [c.corners.astype(np.float64) for c in candidates]
    patches = [straighten(levels, q) for q in quads]
    looks = reader.look(patches)
    again = [k for k, look in enumerate(looks) if look.nothing < HOPELESS and _strays(look)]
    for k in again:
        quads[k] = _moved(quads[k], looks[k])
        patches[k] = straighten(levels, quads[k])
    for k, look in zip(again, reader.look([patches[k] for k in again]), strict=True):
        looks[k] = look
    quads = [_seen_at(quad, look) for quad, look in zip(quads, looks, strict=True)]
    hopeful = [k for k, look in enumerate(looks) if look.nothing < HOPELESS]
    lies = dict(zip(hopeful, reader.relief.odds([surroundings(levels, quads[k]) for k in hopeful]), strict=True))
    seen = enumerate(zip(quads, looks, candidates, patches, strict=True))
    return [
        Place(quad, look, c.score, tint(patch), lies=lies.get(k, relief.UNKNOWN)) for k, (quad, look, c, patch) in seen
    ]


def _seen_at(quad: Quad, look: Look) -> Quad:
    """Where the tile's corners are; whoever sees no tile sees no corners either, and the first impression stands."""
    return quad if look.nothing > HOPELESS else _moved(quad, look)


def _strays(look: Look) -> bool:
    return bool(abs(look.corners - FRAME).max() > STRAY * HALF)


def _moved(quad: Quad, look: Look) -> Quad:
    return to_picture(quad, look.corners)


def _compared(places: Sequence[Place], table: Tint, tilt: aslant.Tilt | None) -> list[Place]:
    """The same places, each knowing how its size and colour compare with the likely tiles and with the bare table."""
    likely = _likely(places)
    far = sizes.unlikeness([p.quad for p in places], *_known(likely))
    several = sum(p.presence for p in likely) >= sizes.FEWEST
    if tilt is not None and several and tilt.disturbs(as_point(p.quad.mean(axis=0)) for p in places):
        far = [min(pair) for pair in zip(far, tilt.unlikeness([p.quad for p in places]), strict=True)]
    fronts = [p for p in likely if p.face_up]
    odd = tints.oddity([p.tint for p in places], [p.tint for p in fronts], [p.presence for p in fronts])
    bare = tints.sameness([p.tint for p in places], table)
    told = zip(places, far, odd, bare, strict=True)
    return [replace(p, unlike=a, odd=b if p.face_up else c) for p, a, b, c in told]


def _beside(places: Sequence[Place], known: int) -> list[Place]:
    """The same places, each knowing how many tiles lie besides it and how much less than those it stands out."""
    kept = set(map(id, settled(places)))
    sure = [id(p) in kept and p.face_up and p.presence > SURELY for p in places]
    flat, many = relief.flatter([p.lies for p in places], sure), sum(sure)
    told = zip(places, flat, sure, strict=True)
    return [replace(p, flatter=less, others=max(many - one, known)) for p, less, one in told]
