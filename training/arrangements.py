"""How people lay dominoes: scattered, packed in rectangles, chained with doubles across, in crosses and jumbles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

Rng = np.random.Generator


@dataclass(frozen=True)
class Lying:
    """One domino on the table: its middle in halves, the direction from head to tail, its numbers."""

    x: float
    y: float
    angle_deg: float
    head: int
    tail: int
    face_up: bool = True

    def rect(self, grow: float = 0.0) -> tuple[tuple[float, float], tuple[float, float], float]:
        return ((self.x, self.y), (2 + grow, 1 + grow), self.angle_deg)


Arrangement = tuple[Lying, ...]


def _numbers(rng: Rng, highest: int) -> tuple[int, int]:
    a, b = rng.integers(0, highest + 1, 2)
    if rng.random() < 0.08:
        a = 0
    return int(a), int(b)


def _fits(new: Lying, laid: list[Lying], overlap: float) -> bool:
    for old in laid:
        if (new.x - old.x) ** 2 + (new.y - old.y) ** 2 > 5.3:
            continue
        kind, points = cv2.rotatedRectangleIntersection(new.rect(), old.rect())
        if kind and points is not None and cv2.contourArea(points) > overlap:
            return False
    return True


def scattered(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """Tiles thrown on the table, some of them touching; now and then one lies slightly over another."""
    laid: list[Lying] = []
    overlap = 0.12 if rng.random() < 0.2 else 0.0
    grow = float(rng.choice([0.0, 0.1, 0.5]))
    square = rng.random() < 0.25
    for _ in range(count * 6):
        angle = float(rng.normal(0, 4) + 90 * rng.integers(0, 4)) if square else float(rng.uniform(0, 360))
        x, y = (float(v) for v in rng.uniform(-span, span, 2))
        new = Lying(x, y, angle, *_numbers(rng, highest))
        if laid and rng.random() < 0.35:
            new = _beside(rng, laid[int(rng.integers(0, len(laid)))], highest)
        big = replace(new)
        if len(laid) < count and _fits(big, laid, overlap + 1e-3) and (grow == 0 or _fits(new, laid, 0.0)):
            laid.append(new)
    return tuple(laid)


def _beside(rng: Rng, old: Lying, highest: int) -> Lying:
    """A tile that touches another one, turned at random by a quarter and a little more."""
    turn = float(rng.choice([0, 90]))
    reach_old = 1.0 if rng.random() < 0.5 else 0.5
    along = reach_old == 1.0
    reach_new = {(True, 0.0): 1.0, (True, 90.0): 0.5, (False, 0.0): 0.5, (False, 90.0): 1.0}[(along, turn)]
    gap = float(abs(rng.normal(0.01, 0.03)))
    slide = float(rng.choice([0, 0, 0.5, -0.5, rng.uniform(-0.9, 0.9)]))
    local = np.array([reach_old + reach_new + gap, slide] if along else [slide, reach_old + reach_new + gap])
    local *= rng.choice([-1, 1])
    a = np.deg2rad(old.angle_deg)
    x = old.x + local[0] * np.cos(a) - local[1] * np.sin(a)
    y = old.y + local[0] * np.sin(a) + local[1] * np.cos(a)
    angle = old.angle_deg + turn + float(rng.choice([0, 180])) + float(rng.normal(0, 2.5))
    return Lying(float(x), float(y), angle, *_numbers(rng, highest))


def jumble(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """A cluster that grew tile by tile, each against one of those before."""
    laid = [Lying(0, 0, float(rng.uniform(0, 360)), *_numbers(rng, highest))]
    for _ in range(count * 5):
        if len(laid) >= count:
            break
        new = _beside(rng, laid[int(rng.integers(0, len(laid)))], highest)
        if _fits(new, laid, 0.02):
            laid.append(new)
    return _centred(laid, rng)


def _centred(laid: list[Lying], rng: Rng, crooked: float = 0.0) -> Arrangement:
    mx, my = np.mean([t.x for t in laid]), np.mean([t.y for t in laid])
    return tuple(
        replace(
            t,
            x=float(t.x - mx + rng.normal(0, crooked)),
            y=float(t.y - my + rng.normal(0, crooked)),
            angle_deg=float(t.angle_deg + rng.normal(0, 40 * crooked)),
        )
        for t in laid
    )


def tiling(rng: Rng, rows: int, cols: int) -> tuple[tuple[int, int, bool], ...]:
    """A random filling of rows x cols cells, one side even: (row, col, lies across) of each domino's first cell."""
    across = np.full((rows, cols), cols % 2 == 0)
    first = np.zeros((rows, cols), bool)
    if cols % 2 == 0:
        first[:, ::2] = True
    else:
        first[::2, :] = True
    for _ in range(12 * rows * cols):
        r, c = int(rng.integers(0, rows - 1)), int(rng.integers(0, cols - 1))
        block = np.s_[r : r + 2, c : c + 2]
        lying = across[block].all() and first[r, c] and first[r + 1, c]
        upright = not across[block].any() and first[r, c] and first[r, c + 1]
        if lying or upright:
            across[block] = upright
            first[block] = [[True, upright is False], [upright, False]] if lying else [[True, False], [True, False]]
    return tuple((int(r), int(c), bool(across[r, c])) for r, c in zip(*np.nonzero(first), strict=True))


