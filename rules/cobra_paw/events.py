"""What may happen in Cobra Paw, one event after the other: the one place where its rules are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.cobra_paw.state import BLANK, FULL_SET, Hunt, Move, Take, Touch
from rules.domino import Domino
from rules.game import IllegalMove, Problem, Seat
from rules.two_dice import Roll
from rules.words import listing, player, said


def happened(state: Hunt, move: Move) -> Hunt:
    """After an event. Raises IllegalMove in a sentence for one that counts for nothing."""
    if state.over:
        raise IllegalMove("The game is over.")
    if isinstance(move, Roll):
        return _rolled(state, move)
    if isinstance(move, Touch):
        return _touched(state, move)
    if isinstance(move, Take):
        return _rewarded(state, move)
    return _given_up(state)


def _rolled(state: Hunt, move: Roll) -> Hunt:
    if not all(1 <= number <= 6 for number in move.dice):
        raise IllegalMove(f"Two dice cannot show {move.dice[0]} and {move.dice[1]}: 1 to 6 are possible.")
    low, high = sorted(move.dice)
    after = replace(state, dice=(high, low), hunting=True, before=state.counts)
    if state.hunting:
        target = said(state.target) if state.target else "target"
        raise IllegalMove(f"The {target} is hunted still: nobody rolls before it is found.", lambda: after)
    _require_no_reward(state, after)
    return after


def _touched(state: Hunt, move: Touch) -> Hunt:
    _require_fair(state, move)
    if move.domino not in (BLANK, state.target):
        assert state.target
        text = f"The {said(move.domino)} is not the target: the dice show {said(state.target)}."
        raise _refused(state, move, text, lambda: _moved(state, move.seat, move.domino))
    if move.covered:
        whose = player(move.seat).lower()
        text = f"The hand of {whose} covers the numbers of the {said(move.domino)}: all have to see them."
        raise _refused(state, move, text)
    if move.domino == BLANK:
        if state.claimed is not None:
            raise _refused(state, move, f"{player(state.claimed)} was first on the double blank.")
        return replace(state, claimed=move.seat, since_s=_later(state, move))
    if move.seat == state.claimed:
        text = f"{player(move.seat)} has claimed that the {said(move.domino)} is gone: only the others may find it now."
        raise _refused(state, move, text, lambda: _moved(state, move.seat, move.domino))
    found = _moved(state, move.seat, move.domino)
    owed = () if state.claimed is None else tuple(s for s in range(state.players) if s != state.claimed)
    found = replace(found, roller=move.seat, since_s=_later(state, move))
    return _closed(found, owed)


def _require_fair(state: Hunt, move: Touch) -> None:
    """Whatever speaks against a touch before anybody asks for the target."""
    if move.seat not in range(state.players):
        raise IllegalMove(f"There is no player {move.seat + 1}: there are {state.players}.")
    if move.domino not in FULL_SET:
        raise IllegalMove(f"The {said(move.domino)} is not in the {FULL_SET.name} set.")
    if move.domino not in state.face_up:
        owners = [player(seat) for seat, taken in enumerate(state.taken) if move.domino in taken.known]
        held = f" by {owners[0].lower()}" if owners else ""
        raise IllegalMove(f"The {said(move.domino)} is taken already{held}.")
    if not state.hunting:
        why = "the rewards have to be taken first" if state.owed else "the dice have to be rolled first"
        after = _moved(state, move.seat, move.domino)
        raise _refused(state, move, f"Nothing is hunted: {why}.", lambda: after)
    if state.since_s is not None and move.time_s is not None and move.time_s < state.since_s:
        text = (
            f"{player(move.seat)} touched it at {move.time_s:.3f} s, before what counted last ({state.since_s:.3f} s)."
        )
        raise _refused(state, move, text)


def _later(state: Hunt, move: Touch) -> float | None:
    return state.since_s if move.time_s is None else move.time_s


def _given_up(state: Hunt) -> Hunt:
    if state.claimed is None:
        raise IllegalMove("Nobody has claimed that the target is gone: the first finger on the double blank does.")
    return _closed(replace(state, roller=state.claimed), (state.claimed,))


def _rewarded(state: Hunt, move: Take) -> Hunt:
    if move.domino not in state.face_up:
        raise IllegalMove(f"The {said(move.domino)} does not lie in the middle.")
    after = _moved(state, move.seat, move.domino) if move.seat in range(state.players) else None
    if move.seat not in state.owed:
        may = listing([player(seat).lower() for seat in state.owed], "or") or "nobody"
        raise _refused(state, move, f"No reward is due to player {move.seat + 1}: it is due to {may}.", lambda: after)
    if move.domino == BLANK:
        raise _refused(
            state, move, "The double blank stays in the middle: any other domino may be taken.", lambda: after
        )
    assert after
    return _closed(after, tuple(seat for seat in state.owed if seat != move.seat))


def _require_no_reward(state: Hunt, after: Hunt) -> None:
    if state.owed:
        names = listing([player(seat) for seat in state.owed])
        raise IllegalMove(f"{names} may take a domino first.", lambda: after)


def _closed(state: Hunt, owed: tuple[Seat, ...]) -> Hunt:
    """The hunt is over; once no reward is due any more, those who took the sixth together hunt on."""
    after = replace(state, hunting=False, claimed=None, owed=owed if state.rewards else ())
    if after.owed or after.tied or len(after.reached) < 2:
        return after
    return replace(after, tied=after.reached)


def _moved(state: Hunt, seat: Seat, domino: Domino) -> Hunt:
    """After a player took a domino from the middle."""
    taken = tuple(held.plus(domino) if number == seat else held for number, held in enumerate(state.taken))
    return replace(state, face_up=tuple(other for other in state.face_up if other != domino), taken=taken)


def _refused(state: Hunt, move: Touch | Take, text: str, after: Callable[[], Hunt | None] | None = None) -> IllegalMove:
    where = dict(state.where).get(move.domino)
    return IllegalMove(Problem(text, where.cells if where else ()), after)
