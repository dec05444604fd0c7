"""The demonstration: flights that count, how it fails, who comes next, and who scores."""

from __future__ import annotations

from dataclasses import replace

from rules.bee.claims import judge
from rules.bee.state import Bee
from rules.bee_race.moves import Fly
from rules.bee_race.state import Phase, Race
from rules.game import IllegalMove, Seat
from rules.games.bee import GAME as BEE
from rules.words import count, player


def demonstrated(state: Race, move: Fly) -> Race:
    """After a flight: it scores with the last bee at home, and fails if it is wrong, late or one too many.

    Where all play together a wrong flight raises IllegalMove instead, and nothing is late.
    """
    assert state.swarm
    if state.together:
        return _together_flown(state, move)
    after = replace(state, bees=landing(state, move), flown=state.flown + 1)
    if failure(state, move):
        return passed_on(replace(after, failed=(*state.failed, state.flier)), move.time_s)
    assert after.swarm
    if BEE.outcome(after.swarm):
        return scored(after, (state.flier,))
    return replace(after, deadline_s=waits_until(state, move.time_s))


def failure(state: Race, move: Fly) -> str:
    """Why this flight ends the demonstration, in a sentence; "" where it does not."""
    assert state.swarm
    assert state.shown
    if state.deadline_s is not None and move.time_s is not None and move.time_s > state.deadline_s:
        return f"Nobody waits longer than {state.hesitation_s:g} s for a flight."
    try:
        after = BEE.play(state.swarm, move.flight)
    except IllegalMove as refused:
        return str(refused)
    if not BEE.outcome(after) and state.flown + 1 == state.shown.moves:
        return f"{count(state.flown + 1, 'move')} and no more: not all bees are with the queen."
    return ""


def landing(state: Race, move: Fly) -> tuple[Bee, ...]:
    """Where the dice stand after a flight, right or wrong; as before where nobody can fly so."""
    assert state.swarm
    try:
        return BEE.play(state.swarm, move.flight).bees
    except IllegalMove as refused:
        return refused.after.bees if refused.after else state.bees


def _together_flown(state: Race, move: Fly) -> Race:
    assert state.swarm
    try:
        swarm = BEE.play(state.swarm, move.flight)
    except IllegalMove as refused:
        landed = refused.after
        raise IllegalMove(refused.problem, landed and (lambda: replace(state, bees=landed.bees))) from None
    after = replace(state, bees=swarm.bees, flown=state.flown + 1)
    return scored(after, tuple(range(state.players))) if BEE.outcome(swarm) else after


def passed_on(state: Race, time_s: float | None) -> Race:
    """The next best claim is demonstrated, after the dice went back; without one the round is over.

    Whoever said "impossible" scores if nobody has shown a solution; alone, only if there is none.
    """
    if state.shown:
        if state.bees != state.home:
            return replace(state, phase=Phase.RETURNING, deadline_s=None)
        return replace(state, phase=Phase.FLYING, flown=0, deadline_s=waits_until(state, time_s))
    if state.impossible is None:
        return scored(state, ())
    return judged(state) if state.alone else scored(state, (state.impossible.seat,))


def judged(state: Race) -> Race:
    """The round is over by "impossible": all who play score if there is no solution."""
    assert state.puzzle
    right = judge(state.puzzle, None).right
    return scored(state, tuple(range(state.players)) if right else ())


def scored(state: Race, seats: tuple[Seat, ...]) -> Race:
    """The round is over, and these players get a point."""
    points = tuple(had + (seat in seats) for seat, had in enumerate(state.points))
    return replace(state, phase=Phase.SETTLED, points=points, scored=seats, deadline_s=None)


def waits_until(state: Race, time_s: float | None) -> float | None:
    """When the patience with who demonstrates ends; None where nobody measured the time."""
    return None if time_s is None else round(time_s + state.hesitation_s, 3)


def verdict(state: Race) -> str:
    """What the solver says of the round that is over; of a claim that was shown, else of the best solution."""
    assert state.puzzle
    told = judge(state.puzzle, _said_last(state)).sentence
    return told if state.claims else told.partition(": ")[2].capitalize()


def _said_last(state: Race) -> int | None:
    """What the winner claimed, or whoever claimed best; None for "impossible"."""
    if state.scored and (won := state.claim_of(state.scored[0])):
        return won.moves
    return state.ranked[0].moves if state.ranked else None


def ended(state: Race) -> str:
    """Who scored in the round that is over, in a sentence."""
    if state.together:
        return "All score a point." if state.scored else "Nobody scores."
    return f"{player(state.scored[0])} scores a point." if state.scored else "Nobody scores."
