"""The wizard that finds the LEDs in the camera's picture: one after the other lights up and is looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from calibration.store import CameraCalibration, SeenLight, save
from hardware.protocol import Light, Off, Stretch
from pipsight.cameras import camera_id, known_camera
from pipsight.standing import Standing
from pipsight.trouble import PipsightError
from vision.glow import find_light

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calibration.lens import Size
    from hardware.feedback import Sender
    from vision.camera import Frame
    from vision.straighten import Image

BRIGHT = (200, 200, 200)
WAIT_S = 0.3  # for pictures taken before a command; longer than lighting.LATE_S, for here waiting costs little
LOOKS = 3  # pictures that are averaged
TRIES = 2  # a hand may pass


class NoMorePictures(PipsightError, RuntimeError):
    """The camera's pictures ended before all lights were looked for."""


@dataclass(frozen=True)
class Looked:
    """One LED (from 0) was looked for; where it was found, None where it was not."""

    led: int
    light: SeenLight | None


class LightsGuide:
    """Lights one LED after another and looks for it; those not found are tried once more at the end.

    frames: of a live camera, turned back where it shows left as right.

    >>> for looked in LightsGuide(iter(camera), link).steps(24):  # doctest: +SKIP
    ...     print(looked.led, looked.light)
    """

    def __init__(self, frames: Iterator[Frame], sender: Sender) -> None:
        self._frames, self._sender = frames, sender
        self._time_s: float | None = None
        self.size_px: Size = (0, 0)

    def steps(self, leds: int) -> Iterator[Looked]:
        """Each LED as it is found, or given up; all are dark in the end.

        Raises NoMorePictures, or HardwareError where the controller is lost.
        """
        left = list(range(leds))
        try:
            for last in [*[False] * (TRIES - 1), True]:
                missed = []
                for one in self._each(left):
                    if one.light or last:
                        yield one
                    else:
                        missed.append(one.led)
                left = missed
        finally:
            self._sender.send(Off())

    def _each(self, leds: list[int]) -> Iterator[Looked]:
        """Look for each of these once, between pictures without its light."""
        before = self._pictured() if leds else None
        for led in leds:
            lit = self._pictured(Light((Stretch(led, 1, BRIGHT),)))
            after = self._pictured(Off())
            spot = find_light(lit, after, after if before is None else before)
            yield Looked(led, SeenLight(led, spot.at_px, spot.radius_px) if spot else None)
            before = after

    def _pictured(self, command: Light | Off | None = None) -> Image:
        """The mean of the next pictures after a command is done and what was in the camera before has come out."""
        if command:
            self._sender.send(command).result()
        from_s = self._time_s if self._time_s is not None else self._next().time_s
        while (frame := self._next()).time_s < from_s + WAIT_S:
            pass
        looks = [frame.image, *(self._next().image for _ in range(LOOKS - 1))]
        return np.asarray(np.mean(looks, axis=0), np.uint8)

    def _next(self) -> Frame:
        frame = next(self._frames, None)
        if frame is None:
            raise NoMorePictures("the camera's pictures ended before all lights were looked for: use a live camera")
        self._time_s, self.size_px = frame.time_s, (frame.image.shape[1], frame.image.shape[0])
        return frame


def find_lights(camera: str, frames: Iterable[Frame], sender: Sender, leds: int) -> Iterator[Looked]:
    """Look for each LED with a camera, and keep those that were found with what is known of it.

    Raises what LightsGuide and `calibration.store.load` raise; what was known before stays then.
    """
    place, known = known_camera(camera)
    guide = LightsGuide(_fitting(frames, known), sender)
    found = []
    for looked in guide.steps(leds):
        found += [looked.light] if looked.light else []
        yield looked
    if found:
        made = datetime.now(UTC).replace(microsecond=0)
        old = known.of_size(guide.size_px) if known else CameraCalibration(camera_id(camera), guide.size_px, made)
        save(place, replace(old, lights=tuple(sorted(found, key=lambda light: light.led))))


def _fitting(frames: Iterable[Frame], known: CameraCalibration | None) -> Iterator[Frame]:
    """The frames, turned back where the camera shows left as right.

    Raises UnsuitableCalibration at the first one of another shape than what is known holds for.
    """
    standing = Standing(known)
    for frame in frames:
        if known:
            known.of_size((frame.image.shape[1], frame.image.shape[0]))
        yield standing.upright(frame)
