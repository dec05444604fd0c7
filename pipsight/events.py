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
class RollCall:
    """What a taught set lacks or has twice, told while a table is set up. lacks, twice: dominoes as "42"."""

    text: str
    of_set: str
    lacks: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()


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
    """Help that was asked for: a nudge (1), the place (2), or the move (3).

    moves: the whole way, for a solution; told: each of them in a sentence.
    """

    text: str
    level: int
    cells: Where = ()
    moves: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Corrected:
    """A person said what a tile really reads, at this place of the picture; pips: () where it has none."""

    at_px: tuple[float, float]
    pips: tuple[int, ...]
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
class Foul:
    """A touch that does not count, and why.

    seat: from 0; None for a hand from where nobody sits. domino: the one that was touched, as "53".
    """

    text: str
    seat: int | None
    cells: Where = ()
    domino: str = ""


@dataclass(frozen=True)
class PhotoFinish:
    """The pictures around the touches of one tile. seats: in their order, from 0. picture: the name of the picture.

    margin_ms: how far the first was before the second, None where one alone came; sigma_ms: how sure that is, as one
    standard deviation. domino: the one they touched, as "53".
    """

    text: str
    seats: tuple[int, ...]
    margin_ms: int | None
    sigma_ms: int
    picture: str = ""
    domino: str = ""


@dataclass(frozen=True)
class Refused:
    """Something that was asked for cannot be done, and why."""

    text: str


@dataclass(frozen=True)
class Pressed:
    """Somebody pressed a button.

    seat: whose it is, from 0; None where nobody sits there. at_s: when, by the controller's own stamp, in seconds since
    the table was first seen, pauses left out. means: what a press is for: "claim", "pause", "resync" or "nothing";
    "withdrawn" takes one for a claim back.
    """

    text: str
    seat: int | None
    at_s: float
    means: str


@dataclass(frozen=True)
class WasFirst:
    """Somebody was first, in a game on the clock. seat: who, from 0.

    margin_ms: how far before the next one, None where nobody else was seen by then; sigma_ms: how sure that is, as one
    standard deviation.
    """

    text: str
    seat: int
    margin_ms: int | None = None
    sigma_ms: int = 0


@dataclass(frozen=True)
class TooClose:
    """Nobody can say who was first. seats: between whom it is open, from 0. domino: the one they touched, as "53"."""

    text: str
    seats: tuple[int, ...] = ()
    cells: Where = ()
    domino: str = ""


@dataclass(frozen=True)
class HuntedAgain:
    """The players hunt on, for nobody could say who was first."""

    text: str


@dataclass(frozen=True)
class Countdown:
    """A clock runs down from now on, so many seconds; 0 where it was stopped."""

    text: str
    length_s: float


@dataclass(frozen=True)
class Chosen:
    """Another game than before is set up, be it the same once more; what happened is over."""

    text: str


@dataclass(frozen=True)
class LightsFound:
    """The controller of the lights and buttons is there, for the first time or once more."""

    text: str


@dataclass(frozen=True)
class LightsLost:
    """There are no lights and buttons, or no longer, and what to do; the game goes on without them."""

    text: str


@dataclass(frozen=True)
class Calibration:
    """How far what is known of the camera still holds.

    state: "read" (with something to know), "unusable" (and why), "followed" (the camera drifted; that is allowed for),
    "moved" or "lost" (look at the table anew), "quiet" (it stands where it stood). shift_mm: how far the table is off
    where the tiles lie; turn_deg: how far the view turned.
    """

    text: str
    state: str
    shift_mm: float = 0.0
    turn_deg: float = 0.0


Event: TypeAlias = (
    SettingUp
    | RollCall
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
    | Foul
    | PhotoFinish
    | Pressed
    | WasFirst
    | TooClose
    | HuntedAgain
    | Countdown
    | Chosen
    | LightsFound
    | LightsLost
    | Calibration
)
EVENTS: tuple[type[Event], ...] = Event.__args__


def kind_of(event: object) -> str:
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
