"""Where tiles may lie: each candidate is straightened, looked at, moved to where its corners are, and looked at again.

Candidates that claim the same piece of table are settled by what the closer look says, not by the first impression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.homography import Array
from vision import aslant, relief, sizes, tints
from vision.closer_look import HOPELESS, each_way, looked_at
from vision.gaps import farther_along, gaps, instead
from vision.overlap import OVERLAP, conflicts, taken, unexplained
from vision.peaks import Candidate, one_a_tile
from vision.pips import PipReader
from vision.place import Place
from vision.quads import Quad
from vision.settling import ALMOST, convex, settled, unrivalled
from vision.straighten import Image, as_point, pyramid
from vision.tints import Tint

Finder = Callable[[Image], Sequence[Candidate]]  # the candidates in a BGR frame, as vision.detector finds them

MOST_CANDIDATES = 400  # enough for four double-twelve sets; more is texture taken for tiles
UNEXPLAINED = 0.35  # of a candidate's face must lie on no sure tile for it to be worth a look
LIKELY = 0.4  # tiles likelier than this tell the usual size and colour
SURELY = 0.8  # and fronts likelier than this how much a tile stands out from this table
STRONG = 0.3  # candidates that the detector gives a smaller chance are faint
ALIKE, MOST_FAINT = 0.15, 24  # so much a faint candidate may differ in size, and so many are looked at
FEW_FAINT = 8  # so many where no likely tiles tell the size
PLAIN, SEEM_SOME = 0.4, 2  # so likely candidates tell how a table lies, asked where so many more seem to be tiles
FOR_ONE = 8  # faint candidates count as much as one that seems to be a tile, where nothing else does
MOST_ASLANT = 60  # candidates that are looked at anew where the table is seen aslant
AGAIN, MANY = 3, 8.0  # how often that is asked where tiles found by it may tell more; more than so many tell enough
UNSEEN = 0.3  # what a guess counts where the detector proposed nothing
ROUNDS, TURNS = 6, 2  # how often gaps are looked for, and what would lie there if tiles pushed aside did
PLAINLY = 0.8  # a back likelier than this may have another beside it that shows as little
CERTAIN = 0.9  # where a tile is surer than this, none that overlaps it is looked for, but see UNEXPLAINED


@dataclass(frozen=True, eq=False)
class _Picture:
    """A picture with its halvings, and whoever looks at it.

    find: the detector, for looking once more; None where there is no time for that. table: (n, 3) colours of the bare
    table, None where the picture itself tells them.
    """

    levels: Sequence[Image]
    reader: PipReader
    find: Finder | None
    table: Tint | None

    @property
    def size_px(self) -> tuple[int, int]:
        """Its width and height."""
        return self.levels[0].shape[1], self.levels[0].shape[0]

    def look(self, candidates: Sequence[Candidate]) -> list[Place]:
        """A closer look at each candidate."""
        return looked_at(self.levels, candidates, self.reader)

    def found_above(self, tilt: aslant.Tilt) -> tuple[list[Candidate], Array]:
        """The candidates from above on a table of this tilt, and the homography (3, 3) back to the picture."""
        above, back = aslant.from_above(self.levels, tilt)
        return one_a_tile(self.find(above) if self.find else ()), back

    def bare(self, places: Sequence[Place]) -> Tint:
        """The colours of the table where none of these places is."""
        if self.table is not None:
            return self.table
        scale = self.levels[-1].shape[1] / self.levels[0].shape[1]
        return tints.of_table(self.levels[-1], [scale * place.quad for place in places])


def places_in(
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
    the shape that tiles have there, and so is what `find` finds from above on a table seen aslant. Then comes what lies
    farther along than what is none, then the gaps between likely tiles, then what would lie beside those that others
    push aside, and last what is open still is looked at each way. table: (n, 3) colours of the bare table, known: how
    many tiles lie there, where the frame is but a part of it.
    """
    picture, waiting = _Picture(pyramid(frame), reader, find, table), one_a_tile(candidates)[:MOST_CANDIDATES]
    strong = [c for c in waiting if c.score >= STRONG]
    first = unrivalled(conflicts([c.corners for c in strong], OVERLAP))
    places = picture.look([strong[k] for k in first])
    rivals = [c for k, c in enumerate(strong) if k not in first]
    places += picture.look(_unsettled(rivals, places))
    places += _faint(picture, [c for c in waiting if c.score < STRONG], places)
    leaning, tilt = _aslant(picture, waiting, places)
    places += leaning
    for guess, rounds in ((_farther_along, 1), (_in_gaps, ROUNDS), (_instead, TURNS)):
        places += _guessed_at(guess, rounds, picture, places, tilt)
    places = each_way(picture.levels, places, reader)
    return _beside(_compared(places, picture, tilt), known)


