"""Pictures of a table small enough to send: one as a JPEG, some seconds of them as a film."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.picture import PictureError, decode, quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.straighten import Image

WIDTH = 960
QUALITY = 78


def small(frame: Image, width: int = WIDTH) -> bytes:
    """A BGR picture as a JPEG of at most this width in pixels."""
    rows, cols = frame.shape[:2]
    if cols > width:
        frame = np.asarray(cv2.resize(frame, (width, round(rows * width / cols)), interpolation=cv2.INTER_AREA))
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise PictureError("the camera's picture cannot be made a JPEG")
    return data.tobytes()


def clip(pictures: Sequence[bytes], rate: float) -> bytes:
    """Pictures of one table as the bytes of an .mp4 film, so many a second; those of another size are left out.

    Raises PictureError where there are none.
    """
    if not pictures:
        raise PictureError("the camera has not shown anything yet")
    frames = [decode(data, "a picture of the film") for data in pictures]
    rows, cols = (side - side % 2 for side in frames[-1].shape[:2])
    with tempfile.TemporaryDirectory() as folder, quiet():
        path = Path(folder) / "clip.mp4"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, (cols, rows))
        for frame in frames:
            if frame.shape == frames[-1].shape:
                writer.write(frame[:rows, :cols])
        writer.release()
        return path.read_bytes()
