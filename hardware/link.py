"""The way to a controller: found by its greeting, kept alive, opened again after it was unplugged."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Protocol, Self, TypeAlias

import serial
from serial.tools.list_ports import comports

from hardware.conversation import Conversation, Linked
from hardware.errors import (
    BusyPort,
    HardwareError,
    NoController,
    NoPermission,
    NoSuchPort,
    OldFirmware,
    OtherDevice,
    Silent,
    Unplugged,
)
from hardware.fake import FakeDevice
from hardware.protocol import BAUD, Command, Finished, Pressed, encoded

READ_S = 0.02  # how long to wait for bytes before looking at what is due
WRITE_S = 0.2  # how long a port may take to take bytes; with more, this side would seem to stand still (AWAY_S)
RETRY_S = 0.25
PATIENCE_S = 8.0  # a port that says nothing is left alone for so long
MENDABLE = (NoPermission, BusyPort, OldFirmware)  # what may well be the controller, and what is in its way
FAKE = "fake://"
CLOSED = "the link was closed"


@dataclass(frozen=True)
class Lost:
    """There is no controller, or no longer; the sentence says why and what to do. The link goes on trying."""

    text: str


Event: TypeAlias = Linked | Lost | Pressed | Finished


class Port(Protocol):
    """As much of a pyserial port as the link needs."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


def open_port(name: str) -> Port:
    """Open a port by its name or pyserial URL (loop://, socket://host:port); fake:// is a controller without a board.

    Raises whatever pyserial does.
    """
    if name == FAKE:
        return FakeDevice().port()
    opened = serial.serial_for_url(name, BAUD, timeout=READ_S, exclusive=True)
    with contextlib.suppress(NotImplementedError):  # rfc2217:// has none
        opened.write_timeout = WRITE_S
    with contextlib.suppress(OSError, AttributeError, NotImplementedError, ValueError):
        opened.set_low_latency_mode(True)  # some adapters keep bytes back for 16 ms otherwise
    return opened


def _open(name: str, opened: Callable[[str], Port]) -> Port:
    """Open a port; NoSuchPort, BusyPort or NoPermission where that fails."""
    try:
        return opened(name)
    except Exception as error:  # not OSError alone: pyserial lets through termios.error, KeyError and others
        raise _in_words(name, error) from error


def require_port(name: str) -> None:
    """Raise NoSuchPort, BusyPort or NoPermission where a port cannot be opened."""
    _close(_open(name, open_port))


def _in_words(name: str, error: Exception) -> HardwareError:
    number = getattr(error, "errno", None)
    if number in {errno.EAGAIN, errno.EBUSY} or "PermissionError" in str(error):  # Windows' word for a busy port
        return BusyPort(f"another program has {name}: close it, such as a serial monitor")
    if number in {errno.EACCES, errno.EPERM}:
        return NoPermission(f"you may not use {name}: {_permitted(name)}")
    if "://" in name:
        return NoSuchPort(f"nothing answers at {name}: look what pipsight hardware list shows")
    if _exists(name):
        return NoSuchPort(f"{name} is no serial port: look what pipsight hardware list shows")
    return NoSuchPort(f"there is no port {name}: plug the controller in, or look what pipsight hardware list shows")


@contextlib.contextmanager
def lent(name: str) -> Iterator[None]:
    """Let a program that locks no ports, such as avrdude, use one, and keep links away; raises as require_port.

    On Windows whoever has a port has it alone.
    """
    port = _open(name, open_port)
    if os.name == "nt":
        _close(port)
    try:
        yield
    finally:
        _close(port)


def _exists(name: str) -> bool:
    with contextlib.suppress(OSError):  # a name that is too long
        return Path(name).exists()
    return False


def _permitted(name: str) -> str:
    """What to do to be allowed to use the port."""
    group = "dialout"
    with contextlib.suppress(OSError, KeyError, NotImplementedError):
        group = Path(name).group()
        if not Path(name).stat().st_mode & stat.S_IWGRP:
            return f"only its owner, {Path(name).owner()}, may; ask whoever looks after this computer"
    return f"sudo usermod -a -G {group} $USER, then log in again"


