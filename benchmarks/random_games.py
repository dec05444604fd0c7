"""Games by chance, and what has to hold in each of them whatever is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from random import Random
from typing import Any

from benchmarks.players_of.all_fives import by_chance as plays_rather_than_draws
from benchmarks.players_of.bee_race import careful, hasty
from benchmarks.players_of.domineering import peaceful
from benchmarks.players_of.mountains_together import greedy, tidy
from rules.all_fives.state import Action, Phase
from rules.bee_race.state import Phase as RacePhase
from rules.course import Player, by_chance, decision, playout
from rules.domino import Domino, DominoSet
from rules.engine import legal_moves
from rules.game import CHANCE, Game, IllegalMove, Mover
from rules.games import game
from rules.players import Owes, Tells
from rules.saved import Made, SavedGame, dumps, loads, maker, replayed

LOOKED_AT = 10
"""Every tenth game is looked at in all its states, and saved and loaded."""

MOST_MOVES = 20_000
OTHERS: dict[str, tuple[Player[Any, Any], ...]] = {
    "all_fives": (plays_rather_than_draws,),
    "domineering": (peaceful,),
    "mountains_together": (tidy, greedy),
}
"""Players besides the one by mere chance: without them some ends come too seldom."""

INSTEAD: dict[str, tuple[Player[Any, Any], ...]] = {"bee_race": (hasty, careful)}
"""Players where by mere chance nobody would ever score, and a tie go on for hours."""

ENDS: dict[str, dict[str, str]] = {
    "all_fives": {"more than 200 points": "more than 200", "hand blocked": "", "hand gone out": "", "tie plays on": ""},
    "bee_race": {
        "won by points": "wins with",
        "rounds solved": "rounds? solved",
        "an extra round": "",
        "impossible": "",
        "a demonstration failed": "",
    },
    "cobra_paw": {"the sixth taken alone": r"of 6\.$", "nothing left": "Nothing is left"},
    "domineering": {
        "cannot move": "cannot move",
        "nobody is stuck": "nobody is stuck",
        "kept fewer": r"kept \d+: \w+ wins|kept \d+ and .*: \w+ wins",
        "kept as many": "a tie, which",
    },
    "finder": {"enough treasures": r"^Player \d wins with", "nobody can go on": "Nobody can reach"},
    "mountains_together": {
        "cannot be completed": "cannot be completed",
        "penalty": r"penalty [1-9]\d*\.$",
        "good game": "good game",
        "perfect": "perfect",
    },
    "tetradominoes": {
        "alone won": ": won,",
        "alone lost": ": lost,",
        "tournament": "the tournament",
        "nobody can play": "^Nobody can play",
        "enough tetrominoes": r"wins? with \d",
    },
}
"""The ends of each game by a pattern of the reason that is given; "" where the moves tell."""


POINTING = {"last", "target"}
"""Fields of a state that name a domino which is somewhere else besides."""


class Broken(AssertionError):
    """Something that has to hold in every game does not."""


def random_game(slug: str, seed: int, number: int) -> dict[str, Any]:
    """One game from its beginning to its end: how many moves, and which ends it had. Raises Broken."""
    rules: Any = game(slug)
    chance = Random(f"{slug} {seed} {number}")
    least, most = rules.info.players
    players, variant = chance.randint(least, most), chance.choice(rules.variants)
    if slug == "tetradominoes":
        players, variant = _of_its_own(rules, chance)
    start = rules.set_up(players, chance, variant)
    kinds: tuple[Player[Any, Any], ...] = INSTEAD.get(slug, (by_chance, *OTHERS.get(slug, ())))
    seats = (
        [chance.choice(kinds)] * players if chance.random() < 0.5 else [chance.choice(kinds) for _ in range(players)]
    )
    try:
        return _played(rules, start, seats, chance, number % LOOKED_AT == 0)
    except (Broken, IllegalMove, ValueError) as error:
        raise Broken(f"{slug}, seed {seed}, game {number} ({players} players, {variant}): {error}") from error


def _of_its_own(rules: Any, chance: Random) -> tuple[int, str]:
    """A number of players and a variant that go together."""
    pairs = []
    for players in range(rules.info.players[0], rules.info.players[1] + 1):
        for variant in rules.variants:
            try:
                rules.set_up(players, Random(0), variant)
            except ValueError:
                continue
            pairs.append((players, variant))
    return chance.choice(pairs)


def nothing(before: Any, move: Any, after: Any) -> Iterable[str]:
    """What is counted of a move in most games."""
    return ()


def _played(rules: Any, start: Any, seats: list[Player[Any, Any]], chance: Random, closely: bool) -> dict[str, Any]:
    ends, made, state = list[str](), list[Made](), start
    if closely:
        require_secrets(rules, start, len(seats))
        require_sound(rules, start)
    for move, after in playout(rules, start, seats, chance, MOST_MOVES):
        made.append(Made(str(move), maker(rules, state)))
        ends += HAPPENED.get(rules.info.slug, nothing)(state, move, after)
        if not has_its_dominoes(rules, start, after):
            raise Broken(f"{move} changes the set of dominoes")
        if closely and not rules.outcome(after):
            require_sound(rules, after)
        state = after
    if closely:
        require_saved(rules, start, tuple(made), state)
    return {"moves": len(made), "ends": [*ends, end_of(rules, state)]}


def has_its_dominoes(rules: Any, start: Any, state: Any) -> bool:
    """Whether a state has the dominoes of its start, or those that it must have by now."""
    expected = EXPECTED.get(rules.info.slug)
    return sorted(dominoes(state)) == (expected(state) if expected else sorted(dominoes(start)))


def end_of(rules: Game[Any, Any], state: Any) -> str:
    """Which of its ends a game had, by the reason that it gives."""
    ended = rules.outcome(state)
    assert ended
    for name, pattern in ENDS.get(rules.info.slug, {}).items():
        if pattern and re.search(pattern, ended.reason):
            return name
    return re.sub(r"\d+(, \d+)*( and \d+)?", "#", ended.reason)


def _hands(before: Any, move: Any, after: Any) -> Iterator[str]:
    """How the hands of All Fives ended."""
    if after.phase is Phase.DEALING and before.phase is not Phase.DEALING:
        yield "hand blocked" if move is Action.PASS else "hand gone out"
        best = max(after.scores)
        if best > 200 and after.scores.count(best) > 1:
            yield "tie plays on"


def _rounds(before: Any, move: Any, after: Any) -> Iterator[str]:
    """How the rounds of Bee's race ended."""
    if len(after.failed) > len(before.failed):
        yield "a demonstration failed"
    if after.phase is RacePhase.SETTLED and before.phase is not RacePhase.SETTLED:
        if after.impossible and after.scored == (after.impossible.seat,):
            yield "impossible"
        if after.round > after.rounds:
            yield "an extra round"


