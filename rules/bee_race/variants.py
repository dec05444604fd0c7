"""The ways to play Bee: how many dice and rounds, against each other or all together."""

from __future__ import annotations

import re

from rules.bee.setup import FEWEST, MOST
from rules.bee_race.state import Race

SERIES = "series"
TOGETHER = "together"
SIZES = (SERIES, *(f"{dice} dice" for dice in range(FEWEST, MOST + 1)))
WAYS = (*SIZES, *(f"{size}, {TOGETHER}" for size in SIZES))
"""Every usual way to play: the series of ten rounds, or the rounds of one board; and the same with all together."""

_WAY = re.compile(rf"(?:({SERIES})|([{FEWEST}-{MOST}]) dice)(?:, (\d{{1,2}}) rounds?)?(, {TOGETHER})?")


def of_variant(variant: str, players: int) -> Race | None:
    """A race before its beginning; None for a variant that is none.

    "4 dice" is as many rounds as its board has queens, two; "4 dice, 7 rounds" is seven on as many boards as it takes.
    """
    way = _WAY.fullmatch(variant)
    if not way or way[3] == "0":
        return None
    dice = int(way[2]) if way[2] else FEWEST
    rounds = dice - 2 if way[2] else sum(each - 2 for each in range(FEWEST, MOST + 1))
    agreed = int(way[3]) if way[3] else rounds
    return Race((0,) * players, dice, agreed, series=bool(way[1]), together=bool(way[4]))
