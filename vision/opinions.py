"""What two kinds of eyes saw of the same touches, told once, as soon as it is sure enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.table import TableSide
from vision.touches import Contact, side_of

HEARD_S = 0.3  # after a doubtful touch the slower eyes have told by then what they saw
AGREED_S = 0.1  # two moments no farther apart are of one touch
AGAIN_S = 1.0  # a hand from the same side touches the same place anew no sooner

Key = tuple[int, TableSide]  # a place, and the side that a hand came from


class Opinions:
    """Joins what quick eyes and slower ones tell: what the quick ones doubt waits for the word of the others.

    What nobody else saw was no touch where it is faint. What the quick ones do not see the slower ones tell alone.

    size_px: of the picture, (width, height). doubted: what still waits.
    """

    def __init__(self, size_px: tuple[int, int]) -> None:
        self._size = size_px
        self._doubted: dict[Key, Contact] = {}
        self._told: dict[Key, float] = {}

    @property
    def doubted(self) -> tuple[Contact, ...]:
        """The quick eyes' doubts that wait."""
        return tuple(self._doubted.values())

    def hear(self, quick: Sequence[Contact], slow: Sequence[Contact], now_s: float) -> tuple[Contact, ...]:
        """The contacts that may be told now."""
        found = (*self._quick(quick), *self._slow(slow), *self._overdue(now_s))
        return tuple(replace(one, confirmed_s=now_s, faint=False) for one in found)

    def doubts(self, contact: Contact) -> bool:
        """Whether the quick eyes doubt a touch of this hand there, and wait."""
        return self._key(contact) in self._doubted

    def is_told(self, contact: Contact) -> bool:
        """Whether this touch of the hand was told before."""
        return abs(contact.time_s - self._told.get(self._key(contact), -AGAIN_S)) < AGAIN_S

    def _quick(self, seen: Sequence[Contact]) -> Iterator[Contact]:
        for one in seen:
            if self.is_told(one):
                continue
            if one.contested or one.faint:
                self._doubted[self._key(one)] = one
            else:
                yield self._tell(one)

    def _slow(self, seen: Sequence[Contact]) -> Iterator[Contact]:
        for one in seen:
            doubted = self._doubted.get(self._key(one))
            if doubted is not None:
                agreed = not one.contested and abs(one.time_s - doubted.time_s) < AGREED_S
                yield self._tell(replace(doubted, contested=not agreed))
            elif not self.is_told(one):
                yield self._tell(one)

    def _overdue(self, now_s: float) -> Iterator[Contact]:
        for one in self.doubted:
            if now_s - one.time_s > HEARD_S:
                del self._doubted[self._key(one)]
                if not one.faint:
                    yield self._tell(one)

    def _tell(self, contact: Contact) -> Contact:
        key = self._key(contact)
        self._told[key] = contact.time_s
        self._doubted.pop(key, None)
        return contact

    def _key(self, contact: Contact) -> Key:
        return contact.place, side_of(contact.entry_px, self._size)
