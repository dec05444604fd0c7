"""A clock for any game at the table: how long is left, who pressed when, and who was first. Times come from outside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PLAYERS = 6
WARNINGS_S = (10, 3, 2, 1)
ERROR_S = {"button": 0.001, "key": 0.015}
"""How wrong the time of a press may be: the controller's own stamp, or a keyboard that is asked now and then."""


class Kind(Enum):
    """What a clock is for.

    COUNTDOWN: one time for all, which runs at once. CLAIMS: the first press starts it, as in Bee's race. FIRST: no
    time, only who pressed first. CHESS: a time for each player, whose press lets the next one's run.
    """

    COUNTDOWN = "countdown"
    CLAIMS = "claims"
    FIRST = "first"
    CHESS = "chess"


@dataclass(frozen=True)
class Press:
    """A player (from 0) pressed a button or a key, at a moment in seconds."""

    seat: int
    at_s: float
    by: Literal["button", "key"] = "key"


@dataclass(frozen=True)
class Lead:
    """Who pressed first: seat, None where it is too close to call; margin_s before the next, None without a next.

    close: who may have been first.
    """

    seat: int | None
    margin_s: float | None
    close: tuple[int, ...]


@dataclass(frozen=True)
class Timer:
    """A clock as it stands.

    left_s: what was left at `since_s`, one time, or one a player in CHESS. since_s: since when it runs, None while it
    stands still. turn: whose time runs in CHESS. presses: the first one of each player, in order of time. stood_s:
    since when it stands still after it ran: no press counts then, and earlier ones move along as if no time had passed.

    >>> timer = Timer.of(Kind.CLAIMS, 3, 60).pressed(Press(1, 100.0))
    >>> timer.left(130.0)
    30.0
    """

    kind: Kind
    players: int
    length_s: float
    left_s: tuple[float, ...]
    since_s: float | None = None
    turn: int = 0
    presses: tuple[Press, ...] = ()
    stood_s: float | None = None

    @classmethod
    def of(cls, kind: Kind, players: int, length_s: float) -> Timer:
        """A clock that stands still, with its whole time."""
        return cls(kind, players, length_s, (length_s,) * (players if kind is Kind.CHESS else 1))

    @property
    def runs(self) -> bool:
        """Whether the time runs."""
        return self.since_s is not None

    @property
    def stands(self) -> bool:
        """Whether the time ran and was stopped."""
        return self.stood_s is not None

    def left(self, now_s: float, seat: int | None = None) -> float:
        """How many seconds are left, of a player's own time or of that which runs; never less than 0."""
        of = self.turn if seat is None else seat
        gone = now_s - self.since_s if self.since_s is not None and of == self.turn else 0.0
        return max(0.0, self.left_s[of if self.kind is Kind.CHESS else 0] - gone)

    def is_over(self, now_s: float) -> bool:
        """Whether the time, or a player's time, is up."""
        return self.kind is not Kind.FIRST and self.left(now_s) <= 0

    def standing(self, now_s: float) -> Iterator[str]:
        """What is left of each time of which a second or more has passed, a sentence each."""
        if self.kind is Kind.FIRST or self.is_over(now_s):
            return
        for seat in range(len(self.left_s)):
            left = self.left(now_s, seat if self.kind is Kind.CHESS else None)
            if left <= self.length_s - 1:
                whose = f"{player(seat)} had" if self.kind is Kind.CHESS else "There were"
                yield f"{whose} {clock_text(left)}{' s' if left < 60 else ''} left."

    def resumed(self, now_s: float) -> Timer:
        """Let the time run."""
        if self.runs or self.kind is Kind.FIRST or self.is_over(now_s):
            return self
        stood_for_s = 0.0 if self.stood_s is None else now_s - self.stood_s
        presses = tuple(replace(press, at_s=press.at_s + stood_for_s) for press in self.presses)
        return replace(self, since_s=now_s, stood_s=None, presses=presses)

    def paused(self, now_s: float) -> Timer:
        """Let the time stand still."""
        return replace(self._settled(now_s), since_s=None, stood_s=now_s) if self.runs else self

    def more(self, seconds: float, now_s: float) -> Timer:
        """Add time, or with less than 0 take some away, for whom it runs."""
        settled = self._settled(now_s)
        mine = settled.turn if self.kind is Kind.CHESS else 0
        left = tuple(max(0.0, s + seconds) if k == mine else s for k, s in enumerate(settled.left_s))
        return replace(settled, left_s=left)

    def again(self) -> Timer:
        """The whole time once more, and nobody has pressed."""
        return Timer.of(self.kind, self.players, self.length_s)

    def pressed(self, press: Press) -> Timer:
        """After a press. In CHESS it ends the turn of who pressed; else each player's first one counts.

        A press that is told of late keeps its place, and starts the time from its own moment.
        """
        if not 0 <= press.seat < self.players or self.is_over(press.at_s) or self.misses(press):
            return self
        if self.kind is Kind.CHESS:
            return self._passed(press)
        if any(earlier.seat == press.seat for earlier in self.presses):
            return self
        presses = tuple(sorted((*self.presses, press), key=lambda one: one.at_s))
        starts = not self.presses or (presses[0] == press and self.since_s == self.presses[0].at_s)
        since_s = press.at_s if self.kind is Kind.CLAIMS and starts else self.since_s
        return replace(self, presses=presses, since_s=since_s)

    def misses(self, press: Press) -> bool:
        """Whether a press came while the time stood still, so that it does not count."""
        return self.stood_s is not None and press.at_s >= self.stood_s

    def _passed(self, press: Press) -> Timer:
        """The next player's time runs; before the beginning anybody's press starts it."""
        after = (press.seat + 1) % self.players
        if self.since_s is None:
            return self if self.stands else replace(self, turn=after, since_s=press.at_s)
        ends = press.seat == self.turn and press.at_s >= self.since_s  # a press before one's turn ends nothing
        return replace(self._settled(press.at_s), turn=after) if ends else self

    def _settled(self, now_s: float) -> Timer:
        """The same, with what is left told as of now."""
        if self.since_s is None:
            return self
        mine = self.turn if self.kind is Kind.CHESS else 0
        left = tuple(self.left(now_s) if k == mine else s for k, s in enumerate(self.left_s))
        return replace(self, left_s=left, since_s=now_s)

    def warned(self, before_s: float, now_s: float) -> Iterator[int]:
        """The seconds that were left at moments since `before_s` at which a warning is due, 0 for the end."""
        if self.since_s is None:
            return
        earlier, now = self.left(max(before_s, self.since_s)), self.left(now_s)
        yield from (second for second in (*WARNINGS_S, 0) if now <= second < earlier)

    @property
    def lead(self) -> Lead | None:
        """Who pressed first; None before anybody has."""
        if not self.presses:
            return None
        first, *others = self.presses
        close = [one for one in others if one.at_s - first.at_s <= ERROR_S[first.by] + ERROR_S[one.by]]
        seats = (first.seat, *(one.seat for one in close))
        margin_s = others[0].at_s - first.at_s if others else None
        return Lead(None if close else first.seat, margin_s, seats)


