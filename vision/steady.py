"""Many frames of one table -> one trusted Scene: only what changed is read again, and looks at one tile add up.

A frame costs little while nothing changes: every tile's portrait is compared, and one or two tiles are looked at once
more, the least certain first. Where something moves nothing is read; a tile under a hand keeps its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tileset import TileSet
from vision.awaited import MAY, Awaited, found_there
from vision.before import Before
from vision.beneath import veiled
from vision.eyes import Eyes
from vision.following.averaged import Averaged
from vision.following.claims import GROWN, Claims, footprint
from vision.following.evidence import Evidence
from vision.following.glimpses import Glimpses, seen_again
from vision.following.lookout import Lookout
from vision.following.newcomers import Newcomers, part_of, usual_length
from vision.following.portraits import Portraits
from vision.following.recognising import bares, is_gone, is_same, lies_as
from vision.following.renewing import dimly_seen, missed, renewed, with_more
from vision.following.resighting import (
    Shows,
    instead,
    moved,
    pushed,
    resighted,
    seen_clearer,
    shows_all_moved,
    shows_most,
    without_backs,
)
from vision.following.sighting import Sighting, confirmed, levels_of, look_again, sighted
from vision.following.unchanged import Unchanged
from vision.following.upheaval import is_another, lie_over, may_be_pushed, most_changed
from vision.following.vanished import Vanished
from vision.motion import CELL, LINGERING_S, SETTLED, SWEPT, Backdrop, Mask, Polygon, Region, grown, shrink, working
from vision.overlap import exclude
from vision.pieces import (
    Piece,
    Pieces,
    around,
    covers,
    lies_upon,
    perhaps,
    pieces_of,
    stands_upon,
)
from vision.quads import Quad, corners_of
from vision.reader import Reader
from vision.scene import Scene, TetrominoDetection, TileDetection
from vision.straighten import Image
from vision.taught import TaughtSets

LOOKS = 2  # looks that one frame has time for
GONE = 3  # looks in a row that have to show a place empty
LONGEST_S, RECENT = 1.0, 8  # a longer pause is none between two frames; of so many frames the pauses are remembered
WAIT = 0.02  # how much each frame that a tile waited hastens its next look, against a doubt of 1
DRIFTED, FAR = 0.02, 0.1  # of a tile: when most slid so far the camera drifts; so far, and all is read anew
BENEATH = 0.3  # of a tile: so much of it has to be under cardboard for its portrait to tell of that


@dataclass(frozen=True)
class _Now:
    """One frame, and as it is compared: in grey, `by` times smaller; where LEDs shine in it."""

    frame: Image
    grey: Image
    by: int
    lit: Sequence[Polygon] = ()


class Steady:
    """Follows one table through the frames of one camera.

    taught: the sets that lie on it, where somebody taught them.

    >>> steady = Steady()  # doctest: +SKIP
    >>> scene = steady.see(frame, time_s=0.033)  # doctest: +SKIP
    """

    def __init__(self, taught: Sequence[TileSet] = ()) -> None:
        self._eyes = Eyes()
        self._reader, self._newcomers = Reader(eyes=self._eyes), Newcomers(self._eyes)
        self._kinds: frozenset[str] = frozenset()  # that stand on dominoes
        self._upon = True
        self._backs = True
        self.know(taught)

    def reset(self) -> None:
        """Forget the table: the next frame is read as a first one."""
        self._backdrop, self._portraits = Backdrop(), Portraits()
        self._known: list[Sighting] = []
        self._vanished = Vanished()
        self._scene = Scene((0, 0))
        self._examined: Mask = np.zeros((0, 0), np.bool_)
        self._moving: Mask = np.zeros((0, 0), np.bool_)
        self._reaching: Mask = np.zeros((0, 0), np.bool_)
        self._vacated: Mask = np.zeros((0, 0), np.bool_)
        self._number = self._calm = 0
        self._by = 1  # as of _Now
        self._pause_s = 1 / 30  # between frames
        self._reread = self._wanted = self._searching = False
        self._lookout, self._unchanged, self._averaged = Lookout(), Unchanged(), Averaged()
        self._glimpses = Glimpses()
        self._missed: list[Piece] = []  # by the last full read, and not yet looked for

    def expect(self, kinds: Collection[str], *, upon: bool = True) -> None:
        """Know which kinds of pieces, as in GameInfo.pieces, may stand on the table, and whether on its dominoes."""
        self._kinds, self._upon = frozenset(kinds if upon else ()), upon
        self._reader.expect(kinds)
        self._newcomers.expect(kinds)

    def know(self, taught: Sequence[TileSet]) -> None:
        """Know that other sets lie on the table, or none that was taught; it is read anew."""
        self._reader.sets = TaughtSets(taught, one_light=True)
        self.reset()

    def expect_backs(self, expected: bool) -> None:
        """Know whether dominoes may lie face down that were not turned over where they lay."""
        self._backs = expected

    def read_again(self) -> None:
        """Read the whole table anew as soon as nothing moves or lies over it."""
        self._wanted = True

    def look_for(self, must: Sequence[Awaited], may: Callable[[], Sequence[Awaited]] = tuple) -> None:
        """Look for dominoes that must lie there, as soon as nothing moves or waits to be searched.

        may: what may have been laid, asked for once something came to the table that nothing found accounts for.
        """
        self._lookout.look_for(must, may)

    @property
    def misses_some(self) -> bool:
        """Whether there are dominoes that must lie there and that the next frames are to be searched for."""
        return self._lookout.waits

    @property
    def covered(self) -> tuple[int, ...]:
        """Which of the last scene's tiles something lies or moves over: their numbers are from before."""
        return tuple(k for k, s in enumerate(self._known) if s.covered)

    @property
    def searching(self) -> bool:
        """Whether the last frame had time for a part only of what changed: what is known may be half of it."""
        return self._searching or bool(self._missed)

    @property
    def _lingering(self) -> int:
        """After how many frames without motion what reaches in is settled."""
        return max(2 * SETTLED, round(LINGERING_S / self._pause_s))

    @property
    def busy(self) -> bool:
        """Whether something moves or reaches in over what lies there, or beside it; what is large, wherever it is."""
        hands = self._moving | self._reaching
        if not hands.any() or not self._known or self._moving.mean() > SWEPT:
            return bool(hands.any())
        board = [*(s.corners for s in self._known), *map(around, pieces_of(self._scene))]
        beside = usual_length([s.tile for s in self._known]) / 2 / (self._by * CELL)
        return lie_over(hands, board, self._by, round(beside))

    @property
    def moving(self) -> Mask:
        """(rows, cols): where something moved a moment ago, each cell a small square of the frame."""
        return self._moving

    def see(self, frame: Image, time_s: float = 0.0, lit: Sequence[Polygon] = ()) -> Scene:
        """What lies on the table, by this BGR frame and all before it. lit: where LEDs may shine in it, in pixels."""
        now = _Now(frame, working(frame), shrink(frame), lit)
        if self._scene.size_px != (frame.shape[1], frame.shape[0]):
            self.reset()
            self._begin(now, self._reader.read(frame))
        else:
            if 0 < time_s - self._scene.time_s < LONGEST_S:
                self._pause_s += (time_s - self._scene.time_s - self._pause_s) / RECENT
            self._follow(now)
        self._by = now.by
        self._number += 1
        shown = (s.told if s.bare else veiled(s.told, self._scene, self._kinds) for s in self._known)
        self._scene = replace(self._scene, tiles=tuple(shown), time_s=time_s)
        return self._scene

    def _begin(self, now: _Now, scene: Scene) -> None:
        """Take a full read for the table, all of it, and what is known from before."""
        self._backdrop = Backdrop()
        self._begin_again(now, scene)

    def _begin_again(self, now: _Now, scene: Scene) -> None:
        """The same, but what lies beneath arms that rest stays remembered."""
        scene = replace(scene, tiles=tuple(self._possible(scene.tiles)))
        push = pushed([s.tile for s in self._known], scene.tiles)
        scene = self._with_missed(now, scene, push)
        self._backdrop.begin_again()
        self._examined = ~self._backdrop.see(now.frame, now.lit).changed
        self._moving, self._reaching, self._vacated = (np.zeros_like(self._examined) for _ in range(3))
        self._lookout.forget(self._examined.shape)
        known, before = self._resighted(now, scene, push), self._known
        self._unchanged.read((footprint(s.corners, now.by, self._examined.shape) for s in known), self._examined.shape)
        self._scene, self._known, self._portraits = scene, [], Portraits()
        self._admit(now, known)
        self._lose(before)
        self._admit(now, self._vanished.come_back(scene, self._known))

    def _possible(self, tiles: Sequence[TileDetection]) -> list[TileDetection]:
        """The tiles that may lie there."""
        return list(tiles) if self._backs else without_backs(tiles, self._known)

    def _resighted(self, now: _Now, scene: Scene, push: NDArray[np.float64]) -> list[Sighting]:
        """What a full read found, with all that is known of it; nothing is lost that a closer look still sees."""
        found, missing = resighted(self._known, [self._sighted(now, tile, scene) for tile in scene.tiles], push)
        upon = [stands_upon(scene, old.corners, self._kinds) for old in missing]
        hidden = [old for old, stands in zip(missing, upon, strict=True) if stands]
        open_ = [old for old, stands in zip(missing, upon, strict=True) if not stands]
        again = self._seen_again(now, open_)
        lost = [old for old, one in zip(open_, again, strict=True) if one is None]
        places = [Awaited(old.corners, (old.tile.pips,) if old.tile.face_up else ()) for old in lost]
        kept = instead(found, [*hidden, *filter(None, again)])
        return [*kept, *self._found_there(now, [*places, *self._lookout.must], kept)]

    def _seen_again(self, now: _Now, sightings: Sequence[Sighting]) -> list[Sighting | None]:
        """Each tile as a closer look where it lay still sees it; None where it is gone or another lies there."""
        told = look_again(levels_of(now.frame), sightings, self._eyes.pips, self._reader.sets) if sightings else []
        return [
            None if is_gone(one, old) else confirmed(old, one, self._number)
            for old, one in zip(sightings, told, strict=True)
        ]

    def _sighted(self, now: _Now, tile: TileDetection, scene: Scene, changing: Mask | None = None) -> Sighting:
        """A tile found anew: whether a piece that the scene shows hides a part of it, and whether anything came there.

        changing: where the table looks otherwise just now.
        """
        corners = corners_of(tile)
        appeared = self._unchanged.there(footprint(corners, now.by, self._examined.shape), changing)
        return replace(
            sighted(tile, self._number), bare=not stands_upon(scene, corners, self._kinds), appeared=appeared
        )

    def _with_missed(self, now: _Now, scene: Scene, push: NDArray[np.float64]) -> Scene:
        """A full read and each piece that it missed, to be looked for where it stood: one a frame, from the next on.

        Those upon a tile that the read missed, too, are looked for at once, unless it saw them faintly: without them
        the tile is gone. push: how far the table was pushed.
        """
        lost = missed(self._scene, scene, push)
        scene, seen = with_more(scene, lost), [corners_of(tile) for tile in scene.tiles]
        faces = [moved(old, push).corners for old in self._known]
        unseen = [face for face in faces if not any(exclude(face, other) for other in seen)]
        self._missed = list[Piece]()
        for piece in pieces_of(lost):
            if any(lies_upon(piece, face) for face in unseen) and not dimly_seen(piece, scene.faint):
                scene = self._with_sought(now, scene, piece)
            else:
                self._missed.append(piece)
        return scene

    def _with_sought(self, now: _Now, scene: Scene, piece: Piece) -> Scene:
        """The scene after a closer look where a piece stood: a faint one is enough."""
        (left, top), (right, low) = around(piece)[[0, 2]]
        box = int(left), int(top), int(right), int(low)
        return renewed(scene, box, self._pieces_in(now, box, scene.tiles))

    def _pieces_in(self, now: _Now, box: tuple[int, int, int, int], tiles: Sequence[TileDetection]) -> Pieces:
        """The pieces in a part of the frame, x0, y0, x1, y1, on which these tiles lie, where nothing changes."""
        beneath = [s.tile for k, s in enumerate(self._known) if self._beneath(k)]
        before = Before(beneath, self._cardboard, self._portraits.lightest())
        return self._newcomers.find(now.frame, box, tiles, usual_length(tiles), self._reader.sets, before).pieces

    def _admit(self, now: _Now, tiles: Iterable[Sighting]) -> None:
        hidden = self._hidden(now)
        for tile in tiles:
            self._known.append(tile)
            self._portraits.add(now.grey, _shrunk(self._known[-1].corners, now.by), hidden)

    def _follow(self, now: _Now) -> None:
        """Keep up with a table that is known, by one frame more."""
        self._searching = False
        claims = self._claims(now)
        if not self._upset(now, claims) and not self._read_once_more(now, claims):
            self._read_changes(now, claims)

    def _claims(self, now: _Now) -> Claims:
        """What changed and what moves in a frame, against the tiles and pieces known."""
        unlike = self._portraits.unlike(now.grey)
        self._drift(now, unlike)
        feet = [footprint(s.corners, now.by, self._examined.shape) for s in self._known]
        hidden = np.any([np.zeros_like(self._examined), *(feet[k] for k in np.flatnonzero(unlike))], axis=0)
        movement = self._backdrop.see(now.frame, now.lit, hidden)
        self._wanted |= movement.cleared  # what was found meanwhile may have been fingers
        self._moving = movement.moving
        self._examined &= ~self._moving
        self._vacated &= ~self._moving
        self._lookout.moves(self._moving)
        self._reread &= not self._moving.any()
        standing = self._stands(now, pieces_of(self._scene))
        claims = Claims(movement, unlike, feet, self._examined, self._vacated, self._lingering, standing)
        self._reaching = claims.reaching
        self._calm = 0 if self._moving.any() else self._calm + 1
        return claims

    def _upset(self, now: _Now, claims: Claims) -> bool:
        """Read the whole table where so much changed that it may be another, or was pushed: whether it was read."""
        if not self._reread and most_changed(claims, self._known, self._number - self._calm):
            self._reread = True
            self._read_anew(now, claims, shows_most)
        elif is_another(claims, self._known, self._calm):
            self._known = []
            self._begin(now, self._reader.read(now.frame))
        elif not self._reread and may_be_pushed(claims, self._calm):
            changed = [s.tile for s, unlike in zip(self._known, claims.unlike, strict=True) if unlike]
            self._read_anew(now, claims, partial(shows_all_moved, changed))  # or an arm rests on it
        else:
            return False
        return True

    def _read_once_more(self, now: _Now, claims: Claims) -> bool:
        """Read the whole table where the mean of many frames is clear, or somebody wants it: whether it was read."""
        self._averaged.see(now.frame, self._moving)
        if self._averaged.due and not self.covered and not self.busy:
            self._read_mean(now, claims, self._reader.read(self._averaged.taken(now.frame), self._before(claims)))
        elif self._wanted and not self._moving.any() and not self.covered and not self.busy:
            self._wanted = False
            scene = self._reader.read(now.frame, self._before(claims))
            self._keep_bare(now, claims, scene)
            self._begin_again(now, scene)
        else:
            return False
        return True

    def _read_changes(self, now: _Now, claims: Claims) -> None:
        """Take what is settled for the table, then search one part that changed, or look at single tiles once more."""
        for done in claims.searched():
            self._lookout.came(claims.strange(done, claims.standing))
        for done in claims.finished():
            self._backdrop.accept(done.cells, rests=done.enters)
            self._unchanged.changed(done.cells)
            self._vacated &= ~done.cells
        self._known = [replace(s, covered=claims.covered(k)) for k, s in enumerate(self._known)]
        region = claims.unsearched()
        if region is not None:
            self._searching = True
            self._search(now, claims, region)
        elif self._moving.any() or not self._looked_for(now, claims):
            self._look(now, claims)

    def _drift(self, now: _Now, unlike: NDArray[np.bool_]) -> None:
        """Where most tiles slid, the camera drifts: what is known follows, and in the end all is read anew."""
        slid, length = self._portraits.slid(now.grey, unlike), usual_length([s.tile for s in self._known]) / now.by
        seen = np.where(unlike, 0, np.linalg.norm(slid, axis=1))
        if not length or np.median(seen) <= DRIFTED * length:
            return
        steps = zip(self._known, now.by * slid, strict=True)
        self._known = [replace(moved(old, step), empty=old.empty) for old, step in steps]
        self._portraits.shift(slid)
        self._averaged.drifts()
        self._wanted |= self._portraits.strayed() > FAR * length

    def _looked_for(self, now: _Now, claims: Claims) -> bool:
        """Look for what is to be looked for while nothing moves: whether there was anything."""
        open_ = (one for one in self._missed if not (claims.movement.changed & self._stands(now, [one])[0]).any())
        if piece := next(open_, None):
            self._missed = [one for one in self._missed if one is not piece]
            self._scene = self._with_sought(now, self._scene, piece)
        elif due := self._lookout.due(now.by):
            self._admit(now, self._found_there(now, due, self._known))
            self._lookout.lie(s.corners for s in self._known)
        elif glimpse := self._glimpses.due(self._scene):
            tiles = [s.tile for s in self._known]
            box = glimpse.box(usual_length(tiles))
            self._scene = seen_again(self._scene, glimpse, self._pieces_in(now, box, tiles))
        else:
            return False
        return True

    def _read_mean(self, now: _Now, claims: Claims, scene: Scene) -> None:
        """Take in what the mean of many frames shows: more than each of them did, and nothing against what they did."""
        self._known, tiles = seen_clearer(self._known, scene.tiles)
        self._unchanged.forget()
        self._keep_bare(now, claims, scene)
        self._begin_again(now, replace(scene, tiles=tuple(tiles)))

    def _read_anew(self, now: _Now, claims: Claims, shows: Shows) -> None:
        """Read the whole frame; where it does not show the tiles that are known, something lies over them."""
        scene = self._reader.read(now.frame, self._before(claims))
        if shows([s.tile for s in self._known], self._possible(scene.tiles)):
            self._unchanged.forget()
            self._keep_bare(now, claims, scene)
            self._begin_again(now, scene)
            self._reread = True

    def _keep_bare(self, now: _Now, claims: Claims, scene: Scene) -> None:
        """Remember how the table looked beneath arms that reach in now, before a full read is taken for it."""
        bare = np.zeros_like(self._examined)
        lie = [footprint(corners_of(tile), now.by, bare.shape) for tile in scene.tiles]
        # what was pushed about is no arm, though it hangs together with one
        pushed_about = grown(np.any([bare, *lie, *claims.feet], axis=0), GROWN)
        for arm in (region for region in claims.regions if region.enters):
            self._backdrop.accept(arm.cells & ~pushed_about, rests=True)

    def _search(self, now: _Now, claims: Claims, region: Region) -> None:
        """Read as much of a changed region anew as one frame has time for; what is found takes the old things' place.

        Where more changed than tiles account for, a hand may rest: tiles known there are believed to lie under it.
        """
        length = usual_length([s.tile for s in self._known])
        x, y, w, h = part_of(region.cells & ~self._examined, length, now.by)
        side = now.by * CELL
        unlifted = [s.tile for s, gone in zip(self._known, claims.unlike, strict=True) if not gone]
        box = (x * side, y * side, (x + w) * side, (y + h) * side)
        before = self._before(claims)
        lifted = [s.tile for s, gone in zip(self._known, claims.unlike, strict=True) if gone]
        stirred = self._stirred(claims, region)
        new = self._newcomers.find(now.frame, box, unlifted, length, self._reader.sets, before, lifted, stirred)
        found = self._possible(new.tiles)
        old = [k for k, gone in enumerate(claims.unlike) if gone]
        feet = [footprint(corners_of(t), now.by, region.cells.shape) for t in found]
        foreign = claims.foreign(region, feet)
        pieces = (*pieces_of(self._scene), *perhaps(new.pieces))
        standing = self._stands(now, pieces)
        if foreign:
            self._recognise(now, old, found)
            found = [t for t in found if not any(self._overlap(t, k) and not bares(t, self._known[k]) for k in old)]
        hidden = claims.foreign(region, [*feet, *standing])  # then a hand may hide a die that lies there still
        stays = partial(self._lies_still, unlike=claims.unlike)
        self._scene = renewed(self._scene, box, new.pieces, new.tiles if hidden else None, stays)
        self._examined[y : y + h, x : x + w] = True
        searched = [
            k for k in old if (self._examined | ~claims.feet[k]).all() and (region.cells & claims.feet[k]).any()
        ]
        went = [k for k in old if any(is_same(t, self._known[k].tile) for t in found)]  # it lies elsewhere now
        gone = [k for k in old if k in went or (k in searched and not foreign and not claims.covered(k))]
        self._exchange(now, old, gone, found, claims.movement.changed)

    def _stirred(self, claims: Claims, region: Region) -> list[TileDetection]:
        """The tiles on which something changed and no die was, and one may be now: in a game with dice."""
        if "die" not in self._kinds:
            return []
        touched = [s for s, foot in zip(self._known, claims.feet, strict=True) if (region.cells & foot).any()]
        return [s.tile for s in touched if not stands_upon(self._scene, s.corners, self._kinds)]

    def _recognise(self, now: _Now, old: Sequence[int], found: Sequence[TileDetection]) -> None:
        """Tiles that surely lie there as they lay merely look otherwise: a piece went on from there, or light came."""
        for k in old:
            if any(lies_as(t, self._known[k]) and is_same(t, self._known[k].tile) for t in found):
                self._portraits.retake(k, now.grey, _shrunk(self._known[k].corners, now.by), self._hidden(now))

    def _lies_still(self, piece: Piece, unlike: NDArray[np.bool_]) -> bool:
        """Whether the tiles beneath cardboard look as they do with it: then it lies there, though it was not seen."""
        if not isinstance(piece, TetrominoDetection):
            return False
        upon = [k for k, s in enumerate(self._known) if lies_upon(piece, s.corners)]
        told = [k for k in upon if self._portraits.hidden(k) > BENEATH]
        return bool(told) and not unlike[told].any()

    def _before(self, claims: Claims) -> Before:
        """What is known of the table before it is read: which tiles show as they did, and the cardboard upon others."""
        hidden, bare = list[TileDetection](), list[TileDetection]()
        for k, one in enumerate(self._known):
            if claims.unlike[k] or self._beneath(k):
                hidden.append(one.tile)
            elif one.bare and one.tile.face_up and not one.tile.doubtful and claims.untouched(k):
                bare.append(one.tile)
        return Before([*hidden, *self._vanished.tiles], self._cardboard, self._portraits.lightest(), bare)

    @property
    def _cardboard(self) -> list[TetrominoDetection]:
        """The tetrominoes that lie or may lie on the table."""
        return [one for one in perhaps(self._scene) if isinstance(one, TetrominoDetection)]

    def _lose(self, tiles: Iterable[Sighting]) -> None:
        """Remember tiles that are gone, where cardboard may turn out to lie upon them."""
        if "tetromino" in self._kinds:
            self._vanished.add(tiles)

    def _exchange(
        self, now: _Now, old: Sequence[int], gone: Sequence[int], found: Sequence[TileDetection], changing: Mask
    ) -> None:
        """Take what was found for the old tiles whose place it takes, and forget those gone.

        None is gone that a piece hides, or that a closer look still sees.
        """
        hidden = self._hidden(now)
        beneath = [k for k in old if self._beneath(k) and not self._portraits.beside(k, now.grey, hidden)]
        found = [t for t in found if not any(lies_as(t, self._known[k]) for k in beneath)]
        replaced = [k for k in old if any(self._overlap(t, k) for t in found)]
        kept = [k for k in beneath if k not in replaced]
        unfound = [k for k in gone if k not in (*kept, *replaced)]
        for k, there in zip(unfound, self._seen_again(now, [self._known[k] for k in unfound]), strict=True):
            if there:
                self._known[k] = there
                kept.append(k)
        for k in kept:  # a piece was set upon it, or the light is another: so the tile looks from now on
            self._portraits.retake(k, now.grey, _shrunk(self._known[k].corners, now.by), hidden)
        self._forget(now, [*replaced, *(k for k in gone if k not in kept)])
        self._admit(now, [self._sighted(now, tile, self._scene, changing) for tile in found])
        self._admit(now, self._vanished.come_back(self._scene, self._known))

    def _stands(self, now: _Now, pieces: Iterable[Piece]) -> list[Mask]:
        """The cells on which pieces stand."""
        return [footprint(around(piece), now.by, self._examined.shape) for piece in pieces]

    def _hidden(self, now: _Now) -> Mask:
        """Where pieces stand in a frame as it is compared, with their sides and their shadows."""
        mask = np.zeros(now.grey.shape, np.uint8)
        faces = () if self._upon else tuple(s.corners for s in self._known)  # what seems to stand there is none
        pieces = (one for one in perhaps(self._scene) if not any(lies_upon(one, face) for face in faces))
        for square in (square for piece in pieces for square in covers(piece)):
            cv2.fillConvexPoly(mask, np.round(_shrunk(square, now.by)).astype(np.int32), 1)
        return np.asarray(mask > 0, np.bool_)

    def _found_there(self, now: _Now, awaited: Sequence[Awaited], known: Sequence[Sighting]) -> list[Sighting]:
        """Those of the awaited dominoes that are seen where no other lies."""
        told = list[Sighting]()
        for tile in found_there(now.frame, awaited, self._eyes.pips, self._reader.sets):
            if not any(exclude(corners_of(tile), other.corners) for other in (*known, *told)):
                told.append(replace(self._sighted(now, tile, self._scene), appeared=False))
        return told

    def _beneath(self, k: int) -> bool:
        """Whether a piece stands on tile k: then its numbers are from before."""
        return stands_upon(self._scene, self._known[k].corners, self._kinds)

    def _overlap(self, tile: TileDetection, k: int) -> bool:
        return exclude(corners_of(tile), self._known[k].corners)

    def _forget(self, now: _Now, gone: Sequence[int]) -> None:
        for k in gone:
            self._vacated |= grown(footprint(self._known[k].corners, now.by, self._vacated.shape), GROWN)
        self._lose(self._known[k] for k in gone)
        keep = [k for k in range(len(self._known)) if k not in gone]
        self._known = [self._known[k] for k in keep]
        self._portraits.keep(keep)

    def _look(self, now: _Now, claims: Claims) -> None:
        """Look once more at the tiles that changed, then at those least certain.

        Hands that move need the time for themselves: meanwhile only what changed or is doubtful is looked at.
        """
        calm = not self._moving.any()
        wanted = (k for k, s in enumerate(self._known) if calm or claims.unlike[k] or s.tile.doubtful)
        open_ = (k for k in wanted if not self._known[k].covered and not claims.changing(k))
        due = sorted((k for k in open_ if not self._beneath(k)), key=self._order)
        chosen = [*(k for k in due if claims.unlike[k]), *(k for k in due if not claims.unlike[k])][:LOOKS]
        clear = None if claims.unlike[chosen].any() else self._averaged.clear
        levels = levels_of(now.frame if clear is None else clear)
        told = look_again(levels, [self._known[k] for k in chosen], self._eyes.pips, self._reader.sets)
        for k, one in zip(chosen, told, strict=True):
            if not claims.unlike[k]:
                self._known[k] = confirmed(self._known[k], one, self._number)
            elif is_gone(one, self._known[k], untouched=claims.untouched(k)):
                self._known[k] = replace(self._known[k], empty=self._known[k].empty + 1)
            else:
                self._known[k] = confirmed(replace(self._known[k], evidence=Evidence.none()), one, self._number)
                self._portraits.retake(k, now.grey, _shrunk(self._known[k].corners, now.by), self._hidden(now))
        gone = [k for k, s in enumerate(self._known) if s.empty >= GONE]
        for k in gone:
            self._examined &= ~claims.feet[k]
        unseen = [self._known[k].tile for k in gone if not (claims.movement.changed & claims.feet[k]).any()]
        self._lookout.lost(Awaited(corners_of(t), (t.pips,), MAY) for t in unseen if t.face_up and not t.doubtful)
        self._forget(now, gone)

    def _order(self, k: int) -> float:
        """Tiles of smaller order come first."""
        known = self._known[k]
        return -(1 - known.tile.confidence) - WAIT * (self._number - known.seen)


def _shrunk(corners: Quad, by: int) -> Quad:
    return (corners + 0.5) / by - 0.5
