"""The bar between the two halves of a tile and the spinner on it, told from the middles of many tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.tileset import Color, Seam

Floats = NDArray[np.float32]

HALF_PIXELS = 24.0
LEAST = 18.0  # levels by which a bar has to differ from the face beside it
REACH = 5  # pixels from the middle within which the bar lies
SMALLEST = 4  # rows: what shows in fewer is no spinner but the edge of a pip
THICK = 1.6  # a spinner is so many times wider than the bar


def seam_of(squares: NDArray[np.uint8]) -> Seam:
    """What divides the halves; squares: (n, 30, 30, 3) about the middles of tiles, whose pips differ."""
    usual = np.median(squares.astype(np.float32), axis=0)
    size, middle = len(usual), len(usual) // 2
    inner = usual[3:-3]
    face = np.median(usual[:, [middle - REACH - 2, middle + REACH + 1]].reshape(-1, 3), axis=0)
    far = np.abs(inner - face).max(axis=-1)
    near = far[:, middle - REACH : middle + REACH]
    rows = near.max(axis=1) > LEAST
    if rows.sum() < SMALLEST:
        return Seam()
    widths = (near > 0.5 * np.maximum(near.max(axis=1, keepdims=True), LEAST)).sum(axis=1)
    bar = float(np.median(widths[rows]))
    at_middle = widths[len(widths) // 2 - 2 : len(widths) // 2 + 2].max()
    spins = at_middle > THICK * bar and rows.sum() > 3
    if rows.sum() < size / 3:
        return Seam(spinner=round(float(rows.sum()) / 2 / HALF_PIXELS, 3), color=_strongest(inner, far))
    spinner = float(at_middle) / 2 / HALF_PIXELS if spins else 0.0
    length = float(rows.sum()) / HALF_PIXELS
    return Seam(round(bar / HALF_PIXELS, 3), round(min(length, 1.0), 3), round(spinner, 3), _strongest(inner, far))


def _strongest(inner: Floats, far: Floats) -> Color:
    b, g, r = (int(v) for v in inner.reshape(-1, 3)[int(far.argmax())])
    return r, g, b
