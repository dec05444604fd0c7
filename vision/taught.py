"""Tiles read by somebody who knows the sets: each half is held beside the taught pictures of all its numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.likeness import (
    ANY_LIGHT,
    FREEDOM,
    SOFT,
    SQUARE,
    Comparison,
    compare,
    contrast,
    light_of,
    log_likelihoods,
    unexplained,
)
from calibration.tileset import Color, TileSet
from rules.domino import Domino, DominoSet
from vision.assignment import assign
from vision.blanks import lone_backs
from vision.odds import chance_of
from vision.pips import NUMBERS, Look
from vision.place import Place
from vision.places import LIKELY
from vision.reading import FLOOR, fused, read_halves
from vision.scene import Scene, TileDetection
from vision.settling import settled, weighed
from vision.straighten import HALF, MARGIN_X, MARGIN_Y, Image, pyramid, straighten
from vision.tiles import PRESENT, detection, in_order, tiles_at
from vision.tints import SHADE, Tint, tint

Floats = NDArray[np.float64]
Squares = tuple[Image, Image]

NET_WEIGHT = 1.0  # how far the networks are believed beside the taught pictures: see training.calibrate_taught
UNSEEN = 0.5  # what a number of the set that was never seen is taken to leave unexplained
LEAST = 1e-4  # the chance left to any number
SURE, BADLY, OPEN = 0.9, 0.2, 0.45  # where the networks are so sure of another number, and what was taught leaves so
# much of a half unexplained, it is as open as this which of them is right: it may be a tile of another set
ABSENT = -20.0  # log odds of a number that the set does not have
TELLING, PATTERN, MOST = 5.0, 0.3, 5.0  # so much has to be explained to show a tile, what more of it counts, at most
FRONT = 12.0  # explains so much that it is no back
MANY = 4  # tiles tell the light they lie in
FAINT = 0.01  # places less likely than this are not held beside what was taught
BLANK = (
    0.6  # the chance that what shows nothing and has the colour of faces is the double blank, where it shows nothing
)
SHADED = 0.4  # how far the colour of one face may lie from that of the others on its table
HUE = 0.3  # how far the colour of one set's faces may lie from what was taught

_SIDE = HALF + 2 * MARGIN_Y  # of the square about a half


@dataclass(frozen=True)
class Beside:
    """A place held beside one set.

    numbers: (2, 13) log odds of each half's number. explained: how much of the pattern the set explains. left: (2,) how
    much of each half it does not, in parts of the usual contrast.
    """

    numbers: Floats
    explained: float
    left: Floats


def squares(patch: Image) -> Squares:
    """The head and the tail of a straightened tile, (30, 30, 3) each, the outer end at the left."""
    return _square(patch, MARGIN_X - MARGIN_Y), _square(np.ascontiguousarray(patch[::-1, ::-1]), MARGIN_X - MARGIN_Y)


def seam(patch: Image) -> Image:
    """The middle of a straightened tile, (30, 30, 3), its head at the left."""
    return _square(patch, MARGIN_X + HALF - _SIDE // 2)


def _square(patch: Image, left: int) -> Image:
    part = patch[:, left : left + _SIDE]
    return np.asarray(cv2.resize(part, (SQUARE, SQUARE), interpolation=cv2.INTER_AREA), np.uint8)


class TaughtSets:
    """The taught sets that lie on one table, and the light they lie in: many tiles tell it, and a few are read by it.

    one_light: whether all pictures are of one table, and many tiles of one tell the light for few tiles of the next.

    >>> TaughtSets([stars]).tiles(frame, places)  # doctest: +SKIP
    """

    def __init__(self, sets: Sequence[TileSet] = (), *, one_light: bool = False) -> None:
        self._sets, self._one_light = {one.name: one for one in sets}, one_light
        self._light: dict[str, float] = {}
        self._faces: dict[str, Tint] = {}

    def __bool__(self) -> bool:
        return bool(self._sets)

    def tiles(self, frame: Image, places: Sequence[Place]) -> tuple[TileDetection, ...]:
        """The dominoes in a BGR frame, in reading order, each of the set whose looks it fits best.

        places: a closer look at all that may be one; what was taught helps to say which of rivals for a spot it is.
        """
        if not self:
            return tiles_at(lone_backs(weighed(places)))
        worth = [place for place in places if place.presence > FAINT]
        if not worth:
            return ()
        self._come_to_a_picture()
        levels = pyramid(frame)
        cut = [squares(straighten(levels, place.quad)) for place in worth]
        of = _belonging(worth, cut, tuple(self._sets.values()))
        known = dict[int, tuple[Beside, TileSet]]()
        raised = []
        for number, one in enumerate(self._sets.values()):
            own = [k for k in range(len(worth)) if of[k] == number]
            sure = [k for k in own if worth[k].presence > LIKELY]
            self._tell_light([cut[k] for k in sure], [worth[k].tint for k in sure if worth[k].face_up], one)
            for k, beside in zip(own, self._beside([cut[k] for k in own], one), strict=True):
                raised.append(replace(worth[k], taught=_bonus(beside)))
                known[id(raised[-1])] = beside, one
        lies = [place for place in settled(raised) if place.presence > PRESENT]
        return in_order(self._told(place, *known[id(place)]) for place in lies)

    def seen(self, patches: Sequence[Image], looks: Sequence[Look], of_sets: Sequence[str]) -> list[Look]:
        """Looks at straightened tiles as somebody sees them who knows which set each belongs to; "" for none."""
        seen = list(looks)
        for one in self._sets.values():
            own = [k for k, name in enumerate(of_sets) if name == one.name]
            cut, colors = [squares(patches[k]) for k in own], [tint(patches[k]) for k in own]
            up = [color for k, color in zip(own, colors, strict=True) if looks[k].up >= looks[k].down]
            self._tell_light(cut, up, one)
            for k, beside, color in zip(own, self._beside(cut, one), colors, strict=True):
                seen[k] = self._known(looks[k], beside, color, one)
        return seen

    def known(self, levels: Sequence[Image], place: Place) -> tuple[Place, str]:
        """A place as seen by who knows the set that it fits best, and that one's name; "" where none was taught.

        levels: the picture and its halvings.
        """
        if not self:
            return place, ""
        patch = straighten(levels, place.quad)
        colored, sets = replace(place, tint=tint(patch)), tuple(self._sets.values())
        name = sets[_belonging([colored], [squares(patch)], sets)[0]].name
        (look,) = self.seen([patch], [place.look], [name])
        return replace(colored, look=look), name

    def _come_to_a_picture(self) -> None:
        """Forget the light of the picture before, unless all are of one table."""
        if not self._one_light:
            self._light.clear()
            self._faces.clear()

    def _tell_light(self, sure: Sequence[Squares], faces: Sequence[Tint], one: TileSet) -> None:
        """Many tiles of a set tell the light that they lie in, and its faces' colour in that light."""
        if len(sure) >= MANY:
            self._light[one.name] = light_on(sure, one)
        if len(faces) >= MANY:
            self._faces[one.name] = np.asarray(np.median(faces, axis=0), np.float64)

    def _beside(self, cut: Sequence[Squares], one: TileSet) -> list[Beside]:
        """Some places beside their set, in the light that was told by the last tiles that were many."""
        return held_beside(cut, one, self._light.get(one.name))

    def _told(self, place: Place, beside: Beside, one: TileSet) -> TileDetection:
        """The tile at a place."""
        known = replace(place, look=self._known(place.look, beside, place.tint, one))
        reading = read_halves(known.look, place.length_px, place.presence)
        return replace(detection(known, reading), of_set=one.name)

    def _known(self, look: Look, beside: Beside, color: Tint, one: TileSet) -> Look:
        """The look of somebody who knows the set: its pattern shows a tile, and that it lies face up."""
        up, down = look.up, look.down
        if beside.explained > FRONT and down > up:
            up, down = down, up
        elif down > up and _bare(one) and self._is_face(color, one):
            up, down = BLANK * (up + down), (1 - BLANK) * (up + down)
        tile = _raised(up + down, _bonus(beside))
        share = tile / max(up + down, 1e-6)
        return replace(look, up=up * share, down=down * share, nothing=1 - tile, known=_chances(look, beside))

    def _is_face(self, color: Tint, one: TileSet) -> bool:
        """Whether what shows nothing has the colour of the set's faces on this table, rather than that of its backs."""
        face = _tint_of(one.face)
        now = self._faces.get(one.name, face)
        far = float(np.linalg.norm(color - now))
        return far < SHADED and (
            one.back is None or far < float(np.linalg.norm(color - now - (_tint_of(one.back) - face)))
        )


