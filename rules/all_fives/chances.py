"""How likely each face-down domino of All Fives is the next to be looked at, from what the hands cannot have."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

from rules.all_fives.state import FivesState
from rules.all_fives.turns import looked_at
from rules.domino import Domino
from rules.holding import Holding


def likelihoods(state: FivesState) -> dict[Domino, float]:
    """The chance of each domino that may be looked at next: all deals that what is seen allows are equally likely."""
    holdings = [holding for holding in (*state.hands, state.boneyard) if holding.unknown]
    seat = looked_at(state)
    source = holdings.index(state.boneyard if seat is None else state.hands[seat])
    unseen = sorted(state.unseen)
    kinds = {domino: tuple(domino not in holding.lacks for holding in holdings) for domino in unseen}
    ways = {kind: _ways_without(kind, kinds, holdings, source) for kind in set(kinds.values())}
    whole = sum(ways[kind] for kind in kinds.values())
    return {domino: ways[kinds[domino]] / whole for domino in unseen if whole and ways[kinds[domino]]}


def _ways_without(
    kind: tuple[bool, ...], kinds: dict[Domino, tuple[bool, ...]], holdings: list[Holding], source: int
) -> int:
    """How many deals there are once a domino of that kind was found in the source."""
    if not kind[source]:
        return 0
    left = Counter(kinds.values())
    left[kind] -= 1
    room = tuple(holding.unknown - (place == source) for place, holding in enumerate(holdings))
    return _ways(tuple(sorted(left.items())), room)


@cache
def _ways(groups: tuple[tuple[tuple[bool, ...], int], ...], room: tuple[int, ...]) -> int:
    """How many ways there are to put groups of dominoes into rooms, each where it may go."""
    if not groups:
        return int(not any(room))
    (allowed, size), rest = groups[0], groups[1:]
    return _spread(allowed, size, 0, room, rest)


def _spread(
    allowed: tuple[bool, ...],
    size: int,
    place: int,
    room: tuple[int, ...],
    rest: tuple[tuple[tuple[bool, ...], int], ...],
) -> int:
    """The same, where so many of the first group are left for the rooms from `place` on."""
    if place == len(room):
        return _ways(rest, room) if size == 0 else 0
    most = min(size, room[place]) if allowed[place] else 0
    return sum(
        comb(size, taken)
        * _spread(allowed, size - taken, place + 1, (*room[:place], room[place] - taken, *room[place + 1 :]), rest)
        for taken in range(most + 1)
    )
