"""The time of a game that is played in text: what the clock and the program bring while somebody thinks or types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipsight.sitting import PROGRAM
from rules.engine import suggest
from rules.game import Mover
from rules.players import Clocked
from rules.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipsight.sitting import Sitting

TYPING = 3.0
"""So many times as long it takes to type what is done at the table by hand."""


@dataclass
class Pace:
    """Keeps the time of a game in seconds from its beginning; one that was saved goes on where it stopped.

    While a single player is to move it runs at a third of its speed: flights are typed more slowly than flown.
    """

    sitting: Sitting
    clock: Callable[[], float]
    _seen_s: float = field(init=False)
    _thought: tuple[Any, Any] = field(default=(None, None), init=False)

    def __post_init__(self) -> None:
        self._seen_s = self.clock()
        self._catch_up()

    @property
    def runs(self) -> bool:
        """Whether the game is one that runs on the clock."""
        return isinstance(self.sitting.game, Clocked)

    def now_s(self) -> float:
        """The time now: never before what happened last."""
        now = self.clock()
        self.sitting.played_s += (now - self._seen_s) / self._slowness
        self._seen_s = now
        self._catch_up()
        return self.sitting.played_s

    @property
    def _slowness(self) -> float:
        return 1.0 if isinstance(self.sitting.game.to_move(self.sitting.state), Mover) else TYPING

    def _catch_up(self) -> None:
        self.sitting.played_s = max(self.sitting.played_s, getattr(self.sitting.state, "since_s", None) or 0.0)

    def stamped(self, move: Any) -> Any:
        """The move with the time now, where the game asks for it."""
        game = self.sitting.game
        return game.stamped(self.sitting.state, move, self.now_s()) if isinstance(game, Clocked) else move

    def coming(self, limit_s: float) -> Any:
        """What comes next if nobody types anything: what the clock brings, or a program; None where nothing does."""
        if self._thought[0] is not self.sitting.state:
            self._thought = self.sitting.state, self._thought_of(limit_s)
        return self._thought[1]

    def _thought_of(self, limit_s: float) -> Any:
        game, sitting = self.sitting.game, self.sitting
        assert isinstance(game, Clocked)
        due = game.due(sitting.state)
        found: list[Any] = [] if due is None else [due]
        if isinstance(game.to_move(sitting.state), Mover) and PROGRAM in sitting.seats:
            advised = suggest(game, sitting.state, Watch(limit_s), sitting.chance("program"))
            found += [one.move for one in advised if sitting.sits(getattr(one.move, "seat", 0)) == PROGRAM]
        return min(found, key=_time_of, default=None)

    def overdue(self, limit_s: float) -> Any:
        """What should have happened by now; None where nothing should have."""
        coming = self.coming(limit_s)
        return None if coming is None or _time_of(coming) > self.now_s() else coming

    def told(self) -> None:
        """Let who moves alone have the whole time from now on, if it was over before anybody could be told of it."""
        if not isinstance(self.sitting.game.to_move(self.sitting.state), Mover):
            self.taken_back()

    def taken_back(self) -> None:
        """Let the time go on from what happened last, if it is over by now: it would be over at once again."""
        game, state = self.sitting.game, self.sitting.state
        if isinstance(game, Clocked) and (due := game.due(state)) is not None and _time_of(due) <= self.now_s():
            self.sitting.played_s = game.since(state) or 0.0

    def typed(self, moves: Sequence[Any]) -> tuple[Any, ...]:
        """Those of the moves that somebody may type: what the clock brings comes by itself."""
        game = self.sitting.game
        brought = type(game.due(self.sitting.state)) if isinstance(game, Clocked) else type(None)
        return tuple(move for move in moves if not isinstance(move, brought))

    def left(self) -> str:
        """How long the timer still runs, to be shown before what is typed: "42 s "."""
        game = self.sitting.game
        due = game.due(self.sitting.state) if isinstance(game, Clocked) else None
        return "" if due is None else f"{max(0.0, _time_of(due) - self.now_s()) * self._slowness:.0f} s "


def _time_of(move: Any) -> float:
    time_s = getattr(move, "time_s", None)
    return float("inf") if time_s is None else float(time_s)
