"""One camera's thread: it takes frames, hands them to a table, and opens the camera again when it was lost."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from vision.camera import PushedCamera
from vision.errors import VisionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Camera, Frame

RETRY_S = 1.0
AGAIN = ": pipsight goes on as soon as it is back"
FAULT = "a fault of pipsight itself stopped the camera: choose it once more; the terminal says what happened"
LEAVING_S = 5.0


class Watched(Protocol):
    """A table that wants to see frames."""

    def see(self, frame: Frame, *, live: bool) -> None:
        """Look at a frame."""
        ...

    def lost(self, text: str) -> None:
        """The camera gives no more frames for now, and why."""
        ...

    def waits(self) -> None:
        """Nor has it given one for a while."""
        ...

    def ended(self) -> None:
        """The film is over."""
        ...


class Worker:
    """Shows a table what one camera sees until it is stopped.

    camera: opened already, so that whoever chose it heard at once of a wrong name; after it was lost, the one that was
    opened again. reopen: opens it again. from_s: the time at which the table's clock stands; it goes on while a camera
    is away. A film is shown no faster than it was taken, and no frame of it is left out.
    """

    def __init__(self, camera: Camera, reopen: Callable[[], Camera], table: Watched, from_s: float = 0.0) -> None:
        self.camera, self._reopen, self._table = camera, reopen, table
        self._from_s = self._now_s = from_s  # when this opening began, and the newest frame's time
        self._seen_s = time.monotonic()  # when that was looked at
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watching {camera.name}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the frame that is looked at; doing so twice is no harm."""
        self._stop.set()
        if self.camera.live:  # it may wait long for a frame; a file is let go by the thread that reads it
            self.camera.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(LEAVING_S)

    def _run(self) -> None:
        try:
            self._watch()
        except Exception:
            if not self._stop.is_set():
                self._table.lost(FAULT)
            raise
        finally:
            self.camera.close()

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self._show()
                if not self._stop.is_set() and not self.camera.live:
                    self._table.ended()
                    break
            except VisionError as error:
                self._table.lost(f"{error}{AGAIN if self.camera.live and not self._is_pushed else ''}")
            if self._is_pushed:
                self._table.waits()
            else:
                self._open_again()

    @property
    def _is_pushed(self) -> bool:
        """Whether somebody sends the pictures: such a camera stays where it is, and says itself what to do."""
        return isinstance(self.camera, PushedCamera)

    def _open_again(self) -> None:
        """Open the camera once it is back; what it says until then is known already."""
        self.camera.close()
        while not self._stop.wait(RETRY_S):
            try:
                self.camera = self._reopen()
            except VisionError:
                self._table.waits()
                continue
            self._from_s = self._now_s + time.monotonic() - self._seen_s
            return

    def _show(self) -> None:
        began = time.monotonic()
        for frame in self.camera:
            if not self.camera.live and self._stop.wait(began + frame.time_s - time.monotonic()):
                return
            if self._stop.is_set():
                return
            self._now_s, self._seen_s = max(self._now_s, self._from_s + frame.time_s), time.monotonic()
            self._table.see(replace(frame, time_s=self._now_s), live=self.camera.live)
