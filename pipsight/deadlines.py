"""The clock over a game that runs on one: it brings what is due, and tells how long there is still time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipsight.events import Countdown
from rules.game import Mover
from rules.players import Clocked

if TYPE_CHECKING:
    from pipsight.events import Event
    from pipsight.follower import Follower

REST_S = 0.2  # a piece that has just been set down is not seen at once
LAG_S = 0.05  # a button that was pressed just in time may still be on its way
LENIENT_S = 2.0  # so long a hand may be on its way when the time of who moves pieces ends


class Deadlines:
    """Watches the clock of one game; for games without a clock it has nothing to say.

    >>> deadlines = Deadlines(session.follower)  # doctest: +SKIP
    >>> deadlines.see(12.5, still_s=3.0)  # doctest: +SKIP
    """

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._end_s: float | None = None

    def see(self, now_s: float, still_s: float, pressed_s: float | None = None, *, stands: bool = False) -> list[Event]:
        """What the clock has brought by now, and the countdown that runs from now on.

        now_s: by the clock of the game. still_s: how long the table has lain still. pressed_s: when somebody pressed
        who has still to say what: the moment of the press counts. stands: the table is paused.
        """
        if not self._follower.states or not isinstance(self._follower.game, Clocked):
            return []
        due = None if stands else self._follower.game.due(self._follower.state)
        waits = due and pressed_s is not None and pressed_s <= due.time_s
        if due and not waits and self._has_ended(due, now_s, still_s):
            # Whose turn it is now has the whole time from when that is told, however long somebody was waited for.
            events = self._follower.make(str(replace(due, time_s=now_s)))
        else:
            events = []
        return [*events, *self._counted(now_s, stands)]

    def _has_ended(self, due: Any, now_s: float, still_s: float) -> bool:
        """Whether the time is up; who moves pieces may just have done so, which only a table at rest shows."""
        late_s = now_s - float(due.time_s)
        if isinstance(self._follower.game.to_move(self._follower.state), Mover):
            return late_s >= LAG_S
        return late_s >= (REST_S if still_s >= REST_S else LENIENT_S)

    def _counted(self, now_s: float, stands: bool) -> list[Event]:
        """A countdown where another end is set than before."""
        game, state = self._follower.game, self._follower.state
        due = game.due(state) if isinstance(game, Clocked) and not stands else None
        before, self._end_s = self._end_s, float(due.time_s) if due else None
        if self._end_s == before:
            return []
        left_s = max(0.0, round(self._end_s - now_s, 3)) if self._end_s is not None else 0.0
        return [_countdown(left_s)]

    def anew(self) -> None:
        """Tell the countdown that runs once more, for the clock was set back."""
        self._end_s = None

    def left(self, now_s: float) -> list[Event]:
        """The countdown that runs, as it stands by now."""
        return [_countdown(round(self._end_s - now_s, 3))] if self._end_s is not None and self._end_s > now_s else []


def _countdown(left_s: float) -> Countdown:
    return Countdown(f"{left_s:.0f} seconds." if left_s else "The clock stands.", left_s)
