"""One hand over one tile: what its strip shows, and what the network made of it so far."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.contact import AGES, FRAMES, Spot, Surface
from vision.scene import HandDetection
from vision.straighten import Image

Floats = NDArray[np.float32]

MOST = 4 * FRAMES  # frames that are kept: at 120 a second every fourth is shown
REMEMBERED = 20  # frames whose opinions are weighed together
YOUNG = 2  # frames of a strip after which a contact is first judged
LEAST = 2  # frames whose opinions are asked for
AROUND = 2  # frames about a moment that tell of the same contact
BLIND_S = 0.006  # how uncertain a moment is at best


@dataclass(frozen=True, eq=False)
class Opinion:
    """What a frame, the so manieth, says: the chances of a contact 1 to 9 frames before, and when each of those was."""

    frame: int
    chances: Floats
    times_s: Floats


@dataclass(frozen=True)
class Verdict:
    """What the frames since a moment say together: how surely a contact was then, when, and how uncertain that is."""

    surety: float
    time_s: float
    sigma_s: float


class Visit:
    """One hand over one tile. hand, near_s: how and when it was last near. spot: the tile as its arm comes to it.

    frames: the last ones, oldest first. most, most_s: how likely a contact seemed at most, by any one frame, and when.
    """

    def __init__(self, hand: HandDetection, spot: Spot, still: Image, frames: Iterable[Frame]) -> None:
        self.hand, self.near_s = hand, 0.0
        self.spot, self._surface = spot, Surface(spot.patch(still), spot.face)
        self._looks = deque([self._surface.apart(spot.patch(still))] * MOST, MOST)
        self._times: deque[float] = deque([-1.0] * MOST, MOST)
        self._said: deque[Opinion] = deque(maxlen=REMEMBERED)
        self._stride, self._seen = 1, 0
        self.most, self.most_s = 0.0, 0.0
        for frame in frames:
            self.sees(frame)

    def sees(self, frame: Frame) -> None:
        """Look at the tile in the next frame."""
        self._looks.append(self._surface.apart(self.spot.patch(frame.image)))
        self._times.append(frame.time_s)
        self._seen += 1

    def strip(self, stride: int) -> Floats:
        """What the network is to be shown: every so manieth frame."""
        return self._surface.strip([self._looks[-1 - stride * back] for back in reversed(range(FRAMES))])

    def hears(self, chances: Floats, stride: int) -> None:
        """Take the network's word of the last strip."""
        when = np.array([self._times[-1 - stride * age] for age in range(1, AGES + 1)])
        self._said.append(Opinion(self._seen, chances[1:], when))
        self._stride = stride
        if self.chance > self.most:
            self.most, self.most_s = self.chance, float(when[int(chances[1:].argmax())])

    @property
    def chance(self) -> float:
        """How likely a contact was within the last frames, by the newest frame alone."""
        return float(self._said[-1].chances.sum()) if self._said else 0.0

    def verdict(self, age: float) -> Verdict | None:
        """What all frames since say of a contact so many frames of a strip ago; None where too few were seen."""
        masses, moments, spreads, ages = [], [], [], []
        for said in reversed(self._said):
            at = round(age - (self._seen - said.frame) / self._stride) - 1
            if at + 1 < YOUNG:
                break
            near = slice(max(0, at - AROUND), at + AROUND + 1)
            share, when = said.chances[near], said.times_s[near]
            ages.append(at + 1)
            masses.append(float(said.chances[max(0, at - 1) : at + 2].sum()))
            moments.append(float(np.average(when, weights=share + 1e-6)))
            spreads.append(float(np.average((when - moments[-1]) ** 2, weights=share + 1e-6)))
        if len(masses) < LEAST:
            return None
        weights = np.array(masses) * ages + 1e-6
        sigma = float(np.sqrt(np.average(spreads, weights=weights)))
        surety = float(np.average(masses, weights=ages))  # who looks later has seen more
        return Verdict(surety, float(np.average(moments, weights=weights)), float(np.hypot(sigma, BLIND_S)))
