"""A real browser, its camera played by our own film, and a real `pipsight watch` that it opens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILM = ROOT / "sample_images" / "unmatched_play.mp4"
PLAYED_S, HELD_S = 7.5, 90  # of the film, and how long its last picture stays
NOISE = 2.0  # no two pictures of a real camera are the same


class Server:
    """`pipsight watch` in a process of its own, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self, *options: str, port: int = 0) -> None:
        """Begin, and wait until it says where the page is."""
        command = [sys.executable, "-m", "pipsight", "watch", "--no-browser", "--port", str(port), *options]
        environment = {**os.environ, "PIPSIGHT_HOME": str(self._home), "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        for line in self._process.stdout:
            if found := re.search(r"https?://[^\s]+", line):
                self.address = found[0]
                return
        raise AssertionError("pipsight watch ended without a page")

    @property
    def port(self) -> int:
        """The port of the page."""
        return int(self.address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.communicate()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test starts."""
    one = Server(tmp_path / "home")
    yield one
    one.kill()


@pytest.fixture(scope="session")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The set-up and the first move of the film as the browser's fake camera plays it: 30 JPEGs a second."""
    import cv2
    import numpy as np

    rng = np.random.default_rng(1)
    video = cv2.VideoCapture(str(FILM))
    rate = video.get(cv2.CAP_PROP_FPS)
    path = tmp_path_factory.mktemp("film") / "camera.mjpeg"
    with path.open("wb") as file:
        frame = np.zeros((2, 2, 3), np.uint8)
        for _ in range(round(PLAYED_S * rate)):
            frame = np.asarray(video.read()[1], np.uint8)
            file.write(_jpeg(frame, rng) * round(30 / rate))
        held = [_jpeg(frame, rng) for _ in range(4)]
        for number in range(HELD_S * 30):
            file.write(held[number % 4])
    return path


def _jpeg(frame: object, rng: object) -> bytes:
    import cv2
    import numpy as np

    noise = rng.normal(0, NOISE, frame.shape)  # type: ignore[attr-defined]
    noisy = np.clip(frame + noise, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])
