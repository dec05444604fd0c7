"""A compact twin of All Fives' rules for the search: dominoes are bits of a number, open ends small numbers.

`rules.all_fives.turns` is what counts; a test holds this module to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.all_fives.line import Line
from rules.all_fives.scoring import points_for, rounded
from rules.all_fives.state import FULL_SET, Lay
from rules.domino import Domino

BITS = {domino: 1 << place for place, domino in enumerate(FULL_SET)}
DOMINOES = {bit: domino for domino, bit in BITS.items()}
PIPS = {bit: domino.high + domino.low for domino, bit in BITS.items()}
DOUBLES = sum(bit for domino, bit in BITS.items() if domino.is_double)

# An open end is 3 * number + how often that number is counted there, 0 to 2.
KINDS = 3
_NUMBERS = range(FULL_SET.highest + 1)
SUITS = [sum(b for d, b in BITS.items() if s // KINDS in (d.high, d.low)) for s in range(KINDS * len(_NUMBERS))]


def _fit(end: int, domino: Domino) -> tuple[int, int]:
    number, counted = divmod(end, KINDS)
    if domino.is_double:
        return KINDS * number + 2, 2 * number - counted * number
    other = domino.low if number == domino.high else domino.high
    return KINDS * other + 1, other - counted * number


FITS = [
    {bit: _fit(end, domino) for domino, bit in BITS.items() if end // KINDS in (domino.high, domino.low)}
    for end in range(KINDS * len(_NUMBERS))
]
POINTS = [points_for(total) for total in range(64)]
_HEAVIER = 64  # points count first, pips among equal points


class Position(NamedTuple):
    """A moment of a hand that is open to everybody.

    hands: by seat, as bits. boneyard: bits, what is drawn next comes last. ends: every open end; none before the first
    domino. total: their sum. sniff: whether there is one. passes: in a row.
    """

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]
    ends: tuple[int, ...] = ()
    total: int = 0
    sniff: bool = False
    turn: int = 0
    passes: int = 0


class Laid(NamedTuple):
    """What laying a domino makes of the ends, and what it scores."""

    bit: int
    ends: tuple[int, ...]
    total: int
    sniff: bool
    points: int


def bits(dominoes: Iterable[Domino]) -> int:
    """Dominoes as one number."""
    return sum(BITS[domino] for domino in dominoes)


def ends_of(line: Line) -> tuple[int, ...]:
    """The open ends of a line, in its own order."""
    return tuple(KINDS * end.number + len(end.counted) for end in line.ends.values())


def laid(position: Position, move: Lay) -> Laid:
    """What a legal move does."""
    bit = BITS[move.domino]
    if not position.ends:
        return first_laid(bit)
    order = ("L", "R") if len(position.ends) == 2 else ("L", "U", "D", "R")
    assert move.end
    return after_laying(position.ends, position.total, position.sniff, bit, order.index(move.end.value), move.in_line)


def first_laid(bit: int) -> Laid:
    """What the first domino of a hand does."""
    domino = DOMINOES[bit]
    if domino.is_double:
        ends: tuple[int, ...] = (KINDS * domino.high, *[KINDS * domino.high + 1] * 2, KINDS * domino.high)
    else:
        ends = (KINDS * domino.high + 1, KINDS * domino.low + 1)
    total = domino.high + domino.low
    return Laid(bit, ends, total, domino.is_double, POINTS[total])


def after_laying(ends: tuple[int, ...], total: int, sniff: bool, bit: int, at: int, in_line: bool) -> Laid:
    """What a domino does that fits the end at that place."""
    if sniff or not bit & DOUBLES:
        new, more = FITS[ends[at]][bit]
        total += more
        return Laid(bit, (*ends[:at], new, *ends[at + 1 :]), total, sniff, POINTS[total])
    end = ends[at]
    number, other = end // KINDS, ends[1 - at]
    side = KINDS * number
    if in_line:
        three = (side, side, side + 1)
    else:
        three = (side + 1, side + 1, side)
        total += number
    return Laid(bit, (other, *three) if at else (three[2], *three[:2], other), total, True, POINTS[total])


def each(hand: int) -> Iterator[int]:
    """The single bits of a number."""
    while hand:
        bit = hand & -hand
        hand ^= bit
        yield bit


def pips(hand: int) -> int:
    """The numbers of a hand, added up."""
    return sum(PIPS[bit] for bit in each(hand))


def final_points(hands: Iterable[int]) -> list[int]:
    """What each seat gets at the end of a hand: who went out, or whoever has least when it is blocked."""
    left = [pips(hand) if hand else -1 for hand in hands]
    fewest = min(left)
    if fewest < 0:
        gain = sum(rounded(count) for count in left if count >= 0)
        return [gain if count < 0 else 0 for count in left]
    lowest = left.count(fewest)
    more = [count - fewest for count in left]
    share = sum(map(rounded, more)) if lowest == 1 else rounded(sum(more), lowest)
    return [share if count == fewest else 0 for count in left]


def greedy_to_the_end(position: Position) -> list[int]:
    """The points each seat gets from here if all take the most they can at once, by the heaviest domino that does."""
    hands, boneyard = list(position.hands), list(position.boneyard)
    ends, total, sniff, turn, passes = position.ends, position.total, position.sniff, position.turn, position.passes
    scores = [0] * len(hands)
    while passes < len(hands):
        bit, at = _greediest(hands[turn], ends, total, sniff)
        if bit:
            in_line = not sniff and POINTS[total] > POINTS[total + ends[at] // KINDS]
            _, ends, total, sniff, points = after_laying(ends, total, sniff, bit, at, in_line)
            scores[turn] += points
            hands[turn] ^= bit
            if not hands[turn]:
                break
            passes = 0
        elif boneyard:
            hands[turn] |= boneyard.pop()
            continue
        else:
            passes += 1
        turn = (turn + 1) % len(hands)
    return [sum(both) for both in zip(scores, final_points(hands), strict=True)]


def _greediest(hand: int, ends: tuple[int, ...], total: int, sniff: bool) -> tuple[int, int]:
    """The domino of a hand that brings most, and the place of its end; 0 where none fits."""
    best = -1
    chosen = place = 0
    doubles = 0 if sniff else DOUBLES
    for at, end in enumerate(ends):
        mask = hand & SUITS[end]
        fit = FITS[end]
        while mask:
            bit = mask & -mask
            mask ^= bit
            if bit & doubles:
                worth = PIPS[bit] + _HEAVIER * max(POINTS[total], POINTS[total + end // KINDS])
            else:
                worth = PIPS[bit] + _HEAVIER * POINTS[total + fit[bit][1]]
            if worth > best:
                best, chosen, place = worth, bit, at
    return chosen, place


def value_of_laying(position: Position, move: Lay) -> float:
    """How many points more than the others' mean who is to move gets from a move on, all being greedy after it."""
    me, after = position.turn, laid(position, move)
    hands = list(position.hands)
    hands[me] ^= after.bit
    if hands[me]:
        turn = (me + 1) % len(hands)
        scores = greedy_to_the_end(
            Position(tuple(hands), position.boneyard, after.ends, after.total, after.sniff, turn, 0)
        )
    else:
        scores = final_points(hands)
    return after.points + _ahead(scores, me)


def value_of_drawing(position: Position) -> float:
    """The same after drawing one domino."""
    hands = list(position.hands)
    hands[position.turn] |= position.boneyard[-1]
    scores = greedy_to_the_end(position._replace(hands=tuple(hands), boneyard=position.boneyard[:-1]))
    return _ahead(scores, position.turn)


def _ahead(scores: list[int], seat: int) -> float:
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
