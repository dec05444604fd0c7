"""Compares what was read with what is there, tile by tile: pure counting, no pictures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vision.scene import DieDetection, Point, TileDetection

REACH, TURN_DEG = 0.6, 35.0  # a reading lies on a tile if it is within 0.6 lengths and 35 degrees
DIE_REACH = 0.03  # and on a die within this part of the picture's longer side


@dataclass(frozen=True)
class LabelledTile:
    """What lies on the table: both numbers, and the middles of their halves in pixels."""

    pips: tuple[int, int]
    a: Point
    b: Point

    @property
    def length_px(self) -> float:
        """How long the tile is: twice as far as the middles of its halves lie apart."""
        return 2 * math.dist(self.a, self.b)


@dataclass(frozen=True)
class LabelledDie:
    """The number on top of a die, and the middle of that face in pixels."""

    value: int
    middle: Point


@dataclass(frozen=True)
class Label:
    """One picture's truth. optional: numbers of half hidden or upright tiles, neither right nor wrong, each once;
    roi, ignore: (x0, y0, x1, y1) outside or inside of which nothing is scored; tile_px the usual length."""

    image: str
    size: tuple[int, int]
    tiles: tuple[LabelledTile, ...]
    backs: tuple[Point, ...] = ()
    optional: tuple[tuple[int, int], ...] = ()
    roi: tuple[float, ...] = ()
    ignore: tuple[tuple[float, ...], ...] = ()
    tile_px: float = 0.0
    groups: tuple[str, ...] = ()
    dice: tuple[LabelledDie, ...] = ()


@dataclass
class Tally:
    """Counts over any number of pictures."""

    n: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterable[str]:
        """The figures as text, each share with its 95% interval."""
        n = self.n
        yield f"{n['photos']} pictures, {n['tiles']} tiles"
        if n["tiles"]:
            found, right = (wilson(n[key], n["tiles"]) for key in ("found", "right"))
            yield f"  found {found}   right {right}   halves {wilson(n['halves'], 2 * n['tiles'])}"
            wrong = f"spurious {n['spurious']}   silent {n['silent']}   doubted {n['doubted']}"
            yield f"  photo {wilson(n['exact'], n['photos'])}   {wrong}"
        else:
            yield f"  spurious {n['spurious']}   silent {n['silent']}"
        if n["backs"]:
            yield f"  backs {n['backs_right']}/{n['backs']}"
        if n["dice"]:
            yield f"  dice right {wilson(n['dice_right'], n['dice'])}   extra {n['dice_extra']}"
        elif n["dice_extra"]:
            yield f"  dice extra {n['dice_extra']}"


def wilson(k: int, n: int) -> str:
    """k of n as a share with Wilson's 95% interval."""
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{p:.4f} ({max(0.0, middle - half):.3f}-{min(1.0, middle + half):.3f}) {k}/{n}"


def score(label: Label, seen: Iterable[TileDetection], dice: Iterable[DieDetection] = ()) -> Counter[str]:
    """Count one picture: found, right, halves, spurious, silent, doubted, exact, backs, and the dice."""
    seen = tuple(seen)
    fronts, backs = [s for s in seen if s.face_up], [s for s in seen if not s.face_up]
    of = _matched(label.tiles, fronts)
    n = Counter(photos=1, tiles=len(label.tiles), found=len(of), backs=len(label.backs))
    for i, tile in enumerate(label.tiles):
        if i in of:
            _count_reading(n, tile, fronts[of[i]])
        else:
            n["silent"] += any(
                not s.doubtful and math.dist(s.middle_px, _between(tile)) <= REACH * math.dist(tile.a, tile.b)
                for s in backs
            )
    extra = list(_spurious(label, [s for j, s in enumerate(fronts) if j not in of.values()]))
    n["spurious"] = len(extra)
    n["silent"] += sum(not s.doubtful for s in extra)
    size = label.tile_px or 0.1 * max(label.size)
    n["backs_right"] = sum(any(math.dist(b, s.middle_px) <= 0.4 * size for s in backs) for b in label.backs)
    n["exact"] = int(n["right"] == n["tiles"] and not n["spurious"])
    _count_dice(n, label, dice)
    return n