def packed(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """A filled rectangle of cells, as in Dominosa and Mountains, a little crooked."""
    rows, cols = int(rng.integers(2, 9)), int(rng.integers(2, 9))
    cols += rows % 2 and cols % 2
    gap = float(rng.choice([0.0, 0.02, 0.05, 0.12]))
    laid: list[Lying] = []
    for r, c, lies_across in tiling(rng, rows, cols):
        middle = (c + 0.5, float(r)) if lies_across else (float(c), r + 0.5)
        angle = (0.0 if lies_across else 90.0) + 180.0 * float(rng.integers(0, 2))
        laid.append(Lying(middle[0] * (1 + gap), middle[1] * (1 + gap), angle, *_numbers(rng, highest)))
    return _centred(laid, rng, float(rng.choice([0.0, 0.01, 0.03])))


def lattice(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """Tiles on a common grid with holes between, as on a printed board."""
    used: set[tuple[int, int]] = set()
    laid: list[Lying] = []
    n = max(3, int(span))
    for _ in range(count * 4):
        r, c = (int(v) for v in rng.integers(-n, n, 2))
        across = bool(rng.random() < 0.5)
        cells = {(r, c), (r, c + 1) if across else (r + 1, c)}
        if cells & used or len(laid) >= count:
            continue
        used |= cells
        angle = (0.0 if across else 90.0) + 180.0 * float(rng.integers(0, 2))
        x, y = (c + 0.5, float(r)) if across else (float(c), r + 0.5)
        laid.append(Lying(x * 1.03, y * 1.03, angle, *_numbers(rng, highest)))
    return _centred(laid, rng, 0.015)


_STEPS = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0)}


