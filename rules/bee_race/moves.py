"""Everything that can happen in a race of Bee, and how each is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules.bee.state import Flight, flight_of
from rules.board import Board, BoardError, Cell, Placed, Way
from rules.board_text import PIPS
from rules.game import IllegalMove, Seat

LONGEST_CLAIM = 20
_SHORT = {Way.RIGHT: "R", Way.DOWN: "D"}
_BOARD = re.compile(r"board\((\d):((?:[0-6][0-6][RD])+)\)")
_ROLL = re.compile(r"roll\((\d)\)")
_CLAIM = re.compile(r"(\d):(impossible|\d{1,2})", re.IGNORECASE)
_TIMED = re.compile(r"([^@]+)(?:@(\d+(?:\.\d+)?))?")
WRITTEN = "2:5, 2:impossible, time, 2R3D1, late, give-up, back, roll(3) and board(...) are"


@dataclass(frozen=True)
class SetUp:
    """The shuffled dominoes lie face up in their rectangle. `str` lists them row by row: "board(5:44R01R...)"."""

    board: Board

    def __str__(self) -> str:
        tiles = "".join(f"{tile}{_SHORT[tile.way]}" for tile in self.board.placed)
        return f"board({self.board.size[1]}:{tiles})"


@dataclass(frozen=True)
class Roll:
    """A die comes up with the number of an empty starting space and goes there; `str` is "roll(3)@1.250".

    time_s: when, in seconds, None where nobody measured it; so for everything below.
    """

    number: int
    time_s: float | None = None

    def __str__(self) -> str:
        return f"roll({self.number}){_at(self.time_s)}"


@dataclass(frozen=True)
class Claim:
    """A player says how many moves a solution takes, or, with None, that it is impossible. `str` is "2:5@31.250"."""

    seat: Seat
    moves: int | None
    time_s: float | None = None

    def __str__(self) -> str:
        return f"{self.seat + 1}:{'impossible' if self.moves is None else self.moves}{_at(self.time_s)}"


@dataclass(frozen=True)
class TimeUp:
    """The timer has run out; `str` is "time@91.250"."""

    time_s: float | None = None

    def __str__(self) -> str:
        return f"time{_at(self.time_s)}"


@dataclass(frozen=True)
class Fly:
    """A flight of the demonstration has landed; `str` is "2R3D1@95.000"."""

    flight: Flight
    time_s: float | None = None

    def __str__(self) -> str:
        return f"{self.flight}{_at(self.time_s)}"


@dataclass(frozen=True)
class Hesitated:
    """Whoever demonstrates has hesitated too long; `str` is "late@105.000"."""

    time_s: float | None = None

    def __str__(self) -> str:
        return f"late{_at(self.time_s)}"


@dataclass(frozen=True)
class GiveUp:
    """Whoever demonstrates gives up, or nobody finds anything to claim; `str` is "give-up@105.000"."""

    time_s: float | None = None

    def __str__(self) -> str:
        return f"give-up{_at(self.time_s)}"


@dataclass(frozen=True)
class PutBack:
    """The dice are back on their starting spaces: for the next demonstration, or the next round. `str` is "back"."""

    time_s: float | None = None

    def __str__(self) -> str:
        return f"back{_at(self.time_s)}"


RaceMove: TypeAlias = SetUp | Roll | Claim | TimeUp | Fly | Hesitated | GiveUp | PutBack
_PLAIN: dict[str, RaceMove] = {"time": TimeUp(), "late": Hesitated(), "give-up": GiveUp(), "back": PutBack()}


def at(move: RaceMove, time_s: float) -> RaceMove:
    """The same event with the time at which it happened, to the millisecond."""
    return move if isinstance(move, SetUp) else replace(move, time_s=round(time_s, 3))


def parsed(text: str) -> tuple[RaceMove, ...]:
    """The events that a text names, parted by commas or blanks. Raises IllegalMove."""
    return tuple(_parsed(word) for word in re.findall(r"[^\s,]+", text)) or (_parsed(text),)


def _parsed(word: str) -> RaceMove:
    timed = _TIMED.fullmatch(word)
    move = _untimed(timed[1]) if timed else None
    if not timed or move is None:
        raise IllegalMove(f"{word!r} is no move: {WRITTEN}.")
    return at(move, float(timed[2])) if timed[2] else move


def _untimed(text: str) -> RaceMove | None:
    if written := _ROLL.fullmatch(text):
        return Roll(int(written[1]))
    if written := _CLAIM.fullmatch(text):
        return Claim(int(written[1]) - 1, int(written[2]) if written[2].isdecimal() else None)
    if flight := flight_of(text):
        return Fly(flight)
    if written := _BOARD.fullmatch(text):
        return _set_up(int(written[1]), written[2])
    return _PLAIN.get(text.lower())


def _set_up(columns: int, tiles: str) -> SetUp | None:
    """Each domino on the first square that is free yet; None where they do not fit."""
    free = [Cell(row, col) for row in range(len(tiles)) for col in range(columns)]
    placed = []
    for k in range(0, len(tiles), 3):
        way = Way.RIGHT if tiles[k + 2] == "R" else Way.DOWN
        tile = Placed(free[0], way, PIPS.index(tiles[k]), PIPS.index(tiles[k + 1]))
        if not set(tile.cells) <= set(free):
            return None
        free = [cell for cell in free if cell not in tile.cells]
        placed.append(tile)
    try:
        return SetUp(Board(tuple(placed)))
    except BoardError:
        return None


def _at(time_s: float | None) -> str:
    return "" if time_s is None else f"@{time_s:.3f}"
