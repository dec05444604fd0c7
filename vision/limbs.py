"""Where hands and arms are over a known still table, as a network learnt to see them.

Shadows, changes of light and what was moved look otherwise than the still table too: no hand is there.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import network
from vision.straighten import Image

Floats = NDArray[np.float32]

WIDE = 320  # pixels of the picture that the network looks at
STEP = 16  # its sides are multiples of this
DARKEST = 8.0  # grey levels added to all light: below that, noise rules


def beside(picture: Image, still: Image) -> Floats:
    """(6, h, w): a picture and how it differs from the still table of its size, as logarithms of light.

    So a shadow or another exposure takes away the same of every colour, whatever lies there.
    """
    table, seen = _light(still), _light(picture)
    usual = float(table.mean())
    return np.concatenate([(seen - usual).transpose(2, 0, 1), (seen - table).transpose(2, 0, 1)])


def _light(picture: Image) -> Floats:
    return LOGARITHMS[picture]


LOGARITHMS: Floats = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))


class Limbs:
    """Tells where arms are in pictures that have the size of the still one.

    >>> chance = Limbs(still).of(picture)  # doctest: +SKIP
    """

    def __init__(self, still: Image) -> None:
        high, wide = still.shape[:2]
        self._size = (WIDE, max(1, round(high * WIDE / wide / STEP)) * STEP)
        self._still = self._shrunk(still)
        self._net = network("hands.onnx")

    def of(self, picture: Image) -> Floats:
        """The chance that an arm is seen, (h / 2, w / 2) for the size (w, h) that the network looks at."""
        (logits,) = self._net(beside(self._shrunk(picture), self._still)[None], "arms")
        return np.asarray(1 / (1 + np.exp(-logits[0, 0])), np.float32)

    def _shrunk(self, picture: Image) -> Image:
        return np.asarray(cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA), np.uint8)
