"""Things with dots, holes or panes that are no dominoes and no dice: buttons, bricks, cards, keys, phones, biscuits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens
from training.placing import room
from training.sets import Color, Face, dimmed, random_color, tinted
from training.solids import Box, Points, Solid, paint_face, paint_sides

Rng = np.random.Generator
Image = NDArray[np.uint8]
Place = tuple[int, int]

PX = 56  # pixels a half of the flat pictures
MANY = 4, 8  # columns: fewer dots in rows are as on a die, and would rightly be taken for one
SIGNS = "0123456789+-x=.%ABCDEFGHKLMN"
WORDS = "tab", "shift", "enter", "esc", "delete", "ctrl", "alt", "fn", "F5", "<", ">", "home", "return", "caps"
SUITS = "hearts", "diamonds", "spades", "clubs"
RANKS = (
    ((0, 0),),
    ((0, -3), (0, 3)),
    ((0, -3), (0, 0), (0, 3)),
    ((-1, -3), (1, -3), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (0, 0), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (-1, 0), (1, 0), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (0, -1.5), (-1, 0), (1, 0), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (0, -1.5), (-1, 0), (1, 0), (0, 1.5), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1), (-1, 3), (1, 3)),
    ((-1, -3), (1, -3), (0, -2), (-1, -1), (1, -1), (-1, 1), (1, 1), (0, 2), (-1, 3), (1, 3)),
)
"""Where the suit stands on cards of each rank: columns and rows from the middle."""


@dataclass(frozen=True)
class Lookalike:
    """One such thing: how it looks from above, its size in halves along and across, its height, and its sides."""

    face: Face
    along: float
    across: float
    height: float
    side: Color


Drawn = Callable[[Rng], Lookalike]


def lay_lookalikes(
    rng: Rng, lens: Lens, light_deg: float, span: float, count: int, taken: Sequence[Box]
) -> list[Solid]:
    """Up to so many things of one or two kinds where nothing else stands."""
    kinds = [KINDS[int(k)] for k in rng.permutation(len(KINDS))[: 1 + int(rng.random() < 0.4)]]
    alike = [kind(rng) for kind in kinds] if rng.random() < 0.5 else []
    boxes, laid = list(taken), list[Solid]()
    for _ in range(count):
        k = int(rng.integers(0, len(kinds)))
        thing = alike[k] if alike else kinds[k](rng)
        x, y = (float(v) for v in rng.uniform(-span, span, 2))
        turn = float(rng.choice([0.0, rng.uniform(0, 360)]))
        box = Box(x, y, thing.along, thing.across, turn, thing.height)
        if room(box, boxes):
            boxes.append(box)
            laid.append(_standing(thing, box, lens, light_deg))
    return laid


def _standing(thing: Lookalike, box: Box, lens: Lens, light_deg: float) -> Solid:
    top = lens.project(box.top)
    round_ = not thing.face.alpha[0, 0]
    outlines = (_oval(box.foot), _oval(box.top)) if round_ else (box.foot, box.top)

    def paint(image: Image) -> None:
        if not round_:
            paint_sides(image, lens, box, thing.side, light_deg)
        paint_face(image, thing.face, top)

    return Solid(box.x, box.y, box.z0, (outlines,), (top,), paint)


def _oval(corners: Points) -> Points:
    """The oval that touches the sides of a rectangle (4, 3)."""
    a = np.linspace(0, 2 * np.pi, 20, endpoint=False)[:, None]
    middle, along, across = corners.mean(0), (corners[3] - corners[0]) / 2, (corners[1] - corners[0]) / 2
    return np.asarray(middle + np.cos(a) * along + np.sin(a) * across)


class _Sheet:
    """A flat picture that is drawn on in halves, from its upper left corner."""

    def __init__(self, along: float, across: float, color: Color) -> None:
        self.along, self.across = along, across
        self.image = np.empty((max(8, int(2 * across * PX)), max(8, int(2 * along * PX)), 3), np.uint8)
        self.image[:] = np.clip(color, 0, 255)

    def spot(self, x: float, y: float, radius: float, color: Color, thick: float = 0.0) -> None:
        """A disc, or a ring of some thickness."""
        line = max(1, int(thick * PX)) if thick else -1
        cv2.circle(self.image, self._at(x, y), max(1, int(radius * PX)), color, line, cv2.LINE_AA)

    def box(self, x: float, y: float, wide: float, high: float, color: Color, corner: float = 0.25) -> None:
        """A rectangle with rounded corners about a place; corner: their radius by its narrower side."""
        r = corner * min(wide, high)
        for dx, dy in ((wide / 2, high / 2 - r), (wide / 2 - r, high / 2)):
            cv2.rectangle(self.image, self._at(x - dx, y - dy), self._at(x + dx, y + dy), color, -1)
        for sx, sy in ((-1, -1), (-1, 1), (1, -1), (1, 1)) if r else ():
            self.spot(x + sx * (wide / 2 - r), y + sy * (high / 2 - r), r, color)

    def shape(self, x: float, y: float, outline: Points, color: Color) -> None:
        """A filled outline about a place."""
        points = np.round((outline + [x, y]) * PX).astype(np.int32)
        cv2.fillPoly(self.image, [points], color, cv2.LINE_AA)

    def word(self, x: float, y: float, text: str, high: float, color: Color) -> None:
        """A word that begins at a place."""
        cv2.putText(self.image, text, self._at(x, y), 0, high * PX / 22, color, max(1, int(high * 4)), cv2.LINE_AA)

    def _at(self, x: float, y: float) -> Place:
        return int(round(x * PX)), int(round(y * PX))

    def cut(self, height: float, side: Color, oval: bool = False) -> Lookalike:
        """What was drawn, as a thing of some height."""
        alpha = np.full(self.image.shape[:2], 0 if oval else 255, np.uint8)
        if oval:
            h, w = alpha.shape
            cv2.ellipse(alpha, (w // 2, h // 2), (w // 2 - 1, h // 2 - 1), 0, 0, 360, 255, -1, cv2.LINE_AA)
        return Lookalike(Face(self.image, alpha, ()), self.along, self.across, height, side)


def _any_color(rng: Rng) -> Color:
    level = float(rng.uniform(15, 245))
    return random_color(rng) if rng.random() < 0.5 else tinted(rng, (level, level, level), 8)


def _white(rng: Rng) -> Color:
    level = float(rng.uniform(195, 250))
    return tinted(rng, (level, level, level), 8)


def _raised(sheet: _Sheet, x: float, y: float, radius: float, color: Color, way_deg: float) -> None:
    """A stud or a pill: a disc lit from one side, with a shadow on the other."""
    dx, dy = 0.18 * radius * np.cos(np.deg2rad(way_deg)), 0.18 * radius * np.sin(np.deg2rad(way_deg))
    sheet.spot(x - dx, y - dy, 1.08 * radius, dimmed(color, 0.55))
    sheet.spot(x + dx / 2, y + dy / 2, radius, dimmed(color, 1.25))
    sheet.spot(x, y, 0.88 * radius, color)


def _holes(sheet: _Sheet, rng: Rng, count: int, color: Color) -> None:
    """Two, three or four holes about the middle, sewn on with a thread now and then."""
    far, radius = sheet.along * float(rng.uniform(0.25, 0.42)), sheet.along * float(rng.uniform(0.09, 0.17))
    turns = [2 * np.pi * k / count + np.pi / 4 for k in range(count)]
    places = [(sheet.along + far * np.cos(a), sheet.across + far * np.sin(a)) for a in turns]
    for x, y in places:
        sheet.spot(x, y, radius, color)
    if rng.random() < 0.2:
        for (ax, ay), (bx, by) in zip(places, places[count // 2 :], strict=False):
            line = np.array([[ax, ay], [bx, by], [bx + 0.04, by + 0.04], [ax + 0.04, ay + 0.04]])
            sheet.shape(0, 0, line, _any_color(rng))


def _button(rng: Rng) -> Lookalike:
    size, color = float(rng.uniform(0.3, 0.8)), _any_color(rng)
    sheet, oval = _Sheet(size, size, color), bool(rng.random() < 0.93)
    rim = float(rng.uniform(0.6, 0.85))
    if rng.random() < 0.7:
        sheet.spot(size, size, rim * size, dimmed(color, float(rng.uniform(0.65, 0.95))), 0.12 * size)
    dark = dimmed(color, 0.2) if rng.random() < 0.8 else _any_color(rng)
    _holes(sheet, rng, int(rng.choice([2, 3, 4], p=[0.35, 0.05, 0.6])), dark)
    return sheet.cut(float(rng.uniform(0.05, 0.2)), dimmed(color, 0.7), oval)


def _brick(rng: Rng) -> Lookalike:
    rows, columns = ((1, 2), (2, 2), (2, 3), (2, 4), (2, 4), (1, 4), (2, 6), (1, 1))[int(rng.integers(0, 8))]
    pitch, color, way = float(rng.uniform(0.3, 0.65)), _any_color(rng), float(rng.uniform(0, 360))
    sheet = _Sheet(columns * pitch / 2, rows * pitch / 2, color)
    for k in range(rows * columns):
        x, y = (k % columns + 0.5) * pitch, (k // columns + 0.5) * pitch
        _raised(sheet, x, y, 0.31 * pitch, color, way)
    return sheet.cut(pitch * float(rng.choice([0.4, 1.2])), dimmed(color, 0.75))


def _suit(suit: str, size: float) -> list[Points]:
    """The outlines of a suit's symbol about its middle, in halves."""
    a = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc = np.column_stack([np.cos(a), np.sin(a)])
    heart = np.column_stack(
        [
            np.sin(a) ** 3,
            -(13 * np.cos(a) - 5 * np.cos(2 * a) - 2 * np.cos(3 * a) - np.cos(4 * a)) / 16,
        ]
    )
    stem = np.array([[0, 0.1], [0.35, 1.05], [-0.35, 1.05]])
    parts = {
        "hearts": [heart],
        "diamonds": [np.array([[0, -1.1], [0.8, 0], [0, 1.1], [-0.8, 0]])],
        "spades": [heart * [1, -1], stem],
        "clubs": [0.45 * disc + at for at in ([0, -0.5], [-0.5, 0.15], [0.5, 0.15])] + [stem],
    }
    return [size * part for part in parts[suit]]


