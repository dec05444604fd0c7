"""Dice on the table, by the number of their top faces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from vision.networks import network
from vision.odds import chance_of, log_odds
from vision.peaks import Spot, apart, distinct
from vision.scene import DieDetection, Faint, TileDetection
from vision.straighten import Image, onto, pyramid
from vision.tints import Tint, of_pixels

Floats = NDArray[np.float32]

PATCH, MARGIN = 64, 14  # pixels of a straightened die's picture, and how much of them is its surroundings on each side
FRAME = np.array(
    [[MARGIN, MARGIN], [MARGIN, PATCH - MARGIN], [PATCH - MARGIN, PATCH - MARGIN], [PATCH - MARGIN, MARGIN]], np.float32
) - 0.5  # fmt: skip
# How the two networks and the sizes of the dice together tell a die from none (see training.calibrate_dice).
PEAK_WEIGHT, FIRST_WEIGHT, BEST_WEIGHT, UNLIKE_WEIGHT, HALF_WEIGHT, OFFSET = 0.89, 0.48, 0.23, -5.47, -1.51, -0.59
WEIGHTS = (PEAK_WEIGHT, FIRST_WEIGHT, BEST_WEIGHT, UNLIKE_WEIGHT, HALF_WEIGHT, OFFSET)
UNKNOWN, FURTHEST = 0.2, 0.6  # how unlike a die counts that is alone, and the most that counts: twice the size
LIKELY = 0.3  # dice likelier than this tell how large dice are here
HOPEFUL = 0.1  # spots that could be likelier than this are moved about; a game believes less where it misses a die
SMALLEST = 0.3  # of half a tile: 7 mm beside usual dominoes
SAME_DIE = 0.6  # edges: two dice cannot lie closer than this
LEAST = 0.001  # places with a smaller chance of being a die are not reported
SURE = 0.8  # numbers below this chance are doubtful
SAME_HUE = 0.3  # as vision.tints tells colours: two halves of one tile differ by less, under coloured lights too
TURNS = 4  # a die shows the same number from each side
MOST = 60  # spots that are looked at; more is texture taken for dice
OPEN, MOST_OPEN, ROUNDS = 0.03, 12, 2  # spots likelier than this to be no die are moved about, so many, so often
NO_DOUBT = np.array([0.001, *(0.999 / 6,) * 6], np.float32)  # the chances of a spot that looks like a die at last
MISPLACED = 0.5  # a spot less likely than this to be a die lies where it was moved to; of others only the look counts
SHIFT, GROWN, TURNED_DEG = 0.12, (0.88, 1.14), (-9.0, 9.0)  # in edges, in parts of the edge: how a spot is moved about


class DieReader:
    """Looks at single dice; one instance holds one loaded network."""

    def __init__(self) -> None:
        self._net = network("dice.onnx")

    def look(self, patches: Sequence[Image], turns: int = 1) -> Floats:
        """(n, 7): the chances of no die, and of 1 to 6, for each picture made by `straightened`.

        turns: from so many sides, up to four, each is looked at; the more the better, and the slower.
        """
        if not patches:
            return np.zeros((0, 7), np.float32)
        pictures = np.stack([standardise(p) for p in patches])
        seen = [self._net(np.ascontiguousarray(np.rot90(pictures, k, (2, 3))), "number")[0] for k in range(turns)]
        return np.asarray(softmax(np.mean([log_softmax(one, axis=1) for one in seen], axis=0), axis=1), np.float32)


def straightened(levels: Sequence[Image], corners_px: Floats) -> Image:
    """The die whose top face has these corners, (64, 64, 3), with its surroundings."""
    return onto(levels, corners_px, FRAME, (PATCH, PATCH))


def standardise(patch: Image) -> Floats:
    """Even out light and contrast: (3, 64, 64), mean 0, deviation about 1."""
    values = patch.astype(np.float32)
    inner = values[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return np.asarray(((values - inner.mean()) / (inner.std() + 6.0)).transpose(2, 0, 1), np.float32)


@dataclass(frozen=True)
class Top:
    """A spot that may be a die's top face, after the closer look.

    chances: (7,) of no die and of 1 to 6, seen from where they are best. first: the chance of a die where the detector
    saw the spot. unlike: how far its size is from the likely die nearest to it in size.
    on_half: whether a half of a tile reads well there, and has its tile's colour: it may be nothing but that half.
    """

    spot: Spot
    chances: Floats
    first: float
    unlike: float = UNKNOWN
    on_half: bool = False

    @property
    def evidence(self) -> tuple[float, ...]:
        """What speaks for a die, for the logistic fit; the last is the constant."""
        seen = (log_odds(self.spot.score), log_odds(self.first), log_odds(1 - float(self.chances[0])))
        return *seen, self.unlike, float(self.on_half), 1.0

    @cached_property
    def presence(self) -> float:
        """The chance that a die's top face lies just here."""
        return chance_of(np.dot(WEIGHTS, self.evidence))

    @property
    def value(self) -> int:
        """The likeliest number."""
        return 1 + int(self.chances[1:].argmax())


def dice_of(tops: Sequence[Top]) -> tuple[Faint, ...]:
    """What may be a die among the tops of a frame, the likeliest first."""
    return tuple(Faint("die", top.presence, _detection(top)) for top in settled(tops) if top.presence > LEAST)


