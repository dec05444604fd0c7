"""What a wizard says on the page, as small values; docs/protocol.md names them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

VERSION = 1

State = Literal["waiting", "showing", "holding", "taken", "laying", "thinking", "done"]
May = Literal["take", "enough"]


@dataclass(frozen=True)
class Guided:
    """What to do next, in a sentence.

    share: how far the wizard is, 0 to 1. figures: what is known so far, each by its name and in words. warnings: what
    else there is to say. may: what the person may ask for now.
    """

    text: str
    state: State
    share: float = 0.0
    figures: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    may: tuple[May, ...] = ()


@dataclass(frozen=True)
class Question:
    """Which domino is this? picture: the tile, its first half at the left, as the address of a JPEG within itself.

    guesses: what it may be, the likeliest first. highest: the highest number of its set.
    """

    text: str
    number: int
    picture: str
    guesses: tuple[tuple[int, int], ...]
    highest: int


@dataclass(frozen=True)
class Unseen:
    """Dominoes, as "42", that no picture shows: which of them does the set lack?"""

    text: str
    dominoes: tuple[str, ...]


@dataclass(frozen=True)
class Finished:
    """The wizard is over. kept: whether something new was learnt and kept. lines: what, a sentence each."""

    text: str
    kept: bool = False
    lines: tuple[str, ...] = field(default=())


WizardEvent: TypeAlias = Guided | Question | Unseen | Finished
WIZARD_EVENTS: tuple[type[WizardEvent], ...] = WizardEvent.__args__
