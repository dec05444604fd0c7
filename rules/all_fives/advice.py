"""Advice in All Fives: every play tried in many deals of the hidden dominoes, each played to the end of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean

from rules.all_fives.compact import Position, ends_of, laid, value_of_drawing, value_of_laying
from rules.all_fives.guess import Guesses
from rules.all_fives.line import End, Line
from rules.all_fives.scoring import final, points_for, sum_said
from rules.all_fives.state import Action, FivesMove, FivesState, Lay
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count, listing, player, said

PLAYOUTS = 500
_SUITS = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes")


@dataclass
class _Option:
    """A move, and how far ahead it came out in each deal, in points to the end of the hand."""

    move: FivesMove
    values: list[float] = field(default_factory=list)

    @property
    def worth(self) -> float:
        return fmean(self.values) if self.values else 0.0

    def try_in(self, position: Position) -> None:
        """Plays the move in one deal, and the rest of the hand after it."""
        move = self.move
        self.values.append(value_of_laying(position, move) if isinstance(move, Lay) else value_of_drawing(position))


def advice(
    state: FivesState, moves: Sequence[FivesMove], watch: Watch, chance: Random, playouts: int = PLAYOUTS
) -> tuple[Suggestion[FivesMove], ...]:
    """The moves with what they are worth, the best first, from what `state` shows.

    moves: the legal ones of who is to move. watch: ends it early; without it, `playouts` is how many deals are played
    to the end of the hand, all moves together.
    """
    options = [_Option(move) for move in _different(state, moves)]
    if len(options) == 1:
        return (Suggestion(options[0].move, _only(state, options[0].move)),)
    deals = _compare(options, Guesses(state, chance), watch, playouts) if options else 0
    most = max(len(option.values) for option in options) if options else 0
    ranked = sorted(options, key=lambda option: (len(option.values) < most, -option.worth))
    ranked.sort(key=lambda option: not _wins(state, option.move))
    return tuple(_told(state, option, ranked, deals) for option in ranked)


def _compare(options: Sequence[_Option], guesses: Guesses, watch: Watch, playouts: int) -> int:
    """Plays deals, the same for all moves, and gives up the worse half again and again; returns how many deals.

    Sequential halving (Karnin, Koren, Somekh 2013) with common random numbers.
    """
    left, deals = list(options), 0
    stages = max(1, (len(options) - 1).bit_length())
    for _ in range(stages):
        for _ in range(max(1, playouts // (stages * len(left)))):
            if deals and not watch.goes_on(deals, 1):
                return deals
            position = next(guesses)
            deals += 1
            for option in left:
                option.try_in(position)
        left = sorted(left, key=lambda option: -option.worth)[: max(2, (len(left) + 1) // 2)]
    return deals


def _different(state: FivesState, moves: Sequence[FivesMove]) -> list[FivesMove]:
    """The moves without those that lead to the same ends as another."""
    nobody = Position((0,) * state.players, (), ends_of(state.line), state.line.total, state.line.sniff is not None)
    found: dict[object, FivesMove] = {}
    for move in moves:
        if isinstance(move, Lay):
            after = laid(nobody, move)
            found.setdefault((after.bit, tuple(sorted(after.ends))), move)
        else:
            found.setdefault(move, move)
    return list(found.values())


def _only(state: FivesState, move: FivesMove) -> str:
    if move is Action.DRAW:
        return "None of your dominoes can be played: draw one."
    if move is Action.PASS:
        return "None of your dominoes can be played, and none are left to draw: pass."
    if move is Action.DEAL:
        return "The hand is over: the next one is dealt."
    return f"It is the only play: {_sum(state, move)}."


def _told(state: FivesState, option: _Option, ranked: Sequence[_Option], deals: int) -> Suggestion[FivesMove]:
    """A move with why it stands where it does, and what a hint may give away of it first."""
    if _wins(state, option.move):
        reason, place = f"{_sum(state, option.move)}; it goes out and wins the game.", _where(state, option.move)
        return Suggestion(option.move, reason, option.worth, "The game can be won at once.", f"What wins {place}.")
    outlook = _outlook(option, deals)
    believed = _believed(state) if option is ranked[0] else ""
    reason = f"{_sum(state, option.move)}; {outlook}, {_compared(option, ranked)}{believed}."
    nudge = f"What seems best scores {_points_now(state, option.move) or 'nothing'} now; {outlook}{believed}."
    return Suggestion(option.move, reason, option.worth, nudge, f"What seems best {_where(state, option.move)}.")


def _wins(state: FivesState, move: FivesMove) -> bool:
    """Whether a play surely ends the game: the last domino of a hand, by which its player has most, and enough."""
    if not isinstance(move, Lay) or len(state.hand) > 1:
        return False
    scores = list(state.scores)
    scores[state.turn] += _points_now(state, move)
    outcome = final(scores)
    return outcome is not None and outcome.winners == (state.turn,)


def _outlook(option: _Option, deals: int) -> str:
    """How a move came out in the deals that were tried."""
    way = f"{_points(abs(option.worth))} {'ahead' if option.worth >= 0 else 'behind'} by the end of the hand"
    return f"over {count(deals, 'guess', 'guesses')} at the hidden dominoes it comes out {way}"


def _compared(option: _Option, ranked: Sequence[_Option]) -> str:
    """How much better or worse that is than the best other move."""
    rival = ranked[1] if option is ranked[0] else ranked[0]
    ahead = option.worth - rival.worth
    return f"{_points(abs(ahead))} {'more' if ahead >= 0 else 'less'} than {_name(rival.move)}"


def _points_now(state: FivesState, move: FivesMove) -> int:
    return points_for(_extended(state.line, move).total) if isinstance(move, Lay) else 0


def _where(state: FivesState, move: FivesMove) -> str:
    """Where a move is made, without saying which domino it is."""
    if not isinstance(move, Lay):
        return "lays no domino"
    if move.end is None or not state.line.row:
        return f"begins the line with a {move.domino.high} at one end"
    return f"is laid {move.end.place}"


def _sum(state: FivesState, move: FivesMove) -> str:
    if not isinstance(move, Lay):
        return "Drawing adds a choice and a domino that may stay in the hand"
    return sum_said(_extended(state.line, move))


def _extended(line: Line, lay: Lay) -> Line:
    return line.extended(lay.domino, lay.end or End.RIGHT, lay.in_line)


def _name(move: FivesMove) -> str:
    return f"the {said(move.domino)} ({move})" if isinstance(move, Lay) else str(move)


def _points(worth: float) -> str:
    return f"{worth:.1f} points"


def _believed(state: FivesState) -> str:
    """What hands seem to lack, by whole suits."""
    told = []
    for seat, hand in enumerate(state.hands):
        lacks = (hand.lacks | state.avoids[seat]) & state.unseen
        suits = [n for n in range(7) if (suit := {d for d in state.unseen if n in (d.high, d.low)}) and suit <= lacks]
        if hand.unknown and seat != state.turn and suits:
            told.append(f"{player(seat).lower()} seems to have no {listing([_SUITS[n] for n in suits], 'or')}")
    return f"; {' and '.join(told)}" if told else ""
