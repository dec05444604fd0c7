"""Whether the games with players hold together, and how strong the program plays them.

    python -m benchmarks.play                                  10,000 random games of each, then the matches
    python -m benchmarks.play --game all_fives --games 500     fewer, of one game
    python -m benchmarks.play --matches 1000 --only matches    as many games in every match

Random games are played to their end, and what has to hold in each state is looked at: the dominoes of the set are
where they were or elsewhere, somebody can move, a seat sees neither more nor less than it may, a saved game comes to
the same end. Matches put the program's advice against simpler players, from the same shuffles; figures have 95%
intervals, Wilson's for shares, bootstrap for means. With --log FILE each result is kept as it comes,
and a run that was stopped goes on from there. The same seed gives the same games, whoever plays them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.ledger import Ledger
from benchmarks.matches import MATCHES, Match, play_one, times
from benchmarks.random_games import ENDS, Broken, random_game
from pipsight.spread import SpreadError
from rules.games import game, slugs
from rules.players import SetsUp

TOLD_EVERY = 20


def with_players() -> tuple[str, ...]:
    """The games that can be set up for players."""
    return tuple(slug for slug in slugs() if isinstance(game(slug), SetsUp))


def tried(slug: str, seed: int, number: int) -> dict[str, Any]:
    """A random game, or what broke in it."""
    try:
        return random_game(slug, seed, number)
    except Broken as broken:
        return {"moves": 0, "ends": [], "broken": str(broken)}


def random_summary(slug: str, told: Sequence[dict[str, Any]]) -> Iterator[str]:
    """How many games, how long, how they ended, and whatever broke."""
    ends = Counter(end for one in told for end in one["ends"])
    broken = [one["broken"] for one in told if "broken" in one]
    moves = sum(one["moves"] for one in told)
    yield f"{slug}: {len(told)} random games, {moves} moves, {len(broken)} broken"
    yield f"  ends: {', '.join(f'{name} {number}' for name, number in sorted(ends.items()))}"
    never = [name for name in ENDS.get(slug, {}) if name not in ends]
    if never:
        yield f"  never reached: {', '.join(never)}"
    yield from (f"  BROKEN {text}" for text in broken[:3])


def match_summary(match: Match, told: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The figures of a match, beside what is asked of them."""
    yield f"{match.slug}: the advice against {match.rival[1]}, {len(told)} games; asked: {match.goal}"
    if told:
        yield from match.summary(told)
        yield from times(told)


def followed(results: Iterable[dict[str, Any]], what: str, total: int) -> Iterator[dict[str, Any]]:
    """Pass results on, telling on stderr how many there are."""
    for number, told in enumerate(results, 1):
        if number % TOLD_EVERY == 0 or number == total:
            print(f"\r{what}: {number} of {total}", end="", file=sys.stderr, flush=True)
        yield told
    print(file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=with_players(), help="only this one; may be repeated")
    parser.add_argument("--games", type=int, default=10_000, help="random games of each")
    parser.add_argument("--matches", type=int, help="games a match; as many as each figure asks for if not given")
    parser.add_argument("--only", choices=("random", "matches"), help="one half of it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="keep each result in this file, and go on from it")
    parser.add_argument("--workers", type=int, help="processes; all cores if not given")
    args = parser.parse_args()
    try:
        broken = measured(args)
    except SpreadError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("\nstopped: with --log the same command goes on from here") from None
    raise SystemExit(1 if broken else 0)


def measured(args: argparse.Namespace) -> bool:
    """Play and print; whether anything broke."""
    chosen, ledger, broken = args.game or with_players(), Ledger(args.log), False
    for slug in chosen if args.only != "matches" else ():
        part, work = f"random {slug} {args.seed}", partial(tried, slug, args.seed)
        results = ledger.results(part, range(args.games), work, args.workers)
        told = list(followed(results, slug, args.games))
        broken = broken or any("broken" in one for one in told)
        print("\n".join(random_summary(slug, told)), flush=True)
    for match in MATCHES if args.only != "random" else ():
        if match.slug in chosen:
            number = args.matches or match.games
            results = ledger.results(
                f"{match.part} {args.seed}", range(number), partial(play_one, match, args.seed), args.workers
            )
            print("\n".join(match_summary(match, list(followed(results, match.part, number)))), flush=True)
    return broken


if __name__ == "__main__":
    main()
