"""Dominoes as members of a set, whatever way round they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

HIGHEST_PIPS = 15
_NAMES = "blank one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()


def pips_text(pips: int) -> str:
    """How one half is written: one character, 0 to 9, then a to f for 10 to 15."""
    return f"{pips:x}"


def require_pips(pips: int) -> None:
    """Raises ValueError unless a half can show that many pips, 0 to 15."""
    if not 0 <= pips <= HIGHEST_PIPS:
        raise ValueError(f"a half shows 0 to {HIGHEST_PIPS} pips, not {pips}")


@dataclass(frozen=True, order=True)
class Domino:
    """One domino of a set: 2-4 and 4-2 are the same one. `str` gives two characters, the higher first: "42"."""

    high: int
    low: int

    def __post_init__(self) -> None:
        require_pips(self.high)
        require_pips(self.low)
        if self.high < self.low:
            raise ValueError(f"the higher half comes first: Domino.of({self.high}, {self.low}) puts it there")

    @classmethod
    def of(cls, one: int, other: int) -> Domino:
        """The domino with these two halves, in any order."""
        return cls(max(one, other), min(one, other))

    @property
    def is_double(self) -> bool:
        """Whether both halves are alike."""
        return self.high == self.low

    def __str__(self) -> str:
        return pips_text(self.high) + pips_text(self.low)


@dataclass(frozen=True)
class DominoSet:
    """A full set up to a highest number: `DominoSet(6)` is double-six with its 28 dominoes."""

    highest: int

    def __post_init__(self) -> None:
        require_pips(self.highest)

    @property
    def name(self) -> str:
        """What players call the set: "double-six"."""
        return f"double-{_NAMES[self.highest]}"

    @cached_property
    def dominoes(self) -> tuple[Domino, ...]:
        """Every domino of the set once, lowest first."""
        return tuple(Domino(high, low) for high in range(self.highest + 1) for low in range(high + 1))

    def __len__(self) -> int:
        return (self.highest + 1) * (self.highest + 2) // 2

    def __iter__(self) -> Iterator[Domino]:
        return iter(self.dominoes)

    def __contains__(self, domino: object) -> bool:
        return isinstance(domino, Domino) and domino.high <= self.highest