def port_names() -> list[str]:
    """The serial ports of this computer; NoSuchPort where one goes just now."""
    try:
        return sorted(port.device for port in comports())
    except TypeError as error:  # pyserial reads what it can of each, and reckons with nothing where that is gone
        raise NoSuchPort("a port was unplugged just as it was looked at: look once more") from error


def only_port() -> str:
    """The one serial port there is; NoSuchPort where there is none, or more than one to choose from."""
    names = port_names()
    if len(names) == 1:
        return names[0]
    if names:
        raise NoSuchPort(f"there are several ports: choose one by --port, of {', '.join(names)}")
    raise NoSuchPort("there is no serial port: plug the board in")


def probe(name: str, opened: Callable[[str], Port] = open_port, ended: Callable[[], bool] = lambda: False) -> Linked:
    """Greet whatever is at a port; its answer, or a HardwareError that says what is there instead.

    ended: whether nobody waits for it any more.
    """
    port = _open(name, opened)
    try:
        conversation = Conversation(name, time.monotonic())
        while not ended():
            _write(port, conversation.say(time.monotonic()))
            for event in conversation.hear(port.read(max(1, port.in_waiting)), time.monotonic()):
                if isinstance(event, Linked):
                    return event
        raise Unplugged(CLOSED)
    except HardwareError:
        raise
    except OSError as error:
        raise Unplugged(f"{name} was unplugged: plug it in again") from error
    finally:
        _close(port)


def find(
    names: Iterable[str] | None = None,
    opened: Callable[[str], Port] = open_port,
    ended: Callable[[], bool] = lambda: False,
) -> dict[str, Linked | HardwareError]:
    """What every port leads to: a controller that greets, or what is there instead. All are asked at once."""
    asked = list(port_names() if names is None else names)
    left = threading.Event()  # by ctrl-C: without it whoever leaves would wait until every port was given up

    def answer(name: str) -> Linked | HardwareError:
        try:
            return probe(name, opened, lambda: left.is_set() or ended())
        except HardwareError as error:
            return error

    if not asked:
        return {}
    with ThreadPoolExecutor(len(asked)) as pool:
        try:
            return dict(zip(asked, pool.map(answer, asked), strict=True))
        finally:
            left.set()


def _write(port: Port, data: bytes) -> None:
    """Say something; what a port does not take in time may be lost as on a bad wire, and is said again."""
    with contextlib.suppress(serial.SerialTimeoutException):
        port.write(data)


def _close(port: Port) -> None:
    with contextlib.suppress(OSError, ValueError):
        port.close()