def light_on(cut: Sequence[Squares], one: TileSet) -> float:
    """The contrast of tiles of one set and one picture against that of the teaching."""
    return light_of(_compared(cut, one), contrast(one.exemplars))


def _compared(cut: Sequence[Squares], one: TileSet) -> Comparison:
    return compare([square for pair in cut for square in pair], one.exemplars)


def held_beside(cut: Sequence[Squares], one: TileSet, light: float | None = None) -> list[Beside]:
    """Tiles of one set and one picture, each as its two squares, beside what was taught.

    light: their contrast against that of the teaching; None where these tiles have to tell it themselves.
    """
    if not cut:
        return []
    usual, beside = contrast(one.exemplars), _compared(cut, one)
    light = light_of(beside, usual) if light is None else light
    left = unexplained(beside, usual, light)
    odds = np.full((len(left), NUMBERS), ABSENT)
    odds[:, : one.highest + 1] = -FREEDOM * np.log(UNSEEN + SOFT)
    odds[:, list(one.known)] = log_likelihoods(left)
    bare = beside.of_half.min(axis=1) / (usual * light**2)
    explained = log_likelihoods(left).max(axis=1) - log_likelihoods(np.asarray(bare, np.float32))
    least = left.min(axis=1)
    pairs = [slice(k, k + 2) for k in range(0, len(left), 2)]
    return [Beside(odds[both], float(explained[both].sum()), least[both]) for both in pairs]


