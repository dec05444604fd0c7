"""Two dice that lie on the table: what they show, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rules.game import Problem
from rules.table import Table
from rules.words import count

Dice: TypeAlias = tuple[int, int]
"""Two numbers, the higher one first."""


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
