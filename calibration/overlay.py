"""What a wizard draws on the frame: the outline to fill, what was found, where the picture was covered already."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.lens import Image, Lens, Points, as_points
from calibration.plane import Plane

WANTED, FOUND, COVERED, PLAIN = (60, 200, 255), (80, 220, 80), (90, 160, 60), (255, 255, 255)  # blue, green, red
CELLS = (8, 5)  # across and down: the parts of the picture that are counted as seen
STEP_MM = 50.0  # of the grid that is drawn on a table


class Coverage:
    """Which parts of the picture the sheet's corners have been in."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        self._size = np.array(size_px)
        self.cells = np.zeros(CELLS[::-1], bool)

    def add(self, points_px: ArrayLike) -> None:
        """Count the parts that pixels (n, 2) lie in."""
        columns, rows = np.clip(as_points(points_px) / self._size * CELLS, 0, np.array(CELLS) - 1).astype(int).T
        self.cells[rows, columns] = True

    @property
    def share(self) -> float:
        """The share of the parts that were seen, 0 to 1."""
        return float(self.cells.mean())


def draw_guide(
    frame: Image,
    outline_px: ArrayLike | None = None,
    corners_px: ArrayLike | None = None,
    coverage: Coverage | None = None,
    words: Sequence[str] = (),
) -> Image:
    """A copy of the frame (height, width, 3) with what the guide wants and has; words are written at the top."""
    drawn = frame.copy()
    if coverage is not None:
        _tint(drawn, coverage)
    thick = max(2, frame.shape[1] // 400)
    if outline_px is not None:
        corners = np.round(as_points(outline_px)).astype(np.int32)
        cv2.polylines(drawn, [corners], True, WANTED, 2 * thick, cv2.LINE_AA)
        cv2.circle(drawn, tuple(int(v) for v in corners[0]), 5 * thick, WANTED, -1, cv2.LINE_AA)
    for x, y in np.round(as_points(corners_px if corners_px is not None else [])).astype(int):
        cv2.circle(drawn, (int(x), int(y)), 2 * thick, FOUND, thick, cv2.LINE_AA)
    for line, text in enumerate(words):
        _write(drawn, text, line)
    return drawn


def draw_plane(frame: Image, plane: Plane, lens: Lens | None = None) -> Image:
    """A copy of the frame with the play area and a grid of millimetres on it."""
    drawn, area = frame.copy(), np.array(plane.area_mm).reshape(-1, 2)
    if not len(area):
        return drawn
    low, high = area.min(axis=0), area.max(axis=0)
    for axis in (0, 1):
        for value in np.arange(np.ceil(low[axis] / STEP_MM), np.floor(high[axis] / STEP_MM) + 1) * STEP_MM:
            line = np.linspace(low, high, 60)
            line[:, axis] = value
            inside = [cv2.pointPolygonTest(area.astype(np.float32), (float(x), float(y)), False) >= 0 for x, y in line]
            _polyline(drawn, plane.to_picture(line[inside], lens), COVERED, False)
    rim = np.concatenate([np.linspace(a, b, 20) for a, b in zip(area, np.roll(area, -1, axis=0), strict=True)])
    _polyline(drawn, plane.to_picture(rim, lens), WANTED, True)
    return drawn


def _polyline(drawn: Image, points_px: Points, colour: tuple[int, int, int], closed: bool) -> None:
    if len(points_px) > 1:
        whole = np.clip(np.round(points_px), -20000, 20000).astype(np.int32)
        cv2.polylines(drawn, [whole], closed, colour, max(1, drawn.shape[1] // 640), cv2.LINE_AA)


def _tint(drawn: Image, coverage: Coverage) -> None:
    """Colour the parts of the picture that were seen."""
    height, width = drawn.shape[:2]
    mask = cv2.resize(coverage.cells.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST).astype(bool)
    drawn[mask] = (0.8 * drawn[mask] + 0.2 * np.array(COVERED)).astype(np.uint8)


def _write(drawn: Image, text: str, line: int) -> None:
    """A line of text with a shadow, so that it shows on any table."""
    size = drawn.shape[1] / 1500
    x, y = int(24 * size), int((line + 1) * 42 * size)
    for colour, off in (((0, 0, 0), max(1, round(2 * size))), (PLAIN, 0)):
        place, thick = (x + off, y + off), max(1, round(2 * size))
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
