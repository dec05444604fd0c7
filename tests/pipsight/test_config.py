"""The user's settings: what they change, and what is said of those that are wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from hardware.scheme import DEFAULT
from pipsight import doctor
from pipsight.cli import run
from pipsight.config import BadConfig, Config, Lights, Watching, config_file, config_of, load

SETTINGS = """
[watch]
camera = ["0", "http://phone:8080/video"]
port = 9000
voice = true
browser = false

[hardware]
enabled = true
port = "/dev/ttyACM0"
buttons = "pause"
quiet = true

[hardware.wrong]
color = "#ff8000"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where config.toml of this test lies."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.toml"


def test_the_file_lies_in_the_users_config_folder_and_need_not_exist(home: Path) -> None:
    assert config_file() == home
    assert load() == Config()


def test_what_is_set_is_changed_and_nothing_else(home: Path) -> None:
    home.write_text(SETTINGS, encoding="utf-8")
    config = load()
    assert config.watch == Watching(("0", "http://phone:8080/video"), 9000, False, True, False)
    lights = config.hardware
    assert (lights.enabled, lights.port, lights.buttons) == (True, "/dev/ttyACM0", "pause")
    assert (lights.scheme.quiet, lights.scheme.wrong.color) == (True, (255, 128, 0))
    assert lights.scheme.turn == DEFAULT.turn


@pytest.mark.needs("cv2")
@pytest.mark.parametrize("command", [["watch", "unmatched", "--problem", "5", "--json"], ["doctor"]])
def test_a_set_of_the_settings_that_is_gone_is_told_with_the_file_that_names_it(
    command: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text('[watch]\ntaught = "grandma"\n', encoding="utf-8")
    monkeypatch.setattr("pipsight.doctor.CHECKS", [doctor._settings])
    assert run(command) != 0
    told = capsys.readouterr()
    assert f"{home}: watch.taught: no set grandma was taught (there are: none yet)" in told.out + told.err


def test_settings_are_the_same_as_an_editor_of_windows_writes_them(home: Path) -> None:
    home.write_bytes(b"\xef\xbb\xbf" + SETTINGS.replace("\n", "\r\n").encode())
    marked = load()
    home.write_text(SETTINGS, encoding="utf-8")
    assert marked == load()


def test_one_camera_needs_no_list() -> None:
    assert config_of({"watch": {"camera": 1}}).watch.camera == ("1",)


def test_taught_sets_may_be_one_or_several() -> None:
    assert config_of({"watch": {"taught": "grandma"}}).watch.taught == ("grandma",)
    assert config_of({"watch": {"taught": ["grandma", "travel"]}}).watch.taught == ("grandma", "travel")
    with pytest.raises(BadConfig, match=r"watch.taught cannot be 7: write the name of a set"):
        config_of({"watch": {"taught": 7}})


def test_empty_tables_are_the_defaults() -> None:
    assert config_of(tomllib.loads("[watch]\n[hardware]")) == Config(Watching(), Lights())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("[wach]", "there is no setting wach; did you mean watch?"),
        ("xyzzy = 1", "there is no setting xyzzy; there are watch, hardware"),
        ("[watch]\ncamra = 0", "there is no setting watch.camra; did you mean watch.camera?"),
        ("[hardware]\nenabeld = true", "there is no setting hardware.enabeld; did you mean hardware.enabled?"),
        ("[hardware]\nwrnog = 3", "there is no setting hardware.wrnog; did you mean hardware.wrong?"),
        ("[hardware]\nwrong.colour = 1", "there is no setting hardware.wrong.colour; did you mean wrong.color?"),
        ("watch = 3", "watch must be a table: write [watch] and its settings below it"),
        ("[watch]\nport = 70000", "watch.port cannot be 70000: write a whole number from 0 to 65535"),
        ("[watch]\nport = true", "watch.port cannot be True"),
        ("[watch]\nvoice = 'yes'", "watch.voice cannot be 'yes': write true or false"),
        ("[watch]\ncamera = [1.5]", 'watch.camera cannot be [1.5]: write a number, an address or a file as "0"'),
        ("[hardware]\nbuttons = 'clame'", "hardware.buttons cannot be 'clame': choose one of claim, pause, resync"),
        ("[hardware]\nport = 3", "hardware.port cannot be 3: write the name of a serial port"),
        ("[watch", "is no TOML"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file_and_what_it_must_be(home: Path, settings: str, words: str) -> None:
    home.write_text(settings, encoding="utf-8")
    with pytest.raises(BadConfig) as error:
        load()
    assert words in str(error.value)
    assert str(home) in str(error.value)


def test_a_file_that_an_editor_of_windows_wrote_is_read(home: Path) -> None:
    home.write_bytes("[watch]\r\nport = 8761\r\n".encode("utf-8-sig"))
    assert load().watch.port == 8761


def test_a_file_that_is_no_text_is_said_to_be_none(home: Path) -> None:
    home.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadConfig, match="is no text"):
        load()