def _aslant(
    picture: _Picture, candidates: Sequence[Candidate], places: Sequence[Place]
) -> tuple[list[Place], aslant.Tilt | None]:
    """A closer look at the candidates in the shape that the likely tiles lend them, and at what is seen from above.

    Where few tiles told the tilt those found by it tell more, and all is looked at once more. Gives the tilt as well,
    if any tile tells it.
    """
    found, known, tilt = _from_chairs(picture, candidates, places) if picture.find else [], 0.0, None
    for _ in range(AGAIN):
        likely = _likely([*places, *found])
        sure = sum(p.presence for p in likely)
        if sure < max(aslant.FEWEST, known) or known > MANY:
            break
        tilt = aslant.tilt_of(*_known(likely), picture.size_px)
        found += _tilted(picture, candidates, [*places, *found], tilt)
        known = sure + 0.5
    return found, tilt


def _from_chairs(picture: _Picture, candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Place]:
    """A closer look at what is found from above where few tiles tell the tilt and other things seem to be some.

    Where nothing else seems to be any, many things that faintly do may be backs that lie side by side.
    The table is looked at as it would lie before usual cameras; that way counts in which most seems to lie there, if
    one of that surely is a tile.
    """
    likely = _likely(places)
    none = [p.quad for p in places if p.peak > STRONG and p.presence < LIKELY and convex(p.quad)]
    free = _on_none(none, likely)
    if not likely and len(free) < SEEM_SOME <= len(candidates) / FOR_ONE:
        free = [candidate.corners.astype(np.float64) for candidate in candidates]
    if _several(likely) or len(free) < SEEM_SOME:
        return []
    best, most = list[Candidate](), sum(c.score for c in _plain(candidates))
    for tilt in aslant.usual_tilts(free, picture.size_px):
        seen, back = picture.found_above(tilt)
        if (much := sum(c.score for c in _plain(seen))) > most:
            scaled = aslant.to_scale(_plain(seen), tilt, back)
            best, most = aslant.brought_back(seen, scaled, back, picture.size_px), much
    found = picture.look(_free(best, places)[:MOST_ASLANT])
    return found if any(p.presence > CERTAIN for p in found) else []


def _plain(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in candidates if c.score > PLAIN]


def _tilted(
    picture: _Picture, candidates: Sequence[Candidate], places: Sequence[Place], tilt: aslant.Tilt
) -> list[Place]:
    """A closer look at the free candidates on a table of this tilt."""
    free = _free(candidates, places)
    shaped = _free(aslant.askew(free, tilt), places)
    found = picture.look(shaped[:MOST_ASLANT])
    if picture.find and tilt.disturbs(c.center for c in free):
        seen, back = picture.found_above(tilt)
        lying = aslant.brought_back(seen, tilt, back, picture.size_px)
        found += picture.look(_free(lying, [*places, *found])[:MOST_ASLANT])
    return found


def _guessed_at(
    guess: Callable[[Sequence[Place], Sequence[Place]], Sequence[Candidate]],
    rounds: int,
    picture: _Picture,
    places: Sequence[Place],
    tilt: aslant.Tilt | None,
) -> list[Place]:
    """A closer look at what the places lead one to guess; what is found so may show the next.

    guess: by all places, each of which knows how it compares with the others, and by those that were guessed before.
    """
    found = list[Place]()
    for _ in range(rounds):
        seen = _compared([*places, *found], picture, tilt)
        if not (unseen := guess(seen, found)[:MOST_FAINT]):
            break
        found += picture.look(unseen)
    return found


