"""How fast and how surely every puzzle is solved, beside solvers of other people, in processor time.

    python -m benchmarks.solvers
    python -m benchmarks.solvers --only dominosa --log build/solvers.jsonl
    python -m benchmarks.solvers --walk 10000 --only walk --log build/walks.jsonl

Each figure is this process's own time, which other programs still lengthen by the cache and by a core that two share:
compare what one run prints. python-sat and OR-Tools are asked where they are installed (the extra bench). With --log a
run that was stopped goes on where it was, as long as the rules are the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from benchmarks.log import PLAY, fingerprint, keep, kept
from benchmarks.random_games import Broken
from benchmarks.solver_peers import PEERS
from benchmarks.walks import LEG, walked
from rules import dominosa
from rules.engine import deal, replay, solve
from rules.errors import RulesError
from rules.games import game, slugs
from rules.grid import Grid
from rules.puzzles import Published, problem, published
from rules.watch import Watch

LIMIT_S = 60.0
GRIDS = 20


class Task(NamedTuple):
    """Something to be done and timed: `prepare` is not timed and gives the work; the work says whether it went well."""

    row: str
    key: str
    prepare: Callable[[], Callable[[], bool]]


AIMS = {
    "unmatched, published": "<= 0.2 s together with capturing",
    "capturing, published": "<= 0.2 s together with unmatched",
    "fujisan, published": "<= 20 ms, 20 of 20",
    "bee, published": "<= 20 ms, at most 300",
    "dominosa 6, unique?": "<= 0.3 ms",
    "dominosa 9, unique?": "<= 1 ms",
    "dominosa 12, unique?": "<= 1.5 ms",
    "dominosa 9, make hard": "<= 100 ms",
    "dominosa 12, make hard": "<= 200 ms",
    "dominosa 12, make extreme": "<= 1000 ms",
    "mountains, 18 at random": "<= 10 ms, none fails",
    "freecell 28, dealt": "<= 1.8 ms, the fewest moves",
    "freecell 55, dealt": "<= 5.9 ms",
    "freecell 91, dealt": "<= 40 ms, 99 in 100 solved",
}
"""What each row should come to: the median, unless it says otherwise; an idle machine of 2024, plain Python."""


def tasks(deals: int) -> Iterator[Task]:
    """Everything that is measured, row by row."""
    for slug in slugs():
        for puzzle in published(slug):
            yield Task(f"{slug}, published", puzzle.name, partial(_published, slug, puzzle))
    for order in (6, 9, 12):
        for seed in range(GRIDS):
            yield Task(f"dominosa {order}, unique?", str(seed), partial(_unique, order, seed, dominosa.is_unique))
            for name, peer in PEERS.items():
                yield Task(f"dominosa {order}, {name}", str(seed), partial(_unique, order, seed, peer))
    for order, grade in ((9, "hard"), (12, "hard"), (12, "extreme")):
        for seed in range(GRIDS):
            yield Task(f"dominosa {order}, make {grade}", str(seed), partial(_make, order, grade, seed))
    for slug, size, words in (
        ("mountains", 18, "mountains, 18 at random"),
        ("freecell", 28, "freecell 28, dealt"),
        ("freecell", 55, "freecell 55, dealt"),
        ("freecell", 91, "freecell 91, dealt"),
    ):
        for seed in range(deals):
            yield Task(words, str(seed), partial(_dealt, slug, size, seed))


def walks(moves: int) -> Iterator[Task]:
    """Random walks of so many legal moves in each game, in legs; well done is a leg that breaks nothing."""
    for slug in slugs():
        for leg in range(-(-moves // LEG)):
            walk = partial(_walk, slug, min(LEG, moves - leg * LEG), leg)
            yield Task(f"{slug}, walk {moves}", str(leg), walk)


def _walk(slug: str, moves: int, leg: int) -> Callable[[], bool]:
    def work() -> bool:
        try:
            walked(slug, moves, leg)
        except (Broken, RulesError) as broken:
            print(f"{slug}, leg {leg}: {broken}", file=sys.stderr, flush=True)
            return False
        return True

    return work


def _published(slug: str, puzzle: Published) -> Callable[[], bool]:
    """Solving a published problem; well done is a solution of the published length, any where the book prints none."""
    start: Any = problem(slug, puzzle.name)
    length = len(replay(game(slug), start, puzzle.moves)[1]) if puzzle.moves else None

    def work() -> bool:
        moves = solve(game(slug), start, Watch(LIMIT_S)).moves
        return moves is not None and length in (None, len(moves))

    return work


def _unique(order: int, seed: int, decide: Callable[[Grid], bool]) -> Callable[[], bool]:
    """Showing that a grid that was made up has one solution only."""
    grid = dominosa.make(Random(f"{order} {seed}"), order, "basic", Watch())
    assert grid
    return partial(decide, grid)


def _make(order: int, grade: str, seed: int) -> Callable[[], bool]:
    """Making up a grid of a grade."""
    return lambda: dominosa.make(Random(f"{grade} {seed}"), order, grade, Watch(LIMIT_S)) is not None


def _dealt(slug: str, size: int, seed: int) -> Callable[[], bool]:
    """Solving a start that was dealt, or proving that it has no solution."""
    start: Any = deal(game(slug), seed, size)

    def work() -> bool:
        found = solve(game(slug), start, Watch(LIMIT_S))
        return found.moves is not None or found.proved

    return work


class Figure(NamedTuple):
    """What became of a task: whether it went well, and its processor time in milliseconds."""

    well: bool
    took_ms: float


class Record:
    """The figures so far, one a line of a file that is written line by line; only those of these very rules count."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._code = path, fingerprint(*PLAY)
        told = [one for one in kept(path) if one["code"] == self._code]
        self._known = {(one["row"], one["key"]): Figure(*one["figure"]) for one in told}

    def measured(self, task: Task) -> Figure:
        """The figure of a task, taken now unless it is known."""
        known = self._known.get((task.row, task.key))
        if known:
            return known
        work = task.prepare()
        began = time.process_time()
        well = work()
        figure = Figure(well, 1000 * (time.process_time() - began))
        keep(self._path, {"row": task.row, "key": task.key, "figure": figure, "code": self._code})
        return figure


