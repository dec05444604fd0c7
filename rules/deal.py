"""Dominoes listed in text, as "01 24 66": what was dealt for a game."""

from __future__ import annotations

import re

from rules.board_text import PIPS
from rules.domino import Domino, DominoSet
from rules.errors import BadText


def parse_deal(text: str, allowed: DominoSet, size: int) -> tuple[Domino, ...]:
    """The dominoes that a text lists, two characters each, parted by spaces or line ends, in the order of the set.

    Raises BadText, with the line and column of the first fault, unless they are `size` different ones of the set.
    """
    dealt: list[Domino] = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.finditer(r"\S+", line):
            try:
                dealt.append(_domino(word.group(), dealt, allowed))
            except ValueError as error:
                raise BadText(str(error), number, word.start() + 1) from None
    if len(dealt) != size:
        raise BadText(f"{size} dominoes are dealt, not {len(dealt)}", max(1, len(text.splitlines())))
    return tuple(sorted(dealt))


def _domino(word: str, before: list[Domino], allowed: DominoSet) -> Domino:
    if len(word) != 2 or not set(word) <= set(PIPS):
        raise ValueError(f"{word!r} is no domino: two numbers side by side are, as 24")
    domino = Domino.of(*map(PIPS.index, word))
    if domino not in allowed:
        raise ValueError(f"{word} is not in the {allowed.name} set")
    if domino in before:
        raise ValueError(f"{word} is listed twice")
    return domino
