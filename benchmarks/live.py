"""Speed and memory of a first frame: the networks loaded, nothing remembered.

    python -m benchmarks.live

Each figure is taken in a process of its own, which reads pictures rendered here: 28 tiles at 1280x720, and the same
table at 12 megapixels. These are one machine's figures; compare only what one run prints.
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

from rules.puzzles import published
from training.arrangements import Arrangement
from training.render import staged
from training.samples import laid, set_of, solution

FRAMES = {
    "1280x720, 28 tiles": (1280, 720, 44.0, 400),
    "4000x3000 (12 megapixels), 28 tiles": (4000, 3000, 180.0, 2000),
}
MOST_MB = 500
HELP_MS = 500
REPEATS = 7


def _table() -> Arrangement:
    name = next(p.name for p in published("dominosa") if len(p.solution.splitlines()) >= 13)
    return laid(solution("dominosa", name), np.random.default_rng(3))


def _picture(folder: Path, name: str, width: int, height: int, half_px: float) -> Path:
    path = folder / f"{name.split(maxsplit=1)[0].strip(',')}.jpg"
    image, _ = staged(_table(), set_of(5), np.random.default_rng(6), width, height, half_px=half_px)
    cv2.imwrite(str(path), image)
    return path


def _first_frames(path: Path) -> dict[str, float]:
    """In a fresh process: time of each first frame (a new Reader each time) and the peak of the memory."""
    from vision.picture import load
    from vision.reader import Reader

    took: list[float] = []
    tiles = 0
    for _ in range(REPEATS):
        reader = Reader()
        start = time.perf_counter()
        tiles = len(reader.read(load(path)).tiles)
        took.append(1000 * (time.perf_counter() - start))
    peak = _peak_mb()
    return {"median_ms": statistics.median(took), "worst_ms": max(took), "peak_mb": peak, "tiles": tiles}


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
    child: Path | None = parser.parse_args().child
    if child is not None:
        print(json.dumps(_first_frames(child)))
        return
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
    print(f"pipsight --help: median {_help_ms():.0f} ms (aim {HELP_MS})")


if __name__ == "__main__":
    main()
