"""Reads a straightened tile twice over: pips counted as objects, and each half recognised as a whole.

The two readings come from one network but from different evidence; where they agree the number is all but sure,
and where they differ the tile is doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import network
from vision.relief import Relief
from vision.straighten import FRAME, HALF, MARGIN_X, MARGIN_Y, Image, standardise

Floats = NDArray[np.float32]

NUMBERS = 13  # 0 to 12
PIP_STRIDE = 2  # pixels of the straightened tile a cell of the pip map
FAINTEST = 0.08  # peaks of the pip map below this chance are not looked at
BATCH = 32


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
        looks: list[Look] = []
        for k in range(0, len(patches), BATCH):
            group = np.stack([standardise(p) for p in patches[k : k + BATCH]])
            pips, numbers, face, corners = self._net(group, "pips", "numbers", "face", "corners")
            looks += [_look(pips[i, 0], numbers[i, :, 0].T, face[i], corners[i]) for i in range(len(group))]
        return looks


def _look(pip_logits: Floats, numbers: Floats, face: Floats, corners: Floats) -> Look:
    up, down, nothing = (float(v) for v in _softmax(face))
    pips = _peaks(np.asarray(1 / (1 + np.exp(-pip_logits)), np.float32))
    middle = MARGIN_X + HALF - 0.5
    sides = (pips[pips[:, 0] < middle], pips[pips[:, 0] >= middle])
    counted = np.stack([count_chances(side[:, 2]) for side in sides])
    return Look(
        up, down, nothing, FRAME + HALF * corners.reshape(4, 2).astype(np.float64), counted, _softmax(numbers), pips
    )


def _softmax(logits: Floats) -> Floats:
    power = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(power / power.sum(axis=-1, keepdims=True), np.float32)


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
