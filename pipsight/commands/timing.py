"""The command `timer`: a clock for any game at the table, with keys, and with buttons and lights where they are."""

from __future__ import annotations

import queue
import re
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipsight.leaving import LEAVING_S, interrupted_where_closed
from pipsight.timer import MOST_PLAYERS, Kind, clock_text, player
from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    from hardware.feedback import Feedback
    from hardware.link import Link
    from pipsight.clock_face import Face
    from pipsight.timekeeper import Timekeeper

LOOKED_EVERY_S = 0.02
LONGEST_S = 24 * 3600.0
_TIME = re.compile(r"(?:([0-9]+):)?([0-9]+(?:\.[0-9]+)?)")


class CannotTime(PipsightError, ValueError):
    """The command describes no clock that could run."""


class Use(NamedTuple):
    """What a clock is for: its kind, how many may play, how many do unless told, how many seconds unless told."""

    title: str
    kind: Kind
    players: range
    usual: int
    length_s: float = 60.0


USES = {
    "bee": Use("Bee's race", Kind.CLAIMS, range(1, MOST_PLAYERS + 1), MOST_PLAYERS),
    "cobra-paw": Use("Cobra Paw", Kind.FIRST, range(2, 5), 4),
    "chess": Use("A chess clock", Kind.CHESS, range(2, MOST_PLAYERS + 1), 2, 300.0),
}
COUNTDOWN = Use("A countdown", Kind.COUNTDOWN, range(1, MOST_PLAYERS + 1), MOST_PLAYERS)


def timer(
    what: Annotated[
        str,
        typer.Argument(metavar="[SECONDS|M:SS|bee|cobra-paw|chess]", help="How long, or for which game."),
    ] = "",
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long, in minutes.")] = None,
    players: Annotated[int | None, typer.Option("--players", metavar="N", help="How many press: 1 to 6.")] = None,
    buttons: Annotated[bool, typer.Option("--buttons", help="Use the controller's buttons and lights too.")] = False,
    port: Annotated[
        str | None, typer.Option("--port", metavar="PORT", help="The controller's port; the first that greets else.")
    ] = None,
) -> None:
    """Run a clock for any game, large in the terminal; say who pressed first and by how much.

    The keys 1 to 6 are the players', the controller's buttons those of players 1 to 4. bee: the first press starts one
    minute. cobra-paw: who is first. chess: a time for each player. Else a countdown, which needs nobody.

    Exit 0: the time is up, or q or ctrl-C ended it; 4: bad input.
    """
    from pipsight.timekeeper import Timekeeper
    from pipsight.timer import Timer

    use, length_s = wanted(what, minutes)
    if use is COUNTDOWN and players is not None:
        raise CannotTime("a countdown has no players: leave --players out")
    number = use.usual if players is None else players
    if number not in use.players:
        raise CannotTime(f"{use.title} is for {use.players[0]} to {use.players[-1]} players, not {number}")
    clock = Timer.of(use.kind, number, length_s)
    with ExitStack() as stack:
        stack.enter_context(interrupted_where_closed())
        link, feedback, seats = _controller(stack, port, number) if buttons or port else (None, None, number)
        keeper = Timekeeper(clock, _face(stack), feedback)
        for seat in range(seats, number if use.kind is not Kind.COUNTDOWN else 0):
            keeper.face.say(f"{player(seat)} has no button: press key {seat + 1}.")
        try:
            keep(keeper, link, stack)
        except KeyboardInterrupt:
            keeper.face.say("The clock was stopped.")
        finally:
            keeper.leave(time.monotonic())
            if link:
                link.flush(LEAVING_S)
        for sentence in keeper.timer.standing(time.monotonic()):
            keeper.face.say(sentence)


def wanted(what: str, minutes: float | None) -> tuple[Use, float]:
    """What clock was asked for, and its length in seconds. Raises CannotTime."""
    use = USES.get(what.lower().replace("_", "-"), COUNTDOWN)
    length_s = use.length_s
    if use is COUNTDOWN and what:
        written = _TIME.fullmatch(what)
        if not written:
            raise CannotTime(f"there is no timer {what!r}: name seconds as 60, a time as 1:30, bee, cobra-paw or chess")
        length_s = 60 * float(written[1] or 0) + float(written[2])
        if written[1] and float(written[2]) >= 60 and length_s <= LONGEST_S:
            raise CannotTime(f"a minute has 60 seconds: write {what} as {clock_text(length_s)}")
        if minutes is not None:
            raise CannotTime(f"name a time once: {what} or --minutes {minutes:g}")
    if minutes is not None and use.kind is Kind.FIRST:
        raise CannotTime(f"{use.title} has no time: leave --minutes out")
    if minutes is not None:
        length_s = 60 * minutes
    if not 1 <= length_s <= LONGEST_S:
        raise CannotTime(f"a clock runs for 1 second to 24 hours, not for {length_s:.10g} s")
    return use, length_s


def keep(keeper: Timekeeper, link: Link | None, stack: ExitStack) -> None:
    """Hand keys, buttons and time to the keeper until it is done."""
    from pipsight.keyboard import ENDED, Keyboard

    keys: queue.SimpleQueue[tuple[str, float]] = queue.SimpleQueue()
    stack.enter_context(Keyboard(lambda key, at_s: keys.put((key, at_s))))
    keeper.begin(time.monotonic())
    typed = False
    while not keeper.done:
        with suppress(queue.Empty):
            key, at_s = keys.get(timeout=LOOKED_EVERY_S)
            keeper.key(key, at_s)
            if keeper.done and key == ENDED and not typed:
                raise CannotTime("there is no keyboard here: run it in a terminal, or with --buttons")
            typed = True
        while link and not link.events.empty():
            keeper.event(link.events.get(), time.monotonic())
        keeper.tick(time.monotonic())


def _face(stack: ExitStack) -> Face:
    """Large digits in a terminal, lines elsewhere."""
    from rich.console import Console

    from pipsight.clock_face import LargeFace, PlainFace

    console = Console()
    return stack.enter_context(LargeFace(console)) if console.is_terminal else PlainFace()


def _controller(stack: ExitStack, port: str | None, players: int) -> tuple[Link, Feedback, int]:
    """The controller, as soon as it greets, and how many buttons it has.

    Raises NoController without one, CannotTime where a button is down.
    """
    from hardware.conversation import Linked, held_words
    from hardware.errors import NoController
    from hardware.feedback import Feedback
    from hardware.link import Link, Lost
    from pipsight.config import load

    lights = load().hardware
    link = stack.enter_context(Link(port or lights.port))
    feedback = Feedback(link, lights.scheme, players)
    while True:
        match link.events.get():
            case Lost(text):
                raise NoController(text)
            case Linked() as linked:
                for button in linked.greeting.held:
                    raise CannotTime(held_words(button).removeprefix("; "))
                feedback.linked(linked)
                return link, feedback, linked.greeting.buttons
