"""The commands `pipsight hardware ...`: the controller is looked for, tried out, listened to, placed and flashed."""

from __future__ import annotations

import queue
import time
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from pipsight.commands.calibrating import Source
from pipsight.trouble import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.conversation import Linked
    from hardware.feedback import Feedback
    from hardware.link import Event, Link

NOTHING_FOUND = 3
ROUND_TRIPS = 50
SHOWN_S = 1.5  # how long each meaning is looked at

app = typer.Typer(help="Lights, sounds and buttons at a serial port: docs/hardware.md tells how to build them.")

Port = Annotated[
    str | None,
    typer.Option("--port", metavar="PORT", help="Its port or pyserial URL; fake:// is one without a board."),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", metavar="N", min=0, help="Leave after so long; else ctrl-C does.")
]


class BoardName(Enum):
    """The boards that the controller's program runs on."""

    UNO = "uno"
    NANO = "nano"
    OLD_NANO = "old-nano"


@app.command("list")
def list_ports() -> None:
    """Greet every serial port and say what is there.

    Exit 0: there is a controller; 3: there is none.
    """
    from hardware.conversation import Linked
    from hardware.link import MENDABLE, find

    found = find()
    for answer in found.values():
        print(answer)
    if any(isinstance(answer, Linked) for answer in found.values()):
        return
    if not any(isinstance(answer, MENDABLE) for answer in found.values()):
        print("No controller was found: plug it in, or flash it by pipsight hardware flash.")
    raise typer.Exit(NOTHING_FOUND)


@app.command("test")
def try_out(port: Port = None, seconds: Seconds = 20) -> None:
    """Show each meaning once, time round trips, then wait for every button to be pressed.

    Exit 0: all was acknowledged and every button pressed; 3: some button was not, each is named; 4: no controller.
    """
    from hardware.conversation import HELD
    from hardware.feedback import Feedback
    from hardware.link import Link
    from pipsight.config import load
    from pipsight.leaving import left_dark

    lights = load().hardware
    with Link(port or lights.port) as link, left_dark(link):
        linked = _first(link)
        print(f"{linked}.")
        feedback = Feedback(link, lights.scheme, players=4)
        feedback.linked(linked)
        for words, show in _meanings(feedback):
            print(f"  {words}", flush=True)
            show()
            time.sleep(SHOWN_S)
        feedback.dark()
        print(f"  {_round_trips(link)}")
        missing = _buttons_not_pressed(link, linked.greeting.buttons, seconds)
    for button in missing:
        held = button in linked.greeting.held
        print(f"Button {button + 1} {HELD if held else 'was not pressed, or its wire is loose'}.")
    if missing:
        raise typer.Exit(NOTHING_FOUND)
    print("Everything works.")


@app.command()
def monitor(port: Port = None, seconds: Seconds = None) -> None:
    """Print what the controller says, as it comes: that it is there or gone, and every button.

    Exit 0: it said something; 3: within --seconds nothing was heard.
    """
    from hardware.link import Link, Lost

    heard = False
    end_s = time.monotonic() + seconds if seconds is not None else float("inf")
    with Link(port or _set_port()) as link:
        while (left_s := end_s - time.monotonic()) > 0:
            try:
                event = link.events.get(timeout=min(left_s, 0.5))
            except queue.Empty:
                continue
            heard = heard or not isinstance(event, Lost)
            print(f"{time.strftime('%H:%M:%S')}  {in_words(event)}", flush=True)
    if not heard:
        print("Nothing was heard: give it more --seconds, or look what pipsight hardware list shows.")
        raise typer.Exit(NOTHING_FOUND)