def _in_gaps(seen: Sequence[Place], found: Sequence[Place]) -> list[Candidate]:
    """The gaps that likely tiles leave, each once."""
    likely = _likely(seen)
    plain = [not p.face_up and p.presence > PLAINLY for p in likely]
    others = [p.quad for p in seen if not any(p is one for one in likely)]
    return _anew(list(map(_guessed, gaps([p.quad for p in likely], plain, others))), found)


def _farther_along(seen: Sequence[Place], found: Sequence[Place]) -> list[Candidate]:
    """What lies a little farther along than what seemed to be a tile and is none: halves of two neighbours, perhaps."""
    none = [p.quad for p in seen if p.peak > STRONG and p.look.nothing > HOPELESS and convex(p.quad)]
    free = _on_none([along for quad in none for along in farther_along(quad)], _likely(seen))
    return _unlike(list(map(_guessed, free)), [p.quad for p in seen])


def _instead(seen: Sequence[Place], found: Sequence[Place]) -> list[Candidate]:
    """What would lie beside likely tiles that others push aside: together those may be the likelier."""
    kept = settled(seen)
    lie = set(map(id, kept))
    aside = [p.quad for p in seen if p.presence > LIKELY and id(p) not in lie and convex(p.quad)]
    return _unlike(list(map(_guessed, instead(aside, [p.quad for p in kept]))), [p.quad for p in seen])


def _on_none(quads: Sequence[Quad], likely: Sequence[Place]) -> list[Quad]:
    """Those that lie on no likely tile."""
    over = taken(quads, [p.quad for p in likely], OVERLAP)
    return [quad for quad, hidden in zip(quads, over, strict=True) if not hidden]


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


def _faint(picture: _Picture, candidates: Sequence[Candidate], places: Sequence[Place]) -> list[Place]:
    """A closer look at the faint candidates that are as large as the likely tiles.

    Where too few are likely the strongest faint ones are looked at, and count if they are several.
    """
    first = [] if _several(_likely(places)) else picture.look(_free(candidates, places)[:FEW_FAINT])
    known = [*places, *first]
    likely = _likely(known)
    if not _several(likely):
        return []
    free = _anew(_free(candidates, known), first)
    far = sizes.unlikeness([c.corners.astype(np.float64) for c in free], *_known(likely))
    alike = [c for c, unlike in zip(free, far, strict=True) if unlike < ALIKE]
    return first + picture.look(alike[:MOST_FAINT])


def _several(likely: Sequence[Place]) -> bool:
    """Whether these are so many that they tell the usual size."""
    return sum(p.presence for p in likely) >= sizes.FEWEST


def _likely(places: Sequence[Place]) -> list[Place]:
    return [p for p in settled(places) if p.presence > LIKELY]


def _known(likely: Sequence[Place]) -> tuple[list[Quad], list[float]]:
    return [p.quad for p in likely], [p.presence for p in likely]


def _compared(places: Sequence[Place], picture: _Picture, tilt: aslant.Tilt | None) -> list[Place]:
    """The same places, each knowing how its size and colour compare with the likely tiles and with the bare table."""
    likely = _likely(places)
    far = sizes.unlikeness([p.quad for p in places], *_known(likely))
    if tilt is not None and _several(likely) and tilt.disturbs(as_point(p.quad.mean(axis=0)) for p in places):
        far = [min(pair) for pair in zip(far, tilt.unlikeness([p.quad for p in places]), strict=True)]
    fronts = [p for p in likely if p.face_up]
    odd = tints.oddity([p.tint for p in places], [p.tint for p in fronts], [p.presence for p in fronts])
    bare = tints.sameness([p.tint for p in places], picture.bare(places))
    told = zip(places, far, odd, bare, strict=True)
    return [replace(p, unlike=a, odd=b if p.face_up else c) for p, a, b, c in told]


def _beside(places: Sequence[Place], known: int) -> list[Place]:
    """The same places, each knowing how many tiles lie besides it and how much less than those it stands out."""
    kept = set(map(id, settled(places)))
    sure = [id(p) in kept and p.face_up and p.presence > SURELY for p in places]
    flat, many = relief.flatter([p.lies for p in places], sure), sum(sure)
    told = zip(places, flat, sure, strict=True)
    return [replace(p, flatter=less, others=max(many - one, known)) for p, less, one in told]
