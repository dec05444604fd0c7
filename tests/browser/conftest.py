"""A real browser, its camera played by our own film, and a real `pipsight watch` that it opens."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

if TYPE_CHECKING:
    from pipsight.live_table import LiveTable

ROOT = Path(__file__).resolve().parents[2]
FILM = ROOT / "sample_images" / "unmatched_play.mp4"
PLAYED_S, HELD_S = 9.7, 90  # of the film, to its second move, and how long its last picture stays
PATIENCE_MS = 60_000
NOISE, GRAINS = 2.0, 4  # no two pictures of a real camera that follow each other are the same

expect.set_options(timeout=PATIENCE_MS)  # the machine may have much else to do


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
        """End it as a power cut would; doing so twice is no harm."""
        ended, self._process = self._process, None
        if ended:
            ended.send_signal(signal.SIGKILL)
            ended.communicate()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of this test's own."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "home"))


@pytest.fixture
def table() -> Iterator[LiveTable]:
    """A table without a game."""
    from pipsight.live_table import LiveTable

    with closing(LiveTable("1")) as one:
        yield one


@pytest.fixture
def address(table: LiveTable) -> Iterator[str]:
    """Where its page is."""
    from tests.pipsight.pages import seated

    with seated(table) as at:
        yield at


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """The browser's remote control. While it is held asyncio cannot be used, so that each module lets it go."""
    with sync_playwright() as one:
        yield one


@contextmanager
def chromium(playwright: Playwright, *flags: str) -> Iterator[Browser]:
    """Debian's chromium."""
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    one = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*flags, *sandbox])
    yield one
    one.close()


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser without a camera."""
    with chromium(playwright) as one:
        yield one


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that has nothing to complain of."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 860},
        permissions=["camera"],
        reduced_motion="reduce",  # a colour that is still on its way from day to night has no contrast to judge
    )
    context.set_default_timeout(PATIENCE_MS)
    one = context.new_page()
    complaints: list[str] = []
    one.on("pageerror", lambda error: complaints.append(str(error)))
    yield one
    context.close()
    assert complaints == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test starts."""
    one = Server(tmp_path / "home")
    yield one
    one.kill()


@pytest.fixture(scope="session")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The set-up and the first two moves of the film as the browser's fake camera plays it: 30 JPEGs a second."""
    import cv2
    import numpy as np

    rng, grains = np.random.default_rng(1), list[object]()
    video = cv2.VideoCapture(str(FILM))
    rate = video.get(cv2.CAP_PROP_FPS)
    path = tmp_path_factory.mktemp("film") / "camera.mjpeg"
    with path.open("wb") as file:
        frame = np.zeros((2, 2, 3), np.uint8)
        for number in range(round(PLAYED_S * rate)):
            frame = np.asarray(video.read()[1], np.uint8)
            grains = grains or [rng.normal(0, NOISE, frame.shape).astype(np.float32) for _ in range(GRAINS)]
            file.write(_jpeg(frame, grains[number % GRAINS]) * round(30 / rate))
        held = [_jpeg(frame, grain) for grain in grains]
        for number in range(HELD_S * 30):
            file.write(held[number % GRAINS])
    return path


def _jpeg(frame: object, grain: object) -> bytes:
    import cv2
    import numpy as np

    noisy = np.clip(frame + grain, 0, 255).astype(np.uint8)  # type: ignore[operator]
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])
