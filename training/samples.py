"""Makes sample_images: rendered tables with their truth, which the demo and the tests read.

python -m training.samples sample_images
python -m training.samples sample_images --moments     only the moments of games
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board, Way
from rules.engine import replay
from rules.games import game
from rules.puzzles import problem, published
from training.arrangements import Arrangement, Lying, chain, scattered, turned
from training.games_shown import SHOWN, shown
from training.lens import looking_down
from training.look import Look
from training.render import render, staged
from training.sets import SetStyle, random_style
from training.truth import Truth

Rng = np.random.Generator

DOMINOSA_PROBLEM, MOUNTAINS_PROBLEM = "13", "1"  # published ones; see sample_images/LICENSE.md
SLIDING = {"unmatched": ("5", 43, 44), "capturing": ("6", 45, 47), "adding": ("1", 41, 50)}  # problem, two seeds


def laid(board: Board, rng: Rng, gap: float = 0.04, crooked: float = 0.015) -> Arrangement:
    """A board of cells as a person lays it on the table: a little crooked, with narrow gaps."""
    tiles = []
    for p in board.placed:
        x, y = (p.cell.col + 0.5, p.cell.row) if p.way is Way.RIGHT else (p.cell.col, p.cell.row + 0.5)
        angle = (0.0 if p.way is Way.RIGHT else 90.0) + float(rng.normal(0, 40 * crooked))
        dx, dy = rng.normal(0, crooked, 2)
        tiles.append(Lying(float(x * (1 + gap) + dx), float(y * (1 + gap) + dy), angle, p.head, p.tail))
    mx, my = (
        (max(t.x for t in tiles) + min(t.x for t in tiles)) / 2,
        (max(t.y for t in tiles) + min(t.y for t in tiles)) / 2,
    )
    return tuple(replace(t, x=t.x - mx, y=t.y - my) for t in tiles)


def swapped(board: Board, first: int, second: int) -> Board:
    """Two dominoes that have changed places: an easy slip that spoils a layout."""
    placed = list(board.placed)
    a, b = placed[first], placed[second]
    placed[first], placed[second] = replace(a, head=b.head, tail=b.tail), replace(b, head=a.head, tail=a.tail)
    return Board(tuple(placed))


def set_of(seed: int) -> SetStyle:
    """An ordinary set: white tiles, black pips, a bar and no grain, its details by the seed."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, lambda _: None)
    return replace(
        style,
        highest=6,
        base=(236.0, 240.0, 242.0),
        side=(205.0, 214.0, 220.0),
        pip_colors=((28.0, 26.0, 26.0),) * 13,
        pip_kind="cup",
        pip_radius=0.095,
        spread=0.27,
        bar="painted",
        bar_color=(60.0, 60.0, 60.0),
        bar_length=0.8,
        bar_width=0.03,
        pin=0.0,
        border=0.0,
        bevel=0.03,
        corner=0.1,
        thickness=0.34,
        gloss=0.2,
        grain=None,
        back="other",
        back_color=(70.0, 60.0, 50.0),
        aspect=1.0,
        speckle=1.5,
        empty_cups=False,
    )


def write(folder: Path, name: str, picture: tuple[NDArray[np.uint8], Truth], board: Board | None) -> None:
    image, truth = picture
    cv2.imwrite(str(folder / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    (folder / f"{name}.json").write_text(json.dumps(truth.as_json()) + "\n", encoding="utf-8")
    if board is not None:
        (folder / f"{name}.txt").write_text(f"{board}\n", encoding="utf-8")


def solution(slug: str, name: str) -> Board:
    """A published problem's solution."""
    return Board.parse(next(p.solution for p in published(slug) if p.name == name))


def before_and_after(slug: str, name: str) -> tuple[Board, Board]:
    """How a published sliding puzzle begins, and how it lies when it is solved or one slide short of an empty table."""
    played = game(slug)
    start = problem(slug, name)
    end, made = replay(played, start, next(p.moves for p in published(slug) if p.name == name))
    if not end.board.placed:
        end = start
        for move in made[:-1]:
            end = played.play(end, move)
    return start.board, end.board


def make(folder: Path) -> None:
    """All samples, from fixed seeds."""
    folder.mkdir(parents=True, exist_ok=True)
    dominosa, mountains = solution("dominosa", DOMINOSA_PROBLEM), solution("mountains", MOUNTAINS_PROBLEM)
    boards = {
        "dominosa_solved": (dominosa, 34, 60.0),
        "dominosa_spoilt": (swapped(dominosa, 5, 17), 23, 60.0),
        "mountains_solved": (mountains, 25, 75.0),
        "mountains_spoilt": (swapped(mountains, 2, 12), 23, 75.0),
    }
    for slug, (name, *seeds) in SLIDING.items():
        for when, board, seed in zip(("start", "end"), before_and_after(slug, name), seeds, strict=True):
            boards[f"{slug}_{when}"] = (board, seed, 85.0)
    for name, (board, seed, half_px) in boards.items():
        rng = np.random.default_rng(seed)
        tiles = turned(laid(board, rng), float(rng.normal(0, 6)))
        write(folder, name, staged(tiles, set_of(seed), rng, 1280, 960, half_px=half_px), board)
    loose: dict[str, tuple[Callable[[Rng, int, int, float], Arrangement], int]] = {
        "loose": (scattered, 22),
        "chain": (chain, 22),
    }
    for name, (arrange, seed) in loose.items():
        rng = np.random.default_rng(seed)
        write(
            folder,
            name,
            staged(arrange(rng, 6, 14, 5.5), set_of(seed), rng, 1280, 960, tilt_deg=15.0, half_px=52.0),
            None,
        )
    rng = np.random.default_rng(28)
    look = Look(looking_down(1280, 960, 52.0, 15.0, 0.0), set_of(28), dice=4, pawns=3, tokens=3)
    write(folder, "pieces", render(look, chain(rng, 6, 8, 5.5), rng), None)


def make_moments(folder: Path) -> None:
    """The samples of games in the middle of play, each with the text from which the game starts there."""
    folder.mkdir(parents=True, exist_ok=True)
    for slug, moment in SHOWN.items():
        state, picture = shown(slug, set_of(moment.seed))
        write(folder, slug, picture, None)
        (folder / f"{slug}.txt").write_text(f"{state}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("sample_images"))
    parser.add_argument("--moments", action="store_true", help="only the moments of games")
    args = parser.parse_args()
    if not args.moments:
        make(args.folder)
    make_moments(args.folder)


if __name__ == "__main__":
    main()
