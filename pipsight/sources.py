"""What a table may be watched through, by the name that somebody types or chooses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pipsight.sessions import Choice
from vision.camera import PushedCamera, is_address, is_number, known_as, open_camera

if TYPE_CHECKING:
    from vision.camera import Camera

PAGE, SAMPLE = "page", "sample"
SAMPLE_FILM = Path(__file__).resolve().parents[1] / "sample_images" / "unmatched_play.mp4"
WAITING = "no page sends a camera's pictures yet: press Camera, then The camera of this device, or choose another"
SAMPLE_CHOICE = Choice("unmatched", "5", film=SAMPLE)


def opened(source: str) -> Camera:
    """Open "page" (a browser's own camera), "sample" (the film that comes along), or what open_camera knows.

    "page-1f2e3d4c" is a certain browser's camera, which is kept apart from all others. Raises CameraError, in a
    sentence, for a source that gives no frames.
    """
    if is_page(source):
        return PushedCamera(waiting=WAITING)
    return open_camera(str(SAMPLE_FILM) if source == SAMPLE else source)


def is_page(source: str) -> bool:
    """Whether a source is a camera that some page sends the pictures of."""
    return re.fullmatch(rf"{PAGE}(-[0-9a-f]{{8}})?", source) is not None


def kept(source: str) -> str:
    """The camera through which a game goes on, as its log keeps it; "" for a film or pictures, which begin anew."""
    return "" if source == SAMPLE or is_on_disk(source) else known_as(source)


def is_on_disk(source: str) -> bool:
    """Whether a source names files of this machine, which are not for everybody who may see the page."""
    return not (source == SAMPLE or is_page(source) or is_number(source) or is_address(source))
