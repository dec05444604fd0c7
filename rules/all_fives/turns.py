"""The rules of All Fives: what each move does, and the sentence that refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import add

from rules.all_fives.line import End, Line
from rules.all_fives.scoring import FIVE, final, points_for, settled, sum_said
from rules.all_fives.state import FULL_SET, Action, FivesMove, FivesState, Lay, Phase, Turned, changed, dealt
from rules.domino import Domino
from rules.game import IllegalMove, Seat
from rules.holding import Holding
from rules.words import count, listing, player, said


def played(state: FivesState, move: FivesMove) -> FivesState:
    """The state after a move. Raises IllegalMove."""
    if isinstance(move, Lay):
        return _laid(state, move)
    if isinstance(move, Turned):
        return _turned_up(state, move.domino)
    return {Action.DRAW: _drawn, Action.PASS: _passed, Action.DEAL: _next_hand}[move](state)


def _laid(state: FivesState, move: Lay) -> FivesState:
    _require_turn(state)
    fault = _misfit(state.line, move)
    if fault:
        raise IllegalMove(fault)
    if not state.hand.may_hold(move.domino) or _elsewhere(state, move.domino):
        raise IllegalMove(
            f"The {said(move.domino)} is not in {_whose(state.turn)} hand.",
            lambda: _after_laying(state, move, state.hand),
        )
    after = _after_laying(state, move, state.hand.without(move.domino))
    return after if len(after.hands[state.turn]) else ended(after)


def _after_laying(state: FivesState, move: Lay, hand: Holding) -> FivesState:
    line = state.line.extended(move.domino, move.end or End.RIGHT, move.in_line)
    points = points_for(line.total)
    return replace(
        state,
        line=line,
        hands=changed(state.hands, state.turn, hand),
        avoided=changed(state.avoids, state.turn, _avoided(state, points)),
        scores=changed(state.scores, state.turn, state.scores[state.turn] + points),
        turn=_next(state),
        passes=0,
        drawn=0,
        shown=frozenset(),
    )


def _misfit(line: Line, move: Lay) -> str:
    """Why a domino cannot lie there, whoever holds it; "" if it can."""
    domino = move.domino
    if domino not in FULL_SET:
        return f"The {said(domino)} is not in the {FULL_SET.name} set."
    if domino in line.dominoes:
        return f"The {said(domino)} lies in the line already."
    if move.in_line and not (domino.is_double and line.row and line.sniff is None):
        return _not_along(line, domino)
    if not line.row:
        return ""
    open_end = line.ends.get(move.end) if move.end else None
    if open_end is None or move.end is None:
        return _no_end(line, move)
    if open_end.number not in (domino.high, domino.low):
        return f"The {said(domino)} has no {open_end.number}, which is open {move.end.place}."
    return ""


def _not_along(line: Line, domino: Domino) -> str:
    """Why there is no choice to lay a domino along the line."""
    if not domino.is_double:
        return f"Only for the sniff, the first double, it is said how it lies; the {said(domino)} is no double."
    if not line.row:
        return f"There is no line yet: say only {domino}, and play on any of its four sides."
    return f"Only the sniff, the first double, may lie along the line; the {said(domino)} is not it."


def _no_end(line: Line, move: Lay) -> str:
    places = [f"{end.place} ({open_end.number})" for end, open_end in line.ends.items()]
    open_numbers = {open_end.number for open_end in line.ends.values()}
    if move.end is None and open_numbers.isdisjoint((move.domino.high, move.domino.low)):
        return f"The {said(move.domino)} fits nowhere: not {listing(places, 'or')}."
    if move.end is None:
        return f"Say where the {said(move.domino)} is laid: {listing(places, 'or')}."
    return f"There is no sniff yet to play {move.end.place.split()[0]}: play {listing(places, 'or')}."


def _elsewhere(state: FivesState, domino: Domino) -> bool:
    """Whether a domino is known to be in another hand or in the boneyard."""
    return domino in state.seen and domino not in state.hand.known


def _drawn(state: FivesState) -> FivesState:
    out = gone_out(state)
    if out is not None:
        return _had_drawn(state, out)
    _require_turn(state)
    boneyard, hand = state.boneyard, replace(state.hand, lacks=frozenset())
    if not len(boneyard):
        raise IllegalMove("The boneyard is empty: there is nothing left to draw.")
    after = replace(state, drawn=state.drawn + 1)
    if not boneyard.unknown:
        after = replace(after, boneyard=replace(boneyard, known=boneyard.known[1:]))
        return after.with_hand(state.turn, hand.plus(boneyard.known[0]))
    if not hand.unknown:
        return replace(after, phase=Phase.DRAWING)
    after = replace(after, boneyard=replace(boneyard, unknown=boneyard.unknown - 1))
    return after.with_hand(state.turn, hand.plus(None))


def gone_out(state: FivesState) -> Seat | None:
    """Who has gone out, as long as nobody knows that no domino was drawn unseen; None where it is sure."""
    if state.phase is not Phase.SHOWING or not state.boneyard.unknown:
        return None
    return next((seat for seat, hand in enumerate(state.hands) if not len(hand)), None)


def _had_drawn(state: FivesState, seat: Seat) -> FivesState:
    """The hand goes on: who seemed to have gone out had drawn a domino before, which nobody saw."""
    boneyard = replace(state.boneyard, unknown=state.boneyard.unknown - 1)
    return replace(state, boneyard=boneyard, phase=Phase.PLAYING).with_hand(seat, state.hands[seat].plus(None))


def _passed(state: FivesState) -> FivesState:
    _require_turn(state)
    if len(state.boneyard):
        raise IllegalMove(
            f"{player(state.turn)} cannot pass: {count(len(state.boneyard), 'domino', 'dominoes')} can be drawn."
        )
    fitting = [said(domino) for domino in state.hand.known if domino in state.playable]
    if fitting:
        raise IllegalMove(f"{player(state.turn)} cannot pass: the {listing(fitting, 'or')} can be played.")
    hand = replace(state.hand, lacks=state.hand.lacks | state.playable)
    avoided = changed(state.avoids, state.turn, _avoided(state, 0))
    after = replace(state.with_hand(state.turn, hand), avoided=avoided, turn=_next(state), drawn=0)
    after = replace(after, passes=state.passes + 1)
    return ended(after) if after.passes == state.players else after


def ended(state: FivesState) -> FivesState:
    """A hand that is over: settled where every domino left is known; else they have to be shown first."""
    if any(hand.unknown for hand in state.hands):
        return replace(state, phase=Phase.SHOWING)
    scores = map(add, state.scores, settled(state.hands).points)
    return replace(state, scores=tuple(scores), phase=Phase.DEALING)


def _turned_up(state: FivesState, domino: Domino) -> FivesState:
    """A domino that a player drew, or that is left in a hand, is looked at."""
    if state.phase not in (Phase.DRAWING, Phase.SHOWING):
        raise IllegalMove("No domino has to be looked at now.")
    seat = looked_at(state)
    source = state.boneyard if seat is None else state.hands[seat]
    if domino not in state.unseen or not source.may_hold(domino):
        place = "the boneyard" if seat is None else f"{_whose(seat)} hand"
        raise IllegalMove(f"The {said(domino)} cannot be in {place}.")
    if seat is None:
        after = state.with_hand(state.turn, state.hand.plus(domino))
        return replace(after, boneyard=state.boneyard.without(domino), phase=Phase.PLAYING)
    after = state.with_hand(seat, source.without(domino).plus(domino))
    return ended(after)


def looked_at(state: FivesState) -> Seat | None:
    """The seat whose domino is looked at after a hand; None where it is one from the boneyard."""
    if state.phase is Phase.DRAWING:
        return None
    return next(seat for seat, hand in enumerate(state.hands) if hand.unknown)


def _next_hand(state: FivesState) -> FivesState:
    if state.phase is not Phase.DEALING:
        raise IllegalMove("The hand is not over yet.")
    if final(state.scores):
        raise IllegalMove("The game is over.")
    lead = (state.lead + 1) % state.players
    return dealt(state.players, lead, state.seed, state.number + 1, state.scores)


def _require_turn(state: FivesState) -> None:
    if state.phase is Phase.DRAWING:
        raise IllegalMove(f"{player(state.turn)} has drawn a domino: say first which one.")
    if state.phase is not Phase.PLAYING:
        raise IllegalMove("The hand is over.")


def _avoided(state: FivesState, points: int) -> frozenset[Domino]:
    """What the hand seems to lack after this turn.

    Who draws had nothing to play, most often, and who plays for few points had nothing better. What was drawn before
    the last domino did not fit either; of it nothing older is known.
    """
    before = state.avoids[state.turn]
    if state.drawn:
        return state.playable | (before if state.drawn == 1 else frozenset())
    return before.union(_better(state.line, state.playable, points))


def _better(line: Line, playable: Iterable[Domino], points: int) -> Iterator[Domino]:
    """The dominoes that would have brought more."""
    rest = {(end.number, line.total - sum(end.counted)) for end in line.ends.values()}
    for domino in playable:
        for number, others in rest:
            if number in (domino.high, domino.low):
                total = others + domino.high + domino.low - (0 if domino.is_double else number)
                if points < total and total % FIVE == 0:
                    yield domino
                    break


def _next(state: FivesState) -> Seat:
    return (state.turn + 1) % state.players


def _whose(seat: Seat) -> str:
    return f"{player(seat).lower()}'s"


def hidden(state: FivesState, seat: Seat) -> FivesState:
    """What a seat sees: its hand, the backs of the others' and of the boneyard; all hands once the hand is over."""
    hands = state.hands
    if state.phase in (Phase.PLAYING, Phase.DRAWING):
        hands = tuple(hand if other == seat else hand.unseen() for other, hand in enumerate(hands))
    return replace(state, hands=hands, boneyard=state.boneyard.unseen(), seed=None)


def results(state: FivesState, move: FivesMove) -> str:
    """What a legal move brings: the ends added up, and the end of the hand if it is one."""
    after = played(state, move)
    text = f"{sum_said(after.line)}." if isinstance(move, Lay) else ""
    return f"{text} {settled(after.hands).sentence}" if after.phase is Phase.DEALING else text
