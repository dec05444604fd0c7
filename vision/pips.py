"""Reads a straightened tile twice over: pips counted as objects, and each half recognised as a whole.

The two readings come from one network but from different evidence; where they agree the number is all but sure,
and where they differ the tile is doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from vision.networks import network
from vision.odds import chances_of
from vision.relief import Relief
from vision.straighten import FRAME, HALF, MARGIN_X, MARGIN_Y, Image, standardise

Floats = NDArray[np.float32]

NUMBERS = 13  # 0 to 12
PIP_STRIDE = 2  # pixels of the straightened tile a cell of the pip map
FAINTEST = 0.08  # peaks of the pip map below this chance are not looked at
BATCH = 32

Seen: TypeAlias = tuple[Floats, Floats, Floats, Floats]  # pips (40, 80), numbers (2, 13), face (3,), corners (4, 2)


@dataclass(frozen=True)
class Look:
    """What the network makes of one straightened tile.

    up, down, nothing: chances that it is a tile's front, a tile's back, or no tile.
    corners: (4, 2) where the tile's corners really lie on the straightened picture, in its pixels.
    counted: (2, 13) chances of each number by counting pips; recognised: (2, 13) by the look of the whole half.
    pips: (n, 3) x, y on the straightened picture and chance of each pip seen.
    known: (2, 13) chances of each number by somebody who knows the set; None where nobody does.
    """

    up: float
    down: float
    nothing: float
    corners: NDArray[np.float64]
    counted: Floats
    recognised: Floats
    pips: Floats
    known: Floats | None = None


class PipReader:
    """Looks at straightened tiles, and around them; one instance holds its loaded networks."""

    def __init__(self) -> None:
        self._net = network("reader.onnx")
        self.relief = Relief()

    def look(self, patches: Sequence[Image]) -> list[Look]:
        """One Look for each picture made by vision.straighten.straighten."""
        return [_look(*one) for one in self._seen(patches)]

    def look_each_way(self, patches: Sequence[Image]) -> list[Look]:
        """The same, surer and four times as slow: a mirror, too, shows a tile with its numbers, each way."""
        ways = [self._seen(patches, *way) for way in product((False, True), repeat=2)]
        return [_look(*_average(seen)) for seen in zip(*ways, strict=True)]

    def _seen(self, patches: Sequence[Image], along: bool = False, across: bool = False) -> list[Seen]:
        """What the network says of each tile where it is mirrored along or across, told as if it were not."""
        found: list[Seen] = []
        ways = (slice(None), slice(None), slice(None, None, -1 if across else 1), slice(None, None, -1 if along else 1))
        for k in range(0, len(patches), BATCH):
            group = np.ascontiguousarray(np.stack([standardise(p) for p in patches[k : k + BATCH]])[ways])
            pips, numbers, face, corners = self._net(group, "pips", "numbers", "face", "corners")
            moved = _mirrored(corners.reshape(-1, 4, 2), along, across)
            told = log_softmax(numbers[:, :, 0], axis=1)[..., ways[3]].transpose(0, 2, 1)
            found += zip(pips[ways][:, 0], told, log_softmax(face, axis=1), moved, strict=True)
        return found


def _average(seen: Sequence[Seen]) -> Seen:
    pips, numbers, face, corners = (np.asarray(np.mean(part, axis=0)) for part in zip(*seen, strict=True))
    return pips, numbers, face, corners


def _mirrored(corners: Floats, along: bool, across: bool) -> Floats:
    """Corners (n, 4, 2), from where they ought to be, as a mirror shows them."""
    if along:
        corners = corners[:, ::-1] * np.array([-1, 1], np.float32)
    if across:
        corners = corners[:, [1, 0, 3, 2]] * np.array([1, -1], np.float32)
    return corners


def _look(pip_logits: Floats, numbers: Floats, face: Floats, corners: Floats) -> Look:
    up, down, nothing = (float(v) for v in softmax(face))
    pips = _peaks(chances_of(pip_logits))
    middle = MARGIN_X + HALF - 0.5
    sides = (pips[pips[:, 0] < middle], pips[pips[:, 0] >= middle])
    counted = np.stack([count_chances(side[:, 2]) for side in sides])
    return Look(up, down, nothing, FRAME + HALF * corners.astype(np.float64), counted, softmax(numbers, axis=1), pips)


def _peaks(chance: Floats) -> Floats:
    """(n, 3): the pips of a chance map that lie on the tile itself."""
    around = cv2.dilate(chance, np.ones((3, 3), np.uint8))
    rows, cols = np.nonzero((chance >= around) & (chance > FAINTEST))
    x, y = (cols + 0.5) * PIP_STRIDE - 0.5, (rows + 0.5) * PIP_STRIDE - 0.5
    on = (x > MARGIN_X) & (x < MARGIN_X + 2 * HALF) & (y > MARGIN_Y) & (y < MARGIN_Y + HALF)
    return np.column_stack([x[on], y[on], chance[rows, cols][on]]).astype(np.float32)


def count_chances(pip_chances: Floats) -> Floats:
    """The chance of each number 0 to 12, if every pip seen is real with its own chance (a Poisson binomial).

    >>> [round(chance, 2) for chance in count_chances(np.array([1, 1, 0.9], np.float32))[2:4].tolist()]
    [0.1, 0.9]
    """
    chances = np.zeros(NUMBERS, np.float64)
    chances[0] = 1.0
    for p in pip_chances:
        carried = chances[:-1] * float(p)
        chances *= 1 - float(p)
        chances[1:] += carried
    return np.asarray(chances, np.float32)
