"""Calls the roll of the taught sets on a table that is set up: what each of them lacks, and what lies there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipsight.events import RollCall
from pipsight.sets import Call, called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.tileset import TileSet
    from pipsight.events import Event
    from pipsight.look import Look

SETTLED_S = 1.0  # a table that is being laid is not called


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
