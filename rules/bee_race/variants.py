"""The ways to play Bee: how many dice and rounds, against each other or all together."""

from __future__ import annotations

import re

from rules.bee.setup import FEWEST, MOST
from rules.bee_race.state import Race
from rules.errors import BadVariant
from rules.words import listing

SERIES = "series"
TOGETHER = "together"
MOST_ROUNDS = 99
SIZES = (SERIES, *(f"{dice} dice" for dice in range(FEWEST, MOST + 1)))
WAYS = (*SIZES, *(f"{size}, {TOGETHER}" for size in SIZES))
"""Every usual way to play: the series of ten rounds, or the rounds of one board; and the same with all together."""

_WAY = re.compile(rf"(?:({SERIES})|([{FEWEST}-{MOST}]) dice)(?:, (\d{{1,9}}) rounds?)?(, {TOGETHER})?")


def of_variant(variant: str, players: int) -> Race:
    """A race before its beginning. Raises BadVariant for a variant that is none.

    "4 dice" is as many rounds as its board has queens, two; "4 dice, 7 rounds" is seven on as many boards as it takes.
    """
    way = _WAY.fullmatch(variant)
    if not way:
        ways = listing([*map(repr, WAYS), "a number of rounds, as '4 dice, 7 rounds'"], "or")
        raise BadVariant(f"there is no variant {variant!r}: choose {ways}")
    dice = int(way[2]) if way[2] else FEWEST
    rounds = dice - 2 if way[2] else sum(each - 2 for each in range(FEWEST, MOST + 1))
    agreed = int(way[3]) if way[3] else rounds
    if not 1 <= agreed <= MOST_ROUNDS:
        raise BadVariant(f"a race has 1 to {MOST_ROUNDS} rounds, not {agreed} as in {variant!r}")
    return Race((0,) * players, dice, agreed, series=bool(way[1]), together=bool(way[4]))
