"""What a table may hear of moves, and help: a nudge, the place, the move, the way to the end; advice among several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipsight.events import Hinted, Refused, places
from rules import engine
from rules.course import announced, heard, warned
from rules.game import Points
from rules.players import is_contest
from rules.watch import Watch
from rules.words import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.game import Game

HINT_S, ADVICE_S = 10.0, 2.0  # of work for the solution of a puzzle, and for what to do among others


def hinted(game: Game[Any, Any], state: Any, level: int) -> Hinted:
    """Help: a nudge (1), the place (2), or the move (3)."""
    told = engine.hint(game, state, level, Watch(ADVICE_S if is_contest(game) else HINT_S))
    return Hinted(told.text, told.level, places(told.cells))


def way_to_the_end(game: Game[Any, Any], state: Any) -> Hinted | Refused:
    """How a puzzle goes on from here to its end, move by move."""
    if is_contest(game):
        return Refused("Several play, so nobody knows how it will end: ask for the next move.")
    solved = engine.solve(game, state, Watch(HINT_S))
    if not solved.moves:
        return Hinted(engine.hint(game, state, 1, Watch(1)).text, 3)
    words = tuple(map(str, solved.moves))
    told = tuple(sentences(game, state, words))
    cells = game.cells(state, solved.moves[0]) if isinstance(game, Points) else ()
    return Hinted(f"{count(len(words), 'move')} to the end. The first one: {told[0]}", 3, places(cells), words, told)


def sentences(game: Game[Any, Any], state: Any, words: Iterable[str]) -> Iterator[str]:
    """Moves in sentences, one made after the other."""
    for word in words:
        for move in engine.named(game, state, word):
            yield heard_by_all(game, state, move)
            state = game.play(state, move)


def told_to_all(game: Game[Any, Any], before: Any, move: Any) -> str:
    """A move as everybody at the table may hear it, and what it spoils."""
    spoilt = warned(game, before, move)
    text = heard_by_all(game, before, move)
    return f"{text} {spoilt.text}" if spoilt else text


def heard_by_all(game: Game[Any, Any], before: Any, move: Any) -> str:
    """A move as everybody at the table may hear it: as those hear it who did not make it."""
    mover = game.to_move(before)
    seats = range(game.info.players[1])
    told = [heard(game, before, move, seat) for seat in seats if seat != mover]
    return min(told, key=len) if told else announced(game, before, move)
