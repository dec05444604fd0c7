"""The program as a player of the race: when it has found what, and how it demonstrates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rules.bee import search
from rules.bee.state import Flight
from rules.bee_race.moves import LONGEST_CLAIM, Claim, Fly, GiveUp, RaceMove, TimeUp
from rules.bee_race.state import Phase, Race
from rules.game import Seat, Solution
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count, player


@dataclass(frozen=True)
class Thinker:
    """How strong the program plays.

    move_s: how long it thinks on average for each move of the shortest solution. proof_s: how long until it believes
    that there is none. sees: how often it finds the shortest solution at once; else one of a move more, or two, ...
    """

    move_s: float = 8.0
    proof_s: float = 75.0
    sees: float = 0.6


USUAL = Thinker()


def advised(state: Race, watch: Watch, chance: Random, thinker: Thinker = USUAL) -> tuple[Suggestion[RaceMove], ...]:
    """What the program would do: for each seat its claim with the time at which it makes it, or the next flight.

    The time that passes until somebody finds a solution is taken to forget how long it has lasted, as radioactive decay
    does; so it may be drawn anew after every event.
    """
    if state.phase is Phase.SOLVING:
        return tuple(_claims(state, watch, chance, thinker))
    if state.phase is Phase.FLYING:
        return tuple(_flights(state, watch))
    return ()


def _claims(state: Race, watch: Watch, chance: Random, thinker: Thinker) -> Iterator[Suggestion[RaceMove]]:
    assert state.puzzle
    solution = search.solve(state.puzzle, watch)
    thoughts = (_thought(state, seat, solution, chance, thinker) for seat in range(state.players))
    end_s = float("inf") if state.deadline_s is None else state.deadline_s
    claims = [claim for claim in thoughts if claim and (claim.time_s or 0.0) <= end_s]
    for claim in sorted(claims, key=lambda claim: claim.time_s or 0.0):
        thought_s = (claim.time_s or 0.0) - (state.since_s or 0.0)
        yield Suggestion(claim, f"{player(claim.seat)} has thought for {thought_s:.0f} s.")
    if state.claims and not claims:
        yield Suggestion(TimeUp(state.deadline_s), "Nobody finds anything better in time.")


def _thought(state: Race, seat: Seat, solution: Solution[Flight], chance: Random, thinker: Thinker) -> Claim | None:
    """What a seat claims next, and when; None where it finds nothing that would count."""
    if solution.moves is None:
        if not solution.proved or state.impossible or state.claim_of(seat):
            return None  # where others claim moves it scores all the same: nobody can show them
        return Claim(seat, None, _later(state, chance, thinker.proof_s))
    moves = len(solution.moves)
    later_s = _later(state, chance, thinker.move_s * moves)
    while chance.random() > thinker.sees and moves < LONGEST_CLAIM:
        moves += 1
    if not _would_lead(state, seat, moves):
        moves = len(solution.moves)
    return Claim(seat, moves, later_s) if _would_lead(state, seat, moves) else None


def _would_lead(state: Race, seat: Seat, moves: int) -> bool:
    """Whether a claim would be the best one, and better than the player's own."""
    own = state.claim_of(seat)
    if own and own.moves is not None and own.moves <= moves:
        return False
    best = state.ranked[0] if state.ranked else None
    if best is None or best.moves is None or best.seat == seat:
        return True
    return (moves, state.points[seat]) < (best.moves, state.points[best.seat])


def _later(state: Race, chance: Random, mean_s: float) -> float:
    return round((state.since_s or 0.0) + chance.expovariate(1 / mean_s), 3)


def _flights(state: Race, watch: Watch) -> Iterator[Suggestion[RaceMove]]:
    """The next flight of a shortest solution from here, if it is short enough for the claim."""
    assert state.swarm
    moves = search.solve(state.swarm, watch).moves
    if moves and len(moves) <= state.left:
        told = f"{count(len(moves), 'move')} from here will do." if state.alone else "It leads to the queen in time."
        yield Suggestion(Fly(moves[0]), told, -len(moves))
    elif state.together and moves is None:
        yield Suggestion(Claim(state.flier, None), "No way was found.")
    else:
        yield Suggestion(GiveUp(), "There is no way left.")
