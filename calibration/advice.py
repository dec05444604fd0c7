"""What to change about a camera over a table, in words: nearer, straighter, more light, glare at the left."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Image, Lens, Points, Size, as_points
from calibration.plane import USUAL_TILE_MM, Plane

WANTED_PX = 70.0  # long tiles are read well from here on
STEEPEST_DEG = 50.0
EDGE_POINTS = 129  # looked up along each edge of the picture
SAME_MM = 1.0
DARK = 90.0  # of 255: the light parts of a picture that is bright enough are above this
BURNT, GLARE = 250, 0.02  # such pixels show nothing any more; a patch of so much of a third of the picture is glare
THIRDS = ("left", "middle", "right")


def advice(frame: Image, plane: Plane, lens: Lens | None = None, tile_mm: float = USUAL_TILE_MM) -> tuple[str, ...]:
    """Sentences for whoever sets up the camera, from a frame (height, width, 3) of the table; none if it will do."""
    size = (frame.shape[1], frame.shape[0])
    near = _nearer(plane, lens, size, tile_mm)
    return (*_outside(plane, lens, size), *near, *_straighter(plane, lens), *_light(frame))


def tile_px(plane: Plane, lens: Lens | None, size_px: Size, tile_mm: float = USUAL_TILE_MM) -> float:
    """How long a tile looks, in pixels, where it looks shortest in the play area, as far as the picture shows that."""
    places = np.concatenate([_shown_corners(plane, lens, size_px), *_cut_off(plane, lens, size_px).values()])
    if not len(places):
        return float("inf")
    ways = tile_mm / 2 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    ends = plane.to_picture((places[:, None] + ways).reshape(-1, 2), lens).reshape(-1, 4, 2)
    lengths = np.linalg.norm(ends[:, :2] - ends[:, 2:], axis=2)
    return float(lengths.min())


def _outside(plane: Plane, lens: Lens | None, size: Size) -> tuple[str, ...]:
    sides = [side for side, places in _cut_off(plane, lens, size).items() if len(places)]
    return (f"The play area reaches over the picture's edge: {', '.join(sides)}.",) if sides else ()


def _shown_corners(plane: Plane, lens: Lens | None, size: Size) -> Points:
    """The corners of the play area that the picture shows, in millimetres (n, 2): there the way back leads to them."""
    corners = as_points(plane.area_mm)
    pixels = plane.to_picture(corners, lens)
    within = ((pixels >= -1) & (pixels <= size)).all(axis=1) & plane.shown_by(pixels, lens)
    back = np.linalg.norm(plane.to_table(pixels, lens) - corners, axis=1) < SAME_MM
    return np.asarray(corners[within & back], np.float64)


def _cut_off(plane: Plane, lens: Lens | None, size: Size) -> dict[str, Points]:
    """Where each edge of the picture lies in the play area, in millimetres (n, 2).

    Nothing beyond the picture is looked up: what lies behind the camera, or where a bent lens sees nothing, would
    come back into it.
    """
    places = {}
    for side, edge in _edges(size).items():
        on_table = plane.to_table(edge[plane.shown_by(edge, lens)], lens)
        places[side] = on_table[_inside(on_table, plane.area_mm)]
    return places


def _edges(size: Size) -> dict[str, Points]:
    """Pixels just beyond each edge of the picture, (n, 2)."""
    along, (width, height) = np.linspace(0, 1, EDGE_POINTS)[:, None], size
    square = np.array([[-1, -1], [width, -1], [width, height], [-1, height]], np.float64)
    ends = {"left": (0, 3), "top": (0, 1), "right": (1, 2), "bottom": (3, 2)}
    return {side: square[a] + along * (square[b] - square[a]) for side, (a, b) in ends.items()}


def _inside(points: Points, area: ArrayLike) -> NDArray[np.bool_]:
    """Which points (n, 2) lie in an area, by its corners (m, 2), going round; in none where it has none."""
    rim = np.asarray(area, np.float32).reshape(-1, 2)
    within = [len(rim) > 0 and cv2.pointPolygonTest(rim, (float(x), float(y)), False) >= 0 for x, y in points]
    return np.array(within, bool)


def _nearer(plane: Plane, lens: Lens | None, size: Size, tile_mm: float) -> tuple[str, ...]:
    length = tile_px(plane, lens, size, tile_mm)
    if length >= WANTED_PX:
        return ()
    return (f"Nearer, or a larger picture: tiles would be {length:.0f} pixels long and {WANTED_PX:.0f} are needed.",)


def _straighter(plane: Plane, lens: Lens | None) -> tuple[str, ...]:
    if lens is None or plane.viewpoint(lens).tilt_deg <= STEEPEST_DEG:
        return ()
    tilt = plane.viewpoint(lens).tilt_deg
    return (f"Straighter: the camera looks {tilt:.0f} degrees aslant, and below {STEEPEST_DEG:.0f} it reads better.",)


def _light(frame: Image) -> tuple[str, ...]:
    """Too dark, or burnt patches, and where; single bright pixels are none."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)[::2, ::2]
    if np.percentile(grey, 98) < DARK:
        return ("More light: the picture is too dark.",)
    burnt = cv2.erode((grey >= BURNT).astype(np.uint8), np.ones((5, 5), np.uint8))
    shares = [part.mean() for part in np.array_split(burnt, 3, axis=1)]
    sides = [side for side, share in zip(THIRDS, shares, strict=True) if share > GLARE]
    if not sides:
        return ()
    where = (
        "all over"
        if len(sides) == 3
        else " and ".join(f"in the {s}" if s == "middle" else f"at the {s}" for s in sides)
    )
    return (f"Glare {where}: move the lamp, or turn the camera a little.",)