def chain(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """A line of play: ends match, doubles may lie across, the line bends and may branch."""
    laid: list[Lying] = []
    gap = float(abs(rng.normal(0.02, 0.03)))
    ends = [(0.0, 0.0, int(rng.integers(0, 4)), int(rng.integers(0, highest + 1)))]
    doubles_across = rng.random() < 0.8
    for _ in range(count * 5):
        if len(laid) >= count or not ends:
            break
        x, y, way, number = ends.pop(int(rng.integers(0, len(ends))))
        new, after = _next_link(rng, (x, y, way, number), highest, gap, doubles_across)
        if _fits(new, laid, 0.02):
            laid.append(new)
            ends += after
        elif not ends:
            ends.append((x, y, int(rng.integers(0, 4)), number))
    return _centred(laid or [Lying(0, 0, 0, 1, 2)], rng, float(rng.choice([0.0, 0.015, 0.03])))


def _next_link(
    rng: Rng, end: tuple[float, float, int, int], highest: int, gap: float, doubles_across: bool
) -> tuple[Lying, list[tuple[float, float, int, int]]]:
    """The next tile at an open end (x, y, way, number), and the ends it opens."""
    x, y, way, number = end
    dx, dy = _STEPS[way]
    if doubles_across and rng.random() < 0.18:
        middle = (x + dx * (0.5 + gap), y + dy * (0.5 + gap))
        double = Lying(*middle, 90.0 * (way + 1), number, number)
        after = [(x + dx * (1 + gap), y + dy * (1 + gap), way, number)]
        if rng.random() < 0.35:
            for side in (-1, 1):
                w = (way + side) % 4
                sx, sy = _STEPS[w]
                after.append((middle[0] + sx * (1 + gap), middle[1] + sy * (1 + gap), w, number))
        return double, after
    other = int(rng.integers(0, highest + 1))
    tile = Lying(x + dx * (1 + gap), y + dy * (1 + gap), 90.0 * way, number, other)
    if rng.random() < 0.5:
        tile = replace(tile, angle_deg=tile.angle_deg + 180, head=other, tail=number)
    after_way, tip = way, (x + dx * (2 + gap), y + dy * (2 + gap))
    if rng.random() < 0.2:  # the line turns: the next tile starts beside the tail half
        after_way = int((way + rng.choice([-1, 1])) % 4)
        sx, sy = _STEPS[after_way]
        tip = (tip[0] - dx * 0.5 + sx * 0.5, tip[1] - dy * 0.5 + sy * 0.5)
    return tile, [(*tip, after_way, other)]


def rows(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """Tiles side by side in rows, as people sort them or hold a hand."""
    laid = []
    gap_x, gap_y = (float(rng.choice([0.0, 0.05, 0.2, 0.8])) for _ in range(2))
    per_row = int(rng.integers(2, 8))
    upright = bool(rng.random() < 0.6)
    for k in range(count):
        r, c = divmod(k, per_row)
        x, y = (c * (1 + gap_x), r * (2 + gap_y)) if upright else (c * (2 + gap_x), r * (1 + gap_y))
        turn = 180.0 * float(rng.integers(0, 2))
        laid.append(Lying(x, y, (90.0 if upright else 0.0) + turn, *_numbers(rng, highest)))
    return _centred(laid, rng, float(rng.choice([0.0, 0.02, 0.05])))


def raised(rng: Rng, highest: int, count: int, span: float) -> Arrangement:
    """Pairs of tiles side by side with one or two more lying on them, as on the peak of a climb; the rest around it."""
    gap = float(abs(rng.normal(0.01, 0.02)))
    laid: list[Lying] = [Lying(0, side * (0.5 + gap / 2), 0.0, *_numbers(rng, highest)) for side in (-1, 1)]
    shift = float(rng.choice([-0.5, 0.0, 0.5]))
    peak = [Lying(shift + side * (0.5 + gap / 2), 0, 90.0, *_numbers(rng, highest)) for side in (-1, 1)]
    if rng.random() < 0.3:
        peak = [Lying(float(rng.uniform(-0.4, 0.4)), 0, float(rng.normal(90, 5)), *_numbers(rng, highest))]
    for _ in range(count * 3):
        if len(laid) + len(peak) >= count:
            break
        new = _beside(rng, laid[int(rng.integers(0, len(laid)))], highest)
        if _fits(new, [*laid, *peak], 0.02):
            laid.append(new)
    return _centred([*laid, *peak], rng, float(rng.choice([0.0, 0.01])))


def on_squares(
    rng: Rng, highest: int, count: int, middles: tuple[tuple[float, float], ...], angle_deg: float
) -> Arrangement:
    """One tile cornerwise on each of some squares of a board that is turned by angle_deg."""
    crooked = float(rng.choice([0.5, 2.0, 4.0]))
    laid: list[Lying] = []
    for k in rng.permutation(len(middles)):
        x, y = (float(v) for v in np.array(middles[int(k)]) + rng.normal(0, 0.02, 2))
        angle = angle_deg + 45 + 90 * float(rng.integers(0, 4)) + float(rng.normal(0, crooked))
        new = Lying(x, y, angle, *_numbers(rng, highest))
        if len(laid) < count and _fits(new, laid, 0.05):
            laid.append(new)
    return tuple(laid)


KINDS: dict[str, Callable[[Rng, int, int, float], Arrangement]] = {
    "scattered": scattered,
    "packed": packed,
    "chain": chain,
    "jumble": jumble,
    "lattice": lattice,
    "rows": rows,
    "raised": raised,
}


def apart(laid: Arrangement) -> Arrangement:
    """Those of the tiles that touch none before them."""
    kept: list[Lying] = []
    for tile in laid:
        if all(_clear(tile, other) for other in kept):
            kept.append(tile)
    return tuple(kept)


def _clear(one: Lying, other: Lying) -> bool:
    """Whether at least a tenth of a half lies between two tiles."""
    return cv2.rotatedRectangleIntersection(one.rect(0.1), other.rect(0.1))[0] == cv2.INTERSECT_NONE


def turned(laid: Arrangement, angle_deg: float) -> Arrangement:
    """The same tiles on a table turned under the camera."""
    a = np.deg2rad(angle_deg)
    c, s = float(np.cos(a)), float(np.sin(a))
    return tuple(replace(t, x=t.x * c - t.y * s, y=t.x * s + t.y * c, angle_deg=t.angle_deg + angle_deg) for t in laid)


def some_face_down(laid: Arrangement, rng: Rng) -> Arrangement:
    """Turn some tiles over, in one scene of three."""
    share = float(rng.choice([0, 0, 0.1, 0.4]))
    return tuple(replace(t, face_up=bool(rng.random() >= share)) for t in laid)