def measure(all_tasks: Sequence[Task], record: Record) -> dict[str, list[Figure]]:
    """The figures of each row, saying on stderr how far it is."""
    rows: dict[str, list[Figure]] = {}
    for number, task in enumerate(all_tasks, 1):
        if task.row not in rows:
            print(f"{number}/{len(all_tasks)} {task.row}", file=sys.stderr, flush=True)
        rows.setdefault(task.row, []).append(record.measured(task))
    return rows


def told(row: str, figures: Sequence[Figure]) -> str:
    """A row as it is printed."""
    times = [figure.took_ms for figure in figures]
    well = f"{sum(figure.well for figure in figures)} of {len(figures)}"
    speed = f"median {median(times):9.2f} ms, at most {max(times):9.2f} ms, together {sum(times) / 1000:7.2f} s"
    return f"{row:28} {well:>11}  {speed}  {AIMS.get(row, '')}".rstrip()


def main() -> None:
    """Print a line a row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--only", default="", metavar="WORD", help='rows whose name holds this, as "walk"')
    parser.add_argument("--deals", type=int, default=100, metavar="K", help="how many deals a game")
    parser.add_argument("--walk", type=int, default=0, metavar="K", help="walk so many random legal moves a game")
    parser.add_argument("--log", type=Path, help="keep what was measured here, and go on from it")
    asked = parser.parse_args()
    wanted = [task for task in (*tasks(asked.deals), *walks(asked.walk)) if asked.only in task.row]
    for row, figures in measure(wanted, Record(asked.log)).items():
        print(told(row, figures), flush=True)


if __name__ == "__main__":
    main()
