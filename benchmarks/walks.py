"""Random walks of legal moves, which must keep whatever the rules never change."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from benchmarks.random_games import Broken, has_its_dominoes
from benchmarks.random_games import require_sound as require_sitting
from rules.course import decision, drawn
from rules.domino import Domino
from rules.engine import deal
from rules.foreseen import promised
from rules.game import IllegalMove
from rules.games import game
from rules.players import SetsUp
from rules.puzzles import problem, published

LEG = 500
"""A walk begins anew after so many moves, so that it sees many starts, and can be stopped and resumed."""

SIZES = {"freecell": 28, "country_road": 12}
IN_ONE_GROUP = frozenset({"unmatched", "capturing", "adding"})


def walked(slug: str, moves: int, leg: int = 0) -> int:
    """Walk so many moves from the game's problems, deals or set-ups, again from another at each end; count the ends.

    The same `leg` walks the same way. Raises Broken where a legal move changes what has to stay.
    """
    chance = Random(f"{slug} {leg}")
    played: Any = game(slug)
    ends, start = 0, _start(slug, chance)
    state = start
    for _ in range(moves):
        after = None if played.outcome(state) else _moved(played, state, chance)
        if after is None:
            ends, start = ends + 1, _start(slug, chance)
            state = start
        else:
            state = after
            _require(slug, start, state)
    return ends


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


def _require(slug: str, start: Any, state: Any) -> None:
    """Raises Broken for a puzzle as `require_sound` does; for a game with players, unless all its dominoes are there
    still, somebody can move, and each seat sees what it may."""
    played: Any = game(slug)
    if not _has_players(played):
        require_sound(slug, start, state)
        return
    if not has_its_dominoes(played, start, state):
        raise Broken(f"{slug}: the set of dominoes changed\n{state}")
    if not played.outcome(state):
        require_sitting(played, state)


def _has_players(played: Any) -> bool:
    return isinstance(played, SetsUp)


def _start(slug: str, chance: Random) -> Any:
    played: Any = game(slug)
    if _has_players(played):
        return _set_up(played, chance)
    if slug in SIZES:
        return deal(played, chance.randrange(1 << 30), SIZES[slug])
    return problem(slug, chance.choice(published(slug)).name)


def _set_up(played: Any, chance: Random) -> Any:
    """The beginning of a game for any number of players, in any variant that so many can play."""
    while True:
        try:
            return played.set_up(chance.randint(*played.info.players), chance, chance.choice(played.variants))
        except ValueError:
            continue


def _moved(played: Any, state: Any, chance: Random) -> Any:
    """The state after a legal move by chance; None where there is none."""
    if _has_players(played):
        moves = decision(played, state).moves
        return played.play(state, drawn(played, state, moves, chance)) if moves else None
    candidates = list(played.candidates(state))
    chance.shuffle(candidates)
    for move in candidates:
        try:
            return played.play(state, move)
        except IllegalMove:
            continue
    return None
