"""Who was first: contacts on one target, weighed by how sure their moments are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from vision.touch import Contact

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


def first_of(contacts: Sequence[Contact]) -> First:
    """Decide who of those that touched one target was first; one hand's later touches do not count."""
    hands: dict[int, Contact] = {}
    for contact in sorted(contacts, key=lambda one: one.time_s):
        hands.setdefault(contact.hand, contact)
    if not hands:
        return First(None, None, 0.0)
    best, *later = hands.values()
    if best.contested:
        return First(None, None, best.sigma_s, (best,))
    if not later:
        return First(best, None, best.sigma_s)
    second = later[0]
    margin, sigma = second.time_s - best.time_s, hypot(best.sigma_s, second.sigma_s)
    close = tuple(one for one in hands.values() if not _later(one, best))
    return First(best if len(close) == 1 else None, margin, sigma, close if len(close) > 1 else ())


def waits(contacts: Sequence[Contact], pending: Sequence[Contact]) -> bool:
    """Whether a finger that rests on the same target, not yet for sure, may have been there earlier."""
    sure = sorted(contacts, key=lambda one: one.time_s)[:1]
    return any(not _later(one, best) for best in sure for one in pending if one.hand != best.hand)


def _later(one: Contact, best: Contact) -> bool:
    """Whether a contact was later than another beyond doubt."""
    return one.time_s - best.time_s > SURE * hypot(one.sigma_s, best.sigma_s)
