"""How many draws of Mountains and Valleys can be solved: `python -m benchmarks.mountains_census --draws 100000`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.log import PLAY, fingerprint, keep, kept
from benchmarks.scoring import wilson
from pipsight.spread import spread
from rules.game import IllegalMove
from rules.games.mountains import GAME, MountainsState
from rules.mountains.advice import missing_height
from rules.mountains.making import deal_map
from rules.mountains.state import TILES
from rules.watch import Watch

CHUNK = 250


@dataclass(frozen=True)
class Chunk:
    """What became of some draws, number `number` of a seed.

    solved: how many have a solution, each replayed by the rules. missing: for each draw proved impossible, the height
    that it lacks. open: the draws, in text, that were neither solved nor proved impossible. times_ms: processor time of
    each, in their order.
    """

    seed: int
    number: int
    draws: int
    solved: int
    missing: tuple[int, ...]
    open: tuple[str, ...]
    times_ms: tuple[float, ...]


def census_one(item: tuple[int, int, int]) -> Chunk:
    """Solve so many draws of a chunk: (seed, the chunk's number, draws). All but the times hangs on the item alone."""
    seed, number, draws = item
    chance = Random(f"{seed} {number}")
    solved, missing, unknown, times = 0, [], [], []
    for _ in range(draws):
        state = deal_map(chance, TILES)
        began = time.process_time()
        solution = GAME.solve(state, Watch())
        times.append(round((time.process_time() - began) * 1000, 2))
        gap = missing_height(state.board, state.deal)
        if solution.moves is not None and _wins(state, solution.moves):
            solved += 1
        elif solution.proved and gap is not None:
            missing.append(gap)
        else:
            unknown.append(str(state))
    return Chunk(seed, number, draws, solved, tuple(missing), tuple(unknown), tuple(times))


def _wins(state: MountainsState, moves: Iterable[object]) -> bool:
    try:
        for move in moves:
            state = GAME.play(state, move)  # type: ignore[arg-type]
    except IllegalMove:
        return False
    outcome = GAME.outcome(state)
    return outcome is not None and outcome.won


def items(seed: int, draws: int) -> list[tuple[int, int, int]]:
    """The chunks that so many draws make."""
    return [(seed, number, min(CHUNK, draws - number * CHUNK)) for number in range(-(-draws // CHUNK))]


def summary(chunks: Sequence[Chunk]) -> Iterator[str]:
    """The figures in lines."""
    draws = sum(chunk.draws for chunk in chunks)
    if not draws:
        yield "No draws."
        return
    missing = [gap for chunk in chunks for gap in chunk.missing]
    unknown = [text for chunk in chunks for text in chunk.open]
    times = sorted(each for chunk in chunks for each in chunk.times_ms)
    yield f"{draws} draws, seed {chunks[0].seed}"
    yield f"  solved                 {wilson(sum(chunk.solved for chunk in chunks), draws)}"
    yield f"  a height is missing    {wilson(len(missing), draws)}"
    for gap in sorted(set(missing)):
        yield f"    no {gap}                 {missing.count(gap)}"
    yield f"  neither                {len(unknown)}"
    yield from (f"    {' '.join(text.split())}" for text in unknown)
    at_95 = times[int(0.95 * (len(times) - 1))]
    yield f"  processor time, ms     median {median(times):.1f}   95% {at_95:.1f}   most {times[-1]:.1f}"


class CensusLog:
    """The chunks that are done, one a line, so that a census that was stopped goes on; other code begins anew."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._code = path, fingerprint(*PLAY)
        self._done = [_chunk(one["chunk"]) for one in kept(path) if one["code"] == self._code]

    def get(self, item: tuple[int, int, int]) -> Chunk | None:
        """A chunk that was counted before."""
        return next((c for c in self._done if (c.seed, c.number, c.draws) == item), None)

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        keep(self._path, {"code": self._code, "chunk": asdict(chunk)})


def _chunk(told: dict[str, object]) -> Chunk:
    lists = {key: tuple(value) for key, value in told.items() if isinstance(value, list)}
    return Chunk(**{**told, **lists})  # type: ignore[arg-type]


def census(
    seed: int, draws: int, log: CensusLog, scheduler: str | None = None, workers: int | None = None
) -> Iterator[Chunk]:
    """Every chunk, those of the log first."""
    wanted = [(item, log.get(item)) for item in items(seed, draws)]
    yield from (chunk for _, chunk in wanted if chunk)
    lacking = [item for item, chunk in wanted if not chunk]
    for _, chunk in spread(census_one, lacking, scheduler=scheduler, workers=workers):
        log.add(chunk)
        yield chunk


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the census; ctrl-C prints what is known so far, and the log keeps it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="where chunks are kept, to go on after a stop")
    parser.add_argument("--scheduler", help="the address of a Dask scheduler")
    parser.add_argument("--workers", type=int, help="processes; all cores if not given")
    chosen = parser.parse_args(arguments)
    done: list[Chunk] = []
    stopped = False
    try:
        for chunk in census(chosen.seed, chosen.draws, CensusLog(chosen.log), chosen.scheduler, chosen.workers):
            done.append(chunk)
            print(f"\r{sum(each.draws for each in done)} of {chosen.draws} draws", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        stopped = True
    print(file=sys.stderr)
    print("\n".join(summary(done)))
    return 130 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