def clock_text(seconds: float) -> str:
    """A time as clocks show it, whole seconds rounded up: "1:05", "12"; with tenths below ten seconds: "9.4"."""
    if seconds < 10:
        return f"{seconds:.1f}"
    whole = -int(-seconds // 1)
    return f"{whole // 60}:{whole % 60:02}" if whole >= 60 else str(whole)


def lead_text(timer: Timer) -> str:
    """Who was first and by how much, in a sentence; "" before anybody pressed."""
    lead = timer.lead
    if lead is None:
        return ""
    if lead.seat is None:
        from rules.words import listing  # here, for the commands' help would wait for all the rules

        names = listing([player(seat) for seat in sorted(lead.close)])
        return f"Too close to call: {names} pressed within {_span(timer, lead):.3f} s."
    if lead.margin_s is None:
        return f"{player(lead.seat)} was first."
    return f"{player(lead.seat)} was first, {lead.margin_s:.3f} s before {player(timer.presses[1].seat)}."


def _span(timer: Timer, lead: Lead) -> float:
    """How far the first press and the last that is too close to it lie apart."""
    return max(press.at_s for press in timer.presses if press.seat in lead.close) - timer.presses[0].at_s


def player(seat: int) -> str:
    """A player's name, as rules.words has it, for which the commands' help would wait: seat 0 is "Player 1"."""
    return f"Player {seat + 1}"
