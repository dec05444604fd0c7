"""What hands do over single tiles, cut out of rendered films: close-ups frame by frame, and who touches when.

python -m training.touches FOLDER --films 2000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.table import TableSide
from training.grabs import GrabFilm, quiet, random_grabs
from training.surfaces import LEARNING
from vision.hands.closeup import SIZE, View
from vision.hands.touches import usual_length
from vision.layout.seats import SIDES

Rng = np.random.Generator
Bytes = NDArray[np.uint8]

RATES = (18.0, 31.0)  # frames a second
QUIET, QUIET_S = 8, 8.0  # one film in so many is quiet, for so long
BESIDE = 3  # tiles that nobody touches, of each film, with hands over them
HAPPENS = 14.0  # grey levels by which a tile looks otherwise when a hand is over it
QUALITY = 95
NOWHERE = (-1000.0, -1000.0, 0.0)


@dataclass(frozen=True, eq=False)
class Watched:
    """One tile in one film.

    strip: its close-ups as one JPEG, the still one first and then frame by frame. tile: its corners there, in pixels.
    middle, length, size_px: where it lies in a picture of which size, as of closeup.View. touched: when a hand of
    each side touches it, in frames since the first; unclear: sides whose hand has another finger on it. tips: where
    the fingertip of each side's arm is, frame by frame (n, 3): in pixels there, and how many millimetres above the
    tiles; far off the picture where there is none.
    """

    strip: bytes
    tile: NDArray[np.float64]
    view: View
    size_px: tuple[int, int]
    touched: dict[TableSide, float]
    unclear: tuple[TableSide, ...]
    tips: dict[TableSide, NDArray[np.float64]]

    def closeups(self) -> Bytes:
        """(n, 108, 108, 3): the still one, then the frames."""
        strip = cv2.imdecode(np.frombuffer(self.strip, np.uint8), cv2.IMREAD_COLOR)
        return np.asarray(strip, np.uint8).reshape(-1, SIZE, SIZE, 3)


def watched(number: int, seed: int) -> Iterator[Watched]:
    """The tiles of one film about which anything happens."""
    rng = np.random.default_rng((seed, number))
    rate, film_seed = float(rng.uniform(*RATES)), int(rng.integers(2**31))
    still = number % QUIET == QUIET - 1
    film = quiet(film_seed, rate, QUIET_S, LEARNING) if still else random_grabs(film_seed, rate, LEARNING)
    height, width = film.still.shape[:2]
    length = usual_length(film.places)
    views = [View((float(x), float(y)), length) for x, y in np.array(film.places).mean(axis=1)]
    seen = [[view.see(film.still) for view in views]]
    seen += [[view.see(frame.image) for view in views] for frame in film.frames()]
    for place in _chosen(film, np.array(seen), rng):
        strip = np.concatenate([closeups[place] for closeups in seen])
        jpeg = cv2.imencode(".jpg", strip, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        corners = views[place].onto(film.places[place])
        touches = [(g.side, g.contact_s) for g in film.grabs if g.place == place and g.contact_s is not None]
        touched: dict[TableSide, float] = {}
        for side, when in touches:
            touched.setdefault(_side(side), when * rate)
        unclear = tuple(_side(g.side) for g in film.grabs if place in g.also)
        tips = _tips(film, views[place], len(seen) - 1)
        yield Watched(jpeg, corners, views[place], (width, height), touched, unclear, tips)


def _tips(film: GrabFilm, here: View, count: int) -> dict[TableSide, NDArray[np.float64]]:
    """Where the fingertips of each side's arms are, frame by frame, the one nearest to the tile's middle."""
    view, size = film.shooting.hunted.view, np.array(film.still.shape[1::-1], float)
    times = np.arange(count) / film.rate
    found: dict[TableSide, list[NDArray[np.float64]]] = {}
    for moved in film.shooting.arms:
        if not moved.arm.sheet.ghost:
            points = moved.way.at(times)
            seen = here.onto(view.project(points + [0.0, 0.0, view.face_mm]))
            tip = np.column_stack([seen, points[:, 2]])
            tip[times < moved.way.start_s] = NOWHERE
            elbow = view.project([[*moved.elbow_mm, 0.0]])[0]
            beyond = (elbow[1] - size[1], -elbow[0], -elbow[1], elbow[0] - size[0])  # in the order of SIDES
            found.setdefault(SIDES[int(np.argmax(beyond))], []).append(tip)
    return {side: _nearest(np.array(tips)) for side, tips in found.items()}


def _nearest(tips: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of some fingertips (arms, frames, 3) in each frame the one nearest to the middle of the close-up."""
    far = np.hypot(*(tips[..., :2] - SIZE / 2).transpose(2, 0, 1))
    return np.asarray(np.take_along_axis(tips, far.argmin(axis=0)[None, :, None], axis=0)[0], np.float64)


