"""Dominoes that lie face down before somebody: hands and the boneyard, as far as they are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.domino import Domino
from rules.words import count, said


@dataclass(frozen=True)
class Holding:
    """A hand or a boneyard: the dominoes that are known, in order, and how many are not.

    lacks: dominoes that are surely not among the unknown ones, as a pass or a draw gives away.
    """

    known: tuple[Domino, ...] = ()
    unknown: int = 0
    lacks: frozenset[Domino] = frozenset()

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def __iter__(self) -> Iterator[Domino]:
        return iter(self.known)

    def __str__(self) -> str:
        """How it stands in a saved text: "64 31 +5" has five unknown dominoes."""
        return " ".join([*map(str, self.known), *([f"+{self.unknown}"] if self.unknown else [])])

    def may_hold(self, domino: Domino) -> bool:
        """Whether this domino is here, or may be."""
        return domino in self.known or (self.unknown > 0 and domino not in self.lacks)

    def without(self, domino: Domino) -> Holding:
        """After this domino left it. Raises ValueError where it cannot have been here."""
        if domino in self.known:
            at = self.known.index(domino)
            return replace(self, known=self.known[:at] + self.known[at + 1 :])
        if not self.may_hold(domino):
            raise ValueError(f"{domino} is not here")
        return replace(self, unknown=self.unknown - 1)

    def apart_from(self, elsewhere: Collection[Domino]) -> Holding:
        """Without the known dominoes that lie elsewhere."""
        return replace(self, known=tuple(domino for domino in self.known if domino not in elsewhere))

    def plus(self, domino: Domino | None) -> Holding:
        """After a domino came to it, None for one that nobody saw; what it lacked it may have now."""
        if domino is None:
            return replace(self, unknown=self.unknown + 1, lacks=frozenset())
        return replace(self, known=(*self.known, domino))

    def may_be(self, seen: Holding) -> bool:
        """Whether this is what is seen: as many, none that cannot be here, and backs for what is not shown."""
        hidden = set(self.known) - set(seen.known)
        fits = len(self) == len(seen) and len(hidden) <= seen.unknown
        return fits and all(self.may_hold(domino) for domino in seen.known)

    def unlike(self, seen: Holding, who: str) -> Iterator[str]:
        """What is seen of this hand and should not be, or is not and should, in sentences; nothing if all fits."""
        if self.may_be(seen):
            return
        strange = [domino for domino in seen.known if not self.may_hold(domino)]
        yield from (f"{who} shows the {said(domino)}, which cannot be in that hand." for domino in strange)
        gone = [domino for domino in self.known if not seen.may_hold(domino)]
        yield from (f"{who} had the {said(domino)}, which is not shown any more." for domino in gone)
        if not strange and len(self) != len(seen):
            yield f"{who} shows {count(len(seen), 'domino', 'dominoes')}, and should have {len(self)}."

    def unseen(self) -> Holding:
        """The same as somebody knows it who sees the backs alone."""
        return replace(self, known=(), unknown=len(self))


def fewer(holdings: Sequence[Holding], many: int, first: int) -> tuple[Holding, ...]:
    """The holdings without so many of their unknown dominoes: the first one's go first, then those of the next."""
    left = list(holdings)
    for seat in (*range(first, len(left)), *range(first)):
        gone = max(0, min(many, left[seat].unknown))
        left[seat], many = replace(left[seat], unknown=left[seat].unknown - gone), many - gone
    return tuple(left)


def guessed(
    holdings: Sequence[Holding], seen: Collection[Domino], everything: Collection[Domino], chance: Random
) -> tuple[Holding, ...] | None:
    """The holdings as they may be: each unknown domino drawn at random from those that are not seen anywhere.

    seen: the dominoes that lie open elsewhere. What a holding lacks it does not get. None where no deal fits.
    Long's determinisation (1996): a hidden game is played as open ones, drawn often enough.
    """
    known = {domino for holding in holdings for domino in holding.known}
    free = [domino for domino in everything if domino not in known and domino not in seen]
    places = [k for k, holding in enumerate(holdings) for _ in range(holding.unknown)]
    if len(places) > len(free):
        return None
    chance.shuffle(free)
    dealt = _matched(places, free, holdings)
    if dealt is None:
        return None
    drawn = [tuple(d for k, d in zip(places, dealt, strict=True) if k == number) for number in range(len(holdings))]
    return tuple(
        replace(holding, known=(*holding.known, *more), unknown=0)
        for holding, more in zip(holdings, drawn, strict=True)
    )


def _matched(places: Sequence[int], free: Sequence[Domino], holdings: Sequence[Holding]) -> list[Domino] | None:
    """A domino for every place, none that its holding lacks, in the order of `free`: augmenting paths (Kuhn 1955)."""
    taker: dict[Domino, int] = {}

    def seat(place: int, tried: set[Domino]) -> bool:
        lacks = holdings[places[place]].lacks
        for domino in free:
            if domino in tried or domino in lacks:
                continue
            tried.add(domino)
            if domino not in taker or seat(taker[domino], tried):
                taker[domino] = place
                return True
        return False

    if not all(seat(place, set()) for place in range(len(places))):
        return None
    by_place = {place: domino for domino, place in taker.items()}
    return [by_place[place] for place in range(len(places))]
