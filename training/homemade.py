"""Sets as people make them: pips of any outline and colour, where each half has room for them.

The odd sets on which teaching is measured (`training.odd_sets`) have outlines and layouts of their own; none of them is
drawn here, so that they stay strange to the networks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from training.odd_faces import OddSet, Spots
from training.sets import Color, SetStyle, random_color

Rng = np.random.Generator

AS_USUAL = 0.5  # of the sets have odd pips where makers put round ones
ROUND = 0.2  # of the others have round ones elsewhere
MOST_OF_A_CELL = 0.42  # of its side, that a pip's radius may take
APART = 90.0  # levels by which the colours of pips and tile differ at least
CORNERS = 48  # of an outline


def homemade(style: SetStyle, rng: Rng) -> OddSet:
    """A set of this style with pips of its own."""
    spread = float(rng.uniform(0.26, 0.32))
    usual = bool(rng.random() < AS_USUAL)
    cells = 4 if style.highest > 9 else int(rng.integers(3, 5))
    widest = MOST_OF_A_CELL * 2 * spread / (cells - 1)
    radius = min(style.pip_radius * float(rng.uniform(0.8, 1.2)), widest)
    color = _apart_from(style.base, style.pip_colors, rng)
    own = replace(style, spread=spread, pip_radius=radius, pip_colors=color, empty_cups=False)
    layouts = {} if usual else {n: _anywhere(n, cells, rng) for n in range(1, style.highest + 1)}
    outline = None if not usual and rng.random() < ROUND else random_outline(rng)
    return OddSet("homemade", own, outline, layouts, mirrored=bool(rng.random() < 0.3))


def random_outline(rng: Rng) -> Spots:
    """A closed line around a pip's middle, in pip radii: lobes, corners or a stroke, whichever waves add up to."""
    angle = np.arange(CORNERS) * 2 * np.pi / CORNERS
    reach = np.ones(CORNERS)
    for waves in range(2, 7):
        reach += rng.normal(0, 0.5 / waves) * np.cos(waves * angle + rng.uniform(0, 2 * np.pi))
    reach = np.clip(reach, 0.25, None)
    reach *= float(rng.uniform(0.95, 1.25)) / reach.max()
    return tuple((float(x), float(y)) for x, y in np.column_stack([reach * np.cos(angle), reach * np.sin(angle)]))


def _anywhere(number: int, cells: int, rng: Rng) -> Spots:
    """So many pips in as many of the cells of a square, no two in one, in the unit of the spread."""
    chosen = rng.permutation(cells * cells)[:number]
    step = 2 / (cells - 1)
    return tuple((float(k // cells * step - 1), float(k % cells * step - 1)) for k in chosen)


def _apart_from(base: Color, colors: tuple[Color, ...], rng: Rng) -> tuple[Color, ...]:
    """The style's pip colours, or some other one for all, which may be just as light as the tile."""
    if rng.random() < 0.5:
        return colors
    color = random_color(rng)
    while np.linalg.norm(np.subtract(color, base)) < APART:
        color = random_color(rng)
    return (color,) * len(colors)
