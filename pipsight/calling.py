"""Calls the roll of the taught sets on a table: what each of them lacks, and what lies there twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipsight.events import RollCall
from rules.domino import Domino, DominoSet
from rules.words import said_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calibration.tileset import TileSet
    from pipsight.events import Event
    from pipsight.look import Look
    from vision.scene import Scene

NEARLY_ALL = 3  # dominoes that may lack where the whole set is meant to lie on the table
SETTLED_S = 1.0  # a table that is being laid is not called


@dataclass(frozen=True)
class Call:
    """Which dominoes of a taught set lack, and which lie there twice, as "42"."""

    of_set: str
    lacks: tuple[str, ...]
    twice: tuple[str, ...]

    @property
    def lines(self) -> Iterator[str]:
        """The same, a sentence each."""
        yield from (f"{said_reading(domino)} of {self.of_set} lies here twice." for domino in self.twice)
        yield from (f"Your set {self.of_set} lacks {said_reading(domino)}." for domino in self.lacks)


def called(scene: Scene, one: TileSet) -> Call:
    """Call the roll of a taught set: what lacks is told where nearly all of it lies there."""
    surely = [t for t in scene.tiles if t.of_set == one.name and t.face_up and not t.doubtful]
    often = Counter(str(Domino.of(*tile.pips)) for tile in surely)
    lacking = [str(d) for d in DominoSet(one.highest) if str(d) not in often]
    unsure = sum(t.of_set == one.name for t in scene.tiles) - len(surely)
    all_there = bool(often) and not unsure and len(lacking) <= NEARLY_ALL
    twice = tuple(domino for domino in sorted(often) if often[domino] > 1)
    return Call(one.name, tuple(lacking) if all_there else (), twice)


def known_of(one: TileSet) -> Iterator[str]:
    """Say which dominoes of a set were there twice, and which lacked, when it was taught."""
    yield from (f"Your set {one.name} has {said_reading(domino)} twice." for domino in one.twice)
    yield from Call(one.name, one.missing, ()).lines


def table_call(scene: Scene, sets: Sequence[TileSet]) -> Iterator[str]:
    """Say which dominoes of taught sets lie on the table twice, and which lack where nearly all lie there."""
    for one in sets:
        yield from called(scene, one).lines


class Caller:
    """Tells once of each set what is known to lack from it, and again whenever the table shows something else.

    >>> Caller([stars]).see(look)  # doctest: +SKIP
    """

    def __init__(self, sets: Sequence[TileSet] = ()) -> None:
        self._sets = tuple(sets)
        self._told: dict[str, Call] = {}

    def see(self, look: Look) -> list[Event]:
        """What there is to say of the table as it lies."""
        if not self._sets or look.still_s < SETTLED_S or not look.scene.tiles:
            return []
        calls = [_with_known(called(look.scene, one), one) for one in self._sets]
        news = [call for call in calls if self._told.get(call.of_set, Call(call.of_set, (), ())) != call]
        self._told |= {call.of_set: call for call in calls}
        return [RollCall(" ".join(call.lines), call.of_set, call.lacks, call.twice) for call in news if any(call.lines)]


def _with_known(call: Call, one: TileSet) -> Call:
    """What the table shows, and what was known to lack when the set was taught."""
    known = tuple(domino for domino in one.missing if domino not in call.lacks)
    return Call(call.of_set, (*call.lacks, *known), call.twice)