class Link:
    """A controller that is looked for, kept alive, and looked for again, in a thread of its own.

    port: its name or pyserial URL; None for whichever greets. events: Linked, Lost, Pressed and Finished, as they come.

    >>> with Link("fake://") as link:
    ...     linked = link.events.get(timeout=5)
    ...     took = link.send(Light((Stretch(0, 24, (0, 0, 255)),))).result(timeout=5)
    """

    def __init__(self, port: str | None = None, opened: Callable[[str], Port] = open_port) -> None:
        self.events: SimpleQueue[Event] = SimpleQueue()
        self._wanted, self._opened = port, opened
        self._rests: dict[str, float] = {}  # ports that are left alone, and until when
        self._known: dict[str, HardwareError] = {}  # what was last found at each port
        self._new: SimpleQueue[tuple[Command, Future[float]]] = SimpleQueue()
        self._last: Future[float] | None = None  # of the newest command
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._port: Port | None = None
        self._linked: Linked | None = None
        self._told = self._denied = ""  # what was said last; what was forbidden at the last try
        self._thread = threading.Thread(target=self._run, name="controller", daemon=True)
        self._thread.start()

    @property
    def linked(self) -> Linked | None:
        """The controller as it greeted; None while there is none."""
        return self._linked

    def send(self, command: Command) -> Future[float]:
        """Send a command without waiting; the future gets the time of its acknowledgement, or a HardwareError.

        Raises BadMessage for one that the protocol cannot carry.
        """
        encoded(command, 0)
        done: Future[float] = Future()
        done.set_running_or_notify_cancel()  # what was sent cannot be called back
        with self._lock:
            self._last = done
            if self._linked is None:
                done.set_exception(Unplugged(self._told or "no controller is linked yet: wait for it"))
                return done
            self._new.put((command, done))
            self._wake()
        return done

    def flush(self, within_s: float) -> None:
        """Wait until all that was sent is acknowledged or lost, but no longer than so."""
        if self._last:
            wait([self._last], within_s)

    def close(self) -> None:
        """Let the controller go; what was sent and not yet acknowledged is lost. May be called twice."""
        self._closed.set()
        with self._lock:
            self._wake()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _wake(self) -> None:
        """Let the thread look at once; ports without a way to be woken look soon anyway."""
        with contextlib.suppress(OSError, AttributeError, TypeError):
            self._port.cancel_read()  # type: ignore[union-attr]

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._talk(self._name())
            except HardwareError as error:
                self._lose(error)
            self._closed.wait(RETRY_S)

    def _name(self) -> str:
        """The port to open: the one that was asked for, or the first that greets.

        What has answered as something else is left alone from then on, for opening a port restarts many a device; what
        said nothing, or has an old firmware, is asked again after a while: somebody may flash it meanwhile.
        """
        if self._wanted is not None:
            return self._wanted
        there, now = set(port_names()), time.monotonic()
        self._rests = {name: until for name, until in self._rests.items() if name in there and until > now}
        self._known = {name: error for name, error in self._known.items() if name in there}
        for name, answer in find(sorted(there - self._rests.keys()), self._opened, self._closed.is_set).items():
            if isinstance(answer, Linked):
                return name
            self._known[name] = answer
            if isinstance(answer, OtherDevice | OldFirmware):
                patient = isinstance(answer, Silent | OldFirmware)
                self._rests[name] = time.monotonic() + (PATIENCE_S if patient else math.inf)
        raise next(
            (error for error in self._known.values() if isinstance(error, MENDABLE)),
            NoController("no controller was found: plug it in, or flash it by pipsight hardware flash"),
        )

    def _talk(self, name: str) -> None:
        port = _open(name, self._opened)
        conversation = Conversation(name, time.monotonic())
        end: HardwareError = Unplugged(CLOSED)
        with self._lock:
            self._port = port
        try:
            while not self._closed.is_set():
                self._turn(port, conversation)
        except HardwareError as error:
            end = error
            raise
        except OSError as error:
            end = Unplugged(f"the controller at {name} was unplugged: plug it in again")
            raise end from error
        finally:
            self._let_go(port, conversation, end)

    def _turn(self, port: Port, conversation: Conversation) -> None:
        """Say what is due, then hear what came."""
        while not self._new.empty():
            conversation.send(*self._new.get())
        if said := conversation.say(time.monotonic()):
            _write(port, said)
        for event in conversation.hear(port.read(max(1, port.in_waiting)), time.monotonic()):
            if isinstance(event, Linked):
                self._linked, self._told = event, ""
            self.events.put(event)

    def _let_go(self, port: Port, conversation: Conversation, end: HardwareError) -> None:
        """Close the port, and tell whoever waits that nothing more will come."""
        with self._lock:
            self._port = self._linked = None
        while not self._new.empty():
            conversation.send(*self._new.get())
        conversation.drop(end)
        _close(port)

    def _lose(self, error: HardwareError) -> None:
        """Say what is wrong, once; that an unplugged controller is not there goes without saying.

        A port that was just plugged in is nobody's for a moment: that it is forbidden is said when it stays so.
        """
        text, denied = str(error), isinstance(error, NoPermission)
        passing = denied and text != self._denied
        self._denied = text if denied else ""
        if text != self._told and not passing and not (self._told and isinstance(error, NoSuchPort | NoController)):
            self._told = text
            self.events.put(Lost(text))
