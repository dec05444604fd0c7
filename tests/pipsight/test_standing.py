"""A calibrated camera over a live table: nudged, moved far, of another shape, mirrored; where LEDs shine in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.frames import Camera, filmed
from calibration.store import CameraCalibration, SeenLight, as_text, save
from hardware.feedback import Glow
from pipsight.cameras import camera_file
from pipsight.events import Calibration, Event
from pipsight.live_table import LiveTable
from pipsight.standing import GLOW_MM, Standing
from tests.calibration.test_drift import PLANE, PX_PER_MM, SIZE, moved, table
from training.shaking import shaken
from vision.camera import Frame
from vision.reader import Reader
from vision.scene import Scene
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

LIGHTS = (SeenLight(0, (20.0, 10.0), 8.0), SeenLight(1, (40.0, 10.0), 6.0))
KNOWN = CameraCalibration("lamp", SIZE, datetime(2026, 1, 31, tzinfo=UTC), plane=PLANE, lights=LIGHTS)
NUDGED_S = 2.4  # the first frame after the nudge
GREY = Frame(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), 0.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Reader().read(table()[0])


def told(standing: Standing, still: Image, scene: Scene, from_s: float, frames: int = 15) -> list[Event]:
    """What is said of noisy frames of one still picture, ten a second."""
    film = filmed(still, Camera(), np.random.default_rng(3))
    return [e for k in range(frames) for e in standing.see(Frame(next(film), from_s + k / 10), scene)]


def states(events: Sequence[Event]) -> list[str]:
    return [event.state for event in events if isinstance(event, Calibration)]


@pytest.fixture
def standing(scene: Scene) -> Standing:
    """A camera whose table is known and quiet."""
    one = Standing(KNOWN)
    assert told(one, table()[0], scene, 0.0) == []
    return one


def test_a_nudge_is_said_within_a_second_followed_and_said_to_be_over(standing: Standing, scene: Scene) -> None:
    (event,) = told(standing, moved(8.0, 0.0), scene, 2.0, frames=10)
    assert isinstance(event, Calibration)
    assert (event.state, event.text[:25]) == ("followed", "The camera drifted by 4.0")
    assert event.shift_mm == pytest.approx(4.0, abs=0.3)
    (back,) = told(standing, table()[0], scene, 4.0)
    assert isinstance(back, Calibration)
    assert (back.state, back.text) == ("quiet", "The camera stands where it stood.")


def test_a_camera_moved_far_asks_for_a_new_look_once(standing: Standing, scene: Scene) -> None:
    events = told(standing, moved(64.0, 12.0), scene, 2.0, frames=45)
    assert [event.text[-27:] for event in events if isinstance(event, Calibration)] == ["(pipsight calibrate table)."]


def test_a_nudge_is_not_taken_for_tiles_that_were_moved(standing: Standing, scene: Scene) -> None:
    """The tiles are read anew where they are seen now; their points are learnt only once the nudge is told."""
    after = Reader().read(moved(14.0, 6.0))
    assert states(told(standing, moved(14.0, 6.0), after, 2.0, frames=20)) == ["followed"]
    middle_mm = tuple(np.array([[240.0, 180.0]]).ravel() / PX_PER_MM)
    (ring,) = standing.lit_px(Glow((0,), ((float(middle_mm[0]), float(middle_mm[1])),)))
    assert np.mean(ring, axis=0) == pytest.approx((240 + 14, 180 + 6), abs=1.0)


def test_a_table_laid_anew_is_learnt_and_nothing_said(standing: Standing, scene: Scene) -> None:
    fewer = replace(scene, tiles=scene.tiles[:1])
    assert told(standing, cv2.flip(table()[0], 0).astype(np.uint8), fewer, 2.0, frames=60) == []


def test_leds_are_where_they_lie_on_the_table_or_where_they_were_found_in_the_picture(standing: Standing) -> None:
    glow = Glow((1, 2), ((30.0, 20.0),))
    (ring,) = standing.lit_px(glow)
    assert np.mean(ring, axis=0) == pytest.approx((60, 40), abs=0.2)
    assert np.linalg.norm(np.array(ring) - (60, 40), axis=1) == pytest.approx(
        [GLOW_MM * PX_PER_MM] * len(ring), abs=0.2
    )
    (found,) = standing.lit_px(replace(glow, places_mm=()))
    assert np.mean(found, axis=0) == pytest.approx((40, 10))
    assert np.linalg.norm(np.array(found) - (40, 10), axis=1) == pytest.approx([6.0] * len(found))
    assert standing.lit_px(Glow(())) == ()


def test_a_calibration_is_scaled_to_the_pictures(scene: Scene) -> None:
    standing = Standing(KNOWN)
    half = Frame(cv2.resize(GREY.image, (SIZE[0] // 2, SIZE[1] // 2)).astype(np.uint8), 0.0)
    assert standing.see(half, scene) == []
    (ring,) = standing.lit_px(Glow((1,)))
    assert np.mean(ring, axis=0) == pytest.approx((19.75, 4.75))


def test_a_calibration_of_another_shape_is_not_used_and_it_is_said_once(scene: Scene) -> None:
    standing = Standing(replace(KNOWN, size_px=(1280, 720)))
    (event,) = [*standing.see(GREY, scene), *standing.see(GREY, scene)]
    assert isinstance(event, Calibration)
    assert event.state == "unusable"
    assert "calibrated at 1280x720 and now gives 480x360, which is another shape" in event.text
    assert standing.lit_px(Glow((0,))) == ()


def test_a_mirrored_camera_is_turned_back() -> None:
    frame = Frame(table()[0], 1.0)
    turned = Standing(replace(KNOWN, mirrored=True)).upright(frame)
    assert np.array_equal(turned.image, table()[0][:, ::-1])
    assert Standing(KNOWN).upright(frame) is frame


@pytest.mark.parametrize(
    ("text", "state", "words"),
    [
        (as_text(KNOWN)[:200], "unusable", "The camera's calibration is not used: "),
        (as_text(replace(KNOWN, id="elsewhere")), "unusable", "is of the camera elsewhere, not of lamp"),
        (as_text(replace(KNOWN, lights=())).replace("version = 2", "version = 1"), "read", "by an older pipsight"),
    ],
)
def test_what_is_wrong_with_a_camera_s_file_is_told(
    text: str, state: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    camera_file("lamp").parent.mkdir(parents=True)
    camera_file("lamp").write_text(text, encoding="utf-8")
    (event,) = Standing.of("lamp").see(GREY, Scene((0, 0)))
    assert isinstance(event, Calibration)
    assert event.state == state
    assert words in event.text


def test_a_file_that_may_not_be_read_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    camera_file("lamp").mkdir(parents=True)
    (event,) = Standing.of("lamp").see(GREY, Scene((0, 0)))
    assert isinstance(event, Calibration)
    assert event.text.startswith(f"The camera's calibration is not used: {camera_file('lamp')}: ")


def test_a_camera_that_nobody_calibrated_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    assert Standing.of("7").see(GREY, Scene((0, 0))) == []
    save(camera_file("7"), replace(KNOWN, id="camera-7"))
    standing = Standing.of("7")
    assert standing.see(GREY, Scene((0, 0))) == []
    assert len(standing.lit_px(Glow((0, 1)))) == 2


def test_a_nudge_is_told_to_everybody_at_a_live_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    save(camera_file("page"), replace(KNOWN, id="page"))
    film = (filmed(still, Camera(), np.random.default_rng(k)) for k, still in enumerate((table()[0], moved(6.0, 2.0))))
    frames = [next(shot) for shot in film for _ in range(24)]
    live = LiveTable("1")
    monkeypatch.setattr("pipsight.live_table.opened", lambda source: Filmed(frames))
    live.follow("page")
    told = [told for told in live.story if told["event"] == "calibration"]
    assert [one["state"] for one in told] == ["followed"]
    assert told[0]["time_s"] - NUDGED_S <= 1.0
    live.close()


def test_a_table_is_followed_as_if_a_camera_that_shakes_stood_still(monkeypatch: pytest.MonkeyPatch) -> None:
    live, seen = LiveTable("1"), list[Image]()

    def see(frame: Frame, **_: object) -> list[Event]:
        seen.append(frame.image)
        return []

    monkeypatch.setattr(live.session, "see", see)
    still = [Frame(table()[0], k / 30) for k in range(20)]
    shown = [frame.image for frame in shaken(still, 1.5, 4)]
    for number, image in enumerate(shown):
        live.see(Frame(image, number / 30), live=True)
    apart, left = (
        np.mean([cv2.absdiff(image, images[0])[30:-30, 30:-30].mean() for image in images[1:]])
        for images in (shown, seen)
    )
    assert left < apart / 2
    live.close()


class Filmed:
    """A camera that shows these pictures, ten a second."""

    name, live = "filmed", True

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = images

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(image, k / 10) for k, image in enumerate(self._images))

    def __enter__(self) -> Filmed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """There is nothing to let go."""
