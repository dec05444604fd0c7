"""Cobra Paw as people meet it: from a finger on the target to the verdict, and to the lights, in real time.

    python -m benchmarks.live_hunt --hunts 8

Hunts of two players are filmed at 1280x720 and shown to a real server 30 times a second; a real browser (Debian's
chromium) follows them, and the controller's real program runs on a simulated chip, whose strip is watched. These are
one machine's figures: where other programs run too, the clock tells of them as well.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live_page import browsed, served
from benchmarks.simulated import Lit, SimulatedBoard
from pipsight.config import Lights
from pipsight.live_table import LiveTable
from pipsight.sessions import Choice, unlogged
from pipsight.sources import PAGE
from pipsight.tables import Tables
from training.hunt_course import HuntCourse
from vision.camera import Frame

AIM_MS, LIT_AIM_MS = 250, 260
VERDICTS = ("was_first", "too_close")
BETWEEN_S = 1.0  # the lights have come to rest before the next hunt is shown
SEED, MOST = 5, 11  # two players take at most six and five dominoes


@dataclass
class Hearing:
    """Notes each verdict and the moment at which it was told, by time.monotonic."""

    verdicts: list[tuple[str, float]] = field(default_factory=list)

    def told(self, event: dict[str, Any]) -> None:
        """An event of the table."""
        if event["event"] in VERDICTS:
            self.verdicts.append((event["event"], time.monotonic()))

    def shown(self, view: dict[str, Any]) -> None:
        """How the table stands is not looked at."""

    def pictured(self, number: int) -> None:
        """Nor are pictures."""


def shown(table: LiveTable, frames: Sequence[Frame]) -> float:
    """Show a table a film in real time; when it began, by time.monotonic."""
    began_s = time.monotonic()
    for frame in frames:
        due_s = began_s + frame.time_s - frames[0].time_s
        time.sleep(max(0.0, due_s - time.monotonic()))
        if table.pushed:
            table.pushed.show(frame.image)
    time.sleep(BETWEEN_S)
    return began_s


def lit_s(board: SimulatedBoard, since_s: float) -> float | None:
    """When the strip first showed another picture than before some moment."""
    pictures = board.all(Lit)
    before = [one.colors for one in pictures if one.at_s < since_s][-1:]
    return next((one.at_s for one in pictures if one.at_s >= since_s and [one.colors] != before), None)


def measured(count: int, home: Path) -> Iterator[tuple[str, float, float | None]]:
    """Hunt by hunt: what was told, so many seconds after the first touch, and the strip after how many."""
    course, hearing, tables = HuntCourse(2, SEED, hunts=count, racing=1), Hearing(), Tables()
    table = tables.add(PAGE, unlogged(Choice("cobra_paw", players=2)))
    table.join(hearing)
    with SimulatedBoard(home) as board, served(tables) as address, browsed(address):
        table.light(Lights(True, board.port))
        for film in course.films():
            frames, told = list(film), len(hearing.verdicts)
            began_s = shown(table, frames)
            touch_s = began_s + course.told[-1].contacts_s[0] - frames[0].time_s
            for word, at_s in hearing.verdicts[told : told + 1]:
                strip_s = lit_s(board, at_s)
                yield word, at_s - touch_s, None if strip_s is None else strip_s - touch_s
    tables.close()


def line(words: str, values: Sequence[float], aim_ms: int) -> str:
    """The middle and the 95th percentile of some seconds."""
    middle, most = np.percentile(values, (50, 95)) * 1000 if len(values) else (np.nan, np.nan)
    return f"{words}: median {middle:.0f} ms, 95th percentile {most:.0f} ms (aim {aim_ms}), {len(values)} verdicts"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hunts", type=int, default=8, help=f"hunts that are timed (at most {MOST})")
    hunts = min(parser.parse_args().hunts, MOST)
    with tempfile.TemporaryDirectory() as home:
        os.environ["PIPSIGHT_HOME"] = home
        verdicts = list(measured(hunts, Path(home)))
    print(f"{hunts} hunts, {len(verdicts)} verdicts: {', '.join(word for word, *_ in verdicts)}")
    print(line("finger to verdict, page running", [told for _, told, _ in verdicts], AIM_MS))
    print(line("finger to lights", [strip for *_, strip in verdicts if strip is not None], LIT_AIM_MS))


if __name__ == "__main__":
    main()