def _bare(one: TileSet) -> bool:
    """Whether the set's double blank shows nothing at all, and may so be taken for a back."""
    return not (one.seam.bar_width or one.seam.spinner)


def _chances(look: Look, beside: Beside) -> NDArray[np.float32]:
    """(2, 13): the chance of each number, by the networks and by the taught pictures; open where they contradict."""
    networks = fused(look)
    logs = NET_WEIGHT * np.log(networks + FLOOR) + beside.numbers
    power = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances = power / power.sum(axis=1, keepdims=True) + LEAST
    other = (networks.argmax(axis=1) != chances.argmax(axis=1)) & (networks.max(axis=1) > SURE)
    disputed = other & (beside.left > BADLY)
    chances[disputed] = OPEN * networks[disputed] + (1 - OPEN) * chances[disputed]
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)


def _bonus(beside: Beside) -> float:
    """What a taught pattern counts for there being a tile at all."""
    return min(MOST, PATTERN * max(0.0, beside.explained - TELLING))


def _raised(chance: float, by: float) -> float:
    odds = np.log(max(chance, 1e-6) / max(1 - chance, 1e-6)) + by
    return chance_of(odds)


def _belonging(places: Sequence[Place], cut: Sequence[Squares], sets: Sequence[TileSet]) -> list[int]:
    """Which of the sets each place belongs to, by its pattern in whatever light and by its colour."""
    if len(sets) < 2:
        return [0] * len(places)
    flat = [square for pair in cut for square in pair]
    fits = np.stack([_fit(compare(flat, one.exemplars)) + _color_fit(places, one) for one in sets])
    return [int(k) for k in fits.argmax(axis=0)]


def _fit(beside: Comparison) -> Floats:
    left, _, _ = beside.residual(ANY_LIGHT)
    part = left.min(axis=1) / np.maximum(beside.of_half.min(axis=1), 1.0)
    return np.asarray(log_likelihoods(part).reshape(-1, 2).sum(axis=1), np.float64)


def _color_fit(places: Sequence[Place], one: TileSet) -> Floats:
    face = _tint_of(one.face)
    far = np.array([np.linalg.norm(place.tint - face) for place in places])
    return np.asarray(-FREEDOM * (far / HUE) ** 2 / 2)


def _tint_of(color: Color) -> Tint:
    """A colour, (red, green, blue), as the tint of a place."""
    r, g, b = np.log(np.array(color, np.float64) + 8.0)
    return np.array([b - g, r - g, SHADE * g])


def each_once(
    scene: Scene,
    sets: Sequence[TileSet],
    dominoes: Collection[Domino] | None = None,
    *,
    face_down: bool | None = None,
) -> Scene:
    """The scene read once more with each domino of each set there once, or as often as the set has it.

    dominoes: those of a set that a game promises, once each; None where all of them may lie there.
    face_down: whether some may lie face down, None where nobody knows.
    """
    tiles = list(scene.tiles)
    for one in sets:
        own = [k for k, tile in enumerate(tiles) if tile.of_set == one.name]
        there = [d for d in DominoSet(one.highest) if str(d) not in one.missing]
        twice = [d for d in there if str(d) in one.twice]
        supply = [*there, *twice] if dominoes is None else [d for d in there if d in dominoes]
        told = assign(replace(scene, tiles=tuple(tiles[k] for k in own)), supply, face_down=face_down)
        for k, tile in zip(own, told.tiles, strict=True):
            tiles[k] = tile
    return replace(scene, tiles=tuple(tiles))
