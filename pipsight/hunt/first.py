"""Who was first: contacts on one target, weighed by how likely they are touches and how sure their moments are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from vision.hands.touches import LIKELY, Contact

Who: TypeAlias = Callable[[Contact], Hashable]
Floats: TypeAlias = NDArray[np.float64]

SURE = 1.65  # deviations of the margin between two likely touches beyond which the earlier one is so in 19 of 20
NAMED = 0.8  # who was first less likely than that is not named
MAY_BE = 0.1  # who was first likelier than that is one of those between whom nobody can decide
AGAIN = 0.05  # the odds that who touched a tile touches it once more
YIELDS = 0.15  # the odds that somebody touched a tile first and let another one take it
SAME_S = 0.15  # contacts of one hand so near are one touch
ALONE_S = 0.6  # what may have been a touch is judged once for so long nothing surer came
TAKING_S = 0.8  # so long after the first touch somebody takes the tile, which shows that he has touched it
LONG_S = 1.0  # a rumour that is so much older than a likely touch was none: the hunt went on
MOMENTS = np.linspace(-3, 3, 61)  # deviations from its time at which a touch may have been
WEIGHTS = np.exp(-(MOMENTS**2) / 2) / np.exp(-(MOMENTS**2) / 2).sum()


@dataclass(frozen=True)
class First:
    """Who was first on a target.

    contact: the first one; None where it is too close to call, another hand may have touched unseen, or nobody did.
    margin_s: how long before the next hand, None where there is no other. sigma_s: the margin's standard deviation, or
    the moment's where one came alone.
    close: the contacts between which nobody can decide, the earliest first. order: of each that likely touched it the
    likeliest moment, the earliest first: the margin is that between the first two.
    """

    contact: Contact | None
    margin_s: float | None
    sigma_s: float
    close: tuple[Contact, ...] = ()
    order: tuple[Contact, ...] = ()


def first_of(contacts: Sequence[Contact], who: Who) -> First:
    """Decide who of those that touched one target was first; somebody's later touches, with either hand, do not count.

    Contacts that are not likely name nobody, but each may have been a touch, and the first. who: whose touch it is.
    """
    hands = _hands(contacts, who)
    earliest = sorted((one for hand in hands if (one := hand.likeliest)), key=lambda one: (one.time_s, one.confirmed_s))
    if not earliest:
        return First(None, None, 0.0)
    best, *later = earliest
    chances = chances_of(contacts, who)
    apart = all(is_later(one, best) for one in later)
    named = best if apart and chances[who(best)] > NAMED else None
    margin = later[0].time_s - best.time_s if later else None
    sigma = hypot(best.sigma_s, later[0].sigma_s) if later else best.sigma_s
    close = [one for one in earliest if chances[who(one)] > MAY_BE or not is_later(one, best)]
    return First(named, margin, sigma, () if named else tuple(close), tuple(earliest))


def chances_of(contacts: Sequence[Contact], who: Who) -> dict[Hashable, float]:
    """How likely each of them was the first to touch a target, somebody or other."""
    hands = _hands(contacts, who)
    chances = dict.fromkeys(map(who, contacts), 0.0)
    for hand in hands:
        for one, chance in hand.moments:
            moments, alone = one.time_s + max(one.sigma_s, 1e-6) * MOMENTS, np.full(len(MOMENTS), chance)
            for other in hands:
                if other is not hand:
                    alone *= 1 - other.before(moments)
            chances[hand.who] += float(WEIGHTS @ alone)
    return chances


@dataclass(frozen=True)
class _Hand:
    """Somebody's hands: the moments at which they may have touched the target first, with how likely each is."""

    who: Hashable
    moments: tuple[tuple[Contact, float], ...]

    @classmethod
    def of(cls, who: Hashable, contacts: Sequence[Contact], yields: float) -> _Hand:
        """Of moments in order; who touches a tile seldom does so again, so that a sure one makes others unlikely.

        yields: what the odds of each moment are multiplied by.
        """
        weights = list[float]()
        again = 1.0
        for one in reversed(contacts):
            odds = yields * one.chance / max(1 - one.chance, 1e-9)
            weights.insert(0, odds * again)
            again *= 1 + AGAIN * odds
        whole = 1 + sum(weights)
        return cls(who, tuple((one, weight / whole) for one, weight in zip(contacts, weights, strict=True)))

    @property
    def likeliest(self) -> Contact | None:
        """The likeliest of the moments, None where it is likelier that they never touched it."""
        best, _ = max(self.moments, key=lambda told: told[1])
        return best if sum(chance for _, chance in self.moments) > LIKELY else None

    def before(self, moments: Floats) -> Floats:
        """How likely they had touched it by each of some moments."""
        told = [chance * ndtr((moments - one.time_s) / max(one.sigma_s, 1e-6)) for one, chance in self.moments]
        return np.asarray(np.sum(told, axis=0), np.float64)


