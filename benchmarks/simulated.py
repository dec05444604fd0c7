"""The controller's real program, built and run on a simulated chip whose pins are watched; see firmware/simulator.c."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from hardware.protocol import Color

FIRMWARE = Path(__file__).resolve().parents[1] / "hardware" / "firmware"
CYCLES_A_MICROSECOND = 16
T = TypeVar("T")


@dataclass(frozen=True)
class Lit:
    """A picture that the strip was sent: when its last bit ended, in cycles and by time.monotonic; () if cut off."""

    cycle: int
    at_s: float
    colors: tuple[Color, ...]


@dataclass(frozen=True)
class Toned:
    """The buzzer's frequency from a cycle on, 0 for silence."""

    cycle: int
    hertz: float


@dataclass(frozen=True)
class Moved:
    """A button's wire changed, in cycles and by time.monotonic."""

    cycle: int
    at_s: float
    button: int
    down: bool


@dataclass(frozen=True)
class Plugged:
    """The port is there."""


@dataclass(frozen=True)
class Overrun:
    """A byte came while the chip had not yet taken the ones before, and was lost."""

    cycle: int


@dataclass(frozen=True)
class Timing:
    """The shortest and longest of the strip's bits so far, in nanoseconds.

    zero, one: the high part of each bit; rest: the low part within a byte; pause: the longest between bytes.
    """

    zero: tuple[int, int]
    one: tuple[int, int]
    rest: tuple[int, int]
    pause: int


Seen: TypeAlias = Lit | Toned | Moved | Plugged | Overrun | Timing


@cache
def built() -> Path:
    """The folder with the firmware and its simulator, built if need be."""
    subprocess.run(["make", "-s", "-C", FIRMWARE, "simulator"], check=True, capture_output=True)
    return FIRMWARE / "build"


class SimulatedBoard:
    """A controller with its strip, buzzer and buttons. port: where its serial port is, as long as it is plugged in.

    seen: everything that was seen at its pins, in order.
    """

    def __init__(self, folder: Path) -> None:
        self.port = str(folder / "controller")
        self.seen: list[Seen] = []
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            [built() / "simulator", built() / "controller.elf", self.port],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self.wait_for(lambda: self.all(Plugged) or None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Switch it off."""
        self._process.terminate()
        self._process.wait()
        self._watcher.join()  # it reads to the end of what was told
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def press(self, button: int, down: bool = True, after_us: int = 0) -> None:
        """Move a button (from 0) so many microseconds from now."""
        self._say(f"button {button} {int(down)} {after_us}")

    def unplug(self) -> None:
        """Pull the cable."""
        self._say("unplug")

    def plug(self) -> None:
        """Put the cable in again; returns when the port is there."""
        before = len(self.all(Plugged))
        self._say("plug")
        self.wait_for(lambda: len(self.all(Plugged)) > before or None)

    def hurry(self, speed: float = 0) -> None:
        """Run so many times as fast as real time; 0 for as fast as it can, -1 for that while bytes wait to be taken."""
        self._say(f"speed {speed}")

    def timing(self) -> Timing:
        """The extremes of the strip's bits up to now."""
        before = len(self.all(Timing))
        self._say("timing")
        self.wait_for(lambda: len(self.all(Timing)) > before or None)
        return self.all(Timing)[-1]

    def all(self, kind: type[T]) -> list[T]:
        """Everything of one kind that was seen."""
        return [one for one in self.seen if isinstance(one, kind)]

    def wait_for(self, wanted: Callable[[], T | None], timeout_s: float = 10) -> T:
        """What `wanted` gives as soon as it is not None; TimeoutError if that takes too long."""
        with self._changed:
            if not self._changed.wait_for(lambda: wanted() is not None, timeout_s):
                raise TimeoutError(f"not seen within {timeout_s:g} s; the last was {self.seen[-1:]}")
        found = wanted()
        assert found is not None
        return found

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def _watch(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if one := parsed(line.split()):
                with self._changed:
                    self.seen.append(one)
                    self._changed.notify_all()


def parsed(words: list[str]) -> Seen | None:
    """One line of the simulator's output; None for what the simulation library says about itself."""
    match words:
        case ["light", cycle, at_s, colors]:
            return Lit(int(cycle), float(at_s), tuple(_color(colors[k : k + 6]) for k in range(0, len(colors), 6)))
        case ["light", cycle, at_s, *_]:
            return Lit(int(cycle), float(at_s), ())
        case ["tone", cycle, hertz]:
            return Toned(int(cycle), float(hertz))
        case ["button", cycle, at_s, button, down]:
            return Moved(int(cycle), float(at_s), int(button), down == "1")
        case ["overrun", cycle]:
            return Overrun(int(cycle))
        case ["timing", *numbers]:
            a, b, c, d, e, f, pause = map(int, numbers)
            return Timing((a, b), (c, d), (e, f), pause)
        case ["plugged"]:
            return Plugged()
        case ["crashed", cycle]:
            raise RuntimeError(f"the controller's program crashed at cycle {cycle}")
    return None


def _color(text: str) -> Color:
    red, green, blue = bytes.fromhex(text)
    return red, green, blue
