"""The thread of one camera: the table's clock goes on as the clock on the wall does, whatever becomes of the camera."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pytest

from pipsight.worker import FAULT, Worker
from vision.camera import CameraLost, Frame, PushedCamera

pytestmark = pytest.mark.needs("cv2")

GREY = np.full((48, 64, 3), 120, np.uint8)
NEAR_S = 0.15  # machines are busy


@dataclass
class Table:
    """Keeps the times of the frames that it was shown, and what it heard."""

    times_s: list[float] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    waited: int = 0

    def see(self, frame: Frame, *, live: bool) -> None:
        self.times_s.append(frame.time_s)

    def lost(self, text: str) -> None:
        self.heard.append(text)

    def waits(self) -> None:
        self.waited += 1

    def ended(self) -> None:
        self.heard.append("ended")


def waited(for_it: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not for_it():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_phone_that_sleeps_twice_does_not_make_the_clock_run_faster() -> None:
    table, camera = Table(), PushedCamera("the phone", silence_s=0.1)
    worker = Worker(camera, lambda: camera, table, from_s=50.0)
    worker.start()
    time.sleep(0.3)  # before its first picture no time passes
    began = time.monotonic()
    for pictures in (1, 2, 3):
        camera.show(GREY)
        waited(lambda: len(table.times_s) == pictures)  # noqa: B023
        assert table.times_s[-1] == pytest.approx(50.0 + time.monotonic() - began, abs=NEAR_S)
        waited(lambda: len(table.heard) > pictures)  # noqa: B023
        time.sleep(0.3)
    worker.stop()
    assert table.waited >= 3


class Webcam:
    """A camera that gives one picture and is gone."""

    name, live = "a webcam", True

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(GREY, 0.0)
        raise CameraLost("a webcam is gone")

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def test_the_time_goes_on_while_a_webcam_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.worker.RETRY_S", 0.2)
    table, began, back = Table(), time.monotonic(), iter([None, Webcam(), None, Webcam(), *[None] * 99])

    def reopened() -> Webcam:
        if camera := next(back):
            return camera
        raise CameraLost("a webcam is not there")

    worker = Worker(Webcam(), reopened, table, from_s=7.0)
    worker.start()
    waited(lambda: len(table.times_s) == 3)
    assert table.times_s[-1] == pytest.approx(7.0 + time.monotonic() - began, abs=NEAR_S)
    assert table.waited == 2
    assert table.heard[0] == "a webcam is gone: pipsight goes on as soon as it is back"
    worker.stop()


class Broken(Table):
    """A table at which pipsight has a fault."""

    def see(self, frame: Frame, *, live: bool) -> None:
        raise ZeroDivisionError("of all things")


class Held(Webcam):
    """A webcam that knows whether somebody has it."""

    held = True

    def close(self) -> None:
        self.held = False


def test_a_fault_of_the_program_is_told_lets_the_camera_go_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: faults.append(fault.exc_type))
    table, camera = Broken(), Held()
    Worker(camera, Held, table).start()
    waited(lambda: faults)
    assert (faults, table.heard, camera.held) == ([ZeroDivisionError], [FAULT], False)
