"""What players say aloud in a round of Bee, "five moves" or "impossible", and whether they are right."""

from __future__ import annotations

from dataclasses import dataclass

from rules.bee.search import solve
from rules.bee.state import BeeState
from rules.watch import Watch
from rules.words import count


@dataclass(frozen=True)
class Claim:
    """What becomes of a claim.

    right: whether so many moves or fewer do, or none at all; None where the search ended before it knew.
    sentence: that in words, and how many moves do where that is known.
    """

    right: bool | None
    sentence: str


def judge(state: BeeState, moves: int | None, watch: Watch | None = None) -> Claim:
    """Whether a claim of so many moves is right, or, with None, that it is impossible, and whether it can be beaten."""
    solution = solve(state, watch or Watch())
    if solution.moves is not None:
        return _solvable(moves, len(solution.moves))
    if solution.proved:
        return _impossible(moves)
    if moves is not None and moves < solution.at_least:
        return Claim(False, f"{_said(moves)} is wrong: {_at_least(solution.at_least)}.")
    return Claim(None, f"{_said(moves)} cannot be judged yet: {_at_least(solution.at_least)}.")


def _solvable(moves: int | None, fewest: int) -> Claim:
    enough = count(fewest, "move")
    if moves is None:
        return Claim(False, f"{_said(None)} is wrong: {enough} will do.")
    if moves < fewest:
        return Claim(False, f"{_said(moves)} is wrong: no fewer than {enough} will do.")
    beaten = "no fewer will do" if moves == fewest else f"{enough} would do"
    return Claim(True, f"{_said(moves)} is right: {beaten}.")


def _impossible(moves: int | None) -> Claim:
    if moves is None:
        return Claim(True, f"{_said(None)} is right: there is no solution.")
    return Claim(False, f"{_said(moves)} is wrong: it is impossible.")


def _said(moves: int | None) -> str:
    return "Impossible" if moves is None else count(moves, "move").capitalize()


def _at_least(moves: int) -> str:
    return f"a solution takes {count(moves, 'move')} at least"
