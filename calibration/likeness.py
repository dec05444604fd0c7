"""How like a taught number a half is: every small shift, either way round or mirrored, in more or less light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.tileset import CELLS

Floats = NDArray[np.float32]

SQUARE = 30  # pixels of a half with an eighth of its surroundings on each side: 24 pixels are a half
SHIFTS = 2  # pixels of that, either way
WAYS = 4  # as it is, turned round, and the mirror images of both
ANY_LIGHT = (0.05, 4.0)  # the contrast of a picture against that of the teaching
NEAR_LIGHT = (0.6, 1.6)  # the contrast of a half against that of its picture
SOFT = 0.05  # residuals under this part of the usual contrast tell no more
FREEDOM = 24.0  # how many independent places a half is worth


def turned(picture: Floats, way: int) -> Floats:
    """A picture (22, 22, 3) seen one of the WAYS."""
    return (picture, picture[::-1, ::-1], picture[::-1], picture[:, ::-1])[way]


def windows(square: NDArray[np.uint8]) -> Floats:
    """(25, 22, 22, 3): a half (30, 30, 3) at every small shift, each colour's mean taken away."""
    first = (SQUARE - CELLS) // 2 - SHIFTS
    steps = range(first, first + 2 * SHIFTS + 1)
    cut = np.stack([square[y : y + CELLS, x : x + CELLS] for y in steps for x in steps]).astype(np.float32)
    return np.asarray(cut - cut.mean(axis=(1, 2), keepdims=True), np.float32)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Halves beside exemplars: products (halves, windows, numbers, ways), both energies, all a cell."""

    products: Floats
    of_half: Floats
    of_exemplar: Floats

    def residual(self, light: tuple[float, float]) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """What no exemplar explains, its contrast and which window and way it was, (halves, numbers) each.

        light: between which the contrast may be. The exemplar is scaled to fit best: a correlation that does not run
        wild on a blank half.
        """
        gain = np.clip(self.products / np.maximum(self.of_exemplar, 1e-3)[None, None], *light)
        left = self.of_half[:, :, None, None] - gain * (2 * self.products - gain * self.of_exemplar[None, None])
        flat, gains = (v.transpose(0, 2, 1, 3).reshape(v.shape[0], v.shape[2], -1) for v in (left, gain))
        best = flat.argmin(axis=-1)
        least, its = (np.take_along_axis(v, best[..., None], -1)[..., 0] for v in (flat, gains))
        return np.asarray(np.maximum(least, 0), np.float32), np.asarray(its, np.float32), np.asarray(best, np.intp)


def compare(squares: Sequence[NDArray[np.uint8]], exemplars: Floats) -> Comparison:
    """Halves (30, 30, 3) beside exemplars (numbers, 22, 22, 3)."""
    seen = np.stack([windows(square) for square in squares])
    shown = np.stack(
        [[turned(e, way) for way in range(WAYS)] for e in exemplars - exemplars.mean((1, 2), keepdims=True)]
    )
    halves, shifts, numbers, cells = len(seen), seen.shape[1], len(exemplars), CELLS * CELLS
    x, e = seen.reshape(halves * shifts, -1), shown.reshape(numbers * WAYS, -1)
    products = (x @ e.T).reshape(halves, shifts, numbers, WAYS) / cells
    return Comparison(
        np.asarray(products, np.float32),
        np.asarray((x**2).sum(axis=1).reshape(halves, shifts) / cells, np.float32),
        np.asarray((e**2).sum(axis=1).reshape(numbers, WAYS) / cells, np.float32),
    )


def contrast(exemplars: Floats) -> float:
    """The usual energy of a half with pips, a cell: residuals are measured by it."""
    energy = ((exemplars - exemplars.mean((1, 2), keepdims=True)) ** 2).sum(axis=(1, 2, 3)) / CELLS**2
    return max(float(np.mean(energy[energy > 0.05 * energy.max(initial=0.0)])) if energy.any() else 0.0, 1.0)


def light_of(beside: Comparison, usual: float) -> float:
    """The contrast of a picture against that of the teaching, told by the halves that an exemplar explains best.

    usual: the contrast of the set.
    """
    left, gain, _ = beside.residual(ANY_LIGHT)
    best = left.argmin(axis=1)
    rows = np.arange(len(left))
    patterned = beside.of_exemplar.max(axis=1)[best] > 0.05 * usual
    if not patterned.any():
        return 1.0
    fit = (left[rows, best] / (beside.of_half.max(axis=1) + 1))[patterned]
    return float(np.median(gain[rows, best][patterned][fit <= np.median(fit)]))


def unexplained(beside: Comparison, usual: float, light: float | None = None) -> Floats:
    """(halves, numbers): what each exemplar leaves of each half, in parts of the usual contrast in this light.

    light: as light_of tells it; None where these halves have to tell it themselves.
    """
    light = light_of(beside, usual) if light is None else light
    left, _, _ = beside.residual((NEAR_LIGHT[0] * light, NEAR_LIGHT[1] * light))
    return np.asarray(left / (usual * light**2), np.float32)


def log_likelihoods(left: Floats) -> Floats:
    """How much what is left speaks for each number, as logarithms: the noise of the picture is not known beforehand."""
    return np.asarray(-FREEDOM * np.log(left + SOFT), np.float32)
