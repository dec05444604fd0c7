"""What may happen in a race of Bee, one event after the other: the one place where the race's rules are written."""

from __future__ import annotations

from dataclasses import replace

from rules.bee.setup import board_faults, touching_starts
from rules.bee.state import Bee
from rules.bee_race.flying import demonstrated, judged, passed_on, scored, waits_until
from rules.bee_race.moves import (
    LONGEST_CLAIM,
    Claim,
    Fly,
    GiveUp,
    Hesitated,
    PutBack,
    RaceMove,
    Roll,
    SetUp,
    TimeUp,
)
from rules.bee_race.state import AT_FIRST, Phase, Race, said
from rules.game import IllegalMove, Problem
from rules.words import listing, player, where


def happened(state: Race, move: RaceMove) -> Race:
    """After an event. Raises IllegalMove in a sentence for one that cannot be."""
    _require_in_order(state, move)
    match move:
        case SetUp():
            after = _set_up(state, move)
        case Roll():
            after = _rolled(state, move)
        case Claim():
            after = _claimed(state, move)
        case TimeUp():
            after = _time_up(state, move)
        case Fly():
            after = _flown(state, move)
        case Hesitated():
            after = _hesitated(state, move)
        case GiveUp():
            after = _given_up(state, move)
        case PutBack():
            after = _put_back(state, move)
    return after if isinstance(move, SetUp) else _dated(after, move.time_s)


def _require_in_order(state: Race, move: RaceMove) -> None:
    """Raises IllegalMove for what cannot have happened so early; a time that ends has an end of its own."""
    earliest_s = earliest(state, move)
    if isinstance(move, SetUp | TimeUp | Hesitated) or move.time_s is None or earliest_s is None:
        return
    if round(earliest_s - move.time_s, 3) > 0:
        what = "the queen came" if isinstance(move, Claim) else "what happened last"
        raise IllegalMove(f"That was at {move.time_s:.3f} s, before {what} ({earliest_s:.3f} s).")


def earliest(state: Race, move: RaceMove) -> float | None:
    """When an event may have happened at the earliest, as far as that is known: a claim may be told of late."""
    return state.queen_s if isinstance(move, Claim) else state.since_s


def _dated(state: Race, time_s: float | None) -> Race:
    """Remember the latest time that is known."""
    known = [moment for moment in (state.since_s, time_s) if moment is not None]
    return replace(state, since_s=max(known, default=None))


def _set_up(state: Race, move: SetUp) -> Race:
    if state.phase is not Phase.SETTING_UP:
        raise IllegalMove("The board lies there already: it stays as long as a starting space is empty.")
    board = move.board
    for fault in (*board_faults(board), *touching_starts(board)):
        raise IllegalMove(fault)
    if len(board.placed) != len(state.used):
        wrong, right = f"There are {len(board.placed)} dominoes", f"with {state.dice} dice it takes {len(state.used)}"
        raise IllegalMove(f"{wrong}; {right}, all up to the {state.dice}.")
    board = board.shifted(-board.top_left.row, -board.top_left.col)
    return replace(state, phase=Phase.ROLLING, board=board, bees=(), queen=None, boards=state.boards + 1)


def _rolled(state: Race, move: Roll) -> Race:
    if state.phase is not Phase.ROLLING:
        raise IllegalMove("Nobody rolls a die now.")
    space = next((space for space in state.spaces if space.number == move.number), None)
    if space is None:
        raise IllegalMove(f"No starting space has a {move.number}: roll the die again.")
    if move.number not in state.empty:
        told = Problem(f"The {move.number} die is there already: roll the die again.", (space.cell,))
        raise IllegalMove(told)
    first = len(state.bees) < AT_FIRST
    after = replace(state, bees=tuple(sorted((*state.bees, Bee(move.number, space.cell)))))
    if first:
        return after
    phase = Phase.FLYING if state.together else Phase.SOLVING
    came_s = state.since_s if move.time_s is None else move.time_s
    return replace(after, phase=phase, queen=move.number, queen_s=came_s, deadline_s=None)


def _claimed(state: Race, move: Claim) -> Race:
    if move.seat not in range(state.players):
        raise IllegalMove(f"There is no player {move.seat + 1}: there are {state.players}.")
    if state.together:
        return _together_claimed(state, move)
    if state.phase is not Phase.SOLVING:
        raise IllegalMove("There is nothing to claim now.")
    _require_better(state, move)
    if state.deadline_s is not None and move.time_s is not None and move.time_s > state.deadline_s:
        late = move.time_s - state.deadline_s
        raise IllegalMove(f"The time is up: {player(move.seat)} said {said(move)} {late:.3f} s too late.")
    others = [claim for claim in state.claims if claim.seat != move.seat and not _is_forestalled(claim, move)]
    later = (k for k, claim in enumerate(others) if _is_later(claim, move))
    others.insert(next(later, len(others)), move)
    ends = [state.deadline_s] if state.claims else []
    ends += [None if move.time_s is None else round(move.time_s + state.timer_s, 3)]
    known = [end for end in ends if end is not None]
    return replace(state, claims=tuple(others), deadline_s=min(known, default=None))


