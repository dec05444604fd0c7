"""Counting in All Fives: what a play scores, what going out brings, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.all_fives.line import Line
from rules.game import Outcome, Seat
from rules.holding import Holding
from rules.words import listing, player

FIVE = 5
GOAL = 200


def rounded(points: int, shares: int = 1) -> int:
    """Points, parted into so many equal shares, each rounded to the nearest multiple of 5, halves up."""
    return FIVE * ((2 * points + FIVE * shares) // (2 * FIVE * shares))


def points_for(total: int) -> int:
    """What a total of the ends scores: itself, if it is a multiple of 5."""
    return total if total % FIVE == 0 else 0


def pips_in(hand: Holding) -> int:
    """The numbers of a hand's known dominoes, added up."""
    return sum(domino.high + domino.low for domino in hand.known)


def sum_said(line: Line) -> str:
    """The ends of a line as a sum: "6 + 2 + 2 + 0 = 10, score 10"."""
    points = points_for(line.total)
    scored = f"score {points}" if points else "no score"
    return f"{' + '.join(map(str, line.counted))} = {line.total}, {scored}"


@dataclass(frozen=True)
class Settled:
    """How a hand ended: the points each seat gets for it, and how they came about, in a sentence."""

    points: tuple[int, ...]
    sentence: str


def settled(hands: Sequence[Holding]) -> Settled:
    """The end of a hand whose dominoes are all known: somebody has none left, or nobody could go on."""
    pips = [pips_in(hand) for hand in hands]
    empty = [seat for seat, hand in enumerate(hands) if not len(hand)]
    return _gone_out(empty[0], pips) if empty else _blocked(pips)


def _gone_out(seat: Seat, pips: Sequence[int]) -> Settled:
    gains = [rounded(count) for other, count in enumerate(pips) if other != seat]
    said = [f"{count} rounded to {rounded(count)}" for other, count in enumerate(pips) if other != seat]
    points = tuple(sum(gains) if other == seat else 0 for other in range(len(pips)))
    return Settled(points, f"{player(seat)} goes out and scores {sum(gains)} for what is left: {listing(said)}.")


def _blocked(pips: Sequence[int]) -> Settled:
    """Nobody can go on: the lowest hand gets what the others have more; tied lowest hands share it."""
    fewest = min(pips)
    lowest = [seat for seat, count in enumerate(pips) if count == fewest]
    more = [count - fewest for count in pips]
    share = sum(map(rounded, more)) if len(lowest) == 1 else rounded(sum(more), len(lowest))
    points = tuple(share if seat in lowest else 0 for seat in range(len(pips)))
    who = listing([player(seat) for seat in lowest])
    verb = "has" if len(lowest) == 1 else "have"
    score = f"scores {share}" if len(lowest) == 1 else f"score {share} each"
    return Settled(points, f"The hand is blocked: {who} {verb} the fewest pips, {fewest}, and {score}.")


def final(scores: Sequence[int]) -> Outcome | None:
    """Who has won after a hand: whoever has most once anybody has more than 200; nobody while most have the same."""
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    if best <= GOAL or len(winners) > 1:
        return None
    reason = f"{player(winners[0])} has {best} points, more than {GOAL}, and more than anybody else."
    return Outcome(True, tuple(winners), tuple(scores), reason)
