"""A live table in the middle of a game, and a camera over it that films what a test lets happen there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipsight.live_table import LiveTable
from pipsight.session import Session
from pipsight.sessions import Begun, Choice
from rules.games import game
from rules.table import Table
from training.course import stage_of
from training.film import Shot, film
from training.stage import DIE

CLOTH = (90.0, 120.0, 70.0)
GROUND = 7  # the light of the film: an even one
SIZE, RATE = (1280, 720), 15.0
RED = replace(DIE, body=(40.0, 30.0, 190.0), inks=((240.0, 240.0, 240.0),) * 7)


def seated(name: str, slug: str, state: Any) -> LiveTable:
    """A table at which a game is going on."""
    table = LiveTable(name)
    session = Session(game(slug), state)
    session.follower.states = [state]
    table.play(Begun(session, Choice(slug)))
    return table


class Filmed:
    """A table of a race as a camera films it; the film goes on wherever it was left.

    framed: everything that the camera has to see; without it, what lies there each time.
    """

    def __init__(self, table: LiveTable, framed: Sequence[Table] = ()) -> None:
        self._table, self._framed, self._now_s = table, framed, 0.0

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

    def goes_on_until(self, moment_s: float) -> None:
        """Time goes by up to a moment of the table's clock, and a little more."""
        self.passes(max(0.0, moment_s - self._now_s))

    def flies(self, flight: Any) -> None:
        """A hand takes a die on its way, and lies over the table no longer."""
        self.becomes(replace(self.state, bees=game("bee").play(self.state.swarm, flight).bees))

    def becomes(self, *after: Any) -> None:
        """A hand makes the table look as the race stands after, and again after that."""
        shots = [Shot(drawn(state), hold_s=1.0) for state in after]
        self._shoot([Shot(drawn(self.state), hold_s=0.1, hand=False), *shots])

    def _shoot(self, shots: list[Shot]) -> None:
        stage = stage_of(self._framed or [shot.table for shot in shots], GROUND, SIZE, CLOTH)
        stage = replace(stage, dice=RED) if self._framed else stage
        began_s = self._now_s
        for frame in film(stage, shots, 7, rate=RATE):
            self._now_s = began_s + frame.time_s + 1 / RATE
            self._table.see(replace(frame, time_s=self._now_s), live=False)


def drawn(race: Any) -> Table:
    """What lies on the table of a race."""
    rules: Any = game("bee_race")
    table: Table = rules.diagram(race).table
    return table
