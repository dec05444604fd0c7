"""Two dice: the roll that chance makes, what they show on the table, and what is wrong with them there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rules.game import Problem
from rules.table import Table
from rules.words import count

Dice: TypeAlias = tuple[int, int]
"""Two numbers, the higher one first."""

_ROLL = re.compile(r"roll\((\d)-?(\d)\)")


@dataclass(frozen=True)
class Roll:
    """Both dice are rolled. `str` is "roll(5-3)"."""

    dice: Dice

    def __str__(self) -> str:
        return f"roll({self.dice[0]}-{self.dice[1]})"


ROLLS = tuple((Roll((high, low)), (1 if high == low else 2) / 36) for high in range(1, 7) for low in range(1, high + 1))
"""Every roll with its probability."""


def roll_named(text: str) -> Roll | None:
    """The roll that a word names, its numbers in any order: "roll(3-5)"; None where it names none."""
    written = _ROLL.fullmatch(text)
    if not written:
        return None
    low, high = sorted((int(written[1]), int(written[2])))
    return Roll((high, low))


def dice_shown(table: Table) -> Dice | None:
    """What two dice show; None where none lie there."""
    if not table.dice:
        return None
    low, high = sorted(die.value for die in table.dice)
    return high, low


def wrong_dice(table: Table) -> Iterator[Problem]:
    """More or fewer than two, where there are some, and numbers that no die shows."""
    cells = tuple(die.cell for die in table.dice if die.cell)
    if len(table.dice) not in (0, 2):
        there = "is" if len(table.dice) == 1 else "are"
        yield Problem(f"There {there} {count(len(table.dice), 'die', 'dice')}; two are expected.", cells)
    for die in table.dice:
        if not 1 <= die.value <= 6:
            yield Problem(f"A die shows {die.value}; 1 to 6 are possible.", (die.cell,) if die.cell else ())
