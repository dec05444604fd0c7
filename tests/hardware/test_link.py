"""The link with the fake controller: greeting, coming and going, and one sentence for whatever is wrong."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from serial.rfc2217 import PortManager

from hardware.conversation import Linked
from hardware.errors import (
    BadMessage,
    BusyPort,
    HardwareError,
    NoController,
    NoPermission,
    NoSuchPort,
    OldFirmware,
    OtherDevice,
    Refused,
    Unplugged,
)
from hardware.fake import FakeDevice, FakePort
from hardware.link import Event, Link, Lost, Port, find, open_port, probe
from hardware.protocol import Countdown, Finished, Light, Off, Pressed, Sound, Stretch

BLUE = Light((Stretch(2, 3, (0, 0, 200)),))


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice(leds=8)


@pytest.fixture
def link(device: FakeDevice) -> Iterator[Link]:
    with Link("the fake", lambda name: device.port()) as one:
        assert isinstance(one.events.get(timeout=5), Linked)
        yield one


def heard(link: Link) -> Event:
    return link.events.get(timeout=5)


def test_all_that_was_sent_is_done_once_it_was_waited_for(device: FakeDevice, link: Link) -> None:
    link.flush(5)
    for k in range(20):
        link.send(Light((Stretch(0, 1, (k, 0, 1)),)))
    link.flush(5)
    assert device.colors()[0] == (19, 0, 1)
    device.unplug()
    assert isinstance(heard(link), Lost)
    link.send(BLUE)
    link.flush(5)


def test_a_command_is_done_and_acknowledged(device: FakeDevice, link: Link) -> None:
    at_s = link.send(BLUE).result(5)
    assert at_s <= time.monotonic()
    assert device.colors() == ((0, 0, 0),) * 2 + ((0, 0, 200),) * 3 + ((0, 0, 0),) * 3


def test_commands_are_done_once_and_in_order(device: FakeDevice, link: Link) -> None:
    sent = [link.send(Light((Stretch(0, 1, (k, 0, 1)),))) for k in range(60)]
    for one in sent:
        one.result(5)
    reds = [picture.colors[0][0] for picture in device.pictures if picture.colors[0][2]]
    assert reds == list(range(60))


def test_the_fake_keeps_the_times_of_what_it_showed_and_sounded(device: FakeDevice, link: Link) -> None:
    before_s = time.monotonic()
    link.send(BLUE)
    link.send(Sound(((440, 40), (880, 40)))).result(5)
    time.sleep(0.15)
    device.colors()
    assert before_s < device.pictures[-1].at_s < time.monotonic()
    assert [tone.hertz for tone in device.tones] == [440, 880, 0]
    assert device.tones[2].at_s - device.tones[0].at_s == pytest.approx(0.08)


def test_a_press_comes_with_the_time_of_this_computer(device: FakeDevice, link: Link) -> None:
    before_s = time.monotonic()
    device.press(3)
    device.press(3, down=False)
    after_s = time.monotonic()
    down, up = heard(link), heard(link)
    assert isinstance(down, Pressed)
    assert isinstance(up, Pressed)
    assert (down.button, down.down, up.button, up.down) == (3, True, 3, False)
    assert down.at_s
    assert before_s - 0.002 < down.at_s < after_s + 0.002


def test_the_end_of_a_countdown_is_told(device: FakeDevice, link: Link) -> None:
    link.send(Countdown(1000, (9, 9, 9)))
    assert isinstance(heard(link), Finished)


def test_what_the_controller_cannot_do_is_refused_to_whoever_sent_it(link: Link) -> None:
    with pytest.raises(Refused, match="the controller cannot do Countdown"):
        link.send(Countdown(5)).result(5)
    with pytest.raises(BadMessage, match="does not fit the protocol"):
        link.send(Countdown(-5))
    link.send(Off()).result(5)


def test_a_controller_that_was_unplugged_is_linked_again(device: FakeDevice, link: Link) -> None:
    device.unplug()
    lost = heard(link)
    assert lost == Lost("the controller at the fake was unplugged: plug it in again")
    with pytest.raises(Unplugged):
        link.send(BLUE).result(5)
    assert link.linked is None
    device.plug()
    assert isinstance(heard(link), Linked)
    link.send(BLUE).result(5)


def test_a_controller_that_starts_anew_is_greeted_anew(device: FakeDevice, link: Link) -> None:
    class Restarted(FakePort):
        def _running(self) -> object:  # type: ignore[override]
            return self._device.running()

    device.unplug()
    heard(link)
    device.plug()
    assert isinstance(heard(link), Linked)
    link.close()
    with Link("the fake", lambda name: Restarted(device, device.running())) as kept:
        assert isinstance(heard(kept), Linked)
        device.unplug()
        device.plug()
        assert isinstance(heard(kept), Linked)
        kept.send(BLUE).result(5)


def test_closing_twice_is_closing(link: Link) -> None:
    link.close()
    link.close()
    with pytest.raises(Unplugged):
        link.send(BLUE).result(5)
    assert not [thread for thread in threading.enumerate() if thread.name == "controller"]


class Noisy:
    """A port that garbles, drops, repeats and cuts bytes both ways."""

    def __init__(self, port: Port, chance: Random) -> None:
        self._port, self._chance = port, chance

    @property
    def in_waiting(self) -> int:
        return self._port.in_waiting

    def read(self, size: int = 1) -> bytes:
        return self._spoilt(self._port.read(size))

    def write(self, data: bytes) -> int:
        self._port.write(self._spoilt(data))
        return len(data)

    def close(self) -> None:
        self._port.close()

    def _spoilt(self, data: bytes) -> bytes:
        kind = self._chance.randrange(12)
        at = self._chance.randrange(len(data) + 1)
        match kind:
            case 0:
                return data[:at] + bytes([self._chance.randrange(256)]) + data[at + 1 :]
            case 1:
                return data[:at]
            case 2:
                return data + data
            case 3:
                return data[:at] + self._chance.randbytes(5) + data[at:]
        return data


def test_over_a_bad_wire_every_command_is_still_done_once_and_every_press_told_once(device: FakeDevice) -> None:
    chance = Random(5)
    with Link("the fake", lambda name: Noisy(device.port(), chance)) as link:
        assert isinstance(heard(link), Linked)
        for k in range(25):
            link.send(Light((Stretch(0, 1, (k, 0, 1)),))).result(5)
            device.press(0, k % 2 == 0)
        presses = [event for event in (heard(link) for _ in range(25)) if isinstance(event, Pressed)]
    assert [picture.colors[0][0] for picture in device.pictures if picture.colors[0][2]] == list(range(25))
    assert [press.down for press in presses] == [k % 2 == 0 for k in range(25)]


def test_a_controller_is_told_from_other_devices_and_what_they_are_is_said(device: FakeDevice) -> None:
    def opened(name: str) -> Port:
        if name == "controller":
            return device.port()
        if name == "gone":
            raise serial.SerialException(errno.ENOENT, "no such file")
        return serial.serial_for_url("loop://", timeout=0.02)

    found = find(["controller", "echo", "gone"], opened)
    assert isinstance(found["controller"], Linked)
    assert isinstance(found["echo"], OtherDevice)
    assert str(found["echo"]).startswith("another device answers at echo")
    assert isinstance(found["gone"], NoSuchPort)


def test_whoever_leaves_waits_for_no_port_that_says_nothing() -> None:
    def nothing(size: int) -> bytes:
        time.sleep(0.02)
        return b""

    silent = SimpleNamespace(in_waiting=0, read=nothing, write=len, close=lambda: None)
    before, began_s = signal.signal(signal.SIGINT, signal.default_int_handler), time.monotonic()
    ctrl_c = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    ctrl_c.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            find(["one", "other"], lambda name: silent)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began_s < 2


@pytest.mark.parametrize(
    ("protocol", "words"),
    [(0, "old firmware: update by pipsight hardware flash --port x"), (2, "newer firmware: .*upgrade pipsight")],
)
def test_firmware_of_another_version_says_how_to_update(protocol: int, words: str) -> None:
    with pytest.raises(OldFirmware, match=words):
        probe("x", lambda name: FakeDevice(protocol=protocol).port())


def test_a_button_that_is_held_down_is_said_in_the_greeting(device: FakeDevice) -> None:
    device.press(1)
    linked = probe("x", lambda name: device.port())
    assert linked.greeting.held == (1,)
    assert str(linked).endswith("button 2 is held down or its wire touches ground: let it go")


def failing(number: int, text: str = "failed") -> OSError:
    return serial.SerialException(number, text)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (failing(errno.EACCES), NoPermission, "you may not use x: sudo usermod -a -G dialout"),
        (failing(errno.EAGAIN), BusyPort, "another program has x: close it"),
        (failing(errno.EBUSY), BusyPort, "another program has x: close it"),
        (serial.SerialException("could not open port: PermissionError(13)"), BusyPort, "another program has x"),
        (failing(errno.ENOENT), NoSuchPort, "there is no port x: plug the controller in"),
        (ValueError("invalid URL"), NoSuchPort, "there is no port x"),
    ],
)
def test_a_port_that_cannot_be_opened_says_why(error: Exception, kind: type[HardwareError], words: str) -> None:
    def opened(name: str) -> Port:
        raise error

    with pytest.raises(kind, match=words):
        probe("x", opened)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no ptys")
def test_a_busy_port_a_missing_one_and_one_that_says_nothing_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.conversation.GREETING_S", 0.3)
    master, slave = os.openpty()
    name = os.ttyname(slave)
    with serial.Serial(name, exclusive=True), pytest.raises(BusyPort):
        probe(name)
    for nowhere, words in ((str(tmp_path / "nothing"), "there is no port"), ("/dev/null", "is no serial port")):
        with pytest.raises(NoSuchPort, match=words):
            probe(nowhere)
    with pytest.raises(NoSuchPort, match="nothing answers at foo://x"):
        probe("foo://x")
    with pytest.raises(OtherDevice, match="nothing answers at"):
        probe(name)
    os.close(master)
    os.close(slave)


def test_without_any_controller_the_link_says_so_once_and_goes_on_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    ports: list[str] = []
    device = FakeDevice()
    monkeypatch.setattr("hardware.link.port_names", lambda: ports)
    with Link(opened=lambda name: device.port()) as link:
        lost = heard(link)
        assert isinstance(lost, Lost)
        assert lost.text.startswith("no controller was found: plug it in")
        ports.append("new")
        assert isinstance(heard(link), Linked)
        assert issubclass(NoController, LookupError)


def test_a_port_that_is_unplugged_just_as_ports_are_listed_does_not_end_the_search(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles = [TypeError("int() can't convert NoneType")]  # as of pyserial, which reads files of each port

    def comports() -> list[SimpleNamespace]:
        if troubles:
            raise troubles.pop()
        return [SimpleNamespace(device="one")]

    monkeypatch.setattr("hardware.link.comports", comports)
    with Link(opened=lambda name: device.port()) as link:
        assert heard(link) == Lost("a port was unplugged just as it was looked at: look once more")
        assert isinstance(heard(link), Linked)


@pytest.mark.parametrize(
    ("error", "words"),
    [(failing(errno.EACCES), "you may not use port: sudo usermod"), (failing(errno.EBUSY), "another program has port")],
)
def test_where_nobody_names_the_port_what_is_in_the_way_is_said_all_the_same(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.link.port_names", lambda: ["port"])

    def opened(name: str) -> Port:
        raise error

    with Link(opened=opened) as link:
        lost = heard(link)
        assert isinstance(lost, Lost)
        assert lost.text.startswith(words)


def test_a_port_that_was_just_plugged_in_and_is_not_yet_this_users_is_no_trouble(device: FakeDevice) -> None:
    refusals = [failing(errno.EACCES)]

    def opened(name: str) -> Port:
        if refusals:
            raise refusals.pop()
        return device.port()

    with Link("port", opened) as link:
        assert isinstance(heard(link), Linked)


def test_an_old_firmware_at_a_port_that_nobody_named_says_how_to_update(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.link.port_names", lambda: ["port"])
    with Link(opened=lambda name: FakeDevice(protocol=0).port()) as link:
        lost = heard(link)
        assert isinstance(lost, Lost)
        assert "update by pipsight hardware flash --port port" in lost.text


def test_a_port_that_said_nothing_is_asked_again_for_somebody_may_have_flashed_it(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.conversation.GREETING_S", 0.2)
    monkeypatch.setattr("hardware.link.PATIENCE_S", 0.2)
    monkeypatch.setattr("hardware.link.port_names", lambda: ["port"])
    flashed = threading.Event()

    class Mute:
        in_waiting = 0

        def read(self, size: int = 1, /) -> bytes:
            time.sleep(0.01)
            return b""

        def write(self, data: bytes, /) -> int:
            return len(data)

        def close(self) -> None: ...

    with Link(opened=lambda name: device.port() if flashed.is_set() else Mute()) as link:
        assert isinstance(heard(link), Lost)
        flashed.set()
        assert isinstance(heard(link), Linked)


def test_a_link_that_is_closed_while_it_looks_for_a_controller_is_closed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = threading.Event()

    class Mute(FakePort):
        def write(self, data: bytes) -> int:
            asked.set()
            return len(data)

    device = FakeDevice()
    monkeypatch.setattr("hardware.link.port_names", lambda: ["port"])
    link = Link(opened=lambda name: Mute(device, device.running()))
    assert asked.wait(5)
    began_s = time.monotonic()
    link.close()
    assert time.monotonic() - began_s < 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no groups of files")
def test_a_port_of_its_owner_alone_names_no_group_that_would_not_help(tmp_path: Path) -> None:
    port = tmp_path / "tty"
    port.touch(mode=0o600)

    def opened(name: str) -> Port:
        raise failing(errno.EACCES)

    with pytest.raises(NoPermission, match=r"only its owner, .*, may"):
        probe(str(port), opened)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no ptys")
@pytest.mark.parametrize("step", ["tcsetattr", "tcflush"])
def test_a_controller_whose_cable_is_pulled_just_as_its_port_is_opened_is_found_again(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    termios = pytest.importorskip("termios")
    master, slave = os.openpty()
    name, do = os.ttyname(slave), getattr(termios, step)

    def opened(name: str) -> Port:
        return open_port(name) if getattr(termios, step) is pulled else device.port()

    def pulled(*what: object) -> None:
        monkeypatch.setattr(termios, step, do)
        os.close(master)
        do(*what)

    monkeypatch.setattr(termios, step, pulled)
    with Link(name, opened) as link:
        assert isinstance(heard(link), Lost)
        assert isinstance(heard(link), Linked)
    os.close(slave)


class Far:
    """A computer that lends the port of its controller to others, in pyserial's two ways; an address is its own."""

    def __init__(self, device: FakeDevice) -> None:
        self._device = device
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:{1}".format(*self._socket.getsockname())

    def serve(self, way: str) -> None:
        """Let the first who comes use the port."""
        there, _ = self._socket.accept()
        port = self._device.port()
        settings: Any = serial.serial_for_url("loop://")
        wire: Any = SimpleNamespace(write=there.sendall)
        manager = PortManager(settings, wire)
        inwards, outwards = (manager.filter, manager.escape) if way == "rfc2217" else (iter, iter)
        there.settimeout(0.005)
        with there, contextlib.suppress(OSError):
            while True:
                with contextlib.suppress(TimeoutError):
                    if not (said := there.recv(500)):
                        return
                    port.write(_joined(inwards(said)))
                there.sendall(_joined(outwards(port.read(500))))

    def close(self) -> None:
        self._socket.close()


