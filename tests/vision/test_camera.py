"""Every kind of camera: frames in order, the newest one of a live camera, and a sentence where there is none."""

from __future__ import annotations

import http.server
import threading
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from pipsight.commands.demo import SAMPLES
from vision.camera import CameraError, CameraLost, Frame, Newest, PushedCamera, open_camera
from vision.picture import PictureError, encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")


def grey(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


def level(frame: Frame) -> int:
    return round(float(frame.image.mean()))


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))  # type: ignore[attr-defined]
    for k in range(5):
        writer.write(grey(40 * k))
    writer.release()
    return path


def test_a_video_gives_every_frame_with_its_time(video: Path) -> None:
    with open_camera(str(video)) as camera:
        frames = list(camera)
    assert [level(frame) for frame in frames] == pytest.approx([0, 40, 80, 120, 160], abs=2)
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert not camera.live


def test_a_folder_gives_its_pictures_by_name_and_a_picture_itself(tmp_path: Path) -> None:
    for name, shade in (("b", 200), ("a", 100)):
        (tmp_path / f"{name}.png").write_bytes(encode(grey(shade), ".png"))
    with open_camera(str(tmp_path)) as camera:
        frames = list(camera)
    assert [level(frame) for frame in frames] == [100] * 20 + [200] * 20
    assert [frame.time_s for frame in frames] == [k / 10 for k in range(40)]
    with open_camera(str(tmp_path / "b.png")) as camera:
        frames = list(camera)
    assert {level(frame) for frame in frames} == {200}
    assert frames[-1].time_s > 4  # long enough to be sure of what lies there


class _Stream(http.server.BaseHTTPRequestHandler):
    """A network camera as many are: JPEG after JPEG in one answer. It ends after twenty pictures."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        for k in range(20):
            data = encode(grey(10 * k), ".jpg")
            self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
            self.wfile.write(data + b"\r\n")
            time.sleep(0.01)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Stream)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/table.mjpeg"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_network_camera_is_followed_and_its_end_is_said(address: str) -> None:
    seen: list[Frame] = []
    with open_camera(address) as camera, pytest.raises(CameraLost, match=r"table\.mjpeg sends no more pictures$"):
        seen.extend(camera)
    assert camera.live
    assert seen
    shades = [level(frame) for frame in seen]
    assert shades == sorted(shades)
    assert shades[-1] == pytest.approx(190, abs=3)


def test_an_address_may_begin_with_a_capital_as_on_a_phone(address: str) -> None:
    with open_camera(address.replace("http", "Http")) as camera:
        assert camera.name == address
        assert next(iter(camera)).image.shape == (48, 64, 3)


def test_a_camera_that_is_closed_ends_its_frames_without_complaint(address: str) -> None:
    with open_camera(address) as camera:
        next(iter(camera))
        camera.close()
        assert list(camera) == []
    camera.close()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("97", "camera 97 does not answer: is it plugged in, and used by no other program?"),
        (
            "http://127.0.0.1:9/",
            "http://127.0.0.1:9/ does not answer: is it switched on, in this network, and is the address right?",
        ),
        (
            "http://admin:S3cr@t?#@127.0.0.1:9/x@y",
            "^http://127.0.0.1:9/x@y does not answer: is it switched on, in this network, and is the address right?",
        ),
        ("Http://127.0.0.1:9/", "^http://127.0.0.1:9/ does not answer"),
        ("ftp://admin:S3cret@cam/", "there is no camera or file ftp://cam/: give a number"),
        ("9" * 20, "there is no camera or file 9{20}: give a number"),
        ("\N{SUPERSCRIPT TWO}", "there is no camera or file \N{SUPERSCRIPT TWO}: give a number"),
        ("nowhere.mp4", "there is no camera or file nowhere.mp4: give a number, an address, a video or a folder"),
    ],
)
def test_a_source_without_frames_is_named(source: str, sentence: str) -> None:
    with pytest.raises(CameraError, match=sentence.replace("?", r"\?")):
        open_camera(source)


def test_a_file_that_is_no_video_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no video", encoding="utf-8")
    with pytest.raises(CameraError, match=r"notes\.txt is no video that can be read"):
        open_camera(str(tmp_path / "notes.txt"))
    with pytest.raises(CameraError, match="holds no pictures"):
        open_camera(str(tmp_path))


def test_a_film_or_a_picture_that_is_cut_off_is_named_before_anything_is_looked_at(tmp_path: Path) -> None:
    film, picture = tmp_path / "film.mp4", tmp_path / "table.jpg"
    film.write_bytes((SAMPLES / "unmatched_play.mp4").read_bytes()[:40_000])
    picture.write_bytes((SAMPLES / "bee.jpg").read_bytes()[:200])
    with pytest.raises(CameraError, match=r"film\.mp4 is no video that can be read: it may be cut off"):
        open_camera(str(film))
    for source in (picture, tmp_path):
        with pytest.raises(PictureError, match=r"table\.jpg"):
            open_camera(str(source))


def test_a_phones_picture_that_cannot_be_read_is_called_one_and_no_video(tmp_path: Path) -> None:
    photo = tmp_path / "IMG_0001.HEIC"
    photo.write_bytes(b"\0\0\0\x18ftypheic" + bytes(99))
    with pytest.raises(PictureError, match="is a HEIC picture; pictures in JPEG"):
        open_camera(str(photo))


def test_the_newest_frame_wins() -> None:
    newest = Newest()
    for k in range(3):
        newest.put(Frame(grey(k), float(k)))
    frame = newest.take(1)
    assert frame
    assert frame.time_s == 2
    with pytest.raises(TimeoutError):
        newest.take(0.01)
    newest.close()
    assert newest.take(0.01) is None


def test_a_page_sends_pictures_and_junk_is_refused() -> None:
    camera = PushedCamera()
    camera.push(encode(grey(120), ".jpg"), 0.5)
    frame = next(iter(camera))
    assert (level(frame), frame.time_s) == (120, 0.5)
    with pytest.raises(PictureError, match="a picture from the page's camera"):
        camera.push(b"junk")
    camera.close()
    assert list(camera) == []


def test_a_page_that_falls_silent_is_lost() -> None:
    with PushedCamera("the phone", silence_s=0.05) as camera, pytest.raises(CameraLost, match="the phone has sent no"):
        list(camera)