HAPPENED: dict[str, Callable[[Any, Any, Any], Iterable[str]]] = {"all_fives": _hands, "bee_race": _rounds}


def _of_the_board(state: Any) -> list[Domino]:
    """All up to the number of dice of the board that lies there, which grows in a series."""
    return list(DominoSet(max(state.board.pips.values(), default=-1))) if state.board.placed else []


EXPECTED: dict[str, Callable[[Any], list[Domino]]] = {"bee_race": _of_the_board}
"""Which dominoes have to be in a state, where they are not the same from the beginning to the end."""


@cache
def _parts(kind: type) -> tuple[str, ...]:
    named = fields(kind) if is_dataclass(kind) else ()
    return tuple(field.name for field in named if field.compare and field.name not in POINTING)


def dominoes(value: Any) -> Iterator[Domino]:
    """Every domino that a state has somewhere; what is only concluded, as a set of lacking ones, is passed over."""
    if isinstance(value, Domino):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from dominoes(part)
    elif isinstance(found := getattr(value, "domino", None), Domino):
        yield found
    else:
        for name in _parts(type(value)):  # type: ignore[arg-type]
            yield from dominoes(getattr(value, name))


def require_sound(rules: Any, state: Any) -> None:
    """Somebody can move, chance is certain that something comes, and what a seat sees allows what the rules allow."""
    at = decision(rules, state)
    if not at.moves:
        raise Broken(f"nobody can move in\n{state}")
    if at.who is CHANCE and rules.to_move(state) is CHANCE:
        total = sum(chance for _, chance in rules.chances(state))
        if abs(total - 1) > 1e-6:
            raise Broken(f"the chances add up to {total}")
    if not isinstance(at.who, Mover):
        if set(at.moves) != set(legal_moves(rules, state)):
            raise Broken(f"player {at.who + 1} sees other moves than there are in\n{state}")
        if rules.visible(at.seen, at.who) != at.seen:
            raise Broken("looking twice shows something else")
    for text in (rules.owed(state) if isinstance(rules, Owes) else ".", rules.describe(state, at.moves[0])):
        if not text.endswith((".", "!", "?")):
            raise Broken(f"{text!r} is no sentence")
    if isinstance(rules, Tells) and not rules.told(state):
        raise Broken("nothing is told")


def require_secrets(rules: Any, start: Any, players: int) -> None:
    """Where a game hides anything, no two seats know the same domino before the first move."""
    known = [set(dominoes(rules.visible(start, seat))) for seat in range(players)]
    if all(rules.visible(start, seat) == start for seat in range(players)):
        return
    for seat in range(1, players):
        if known[0] & known[seat]:
            raise Broken(f"players 1 and {seat + 1} both know {sorted(known[0] & known[seat])}")


def require_saved(rules: Any, start: Any, made: tuple[Made, ...], end: Any) -> None:
    """A saved game comes to the same state once more."""
    kept = SavedGame(rules.info.slug, str(start), made)
    if replayed(loads(dumps(kept))).states[-1] != end:
        raise Broken("the saved game comes to another state")
