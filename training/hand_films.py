"""Moments of films with arms over a table, and where the arms are in them: what the network of hands learns from.

python -m training.hand_films FOLDER --count 900

Each film is two pictures: its moments one above the other, the first without any arm, and as high again the arms white.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.grabs import GrabFilm, quiet, random_grabs
from training.overhead import Pose, paint_arm
from training.shooting import MOMENTS
from vision.straighten import Image

Rng = np.random.Generator

SPLIT = "tuning"  # the other one is for judging
WIDTH, HEIGHT = 512, 288
SHOWN = 10  # moments of a film
QUIET, QUIET_S = 0.4, 8.0  # how many films show hands that touch nothing, and how long those are


@dataclass(frozen=True, eq=False)
class HandFilm:
    """Pictures (n, h, w, 3) of one table, the first without arms, and where arms are in them (n, h, w), 255 there."""

    pictures: NDArray[np.uint8]
    arms: NDArray[np.uint8]


def filmed(seed: int) -> HandFilm:
    """Some moments of a film, chosen where arms are in the picture."""
    rng = np.random.default_rng((seed, 61))
    film = quiet(seed, 30.0, QUIET_S, SPLIT) if rng.random() < QUIET else random_grabs(seed, 30.0, SPLIT)
    moments = list(_moments(film, rng))
    small = [_small(picture) for picture in (film.still, *(picture for picture, _ in moments))]
    arms = [np.zeros((HEIGHT, WIDTH), np.uint8), *(_small(arms) for _, arms in moments)]
    return HandFilm(np.stack(small), np.stack(arms))


def _moments(film: GrabFilm, rng: Rng) -> Iterator[tuple[Image, Image]]:
    busy = [moved.way for moved in film.shooting.arms]
    for _ in range(SHOWN):
        way = busy[int(rng.integers(len(busy)))] if busy else None
        low, high = (way.start_s, way.end_s) if way else (0.0, film.seconds)
        time_s = float(rng.uniform(max(0.05, low), max(0.1, min(high, film.seconds))))
        yield film.shooting.picture(time_s), arms_of(film, time_s)


def arms_of(film: GrabFilm, time_s: float) -> Image:
    """Where arms are in the frame of a time, (h, w), 255 there and less where they are blurred."""
    shooting = film.shooting
    view = shooting.hunted.view
    times = time_s - shooting.exposure_s * np.linspace(1, 0, MOMENTS)
    white = np.zeros_like(shooting.hunted.picture)
    for moved in shooting.arms:
        if moved.way.start_s < time_s:
            paint_arm(white, view, _whitened(moved.pose(times, view.face_mm)))
    return np.asarray(white[..., 0])


def _whitened(pose: Pose) -> Pose:
    alpha = pose.sheet.picture[..., 3]
    return replace(pose, sheet=replace(pose.sheet, picture=np.stack([alpha] * 4, axis=2)))


def _small(picture: Image) -> Image:
    return np.asarray(cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _paths(folder: Path, number: int) -> tuple[Path, Path]:
    return folder / f"film{number:05d}.jpg", folder / f"film{number:05d}.png"


def load(folder: Path) -> list[Path]:
    """The films of a folder that are there already, in their order."""
    return [path for path in sorted(folder.glob("film*.jpg")) if path.with_suffix(".png").exists()]


def read(path: Path) -> HandFilm:
    """One of the films that `load` gives."""
    pictures = np.asarray(cv2.imread(str(path)), np.uint8)
    arms = np.asarray(cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE), np.uint8)
    return HandFilm(pictures.reshape(-1, HEIGHT, WIDTH, 3), arms.reshape(-1, HEIGHT, WIDTH))


def write(folder: Path, number: int, seed: int) -> None:
    """Render one film, unless it is there."""
    pictures, arms = _paths(folder, number)
    if arms.exists():
        return
    film = filmed(seed)
    cv2.imwrite(str(pictures), film.pictures.reshape(-1, WIDTH, 3), [cv2.IMWRITE_JPEG_QUALITY, 95])
    draft = arms.with_suffix(".draft.png")
    cv2.imwrite(str(draft), film.arms.reshape(-1, WIDTH))
    draft.replace(arms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=900)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.count):
        write(args.folder, number, 500_000 + number)
        print(f"\r{number + 1 - args.first} of {args.count} films", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
