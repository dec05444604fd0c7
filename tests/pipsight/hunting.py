"""A hunt before a referee that nobody has to film: touches are told to it, as the eyes would."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from pipsight.events import Refused, WasFirst
from pipsight.follower import Follower
from pipsight.hunt.calm import Calm
from pipsight.referee import Referee
from rules.board import Board
from rules.cobra_paw.state import SIDES
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import LooseTile, Table
from vision.hands.touches import Contact

if TYPE_CHECKING:
    from pipsight.events import Event

SIZE = (1200, 900)
TARGET, BLANK, OTHER = range(3)
LYING = (Domino.of(5, 3), Domino.of(0, 0), Domino.of(6, 6))
ENTRIES = {"bottom": (600.0, 899.0), "left": (0.0, 450.0), "right": (1199.0, 450.0), "top": (600.0, 0.0)}


class Hunting:
    """A hunt of three for the 3-5, who sit below, left and right; nobody sits above."""

    def __init__(self, *words: str) -> None:
        start = GAME.set_up(3, Random(1))
        self.follower = Follower(GAME, start, [start])
        for word in ("roll(5-3)", *words):
            assert not isinstance(self.follower.make(word)[0], Refused)
        self.referee = Referee(self.follower)
        quads = [np.array([[400, 400], [450, 400], [450, 500], [400, 500]], float) + [200 * k, 0] for k in range(3)]
        eyes: Any = SimpleNamespace(hands=(), pending=())
        scene: Any = SimpleNamespace(size_px=SIZE, tiles=(), dice=())
        self.referee._calm = Calm(eyes, scene, LYING, tuple(quads), 0.0, SIDES[3])
        self.told: list[Event] = self.referee._judged(9.9, [])

    def touched(self, *contacts: Contact, at_s: float = 10.3) -> Hunting:
        """Let the eyes tell of these touches at a moment."""
        self.told += self.referee._judged(at_s, list(contacts))
        return self

    @property
    def firsts(self) -> list[int]:
        """Who was named to be first."""
        return [event.seat for event in self.told if isinstance(event, WasFirst)]

    def of(self, kind: type) -> list[Any]:
        """What was told of one kind."""
        return [event for event in self.told if isinstance(event, kind)]


def touch(side: str, place: int, time_s: float, *, hand: int = 0, chance: float = 1.0) -> Contact:
    number = hand or sorted(ENTRIES).index(side) + 1
    return Contact(number, ENTRIES[side], place, time_s, 0.005, (420.0, 450.0), time_s + 0.1, chance)


def middle(*taken: Domino) -> tuple[LooseTile, ...]:
    """What lies face up, with gaps where something was taken."""
    left = [domino for domino in GAME.set_up(3, Random(1)).face_up if domino not in taken]
    return tuple(LooseTile(one.high, one.low, 3.0 * (one.high - one.low), 3.0 * one.low, 0.0) for one in left)


def lying() -> Table:
    """The target and the double blank, face up in the middle."""
    return Table(Board.parse("5|3 0|0"))
