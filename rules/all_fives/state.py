"""All Fives as it stands: the line, hands and boneyard as far as they are known, scores, and the moves there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from random import Random
from typing import TypeAlias, TypeVar

from rules.all_fives.line import EMPTY_LINE, End, Line
from rules.all_fives.line_text import arm_text, row_text
from rules.domino import Domino, DominoSet
from rules.game import Seat
from rules.holding import Holding

T = TypeVar("T")

FULL_SET = DominoSet(6)
EVERYTHING = frozenset(FULL_SET)


@dataclass(frozen=True)
class Lay:
    """Lay a domino at an end of the line: "24R"; the first one goes nowhere in particular: "24".

    in_line: lay the sniff along the line instead of across: "44Ri".
    """

    domino: Domino
    end: End | None = None
    in_line: bool = False

    def __str__(self) -> str:
        return f"{self.domino}{self.end.value if self.end else ''}{'i' if self.in_line else ''}"


class Action(Enum):
    """What else a player does: draw a domino, pass, or have the next hand dealt."""

    DRAW = "draw"
    PASS = "pass"
    DEAL = "deal"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Turned:
    """Chance's move: the face-down domino that somebody looks at next is this one, "=24"."""

    domino: Domino

    def __str__(self) -> str:
        return f"={self.domino}"


FivesMove: TypeAlias = Lay | Action | Turned


class Phase(Enum):
    """What the game waits for: a player's move, the number of a drawn domino, the hands that are left, or a deal."""

    PLAYING = "playing"
    DRAWING = "drawing"
    SHOWING = "showing"
    DEALING = "dealing"


@dataclass(frozen=True)
class FivesState:
    """One moment of a game of All Fives.

    hands: by seat. boneyard: what is drawn next comes first. passes: how many passed in a row. drawn: how many dominoes
    were drawn in this turn. avoided: by seat, the dominoes that the hand seems to lack, as its player drew, or played
    for less than they would have brought: likely, not sure, unlike what a Holding lacks. number: which hand it is, from
    1. seed: what the next hands are dealt by, None where somebody deals at a real table. shown: the seats whose hand
    was seen on the table that was read.
    """

    hands: tuple[Holding, ...]
    boneyard: Holding
    line: Line = EMPTY_LINE
    turn: Seat = 0
    lead: Seat = 0
    scores: tuple[int, ...] = (0, 0)
    phase: Phase = Phase.PLAYING
    passes: int = 0
    drawn: int = 0
    avoided: tuple[frozenset[Domino], ...] = ()
    number: int = 1
    seed: int | None = None
    shown: frozenset[Seat] = frozenset()

    def __str__(self) -> str:
        """The moment as lines of text, from which the game's `start` sets it up anew."""
        lines = [f"player {seat + 1}: {hand}" for seat, hand in enumerate(self.hands)]
        lines += [f"boneyard: {self.boneyard}"]
        arms = ("line", row_text(self.line)), ("up", arm_text(self.line.up)), ("down", arm_text(self.line.down))
        lines += [f"{name}: {text}" for name, text in arms if text]
        lines += [f"turn: {self.turn + 1}", f"lead: {self.lead + 1}", f"hand: {self.number}"]
        lines += [f"scores: {' '.join(map(str, self.scores))}"]
        lines += [f"passes: {self.passes}"] if self.passes else []
        lines += [f"phase: {self.phase.value}"] if self.phase is not Phase.PLAYING or not all(self.hands) else []
        return "\n".join(lines + ([f"seed: {self.seed}"] if self.seed is not None else []))

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def hand(self) -> Holding:
        """The hand of who is to move."""
        return self.hands[self.turn]

    @cached_property
    def seen(self) -> frozenset[Domino]:
        """The dominoes whose place is known, in the line or in a hand or in the boneyard."""
        return self.line.dominoes.union(*(holding.known for holding in (*self.hands, self.boneyard)))

    @property
    def unseen(self) -> frozenset[Domino]:
        """The dominoes that may be anywhere."""
        return EVERYTHING - self.seen

    @cached_property
    def playable(self) -> frozenset[Domino]:
        """Every domino that is not in the line and fits one of its ends."""
        numbers = {end.number for end in self.line.ends.values()}
        free = EVERYTHING - self.line.dominoes
        return frozenset(d for d in free if not self.line.row or d.high in numbers or d.low in numbers)

    @property
    def avoids(self) -> tuple[frozenset[Domino], ...]:
        """What each hand seems to lack."""
        return self.avoided or (frozenset(),) * self.players

    def may_have(self, holding: Holding) -> Iterator[Domino]:
        """The dominoes that a hand or the boneyard has or may have, the known ones first."""
        yield from holding.known
        if holding.unknown:
            yield from (domino for domino in sorted(self.unseen) if domino not in holding.lacks)

    def with_hand(self, seat: Seat, hand: Holding) -> FivesState:
        """The same with another hand at a seat."""
        return replace(self, hands=changed(self.hands, seat, hand), shown=frozenset())


def hand_size(players: int) -> int:
    """How many dominoes each player draws at first."""
    return 7 if players == 2 else 5


def dealt(players: int, lead: Seat, seed: int | None, number: int = 1, scores: tuple[int, ...] = ()) -> FivesState:
    """A hand that begins: shuffled by the seed and the hand's number, or with every domino unknown."""
    size = hand_size(players)
    if seed is None:
        hands = tuple(Holding(unknown=size) for _ in range(players))
        boneyard = Holding(unknown=len(FULL_SET) - players * size)
    else:
        order = list(FULL_SET)
        Random(f"{seed} {number}").shuffle(order)
        hands = tuple(Holding(tuple(order[seat * size : (seat + 1) * size])) for seat in range(players))
        boneyard = Holding(tuple(order[players * size :]))
    return FivesState(hands, boneyard, turn=lead, lead=lead, scores=scores or (0,) * players, number=number, seed=seed)


def changed(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same values but for the one at a place."""
    return (*values[:at], value, *values[at + 1 :])
