"""Mountains by chance, and mountains made hard: dominoes change places as long as the way gets no shorter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from rules.climbing.search import Ways, position_of
from rules.climbing.state import COLUMNS, DOMINOES, Pilgrimage, Rows, Step
from rules.domino import Domino
from rules.game import Generated, Solution
from rules.watch import Watch
from rules.words import count

MOST_TRIES = 6_000
PATIENCE = 120
"""After so many changes in vain a deal is given up for another one."""


@dataclass(frozen=True)
class Grade:
    """A difficulty, and the shortest lengths that belong to it."""

    name: str
    shortest: int
    longest: int


@dataclass(frozen=True)
class _Deal:
    """All fifteen dominoes, each with its upper number first; the first twelve are the mountain."""

    halves: tuple[tuple[int, int], ...]

    @property
    def mountain(self) -> Pilgrimage:
        upper, lower = zip(*self.halves[:COLUMNS], strict=True)
        rows: Rows = (upper, lower)
        return Pilgrimage(rows)

    def changed(self, chance: Random) -> _Deal:
        """Two dominoes change places, or one is turned end for end."""
        halves = list(self.halves)
        one, other = chance.randrange(COLUMNS), chance.randrange(len(halves))
        if one == other:
            halves[one] = halves[one][::-1]
        else:
            halves[one], halves[other] = halves[other], halves[one]
        return _Deal(tuple(halves))


def random_mountain(chance: Random) -> Pilgrimage:
    """Twelve of the fifteen dominoes, shuffled, each either way up, with the priests on the ground."""
    return _dealt(chance).mountain


def made(
    chance: Random, grade: Grade, solve: Callable[[Pilgrimage, Watch], Solution[Step]], watch: Watch
) -> Generated[Pilgrimage, Step] | None:
    """A mountain whose shortest way is of a grade; None where `watch` ended the search, or none came of this chance.

    One change after the other is tried on a deal, and kept unless the way gets shorter, or too long for the grade.
    Where many come to nothing, it begins anew. `watch` bounds the positions of each mountain by itself.
    """
    deal, best, in_vain = _dealt(chance), -1, 0
    for _ in range(MOST_TRIES):
        if in_vain > PATIENCE:
            best, in_vain = -1, 0
        tried = deal.changed(chance) if best >= 0 else _dealt(chance)
        solution = solve(tried.mountain, Watch(most_states=watch.most_states, clock=watch.clock))
        length = -1 if solution.moves is None else len(solution.moves)
        if solution.moves is not None and grade.shortest <= length <= grade.longest:
            return _told(tried.mountain, solution.moves, grade)
        in_vain = 0 if best < length <= grade.longest else in_vain + 1
        if best <= length <= grade.longest:
            deal, best = tried, length
        if not watch.goes_on(solution.states_seen, max(best, 0)):
            return None
    return None


def forced(start: Pilgrimage) -> int:
    """How many steps of the shortest way have nothing beside them: every shortest way passes the same position."""
    ways, levels = Ways(start), [{position_of(start)}]
    seen = set(levels[0])
    while levels[-1] and ways.goal not in levels[-1]:
        levels.append(ways.all_forth(levels[-1]) - seen)
        seen |= levels[-1]
    on_a_way, narrow = {ways.goal} & levels[-1], 0
    for level in reversed(levels[:-1]):
        narrow += len(on_a_way) == 1
        on_a_way = ways.all_back(on_a_way) & level
    return narrow


def _told(start: Pilgrimage, moves: tuple[Step, ...], grade: Grade) -> Generated[Pilgrimage, Step]:
    narrow = forced(start)
    note = f"{count(len(moves), 'move')}; after {narrow} of them every shortest way is at the same position."
    return Generated(start, str(start), moves, grade.name, float(narrow), note)


def _dealt(chance: Random) -> _Deal:
    dominoes: list[Domino] = chance.sample(DOMINOES, len(DOMINOES))
    halves = (chance.sample((domino.high, domino.low), 2) for domino in dominoes)
    return _Deal(tuple((upper, lower) for upper, lower in halves))