@app.command()
def place(camera: Source = "0", port: Port = None) -> None:
    """Light one LED after another and find it in the camera's picture: a table then takes no light for a hand.

    Exit 0: the LEDs that it sees are kept with what is known of the camera; 3: it sees none; 4: nothing to look with.
    """
    from hardware.link import Link
    from pipsight.cameras import camera_file
    from pipsight.leaving import left_dark
    from pipsight.places import require_kept
    from pipsight.wizards.lights_guide import find_lights
    from vision.camera import open_camera

    require_kept(camera_file(camera))
    found = 0
    with Link(port or _set_port()) as link, left_dark(link), open_camera(camera) as frames:
        linked = _first(link)
        print(f"{linked}.", flush=True)
        for looked in find_lights(camera, frames, link, linked.greeting.leds):
            found += looked.light is not None
            where = "at {:.0f}, {:.0f}".format(*looked.light.at_px) if looked.light else "not seen"
            print(f"  LED {looked.led + 1}: {where}", flush=True)
    if not found:
        print("The camera sees no LED: point it at them, take away what covers them, and dim the room.")
        raise typer.Exit(NOTHING_FOUND)
    print(f"{found} of {linked.greeting.leds} LEDs were found, and are kept with what is known of the camera.")


def _set_port() -> str | None:
    """The port of the settings, None for whichever greets."""
    from pipsight.config import load

    return load().hardware.port


@app.command()
def flash(
    port: Annotated[str | None, typer.Option("--port", metavar="PORT", help="The board's port.")] = None,
    board: Annotated[BoardName, typer.Option("--board", help="Which board it is.")] = BoardName.UNO,
    leds: Annotated[int, typer.Option("--leds", min=1, max=80, help="How many LEDs the strip has.")] = 24,
) -> None:
    """Build the controller's program and write it to an Arduino Uno or Nano."""
    from hardware.flash import Board, require
    from hardware.flash import flash as write
    from hardware.link import only_port, probe

    there = port or only_port()
    require(there)
    print(f"Writing to the {board.value} at {there} ...", flush=True)
    write(there, Board(board.value), leds)
    print(f"Done: {probe(there)}.")


def in_words(event: Event) -> str:
    """An event in a sentence."""
    from hardware.link import Lost
    from hardware.protocol import Finished, Pressed

    match event:
        case Pressed(button, down):
            return f"Button {button + 1} {'pressed' if down else 'let go'}."
        case Finished():
            return "The countdown is over."
        case Lost(text):
            return sentence(text)
    return sentence(str(event))


def _first(link: Link) -> Linked:
    """The controller, as soon as it greets; HardwareError if there is none."""
    from hardware.conversation import Linked
    from hardware.errors import NoController
    from hardware.link import Lost

    while True:
        match link.events.get():
            case Linked() as linked:
                return linked
            case Lost(text):
                raise NoController(text)


def _meanings(feedback: Feedback) -> list[tuple[str, Callable[[], None]]]:
    return [
        ("ready", feedback.ready),
        *((f"the turn of player {seat + 1}", lambda seat=seat: feedback.turn(seat)) for seat in range(4)),
        ("wrong", feedback.wrong),
        ("too close to call", feedback.too_close),
        ("player 2 wins", lambda: feedback.winner(1)),
        ("a countdown", lambda: feedback.countdown(1)),
        ("over", feedback.over),
    ]


def _round_trips(link: Link) -> str:
    """How long a command takes to be acknowledged."""
    from hardware.protocol import Light

    took_ms = []
    for _ in range(ROUND_TRIPS):
        sent_s = time.monotonic()
        took_ms.append((link.send(Light(())).result() - sent_s) * 1000)
    took_ms.sort()
    return f"{ROUND_TRIPS} round trips: {took_ms[ROUND_TRIPS // 2]:.1f} ms, the slowest {took_ms[-1]:.1f} ms"


def _buttons_not_pressed(link: Link, buttons: int, seconds: float | None) -> list[int]:
    """Wait until each button was pressed once; those that were not within the time. Raises NoController."""
    from hardware.errors import NoController
    from hardware.link import Lost
    from hardware.protocol import Pressed

    print(f"Press each of the {buttons} buttons.", flush=True)
    missing = set(range(buttons))
    end_s = time.monotonic() + (float("inf") if seconds is None else seconds)
    while missing and (left_s := end_s - time.monotonic()) > 0:
        try:
            event = link.events.get(timeout=min(left_s, 0.5))
        except queue.Empty:
            continue
        if isinstance(event, Lost):
            raise NoController(event.text)
        if isinstance(event, Pressed) and event.down:
            print(f"  {in_words(event)}", flush=True)
            missing.discard(event.button)
    return sorted(missing)
