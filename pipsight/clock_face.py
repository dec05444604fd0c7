"""The clock as it is drawn in the terminal, large; and as plain lines where the output is no terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from pipsight.timer import Kind, Timer, clock_text, player

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

DIGITS = {
    "0": ("███", "█ █", "█ █", "█ █", "███"),
    "1": (" █ ", "██ ", " █ ", " █ ", "███"),
    "2": ("███", "  █", "███", "█  ", "███"),
    "3": ("███", "  █", " ██", "  █", "███"),
    "4": ("█ █", "█ █", "███", "  █", "  █"),
    "5": ("███", "█  ", "███", "  █", "███"),
    "6": ("███", "█  ", "███", "█ █", "███"),
    "7": ("███", "  █", " █ ", " █ ", " █ "),
    "8": ("███", "█ █", "███", "█ █", "███"),
    "9": ("███", "█ █", "███", "  █", "███"),
    ":": (" ", "█", " ", "█", " "),
    ".": (" ", " ", " ", " ", "█"),
    "-": ("   ", "   ", "███", "   ", "   "),
}
COLORS = ("bright_blue", "orange3", "green", "magenta", "yellow", "cyan")
HASTE_S = 10
MOST_LARGE = 3
KEYS = {
    Kind.COUNTDOWN: "space pauses, + and - change it by 10 s, q quits",
    Kind.CLAIMS: "{keys} claim, space pauses, Enter begins anew, + and - change it by 10 s, q quits",
    Kind.FIRST: "{keys}: who is first; Enter begins the next one, q quits",
    Kind.CHESS: "{keys} end a turn, space pauses, Enter begins anew, + and - change it by 10 s, q quits",
}


class Face(Protocol):
    """Where the clock is shown."""

    def show(self, timer: Timer, now_s: float) -> None:
        """Draw it as it stands."""
        ...

    def say(self, sentence: str) -> None:
        """Tell something that happened."""
        ...


class PlainFace:
    """A line for each thing that happens."""

    def show(self, timer: Timer, now_s: float) -> None:
        """Draw nothing: a line a second would drown the rest."""

    def say(self, sentence: str) -> None:
        """Print it."""
        print(sentence, flush=True)


class LargeFace:
    """The clock in large digits, with what happened last below it; a context manager."""

    def __init__(self, console: Console) -> None:
        self._said: list[str] = []
        self._live = Live(console=console, auto_refresh=False, screen=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()
        for sentence in self._said[-3:]:
            print(sentence)

    def show(self, timer: Timer, now_s: float) -> None:
        """Draw it as it stands."""
        self._live.update(drawn(timer, now_s, self._said[-3:]), refresh=True)

    def say(self, sentence: str) -> None:
        """Tell it below the digits, with a short sound."""
        self._said.append(sentence)
        self._live.console.bell()


def drawn(timer: Timer, now_s: float, said: list[str]) -> RenderableType:
    """The whole face: the times, who pressed when, what happened, and the keys."""
    clocks = [*_times(timer, now_s)] if timer.kind is Kind.CHESS else [_large(timer, now_s)]
    keys = KEYS[timer.kind].format(keys=f"1 to {timer.players}" if timer.players > 1 else "1")
    parts = [*clocks, *_presses(timer), Text(" "), *map(Text, said), Text(" "), Text(keys, style="dim")]
    return Align.center(Group(*(Align.center(part) for part in parts)), vertical="middle")


def _times(timer: Timer, now_s: float) -> Iterator[Text]:
    """Every player's time; where so many large ones would not fit, only that which runs is large."""
    few = timer.players <= MOST_LARGE
    for seat in range(timer.players):
        if few or seat == timer.turn:
            yield _large(timer, now_s, seat)
        else:
            yield Text(f"{player(seat)}  {clock_text(timer.left(now_s, seat))}", style=COLORS[seat])


def _large(timer: Timer, now_s: float, seat: int | None = None) -> Text:
    if timer.kind is Kind.FIRST:
        first = timer.lead.seat if timer.lead else None
        return Text(large("-" if first is None else str(first + 1)), style="dim" if first is None else COLORS[first])
    left = timer.left(now_s, seat)
    style = "bold red" if left <= HASTE_S else "bold"
    if seat is not None:
        style = f"{style} {COLORS[seat]}" if timer.turn == seat and timer.runs else "dim"
    name = "" if seat is None else f"{player(seat)}\n"
    paused = "" if timer.runs or timer.is_over(now_s) else "\n(stands still)" if seat in (None, timer.turn) else ""
    return Text(f"{name}{large(clock_text(left))}{paused}\n", style=style, justify="center")


def large(text: str) -> str:
    """Digits, a colon or a point as five lines of blocks, twice as wide as a character."""
    rows = ("  ".join("".join(2 * dot for dot in DIGITS[each][row]) for each in text) for row in range(5))
    return "\n".join(rows)


def _presses(timer: Timer) -> list[Text]:
    """Each press, and how long after the first it came."""
    return [
        Text(f"{player(press.seat)}  +{press.at_s - timer.presses[0].at_s:.3f} s", style=COLORS[press.seat])
        for press in timer.presses
    ]
