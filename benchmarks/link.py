"""The link, measured with the controller's real program on a simulated chip: speed, stamps, drift, junk, unplugging.

    python -m benchmarks.link --log build/link.jsonl

Each part is measured in portions that take seconds to a minute. With --log FILE each portion is kept as it comes, and a
run that was stopped goes on from there. The simulator needs gcc-avr, avr-libc, libsimavr-dev, gcc and make.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import serial

from benchmarks.log import keep, kept
from benchmarks.simulated import CYCLES_A_MICROSECOND, FIRMWARE, Lit, Moved, Overrun, SimulatedBoard, Toned
from benchmarks.spoiling import Listening, Sending
from hardware.conversation import Linked
from hardware.framing import Splitter
from hardware.link import Link, Lost
from hardware.protocol import (
    BAUD,
    Animate,
    Countdown,
    Greeting,
    Hello,
    Light,
    Off,
    Pattern,
    Ping,
    Pong,
    Pressed,
    Stretch,
    decoded,
    encoded,
)

Told = dict[str, Any]
PORTIONS = {"speed": 4, "stamps": 4, "countdown": 1, "junk": 20, "unplug": 10}
TRIPS, PRESSES, UNPLUGS, MESSAGES, MINUTES = 100, 60, 10, 5000, 30
AT_ONCE = 100
GONE = 2_000_000 * CYCLES_A_MICROSECOND  # so long after the last picture comes the dark of a lost computer
PATIENCE_S = 60  # a busy computer is slow at simulating


def speed(board: SimulatedBoard, portion: int) -> Told:
    """Milliseconds from a command here to its light at the strip, and to its acknowledgement here."""
    lit_ms, back_ms = [], []
    with Link(board.port) as link:
        _linked(link)
        for k in range(TRIPS):
            time.sleep(0.02)
            color = (k + 1, portion + 1, 7)
            sent_s = time.monotonic()
            back_ms.append((link.send(Light((Stretch(k % 24, 1, color),))).result(5) - sent_s) * 1000)
            lit_ms.append((_lit(board, k % 24, color).at_s - sent_s) * 1000)
    return {"lit_ms": lit_ms, "back_ms": back_ms}


def stamps(board: SimulatedBoard, portion: int) -> Told:
    """How far, in milliseconds, stamps are from the moments at which buttons moved, by both clocks."""
    chance = Random(portion)
    there: list[float] = []
    here_ms: list[float] = []
    with Link(board.port) as link:
        _linked(link)
        link.send(Animate(Pattern.CHASE, Stretch(0, 24, (40, 20, 60)), 300, 0)).result(5)
        time.sleep(1)
        for k in range(PRESSES):
            for down, base in ((True, 0), (False, 40_000)):
                at_us = base + chance.randrange(20_000)
                for bounce in range(chance.randrange(4)):
                    board.press(k % 4, down, at_us + 900 * bounce)
                    board.press(k % 4, not down, at_us + 900 * bounce + chance.randint(50, 800))
                board.press(k % 4, down, at_us + 4000)
            for pressed, began in _two_moves(board, link, k % 4):
                there.append(pressed.micros / 1000 - began.cycle / CYCLES_A_MICROSECOND / 1000)
                here_ms.append(((pressed.at_s or 0) - began.at_s) * 1000)
    middle = median(there)
    return {"there_ms": [abs(one - middle) for one in there], "here_ms": [abs(one) for one in here_ms]}


def _two_moves(board: SimulatedBoard, link: Link, button: int) -> list[tuple[Pressed, Moved]]:
    """The next press and release as they are told, each with the first move of its wire."""
    told = [event for event in (link.events.get(timeout=10) for _ in range(2)) if isinstance(event, Pressed)]
    board.timing()  # all that was seen before has arrived when this has
    moves = [move for move in board.all(Moved) if move.button == button]
    first = [move for before, move in zip([None, *moves], moves, strict=False) if _rested(before, move)]
    return list(zip(told, first[-2:], strict=True))


def _rested(before: Moved | None, move: Moved) -> bool:
    return before is None or move.cycle - before.cycle > 5000 * CYCLES_A_MICROSECOND


def countdown(board: SimulatedBoard, portion: int) -> Told:
    """By how many milliseconds a countdown without a computer misses its end."""
    with Link(board.port) as link:
        _linked(link)
        link.send(Countdown(MINUTES * 60_000, (0, 90, 30))).result(5)
        began = board.wait_for(lambda: next((lit for lit in board.all(Lit) if any(map(any, lit.colors))), None))
    board.hurry()
    board.wait_for(lambda: next(iter(board.all(Toned)), None), timeout_s=3600)
    full = ((0, 90, 30),) * 24
    end = [lit for lit in board.all(Lit) if lit.colors == full][-1]
    return {"drift_ms": (end.cycle - began.cycle) / CYCLES_A_MICROSECOND / 1000 - MINUTES * 60_000}


def junk(board: SimulatedBoard, portion: int, messages: int = MESSAGES) -> Told:
    """What becomes of spoilt messages: wrong pictures, hangs, lost bytes."""
    sending, listening = Sending(Random(portion), 7), Listening(7)
    with serial.Serial(board.port, BAUD, timeout=0.2) as port:
        _greet(port, 7)
        board.hurry(-1)
        for _ in range(0, messages, AT_ONCE):
            data = b"".join(sending.messages(AT_ONCE))
            port.write(data)
            port.read(port.in_waiting)
            listening.hear(data, sending.meant)
        board.hurry(1)
        alive = _answers(port)
    board.timing()  # all that was seen before has arrived when this has
    pictures = [lit.colors for before, lit in pairwise(board.all(Lit)) if lit.cycle - before.cycle < GONE]
    return {
        "messages": messages,
        "expected": len(listening.shown),
        "shown": len(pictures),
        "wrong": _wrong(pictures, listening.shown),
        "slipped": listening.slipped,
        "hung": not alive,
        "overruns": len(board.all(Overrun)),
    }


def _wrong(pictures: Sequence[object], expected: Sequence[object]) -> int:
    """How many pictures are not among those expected, in their order; the last one expected must be there."""
    rest, wrong = iter(expected), 0
    for picture in pictures:
        if all(picture != other for other in rest):
            wrong, rest = wrong + 1, iter(expected)
    return wrong + (bool(expected) and (not pictures or pictures[-1] != expected[-1]))


def _greet(port: serial.Serial, sequence: int) -> None:
    splitter = Splitter()
    for _ in range(50):
        port.write(encoded(Hello(), sequence))
        if any(isinstance(decoded(frame), Greeting) for frame in splitter.feed(port.read(40))):
            return
    raise TimeoutError("the controller does not greet")


def _answers(port: serial.Serial) -> bool:
    """Whether the controller still answers a Ping, after all that it was sent before."""
    splitter, end_s = Splitter(), time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        port.write(encoded(Ping(), 1))
        if any(isinstance(decoded(frame), Pong) for frame in splitter.feed(port.read(200))):
            return True
    return False


def unplug(board: SimulatedBoard, portion: int) -> Told:
    """Seconds from plugging in to the first light, after the cable was pulled in mid-message."""
    chance, took_s = Random(portion), []
    with Link(board.port) as link:
        _linked(link)
        for k in range(UNPLUGS):
            for n in range(20):
                link.send(Light((Stretch(n, 1, (9, 9, 9)),)))
            time.sleep(chance.random() * 0.05)
            board.unplug()
            while not isinstance(link.events.get(timeout=10), Lost):
                pass
            board.plug()
            plugged_s = time.monotonic()
            _linked(link)
            color = (k + 1, portion + 1, 99)
            link.send(Light((Stretch(0, 1, color),))).result(5)
            _lit(board, 0, color)
            took_s.append(time.monotonic() - plugged_s)
        link.send(Off()).result(5)
    return {"took_s": took_s}


def _linked(link: Link) -> None:
    while not isinstance(link.events.get(timeout=10), Linked):
        pass


def _lit(board: SimulatedBoard, led: int, color: tuple[int, int, int]) -> Lit:
    """The picture in which a LED has this color."""
    return board.wait_for(
        lambda: next((lit for lit in reversed(board.all(Lit)) if lit.colors and lit.colors[led] == color), None)
    )


PARTS: dict[str, Callable[[SimulatedBoard, int], Told]] = {
    "speed": speed,
    "stamps": stamps,
    "countdown": countdown,
    "junk": junk,
    "unplug": unplug,
}


class Record:
    """The portions measured so far, one a line of a file; only those of this very firmware and link count."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        sources = sorted(path for path in FIRMWARE.parent.rglob("*.[pch]*") if path.suffix in {".py", ".c", ".h"})
        self._code = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
        told = kept(path)
        self._known = {(one["part"], one["portion"]): one["told"] for one in told if one["code"] == self._code}

    def measured(self, part: str, portion: int) -> Told:
        """What one portion gives, measured now unless it is known."""
        known: Told | None = self._known.get((part, portion))
        if known is not None:
            return known
        with tempfile.TemporaryDirectory() as folder, SimulatedBoard(Path(folder)) as board:
            told = PARTS[part](board, portion)
        keep(self._path, {"part": part, "portion": portion, "code": self._code, "told": told})
        return told


