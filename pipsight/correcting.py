"""A person's word for what lies at a place of the picture, and how to take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipsight.events import Corrected, Refused
from rules.words import pair

if TYPE_CHECKING:
    from pipsight.asking import Correct
    from pipsight.look import Look


def corrected(look: Look, ask: Correct) -> Corrected | Refused:
    """Take the word for it; refused where no tile lies."""
    tile = look.correct(ask.at_px, ask.pips)
    if tile is None:
        return Refused("No tile lies there.")
    if ask.pips is None:
        told = "What was taken for a domino there is none. Take the table as it lies to undo that."
        return Corrected(ask.at_px, (), told)
    if ask.pips == "back":
        return Corrected(ask.at_px, (), "The tile there lies face down. Tap it once more to change that.")
    told = f"The tile that was read as {pair(*tile.pips)} is the {pair(*ask.pips)}. Tap it once more to change that."
    return Corrected(ask.at_px, ask.pips, told)
