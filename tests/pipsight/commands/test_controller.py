"""pipsight hardware: list, test, monitor and flash, with the fake controller and with real programs where they are."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import serial

from hardware.fake import FakeDevice
from hardware.lights import DARK
from pipsight.cli import run
from pipsight.commands.controller import _meanings, in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.feedback import Feedback
    from hardware.link import Event

CONTROLLER = "firmware 1.0, 24 LEDs, 4 buttons"
needs_unix = pytest.mark.skipif(os.name == "nt", reason="Windows has no ptys and runs no such scripts")


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    """A fake controller, which every fake:// opens."""
    one = FakeDevice()
    monkeypatch.setattr("hardware.link.FakeDevice", lambda: one)
    return one


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.commands.controller.SHOWN_S", 0.01)


def ports(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr("hardware.link.port_names", lambda: list(names))


def test_list_says_what_is_at_every_port(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports(monkeypatch, "fake://", "loop://", "/dev/nothing-here")
    assert run(["hardware", "list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"controller at fake://: {CONTROLLER}"
    assert told[1].startswith("another device answers at loop://")
    assert told[2].startswith("there is no port /dev/nothing-here")


def test_list_without_a_controller_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports(monkeypatch)
    assert run(["hardware", "list"]) == 3
    assert "No controller was found: plug it in" in capsys.readouterr().out


@pytest.mark.usefixtures("no_waiting")
def test_test_goes_through_everything(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    def pressing() -> None:
        for button in [*range(4)] * 40:
            device.press(button)
            device.press(button, down=False)
            if done.wait(0.1):
                return

    done = threading.Event()
    fingers = threading.Thread(target=pressing)
    fingers.start()
    code = run(["hardware", "test", "--port", "fake://", "--seconds", "20"])
    done.set()
    fingers.join()
    told = capsys.readouterr().out
    assert code == 0
    assert "50 round trips" in told
    assert told.endswith("Everything works.\n")
    assert max(len(set(picture.colors)) for picture in device.pictures) > 1
    assert [tone.hertz for tone in device.tones if tone.hertz]


@pytest.mark.usefixtures("no_waiting")
def test_test_names_the_buttons_that_were_not_pressed(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "test", "--port", "fake://", "--seconds", "0"]) == 3
    assert "Button 4 was not pressed, or its wire is loose." in capsys.readouterr().out


@pytest.mark.usefixtures("no_waiting")
def test_a_button_that_is_held_is_not_called_loose(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    device.press(2)
    assert run(["hardware", "test", "--port", "fake://", "--seconds", "0"]) == 3
    told = capsys.readouterr().out
    assert "Button 3 is held down or its wire touches ground: let it go." in told
    assert "Button 4 was not pressed, or its wire is loose." in told
    assert set(device.colors()) == {(0, 0, 0)}


@needs_unix
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("shown", ["the turn of player 2", "player 2 wins", "a countdown"])
def test_however_a_test_ends_halfway_the_table_is_dark_and_silent(
    shown: str, end: str, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown_and_ended(feedback: Feedback) -> list[tuple[str, Callable[[], None]]]:
        asked = dict(_meanings(feedback))
        return [(shown, asked[shown]), ("the end", lambda: os.kill(os.getpid(), number))]

    def closed(*_: object) -> None:
        pytest.fail("nothing listened to it")

    monkeypatch.setattr("pipsight.commands.controller._meanings", shown_and_ended)
    monkeypatch.setattr("pipsight.commands.controller.SHOWN_S", 0.2)
    number = getattr(signal, end)
    before = signal.signal(number, signal.default_int_handler if end == "SIGINT" else closed)
    try:
        assert run(["hardware", "test", "--port", "fake://"]) == 130
    finally:
        signal.signal(number, before)
    assert any(set(picture.colors) != {DARK} for picture in device.pictures)
    assert set(device.colors()) == {DARK}
    sounded = len(device.tones)
    time.sleep(1.2)  # a countdown would be heard by then, a tune longer
    assert set(device.colors()) == {DARK}
    assert [tone.hertz for tone in device.tones[sounded - 1 :]] in ([], [0])


def test_monitor_prints_what_comes_until_somebody_leaves(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave() -> None:
        raise KeyboardInterrupt

    happenings = iter([lambda: device.press(2), device.unplug, device.plug, leave])

    def told_and_then(event: Event) -> str:
        words = in_words(event)
        print(words)
        next(happenings)()
        return words

    monkeypatch.setattr("pipsight.commands.controller.in_words", told_and_then)
    assert run(["hardware", "monitor", "--port", "fake://"]) == 130
    told = [line for line in capsys.readouterr().out.splitlines() if not line[0].isdigit()]
    assert told == [
        f"Controller at fake://: {CONTROLLER}.",
        "Button 3 pressed.",
        "The controller at fake:// was unplugged: plug it in again.",
        f"Controller at fake://: {CONTROLLER}; button 3 is held down or its wire touches ground: let it go.",
    ]


def test_monitor_leaves_after_its_time(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "monitor", "--port", "fake://", "--seconds", "1"]) == 0
    assert capsys.readouterr().out[10:] == f"Controller at fake://: {CONTROLLER}.\n"


def test_monitor_that_heard_nothing_says_so(device: FakeDevice, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "monitor", "--port", "fake://", "--seconds", "0"]) == 3
    assert capsys.readouterr().out == (
        "Nothing was heard: give it more --seconds, or look what pipsight hardware list shows.\n"
    )


def test_monitor_that_only_says_what_is_wrong_heard_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "monitor", "--port", "/dev/nothing-here", "--seconds", "0.5"]) == 3
    wrong, nothing = capsys.readouterr().out.splitlines()
    assert "There is no port /dev/nothing-here: plug the controller in" in wrong
    assert nothing.startswith("Nothing was heard")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["test", "--port", "/dev/nothing-here"],
            "pipsight: there is no port /dev/nothing-here: plug the controller in",
        ),
        (["flash"], "pipsight: there are several ports: choose one by --port, of a, b."),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports(monkeypatch, "a", "b")
    assert run(["hardware", *arguments]) == 4
    told = capsys.readouterr().err
    assert told.startswith(words)
    assert told.count("\n") == 1


def test_flash_names_the_programs_that_lack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["hardware", "flash", "--port", "x"]) == 4
    assert "apt-get install make gcc-avr avr-libc avrdude" in capsys.readouterr().err


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that flashing needs, of which the one that writes finds no board."""
    for name, code in (("make", 0), ("avr-gcc", 0), ("avrdude", 1)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def port() -> Iterator[str]:
    """A port that can be opened, where nothing answers."""
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


@needs_unix
@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize(
    ("there", "words"),
    [
        ("/dev/nothing-here", "there is no port /dev/nothing-here: plug the controller in"),
        ("/dev/null", "/dev/null is no serial port: look what pipsight hardware list shows."),
        ("fake://", "fake:// is no board: plug one in, and name its port as pipsight hardware list shows it."),
    ],
)
def test_flash_names_what_is_no_port_of_a_board(there: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(there, capsys).startswith(f"pipsight: {words}")


@needs_unix
@pytest.mark.usefixtures("tools")
def test_flash_takes_no_port_that_another_program_has_or_this_user_may_not_use(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def forbidden(name: str, *_: object, **__: object) -> None:
        raise serial.SerialException(errno.EACCES, name)

    with serial.Serial(port, exclusive=True):
        assert refused(port, capsys).startswith(f"pipsight: another program has {port}: close it")
    monkeypatch.setattr("serial.serial_for_url", forbidden)
    Path(port).chmod(0o660)
    group = Path(port).group()
    assert refused(port, capsys) == (
        f"pipsight: you may not use {port}: sudo usermod -a -G {group} $USER, then log in again.\n"
    )


@needs_unix
@pytest.mark.usefixtures("tools")
def test_a_board_that_does_not_answer_may_be_another_one(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hardware", "flash", "--port", port]) == 4
    told = capsys.readouterr()
    assert told.out == f"Writing to the uno at {port} ...\n"
    assert told.err == (
        f"pipsight: no uno could be written at {port}: see that nothing else uses the port, "
        "try --board nano or --board old-nano.\n"
    )


WRITER = """#!{python}
import fcntl, pathlib, sys
with open(sys.argv[sys.argv.index("-P") + 1], "rb+", buffering=0) as port:
    try:
        fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pathlib.Path(__file__).with_name("kept").touch()
sys.exit(1)
"""


@needs_unix
@pytest.mark.usefixtures("tools")
def test_a_program_that_looks_for_a_controller_does_not_get_a_board_that_is_being_written(
    port: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "avrdude").write_text(WRITER.format(python=sys.executable), encoding="utf-8")
    assert run(["hardware", "flash", "--port", port]) == 4
    assert "no uno could be written" in capsys.readouterr().err
    assert (tmp_path / "kept").exists()
    serial.Serial(port, exclusive=True).close()


def refused(port: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a port, before anything is written there."""
    assert run(["hardware", "flash", "--port", port]) == 4
    told = capsys.readouterr()
    assert told.out == ""
    return told.err
