"""The live table as a person meets it: from a tile's rest to the sentence on the page, two tables at once, memory.

    python -m benchmarks.live_page
    python -m benchmarks.live_page --moves 4 --frames 10000

Unmatched Donimoes 5 is filmed at 1280x720 and shown to a real server 30 times a second; a real browser (Debian's
chromium) follows it. A move is at rest when the hand lets go of the tile and begins to leave. Then two tables are shown
the film at the same time, and one table so many frames. These are one machine's figures: where other programs run too,
the clock tells of them as well. Ctrl-C ends it with what has been measured.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, sync_playwright

from benchmarks.following import held_mb
from pipsight.live_table import LiveTable
from pipsight.page.serving import listen
from pipsight.server import application
from pipsight.sessions import unlogged
from pipsight.sources import PAGE, SAMPLE_CHOICE
from pipsight.tables import Tables
from training.course import steadied
from training.film import RATE, Shot, Taking, film
from training.handling import COMING_S, GOING_S, OVER_S
from training.lens import looking_down
from training.sample_film import FELT, positions
from training.samples import set_of
from training.stage import Stage, shown_whole
from vision.camera import Frame
from vision.straighten import Image

AIM_MS, AIM_RATE = 400, 15
BEGUN_S, HOLD_S = 3.0, 1.5
LATE_S = COMING_S + OVER_S + GOING_S + HOLD_S


@dataclass(frozen=True)
class Shown:
    """A film in memory, and the numbers of the frames at which each move has come to rest."""

    images: tuple[Image, ...]
    rests: tuple[int, ...]


def filmed(moves: int) -> Shown:
    """The set-up and the first moves of the film that comes along, as a camera of 1280x720 sees them."""
    tables = steadied(positions())
    shots = [Shot(table, HOLD_S) for table in tables[: moves + 1]]
    middle, _, _ = shown_whole(tables)
    stage = Stage(looking_down(1280, 720, 75.0, tilt_deg=8, turn_deg=0), set_of(5), middle, bare=FELT)
    first = replace(shots[0], hold_s=BEGUN_S)
    images = tuple(frame.image for frame in film(stage, [first, *shots[1:]], 2, Taking(), RATE))
    coming, over, going, hold = (round(part * RATE) for part in (COMING_S, OVER_S, GOING_S, HOLD_S))
    each = coming + over + going + hold
    return Shown(images, tuple(round(BEGUN_S * RATE) + coming + over + k * each for k in range(moves)))


def show(table: LiveTable, images: Sequence[Image], at_s: list[float]) -> None:
    """Show a table a film in real time; at_s gets when each frame was shown."""
    began = time.time()
    for number, image in enumerate(images):
        time.sleep(max(0.0, began + number / RATE - time.time()))
        at_s.append(time.time())
        if table.pushed:
            table.pushed.show(image)


def new_table(tables: Tables) -> LiveTable:
    """A table whose camera is shown pictures."""
    return tables.add(PAGE, unlogged(SAMPLE_CHOICE))


@contextmanager
def served(tables: Tables) -> Iterator[str]:
    """A real server in a thread."""
    place = listen(0)
    server = uvicorn.Server(uvicorn.Config(application(tables, place.access), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([place.listening],))
    thread.start()
    try:
        yield place.address
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def browsed(address: str) -> Iterator[Page]:
    """A page in a real browser that notes when each sentence appeared."""
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(sandbox))
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(address)
        page.evaluate(
            """() => {
                window.said = [];
                const place = document.getElementById("happened");
                new MutationObserver(() => window.said.push([Date.now() / 1000, place.className]))
                    .observe(place, { childList: true, attributes: true });
            }"""
        )
        yield page
        browser.close()


def print_latency(moves: int) -> None:
    """From the rest of each move to its sentence on the page."""
    shown, tables = filmed(moves), Tables()
    table = new_table(tables)
    with served(tables) as address, browsed(address) as page:
        at_s: list[float] = []
        show(table, shown.images, at_s)
        page.wait_for_timeout(1000 * LATE_S)
        said = [when for when, kind in page.evaluate("window.said") if "moved" in kind]
    took = [1000 * (told - at_s[rest]) for rest in shown.rests if (told := _first_after(said, at_s[rest]))]
    tables.close()
    heard = f"median {statistics.median(took):.0f} ms, worst {max(took):.0f} ms" if took else "none was heard"
    print(
        f"rest to sentence, browser included: {heard} (aim {AIM_MS}), {len(took)} of {moves} moves",
        flush=True,
    )


def _first_after(said: Sequence[float], since_s: float) -> float | None:
    """The first sentence since a tile's rest; None where none came before the next tile was at rest."""
    return next((when for when in said if since_s <= when < since_s + LATE_S), None)


def print_two_tables() -> None:
    """How many frames a second each of two tables looks at."""
    shown, tables = filmed(3), Tables()
    both = [new_table(tables), new_table(tables)]
    shows = [threading.Thread(target=show, args=(table, shown.images, [])) for table in both]
    began, spent = time.time(), time.process_time()
    for one in shows:
        one.start()
    for one in shows:
        one.join()
    took, busy = time.time() - began, time.process_time() - spent
    rates = " and ".join(f"{table.frames_seen / took:.1f}" for table in both)
    seen = sum(table.frames_seen for table in both)
    spent_ms = 1000 * busy / seen
    print(f"two tables at once: {rates} frames a second (aim {AIM_RATE} each); {spent_ms:.0f} ms of processor a frame")
    tables.close()


def print_memory(frames: int) -> None:
    """What a table holds while it looks at many frames."""
    shown, tables = filmed(2), Tables()
    table = LiveTable("1")
    table.play(unlogged(SAMPLE_CHOICE))
    held = []
    for number in range(frames):
        table.see(Frame(shown.images[number % len(shown.images)], number / RATE), live=False)
        if number % max(1, frames // 8) == frames // 16:
            held.append(held_mb())
            print(f"\r{number} of {frames} frames", end="", flush=True)
    print(f"\r{frames} frames: held {' '.join(f'{mb:.0f}' for mb in held)} MB", flush=True)
    tables.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=8, help="moves that are timed (at most 8)")
    parser.add_argument("--frames", type=int, default=2000, help="frames over which the memory is watched")
    args = parser.parse_args()
    with suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as home:
        os.environ["PIPSIGHT_HOME"] = str(Path(home))
        print_latency(min(args.moves, 8))
        print_two_tables()
        print_memory(args.frames)


if __name__ == "__main__":
    main()
