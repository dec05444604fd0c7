"""What `pipsight suggest` does: a position in, advice out."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from pipsight.commands.solving import (
    NOT_FOUND,
    Answer,
    NoPosition,
    Position,
    position,
    seen_by_mover,
    undecided,
)
from rules.engine import hint, suggest, unadvised
from rules.game import Mover
from rules.players import Owes, is_contest
from rules.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def position_of(slug: str, source: str | None, problem: str | None, taught: Sequence[str] = ()) -> Position:
    """The position to advise in, named as for a solution, but never dealt. Raises RulesError, NoPosition."""
    if source is None and problem is None:
        raise NoPosition("name a picture, a saved game or a --problem")
    return position(slug, source, problem, taught=taught)


def advised(at: Position, seat: int | None, limit_s: float) -> Answer:
    """The moves to make, the best first, each with its sentence and its reason; or why there are none.

    seat: whose advice, from 1; None for whoever is to move. Raises NoPosition where it is another player's turn.
    """
    title, state = at.game.info.title, at.state
    if at.untold:
        return undecided(at)
    if ended := at.game.outcome(state):
        return Answer((f"{title}: the game is over. {ended.reason}",), NOT_FOUND)
    who = at.game.to_move(state)
    if seat is not None and not isinstance(who, Mover) and who != seat - 1:
        raise NoPosition(f"it is the turn of player {who + 1}, not of player {seat}")
    watch = Watch(limit_s)
    found = suggest(at.game, state, watch, Random(0))
    if seat is not None and isinstance(who, Mover):
        found = tuple(one for one in found if getattr(one.move, "seat", seat - 1) == seat - 1)
    owed = f" {at.game.owed(state)}" if isinstance(at.game, Owes) else ""
    if not found:
        why = unadvised(at.game, state) if is_contest(at.game) else hint(at.game, state, 1, watch).text
        return Answer((f"{title}: there is nothing to advise. {why}".rstrip(),), NOT_FOUND)
    return Answer((f"{title}:{owed or ' the next move.'}", *_lines(at.game, state, found)))


def _lines(rules: Any, state: Any, found: tuple[Any, ...]) -> Iterator[str]:
    seen = seen_by_mover(rules, state)
    width = max(len(str(one.move)) for one in found)
    for number, one in enumerate(found, 1):
        told = rules.describe(seen, one.move)
        what, _, sums = told.removesuffix(".").partition(": ")
        said = f"{what}: {one.reason}" if sums and one.reason.startswith(sums) else f"{told} {one.reason}"
        yield f"{number:3}. {one.move!s:{width}}  {said}".rstrip()
