"""pipsight doctor: this machine as it is, and what is said of machines where something lacks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.store import CameraCalibration, save
from pipsight import doctor
from pipsight.cli import run
from pipsight.doctor import CHECKS, Finding, findings

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's user keeps files."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    return tmp_path


def only(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Finding]:
    """What one of the checks finds."""
    monkeypatch.setattr(doctor, "CHECKS", [check for check in CHECKS if check.__name__ == f"_{name}"])
    return list(findings())


def test_everything_is_looked_at_and_what_is_needed_works_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[1] for line in lines]
    assert list(dict.fromkeys(named)) == [check.__name__.strip("_") for check in CHECKS]
    assert {line.split()[0] for line in lines} <= {"OK", "--"}
    needed = ("python", "packages", "opencv", "networks", "settings", "kept", "disk")
    assert [line.split()[0] for line in lines if line.split()[1] in needed] == ["OK"] * len(needed)
    assert all(line.endswith(".") for line in lines)


def test_what_is_needed_and_does_not_work_ends_with_another_exit(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("[watch]\ncamra = 0", encoding="utf-8")
    only(monkeypatch, "settings")
    assert run(["doctor"]) == 3
    assert "!!  settings" in (told := capsys.readouterr().out)
    assert told.endswith("did you mean watch.camera?\n")  # and no full stop after the question


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[Finding]:
        raise ZeroDivisionError
        yield

    monkeypatch.setattr(doctor, "CHECKS", [broken])
    with pytest.raises(ZeroDivisionError):
        list(findings())


def test_other_peoples_packages_of_our_names_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {"rules": ["pipsight", "rules-engine"], "vision": ["pipsight"]}
    monkeypatch.setattr("importlib.metadata.packages_distributions", lambda: owners)
    (found,) = only(monkeypatch, "packages")
    assert (found.state, found.words[:30]) == ("!!", "rules-engine has packages of t")


def test_packages_that_come_from_elsewhere_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("rules", "json"))
    (found,) = only(monkeypatch, "packages")
    assert found.state == "!!"
    assert found.words.startswith("json comes from elsewhere")


def test_two_opencvs_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OPENCVS", ("opencv-python", "numpy"))
    (found,) = only(monkeypatch, "opencv")
    assert found.state == "!!"
    assert "break each other: uninstall all of them" in found.words


@pytest.mark.parametrize("check", ["camera", "serial"])
def test_a_device_that_this_user_may_not_use_names_its_group(
    check: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video0"
    device.touch()
    monkeypatch.setattr(doctor, "DEVICES", tmp_path)
    monkeypatch.setattr("hardware.link.port_names", lambda: [str(device)])
    monkeypatch.setattr("os.access", lambda *_: False)
    (found,) = only(monkeypatch, check)
    assert found.state == "--"
    assert found.words.startswith(f"you may not use {device}: sudo usermod -a -G {device.group()} $USER")


def test_ports_are_named_and_none_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.link.port_names", list)
    assert "only lights and buttons need one" in only(monkeypatch, "serial")[0].words
    monkeypatch.setattr("hardware.link.port_names", lambda: ["/dev/null"])
    assert only(monkeypatch, "serial") == [
        Finding("serial", "OK", "/dev/null; who greets there is told by pipsight hardware list")
    ]


def test_a_camera_s_file_that_is_damaged_is_named_by_its_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "data" / "cameras").mkdir(parents=True)
    (home / "data" / "cameras" / "lamp.toml").write_text("version = ", encoding="utf-8")
    broken, kept = only(monkeypatch, "kept")
    assert (broken.state, kept.state) == ("--", "OK")
    (home / "data" / "sets" / "grandma.toml").mkdir(parents=True)
    assert only(monkeypatch, "kept")[1].words.startswith(str(home / "data" / "sets" / "grandma.toml"))  # and no number
    assert "lamp.toml, line 1" in broken.words


def test_a_camera_s_file_that_was_copied_for_another_camera_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = CameraCalibration("camera-0", (640, 360), datetime(2026, 1, 31, tzinfo=UTC))
    for name in ("camera-0", "camera-1"):
        save(home / "data" / "cameras" / f"{name}.toml", known)
    strange, kept = only(monkeypatch, "kept")
    assert strange.words.startswith("this calibration is of the camera camera-0, not of camera-1")
    assert kept.words.startswith("1 cameras and sets")


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ROOM_MB", 10**9)
    (found,) = only(monkeypatch, "disk")
    assert found.state == "!!"
    assert found.words.endswith("MB are free: games are kept there")
