"""The score of Tetradominoes, as a sum, and how a game ends."""

from __future__ import annotations

from rules.game import Outcome
from rules.tetradominoes.state import GOALS, LEVEL_2, SERIES, SERIES_GOAL, WINS_BELOW, Grid, Phase
from rules.words import count, listing, player


def solitaire_score(state: Grid) -> int:
    """Black times white, and seven for each tetromino that was not played; at level 2 the longest side besides."""
    white = sum(one.light for one in state.laid)
    side = max(state.board.size) if state.variant == LEVEL_2 else 0
    return (len(state.laid) - white) * white + 7 * (len(state.gone) + len(state.pieces)) + side


def sum_said(state: Grid) -> str:
    """The solitaire's score as a sum: "1 x 5 + 7 x 1 = 12, score 12"."""
    white = sum(one.light for one in state.laid)
    side = f" + {max(state.board.size)}" if state.variant == LEVEL_2 else ""
    score, unplayed = solitaire_score(state), len(state.gone) + len(state.pieces)
    return f"{len(state.laid) - white} x {white} + 7 x {unplayed}{side} = {score}, score {score}."


def sides_said(state: Grid) -> str:
    """How many tetrominoes each side has played, and the points of a tournament."""
    parts = [f"{_side(state, side)}: {state.score(side)} of {GOALS[state.players]}" for side in range(state.sides())]
    points = f" Points: {' to '.join(map(str, state.points))}." if state.variant == SERIES else ""
    return f"Tetrominoes of {', '.join(parts)}.{points}"


def _side(state: Grid, side: int) -> str:
    return listing([player(seat) for seat in _seats(state, side)])


def _seats(state: Grid, side: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.players) if state.side(seat) == side)


def final(state: Grid) -> Outcome | None:
    """How it ended; None while it goes on, as a tournament does until a side has seven points."""
    if state.phase is not Phase.OVER:
        return None
    if state.alone:
        score, limit = solitaire_score(state), WINS_BELOW[state.variant]
        won = score < limit
        verdict = "won" if won else "lost"
        reason = f"{sum_said(state)[:-1]}: {verdict}, for it has to be below {limit}."
        return Outcome(won, (0,) if won else (), (score,), reason)
    if state.variant == SERIES:
        side = state.champion
        if side is None:
            return None
        verb = "wins" if len(_seats(state, side)) == 1 else "win"
        reason = f"{_side(state, side)} {verb} the tournament with {state.points[side]} points of {SERIES_GOAL}."
        return Outcome(True, _seats(state, side), state.points, reason)
    scores = tuple(map(state.score, range(state.sides())))
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    winners = tuple(sorted(seat for side in best for seat in _seats(state, side)))
    stuck = "" if max(scores) >= GOALS[state.players] else "Nobody can play a domino any more. "
    names = listing([player(seat) for seat in winners])
    verb = "wins" if len(winners) == 1 else "win" if len(best) == 1 else "share the win"
    played = count(max(scores), "tetromino", "tetrominoes")
    return Outcome(True, winners, scores, f"{stuck}{names} {verb} with {played}.")