def _count_dice(n: Counter[str], label: Label, dice: Iterable[DieDetection]) -> None:
    """Each die by the reading nearest to it; what lies on none, and where it counts, is extra."""
    free = list(dice)
    for die in label.dice:
        near = [d for d in free if math.dist(d.center_px, die.middle) <= DIE_REACH * max(label.size)]
        if near:
            best = min(near, key=lambda d: math.dist(d.center_px, die.middle))
            free.remove(best)
            n["dice_right"] += best.value == die.value
    n["dice"], n["dice_extra"] = len(label.dice), sum(_counts(d.center_px, label) for d in free)


def _counts(p: Point, label: Label) -> bool:
    """Whether what is reported there is scored at all."""
    return (not label.roi or _inside(p, label.roi)) and not any(_inside(p, r) for r in label.ignore)


def _between(tile: LabelledTile) -> Point:
    return ((tile.a[0] + tile.b[0]) / 2, (tile.a[1] + tile.b[1]) / 2)


def _matched(tiles: tuple[LabelledTile, ...], fronts: list[TileDetection]) -> Mapping[int, int]:
    """Which reading lies on which tile, the nearest first, each once."""
    pairs = []
    for i, tile in enumerate(tiles):
        length, way = math.dist(tile.a, tile.b), _way(tile.a, tile.b)
        for j, s in enumerate(fronts):
            apart = math.dist(_between(tile), s.middle_px)
            turn = abs(_way(*s.centers_px) - way) % math.pi
            if apart <= REACH * length and min(turn, math.pi - turn) <= math.radians(TURN_DEG):
                pairs.append((apart / length, i, j))
    of: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in of and j not in of.values():
            of[i] = j
    return of


def _way(a: Point, b: Point) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def readings(label: Label, seen: Iterable[TileDetection]) -> tuple[tuple[int, int] | None, ...]:
    """What each labelled tile was read as, its numbers in the label's order; None where nothing was found."""
    fronts = [s for s in seen if s.face_up]
    of = _matched(label.tiles, fronts)
    return tuple(_read_as(tile, fronts[of[i]]) if i in of else None for i, tile in enumerate(label.tiles))


def judged(label: Label, seen: Iterable[TileDetection]) -> list[tuple[TileDetection, bool]]:
    """Each reading that can be called right or wrong, and which it is; a back is right where one lies."""
    seen = tuple(seen)
    fronts, backs = [s for s in seen if s.face_up], [s for s in seen if not s.face_up]
    of = _matched(label.tiles, fronts)
    told = [(fronts[j], _read_as(label.tiles[i], fronts[j]) == label.tiles[i].pips) for i, j in of.items()]
    told += [(s, False) for s in _spurious(label, [s for j, s in enumerate(fronts) if j not in of.values()])]
    size = label.tile_px or 0.1 * max(label.size)
    for s in backs:
        middle = s.middle_px
        if any(math.dist(b, middle) <= 0.4 * size for b in label.backs):
            told.append((s, True))
        elif any(math.dist(_between(t), middle) <= 0.25 * t.length_px for t in label.tiles):
            told.append((s, False))
    return told


def _read_as(tile: LabelledTile, s: TileDetection) -> tuple[int, int]:
    """The numbers read, in the order of the label's halves."""
    (p, q), (a, b) = s.pips, s.centers_px
    turned = math.dist(a, tile.a) + math.dist(b, tile.b) > math.dist(a, tile.b) + math.dist(b, tile.a)
    return (q, p) if turned else (p, q)


def _count_reading(n: Counter[str], tile: LabelledTile, s: TileDetection) -> None:
    p, q = _read_as(tile, s)
    right = (p == tile.pips[0]) + (q == tile.pips[1])
    n["halves"] += right
    n["right"] += right == 2
    n["doubted"] += right == 2 and s.doubtful
    n["silent"] += right < 2 and not s.doubtful


def _spurious(label: Label, extra: list[TileDetection]) -> Iterator[TileDetection]:
    """Those that lie where no tile is, and where nothing speaks against counting them."""
    optional = [sorted(o) for o in label.optional]
    for s in extra:
        if not _counts(s.middle_px, label):
            continue
        if sorted(s.pips) in optional:
            optional.remove(sorted(s.pips))
            continue
        yield s


def _inside(p: Point, rect: tuple[float, ...]) -> bool:
    return rect[0] <= p[0] <= rect[2] and rect[1] <= p[1] <= rect[3]