def _is_later(claim: Claim, other: Claim) -> bool:
    """Whether it was said later, by the clock: a button may be told of after a key that was pressed later."""
    return claim.time_s is not None and other.time_s is not None and claim.time_s > other.time_s


def _is_forestalled(claim: Claim, move: Claim) -> bool:
    """Whether another, who is told of late, had said first that it is impossible: only the first one counts."""
    return claim.moves is None and move.moves is None and _is_later(claim, move)


def _require_better(state: Race, move: Claim) -> None:
    """Raises IllegalMove for a claim that changes nothing, or that nobody can mean."""
    old, first = state.claim_of(move.seat), state.impossible
    who = player(move.seat)
    if move.moves is not None and not 1 <= move.moves <= LONGEST_CLAIM:
        raise IllegalMove(f"A claim is of 1 to {LONGEST_CLAIM} moves, not of {move.moves}.")
    if old and old.moves is not None and (move.moves is None or move.moves >= old.moves):
        raise IllegalMove(f"{who} has said {said(old)} already: only fewer moves are better.")
    if move.moves is None and first and not _is_forestalled(first, move):
        raise IllegalMove(f"{player(first.seat)} has said first that it is impossible.")


def _together_claimed(state: Race, move: Claim) -> Race:
    """Where all play together only "impossible" is a claim, and the solver is the judge."""
    if state.phase is not Phase.FLYING:
        raise IllegalMove("There is nothing to claim now.")
    if move.moves is not None:
        raise IllegalMove("Nobody claims a number of moves where all play together: fly, or say that it is impossible.")
    return judged(state)


def _time_up(state: Race, move: TimeUp) -> Race:
    if state.phase is not Phase.SOLVING or not state.claims:
        raise IllegalMove("The timer does not run: the first claim starts it.")
    if state.deadline_s is not None and move.time_s is not None and move.time_s < state.deadline_s:
        raise IllegalMove(f"The timer runs for {state.deadline_s - move.time_s:.3f} s more.")
    return passed_on(replace(state, deadline_s=None), move.time_s if move.time_s is not None else state.deadline_s)


def _flown(state: Race, move: Fly) -> Race:
    if state.phase is Phase.FLYING:
        return demonstrated(state, move)
    swarm, number = state.swarm, move.flight.number
    if state.phase is Phase.SOLVING and swarm and number in swarm.cells:
        end = move.flight.stops(swarm.cells[number])[-1]
        text = f"The {number} die was moved to {where([end])}: nobody touches the dice before the time is up."
        landed = swarm.landed(number, end).bees
        raise IllegalMove(Problem(text, (swarm.cells[number], end)), lambda: replace(state, bees=landed))
    raise IllegalMove("Nobody flies a die now.")


def _hesitated(state: Race, move: Hesitated) -> Race:
    if state.phase is not Phase.FLYING or state.together:
        raise IllegalMove("Nobody demonstrates now.")
    if state.deadline_s is not None and move.time_s is not None and move.time_s < state.deadline_s:
        left = state.deadline_s - move.time_s
        raise IllegalMove(f"{player(state.flier)} has {left:.3f} s more for the next flight.")
    return _failed(state, move.time_s)


def _given_up(state: Race, move: GiveUp) -> Race:
    if state.phase is Phase.FLYING:
        return scored(state, ()) if state.together else _failed(state, move.time_s)
    if state.phase is not Phase.SOLVING:
        raise IllegalMove("There is nothing to give up now.")
    if state.claims:
        names = listing([player(claim.seat) for claim in state.claims])
        raise IllegalMove(f"{names} claimed: the timer runs to its end.")
    return scored(state, ())


def _failed(state: Race, time_s: float | None) -> Race:
    return passed_on(replace(state, failed=(*state.failed, state.flier)), time_s)


def _put_back(state: Race, move: PutBack) -> Race:
    home = replace(state, bees=state.home, flown=0)
    if state.phase is Phase.RETURNING:
        return replace(home, phase=Phase.FLYING, deadline_s=waits_until(state, move.time_s))
    if state.phase is Phase.FLYING and state.together:
        return home
    if state.phase is not Phase.SETTLED:
        raise IllegalMove("The dice stay where they are now.")
    if state.over:
        raise IllegalMove("The race is over.")
    new = replace(
        home, round=state.round + 1, queen=None, queen_s=None, claims=(), failed=(), scored=(), deadline_s=None
    )
    if state.empty:
        return replace(new, phase=Phase.ROLLING)
    return replace(new.grown(), phase=Phase.SETTING_UP)
