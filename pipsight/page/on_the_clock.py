"""What a page shows of the games that run on the clock: a hunt of Cobra Paw, a race of Bee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.bee_race.state import Race
from rules.cobra_paw.state import GOAL, Hunt
from rules.game import CHANCE

if TYPE_CHECKING:
    from pipsight.follower import Follower
    from rules.bee_race.moves import Claim


def on_the_clock(follower: Follower) -> dict[str, Any]:
    """The hunt or the race that is played, in the plain types of JSON; nothing for any other game."""
    state = follower.state
    if not follower.states or not isinstance(state, Hunt | Race):
        return {}
    waits_for_chance = follower.phase == "playing" and follower.game.to_move(state) is CHANCE
    told = {"chance": waits_for_chance and any(True for _ in follower.game.chances(state))}
    return {**told, "hunt": _hunt(state)} if isinstance(state, Hunt) else {**told, "race": _race(state)}


def _hunt(state: Hunt) -> dict[str, Any]:
    target = state.target
    return {
        "target": [target.low, target.high] if target else None,
        "claimed": state.claimed,
        "owed": list(state.owed),
        "roller": state.roller,
        "counts": list(state.counts),
        "goal": GOAL,
        "sides": list(state.sides),
    }


def _race(state: Race) -> dict[str, Any]:
    last = [state.impossible] if state.impossible else []
    return {
        "phase": state.phase.value,
        "round": state.round,
        "rounds": state.rounds,
        "dice": state.dice,
        "queen": state.queen,
        "points": list(state.points),
        "claims": [_claim(claim) for claim in (*state.ranked, *last)],
        "failed": list(state.failed),
        "shown": _claim(state.shown) if state.shown else None,
        "flown": state.flown,
        "flier": state.flier,
        "scored": list(state.scored),
        "together": state.together,
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {"seat": claim.seat, "moves": claim.moves}
