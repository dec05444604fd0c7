"""Sets that the networks never met: other pip shapes, colours and layouts, to measure what teaching brings.

python -m training.odd_sets FOLDER      # one picture a set
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.odd_faces import OddSet, Spots
from training.samples import set_of
from training.sets import Color, SetStyle, dimmed

Floats = NDArray[np.float64]


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


def _outline(points: Floats) -> Spots:
    return tuple((float(x), float(y)) for x, y in points)


# The outlines of pips, in pip radii.
STAR, HEART, TRIANGLE = _outline(_star(5, 0.42)), _outline(_heart()), _outline(_star(3, 0.5) * 1.15)
STROKE, DIAMOND = _outline(_stroke(35.0, 0.34)), _outline(_star(2, 0.6) * 1.25)
CROSS: Spots = (
    (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35),
    (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35),
)  # fmt: skip


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
        OddSet("stars", _style(1, 6, _CREAM, (120, 50, 30), pip_radius=0.14, aspect=1.14), STAR),
        OddSet("hearts", _style(2, 6, _PINK, (60, 40, 205), pip_radius=0.12, pin=0.09), HEART, mirrored=True),
        OddSet("polygons", _style(3, 6, _BLACK, (40, 215, 245), pip_radius=0.12, bar="none"), TRIANGLE, _POLYGONS),
        OddSet("ghosts", _style(4, 6, (95, 128, 104), (62, 108, 160), pip_radius=0.1)),
        OddSet("lopsided", _style(5, 9, (120, 170, 212), (30, 50, 90), pip_radius=0.085), None, _LOPSIDED, True),
        OddSet("crosses", _style(6, 9, _GREY, _WHITE, pip_radius=0.1, pip_colors=pale, bar="broken"), CROSS),
        OddSet("strokes", _style(7, 9, _CREAM, (30, 30, 190), pip_radius=0.1, corner=0.3, aspect=0.88), STROKE),
        OddSet("rings", _style(8, 12, _WHITE, _BLACK, pip_radius=0.075, pip_colors=many, spread=0.3), None, _RINGS),
        OddSet("pyramids", _style(9, 12, _WHITE, _BLACK, pip_radius=0.08, spread=0.3, pin=0.1), None, _PYRAMIDS),
        OddSet("lozenges", _style(10, 12, _BLUE, _WHITE, pip_radius=0.08, spread=0.31), DIAMOND, _LOZENGES),
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
