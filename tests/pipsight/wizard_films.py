"""Films of the sheet for the wizards: held here and there before the camera, and lying on the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from calibration.lens import Image
from calibration.target import SHEET
from tests.calibration.staging import frame, lying
from training.sheet_video import Eye, Pose, Stage, looking_at_table, page_pose

EYE = Eye((640, 360), 75.0, 0.9, 0.002, (0.002, -0.001), (3.0, -4.0))
RATE = 4.0
STILL_FRAMES, AGAIN = 4, 5  # the later places are held again: whoever has seen much is slow to learn more
HELD = (
    (-30.5, -5.7, 0.8, 14.9, -35.7, 245.6),
    (1.8, -19.6, 0.3, -137.0, 0.2, 275.0),
    (4.9, 11.1, 2.7, 93.3, -8.0, 280.7),
    (-32.9, -10.2, -3.6, -100.5, -5.6, 292.8),
    (-29.8, 17.8, 6.8, 111.8, -2.1, 278.4),
    (35.0, -19.5, 2.8, -130.7, -13.7, 276.7),
    (-31.3, -21.3, -10.1, -93.6, -12.1, 242.8),
    (-32.7, 14.7, 4.8, 97.3, 2.4, 299.9),
    (30.5, 16.0, 4.0, 101.0, -9.0, 262.0),
    (33.0, -4.0, -3.0, -12.0, 20.0, 258.0),
    (-4.0, 31.0, 2.0, 60.0, 5.0, 270.0),
    (3.0, -33.0, -2.0, -70.0, -4.0, 262.0),
)
"""How the sheet is held: turned about the axes by so many degrees, its middle so many millimetres from the camera.

These are what a guide asks for, one after the other, and a few more.
"""


def lens_film(path: Path) -> Path:
    """The sheet held here and there over the picture, aslant each time, and still for a moment."""
    again = _held()[AGAIN * STILL_FRAMES :]
    return written(path, [np.dstack([grey] * 3) for grey in (*_held(), *again, *again)])


def few_views(views: int) -> list[Image]:
    """The sheet held in the first so many places."""
    return [np.dstack([grey] * 3) for grey in _held()[: views * STILL_FRAMES]]


@cache
def _held() -> tuple[Image, ...]:
    """The frames of that, in grey; on its way from one place to the next the sheet is not shown."""
    stage = Stage(EYE, looking_at_table(EYE, 15.0), np.random.default_rng(5))
    frames = [stage.frame(page_pose(pose)) for pose in map(_pose, HELD) for _ in range(STILL_FRAMES)]
    return tuple(frame[..., 0] for frame in frames)


def _pose(held: tuple[float, ...]) -> Pose:
    """How the squares lie before the camera."""
    turn = np.asarray(cv2.Rodrigues(np.radians(held[:3]))[0], np.float64)
    return Pose(turn, np.array(held[3:]) - turn @ np.append(np.array(SHEET.size_mm) / 2, 0.0))


def table_film(path: Path, frames: int = 14) -> Path:
    """The sheet lying on the table."""
    return written(path, [frame(lying(10.0, 5.0, 20.0)) for _ in range(frames)])


def written(path: Path, frames: list[Image]) -> Path:
    """A film of these frames, RATE a second."""
    size = frames[0].shape[1], frames[0].shape[0]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, size)
    for image in frames:
        writer.write(image)
    writer.release()
    return path