def in_words(part: str, portions: Sequence[Told]) -> str:
    """What is printed of a part."""
    joined = {key: [one for told in portions for one in _listed(told[key])] for key in portions[0]}
    match part:
        case "speed":
            return f"command to light {_spread(joined['lit_ms'])}; there and back {_spread(joined['back_ms'])}"
        case "stamps":
            return f"stamps off by {_spread(joined['there_ms'])}; in this computer's time {_spread(joined['here_ms'])}"
        case "countdown":
            return f"after {MINUTES} simulated minutes off by {joined['drift_ms'][0]:+.2f} ms"
        case "junk":
            sums = {key: sum(values) for key, values in joined.items()}
            return ", ".join(f"{value} {key}" for key, value in sums.items())
        case _:
            return f"{len(joined['took_s'])} times, linked and lit after {_spread(joined['took_s'], 's')}"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _spread(values: Sequence[float], unit: str = "ms") -> str:
    ordered = sorted(values)
    often = ordered[int(len(ordered) * 0.95)]
    return f"{median(ordered):.2f} {unit} (95%: {often:.2f}, at most {ordered[-1]:.2f}, of {len(ordered)})"


def main() -> None:
    """Print a line a part."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    parser.add_argument("--log", type=Path, help="keep what was measured here, and go on from it")
    asked = parser.parse_args()
    record = Record(asked.log)
    try:
        for part in [asked.only] if asked.only else PARTS:
            portions = []
            for portion in range(PORTIONS[part]):
                print(f"{part} {portion + 1}/{PORTIONS[part]}", file=sys.stderr, flush=True)
                portions.append(record.measured(part, portion))
            print(f"{part:10} {in_words(part, portions)}", flush=True)
    except KeyboardInterrupt:
        print("stopped; with --log the next run goes on from here", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
