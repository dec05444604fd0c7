"""A live table in the middle of a game, and a camera over it that films what a test lets happen there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipsight.live_table import LiveTable
from pipsight.session import Session
from pipsight.sessions import Begun, Choice
from rules.games import game
from rules.table import Table
from training.course import stage_of
from training.film import Shot, film
from training.stage import Stage

CLOTH = (90.0, 120.0, 70.0)
GROUND = 7  # the light of the film: an even one
SIZE, RATE = (960, 540), 15.0


def seated(name: str, slug: str, state: Any) -> LiveTable:
    """A table at which a game is going on."""
    table = LiveTable(name)
    session = Session(game(slug), state)
    session.follower.states = [state]
    table.play(Begun(session, Choice(slug)))
    return table


class Filmed:
    """A table of a race as a camera films it; the film goes on wherever it was left.

    stage: the camera over the table; without it one that sees what lies there each time.
    """

    def __init__(self, table: LiveTable, stage: Stage | None = None) -> None:
        self._table, self._stage, self._now_s = table, stage, 0.0

    @property
    def state(self) -> Any:
        """The race as it stands."""
        session = self._table.session
        assert isinstance(session, Session)
        return session.follower.state

    def lies(self, seconds: float) -> None:
        """The table lies there as the race stands."""
        self._shoot([Shot(drawn(self.state), hold_s=seconds, hand=False)])

    def passes(self, seconds: float) -> None:
        """Time goes by."""
        self._now_s += seconds
        self.lies(0.5)

    def passes_until(self, moment_s: float) -> None:
        """Time goes by up to a moment of the table's clock, and a little more."""
        self.passes(max(0.0, moment_s - self._now_s))

    def flies(self, flight: Any) -> None:
        """A hand takes a die on its way, and lies over the table no longer."""
        self.becomes(replace(self.state, bees=game("bee").play(self.state.swarm, flight).bees))

    def becomes(self, after: Any) -> None:
        """A hand makes the table look as the race stands after."""
        self._shoot([Shot(drawn(self.state), hold_s=0.1, hand=False), Shot(drawn(after), hold_s=1.0)])

    def _shoot(self, shots: list[Shot]) -> None:
        stage = self._stage or stage_of([shot.table for shot in shots], GROUND, SIZE, CLOTH)
        began_s = self._now_s
        for frame in film(stage, shots, 7, rate=RATE):
            self._now_s = began_s + frame.time_s + 1 / RATE
            self._table.see(replace(frame, time_s=self._now_s), live=False)


def drawn(race: Any) -> Table:
    """What lies on the table of a race."""
    rules: Any = game("bee_race")
    table: Table = rules.diagram(race).table
    return table
