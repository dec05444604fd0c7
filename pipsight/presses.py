"""Who pressed to claim and has not said yet what: the moment of a press counts, but only for a while."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pipsight.events import Moved, Pressed, Resynced, TakenBack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipsight.events import Event
    from rules.game import Seat

SAYS_S = 8.0  # so long there is time to say what was found
_CLAIM = re.compile(r"([1-9]):")
_WORD = re.compile(r"[^\s,]+")


class Presses:
    """Keeps the presses for a claim that nothing was said to yet."""

    def __init__(self) -> None:
        self._open: dict[Seat, float] = {}
        self._asked: Seat | None = None  # who is to say what now
        self._since_s = 0.0  # since when

    @property
    def first_s(self) -> float | None:
        """The moment of the earliest one, by the clock of the game; None where there is none."""
        return min(self._open.values(), default=None)

    def hear(self, events: Iterable[Event]) -> None:
        """Take in what happened: presses, and what was said to them."""
        for event in events:
            match event:
                case Pressed(_, int(seat), at_s, "claim"):
                    self._open.setdefault(seat, at_s)
                case Pressed(_, int(seat), _, "withdrawn"):
                    self._open.pop(seat, None)
                case Moved():
                    self._answered(event.move)
                case TakenBack() | Resynced():
                    self._open.clear()

    def again(self, entry: dict[str, Any]) -> None:
        """Take in what happened once more, as a log tells it."""
        match entry:
            case {"event": "pressed", "seat": int(seat), "at_s": at_s, "means": str(means)}:
                self.hear([Pressed("", seat, float(at_s), means)])
            case {"event": "moved", "move": str(move)}:
                self._answered(move)
            case {"event": "taken_back" | "resynced"}:
                self._open.clear()

    def _answered(self, move: str) -> None:
        claim = _CLAIM.match(move)
        if claim:
            self._open.pop(int(claim[1]) - 1, None)
        else:
            self._open.clear()  # another part of the round

    def forget(self) -> None:
        """Let all presses be for nothing: nobody may claim any more."""
        self._open.clear()

    def dated(self, words: str) -> str:
        """Claims with the moments of their presses, where somebody pressed and says no other moment."""
        return _WORD.sub(lambda found: self._dated(found[0]), words)

    def _dated(self, word: str) -> str:
        claim = _CLAIM.match(word)
        at_s = self._open.get(int(claim[1]) - 1) if claim and "@" not in word else None
        return word if at_s is None else f"{word}@{at_s:.3f}"

    def lapsed(self, now_s: float) -> list[Pressed]:
        """Take back the earliest press if nothing was said to it for too long, and tell so.

        They are asked one after the other: nobody's time runs while others say what they found.
        """
        first = min(self._open, key=self._open.__getitem__, default=None)
        if first is None:
            self._asked = None
            return []
        at_s = self._open[first]
        if first != self._asked:
            self._asked, self._since_s = first, at_s if self._asked is None else now_s
        if now_s - self._since_s <= SAYS_S:
            return []
        told = [Pressed(f"Player {first + 1} pressed and said nothing.", first, at_s, "withdrawn")]
        self.hear(told)
        return told