def _joined(parts: Iterable[bytes | int]) -> bytes:
    return b"".join(bytes([part]) if isinstance(part, int) else part for part in parts)


@pytest.mark.filterwarnings("ignore:set(Daemon|Name)")  # pyserial's own
@pytest.mark.parametrize("way", ["socket", "rfc2217"])
def test_a_controller_at_another_computer_is_reached_by_the_urls_of_pyserial(device: FakeDevice, way: str) -> None:
    far = Far(device)
    serving = threading.Thread(target=far.serve, args=[way], daemon=True)
    serving.start()
    with Link(f"{way}://{far.address}") as link:
        assert isinstance(heard(link), Linked)
        link.send(BLUE).result(5)
    serving.join()
    far.close()
    assert device.colors()[2] == (0, 0, 200)


@pytest.mark.parametrize("name", ["hwgrep://(", "loop://?logging=loudly", "x" * 5000])
def test_a_name_that_no_port_can_have_is_said_to_lead_nowhere(name: str) -> None:
    with Link(name) as link:
        lost = heard(link)
    assert isinstance(lost, Lost)
    assert "look what pipsight hardware list shows" in lost.text


class Stuffed:
    """A port that takes bytes too slowly, so many times: pyserial says so although all of them may have gone."""

    def __init__(self, port: Port, times: float, takes: bool) -> None:
        self._port, self._times, self._takes = port, times, takes

    @property
    def in_waiting(self) -> int:
        return self._port.in_waiting

    def read(self, size: int = 1) -> bytes:
        return self._port.read(size)

    def write(self, data: bytes) -> int | None:
        if self._times <= 0 or self._takes:
            self._port.write(data)
        if self._times > 0:
            self._times -= 1
            raise serial.SerialTimeoutException("Write timeout")
        return len(data)

    def close(self) -> None:
        self._port.close()


@pytest.mark.parametrize("takes", [True, False])
def test_bytes_that_a_port_does_not_take_in_time_are_said_again(device: FakeDevice, takes: bool) -> None:
    with Link("the fake", lambda name: Stuffed(device.port(), 3, takes)) as link:
        assert isinstance(heard(link), Linked)
        link.send(BLUE).result(5)
        assert link.events.empty()


def test_a_port_that_takes_no_bytes_at_all_leads_to_nobody(device: FakeDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.conversation.GREETING_S", 0.2)
    with pytest.raises(OtherDevice, match="nothing answers at"):
        probe("x", lambda name: Stuffed(device.port(), math.inf, takes=False))
