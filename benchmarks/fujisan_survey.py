"""How long the shortest solutions of Fujisan are, over layouts by chance; and those of Country Road.

    python -m benchmarks.fujisan_survey --layouts 10000 --seed 1
    python -m benchmarks.fujisan_survey --problems

The layouts are surveyed on all cores, or by the workers of a Dask scheduler (--scheduler ADDRESS); layout k of a seed
is the same whoever solves it. With --log FILE each result is kept as it comes, and a run that was stopped goes on from
there. --problems prints the shortest lengths of the published layouts instead.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks.log import PLAY, fingerprint, keep, kept
from benchmarks.scoring import wilson
from pipsight.spread import SpreadError, spread
from rules.climbing.making import random_mountain
from rules.games.country_road import GAME as COUNTRY_ROAD
from rules.games.fujisan import GAME as FUJISAN
from rules.puzzles import published
from rules.watch import Watch

TOLD_EVERY = 100
CHUNK = 10


class Surveyed(NamedTuple):
    """The shortest lengths of one layout, None where there is no solution; positions and milliseconds for the first."""

    fujisan: int | None
    country_road: int | None
    positions: int
    milliseconds: float


def survey_one(seed: int, layout: int) -> Surveyed:
    """What becomes of layout number `layout` of a seed."""
    start = random_mountain(Random(f"fujisan {seed} {layout}"))
    began = time.process_time()
    up = FUJISAN.solve(start, Watch())
    spent = round(1000 * (time.process_time() - began), 2)
    whole = COUNTRY_ROAD.solve(start, Watch()).moves if up.moves else None
    return Surveyed(_length(up.moves), _length(whole), up.states_seen, spent)


def surveyed(
    layouts: int, seed: int, log: Path | None = None, *, scheduler: str | None = None, workers: int | None = None
) -> Iterator[Surveyed]:
    """Each layout's result in order; those that the log has are not computed again."""
    known = _known(log, seed)
    missing = [layout for layout in range(layouts) if layout not in known]
    computed = spread(partial(survey_one, seed), missing, scheduler=scheduler, workers=workers, chunk=CHUNK)
    for layout in range(layouts):
        if layout in known:
            yield known[layout]
            continue
        _, told = next(computed)
        keep(log, {"seed": seed, "layout": layout, "code": fingerprint(*PLAY), "told": told})
        yield told


def summary(results: Iterable[Surveyed]) -> Iterator[str]:
    """The figures, a line each."""
    told = list(results)
    yield f"{len(told)} layouts"
    for name, lengths in (
        ("Fujisan", [one.fujisan for one in told]),
        ("Country Road", [one.country_road for one in told]),
    ):
        yield from _distribution(name, lengths)
    if told:
        spent = [one.milliseconds for one in told]
        yield f"Fujisan takes {median(spent):.1f} ms (median), {max(spent):.1f} ms (most) of processor time a layout"


def published_lengths() -> Iterator[str]:
    """The shortest length of every published layout, up alone and up and down again, a line each."""
    yield "layout  Fujisan  Country Road"
    for puzzle in published("fujisan"):
        up, whole = (game.solve(game.start(puzzle.start), Watch()).moves for game in (FUJISAN, COUNTRY_ROAD))
        yield f"{puzzle.name:>6}  {_length(up)!s:>7}  {_length(whole) or 'impossible':>12}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="keep each layout's result in this file, and go on from it")
    parser.add_argument("--workers", type=int, help="processes; all cores if not given")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler that has the work done")
    parser.add_argument("--problems", action="store_true", help="the published layouts instead")
    args = parser.parse_args()
    if args.problems:
        print("\n".join(published_lengths()))
        return
    results: list[Surveyed] = []
    try:
        for one in surveyed(args.layouts, args.seed, args.log, scheduler=args.scheduler, workers=args.workers):
            results.append(one)
            if len(results) % TOLD_EVERY == 0:
                print(f"\r{len(results)} of {args.layouts} layouts", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("\nstopped; these are the figures so far", file=sys.stderr)
    except SpreadError as error:
        raise SystemExit(str(error)) from None
    print(file=sys.stderr)
    print("\n".join(summary(results)))


def _distribution(name: str, lengths: list[int | None]) -> Iterator[str]:
    found = sorted(length for length in lengths if length is not None)
    if len(found) < 2:
        return
    low, middle, high = quantiles(found, n=4)
    yield f"{name}: solvable {wilson(len(found), len(lengths))}"
    yield f"  shortest length: median {middle:g}, half of them {low:g} to {high:g}, {found[0]} to {found[-1]} in all"
    counted = Counter(found)
    yield "  " + ", ".join(f"{length}: {counted[length]}" for length in sorted(counted))


def _length(moves: tuple[object, ...] | None) -> int | None:
    return None if moves is None else len(moves)


def _known(log: Path | None, seed: int) -> dict[int, Surveyed]:
    """What a log holds of this seed by these very rules."""
    own = [told for told in kept(log) if (told["seed"], told.get("code")) == (seed, fingerprint(*PLAY))]
    return {told["layout"]: Surveyed(*told["told"]) for told in own}


if __name__ == "__main__":
    main()
