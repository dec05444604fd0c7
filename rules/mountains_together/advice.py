"""Advice for cooperative Mountains and Valleys: which domino to pass, and where to lay the one that was passed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf
from random import Random
from statistics import fmean
from typing import NamedTuple

from rules.board import Board, Cell, Placed, extent
from rules.domino import Domino
from rules.game import Game, IllegalMove
from rules.holding import guessed
from rules.laying import Lay
from rules.mountains.annealing import Place, begun
from rules.mountains.frames import covering, frames, squares_at
from rules.mountains.heights import SIDE, SQUARES, areas_of, heights_of
from rules.mountains.state import FULL_SET, TILES
from rules.mountains.walking import STEP, Map
from rules.mountains_together.state import Pass, TogetherMove, TogetherState
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count, player, where

TRIED = 6
DEALS = 6
STEPS_EACH = 15  # of the annealing, for each domino that the map lacks
MOST = 20
_SOMEWHERE = "By the best move that is known a domino comes to lie"
TogetherGame = Game[TogetherState, TogetherMove]


class _Look(NamedTuple):
    """A placement at a glance, to be compared: how well it meets its neighbours, then how small the map stays."""

    smooth: int
    compact: int


def glance(board: Board, placed: Placed) -> _Look:
    """How good a placement seems without looking ahead: more is better."""
    smooth = sum(1 if drop <= STEP else -drop for drop in _drops(board, placed))
    (height, width), first = board.size, board.top_left
    corners = (first, first.shifted(height - 1, width - 1)) if board.placed else ()
    rows, cols = extent((*corners, *placed.cells))
    return _Look(smooth, -max(rows, cols) * SIDE - rows * cols)


def advise(
    game: TogetherGame, state: TogetherState, watch: Watch, chance: Random
) -> tuple[Suggestion[TogetherMove], ...]:
    """The move after which the map falls into fewest areas, whatever the unknown hands may be; and those worse than it.

    Each is tried on the same deals, as Long's determinisation (1996) does; each map is completed by a little annealing.
    A move that cannot become the best any more is given up; where one joins every map no other is looked at.
    """
    if len(state.passed) and not state.passed.known:
        return ()
    if len(state.board.placed) == TILES - 1:
        return _last(game, state)
    deals = [deal for deal in (_dealt(state, chance) for _ in range(DEALS)) if deal is not None]
    found, least = list[Suggestion[TogetherMove]](), inf
    for number, (move, placed) in enumerate(sensible(game, state)):
        if found and not (least and watch.goes_on(number * len(deals), 0)):
            break
        areas = list(_until(_completions(state.board.laid(placed), deals, chance), least))
        least = min(least, sum(areas) - len(areas)) if len(areas) == len(deals) else least
        found.append(_told(state, move, placed, areas))
    return tuple(sorted(found, key=lambda suggestion: -suggestion.worth))


def _last(game: TogetherGame, state: TogetherState) -> tuple[Suggestion[TogetherMove], ...]:
    """The moves by the penalty of the map that the last domino completes, the lowest first."""
    if len(state.passed):
        found = [_completed(state, Lay(placed), placed) for placed in _lays(game, state)]
    else:
        hand = [(Pass(domino), [*_lays(game, game.play(state, Pass(domino)))]) for domino in state.hand.known]
        best = [(move, min(lays, key=partial(_penalty, state))) for move, lays in hand if lays]
        found = [_completed(state, move, placed) for move, placed in best]
    return tuple(sorted(found, key=lambda suggestion: -suggestion.worth))


def _completed(state: TogetherState, move: TogetherMove, placed: Placed) -> Suggestion[TogetherMove]:
    penalty = _penalty(state, placed)
    then = f", and the map is complete, with a penalty of {penalty}."
    reason = f"{_place(state, move, placed)}{then}"
    return Suggestion(move, reason, -penalty, f"{_SOMEWHERE}{then}", _second(state, move, placed))


def _penalty(state: TogetherState, placed: Placed) -> int:
    return Map(state.board.laid(placed).pips).penalty()


def _until(areas: Iterable[int], least: float) -> Iterator[int]:
    """The numbers of areas, until they are more than one as often as `least` says."""
    more = 0
    for number in areas:
        yield number
        more += number - 1
        if more >= least:
            return


def ranked(game: TogetherGame, state: TogetherState) -> Iterator[tuple[TogetherMove, Placed]]:
    """The moves, best at a glance first; each domino that may be passed with its best placement."""
    if len(state.passed):
        yield from ((Lay(placed), placed) for placed in _lays(game, state))
        return
    best = list[tuple[TogetherMove, Placed]]()
    for domino in state.hand.known:
        after = game.play(state, Pass(domino))
        best += [(Pass(domino), placed) for placed in islice(_lays(game, after), 1)]
    yield from sorted(best, key=lambda pair: glance(state.board, pair[1]), reverse=True)


def _lays(game: TogetherGame, state: TogetherState) -> Iterator[Placed]:
    """The legal placements, best at a glance first: most are never asked for."""
    tried = [move.placed for move in game.candidates(state) if isinstance(move, Lay)]
    for placed in sorted(tried, key=lambda placed: glance(state.board, placed), reverse=True):
        try:
            game.play(state, Lay(placed))
        except IllegalMove:
            continue
        yield placed


def sensible(game: TogetherGame, state: TogetherState) -> list[tuple[TogetherMove, Placed]]:
    """The best at a glance; those that make 6 by 6 impossible only where there are no others."""
    every = list(islice(ranked(game, state), MOST))
    fine = (pair for pair in every if _leaves_room(state.board.laid(pair[1])))
    return list(islice(fine, TRIED)) or every[:TRIED]


def _leaves_room(board: Board) -> bool:
    """Whether 6 by 6 is still possible, or done."""
    return any(frames(board))


def _dealt(state: TogetherState, chance: Random) -> tuple[Domino, ...] | None:
    """The dominoes that may be laid after this one, if the unknown hands are so; None where nobody can have those."""
    held = guessed(state.hands, state.laid.union(state.passed.known), FULL_SET.dominoes, chance)
    return tuple(domino for hand in held for domino in hand.known) if held else None


def _completions(board: Board, deals: Iterable[tuple[Domino, ...]], chance: Random) -> Iterator[int]:
    """Into how many areas the map falls that a short search makes of each deal; as many as squares if it makes none."""
    corners, laid = list(frames(board)), {placed.domino for placed in board.placed}
    lacking = TILES - len(board.placed)
    for deal in deals:
        free = [domino for domino in deal if domino not in laid]
        if not corners or len(free) < lacking:
            yield SQUARES
            continue
        corner = chance.choice(corners)
        heights, places = heights_of(board.pips, corner), _places(board, corner, chance)
        draft = begun(heights, chance.sample(free, lacking), places, chance)
        if places:
            draft.improve(STEPS_EACH * lacking)
        yield areas_of(draft.heights)[0]


def _places(board: Board, corner: Cell, chance: Random) -> list[Place]:
    """One way at random to cover what is free of the square."""
    ways = covering([cell for cell in squares_at(corner) if cell not in board.owner], chance) or []
    return [(_square(one, corner), _square(other, corner)) for one, other in ways]


def _square(cell: Cell, corner: Cell) -> int:
    return (cell.row - corner.row) * SIDE + cell.col - corner.col


def _told(state: TogetherState, move: TogetherMove, placed: Placed, areas: Sequence[int]) -> Suggestion[TogetherMove]:
    reason = _reason(state, _place(state, move, placed), placed, areas)
    nudge = _reason(state, _SOMEWHERE, placed, areas)
    return Suggestion(move, reason, 1 - fmean(areas) if areas else 0, nudge, _second(state, move, placed))


def _second(state: TogetherState, move: TogetherMove, placed: Placed) -> str:
    """What a second hint says: of a domino that is passed, where it can be laid; else the cells tell it."""
    return f"{player(state.left)} can lay the best one at {where(placed.cells)}." if isinstance(move, Pass) else ""


def _reason(state: TogetherState, place: str, placed: Placed, areas: Sequence[int]) -> str:
    if not _leaves_room(state.board.laid(placed)):
        return "Whatever is laid, 6 by 6 becomes impossible: this costs least."
    if not areas:
        return f"{place}, {_meeting(state.board, placed)}."
    ways = areas.count(1)
    odds = f"in {ways} of {count(len(areas), 'deal')} of the unknown dominoes a perfect map was soon found after it"
    rest = sum(areas) - ways
    others = f", in the others {rest / (len(areas) - ways):.1f} areas were left" if rest else ""
    return f"{place}, {_meeting(state.board, placed)}; {odds}{others}."


def _place(state: TogetherState, move: TogetherMove, placed: Placed) -> str:
    return f"{player(state.left)} can lay it at {where(placed.cells)}" if isinstance(move, Pass) else "There it lies"


def _meeting(board: Board, placed: Placed) -> str:
    """How a placement meets its neighbours."""
    cliffs = [drop for drop in _drops(board, placed) if drop > STEP]
    if not board.placed:
        return "the first of all"
    if not cliffs:
        return "no more than one level from every neighbour"
    return f"with {count(len(cliffs), 'cliff')} of up to {max(cliffs)} levels"


def _drops(board: Board, placed: Placed) -> list[int]:
    """The levels between a placement and each of its neighbours."""
    heights, halves = board.pips, zip(placed.cells, (placed.head, placed.tail), strict=True)
    return [abs(height - heights[near]) for cell, height in halves for near in cell.neighbours() if near in heights]
