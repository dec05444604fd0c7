"""How well the referee's eyes see who touched which tile when, on rendered films of grabs and on real clips.

    python -m benchmarks.referee --films 600 --quiet 3000 --log build/referee.jsonl
    python -m benchmarks.referee --clips FOLDER
    python -m benchmarks.referee --clips FOLDER --worse     # the same turned, mirrored, in bad light, out of focus

The films are those of the split that nothing was tuned on. A film in which the first was first by two frames or more,
or alone, must name that player; below that "too close" is as good as the right name. With --log FILE each film is
remembered as it is watched, and a run that was stopped goes on from there. FOLDER/labels.json: see touch_clips.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.log import Log
from benchmarks.scoring import wilson
from benchmarks.touch_clips import changed_lines, clip_lines
from benchmarks.touch_films import QUIET_S, films
from benchmarks.touch_scoring import SEEN, Group, Watched, clear, grouped, matched
from training.surfaces import LEARNING, SPLITS

Floats = NDArray[np.float64]

RIGHT, WRONG, ERROR_MS, DELAY_MS, FALSE = 0.99, 0.005, 12, 250, 3
USUAL = ("all films", "all films, gap clear", SEEN)


def verdict_lines(seen: Sequence[Watched]) -> Iterator[str]:
    """Who was named first, group by group."""
    groups = grouped(seen, USUAL)
    yield f"first player named: right where the gap is clear (aim {RIGHT:.0%}), a wrong name (aim {WRONG:.1%} of all)"
    for name in (*USUAL, *sorted(name for name in groups if name not in USUAL)):
        yield _verdict_line(name, groups[name])


def _verdict_line(name: str, group: Group) -> str:
    if not group.films:
        return f"  {name:34} no films"
    told = group.verdicts
    wrong = wilson(told["wrong"], group.films)
    return (
        f"  {name:34} right {wilson(told['right'], group.films)}   wrong {wrong}"
        f"   too close {told['too close']}   nobody {told['nobody']}"
    )


def touch_lines(seen: Sequence[Watched]) -> Iterator[str]:
    """Touches that were seen, wrong tiles, feints, and what was named though nothing happened."""
    told = [(film, matched(film)) for film in seen]
    for words, wrong in (("touches of the target", False), ("touches of a wrong tile", True)):
        touches = [c for film, m in told for grab, c in m.touches if (grab.place != film.target) == wrong]
        if touches:
            yield f"{words} named as such {wilson(sum(c is not None for c in touches), len(touches))}"
    feints, taken = (sum(getattr(m, name) for _, m in told) for name in ("feints", "feints_taken"))
    if feints:
        yield f"feints and looks taken for touches {wilson(taken, feints)}"
    yield f"named besides, by a hand that touched something else: {sum(len(m.false) for _, m in told)} contacts"


def time_lines(seen: Sequence[Watched]) -> Iterator[str]:
    """The error of each contact's time, whether its own uncertainty is honest, and how late it was confirmed."""
    for rate in sorted({film.rate for film in seen}):
        mine = [film for film in seen if film.rate == rate]
        pairs = [(g, c) for film in mine for g, c in matched(film).touches if c is not None and g.contact_s is not None]
        if not pairs:
            continue
        errors = np.array([c.time_s - (g.contact_s or 0.0) for g, c in pairs])
        sigmas = np.array([c.sigma_s for _, c in pairs])
        delays = np.array([c.confirmed_s - (g.contact_s or 0.0) for g, c in pairs])
        middle, most = np.percentile(abs(errors), (50, 95)) * 1e3
        yield f"{rate:.0f} frames a second, {len(pairs)} contacts"
        yield f"  time error: median {middle:.1f} ms (aim {ERROR_MS} at 30), 95th percentile {most:.1f} ms"
        yield f"  late by {1e3 * np.median(errors):+.1f} ms (median); error by its sigma: {_spread(errors / sigmas)}"
        yield f"  contact to confirmation in frame time: {_percentiles(delays * 1e3)} ms (aim {DELAY_MS} less the work)"
        told = [film.verdict_s * 1e3 for film in mine if film.verdict_s is not None]
        if told:
            yield f"  contact to the right name in frame time: {_percentiles(np.array(told))} ms"
        yield f"  processor time of the eyes: {np.mean([film.cpu_ms for film in mine]):.1f} ms a frame (mean of films)"


def _spread(values: Floats) -> str:
    low, high = np.percentile(values, (16, 84))
    return f"spread {(high - low) / 2:.2f}"


def _percentiles(values: Floats) -> str:
    middle, most = np.percentile(values, (50, 95))
    return f"median {middle:.0f}, 95th percentile {most:.0f}"


def quiet_lines(seen: Sequence[Watched]) -> Iterator[str]:
    """What was named while nobody touched anything."""
    seconds = sum(film.seconds for film in seen)
    false = [contact for film in seen for contact in film.contacts if contact.likely]
    yield f"quiet: {len(false)} false grabs in {seconds:.0f} s (aim {FALSE} in 3000)"
    yield f"  processor time of the eyes: {np.mean([film.cpu_ms for film in seen]):.1f} ms a frame"


def worst_lines(seen: Sequence[Watched]) -> Iterator[str]:
    """The numbers of the films that failed, to look at them."""
    bad = [f"{k} {film.verdict}" for k, film in enumerate(seen) if film.verdict != "right" and clear(film)]
    bad += [f"{k} wrong" for k, film in enumerate(seen) if film.verdict == "wrong" and not clear(film)]
    yield f"films to look at: {', '.join(bad) or 'none'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=60)
    parser.add_argument("--quiet", type=float, default=200, help="seconds in which nobody touches a tile")
    parser.add_argument("--split", choices=(*SPLITS, LEARNING), default="judging")
    parser.add_argument("--clips", type=Path, help="a folder of real clips with labels.json, instead of films")
    parser.add_argument("--worse", action="store_true", help="the clips turned, mirrored, in bad light, out of focus")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--log", type=Path, help="remember each film in this file, and go on from it")
    args = parser.parse_args()
    if args.worse and not args.clips:
        parser.error("--worse shows clips otherwise: say which by --clips FOLDER")
    if args.clips:
        for line in (changed_lines if args.worse else clip_lines)(args.clips):
            print(line, flush=True)
        return
    log = Log(args.log, "watched", "pipsight")
    if args.films:
        seen = list(films("hunt", args.split, args.films, log, args.workers))
        for part in (verdict_lines, touch_lines, time_lines, worst_lines):
            print("\n".join(part(seen)))
    if args.quiet:
        count = -(-int(args.quiet) // int(QUIET_S))
        print("\n".join(quiet_lines(list(films("quiet", args.split, count, log, args.workers)))))


if __name__ == "__main__":
    main()
