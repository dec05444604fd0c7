"""Fronts of sets whose pips have an outline of their own or lie otherwise than usual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.domino import Domino, DominoSet
from training.sets import HALF, Face, SetStyle, face, layout

Rng = np.random.Generator
Spots = tuple[tuple[float, float], ...]

FINE = 4  # pips are drawn so many times larger, then shrunk, so that small ones keep their shape


@dataclass(frozen=True)
class OddSet:
    """A set unlike those that makers sell.

    outline: of a pip, in pip radii; None for round ones. layouts: the numbers whose pips lie otherwise than usual,
    (along, across) in the unit of the style's spread. mirrored: the tail is the head's mirror image, not the
    head turned round.
    """

    name: str
    style: SetStyle
    outline: Spots | None = None
    layouts: Mapping[int, Spots] = field(default_factory=dict)
    mirrored: bool = False

    @property
    def dominoes(self) -> tuple[Domino, ...]:
        """All of the set, each once."""
        return DominoSet(self.style.highest).dominoes

    def spots(self, number: int) -> Spots:
        """Where the pips of a half lie, (along, across) the tile, in the unit of the style's spread."""
        return self.layouts.get(number) or layout(number, self.style.layout, self.style.turned_six)

    def face(self, style: SetStyle, head: int, tail: int, rng: Rng) -> Face:
        """The front of the domino head-tail, as training.sets.face draws those of ordinary sets."""
        blank = face(style, 0, 0, rng)
        image, at = blank.image.astype(np.float32), []
        for number, middle, turn in ((head, -0.5, 1), (tail, 0.5, -1)):
            for along, across in self.spots(number):
                x, y = middle + turn * along * style.spread, (1 if self.mirrored else turn) * across * style.spread
                at.append((x, y))
                self._paint(image, (HALF * (1 + x), HALF * (0.5 + y)), number, turn)
        return Face(np.clip(image, 0, 255).astype(np.uint8), blank.alpha, tuple(at))

    def _paint(self, image: NDArray[np.float32], at: tuple[float, float], number: int, turn: int) -> None:
        radius = self.style.pip_radius * (0.86 if number > 9 else 1.0)
        cover = _cover(self.outline, round(radius * HALF, 1), turn)
        n = cover.shape[0] // 2
        row, col = int(at[1]) - n, int(at[0]) - n
        top, left = max(0, -row), max(0, -col)
        patch = image[max(row, 0) : row + 2 * n + 1, max(col, 0) : col + 2 * n + 1]
        seen = cover[top : top + patch.shape[0], left : left + patch.shape[1], None]
        patch += seen * (np.array(self.style.pip_colors[number], np.float32) - patch)


@lru_cache(maxsize=256)
def _cover(outline: Spots | None, radius_px: float, turn: int) -> NDArray[np.float32]:
    """How far a pip covers each pixel, 0 to 1, on a square just large enough."""
    n = int(np.ceil(1.4 * radius_px + 1))
    fine = np.zeros(((2 * n + 1) * FINE,) * 2, np.uint8)
    middle = (n + 0.5) * FINE - 0.5
    if outline is None:
        cv2.circle(fine, (int(middle), int(middle)), int(radius_px * FINE), 255, -1)
    else:
        cv2.fillPoly(fine, [np.rint(middle + turn * radius_px * FINE * np.array(outline)).astype(np.int32)], 255)
    small = cv2.resize(fine, (2 * n + 1, 2 * n + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, np.float32)
