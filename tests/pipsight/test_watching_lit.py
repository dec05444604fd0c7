"""pipsight watch with lights and buttons: by the option or the settings, on the page and line by line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hardware.fake import FakeDevice
from hardware.lights import DARK
from pipsight.cli import run
from pipsight.config import Lights
from pipsight.live_table import LiveTable
from pipsight.sessions import Choice, unlogged
from pipsight.tables import Tables
from tests.pipsight.pages import SAMPLES, event, heard, page, served, waited

pytestmark = pytest.mark.needs("cv2")

SETTINGS = '[hardware]\nenabled = true\nport = "fake://"\n'
FOLLOWED = ["watch", "unmatched", "--problem", "5", "--json"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's user keeps files."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    return tmp_path


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    """A fake controller, which every fake:// opens."""
    one = FakeDevice()
    monkeypatch.setattr("hardware.link.FakeDevice", lambda: one)
    return one


@pytest.fixture
def folder(home: Path) -> str:
    """A camera that shows the start of the problem three times."""
    pictures = home / "pictures"
    pictures.mkdir()
    for number in range(3):
        shutil.copy(SAMPLES / "unmatched_start.jpg", pictures / f"{number}.jpg")
    return str(pictures)


def test_the_settings_light_a_table_and_an_option_comes_before_them(
    home: Path, folder: str, device: FakeDevice, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = f'[watch]\ncamera = "{folder}"\n{SETTINGS}'
    (home / "config" / "config.toml").write_text(settings, encoding="utf-8")
    assert run(FOLLOWED) == 0
    told = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert sorted(told) == ["began", "lights_found", "waits"]
    assert any(any(color != DARK for color in picture.colors) for picture in device.pictures)
    assert set(device.colors()) == {DARK}
    assert run([*FOLLOWED, "--no-lights"]) == 0
    told = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert told == ["began", "waits"]


def test_a_wrong_setting_is_one_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config" / "config.toml").write_text("[watch]\nvoise = true", encoding="utf-8")
    assert run(FOLLOWED) == 4
    assert "config.toml: there is no setting watch.voise; did you mean watch.voice?" in capsys.readouterr().err


def test_the_one_controller_belongs_to_the_first_table(
    home: Path, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard_of: list[list[str]] = []

    def serve(tables: Tables, place: Any) -> None:
        waited(lambda: any(told["event"] == "lights_found" for told in tables["1"].story))
        heard_of.extend([str(told["event"]) for told in [*table.story]] for table in tables)
        place.listening.close()

    monkeypatch.setattr("pipsight.page.serving.serve", serve)
    cameras = ["--camera", "sample", "--camera", "sample"]
    lit = ["--lights", "--port", "0", "--no-browser"]
    (home / "config" / "config.toml").write_text('[hardware]\nport = "fake://"', encoding="utf-8")
    assert run(["watch", "unmatched", "--problem", "5", *cameras, *lit]) == 0
    assert "lights_found" in heard_of[0]
    assert "lights_found" not in heard_of[1]


def test_a_table_has_its_lights_before_its_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[str] = []
    monkeypatch.setattr(LiveTable, "light", lambda *_: came.append("lights"))
    monkeypatch.setattr(LiveTable, "watch", lambda *_: came.append("camera"))
    Tables().add("sample", None, (), Lights(True, "fake://"))
    assert came == ["lights", "camera"]


def test_a_press_is_heard_on_the_page_of_its_table(device: FakeDevice) -> None:
    tables, table = Tables(), LiveTable("1")
    tables.seat(table)
    table.play(unlogged(Choice("all_fives", players=3)))
    table.light(Lights(True, "fake://"))
    with served(tables) as address, page(address) as socket:
        heard(socket, lambda message: message.get("event") == "lights_found")
        device.press(2)
        press = heard(socket, event("pressed"))
    assert (press["v"], press["seat"], press["means"], press["text"]) == (1, 2, "nothing", "Player 3 pressed.")
    assert set(device.colors()) == {DARK}
