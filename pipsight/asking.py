"""What people ask of a table that is followed, and how it is written on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pipsight.trouble import PipsightError
from rules.domino import HIGHEST_PIPS

Said: TypeAlias = tuple[int, int] | Literal["back"] | None  # of a tile: its numbers, it lies face down, it is none

LONGEST_MOVE = 200
MOST_SEATS = 20


class BadAsk(PipsightError, ValueError):
    """A message that asks for nothing known; the text says what is wrong with it."""


@dataclass(frozen=True)
class Hint:
    """Help: a nudge (1), the place (2) or the move (3)."""

    level: int = 1


@dataclass(frozen=True)
class Solution:
    """The way from here to the end."""


@dataclass(frozen=True)
class Move:
    """A move that is typed, in the printed notation."""

    move: str


@dataclass(frozen=True)
class TakeBack:
    """Take the last move back."""


@dataclass(frozen=True)
class Resync:
    """Take what lies on the table for the game as it stands."""


@dataclass(frozen=True)
class Pause:
    """Stop following the table, or go on."""

    on: bool = True


@dataclass(frozen=True)
class Chance:
    """Let the program roll the dice, or draw."""


@dataclass(frozen=True)
class HuntAgain:
    """Hunt on where nobody can say who was first."""


@dataclass(frozen=True)
class Press:
    """Press a player's button without a controller: on the page, or by a key. seat: whose, from 0.

    on: False takes the press back.
    """

    seat: int
    on: bool = True


@dataclass(frozen=True)
class Correct:
    """Say what the tile at a place of the picture reads, in the order of its two halves.

    "back": it lies face down. None: it is no domino.
    """

    at_px: tuple[float, float]
    pips: Said


Ask: TypeAlias = Hint | Solution | Move | TakeBack | Resync | Pause | Chance | HuntAgain | Press | Correct


_PLAIN: dict[str, Ask] = {
    "solution": Solution(),
    "take_back": TakeBack(),
    "resync": Resync(),
    "chance": Chance(),
    "hunt_again": HuntAgain(),
}


def asked(message: Any) -> Ask:
    """What a message {"ask": "hint", "level": 2} asks for. Raises BadAsk."""
    if not isinstance(message, dict):
        raise BadAsk("a message is an object with an ask")
    match message:
        case {"ask": "hint", **rest}:
            return Hint(_whole(rest.get("level", 1), 1, 3, "level"))
        case {"ask": "move", "move": str(text)} if 0 < len(text) <= LONGEST_MOVE:
            return Move(text)
        case {"ask": "solution" | "take_back" | "resync" | "chance" | "hunt_again" as plain}:
            return _PLAIN[plain]
        case {"ask": "press", "seat": seat, **rest} if isinstance(rest.get("on", True), bool):
            return Press(_whole(seat, 0, MOST_SEATS - 1, "seat"), rest.get("on", True))
        case {"ask": "pause", **rest} if isinstance(rest.get("on", True), bool):
            return Pause(rest.get("on", True))
        case {"ask": "correct", "at_px": [x, y], "pips": None | "back" as said}:
            return Correct((_number(x, "at_px"), _number(y, "at_px")), said)
        case {"ask": "correct", "at_px": [x, y], "pips": [head, tail]}:
            at = (_number(x, "at_px"), _number(y, "at_px"))
            return Correct(at, (_whole(head, 0, HIGHEST_PIPS, "pips"), _whole(tail, 0, HIGHEST_PIPS, "pips")))
        case {"ask": str(name)}:
            raise BadAsk(f"nothing can be made of the ask {name[:40]!r} with what came along")
    raise BadAsk("a message is an object with an ask")


def _whole(value: Any, least: int, most: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadAsk(f"{name} is a whole number from {least} to {most}")
    return value


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e6 < value < 1e6:
        raise BadAsk(f"{name} is two numbers, in pixels")
    return float(value)
