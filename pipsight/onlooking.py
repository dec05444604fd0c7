"""A table that is looked at before anybody has chosen a game: what lies there is read, and nothing is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipsight.asking import Ask, Correct, Resync
from pipsight.calling import Caller
from pipsight.correcting import corrected
from pipsight.events import Recovered, Refused, Resynced, Trouble
from pipsight.look import Look
from vision.health import Health

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.tileset import TileSet
    from pipsight.events import Event
    from vision.camera import Frame
    from vision.motion import Polygon


class Onlooking:
    """Stands where a Session stands as long as no game is chosen."""

    players, claims = 1, False

    def __init__(self) -> None:
        self.look = Look()
        self.paused = False
        self.trouble = ""
        self.time_s = 0.0
        self._health = Health()
        self._caller = Caller()

    def played_s(self, time_s: float) -> float:
        """A moment of the frames' clock as it is: no game runs that could stand."""
        return time_s

    def know(self, taught: Sequence[TileSet]) -> None:
        """Know which taught sets lie on the table."""
        self.look.know(taught)
        self._caller = Caller(taught)

    def see(self, frame: Frame, *, live: bool = False, lit: Sequence[Polygon] = ()) -> list[Event]:
        """Look at a frame; only trouble with the camera is told, and what lacks from taught sets."""
        self.time_s = max(self.time_s, frame.time_s)
        trouble = self._health.trouble(frame, live=live)
        events: list[Event] = []
        if not trouble and self._health.shows:
            self.look.see(frame, lit)
            events += self._caller.see(self.look)
        if trouble == self.trouble:
            return events
        self.trouble = trouble
        return [Trouble(trouble) if trouble else Recovered("The camera shows the table again."), *events]

    def lost(self, text: str) -> list[Event]:
        """The camera gives no more frames, and why."""
        if text == self.trouble:
            return []
        self.trouble = text
        return [Trouble(text)]

    def passed(self, time_s: float) -> list[Event]:
        """Time that passes without a frame brings nothing."""
        self.time_s = max(self.time_s, time_s)
        return []

    def closed(self) -> list[Event]:
        """Nothing is open."""
        return []

    def do(self, ask: Ask, at_s: float | None = None) -> list[Event]:
        """Correct a tile, or see all as it lies; for all else a game has to be chosen."""
        self.passed(self.time_s if at_s is None else at_s)
        match ask:
            case Correct():
                return [corrected(self.look, ask)]
            case Resync():
                self.look.see_all()
                return [Resynced("The table is seen as it lies.")]
        return [Refused("Choose a game first.")]

    def kept(self, events: list[Event]) -> list[Event]:
        """Nothing is kept without a game."""
        return events
