"""How the hidden dominoes of All Fives may lie: hands and boneyard drawn at random, as the play makes it likely."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from rules.all_fives.compact import BITS, Position, bits, each, ends_of
from rules.all_fives.state import EVERYTHING, FivesState
from rules.holding import guessed

_TRIES = 4


class _Hidden(NamedTuple):
    """A hand: what is known of it, how many dominoes are not, and which it cannot or will hardly have."""

    seat: int
    known: int
    unknown: int
    lacks: int
    avoided: int


class Guesses:
    """Deals of the hidden dominoes, each as likely as what was seen makes it.

    A hand never gets what it surely lacks; `trust` is how often it is dealt nothing that it seems to lack.
    """

    def __init__(self, state: FivesState, chance: Random, trust: float = 0.75) -> None:
        self._state, self._chance, self._trust = state, chance, trust
        hidden = [
            _Hidden(seat, bits(hand.known), hand.unknown, bits(hand.lacks), bits(state.avoids[seat] & state.unseen))
            for seat, hand in enumerate(state.hands)
        ]
        self._hidden = sorted(hidden, key=lambda h: -(h.lacks | h.avoided).bit_count() * (h.unknown > 0))
        self._free = [BITS[domino] for domino in sorted(state.unseen)]
        self._boneyard = [BITS[domino] for domino in reversed(state.boneyard.known)]
        self._ends, self._total = ends_of(state.line), state.line.total
        self._sniff = state.line.sniff is not None

    def __next__(self) -> Position:
        believed = self._chance.random() < self._trust
        for _ in range(_TRIES):
            dealt = self._dealt(believed)
            if dealt:
                return self._position(*dealt)
        return self._position(*(self._dealt(False) or self._at_any_rate()))

    def _dealt(self, believed: bool) -> tuple[list[int], list[int]] | None:
        free = self._free[:]
        self._chance.shuffle(free)
        hands = [0] * len(self._hidden)
        for seat, known, unknown, lacks, avoided in self._hidden:
            hands[seat] = known
            if not unknown:
                continue
            barred = lacks | avoided if believed else lacks
            taken = [bit for bit in free if not bit & barred][:unknown]
            if len(taken) < unknown:
                return None
            hands[seat] |= sum(taken)
            free = [bit for bit in free if not bit & hands[seat]]
        return hands, free + self._boneyard

    def _at_any_rate(self) -> tuple[list[int], list[int]]:
        """A deal that has to be looked for; where what was seen contradicts itself, one without what hands lack."""
        state = self._state
        holdings = (*state.hands, state.boneyard)
        whole = guessed(holdings, state.line.dominoes, sorted(EVERYTHING), self._chance)
        if whole is None:
            free = iter(self._chance.sample(self._free, len(self._free)))
            hands = [bits(hand.known) + sum(next(free) for _ in range(hand.unknown)) for hand in state.hands]
            return hands, [*free, *self._boneyard]
        return [bits(hand.known) for hand in whole[:-1]], list(each(bits(whole[-1].known)))

    def _position(self, hands: list[int], boneyard: list[int]) -> Position:
        state = self._state
        return Position(tuple(hands), tuple(boneyard), self._ends, self._total, self._sniff, state.turn, state.passes)
