"""Where frames come from: a webcam, a network camera, a video file, a folder of pictures, or a page that sends them."""

from __future__ import annotations

import os
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from vision.errors import VisionError
from vision.picture import SUFFIXES, UNREAD_SUFFIXES, decode, load, pictures_in, quiet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from vision.straighten import Image

LOST_S = 3.0  # a camera that is there sends a frame sooner
OPENING_MS = 5000
SILENT = -8  # as ffmpeg calls it
USUAL_RATE = 30.0
LOOKS_S, LOOKS_A_SECOND = 5.0, 5.0  # at a single picture
HELD_S, HELD_A_SECOND = 2.0, 10.0  # each of a folder: long enough for a move to be seen, and for a fault to be told
UNPLUGGED, IN_USE = "was unplugged or switched off", "is it plugged in, and used by no other program?"
SILENCED, WRONG_ADDRESS = "sends no more pictures", "is it switched on, in this network, and is the address right?"
ADDRESSES = ("http://", "https://", "rtsp://", "rtmp://")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", str(SILENT))  # what ffmpeg has to say is said in one sentence


class CameraError(VisionError, OSError):
    """A camera that cannot be used; the text says what to do."""


class CameraLost(CameraError):
    """A camera that was there and sends no more frames: open it again once it is back."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table, BGR of shape (height, width, 3), and when it was taken, in seconds from the first."""

    image: Image
    time_s: float


class Camera(Protocol):
    """Gives frames in order until there are no more; a context manager.

    live: frames pass whether or not somebody takes them, and the newest one is given; else none is left out.

    >>> with open_camera("0") as camera:  # doctest: +SKIP
    ...     for frame in camera:
    ...         print(frame.time_s, frame.image.shape)
    """

    name: str
    live: bool

    def __iter__(self) -> Iterator[Frame]:
        """Return the frames. Raises CameraLost where a live camera falls silent."""
        ...

    def close(self) -> None:
        """Let the camera go; doing so twice is no harm."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def is_number(source: str) -> bool:
    """Whether a source is the number of a camera of this machine."""
    return re.fullmatch(r"[0-9]{1,9}", source) is not None


def is_address(source: str) -> bool:
    """Whether a source is the address of a network camera."""
    return _small(source).startswith(ADDRESSES)


def known_as(source: str) -> str:
    """How a source is shown, logged and filed: an address without the name and the password that let in."""
    return re.sub(r"^([a-z][\w+.-]*://)[^/]*@", r"\1", _small(source))


def _small(source: str) -> str:
    """The source with what comes before :// in small letters: a phone's keyboard begins with a capital."""
    return re.sub(r"^[A-Za-z][\w+.-]*(?=://)", lambda kind: kind[0].lower(), source)


def open_camera(source: str) -> Camera:
    """Open a camera by its number ("0"), its address (http, https, rtsp), a video file, a picture or a folder of them.

    Raises CameraError, or PictureError, in a sentence, for a source that gives no frames.
    """
    if not source.strip():
        raise CameraError("no camera is named: give a number, an address, a video or a folder")
    if is_number(source) or is_address(source):
        return LiveCamera(source)
    path = Path(source)
    if path.is_dir():
        return Folder(path)
    if not path.exists():
        told = f"there is no camera or file {known_as(source)}"
        raise CameraError(f"{told}: give a number, an address, a video or a folder")
    return Picture(path) if path.suffix.lower() in SUFFIXES | UNREAD_SUFFIXES else Video(path)


class _Closing:
    """What every camera shares: it is closed at the end of a with block."""

    def close(self) -> None:
        """Let the camera go."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Newest(_Closing):
    """One frame's room between who takes frames and who looks at them: the newest one wins."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._over = False

    def put(self, frame: Frame) -> None:
        """Leave a frame; one that nobody took is forgotten."""
        with self._news:
            self._frame = frame
            self._news.notify()

    def close(self) -> None:
        """Say that no more come."""
        with self._news:
            self._over = True
            self._news.notify()

    def take(self, timeout_s: float) -> Frame | None:
        """Wait for a frame; None where no more come. Raises TimeoutError."""
        with self._news:
            if not self._news.wait_for(lambda: self._frame or self._over, timeout_s):
                raise TimeoutError
            frame, self._frame = self._frame, None
            return frame


