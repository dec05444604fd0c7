"""Whether what looks like a tile lies there as a thing, or is printed on a box or on paper: what is around it tells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.networks import network
from vision.straighten import Image, onto

Floats = NDArray[np.float32]

HALF = 24  # pixels of a half: thickness and shadows still show
MARGIN_X, MARGIN_Y = 36, 28  # pixels of the surroundings
WIDTH, HEIGHT = 2 * HALF + 2 * MARGIN_X, HALF + 2 * MARGIN_Y
_FRAME = (
    np.array([[0, 0], [0, HALF], [2 * HALF, HALF], [2 * HALF, 0]], np.float32)
    + np.array([MARGIN_X, MARGIN_Y], np.float32)
    - 0.5
)
BATCH = 32
UTMOST = 8.0  # log odds, either way: beyond that nothing is surer
LEAST, MOST = -1.5, 6.0  # so much of it counts by itself: what is around a tile may be anything, and proves little
UNKNOWN = 3.0  # what speaks as little for a tile as against one: most tiles come to about as much
FEWEST = 2  # so many other tiles tell how much a tile stands out from this table


def surroundings(levels: Sequence[Image], corners_px: ArrayLike) -> Image:
    """The place with these four corners and as much around it, (80, 120, 3); levels: see vision.straighten.pyramid."""
    return onto(levels, corners_px, _FRAME, (WIDTH, HEIGHT))


def standardise(picture: Image) -> Floats:
    """Even out light and contrast: (3, 80, 120), mean 0, deviation about 1."""
    values = picture.astype(np.float32)
    return np.asarray(((values - values.mean()) / (values.std() + 6.0)).transpose(2, 0, 1), np.float32)


class Relief:
    """Looks around tiles; one instance holds one loaded network."""

    def __init__(self) -> None:
        self._net = network("relief.onnx")

    def odds(self, pictures: Sequence[Image]) -> list[float]:
        """For each picture that `surroundings` made, the log odds that a tile lies there and is not printed."""
        told: list[float] = []
        for k in range(0, len(pictures), BATCH):
            (logits,) = self._net(np.stack([standardise(one) for one in pictures[k : k + BATCH]]), "lies")
            told += [float(one) for one in logits[:, 0].clip(-UTMOST, UTMOST)]
        return told


def flatter(lies: Sequence[float], sure: Sequence[bool]) -> list[float]:
    """How much less each place stands out from the table than the sure tiles besides it do, in log odds, at most 0.

    In what light and from where the table is seen, all that lies on it has in common: what is printed shows beside it.
    """
    told = np.array(lies)
    tiles = np.flatnonzero(sure)
    others = [told[tiles[tiles != k]] for k in range(len(told))]
    return [
        min(0.0, float(one - np.median(other))) if len(other) >= FEWEST else 0.0
        for one, other in zip(told, others, strict=True)
    ]
