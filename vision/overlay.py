"""Marks drawn on a picture: what was read, what is doubted, where the faults lie, and a legend below that explains."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.inventory import piece_lines
from vision.piece_marks import PIECE, mark_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from rules.game import Problem, Verdict
    from vision.reconstruct import Rebuilt
    from vision.scene import Point, Scene, TileDetection

    Frame = NDArray[np.uint8]

Color = tuple[int, int, int]

SURE: Color = (96, 214, 70)
DOUBT: Color = (0, 176, 255)
BACK: Color = (232, 190, 120)
FAULT: Color = (60, 60, 240)
DARK: Color = (30, 26, 24)
LIGHT: Color = (245, 245, 245)

_TINT = 0.35
_FARTHEST_PX = 1e5
_LEAST_TEXT_PX = 9
_TEXT_SHARE = 40
_NO_WRAP = (0, 1 << 20)


class LegendLine(NamedTuple):
    """One line below the picture: the colour it explains, the words, and what stands in the dot of that colour."""

    color: Color
    text: str
    mark: str = ""


def draw_reading(frame: Frame, scene: Scene) -> Frame:
    """Show what was read: green is sure, amber with "?" is doubted, hatched lies face down, "*" is what the set mended.

    frame: the BGR picture that the scene was read from. Returns a new one, with a legend added below:
    pixels keep their places.
    """
    canvas = frame.copy()
    _outline_tiles(canvas, scene.tiles)
    _number_tiles(canvas, scene.tiles)
    mark_pieces(canvas, scene)
    return _with_legend(canvas, _reading_legend(scene))


def draw_faults(frame: Frame, scene: Scene, rebuilt: Rebuilt, verdict: Verdict) -> Frame:
    """Show where a position is wrong: each fault is a red area with the number of its sentence below.

    frame: the BGR picture that the scene was read from. Returns a new one, with the sentences added below.
    """
    canvas = frame.copy()
    areas = [_quads(problem, rebuilt) for problem in verdict.problems]
    _tint(canvas, [quad for area in areas for quad in area], FAULT)
    _outline_tiles(canvas, scene.tiles)
    unit = _unit_px(canvas, scene.tiles)
    for quad in (quad for area in areas for quad in area):
        _outline(canvas, quad, unit, FAULT)
    _number_tiles(canvas, scene.tiles)
    _number_areas(canvas, areas, unit)
    return _with_legend(canvas, _verdict_legend(verdict))


def _reading_legend(scene: Scene) -> list[LegendLine]:
    """Return a line for each kind of tile and piece that the picture shows."""
    tiles = scene.tiles
    up = [tile for tile in tiles if tile.face_up]
    doubted = sum(tile.doubtful for tile in up)
    counts = (
        (SURE, len(up) - doubted, "read"),
        (DOUBT, doubted, "doubtful"),
        (BACK, len(tiles) - len(up), "face down"),
    )
    lines = [LegendLine(color, f"{count} {word}") for color, count, word in counts if count]
    lines += [LegendLine(_color(tile), tile.why, "*") for tile in up if tile.changed_from]
    lines += [LegendLine(PIECE, text) for text in piece_lines(scene)]
    return lines or [LegendLine(LIGHT, "no dominoes found")]


def _verdict_legend(verdict: Verdict) -> list[LegendLine]:
    """Return the verdict's line, then one for each fault under its number and one for each doubt."""
    color = {"solved": SURE, "unsolved": FAULT, "undecided": DOUBT}[verdict.state]
    faults = [LegendLine(FAULT, problem.text, str(number)) for number, problem in enumerate(verdict.problems, 1)]
    notes = [LegendLine(DOUBT, note.text, "?") for note in verdict.notes]
    return [LegendLine(color, "not solved" if verdict.state == "unsolved" else verdict.state), *faults, *notes]


def _quads(problem: Problem, rebuilt: Rebuilt) -> list[tuple[Point, ...]]:
    """Return where the cells that a fault is about show in the picture."""
    return [quad for cell in problem.cells if (quad := _drawable(rebuilt.quad_px(cell)))]