def _playing_card(rng: Rng) -> Lookalike:
    high = float(rng.uniform(1.6, 2.6))
    sheet = _Sheet(high * 0.7, high, _white(rng))
    suit, rank = str(rng.choice(SUITS)), int(rng.integers(0, len(RANKS)))
    ink: Color = (30.0, 25.0, 200.0) if suit in SUITS[:2] else (25.0, 25.0, 25.0)
    x, y, size = sheet.along, sheet.across, 0.16 * high * float(rng.uniform(0.8, 1.1))
    for column, row in RANKS[rank]:
        for part in _suit(suit, size):
            shown = part if row <= 0 else part * [1, -1]
            sheet.shape(x + column * 0.33 * high, y + row * 0.23 * high, shown, ink)
    for end in (-1, 1):
        for part in _suit(suit, 0.35 * size):
            sheet.shape(x + end * 0.58 * high, y + end * 0.72 * high, part * end, ink)
    sheet.word(0.04 * high, 0.2 * high, "A2345678910"[rank], 0.14 * high, ink)
    return sheet.cut(0.01, _white(rng))


def _blister(rng: Rng) -> Lookalike:
    rows, columns, pitch = int(rng.integers(1, 4)), int(rng.integers(*MANY)), float(rng.uniform(0.45, 0.8))
    level, way = float(rng.uniform(140, 215)), float(rng.uniform(0, 360))
    foil, pill = tinted(rng, (level, level, level), 6), _white(rng) if rng.random() < 0.6 else random_color(rng)
    sheet = _Sheet((columns + 0.4) * pitch / 2, (rows + 0.4) * pitch / 2, foil)
    for k in range(rows * columns):
        x, y = (k % columns + 0.7) * pitch, (k // columns + 0.7) * pitch
        taken = rng.random() < 0.2
        _raised(sheet, x, y, 0.36 * pitch, dimmed(foil, 0.5) if taken else pill, way)
    return sheet.cut(0.1, dimmed(foil, 0.8))


def _holed_board(rng: Rng) -> Lookalike:
    """Four in a row, an egg box, a paint box, a baking tin: round places in rows, discs of two colours in some."""
    rows, columns = int(rng.integers(1, 7)), int(rng.integers(*MANY))
    pitch, color = float(rng.uniform(0.35, 0.8)), _any_color(rng)
    colors, empty = (_any_color(rng), _any_color(rng)), dimmed(color, float(rng.uniform(0.2, 0.7)))
    sheet = _Sheet((columns + 0.3) * pitch / 2, (rows + 0.3) * pitch / 2, color)
    filled, radius = float(rng.uniform(0, 1)), float(rng.uniform(0.28, 0.46)) * pitch
    for k in range(rows * columns):
        x, y = (k % columns + 0.65) * pitch, (k // columns + 0.65) * pitch
        sheet.spot(x, y, 1.08 * radius, dimmed(color, 0.75))
        sheet.spot(x, y, radius, colors[int(rng.integers(0, 2))] if rng.random() < filled else empty)
    return sheet.cut(float(rng.uniform(0.05, 0.6)), dimmed(color, 0.75))


def _keys(rng: Rng) -> Lookalike:
    """A remote control, a calculator, a keyboard: keys in rows with signs on them."""
    rows, columns = int(rng.integers(3, 10)), int(rng.integers(2, 6))
    pitch, body = float(rng.uniform(0.3, 0.65)), _any_color(rng)
    sheet = _Sheet((rows + 0.5) * pitch / 2, (columns + 0.4) * pitch / 2, body)
    key, other, ink = _any_color(rng), _any_color(rng), _any_color(rng)
    round_, square, way = rng.random() < 0.4, float(rng.uniform(0.6, 0.9)) * pitch, float(rng.uniform(0, 2 * np.pi))
    for k in range(rows * columns):
        x, y = (k % rows + 0.75) * pitch, (k // rows + 0.7) * pitch
        color = other if rng.random() < 0.15 else key
        if round_:
            sheet.spot(x, y, 0.38 * pitch, color)
        else:
            for part, light, to in ((1.06, 0.6, -0.04), (1.0, 1.15, 0.0), (0.82, 1.0, 0.0)):  # a shadow, edges, the top
                dx, dy = to * pitch * np.cos(way), to * pitch * np.sin(way)
                sheet.box(x + dx, y + dy, part * square, part * square, dimmed(color, light))
        if rng.random() < 0.85:
            sign = SIGNS[int(rng.integers(0, len(SIGNS)))]
            sheet.word(x - 0.13 * pitch, y + 0.13 * pitch, sign, float(rng.uniform(0.2, 0.36)) * pitch, ink)
    return sheet.cut(float(rng.uniform(0.1, 0.5)), dimmed(body, 0.7))


def _keyboard(rng: Rng) -> Lookalike:
    """A computer's keyboard: rows out of step, some keys wider, signs in their corners or middles."""
    rows, columns, pitch = int(rng.integers(1, 7)), int(rng.integers(3, 15)), float(np.exp(rng.uniform(-1, 0.6)))
    body, key, ink = _any_color(rng), _any_color(rng), _any_color(rng)
    sheet = _Sheet(columns * pitch / 2, rows * pitch / 2, body)
    side, corner = (1 - float(rng.uniform(0.05, 0.25))) * pitch, float(rng.uniform(0.02, 0.25))
    high, cornered, edge = float(rng.uniform(0.12, 0.3)) * pitch, rng.random() < 0.4, float(rng.uniform(0.5, 1.4))
    for row in range(rows):
        left = 0.0
        while left < columns:
            wide = float(rng.choice([1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 5.0], p=[0.8, 0.04, 0.05, 0.04, 0.04, 0.02, 0.01]))
            x, y, long = (left + wide / 2) * pitch, (row + 0.5) * pitch, side + (wide - 1) * pitch
            sheet.box(x, y, long, side, dimmed(key, edge), corner)
            sheet.box(x, y, long - 0.05 * pitch, side - 0.05 * pitch, key, corner)
            if rng.random() < 0.9:
                text = str(rng.choice(WORDS)) if wide > 1 or rng.random() < 0.05 else str(rng.choice(list(SIGNS)))
                dx, dy = (-0.42 * long, -0.15 * side) if cornered else (-0.3 * high * len(text), 0.4 * high)
                sheet.word(x + dx, y + dy, text, high, ink)
            left += wide
    return sheet.cut(float(rng.uniform(0.02, 0.3)), dimmed(body, 0.7))


def _panes(rng: Rng) -> Lookalike:
    """A bar of chocolate, a window, a tray, a wall: rectangles side by side, raised or sunk, in step or not."""
    rows, columns = int(rng.integers(1, 7)), int(rng.integers(1, 8))
    wide = float(np.exp(rng.uniform(-0.7, 0.9)))
    high = wide * float(rng.uniform(0.35, 1.0))
    color, frame = _any_color(rng), _any_color(rng)
    frame = frame if rng.random() < 0.4 else dimmed(color, float(rng.uniform(0.4, 1.5)))
    sheet, gap = _Sheet(columns * wide / 2, rows * high / 2, frame), float(rng.uniform(0.03, 0.25)) * high
    step, bevel = float(rng.choice([0.0, 0.5], p=[0.7, 0.3])), float(rng.choice([0.0, rng.uniform(0.04, 0.2)]))
    light, dark = float(rng.uniform(0.5, 1.5)), float(rng.uniform(0.5, 1.5))
    marked, ink = rng.random() < 0.3, _any_color(rng)
    for row in range(rows):
        for column in range(-1, columns + 1):
            x, y = (column + 0.5 + step * (row % 2)) * wide, (row + 0.5) * high
            own = dimmed(color, float(rng.uniform(0.9, 1.1)))
            a, b = (wide - gap) / 2, (high - gap) / 2
            sheet.shape(x, y, np.array([[-a, b], [-a, -b], [a, -b]]), dimmed(own, light))
            sheet.shape(x, y, np.array([[-a, b], [a, b], [a, -b]]), dimmed(own, dark))
            rim = max(bevel * high, 0.01)
            sheet.box(x, y, 2 * (a - rim), 2 * (b - rim), own, 0.05)
            if marked:
                sheet.word(x - 0.5 * a, y + 0.3 * b, str(rng.choice(WORDS)), 0.4 * b, ink)
    return sheet.cut(float(rng.choice([0.0, rng.uniform(0.02, 0.5)])), dimmed(frame, 0.7))


def _phone(rng: Rng) -> Lookalike:
    """A phone, a tablet, a box: a screen with signs in rows, or a back with lenses in a corner."""
    along = float(np.exp(rng.uniform(0, 1.4)))
    across, body = along * float(rng.uniform(0.42, 0.75)), _any_color(rng)
    sheet, rim = _Sheet(along, across, body), float(rng.uniform(0.02, 0.12)) * across
    if rng.random() < 0.5:
        sheet.box(along, across, 2 * (along - rim), 2 * (across - rim), _any_color(rng), 0.1)
        pitch, shown = float(rng.uniform(0.3, 0.6)) * across, float(rng.uniform(0, 1))
        for x in np.arange(3 * rim + pitch / 2, 2 * along - pitch / 2, pitch):
            for y in np.arange(3 * rim + pitch / 2, 2 * across - pitch / 2, pitch):
                if rng.random() < shown:
                    sheet.box(float(x), float(y), 0.6 * pitch, 0.6 * pitch, _any_color(rng))
    else:
        size = float(rng.uniform(0.25, 0.5)) * across
        x, y = 1.3 * size, float(rng.choice([1.3 * size, across, 2 * across - 1.3 * size]))
        sheet.box(x, y, 2 * size, 2 * size, dimmed(body, float(rng.uniform(0.6, 1.3))))
        for dx, dy in ((-0.45, -0.45), (0.45, 0.45), (0.45, -0.45), (-0.45, 0.45))[: int(rng.integers(1, 5))]:
            sheet.spot(x + dx * size, y + dy * size, 0.35 * size, dimmed(body, 0.25))
            sheet.spot(x + dx * size, y + dy * size, 0.15 * size, dimmed(body, 0.6))
        if rng.random() < 0.5:  # whose it is
            sheet.spot(
                along, across, float(rng.uniform(0.08, 0.25)) * across, dimmed(body, float(rng.uniform(0.5, 1.5)))
            )
    if rng.random() < 0.3:
        sheet.word(along, across, str(rng.choice(WORDS)), float(rng.uniform(0.1, 0.3)) * across, _any_color(rng))
    return sheet.cut(float(rng.uniform(0.05, 0.3)), dimmed(body, 0.7))


def _printed_page(rng: Rng) -> Lookalike:
    """A label, a business card, a page of a book: lines of words, some large, a code of bars, a picture."""
    along, across = (float(v) for v in rng.uniform(0.6, 2.4, 2))
    paper, ink = _white(rng) if rng.random() < 0.6 else _any_color(rng), _any_color(rng)
    sheet, y = _Sheet(along, across, paper), float(rng.uniform(0.1, 0.4))
    while y < 2 * across:
        high, x = float(rng.choice([rng.uniform(0.06, 0.15), rng.uniform(0.15, 0.5)], p=[0.7, 0.3])), 0.1
        kind = rng.random()
        while x < 2 * along - high:
            if kind < 0.15:  # a code of bars
                wide = float(rng.uniform(0.02, 0.08))
                sheet.box(x, y, wide, 2 * high, ink, 0.0)
                x += wide + float(rng.uniform(0.02, 0.08))
            elif kind < 0.25:
                wide = float(rng.uniform(0.2, 1.0))
                sheet.box(x + wide / 2, y, wide, 1.5 * high, _any_color(rng), 0.0)
                x += wide + 0.1
            else:
                text = "".join(rng.choice(list(SIGNS), int(rng.integers(1, 9))))
                sheet.word(x, y + high / 2, text, high, ink)
                x += 0.8 * high * (len(text) + 1)
        y += float(rng.uniform(1.4, 2.5)) * high
    return sheet.cut(float(rng.choice([0.01, rng.uniform(0.05, 0.5)])), dimmed(paper, 0.7))


def _sockets(rng: Rng) -> Lookalike:
    """A plug's sockets in a row, two or three holes in each."""
    count, size, color = int(rng.integers(1, 6)), float(rng.uniform(0.5, 1.1)), _any_color(rng)
    sheet = _Sheet(count * size, size, color)
    holes, far = 2 + int(count > 1 and rng.random() < 0.5), float(rng.uniform(0.2, 0.4)) * size
    turn, dark, round_ = float(rng.uniform(0, np.pi)), dimmed(color, 0.15), count == 1 or rng.random() < 0.6
    for k in range(count):
        x = (2 * k + 1) * size
        if round_:
            sheet.spot(x, size, 0.85 * size, dimmed(color, 0.85))
        for n in range(holes):
            a = turn + 2 * np.pi * n / holes
            sheet.spot(x + far * np.cos(a), size + far * np.sin(a), 0.1 * size, dark)
    return sheet.cut(float(rng.uniform(0.1, 0.6)), dimmed(color, 0.75))


def _biscuit(rng: Rng) -> Lookalike:
    along = float(rng.uniform(0.5, 1.4))
    oval = bool(rng.random() < 0.5)
    across = along if oval else along * float(rng.uniform(0.45, 1.0))
    crust = tinted(rng, (95.0, 150.0, 200.0), 25)
    sheet, dark = _Sheet(along, across, crust), dimmed(crust, float(rng.uniform(0.2, 0.65)))
    rows, columns = int(rng.integers(2, 5)), int(rng.integers(*MANY))
    for k in range(rows * columns):
        x, y = (k % columns + 0.5) / columns * 2 * along, (k // columns + 0.5) / rows * 2 * across
        dx, dy = rng.normal(0, 0.15 if oval else 0.02, 2)
        sheet.spot(x + dx, y + dy, float(rng.uniform(0.05, 0.1)) * along, dark)
    return sheet.cut(0.12, dimmed(crust, 0.6), oval)


def _stamp_card(rng: Rng) -> Lookalike:
    """A card with circles in rows, some of them stamped, as shops give away."""
    rows, columns, pitch = int(rng.integers(1, 5)), int(rng.integers(*MANY)), float(rng.uniform(0.4, 0.8))
    paper = _white(rng) if rng.random() < 0.6 else _any_color(rng)
    sheet, ink = _Sheet((columns + 0.4) * pitch / 2, (rows + 0.4) * pitch / 2, paper), _any_color(rng)
    stamped = float(rng.uniform(0, 1))
    for k in range(rows * columns):
        x, y = (k % columns + 0.7) * pitch, (k // columns + 0.7) * pitch
        sheet.spot(x, y, 0.36 * pitch, ink, 0.0 if rng.random() < stamped else 0.06 * pitch)
    return sheet.cut(0.01, paper)


def _dotted(rng: Rng) -> Lookalike:
    """A piece of cloth, a ladybird, a beaded strap: dots in rows or anywhere on one colour."""
    along, across = (float(v) for v in rng.uniform(0.8, 2.2, 2))
    ground, ink = _any_color(rng), _any_color(rng)
    sheet, pitch = _Sheet(along, across, ground), float(rng.uniform(0.25, 0.9))
    radius, in_rows = pitch * float(rng.uniform(0.12, 0.35)), rng.random() < 0.7
    for x in np.arange(pitch / 2, 2 * along, pitch):
        for row, y in enumerate(np.arange(pitch / 2, 2 * across, pitch)):
            dx, dy = (pitch / 2 * (row % 2), 0.0) if in_rows else rng.normal(0, 0.3 * pitch, 2)
            sheet.spot(float(x + dx), float(y + dy), radius, ink)
    return sheet.cut(float(rng.choice([0.0, 0.15])), dimmed(ground, 0.7), bool(rng.random() < 0.3))


KINDS: tuple[Drawn, ...] = (
    _button,
    _brick,
    _playing_card,
    _blister,
    _holed_board,
    _keys,
    _keyboard,
    _panes,
    _phone,
    _printed_page,
    _sockets,
    _biscuit,
    _stamp_card,
    _dotted,
)