def _hands(contacts: Sequence[Contact], who: Who) -> list[_Hand]:
    """Whose hands may have touched the target.

    Where somebody took the tile the others are less likely to have touched it: who is first keeps it mostly.
    """
    told = sorted(_apart(latest(contacts), who), key=lambda one: one.time_s)
    takers = {who(one) for one in told if one.taken}
    owners = dict.fromkeys(map(who, told))
    yields = {owner: YIELDS if takers and owner not in takers else 1.0 for owner in owners}
    return [_Hand.of(owner, [one for one in told if who(one) == owner], yields[owner]) for owner in owners]


def latest(contacts: Sequence[Contact]) -> list[Contact]:
    """Of what was told anew the last word."""
    last = {one.number: one for one in sorted(contacts, key=lambda one: one.confirmed_s)}
    return [one for one in contacts if one.number is None or one is last[one.number]]


def _apart(contacts: Sequence[Contact], who: Who) -> list[Contact]:
    """Each touch once, as likely as it was ever told; without rumours of long before."""
    found: list[Contact] = []
    since_s = min((one.time_s for one in contacts if one.likely), default=0.0) - LONG_S
    for one in sorted(contacts, key=lambda one: -one.chance):
        again = any(who(one) == who(other) and abs(one.time_s - other.time_s) < SAME_S for other in found)
        if one.time_s > since_s and not again:
            found.append(one)
    return found


def is_due(contacts: Sequence[Contact], pending: Sequence[Contact], now_s: float, who: Who) -> bool:
    """Whether it can be told who was first: a touch is sure enough for a name, or none outdid a likely one for long.

    pending: fingers that may have touched, too, and are not settled yet; one that may have been earlier is waited for.
    Where nobody can be named yet, and it would decide who takes the tile, that is waited for.
    """
    contacts = latest(contacts)
    sure = any(one.chance > NAMED or (one.likely and now_s - one.confirmed_s > ALONE_S) for one in contacts)
    if not sure or _waits(contacts, pending, who):
        return False
    first_s = min(one.time_s for one in contacts if one.likely)
    return first_of(contacts, who).contact is not None or now_s - first_s > TAKING_S or not _may_settle(contacts, who)


def _may_settle(contacts: Sequence[Contact], who: Who) -> bool:
    """Whether it would name somebody if one of them turned out to have touched the tile."""
    surely = ([*contacts, replace(one, chance=1.0, taken=True)] for one in contacts)
    return any(first_of(told, who).contact is not None for told in surely)


def _waits(contacts: Sequence[Contact], pending: Sequence[Contact], who: Who) -> bool:
    """Whether somebody's finger that is not settled yet may change who was first."""
    best = min((one for one in contacts if one.likely), key=lambda one: one.time_s)
    if all(who(one) == who(best) or is_later(one, best) for one in pending):
        return False
    named = first_of([*contacts, *pending], who).contact
    return named is None or who(named) != who(best)


def is_later(one: Contact, best: Contact) -> bool:
    """Whether a contact was later than another beyond doubt."""
    return one.time_s - best.time_s > SURE * hypot(one.sigma_s, best.sigma_s)