def _unit_px(canvas: Frame, tiles: Sequence[TileDetection]) -> float:
    """Return the length of half a tile as most tiles show it, a share of the picture where there is none."""
    spans = [math.dist(*tile.centers_px) for tile in tiles]
    return median(spans) if spans else max(canvas.shape) / 25


def _stroke(unit_px: float) -> int:
    return max(1, round(unit_px / 22))


def _outline_tiles(canvas: Frame, tiles: Sequence[TileDetection]) -> None:
    for tile in tiles:
        if not tile.face_up:
            _hatch(canvas, tile.corners_px, math.dist(*tile.centers_px), _color(tile))
        _outline(canvas, tile.corners_px, math.dist(*tile.centers_px), _color(tile))


def _number_tiles(canvas: Frame, tiles: Sequence[TileDetection]) -> None:
    """Write all numbers after the last outline is drawn: tiles that touch would cut into each other's."""
    for tile in tiles:
        unit = math.dist(*tile.centers_px)
        if tile.face_up:
            _draw_numbers(canvas, tile, unit)
        elif tile.doubtful:
            _badge(canvas, _middle(tile.centers_px), "?", unit, DOUBT)


def _color(tile: TileDetection) -> Color:
    return DOUBT if tile.doubtful else SURE if tile.face_up else BACK


def _draw_numbers(canvas: Frame, tile: TileDetection, unit_px: float) -> None:
    """Write each half's number near the half's lower right corner, where it hides the fewest pips."""
    head_left, head_right, tail_right, tail_left = tile.corners_px
    waist = (_middle((head_left, tail_left)), _middle((head_right, tail_right)))
    halves = ((head_left, head_right, *waist), (tail_left, tail_right, *waist))
    was_back = tile.changed_from == tile.pips
    before = (None, None) if was_back else tile.changed_from or tile.pips
    for center, corners, pips, was in zip(tile.centers_px, halves, tile.pips, before, strict=True):
        corner = max(corners, key=lambda point: (round(point[0] + point[1]), point[0]))
        at = (center[0] + 0.55 * (corner[0] - center[0]), center[1] + 0.55 * (corner[1] - center[1]))
        text = f"{pips}{'*' if was != pips else ''}{'?' if tile.doubtful else ''}"
        _badge(canvas, at, text, unit_px, _color(tile))


def _middle(points: Sequence[Point]) -> Point:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _drawable(quad: Iterable[Point]) -> tuple[Point, ...]:
    """Return a quad that lies near enough to be drawn, else nothing: a plane seen edge on has cells at infinity."""
    points = tuple((float(x), float(y)) for x, y in quad)
    near = all(math.isfinite(v) and abs(v) < _FARTHEST_PX for point in points for v in point)
    return points if near else ()


def _polygon(points: Iterable[Point]) -> NDArray[np.int32]:
    return np.array([[round(x), round(y)] for x, y in points], np.int32).reshape(-1, 1, 2)


def _outline(canvas: Frame, corners: Sequence[Point], unit_px: float, color: Color) -> None:
    """Draw a closed line with a dark rim, so that it shows on white tiles and on black ones."""
    polygon, stroke = _polygon(corners), _stroke(unit_px)
    cv2.polylines(canvas, [polygon], True, DARK, stroke + 2, cv2.LINE_AA)
    cv2.polylines(canvas, [polygon], True, color, stroke, cv2.LINE_AA)


def _tint(canvas: Frame, quads: Sequence[Sequence[Point]], color: Color) -> None:
    layer = canvas.copy()
    for quad in quads:
        cv2.fillPoly(layer, [_polygon(quad)], color, cv2.LINE_AA)
    cv2.addWeighted(layer, _TINT, canvas, 1 - _TINT, 0, dst=canvas)


