"""Matches of the program's advice against simpler players, game by game from the same shuffles; and what they show."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from statistics import fmean, median
from typing import Any

from benchmarks.random_games import end_of, nothing
from benchmarks.scoring import wilson
from rules.all_fives.state import Phase
from rules.course import Player, playout
from rules.engine import suggest
from rules.finder.state import Flip
from rules.games import game
from rules.watch import Watch

Told = dict[str, Any]
SAMPLES = 2_000
MOST_MOVES = 20_000


@dataclass(frozen=True)
class Match:
    """The advice of one game against a player.

    rival: the module and the name of that player. games: how many the figure asks for. play: one game by its number.
    summary: the figures, a line each, from what all games told. goal: what they should show.
    """

    slug: str
    rival: tuple[str, str]
    games: int
    play: Callable[[Match, int, int], Told]
    summary: Callable[[Sequence[Told]], Iterator[str]]
    goal: str
    players: int = 2
    variant: str = ""

    @property
    def part(self) -> str:
        """Its name in the log."""
        return f"{self.slug} against {self.rival[1]}"

    def rivals_player(self) -> Player[Any, Any]:
        """The player to play against."""
        found: Player[Any, Any] = getattr(import_module(self.rival[0]), self.rival[1])
        return found


class Timed:
    """A player who plays what `suggest` puts first, and how long each move took, in milliseconds of processor time."""

    def __init__(self) -> None:
        self.ms: list[float] = []

    def __call__(self, rules: Any, seen: Any, moves: Sequence[Any], chance: Random) -> Any:
        if len(moves) == 1:
            return moves[0]
        began = time.process_time()
        advised = suggest(rules, seen, Watch(), chance)
        self.ms.append(round(1000 * (time.process_time() - began), 2))
        return advised[0].move if advised else chance.choice(moves)


def play_one(match: Match, seed: int, number: int) -> Told:
    """One game of a match, the same whoever asks for it."""
    return match.play(match, seed, number)


def _set_up(match: Match, seed: int, number: int) -> tuple[Any, Any]:
    rules: Any = game(match.slug)
    return rules, rules.set_up(match.players, Random(f"{match.slug} {seed} {number}"), match.variant)


def _hand(match: Match, seed: int, number: int) -> Told:
    """A hand of All Fives: how many points the advice is ahead after it; sides change, each deal comes twice."""
    rules, state = _set_up(match, seed, number // 2)
    timed, mine = Timed(), number % 2
    seats = [timed if seat == mine else match.rivals_player() for seat in range(2)]
    for _, after in playout(rules, state, seats, Random(f"{seed} {number}"), MOST_MOVES):
        state = after
        if state.phase is Phase.DEALING:
            break
    return {"ahead": state.scores[mine] - state.scores[1 - mine], "ms": timed.ms}


def _duel(match: Match, seed: int, number: int) -> Told:
    """A game for two: whether the advice won it; sides change, each shuffle comes twice."""
    rules, state = _set_up(match, seed, number // 2)
    timed, mine = Timed(), number % 2
    seats = [timed if seat == mine else match.rivals_player() for seat in range(2)]
    for _, after in playout(rules, state, seats, Random(f"{seed} {number}"), MOST_MOVES):
        state = after
    ended = rules.outcome(state)
    return {"won": mine in ended.winners, "tie": not ended.winners, "end": end_of(rules, state), "ms": timed.ms}


def _alone(match: Match, seed: int, number: int) -> Told:
    """The same shuffle twice, once with the advice in every seat and once with its rival."""
    told: Told = {}
    timed = Timed()
    for name, player in ("advice", timed), ("rival", match.rivals_player()):
        rules, state = _set_up(match, seed, number)
        seen: Counter[str] = Counter()
        for move, after in playout(rules, state, [player] * match.players, Random(f"{seed} {number}"), MOST_MOVES):
            seen.update(COUNTED.get(match.slug, nothing)(state, move, after))
            state = after
        ended = rules.outcome(state)
        told[name] = {"won": ended.won, "scores": list(ended.scores), "end": end_of(rules, state), **seen}
    return {**told, "ms": timed.ms}


def _walked(before: Any, move: Any, after: Any) -> Iterator[str]:
    """What happened in a turn of Domino Finder, and whether it was before the first treasure was found."""
    seen = ["flips"] * isinstance(move, Flip) + ["traps"] * bool(after.skips - before.skips)
    yield from seen
    if not any(before.found):
        yield from (f"first {what}" for what in seen)
    if sum(map(len, after.found)) > sum(map(len, before.found)):
        yield "treasures"


COUNTED: dict[str, Callable[[Any, Any, Any], Iterable[str]]] = {"finder": _walked}


def interval(values: Sequence[Any], statistic: Callable[[Sequence[int]], float], seed: int = 1) -> str:
    """A statistic with its 95% bootstrap interval; it gets the places of the values that were drawn."""
    chance, places = Random(seed), range(len(values))
    drawn = sorted(statistic(chance.choices(places, k=len(values))) for _ in range(SAMPLES))
    low, high = drawn[int(0.025 * SAMPLES)], drawn[int(0.975 * SAMPLES)]
    return f"{statistic(places):.3f} ({low:.3f} to {high:.3f})"


def _mean(values: Sequence[float]) -> str:
    return interval(values, lambda places: fmean(values[place] for place in places))


def times(told: Sequence[Told]) -> Iterator[str]:
    """How long the advice took."""
    ms = [spent for one in told for spent in one["ms"]]
    if ms:
        yield f"  a move takes {median(ms):.1f} ms (median), {max(ms):.0f} ms (most) of processor time, {len(ms)} moves"


def _hands(told: Sequence[Told]) -> Iterator[str]:
    yield f"  {len(told)} hands: {_mean([one['ahead'] for one in told])} points a hand ahead"


def _duels(told: Sequence[Told]) -> Iterator[str]:
    ties = sum(one["tie"] for one in told)
    yield f"  won {wilson(sum(one['won'] for one in told), len(told))}, ties {ties}"
    yield f"  ends: {dict(Counter(one['end'] for one in told))}"


def _traps(told: Sequence[Told]) -> Iterator[str]:
    for what in ("traps", "flips"):
        for name in ("advice", "rival"):
            yield f"  {what} a treasure, {name}: {interval(told, partial(_rate, told, what, name))}"
        yield f"  {what}, advice over rival: {interval(told, partial(_ratio, told, what))}"
    for what in ("first traps", "first flips"):
        sums = [sum(one[name].get(what, 0) for one in told) / len(told) for name in ("advice", "rival")]
        over = interval(told, partial(_ratio, told, what))
        yield f"  {what.removeprefix('first ')} up to the first treasure: {sums[0]:.2f} against {sums[1]:.2f}, {over}"


def _rate(told: Sequence[Told], what: str, name: str, places: Sequence[int]) -> float:
    treasures = sum(int(told[place][name].get("treasures", 0)) for place in places)
    return sum(int(told[place][name].get(what, 0)) for place in places) / max(1, treasures)


def _ratio(told: Sequence[Told], what: str, places: Sequence[int]) -> float:
    rival = _rate(told, what, "rival", places)
    return _rate(told, what, "advice", places) / rival if rival else float("nan")


def _wins(told: Sequence[Told]) -> Iterator[str]:
    for name in ("advice", "rival"):
        one = [game[name] for game in told]
        yield f"  {name} won {wilson(sum(game['won'] for game in one), len(one))}"
        scores = [game["scores"][0] for game in one if game["scores"]]
        if scores:
            yield f"    mean score {_mean(scores)}"
        yield f"    ends: {dict(Counter(game['end'] for game in one))}"


MATCHES = (
    Match(
        "all_fives",
        ("benchmarks.players_of.all_fives", "greedy"),
        2_000,
        _hand,
        _hands,
        ">= 12 points a hand, <= 50 ms (median)",
    ),
    Match(
        "domineering",
        ("benchmarks.players_of.domineering", "one_ply"),
        1_000,
        _duel,
        _duels,
        ">= 65% won at <= 200 ms (median), 2 s at most",
    ),
    Match(
        "finder",
        ("benchmarks.players_of.finder", "nearest"),
        1_000,
        _alone,
        _traps,
        "traps a treasure <= 0.8 of the rival's, in no more flips",
    ),
    Match(
        "tetradominoes",
        ("benchmarks.players_of.tetradominoes", "greedy"),
        1_000,
        _alone,
        _wins,
        "level 1 won more often, intervals apart",
        players=1,
    ),
    Match(
        "mountains_together",
        ("benchmarks.players_of.mountains_together", "greedy"),
        100,
        _alone,
        _wins,
        "more perfect maps, a lower penalty",
    ),
)
