"""Dice on the table, by the number of their top faces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from calibration.homography import mapped
from vision.networks import network
from vision.odds import chance_of, log_odds
from vision.peaks import Spot, apart, distinct
from vision.scene import DieDetection, Faint, TileDetection
from vision.straighten import Image, as_point, onto, pyramid
from vision.tints import Tint, of_pixels

Floats = NDArray[np.float32]

EDGE, MARGIN = 36, 22  # pixels of the top on a straightened die's picture, and of its surroundings on each side
PATCH = EDGE + 2 * MARGIN
FRAME = np.array(
    [[MARGIN, MARGIN], [MARGIN, PATCH - MARGIN], [PATCH - MARGIN, PATCH - MARGIN], [PATCH - MARGIN, MARGIN]], np.float32
) - 0.5  # fmt: skip
# How the two networks and the sizes of the dice together tell a die from none (see training.calibrate_dice).
PEAK_WEIGHT, FIRST_WEIGHT, LAST_WEIGHT, UNLIKE_WEIGHT, HALF_WEIGHT, OFFSET = 0.91, 0.42, 0.4, -7.06, -1.46, -0.55
WEIGHTS = (PEAK_WEIGHT, FIRST_WEIGHT, LAST_WEIGHT, UNLIKE_WEIGHT, HALF_WEIGHT, OFFSET)
UNKNOWN, FURTHEST = 0.2, 0.6  # how unlike a die counts that is alone, and the most that counts: twice the size
LIKELY = 0.3  # dice likelier than this tell how large dice are here
SMALLEST, LEGIBLE = 0.3, 8.0  # of half a tile: 7 mm beside usual dominoes; pixels: smaller ones are mostly keys
SAME_DIE = 0.6  # edges: two dice cannot lie closer than this
LEAST = 0.001  # places with a smaller chance of being a die are not reported
SURE = 0.8  # numbers below this chance are doubtful
SAME_HUE = 0.3  # as vision.tints tells colours: two halves of one tile differ by less, under coloured lights too
TURNS = 4  # a die shows the same number from each side
MOST = 60  # spots that are looked at; more is texture taken for dice
HOPELESS = 0.98  # spots whose chance of being no die is above this are not looked at again
STRAY = 0.04  # edges: corners farther from where the spot has them are worth another look
LOOKS = 3  # at each spot, at most


@dataclass(frozen=True)
class Glance:
    """What the network makes of one straightened die.

    chances: (7,) of no die and of 1 to 6. corners: (4, 2) where the top's corners lie on the straightened picture.
    """

    chances: Floats
    corners: Floats

    @property
    def stretch(self) -> float:
        """How much longer the top looks one way than across; 1 where it is a square, however it is turned."""
        a, b, c, d = self.corners
        longest, shortest = np.linalg.svd(np.array([c + d - a - b, b + c - a - d]), compute_uv=False)
        return float(longest / max(shortest, 1e-6))


class DieReader:
    """Looks at single dice; one instance holds one loaded network."""

    def __init__(self) -> None:
        self._net = network("dice.onnx")

    def look(self, patches: Sequence[Image]) -> list[Glance]:
        """What each picture shows that was made by `straightened`, looked at from all four sides."""
        if not patches:
            return []
        pictures = np.stack([standardise(p) for p in patches])
        turned = [np.ascontiguousarray(np.rot90(pictures, k, (2, 3))) for k in range(TURNS)]
        seen = [self._net(each, "number", "corners") for each in turned]
        number = softmax(np.mean([log_softmax(one, axis=1) for one, _ in seen], axis=0), axis=1)
        moved = np.mean([_turned_back(off.reshape(-1, 4, 2), k) for k, (_, off) in enumerate(seen)], axis=0)
        corners = FRAME + EDGE * moved
        return [Glance(*one) for one in zip(number.astype(np.float32), corners.astype(np.float32), strict=True)]


def _turned_back(corners: Floats, quarters: int) -> Floats:
    """How far corners (n, 4, 2) are from where they ought to be, told of a picture turned left by so many quarters."""
    for _ in range(quarters):
        corners = np.roll(corners, -1, axis=1)[..., ::-1] * np.array([-1, 1], np.float32)
    return corners


def straightened(levels: Sequence[Image], corners_px: Floats) -> Image:
    """The die whose top face has these corners, (80, 80, 3), with its surroundings."""
    return onto(levels, corners_px, FRAME, (PATCH, PATCH))


def standardise(patch: Image) -> Floats:
    """Even out light and contrast: (3, 80, 80), mean 0, deviation about 1."""
    values = patch.astype(np.float32)
    inner = values[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return np.asarray(((values - inner.mean()) / (inner.std() + 6.0)).transpose(2, 0, 1), np.float32)


@dataclass(frozen=True)
class Top:
    """A spot that may be a die's top face, after the closer look.

    chances: (7,) of no die and of 1 to 6 at the last look. first: the chance of a die where the detector saw the spot.
    stretch: as of the last glance. unlike: how far its size is from the likely die nearest to it in size.
    on_half: whether a half of a tile reads well there, and has its tile's colour: it may be nothing but that half.
    """

    spot: Spot
    chances: Floats
    first: float
    stretch: float = 1.0
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
    half_px = float(np.median([math.dist(*t.centers_px) for t in tiles])) if tiles else 0.0
    least = max(SMALLEST * half_px, LEGIBLE)
    dice = tuple(s for s in found if s.kind == "die" and s.edge_px > least)
    spots = distinct(dice)[:MOST]
    levels = pyramid(frame)
    tops = _looked_closer(levels, spots, reader)
    return _compared([replace(top, on_half=_on_a_clear_half(top.spot, tiles, levels)) for top in tops])


def _looked_closer(levels: Sequence[Image], spots: Sequence[Spot], reader: DieReader) -> list[Top]:
    """Up to three looks at each spot, each one where the one before saw the corners."""
    at = list(spots)
    last = first = reader.look([straightened(levels, spot.corners) for spot in at])
    again = list(range(len(at)))
    for _ in range(LOOKS - 1):
        again = [k for k in again if last[k].chances[0] < HOPELESS and _strays(last[k])]
        at = [_moved(spot, last[k]) if k in again else spot for k, spot in enumerate(at)]
        told = dict(zip(again, reader.look([straightened(levels, at[k].corners) for k in again]), strict=True))
        last = [told.get(k, look) for k, look in enumerate(last)]
    seen = zip(at, first, last, strict=True)
    return [Top(spot, end.chances, 1 - float(start.chances[0]), end.stretch) for spot, start, end in seen]


def _strays(look: Glance) -> bool:
    return bool(np.linalg.norm(look.corners - FRAME, axis=1).max() > STRAY * EDGE)


def _moved(spot: Spot, look: Glance) -> Spot:
    """The square that is most like the top whose corners a look at this one saw.

    It stays a square: a die's side that is pulled into one looks like a top.
    """
    top = mapped(cv2.getPerspectiveTransform(FRAME, spot.corners), look.corners)
    along, edge = top[3] - top[0], math.sqrt(max(1.0, abs(cv2.contourArea(top.astype(np.float32)))))
    angle_deg = math.degrees(math.atan2(along[1], along[0]))
    return replace(spot, center=as_point(top.mean(axis=0)), edge_px=edge, angle_deg=angle_deg)


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