def look_at(frame: Image, found: Sequence[Spot], tiles: Sequence[TileDetection], reader: DieReader) -> list[Top]:
    """A closer look at every spot that may be a die; a pip is none."""
    least = SMALLEST * float(np.median([math.dist(*t.centers_px) for t in tiles])) if tiles else 0.0
    dice = tuple(s for s in found if s.kind == "die" and s.edge_px > least)
    spots = distinct(dice)[:MOST]
    levels = pyramid(frame)
    chances = reader.look([straightened(levels, s.corners) for s in spots], TURNS)
    half = [_on_a_clear_half(s, tiles, levels) for s in spots]
    told = zip(spots, chances, half, strict=True)
    return _compared(_moved_about(levels, [Top(s, c, 1 - float(c[0]), on_half=on) for s, c, on in told], reader))


def _moved_about(levels: Sequence[Image], tops: Sequence[Top], reader: DieReader) -> list[Top]:
    """The same tops, those that are not clear moved a little to where they look most like a die.

    The detector is seldom quite right about a small die or one seen aslant, and a die cut off looks like none.
    """
    best = list(tops)
    unclear = [k for k, top in enumerate(tops) if top.chances[0] > OPEN and _hopeful(top)][:MOST_OPEN]
    for _ in range(ROUNDS):
        for k, near in zip(unclear, _seen_around(levels, [best[k] for k in unclear], reader), strict=True):
            best[k] = min(best[k], *near, key=_not_a_die)
    again = reader.look([straightened(levels, best[k].spot.corners) for k in unclear], TURNS)
    for k, chances in zip(unclear, again, strict=True):  # of many looks the best one is often a lucky one
        best[k] = min(replace(best[k], chances=chances), tops[k], key=_not_a_die)
    return [b if b.first < MISPLACED else replace(b, spot=t.spot) for b, t in zip(best, tops, strict=True)]


def _not_a_die(top: Top) -> float:
    return float(top.chances[0])


def _hopeful(top: Top) -> bool:
    """Whether it may be a die, should it look like one from somewhere near."""
    return replace(top, chances=NO_DOUBT).presence > HOPEFUL


def _seen_around(levels: Sequence[Image], tops: Sequence[Top], reader: DieReader) -> list[list[Top]]:
    """Each top as it is seen from a little to the side, smaller, larger and turned."""
    near = [_around(top.spot) for top in tops]
    looks = iter(reader.look([straightened(levels, s.corners) for some in near for s in some]))
    return [[replace(top, spot=s, chances=next(looks)) for s in some] for top, some in zip(tops, near, strict=True)]


def _around(spot: Spot) -> list[Spot]:
    """The same spot a little to each side, smaller, larger, and turned."""
    turn, far = math.radians(spot.angle_deg), SHIFT * spot.edge_px
    ways = [(far * math.cos(turn + k * math.pi / 2), far * math.sin(turn + k * math.pi / 2)) for k in range(4)]
    return [
        *(replace(spot, center=(spot.center[0] + dx, spot.center[1] + dy)) for dx, dy in ways),
        *(replace(spot, edge_px=by * spot.edge_px) for by in GROWN),
        *(replace(spot, angle_deg=spot.angle_deg + by) for by in TURNED_DEG),
    ]


def _compared(tops: Sequence[Top]) -> list[Top]:
    """The same tops, each knowing how its size compares: the dice of one table are of one size, or of two."""
    likely = [top for top in settled(tops) if top.presence > LIKELY and not top.on_half]
    return [replace(top, unlike=_unlikeness(top, likely)) for top in tops]


def _unlikeness(top: Top, likely: Sequence[Top]) -> float:
    others = [t.spot.edge_px for t in likely if apart(t.spot, top.spot) > SAME_DIE]
    return min((min(FURTHEST, abs(math.log(top.spot.edge_px / edge))) for edge in others), default=UNKNOWN)


def settled(tops: Sequence[Top]) -> list[Top]:
    """The likeliest first; a pip or a side of a die that is taken is none."""
    kept: list[Top] = []
    for top in sorted(tops, key=lambda t: -t.presence):
        if all(apart(top.spot, other.spot) > SAME_DIE for other in kept):
            kept.append(top)
    return kept


def _detection(top: Top) -> DieDetection:
    spot, confidence = top.spot, top.presence * float(top.chances[top.value] / top.chances[1:].sum())
    return DieDetection(spot.center, top.value, confidence, doubtful=confidence < SURE, edge_px=spot.edge_px)


def _on_a_clear_half(spot: Spot, tiles: Sequence[TileDetection], levels: Sequence[Image]) -> bool:
    """Whether the spot is a half of a tile that is read without doubt, and its colour that of the other half.

    Under a die nothing could be read, unless the die shows the very number that it lies on.
    """
    return any(
        not tile.doubtful
        and math.dist(spot.center, half) < spot.edge_px / 2
        and _alike(levels, spot.corners, spot.corners + np.subtract(other, half).astype(np.float32))
        for tile in tiles
        for half, other in (tile.centers_px, tile.centers_px[::-1])
    )


def _alike(levels: Sequence[Image], one: Floats, other: Floats) -> bool:
    """Whether two faces of the same size (4, 2) have the same hue, whatever light is on them."""
    first, second = (_hue(straightened(levels, face)) for face in (one, other))
    return float(np.linalg.norm(first - second)) < SAME_HUE


def _hue(patch: Image) -> Tint:
    return np.asarray(np.median(of_pixels(patch[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(-1, 3))[:, :2], axis=0))
