"""The LEDs of the shipped fake controller are found in pictures of a table on which its recorded states are painted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.store import CameraCalibration, SeenLight, load, save
from hardware.fake import FakeDevice
from pipsight.cameras import camera_file
from pipsight.cli import run
from pipsight.config import Lights
from pipsight.events import WasFirst
from pipsight.live_table import LiveTable
from pipsight.standing import Standing
from tests.calibration.test_drift import PLANE, SIZE
from tests.calibration.test_drift import table as bare_table
from tests.pipsight.pages import waited
from vision.camera import Frame
from vision.glow import find_light
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

LEDS, WIDE_PX, RATE = 4, 3.0, 12
PLACES = np.column_stack([np.linspace(40, 440, LEDS), np.full(LEDS, 22.0)])
HIDDEN = 2  # beyond the picture's upper edge
LATE = 2  # frames: what the camera shows is so old


class FilmedDevice:
    """A camera over a table with the strip of a fake controller; what it shows is a little old, as with real ones."""

    name, live = "filmed", True

    def __init__(self, device: FakeDevice, mirrored: bool = False) -> None:
        self._device, self._mirrored = device, mirrored
        chance = np.random.default_rng(4)
        self._noisy = [
            bare_table()[0] + chance.normal(0, 3, (SIZE[1], SIZE[0], 1)).astype(np.float32) for _ in range(5)
        ]
        self._number = 0
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
        self._glows = [
            np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * WIDE_PX**2)).astype(np.float32)[..., None] * (k != HIDDEN)
            for k, (px, py) in enumerate(PLACES)
        ]

    def __enter__(self) -> FilmedDevice:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """There is nothing to let go."""

    def __iter__(self) -> Iterator[Frame]:
        late = [self._seen()] * LATE
        for number in range(100_000):
            late.append(self._seen())
            yield Frame(late.pop(0), number / RATE)

    def _seen(self) -> Image:
        self._number += 1
        light = self._noisy[self._number % 5]
        for color, glow in zip(self._device.colors(), self._glows, strict=True):
            if any(color):
                light = light + glow * np.array(color[::-1], np.float32)
        seen = np.clip(light, 0, 255).astype(np.uint8)
        return seen[:, ::-1] if self._mirrored else seen


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    """A fake controller, which every fake:// opens and camera 0 looks at."""
    one = FakeDevice(leds=LEDS)
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    monkeypatch.setattr("hardware.link.FakeDevice", lambda: one)
    monkeypatch.setattr("vision.camera.open_camera", lambda source: FilmedDevice(one))
    return one


def test_each_led_is_found_in_the_picture_and_kept(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "place", "--port", "fake://"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1] == "  LED 1: at 40, 22"
    assert told[-2] == "  LED 3: not seen"
    assert told[-1] == "3 of 4 LEDs were found, and are kept with what is known of the camera."
    lights = load(camera_file("0")).lights
    assert [light.led for light in lights] == [0, 1, 3]
    assert np.array([light.at_px for light in lights]) == pytest.approx(np.delete(PLACES, HIDDEN, axis=0), abs=0.5)
    assert all(2.5 * WIDE_PX < light.radius_px < 6 * WIDE_PX for light in lights)
    assert not any(map(any, device.colors()))


def test_what_was_known_of_the_camera_stays_and_its_mirrored_pictures_are_turned_back(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.camera.open_camera", lambda source: FilmedDevice(device, mirrored=True))
    known = CameraCalibration("camera-0", SIZE, datetime(2026, 1, 31, tzinfo=UTC), plane=PLANE, mirrored=True)
    save(camera_file("0"), known)
    assert run(["hardware", "place", "--port", "fake://"]) == 0
    found = load(camera_file("0"))
    assert replace(found, lights=()) == known
    assert found.lights[0].at_px == pytest.approx(PLACES[0], abs=0.5)
    assert Standing.of("0").upright(Frame(bare_table()[0], 0)).image[0, 0] == pytest.approx(bare_table()[0][0, -1])


def test_pictures_of_another_shape_are_refused_before_a_light_is_looked_for(
    device: FakeDevice, capsys: pytest.CaptureFixture[str]
) -> None:
    made = datetime(2026, 1, 31, tzinfo=UTC)
    save(camera_file("0"), CameraCalibration("camera-0", (SIZE[0], SIZE[0]), made, plane=PLANE))
    assert run(["hardware", "place", "--port", "fake://"]) == 4
    told = capsys.readouterr()
    assert "another shape of picture: choose the old shape, or calibrate once more" in told.err
    assert "LED 1" not in told.out


def test_a_camera_that_looks_elsewhere_finds_none_and_keeps_nothing(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("vision.camera.open_camera", lambda source: FilmedDevice(FakeDevice(leds=LEDS)))
    assert run(["hardware", "place", "--port", "fake://"]) == 3
    assert "The camera sees no LED: point it at them" in capsys.readouterr().out
    assert not camera_file("0").exists()


def test_a_film_that_ends_is_said_and_the_lights_go_out(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Short(FilmedDevice):
        def __iter__(self) -> Iterator[Frame]:
            return (frame for frame, _ in zip(super().__iter__(), range(30), strict=False))

    monkeypatch.setattr("vision.camera.open_camera", lambda source: Short(device))
    assert run(["hardware", "place", "--port", "fake://"]) == 4
    assert "the camera's pictures ended before all lights were looked for" in capsys.readouterr().err


class Lively(FilmedDevice):
    """The same camera on a table that is followed: soon somebody was first, and the lights go round."""

    def __init__(self, device: FakeDevice, table: LiveTable) -> None:
        super().__init__(device)
        self._table, self.shone, self.moved = table, 0, 0

    def __iter__(self) -> Iterator[Frame]:
        began_s = time.monotonic()
        waited(lambda: self._table.story)
        for number in range(30):
            if number == 5:
                self._table.tell([WasFirst("Player 1 was first.", 0)])
                waited(lambda: any(map(any, self._device.colors())))
            self.shone += any(map(any, self._device.colors()))
            yield Frame(self._seen(), time.monotonic() - began_s)
            self.moved += self._table.session.look.moving


@pytest.mark.parametrize("known", [True, False])
def test_a_live_table_takes_no_light_for_a_hand_where_it_knows_of_them(
    known: bool, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = datetime(2026, 1, 31, tzinfo=UTC)
    lights = tuple(SeenLight(led, (float(x), float(y)), 5 * WIDE_PX) for led, (x, y) in enumerate(PLACES) if known)
    save(camera_file("page"), CameraCalibration("page", SIZE, made, lights=lights))
    table = LiveTable("1")
    camera = Lively(device, table)
    monkeypatch.setattr("pipsight.live_table.opened", lambda source: camera)
    table.light(Lights(True, "fake://"))
    table.follow("page")
    table.close()
    assert camera.shone
    assert bool(camera.moved) is not known


def test_a_hand_that_comes_in_is_no_light() -> None:
    dark = bare_table()[0]
    hand = dark.copy()
    hand[100:360, 200:330] = (150, 170, 210)
    assert find_light(hand, dark, dark) is None
    assert find_light(hand, dark, hand) is None
