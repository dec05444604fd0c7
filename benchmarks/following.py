"""What following a table costs frame by frame, stage by stage, and what many frames bring over one."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.frames import Camera, Reaching, filmed, grains, taken
from benchmarks.pictures import label_of
from benchmarks.reliability import Judged
from benchmarks.scoring import Label, Tally, judged, score
from training.arrangements import Arrangement
from training.render import staged
from training.samples import set_of
from vision.assignment import assign
from vision.following.portraits import Portraits
from vision.following.sighting import levels_of, look_again, sighted
from vision.motion import Backdrop, working
from vision.pips import PipReader
from vision.reader import Reader
from vision.scene import Scene
from vision.steady import Steady
from vision.straighten import Image

HARD = Camera(noise=14.0, flicker=0.02, drift=0.15, jpeg=60)
FUSED = 20  # frames of one noisy scene
HIGHEST = 6  # of the boards' set
DARK = 0.35  # of its light a board is shown in, to be hard to read


@dataclass
class Times:
    """How long something took each time, in milliseconds: by the clock, and of processor time."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def add(self, work: Callable[[], object]) -> None:
        """Do it once, and time it."""
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        self.wall.append(1000 * (time.perf_counter() - wall))
        self.cpu.append(1000 * (time.process_time() - cpu))

    def __str__(self) -> str:
        (middle, most), (cpu, cpu_most) = (np.percentile(v, (50, 99)) for v in (self.wall, self.cpu))
        return f"median {middle:.1f} ms, 99th percentile {most:.1f} ms (processor {cpu:.1f} and {cpu_most:.1f} ms)"


def stages(still: Image) -> Iterator[tuple[str, Times]]:
    """What each step of one frame takes, on its own."""
    steady, reader, camera = Steady(), PipReader(), filmed(still, Camera(), np.random.default_rng(1))
    frame = next(camera)
    tiles = [sighted(t, 0) for t in steady.see(frame).tiles]
    portraits, backdrop = Portraits(), Backdrop()
    for one in tiles:
        portraits.add(working(frame), one.corners * working(frame).shape[1] / frame.shape[1])
    levels = levels_of(frame)
    steps: dict[str, Callable[[Image], object]] = {
        "shrink": working,
        "table compared": backdrop.see,
        "tiles compared": lambda f: portraits.unlike(working(f)),
        "halvings": levels_of,
        "one look": lambda _: look_again(levels, tiles[:1], reader),
    }
    for name, step in steps.items():
        yield name, _timed(step, islice(camera, 20))
    yield "full read", _timed(Reader().read, islice(camera, 3))


def _timed(step: Callable[[Image], object], frames: Iterator[Image]) -> Times:
    times = Times()
    for frame in frames:
        times.add(lambda frame=frame: step(frame))  # type: ignore[misc]
    return times


def followed(still: Image, count: int, *, hand: bool) -> tuple[Times, list[float]]:
    """The times of `count` frames after the first, and the memory held in MB at ten moments of them."""
    rng = np.random.default_rng(2)
    steady, camera, held = Steady(), Camera(), []
    times, noise = Times(), grains(still.shape, camera, rng)
    over = Reaching(still.shape[1], still.shape[0], rng)
    steady.see(still)
    for k in range(count):
        frame = taken(over.over(still, k) if hand else still, camera, noise, rng, k)
        times.add(lambda frame=frame, k=k: steady.see(frame, k / 30))  # type: ignore[misc]
        if (k + 1) % max(1, count // 10) == 0:
            held.append(held_mb())
            print(f"\r{k + 1} of {count} frames", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return times, held


def held_mb() -> float:
    """The memory this process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@dataclass
class Gain:
    """Boards read from one frame and from many, without and with their set: counts, and how sure each reading was."""

    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    readings: dict[str, list[Judged]] = field(default_factory=lambda: defaultdict(list))

    def add(self, label: Label, scenes: Sequence[Scene], highest: int) -> None:
        """Count one board: its first scene and its last, and both read by someone who knows the set."""
        for frames, scene in (("one frame", scenes[0]), (f"{FUSED} frames", scenes[-1])):
            self._count(frames, label, scene)
            self._count(f"{frames}, the set known", label, assign(scene, highest))

    def _count(self, name: str, label: Label, scene: Scene) -> None:
        self.tallies[name].n += score(label, scene.tiles)
        self.readings[name] += [Judged(t.confidence, right, t.doubtful) for t, right in judged(label, scene.tiles)]

    def lines(self) -> Iterator[str]:
        """The comparison as text."""
        for name, tally in self.tallies.items():
            yield f"{name}: " + " ".join(line.strip() for line in tally.lines())
            yield f"  mean surprise {surprise(self.readings[name]):.4f} (nats a reading; smaller is better calibrated)"


def surprise(readings: Sequence[Judged]) -> float:
    """How surprising right and wrong are on average, by the confidence they came with (the logarithmic score)."""
    p = np.clip([r.confidence if r.right else 1 - r.confidence for r in readings], 1e-4, 1)
    return float(-np.log(p).mean()) if readings else 0.0


def boards(arrange: Callable[[np.random.Generator], Arrangement], count: int) -> Gain:
    """`count` boards, each by another set, light and noise: one frame of each, and FUSED of them."""
    gain, steady = Gain(), Steady()
    for k in range(count):
        rng = np.random.default_rng((77, k))
        still, truth = staged(arrange(rng), set_of(k), rng, half_px=44.0, turn_deg=float(rng.uniform(0, 360)))
        label = label_of(f"board {k}", truth)
        dim = (still * rng.uniform(DARK, 1)).astype(np.uint8)
        steady.reset()
        scenes = [steady.see(frame) for frame in islice(filmed(dim, HARD, rng), FUSED)]
        gain.add(label, scenes, HIGHEST)
        print(f"\r{k + 1} of {count} boards", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return gain