class LiveCamera(_Closing):
    """A webcam by its number, or a network camera by its address; a thread of its own takes the frames."""

    live = True

    def __init__(self, source: str) -> None:
        local = is_number(source)
        self.name, self._gone = (f"camera {source}", UNPLUGGED) if local else (known_as(source), SILENCED)
        with quiet():
            self._capture = _opened(source)
        if not self._capture.isOpened():
            raise CameraError(f"{self.name} does not answer: {IN_USE if local else WRONG_ADDRESS}")
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._newest, self._stop = Newest(), threading.Event()
        self._thread = threading.Thread(target=self._fetch, name=self.name, daemon=True)
        self._thread.start()

    def hold(self) -> tuple[str, ...]:
        """Ask the driver to keep exposure, focus and white balance as they are; returns what it says it keeps."""
        by_hand = 1.0 if self._capture.getBackendName() == "V4L2" else 0.25  # what drivers call exposure by hand
        wishes = {
            "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, by_hand),
            "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0),
            "white balance": (cv2.CAP_PROP_AUTO_WB, 0.0),
        }
        with quiet():
            return tuple(name for name, (which, value) in wishes.items() if self._capture.set(which, value))

    def _fetch(self) -> None:
        began = time.monotonic()
        with quiet():
            while not self._stop.is_set():
                done, image = self._capture.read()
                if not done:
                    break
                self._newest.put(Frame(np.asarray(image, np.uint8), time.monotonic() - began))
        self._newest.close()
        self._capture.release()

    def __iter__(self) -> Iterator[Frame]:
        while not self._stop.is_set():
            try:
                frame = self._newest.take(LOST_S)
            except TimeoutError:
                raise CameraLost(f"{self.name} has sent no picture for {LOST_S:.0f} seconds") from None
            if frame is None:
                if self._stop.is_set():
                    return
                raise CameraLost(f"{self.name} {self._gone}")
            yield frame

    def close(self) -> None:
        """Let the camera go: its thread ends after the frame it waits for."""
        self._stop.set()
        self._newest.close()
        self._thread.join(LOST_S)


def _opened(source: str) -> cv2.VideoCapture:
    if is_number(source):
        return cv2.VideoCapture(int(source))
    patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, OPENING_MS]
    return cv2.VideoCapture(_small(source), cv2.CAP_FFMPEG, patience)


class Video(_Closing):
    """A video file, every frame of it, as fast as somebody takes them."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        with quiet():
            self._capture = cv2.VideoCapture(str(path))
            opened, self._next = self._capture.read()
        if not opened:
            raise CameraError(f"{path} is no video that can be read: it may be cut off; use .mp4, .avi, .mkv or .webm")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if 1 <= rate <= 1000 else USUAL_RATE

    def __iter__(self) -> Iterator[Frame]:
        there, number = True, 0
        while there:
            yield Frame(np.asarray(self._next, np.uint8), number / self.rate)
            with quiet():
                there, self._next = self._capture.read()
            number += 1

    def close(self) -> None:
        """Let the file go."""
        self._capture.release()


class Folder(_Closing):
    """The pictures of a folder by name, each looked at for a while, as if nothing moved on the table meanwhile."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name, self._paths = str(path), pictures_in(path)
        if not self._paths:
            raise CameraError(f"the folder {path} holds no pictures (.jpg, .png, .webp, .bmp, .tif)")
        load(self._paths[0])  # whoever chooses a folder of something else hears so at once

    def __iter__(self) -> Iterator[Frame]:
        looks = round(HELD_S * HELD_A_SECOND)
        for number, path in enumerate(self._paths):
            image = load(path)
            yield from (Frame(image, (number * looks + k) / HELD_A_SECOND) for k in range(looks))


class Picture(_Closing):
    """A single picture, at which a camera looks for a while: long enough to be sure of what lies there."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name, self._image = str(path), load(path)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self._image, k / LOOKS_A_SECOND) for k in range(round(LOOKS_S * LOOKS_A_SECOND)))


class PushedCamera(_Closing):
    """A camera whose frames somebody sends, as a page does with those of a phone; the newest one is given.

    silence_s: how long it may send nothing before it counts as lost. waiting: what is said then where it has sent
    nothing at all yet, for then nothing was lost.
    """

    live = True

    def __init__(self, name: str = "the page's camera", silence_s: float = LOST_S, waiting: str = "") -> None:
        self.name, self._silence_s, self._waiting = name, silence_s, waiting
        self._newest, self._began = Newest(), 0.0  # the clock runs from the first picture on
        self._shown = self._closed = False

    def push(self, data: bytes, time_s: float | None = None) -> None:
        """Send one picture as the bytes of a JPEG, PNG or WebP file; time_s: when it was taken, now if None.

        Raises PictureError for anything else, and for a picture too small or too large.
        """
        self.show(decode(data, f"a picture from {self.name}"), time_s)

    def show(self, image: Image, time_s: float | None = None) -> None:
        """Send one picture as a BGR array."""
        if not self._shown:
            self._shown, self._waiting, self._began = True, "", time.monotonic()
        self._newest.put(Frame(image, time.monotonic() - self._began if time_s is None else time_s))

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed:
            try:
                frame = self._newest.take(self._silence_s)
            except TimeoutError:
                silent = f"{self.name} has sent no picture for {self._silence_s:.0f} seconds"
                raise CameraLost(self._waiting or silent) from None
            if frame is None:
                return
            yield frame

    def close(self) -> None:
        """Take no more frames."""
        self._closed = True
        self._newest.close()
