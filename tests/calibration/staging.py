"""A small rendered camera over a table, for tests: quick to draw, its truth exact."""

from __future__ import annotations

from functools import cache

import numpy as np

from calibration.lens import Image, Lens
from training.sheet_video import Eye, Pose, Shot, Stage, held_page, laid, looking_at_table, page_pose

EYE = Eye((640, 360), 70.0, 1.0)
TABLE = looking_at_table(EYE, 20.0)
TRUE_LENS = Lens(
    EYE.size_px, ((EYE.focal_px, 0.0, 319.5), (0.0, EYE.focal_px, 179.5), (0.0, 0.0, 1.0)), (0.0,) * 5, rms_px=0.1
)
"""A camera with straight lines: its lens is known by heart."""


@cache
def stage(eye: Eye = EYE, shot: Shot | None = None) -> Stage:
    """The stage; the table before it is plain enough for the sheet to be seen."""
    return Stage(eye, TABLE, np.random.default_rng(4), shot)


def frame(squares: Pose | None = None, shot: Shot | None = None) -> Image:
    """A frame with the sheet's squares somewhere; without them, the empty table."""
    return stage(EYE, shot).frame(*([page_pose(squares)] if squares else []))


def lying(x_mm: float = 0.0, y_mm: float = 0.0, angle_deg: float = 0.0) -> Pose:
    """The sheet on the table."""
    return laid(TABLE, x_mm, y_mm, angle_deg)


def near() -> Pose:
    """The sheet held up before the camera, about twice as large as on the table."""
    down = lying()
    return Pose(down.turn, 0.55 * down.shift)


def covered_page(left: float, top: float, right: float, bottom: float) -> Stage:
    """A stage whose sheet has a dark patch over a part of it, told in shares of the page."""
    page = held_page().copy()
    height, width = page.shape[:2]
    page[int(top * height) : int(bottom * height), int(left * width) : int(right * width), 0] = 90
    return Stage(EYE, TABLE, np.random.default_rng(4), page=page)
