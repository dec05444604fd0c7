"""What to change about a camera over a table, in words: nearer, straighter, more light, glare at the left."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import Image, Lens, Size, as_points
from calibration.plane import USUAL_TILE_MM, Plane

WANTED_PX = 70.0  # long tiles are read well from here on
STEEPEST_DEG = 50.0
DARK = 90.0  # of 255: the light parts of a picture that is bright enough are above this
BURNT, GLARE = 250, 0.02  # such pixels show nothing any more; a patch of so much of a third of the picture is glare
THIRDS = ("left", "middle", "right")


def advice(frame: Image, plane: Plane, lens: Lens | None = None, tile_mm: float = USUAL_TILE_MM) -> tuple[str, ...]:
    """Sentences for whoever sets up the camera, from a frame (height, width, 3) of the table; none if it will do."""
    size = (frame.shape[1], frame.shape[0])
    return (*_outside(plane, lens, size), *_nearer(plane, lens, tile_mm), *_straighter(plane, lens), *_light(frame))


def tile_px(plane: Plane, lens: Lens | None, tile_mm: float = USUAL_TILE_MM) -> float:
    """How long a tile looks, in pixels, where it looks shortest in the play area."""
    places = np.array(plane.area_mm).reshape(-1, 2)
    if not len(places):
        return float("inf")
    ways = tile_mm / 2 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    ends = plane.to_picture((places[:, None] + ways).reshape(-1, 2), lens).reshape(-1, 4, 2)
    lengths = np.linalg.norm(ends[:, :2] - ends[:, 2:], axis=2)
    return float(lengths.min())


def _outside(plane: Plane, lens: Lens | None, size: Size) -> tuple[str, ...]:
    if not plane.area_mm:
        return ()
    x, y = as_points(plane.to_picture(plane.area_mm, lens)).T
    over = {"left": x.min() < -1, "top": y.min() < -1, "right": x.max() > size[0], "bottom": y.max() > size[1]}
    sides = [side for side, beyond in over.items() if beyond]
    return (f"The play area reaches over the picture's edge: {', '.join(sides)}.",) if sides else ()


def _nearer(plane: Plane, lens: Lens | None, tile_mm: float) -> tuple[str, ...]:
    length = tile_px(plane, lens, tile_mm)
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
