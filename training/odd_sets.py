"""Sets that the networks never met: other pip shapes, colours and layouts, to measure what teaching brings.

python -m training.odd_sets FOLDER      # one picture a set
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.domino import Domino, DominoSet
from training.samples import set_of
from training.sets import HALF, Color, Face, SetStyle, dimmed, face, layout

Rng = np.random.Generator
Floats = NDArray[np.float64]
Spots = tuple[tuple[float, float], ...]

FINE = 4  # pips are drawn so many times larger, then shrunk, so that small ones keep their shape


def _star(corners: int, inner: float) -> Floats:
    angle = np.arange(2 * corners) * np.pi / corners - np.pi / 2
    reach = np.where(np.arange(2 * corners) % 2, inner, 1.0)
    return np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])


def _heart() -> Floats:
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.column_stack([16 * np.sin(t) ** 3, -y - 2]) / 15


def _stroke(angle_deg: float, wide: float) -> Floats:
    a = np.deg2rad(angle_deg)
    box = np.array([[-1.2, -wide], [1.2, -wide], [1.2, wide], [-1.2, wide]])
    return np.asarray(box @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]))


# The outlines of pips, (n, 2) in pip radii.
SHAPES: dict[str, Floats] = {
    "star": _star(5, 0.42),
    "heart": _heart(),
    "triangle": _star(3, 0.5) * 1.15,
    "cross": np.array([
        (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35),
        (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35),
    ]),
    "stroke": _stroke(35.0, 0.34),
    "diamond": _star(2, 0.6) * 1.25,
}  # fmt: skip


def ring(count: int, middle: int = 0) -> Spots:
    """So many pips on a circle, and some in a row in its middle."""
    angle = np.arange(count) * 2 * np.pi / max(count, 1) - np.pi / 2
    around = [(float(np.cos(a)) * 1.05, float(np.sin(a)) * 1.05) for a in angle]
    return (*around, *((0.0, 0.55 * (k - (middle - 1) / 2)) for k in range(middle)))


def lines(*counts: int) -> Spots:
    """Rows of pips, each centred, such as 1-2-3-4."""
    step = 2 / max(len(counts) - 1, max(counts) - 1)
    return tuple(
        (step * (j - (n - 1) / 2), step * (k - (len(counts) - 1) / 2)) for k, n in enumerate(counts) for j in range(n)
    )


_POLYGONS: dict[int, Spots] = {2: ((0.0, -0.8), (0.0, 0.8)), 3: ring(3), 4: ring(4), 5: ring(5), 6: ring(6)}
_LOPSIDED: dict[int, Spots] = {
    2: ((-1.0, -1.0), (-1.0, 1.0)),
    3: ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)),
    4: ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (0.0, 0.0)),
    5: ((-1.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0)),
    7: lines(1, 2, 4),
    8: lines(3, 4, 1),
}
_RINGS: dict[int, Spots] = {10: ring(10), 11: ring(8, 3), 12: ring(10, 2)}
_PYRAMIDS: dict[int, Spots] = {10: lines(1, 2, 3, 4), 11: lines(3, 5, 3), 12: lines(5, 2, 5)}
_LOZENGES: dict[int, Spots] = {7: ring(6, 1), 10: lines(2, 3, 3, 2), 11: lines(2, 4, 3, 2), 12: lines(2, 4, 4, 2)}


@dataclass(frozen=True)
class OddSet:
    """A set outside of what training renders.

    shape: a name in SHAPES, or "round". layouts: the numbers whose pips lie otherwise than usual, (along, across) in
    the unit of the style's spread. mirrored: the tail is the head's mirror image, not the head turned round.
    """

    name: str
    style: SetStyle
    shape: str = "round"
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
        cover = _cover(self.shape, round(radius * HALF, 1), turn)
        n = cover.shape[0] // 2
        row, col = int(at[1]) - n, int(at[0]) - n
        top, left = max(0, -row), max(0, -col)
        patch = image[max(row, 0) : row + 2 * n + 1, max(col, 0) : col + 2 * n + 1]
        seen = cover[top : top + patch.shape[0], left : left + patch.shape[1], None]
        patch += seen * (np.array(self.style.pip_colors[number], np.float32) - patch)


@lru_cache(maxsize=256)
def _cover(shape: str, radius_px: float, turn: int) -> NDArray[np.float32]:
    """How far a pip covers each pixel, 0 to 1, on a square just large enough."""
    n = int(np.ceil(1.4 * radius_px + 1))
    fine = np.zeros(((2 * n + 1) * FINE,) * 2, np.uint8)
    middle = (n + 0.5) * FINE - 0.5
    if shape == "round":
        cv2.circle(fine, (int(middle), int(middle)), int(radius_px * FINE), 255, -1)
    else:
        cv2.fillPoly(fine, [np.rint(middle + turn * radius_px * FINE * SHAPES[shape]).astype(np.int32)], 255)
    small = cv2.resize(fine, (2 * n + 1, 2 * n + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, np.float32)


_WHITE, _CREAM, _PINK = (240.0, 242.0, 244.0), (196.0, 224.0, 238.0), (225.0, 205.0, 250.0)
_BLACK, _GREY, _BLUE = (34.0, 32.0, 32.0), (70.0, 66.0, 62.0), (110.0, 60.0, 40.0)
_RAINBOW = (
    (40, 40, 40), (20, 170, 235), (170, 60, 150), (60, 180, 60), (210, 120, 20), (30, 60, 230), (150, 150, 20),
    (120, 40, 240), (20, 110, 60), (200, 60, 60), (20, 140, 250), (90, 20, 120), (60, 60, 170),
)  # fmt: skip


def _style(seed: int, highest: int, base: Color, pip: Color, **more: object) -> SetStyle:
    plain = replace(set_of(seed), highest=highest, base=base, side=dimmed(base, 0.85), pip_colors=(pip,) * 13)
    return replace(plain, layout=0, turned_six=False, **more)  # type: ignore[arg-type]


def odd_sets() -> tuple[OddSet, ...]:
    """The ten sets of the figure in docs, none of which training could draw."""
    many = tuple((float(b), float(g), float(r)) for b, g, r in _RAINBOW)
    pale = tuple((min(255.0, b + 60), min(255.0, g + 60), min(255.0, r + 60)) for b, g, r in many)
    return (
        OddSet("stars", _style(1, 6, _CREAM, (120, 50, 30), pip_radius=0.14, aspect=1.14), "star"),
        OddSet("hearts", _style(2, 6, _PINK, (60, 40, 205), pip_radius=0.12, pin=0.09), "heart", mirrored=True),
        OddSet("polygons", _style(3, 6, _BLACK, (40, 215, 245), pip_radius=0.12, bar="none"), "triangle", _POLYGONS),
        OddSet("ghosts", _style(4, 6, (95, 128, 104), (62, 108, 160), pip_radius=0.1)),
        OddSet("lopsided", _style(5, 9, (120, 170, 212), (30, 50, 90), pip_radius=0.085), "round", _LOPSIDED, True),
        OddSet("crosses", _style(6, 9, _GREY, _WHITE, pip_radius=0.1, pip_colors=pale, bar="broken"), "cross"),
        OddSet("strokes", _style(7, 9, _CREAM, (30, 30, 190), pip_radius=0.1, corner=0.3, aspect=0.88), "stroke"),
        OddSet("rings", _style(8, 12, _WHITE, _BLACK, pip_radius=0.075, pip_colors=many, spread=0.3), "round", _RINGS),
        OddSet("pyramids", _style(9, 12, _WHITE, _BLACK, pip_radius=0.08, spread=0.3, pin=0.1), "round", _PYRAMIDS),
        OddSet("lozenges", _style(10, 12, _BLUE, _WHITE, pip_radius=0.08, spread=0.31), "diamond", _LOZENGES),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for odd in odd_sets():
        cv2.imwrite(str(folder / f"{odd.name}.png"), sheet(odd))


def sheet(odd: OddSet) -> NDArray[np.uint8]:
    """The flat faces of a set's doubles and of some others, side by side."""
    rng = np.random.default_rng(1)
    n = odd.style.highest
    faces = [odd.face(odd.style, a, b, rng).image for a, b in [*((k, k) for k in range(n + 1)), (n, 2), (3, n - 1)]]
    faces += [np.full_like(faces[0], 90)] * (-len(faces) % 5)
    return np.asarray(np.vstack([np.hstack(faces[k : k + 5]) for k in range(0, len(faces), 5)]), np.uint8)


if __name__ == "__main__":
    main()
