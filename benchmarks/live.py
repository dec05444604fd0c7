"""Speed and memory of a first frame and of the frames that follow, and what many frames bring over one.

    python -m benchmarks.live
    python -m benchmarks.live --frames 10000 --boards 200

Each first frame is taken in a process of its own, which reads pictures rendered here: 28 tiles at 1280x720, and the
same table at 12 megapixels. Then 28 tiles are followed: stage by stage, lying still, with a hand moving over them, and
at 1920x1080. These are one machine's figures; compare only what one run prints: where other programs run at the same
time, the processor time says more than the clock. --boards K: 28 tiles in bad light, with noise, K times.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.following import boards, followed, stages
from rules.board import Board
from rules.puzzles import published
from training.arrangements import Arrangement
from training.render import staged
from training.samples import laid, set_of, solution

FRAMES = {
    "1280x720, 28 tiles": (1280, 720, 44.0, 250),
    "4000x3000 (12 megapixels), 28 tiles": (4000, 3000, 180.0, 2000),
}
FOLLOWED = {"1280x720": (1280, 720, 44.0), "1920x1080": (1920, 1080, 66.0)}
MOST_MB = 500
HELP_MS = 500
REPEATS = 7


def whole_board() -> Board:
    """A published solution of 28 dominoes."""
    return solution("dominosa", next(p.name for p in published("dominosa") if len(p.solution.splitlines()) >= 13))


def _table() -> Arrangement:
    return laid(whole_board(), np.random.default_rng(3))


def _picture(folder: Path, name: str, width: int, height: int, half_px: float) -> Path:
    path = folder / f"{name.split(maxsplit=1)[0].strip(',')}.jpg"
    image, _ = staged(_table(), set_of(5), np.random.default_rng(6), width, height, half_px=half_px)
    cv2.imwrite(str(path), image)
    return path


def _first_frames(path: Path) -> dict[str, float]:
    """In a fresh process: time of each first frame (a new Reader each time) and the peak of the memory."""
    from vision.picture import load
    from vision.reader import Reader

    took, tiles = list[float](), 0
    for _ in range(REPEATS):
        reader = Reader()
        start = time.perf_counter()
        tiles = len(reader.read(load(path)).tiles)
        took.append(1000 * (time.perf_counter() - start))
    return {
        "median_ms": statistics.median(took),
        "worst_ms": max(took),
        "peak_mb": _peak_mb(),
        "tiles": tiles,
    }


def _peak_mb() -> float:
    """The most memory this process has held; getrusage on Linux would count the parent's at the fork as well."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(one for one in status.read_text(encoding="utf-8").splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _help_ms() -> float:
    took = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "pipsight", "--help"], check=True, stdout=subprocess.DEVNULL)
        took.append(1000 * (time.perf_counter() - start))
    return statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--frames", type=int, default=300, help="frames followed in each setting")
    parser.add_argument("--boards", type=int, default=0, help="noisy boards read from one frame and from many")
    args = parser.parse_args()
    if args.child is not None:
        print(json.dumps(_first_frames(args.child)))
        return
    _print_first_frames()
    print(f"pipsight --help: median {_help_ms():.0f} ms (aim {HELP_MS})")
    _print_following(args.frames)
    if args.boards:
        print(f"{args.boards} boards of 28 tiles in bad light, with noise")
        for line in boards(lambda rng: laid(whole_board(), rng), args.boards).lines():
            print(f"  {line}")


def _print_first_frames() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, OpenCV {cv2.__version__}, {REPEATS} first frames each")
    with tempfile.TemporaryDirectory() as folder:
        for name, (width, height, half_px, most) in FRAMES.items():
            path = _picture(Path(folder), name, width, height, half_px)
            run = subprocess.run(
                [sys.executable, "-m", "benchmarks.live", "--child", str(path)],
                check=True,
                capture_output=True,
                text=True,
            )
            seen = json.loads(run.stdout)
            print(
                f"{name}: median {seen['median_ms']:.0f} ms (aim {most}), worst {seen['worst_ms']:.0f} ms, "
                f"peak {seen['peak_mb']:.0f} MB (aim {MOST_MB}), {seen['tiles']} tiles found"
            )


def _print_following(count: int) -> None:
    """Frames after the first: what they take and hold, lying still, under a hand, and in a larger picture."""
    print(
        f"28 tiles followed over {count} frames (aims: still, median 33 ms; hand, 99th percentile 60 ms; memory flat)"
    )
    middles = {}
    for name, (width, height, half_px) in FOLLOWED.items():
        still, _ = staged(_table(), set_of(5), np.random.default_rng(6), width, height, half_px=half_px)
        for stage, times in stages(still):
            print(f"  {name}, {stage}: {times}")
        for hand in (False, True):
            times, held = followed(still, count, hand=hand)
            middles[name, hand] = float(np.median(times.cpu))
            print(f"  {name}, {'a hand moving' if hand else 'still'}: {times}; held {_held(held)}")
    one, other = FOLLOWED
    print(f"  {other} takes {middles[other, False] / middles[one, False]:.2f} times as long as {one} (aim 1.5)")


def _held(megabytes: list[float]) -> str:
    return " ".join(f"{mb:.0f}" for mb in megabytes) + " MB"


if __name__ == "__main__":
    main()
