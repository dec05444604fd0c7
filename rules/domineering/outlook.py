"""How good a position of Domineering is, and looking ahead: expectimax over the dominoes that may be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import tanh

from rules.domineering.bits import BIT, Bits, Reply, Runs, played, replies, runs, unplayable
from rules.domineering.state import LONGEST
from rules.watch import Watch

# What the chance to lose next time, and each square that a piece can run to, seem to weigh.
DANGER, ROOM, FURTHEST = 1.6, 0.03, 0.12
_NUMBERS = [(bit, domino.low, domino.high) for domino, bit in BIT.items()]
_WORST = -9.0


@dataclass
class Looking:
    """One search. Values are those of the player who is to draw: 1 for a win, -1 for a loss; in the variant in which
    dominoes are kept, how many more of them the other one will keep. seen: how many positions were estimated.
    """

    keeps: bool = False
    watch: Watch = field(default_factory=Watch)
    seen: int = 0
    _known: dict[Bits, float] = field(default_factory=dict)

    def value(self, at: Bits, ahead: int) -> float:
        """What a position is worth to who draws next; ahead: how many turns are looked at, 0 for an estimate."""
        number = at.left.bit_count()
        if ahead == 0 or not number:
            return self._estimated(at)
        reach = [runs(piece, at.taken) for piece in at.mine]
        losing = unplayable(at.mine, at.taken, at.left, reach)
        total = losing.bit_count() * self.lost(at) if losing else 0.0
        playable = at.left & ~losing
        if playable:
            best = self._best(at, reach, ahead)
            total += sum([best[low][high] for bit, low, high in _NUMBERS if playable & bit])
        return total / number

    def lost(self, at: Bits) -> float:
        """What it is worth to have drawn a domino that cannot be played."""
        if not self.keeps:
            return -1.0
        return -1.0 - self._estimated(Bits(at.theirs, at.mine, at.taken, at.left))

    def after(self, at: Bits, reply: Reply, ahead: int) -> float:
        """What a turn is worth to who makes it."""
        return -self.value(played(at, reply, at.left), ahead)

    def _best(self, at: Bits, reach: list[Runs], ahead: int) -> list[list[float]]:
        """For each two numbers of a domino, the lower first, the best that a turn by them brings; blanks are any.

        The domino itself still counts as one that may be drawn, so that one look does for all of them.
        """
        best = [[_WORST] * (LONGEST + 1) for _ in range(LONGEST + 1)]
        done: dict[Bits, float] = {}
        for reply in replies(at, reach):
            after = played(at, reply, at.left)
            worth = done.get(after)
            if worth is None:
                worth = done[after] = -self.value(after, ahead - 1)
            one, other = reply.one, reply.other
            low, high = (one, other) if one < other else (other, one)
            if worth > best[low][high]:
                best[low][high] = worth
        for number in range(1, LONGEST + 1):
            best[0][number] = max([*best[number][number:], *(best[low][number] for low in range(1, number))])
        best[0][0] = max(best[0][1:])
        return best

    def _estimated(self, at: Bits) -> float:
        worth = self._known.get(at)
        if worth is None:
            self.seen += 1
            worth = self._known[at] = estimate(at, self.keeps)
        return worth


def dangers(at: Bits) -> tuple[float, float]:
    """The share of the dominoes left by which who draws next cannot move, and by which the other one could not."""
    number = at.left.bit_count()
    if not number:
        return 0.0, 0.0
    mine, theirs = [runs(piece, at.taken) for piece in at.mine], [runs(piece, at.taken) for piece in at.theirs]
    losing = unplayable(at.mine, at.taken, at.left, mine), unplayable(at.theirs, at.taken, at.left, theirs)
    return losing[0].bit_count() / number, losing[1].bit_count() / number


def estimate(at: Bits, keeps: bool = False) -> float:
    """What a position seems to be worth to who draws next, without looking ahead.

    Who draws may lose at once; else what counts is the other one's danger, and the room that both have.
    """
    number = at.left.bit_count()
    if not number:
        return 0.0
    mine, theirs = [runs(piece, at.taken) for piece in at.mine], [runs(piece, at.taken) for piece in at.theirs]
    danger = unplayable(at.mine, at.taken, at.left, mine).bit_count() / number
    peril = unplayable(at.theirs, at.taken, at.left, theirs).bit_count() / number
    lead = DANGER * (peril - danger) + _room(mine) - _room(theirs)
    if keeps:
        return (peril - danger) * number / 4 + tanh(lead)
    return (1 - danger) * (peril + (1 - peril) * tanh(lead)) - danger


def _room(reach: Iterable[Runs]) -> float:
    """How free pieces are: all the squares that they can run to, and how far the worst of them gets."""
    free = list(reach)
    return ROOM * sum(map(sum, free)) + FURTHEST * sorted([max(run) for run in free])[-2]