def _number_areas(canvas: Frame, areas: Sequence[Sequence[Sequence[Point]]], unit_px: float) -> None:
    """Write each fault's number where it belongs; numbers that fall on one place stand side by side."""
    taken: dict[tuple[int, int], int] = {}
    for number, area in enumerate(areas, 1):
        if area:
            x, y = _anchor(area, unit_px)
            place = taken.setdefault((round(x), round(y)), 0)
            taken[round(x), round(y)] += 1
            _badge(canvas, (x + 0.5 * place * unit_px, y), str(number), unit_px, FAULT, LIGHT)


def _anchor(area: Sequence[Sequence[Point]], unit_px: float) -> Point:
    """Return where an area's number goes: between two neighbours, where a cliff is, else on its first cell.

    Always a little up and to the left, away from the tiles' own numbers.
    """
    first, *others = map(_middle, area)
    if len(others) == 1 and math.dist(first, others[0]) < 1.4 * unit_px:
        first = _middle((first, others[0]))
    return (first[0] - 0.2 * unit_px, first[1] - 0.25 * unit_px)


def _hatch(canvas: Frame, corners: Sequence[Point], unit_px: float, color: Color) -> None:
    """Fill a tile with slanting lines."""
    left, top, width, height = cv2.boundingRect(_polygon(corners))
    right, bottom = min(left + width, canvas.shape[1]), min(top + height, canvas.shape[0])
    left, top = max(left, 0), max(top, 0)
    if right <= left or bottom <= top:
        return
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(inside, [_polygon(corners) - (left, top)], 255)
    rows, columns = np.indices(inside.shape)
    step = max(4, round(unit_px / 4))
    lines = (rows + columns) % step < _stroke(unit_px) + 1
    canvas[top:bottom, left:right][lines & (inside > 0)] = color


def _badge(canvas: Frame, at: Point, text: str, unit_px: float, color: Color, ink: Color = DARK) -> None:
    """Write a word on a round-ended patch of colour with its middle at that point."""
    size = max(_LEAST_TEXT_PX, round(min(unit_px * 0.34, max(canvas.shape) / _TEXT_SHARE)))
    width, height = _text_width(text, size, 700), size * 0.72
    half = max(0, round((width - height) / 2))
    x, y = round(at[0]), round(at[1])
    for swell, fill in ((2, DARK), (0, color)):
        thickness = round(size * 1.12) + 2 * swell
        cv2.line(canvas, (x - half, y), (x + half, y), fill, thickness, cv2.LINE_AA)
    _write(canvas, text, (x - width // 2, y + round(height / 2)), size, ink, 700)


def _write(canvas: Frame, text: str, at: tuple[int, int], size: int, ink: Color, weight: int) -> None:
    cv2.putText(canvas, text, at, ink, cv2.FontFace("sans"), size, weight, wrap=_NO_WRAP)


def _text_width(text: str, size: int, weight: int) -> int:
    """Return how many pixels wide a line of text is written."""
    font = cv2.FontFace("sans")
    return int(cv2.getTextSize((0, 0), text, (0, 0), font, size, weight, wrap=_NO_WRAP)[2])


def _with_legend(canvas: Frame, lines: Iterable[LegendLine]) -> Frame:
    """Return the picture with a dark strip below it that explains the colours in words."""
    width = canvas.shape[1]
    size = min(40, max(11, round(width / 55)))
    pitch, indent = round(size * 1.6), size * 2
    rows = [row for line in lines for row in _wrapped(line, width - indent - size, size)]
    strip = np.full((pitch * len(rows) + size, width, 3), DARK, np.uint8)
    for number, (color, text, mark) in enumerate(rows):
        base = size // 2 + pitch * number + round(size * 1.1)
        _badge(strip, (size, base - round(size * 0.36)), mark, size * 2.4, color, LIGHT if color == FAULT else DARK)
        _write(strip, text, (indent, base), size, LIGHT, 400)
    return np.vstack([canvas, strip])


def _wrapped(line: LegendLine, width_px: int, size: int) -> list[LegendLine]:
    """Return the lines that a sentence takes; those after the first stand beside no dot."""
    lines = [""]
    for word in line.text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _text_width(longer, size, 400) > width_px:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line._replace(text=lines[0]), *(LegendLine(DARK, text) for text in lines[1:])]
