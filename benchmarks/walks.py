"""Random walks of legal moves, which must keep whatever the rules never change."""

from __future__ import annotations

import time
from collections import Counter
from random import Random
from typing import Any

from rules.domino import Domino
from rules.engine import deal, promised
from rules.game import Draws, IllegalMove
from rules.games import game
from rules.puzzles import problem, published

SIZES = {"freecell": 28, "country_road": 12}
IN_ONE_GROUP = frozenset({"unmatched", "capturing", "adding"})


class Broken(AssertionError):
    """A legal move after which something no longer holds; the text says what, and in which state."""


def walked(slug: str, moves: int) -> str:
    """Walk so many moves from the game's problems, again from the next at each end; tell how many ends there were.

    Raises Broken.
    """
    chance, played = Random(slug), game(slug)
    if not isinstance(played, Draws) or not (published(slug) or slug in SIZES):
        return f"{slug:16} has no problems to walk from"
    began, ends, start = time.process_time(), 0, _start(slug, chance)
    state = start
    for _ in range(moves):
        after = None if played.outcome(state) else _moved(played, state, chance)
        if after is None:
            ends, start = ends + 1, _start(slug, chance)
            state = start
        else:
            state = after
            require_sound(slug, start, state)
    took = time.process_time() - began
    return f"{slug:16} {moves} random legal moves keep every invariant ({ends} ends, {took:.1f} s)"


def require_sound(slug: str, start: Any, state: Any) -> None:
    """Raises Broken unless no domino is there twice or came from nowhere, and the table reads back as the state."""
    played: Any = game(slug)
    seen = dominoes(played, state)
    had = {*dominoes(played, start), *promised(played, played.diagram(start).table, start)}
    if any(number > 1 for number in seen.values()) or seen.keys() - had:
        raise Broken(f"{slug}: a domino is there twice or came from nowhere\n{state}")
    if slug in IN_ONE_GROUP and not state.board.is_connected():
        raise Broken(f"{slug}: the group fell apart\n{state}")
    if state != start and played.diagram(state).table.board.placed and again(played, state) != state:
        raise Broken(f"{slug}: its own table reads as another state\n{state}\n{again(played, state)}")


def again(played: Any, state: Any) -> Any:
    """The state that is read from the table as it is drawn."""
    return played.read(played.diagram(state).table, state)


def dominoes(played: Any, state: Any) -> Counter[Domino]:
    """The dominoes that a state shows on the board and in the queue."""
    diagram = played.diagram(state)
    queue = [Domino.of(*pips) for pips in diagram.queue]
    return Counter([*(placed.domino for placed in diagram.table.board.placed), *queue])


def _start(slug: str, chance: Random) -> Any:
    if slug in SIZES:
        return deal(game(slug), chance.randrange(1 << 30), SIZES[slug])
    return problem(slug, chance.choice(published(slug)).name)


def _moved(played: Any, state: Any, chance: Random) -> Any:
    """The state after a legal move by chance; None where there is none."""
    moves = list(played.candidates(state))
    chance.shuffle(moves)
    for move in moves:
        try:
            return played.play(state, move)
        except IllegalMove:
            continue
    return None
