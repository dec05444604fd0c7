"""Makes the film that pipsight plays where there is no camera: a published puzzle from its set-up to its end.

python -m training.sample_film sample_images/unmatched_play.mp4
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from rules.board import Board
from rules.engine import replay
from rules.games import game
from rules.puzzles import problem, published
from rules.table import Table
from training.course import steadied
from training.film import Shot, Taking, film
from training.lens import looking_down
from training.samples import set_of
from training.stage import Stage, shown_whole
from vision.camera import Frame

GAME, PROBLEM = "unmatched", "5"
WIDTH, HEIGHT, HALF_PX = 720, 404, 42.0
RATE = 10.0
FELT = (74.0, 98.0, 52.0)  # blue, green, red
TAKING = Taking(noise=0.0, drift=0.0, exposes=0.0, balances=0.0)  # grain and grained wood would make the file large


def course() -> tuple[Shot, ...]:
    """The puzzle as somebody may play it: a tile forgotten, a move taken back, a move that is not allowed."""
    tables = steadied(positions())
    first, *rest = tables
    shots = [Shot(_without_last(first), 2.0), Shot(first, 2.5)]
    for number, table in enumerate(rest, 1):
        shots.append(Shot(table, 1.1, shadow=number == 6))
        if number == 2:
            shots += [Shot(tables[1], 1.1), Shot(table, 1.1)]
        if number == 4:
            shots += [Shot(_without_last(table), 3.2), Shot(table, 1.1)]
    return (*shots[:-1], Shot(rest[-1], 3.0))


def positions() -> Iterator[Table]:
    """The puzzle's positions from its start to its end, by the printed solution."""
    rules: Any = game(GAME)
    state = problem(GAME, PROBLEM)
    moves = next(one.moves for one in published(GAME) if one.name == PROBLEM).split(", ")
    for move in ("", *moves):
        state, _ = replay(rules, state, move)
        yield rules.diagram(state).table


def _without_last(table: Table) -> Table:
    return Table(Board(table.board.placed[:-1]))


def frames() -> Iterator[Frame]:
    """The pictures of the film."""
    shots = course()
    middle, _, _ = shown_whole([shot.table for shot in shots])
    lens = looking_down(WIDTH, HEIGHT, HALF_PX, tilt_deg=8, turn_deg=0)
    return film(Stage(lens, set_of(5), middle, bare=FELT), shots, seed=2, taking=TAKING, rate=RATE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="the film to write (.mp4)")
    path = parser.parse_args().path
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (WIDTH, HEIGHT))
    for number, frame in enumerate(frames(), 1):
        writer.write(frame.image)
        print(f"\r{number} frames", end="", flush=True)
    writer.release()
    print(f", {path.stat().st_size / 1000:.0f} kB in {path}")


if __name__ == "__main__":
    main()
