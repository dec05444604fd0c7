"""What happens at one table, as small values: the page, the log, scripts and tests all live on them.

Each event is one flat JSON object with the version of this list, its kind and the time: docs/protocol.md names them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.board import Cell
    from rules.game import Problem

VERSION = 1

Where: TypeAlias = tuple[tuple[int, int], ...]
"""Cells as (row, column), both from 0, of the table as it is seen now."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong on the table, in a sentence, and the cells to light."""

    text: str
    cells: Where = ()


@dataclass(frozen=True)
class SettingUp:
    """The table is not yet as the game begins; what is still to be done, () where all is there."""

    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Began:
    """The table stands as the game begins. state: in the game's own text, from which it can be set up anew."""

    text: str
    state: str = ""


@dataclass(frozen=True)
class Waits:
    """What the program waits for now. seat: whose move it is, from 0; None where it is no one player's."""

    text: str
    seat: int | None = None


@dataclass(frozen=True)
class Moved:
    """A legal move was made. number: from 1. by: "player 1", "chance", ...; seen: by the camera, else typed or tapped.

    cells: where the move happened, as far as the table still shows it.
    """

    number: int
    move: str
    text: str
    by: str
    seen: bool = True
    cells: Where = ()


@dataclass(frozen=True)
class Wrong:
    """The table cannot have come about by the rules; how to put it right is part of each sentence."""

    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Righted:
    """What was wrong is right again."""

    text: str = "The table is right again."


@dataclass(frozen=True)
class TakenBack:
    """The last moves were taken back, as their notation says; number: how many moves are left."""

    moves: tuple[str, ...]
    number: int
    text: str


@dataclass(frozen=True)
class Hinted:
    """Help that was asked for: a nudge (1), the place (2), or the move (3); moves: the whole way, for a solution."""

    text: str
    level: int
    cells: Where = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Corrected:
    """A person said what a tile really reads, at this place of the picture."""

    at_px: tuple[float, float]
    pips: tuple[int, int]
    text: str


@dataclass(frozen=True)
class Resynced:
    """What lies on the table was taken for the game as it stands; moves before it can no longer be taken back."""

    text: str
    state: str = ""


@dataclass(frozen=True)
class Paused:
    """The table is not followed, or it is again."""

    on: bool
    text: str


@dataclass(frozen=True)
class Over:
    """The game ended: by whom it was won (seats from 0), the scores by seat, and why."""

    won: bool
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Trouble:
    """The camera gives nothing that can be followed: unplugged, covered, frozen, dark. The game is kept meanwhile."""

    text: str


@dataclass(frozen=True)
class Recovered:
    """The camera shows the table again."""

    text: str


@dataclass(frozen=True)
class Refused:
    """Something that was asked for cannot be done, and why."""

    text: str


Event: TypeAlias = (
    SettingUp
    | Began
    | Waits
    | Moved
    | Wrong
    | Righted
    | TakenBack
    | Hinted
    | Corrected
    | Resynced
    | Paused
    | Over
    | Trouble
    | Recovered
    | Refused
)
EVENTS: tuple[type[Event], ...] = Event.__args__


def kind_of(event: type[Event] | Event) -> str:
    """An event's kind, as the protocol writes it: "taken_back"."""
    name = event.__name__ if isinstance(event, type) else type(event).__name__
    return "".join("_" + c.lower() if c.isupper() and k else c.lower() for k, c in enumerate(name))


def as_json(event: Event, time_s: float) -> dict[str, Any]:
    """The event as the protocol writes it; time_s: seconds since the table was first seen."""
    return {"v": VERSION, "event": kind_of(event), "time_s": round(time_s, 3), **asdict(event)}


def faults_of(problems: Sequence[Problem]) -> tuple[Fault, ...]:
    """Problems as events tell them."""
    return tuple(Fault(problem.text, places(problem.cells)) for problem in problems)


def places(cells: Sequence[Cell]) -> Where:
    """Cells as events tell them."""
    return tuple((cell.row, cell.col) for cell in cells)
