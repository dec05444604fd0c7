"""The lights and buttons of one table: what happens there is shown, what is pressed is told.

The way to the controller has a thread of its own: a slow or dead port delays no table, and a game goes on without it.
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from hardware.conversation import Linked
from hardware.feedback import Feedback
from hardware.link import Link, Lost, open_port
from hardware.protocol import LONGEST_COUNTDOWN_MS, SHORTEST_COUNTDOWN_MS
from hardware.protocol import Pressed as ButtonMoved
from pipsight.asking import Pause, Resync
from pipsight.events import LightsFound, LightsLost, Pressed
from pipsight.leaving import LEAVING_S, darken
from pipsight.trouble import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.feedback import Glow
    from hardware.link import Port
    from pipsight.asking import Ask
    from pipsight.config import Lights
    from pipsight.events import Event

LATE_S = 0.15  # a camera may hand over a picture so long after it was taken
LISTENING_S = 0.2


class Lit(Protocol):
    """A table that has lights and buttons."""

    @property
    def players(self) -> int:
        """How many play."""
        ...

    @property
    def paused(self) -> bool:
        """Whether the table is not followed for now."""
        ...

    @property
    def claims(self) -> bool:
        """Whether a press claims now."""
        ...

    def moment(self, here_s: float) -> float:
        """A moment of time.monotonic by the clock of the game, which stands while the table is paused."""
        ...

    def tell(self, events: list[Event]) -> None:
        """Tell everybody at the table."""
        ...

    def do(self, ask: Ask) -> list[Event]:
        """Do what somebody asked for; returns why it cannot be done."""
        ...


class Lighting:
    """An `audience.Listener` that shows what happens on a controller's LEDs, and tells the table of its buttons.

    opened: opens a port by its name.

    >>> lighting = Lighting(table, load().hardware)  # doctest: +SKIP
    >>> table.join(lighting)  # doctest: +SKIP
    """

    def __init__(self, table: Lit, settings: Lights, opened: Callable[[str], Port] = open_port) -> None:
        self._table, self._settings = table, settings
        self._link = Link(settings.port, opened)
        self._feedback = Feedback(self._link, settings.scheme, table.players)
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._linked = self._first = False
        self._phase: tuple[str, bool] | None = None
        self._turn: int | None = None
        self._until_s = 0.0  # when a countdown ends, by time.monotonic
        self._thread = threading.Thread(target=self._hear, name="lights", daemon=True)
        self._thread.start()

    # What happens is shown

    def told(self, event: dict[str, Any]) -> None:
        """Show what happened, where it has a light; of what is past only whose turn it is."""
        with self._lock:
            self._seat()
            if event["event"] == "waits":
                self._waits(event["seat"])
            elif not event.get("past"):
                self._show(event)

    def _seat(self) -> None:
        """Let as many share the LEDs as play; what shone for others, of the game before, goes dark."""
        if self._feedback.players != self._table.players:
            self._dark()
            self._feedback.players = self._table.players

    def _waits(self, seat: int | None) -> None:
        """Show whose turn it is; who was first stays lit as long as it is nobody's for the first time after."""
        self._turn = seat if self._table.players > 1 else None  # who is alone need not be told
        if seat is not None or not self._first:
            self._feedback.turn(self._turn)
        self._first = False

    def _show(self, event: dict[str, Any]) -> None:
        match event:
            case {"event": "began" | "righted"}:
                self._feedback.ready()
            case {"event": "wrong"}:
                self._feedback.wrong()
            case {"event": "over", "won": won, "winners": winners} if won or winners:
                self._feedback.winner(*(winners or (0,)))
            case {"event": "over"}:
                self._feedback.over()
            case {"event": "was_first", "seat": seat}:
                self._first = True
                self._feedback.winner(seat)
            case {"event": "too_close"}:
                self._feedback.too_close()
            case {"event": "countdown", "length_s": length_s}:
                self._count_down(length_s)
            case {"event": "taken_back" | "resynced"}:
                self._feedback.turn(self._turn)
            case {"event": "paused", "on": on}:
                self._feedback.turn(None if on else self._turn)

    def _count_down(self, length_s: float) -> None:
        """Let the controller count; what is too short or too long for it ends the countdown that runs."""
        self._until_s = time.monotonic() + length_s
        if SHORTEST_COUNTDOWN_MS <= length_s * 1000 <= LONGEST_COUNTDOWN_MS:
            self._feedback.countdown(length_s)
        else:
            self._feedback.stop_countdown()

    def shown(self, view: dict[str, Any]) -> None:
        """Go dark where another game is chosen."""
        phase = (view["game"], view["view"] in ("choosing", "setting up"))
        with self._lock:
            if self._phase and phase != self._phase and phase[1]:
                self._turn = None
                self._dark()
            self._phase = phase

    def _dark(self) -> None:
        """Let all lights go out, and the countdown of the game before with them."""
        self._until_s = 0.0
        self._feedback.dark()

    def pictured(self, number: int) -> None:
        """A picture is nothing to light."""

    def glow(self, taken_s: float) -> Glow:
        """Which LEDs may shine in a picture that was taken at a moment of time.monotonic."""
        with self._lock:
            return self._feedback.glow(taken_s - LATE_S, taken_s)

    # What the controller says

    def _hear(self) -> None:
        while not self._closed.is_set():
            with suppress(queue.Empty):
                event = self._link.events.get(timeout=LISTENING_S)
                if self._closed.is_set():
                    return  # that the link was closed is no news, and the game is left
                match event:
                    case Linked() as linked:
                        self._found(linked)
                    case Lost(text):
                        self._lost(text)
                    case ButtonMoved(button, True) as press:
                        self._pressed(button, press.at_s)

    def _found(self, linked: Linked) -> None:
        with self._lock:
            self._feedback.linked(linked)
            rest_s = self._until_s - time.monotonic()
            if not linked.counts(max(0.0, rest_s)):
                self._count_down(max(0.0, rest_s))
        if not self._linked:
            self._linked = True
            self._table.tell([LightsFound(f"The lights are there: {linked}.")])

    def _lost(self, text: str) -> None:
        with self._lock:
            self._feedback.lost()
        self._linked = False
        self._table.tell([LightsLost(f"{sentence(text)} The game goes on without lights and buttons.")])

    def _pressed(self, button: int, at_s: float | None) -> None:
        """Tell of a press, and do what presses are for."""
        means = self._settings.buttons
        if means == "claim" and not self._table.claims:
            means = "nothing"
        seated = button < self._table.players
        who = f"Player {button + 1}" if seated else f"Button {button + 1}, which is nobody's,"
        told = f"{who} pressed." if seated else f"{who} was pressed."
        moment = self._table.moment(time.monotonic() if at_s is None else at_s)
        self._table.tell([Pressed(told, button if seated else None, round(moment, 4), means)])
        if means == "pause":
            self._table.tell(self._table.do(Pause(not self._table.paused)))
        elif means == "resync":
            self._table.tell(self._table.do(Resync()))

    def close(self) -> None:
        """Darken the lights and let the controller go; doing so twice is no harm."""
        self._closed.set()
        darken(self._link)
        leaving = threading.Thread(target=self._link.close, name="lights, leaving", daemon=True)
        leaving.start()
        leaving.join(LEAVING_S)