def _side(word: str) -> TableSide:
    return next(side for side in SIDES if side == word)


def _chosen(film: GrabFilm, seen: Bytes, rng: Rng) -> list[int]:
    """Tiles that are hunted or touched, and some more that hands come over; seen: (frames, tiles, rows, cols, 3)."""
    told = {film.target} if film.grabs else set[int]()
    told |= {place for grab in film.grabs for place in (grab.place, *grab.also) if place is not None}
    middle = slice(SIZE // 2 - SIZE // 8, SIZE // 2 + SIZE // 8)
    light = seen[:, :, middle, middle].mean(axis=(2, 3))
    stirs = abs(light - light[:1]).max(axis=(0, 2)) > HAPPENS
    more = [k for k in np.flatnonzero(stirs).tolist() if k not in told]
    return sorted(told | {more[k] for k in rng.permutation(len(more))[:BESIDE]})


def _write(folder: Path, number: int, seed: int) -> None:
    """One film: a strip for each tile, and last, at once, what happens there."""
    cv2.setNumThreads(1)
    lines = []
    for k, one in enumerate(watched(number, seed)):
        name = f"{number:06}_{k}.jpg"
        (folder / name).write_bytes(one.strip)
        seen = {"middle": one.view.middle, "length": one.view.length}
        tips = {side: np.round(tip, 1).tolist() for side, tip in one.tips.items()}
        sides = {"touched": one.touched, "unclear": one.unclear, "tips": tips}
        lines.append(json.dumps({"strip": name, "tile": one.tile.tolist(), **seen, "size_px": one.size_px, **sides}))
    draft = folder / f"film{number:06}.draft"
    draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    draft.replace(folder / f"film{number:06}.jsonl")


def make(folder: Path, films: int, seed: int, workers: int) -> None:
    """Film so many hunts; those that are already there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    todo = [k for k in range(films) if not (folder / f"film{k:06}.jsonl").exists()]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_write, folder, k, seed) for k in todo]
        for done, job in enumerate(jobs, 1):
            job.result()
            print(f"\r{done} of {len(jobs)} films", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def load(folder: Path) -> Iterator[Watched]:
    """Every tile of the films that are complete."""
    for listing in sorted(folder.glob("film*.jsonl")):
        yield from load_film(listing)


def load_film(listing: Path) -> Iterator[Watched]:
    """Every tile of a film, by its list."""
    for line in listing.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        (x, y), (width, height) = told["middle"], told["size_px"]
        view, tile = View((x, y), told["length"]), np.array(told["tile"])
        strip = listing.with_name(told["strip"]).read_bytes()
        tips = {_side(word): np.array(tip, np.float64).reshape(-1, 3) for word, tip in told["tips"].items()}
        sides = told["touched"], tuple(told["unclear"]), tips
        yield Watched(strip, tile, view, (width, height), *sides)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--films", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    make(args.folder, args.films, args.seed, args.workers)


if __name__ == "__main__":
    main()
