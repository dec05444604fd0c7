"""How exact calibration is, on rendered cameras whose truth is known.

    python -m benchmarks.calibration --part guided --runs 14
    python -m benchmarks.calibration --part tiles --scenes 96
    python -m benchmarks.calibration --part drift --trials 400 --quiet-frames 10000

With --log FILE each run is kept as it comes, and a benchmark that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks import bare_table, drifting, guided
from benchmarks.log import Log
from benchmarks.scoring import wilson

PARTS = ("guided", "tiles", "drift")
Told = dict[str, Any]


def results(log: Log, part: str, jobs: Mapping[str, Callable[[], Told]]) -> Iterator[Told]:
    """What each job tells, in order; what is known already is not done again."""
    for number, (name, job) in enumerate(jobs.items(), 1):
        known = log.get(name)
        told = known[part] if known else job()
        if not known:
            log.add(name, {part: told})
        print(f"\r{part} {number}/{len(jobs)}", end="", file=sys.stderr, flush=True)
        yield told
    print(file=sys.stderr)


def show_guided(path: Path | None, runs: int, size_px: tuple[int, int]) -> None:
    """Print a line a run, then what all of them say against the aims."""
    cases = [guided.Case(number, size_px) for number in range(runs)]
    jobs = {case.name: partial(guided.lens_run, case) for case in cases}
    lenses = list(results(Log(path, "lens", "pipsight"), "lens", jobs))
    known = [(case, told) for case, told in zip(cases, lenses, strict=True) if told["lens"]]
    looks = {
        f"{case.name}, {tilt:.0f} degrees aslant": partial(guided.table_run, case, tilt, told)
        for case, told in known
        for tilt in guided.TILTS_DEG
    }
    tables = list(results(Log(path, "table", "pipsight"), "table", looks))
    print(
        f"guided at {size_px[0]}x{size_px[1]}: field, curve | lens | seconds, views | rms | table error, 95% of points"
    )
    for k, (_, told) in enumerate(known):
        lens, own = guided.lens_of(told), tables[3 * k : 3 * k + 3]
        errors = ", ".join(f"{one['error']:.2f} mm at {one['tilt']:.0f}°" for one in own)
        made = f"{told['field']:4.0f}° {told['curve']:.2f} | {lens.model} {len(lens.distortion)}"
        print(f"  {made} | {told['seconds']:.0f} s, {told['views']} | {lens.rms_px:.3f} px | {errors}")
    print(f"  no lens came of {len(lenses) - len(known)} of {len(lenses)} runs")
    if known:
        _against_aims(known, tables)


def _against_aims(known: list[tuple[guided.Case, Told]], tables: list[Told]) -> None:
    errors = np.array([one["error"] for one in tables])
    spent = max(told["seconds"] for _, told in known) + max(one["seconds"] for one in tables)
    missed = max(told["lens"]["rms_px"] for _, told in known)
    print(f"  table error: median {np.median(errors):.2f} mm, worst {errors.max():.2f} mm (aim 1)")
    print(f"  lens and table together took at most {spent:.0f} s (aim 60); rms at most {missed:.3f} px (aim 0.3)")


def show_tiles(path: Path | None, runs: int) -> None:
    """Print how exact tables are that dominoes alone gave."""
    jobs = {f"scene {number}": partial(bare_table.found, number) for number in range(runs)}
    done = list(results(Log(path, "tiles", "pipsight"), "tiles", jobs))
    print("dominoes alone, as the wizard sees them; error of 95% of 60 x 40 cm: median, 95% of scenes, worst")
    for key, words, unit, aim in (
        ("lens", "length given, lens known", "mm", 3.0),
        ("none", "length given, no lens", "mm", 3.0),
        ("lens shape", "shape alone, lens known", "% of the width", 0.5),
        ("none shape", "shape alone, no lens", "% of the width", 0.5),
    ):
        errors = np.array([told[key] for told in done]) / (1 if unit == "mm" else 6)
        middle, most = np.percentile(errors, (50, 95))
        kept = wilson(int((errors <= aim).sum()), len(errors))
        print(f"  {words:26} {middle:.2f}, {most:.2f}, {errors.max():.2f} {unit}; within {aim:g}: {kept}")
        aslant = np.array([told["tilt"] for told in done])
        each = [(tilt, errors[aslant == tilt] <= aim) for tilt in sorted(set(aslant))]
        print("    " + ", ".join(f"{own.sum()} of {len(own)} at {tilt:.0f} degrees" for tilt, own in each))


def show_drift(path: Path | None, runs: int, quiet_frames: int) -> None:
    """Print how many nudges were noticed within a second, and how many quiet frames raised an alarm."""
    trials = {f"nudge {number}": partial(drifting.nudged, number) for number in range(runs)}
    done = list(results(Log(path, "nudge", "pipsight"), "nudge", trials))
    rests = range(max(1, quiet_frames // drifting.QUIET_RUN))
    calm = {f"quiet {number}": partial(drifting.quiet, number) for number in rests}
    rested = list(results(Log(path, "quiet", "pipsight"), "quiet", calm))
    noticed = [told["seconds"] for told in done if told["seconds"]]
    early = sum(bool(told["early"]) for told in done)
    print(f"a drift of 2 mm or 0.5 degrees: noticed within a second {wilson(len(noticed), len(done))} (aim 99%)")
    print(f"  after {np.median(noticed):.1f} s (median); {early} trials had an alarm before the nudge")
    frames, alarms, covered = (sum(told[key] for told in rested) for key in ("frames", "alarms", "covered"))
    print(f"quiet frames with hands passing: {alarms} alarms in {frames} (aim 0); {covered} were too covered to judge")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated")
    parser.add_argument("--runs", type=int, default=14, help="guided runs")
    parser.add_argument("--scenes", type=int, default=96, help="tables of dominoes alone")
    parser.add_argument("--trials", type=int, default=400, help="nudges")
    parser.add_argument("--quiet-frames", type=int, default=10_000)
    parser.add_argument("--size", type=int, nargs=2, default=(960, 540), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--log", type=Path, help="keep each run in this file, and go on from it")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    for part in args.part or PARTS:
        if part == "guided":
            show_guided(args.log, args.runs, (args.size[0], args.size[1]))
        elif part == "tiles":
            show_tiles(args.log, args.scenes)
        else:
            show_drift(args.log, args.trials, args.quiet_frames)


if __name__ == "__main__":
    main()
