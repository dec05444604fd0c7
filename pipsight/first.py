"""Who was first: contacts on one target, weighed by how sure their moments are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

from vision.touches import Contact

Who: TypeAlias = Callable[[Contact], Hashable]

SURE = 2.0  # deviations of a margin beyond which a name is given


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

    who: whose touch it is.
    """
    earliest: dict[Hashable, Contact] = {}
    for contact in sorted(contacts, key=lambda one: one.time_s):
        earliest.setdefault(who(contact), contact)
    if not earliest:
        return First(None, None, 0.0)
    best, *later = earliest.values()
    if best.contested:
        return First(None, None, best.sigma_s, (best,))
    if not later:
        return First(best, None, best.sigma_s)
    second = later[0]
    margin, sigma = second.time_s - best.time_s, hypot(best.sigma_s, second.sigma_s)
    close = tuple(one for one in earliest.values() if not is_later(one, best))
    return First(best if len(close) == 1 else None, margin, sigma, close if len(close) > 1 else ())


def waits(contacts: Sequence[Contact], pending: Sequence[Contact], who: Who) -> bool:
    """Whether somebody else's finger that rests there, not yet for sure, may have been earlier."""
    sure = sorted(contacts, key=lambda one: one.time_s)[:1]
    return any(not is_later(one, best) for best in sure for one in pending if who(one) != who(best))


def is_later(one: Contact, best: Contact) -> bool:
    """Whether a contact was later than another beyond doubt."""
    return one.time_s - best.time_s > SURE * hypot(one.sigma_s, best.sigma_s)
