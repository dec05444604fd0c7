"""Who was first: contacts on one target, weighed by how likely they are touches and how sure their moments are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TypeAlias

import numpy as np
from scipy.special import ndtr

from vision.touches import Contact

Who: TypeAlias = Callable[[Contact], Hashable]

SURE = 1.65  # deviations of the margin between two likely touches beyond which the earlier one is so in 19 of 20
NAMED = 0.8  # who was first less likely than that is not named
MAY_BE = 0.1  # who was first likelier than that is one of those between whom nobody can decide
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
    close: the contacts between which nobody can decide, the earliest first.
    """

    contact: Contact | None
    margin_s: float | None
    sigma_s: float
    close: tuple[Contact, ...] = ()


def first_of(contacts: Sequence[Contact], who: Who) -> First:
    """Decide who of those that touched one target was first; somebody's later touches, with either hand, do not count.

    Contacts that are not likely name nobody, but each may have been a touch, and the first. who: whose touch it is.
    """
    earliest: dict[Hashable, Contact] = {}
    believed = zip(contacts, _yielding(contacts, who), strict=True)
    likely = [contact for contact, weighed in believed if weighed.likely]
    for contact in sorted(likely, key=lambda one: (one.time_s, one.confirmed_s)):
        earliest.setdefault(who(contact), contact)
    if not earliest:
        return First(None, None, 0.0)
    best, *later = earliest.values()
    chances = chances_of(contacts, who)
    apart = all(is_later(one, best) for one in later)
    named = best if apart and chances[who(best)] > NAMED else None
    margin = later[0].time_s - best.time_s if later else None
    sigma = hypot(best.sigma_s, later[0].sigma_s) if later else best.sigma_s
    close = [one for one in earliest.values() if chances[who(one)] > MAY_BE or not is_later(one, best)]
    return First(named, margin, sigma, () if named else tuple(close))


def chances_of(contacts: Sequence[Contact], who: Who) -> dict[Hashable, float]:
    """How likely each of them was the first to touch a target, somebody or other."""
    told = _yielding(_apart(contacts, who), who)
    chances = dict.fromkeys(map(who, contacts), 0.0)
    for one in told:
        moments, alone = one.time_s + max(one.sigma_s, 1e-6) * MOMENTS, np.full(len(MOMENTS), one.chance)
        for other in told:
            if who(other) != who(one):
                alone *= 1 - other.chance * ndtr((moments - other.time_s) / max(other.sigma_s, 1e-6))
            elif other.time_s < one.time_s:
                alone *= 1 - other.chance
        chances[who(one)] += float(WEIGHTS @ alone)
    return chances


def _apart(contacts: Sequence[Contact], who: Who) -> list[Contact]:
    """Each touch once, as likely as it was ever told; without rumours of long before."""
    found: list[Contact] = []
    since_s = min((one.time_s for one in contacts if one.likely), default=0.0) - LONG_S
    for one in sorted(contacts, key=lambda one: -one.chance):
        again = any(who(one) == who(other) and abs(one.time_s - other.time_s) < SAME_S for other in found)
        if one.time_s > since_s and not again:
            found.append(one)
    return found


def _yielding(contacts: Sequence[Contact], who: Who) -> list[Contact]:
    """The touches; where somebody took the tile those of others are less likely: who is first keeps it mostly."""
    takers = {who(one) for one in contacts if one.taken}
    if not takers:
        return list(contacts)
    return [one if who(one) in takers else replace(one, chance=_less_likely(one.chance)) for one in contacts]


def _less_likely(chance: float) -> float:
    return YIELDS * chance / (1 - chance + YIELDS * chance)


def is_due(contacts: Sequence[Contact], pending: Sequence[Contact], now_s: float, who: Who) -> bool:
    """Whether it can be told who was first: a touch is sure enough for a name, or none outdid a likely one for long.

    pending: fingers that may have touched, too, and are not settled yet; one that may have been earlier is waited for.
    Where nobody can be named yet, and it would decide who takes the tile, that is waited for.
    """
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
