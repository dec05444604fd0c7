"""The last frames of a hunt, each with the hands in it: what a photo finish is made of, and what a hand hid."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from vision.hands.finish import photo_finish
from vision.overlap import covered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.camera import Frame
    from vision.hands.finish import Mark
    from vision.hands.touches import Contact
    from vision.scene import HandDetection
    from vision.straighten import Image

FILM_S = 1.2  # frames that are remembered for a photo finish
HIDDEN = 0.92  # of a tile's face: a hand that covers more hides its numbers
LANDS_S = 0.15  # so long after the touch it is looked at how much its hand covers: later others lie there, too


class Film:
    """Remembers frames and their hands for a while."""

    def __init__(self) -> None:
        self._frames: deque[tuple[Frame, tuple[HandDetection, ...]]] = deque()

    def see(self, frame: Frame, hands: tuple[HandDetection, ...]) -> None:
        """Remember one more frame."""
        self._frames.append((frame, hands))
        while frame.time_s - self._frames[0][0].time_s > FILM_S:
            self._frames.popleft()

    def clear(self) -> None:
        """Forget all frames."""
        self._frames.clear()

    def finish(self, marks: Sequence[Mark], reach_px: float) -> Image:
        """The photo finish of some touches: the frames around each, side by side, as far as reach_px around it."""
        return photo_finish([frame for frame, _ in self._frames], marks, reach_px)

    def hides(self, contact: Contact, corners: np.ndarray) -> bool:
        """Whether the hand of a touch covers the whole tile with these corners (4, 2): nobody else can read it then."""
        since = [(frame, hands) for frame, hands in self._frames if frame.time_s >= contact.time_s]
        then = [hands for frame, hands in since if frame.time_s < contact.time_s + LANDS_S] or [h for _, h in since[:1]]
        outlines = (one.outline_px for hands in then for one in hands if one.number == contact.hand)
        shares = [covered(corners, np.array(outline, np.float64)) for outline in outlines if len(outline) > 2]
        return bool(shares) and float(np.median(shares)) > HIDDEN
