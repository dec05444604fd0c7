"""Short strips of one tile under a hand, with the moment at which a finger of that hand comes to rest on it.

python -m training.touches FOLDER --tables 200
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.arms import Arm, random_arm
from training.grabs import changing, shooting_of
from training.hunted import SIZE, Hunted, random_hunted
from training.hunting import TOUCHING, WAITS, Grab, Hunt
from training.idling import idle
from training.overhead import FINGER_MM
from training.shooting import Moved, Shooting
from vision.camera import Frame
from vision.contact import AGES, FRAMES, SPAN, Spot
from vision.straighten import Image

Rng = np.random.Generator
Points = NDArray[np.float64]
Floats = NDArray[np.float32]

RATE = (27.0, 33.0)
HUNTS, IDLES, ARMS = 8, 3, 6  # over each table, and how many arms take part in the hunts
BEFORE_S, LONGEST_S, AFTER_S, POISED_S = 0.52, 0.7, 0.45, 0.25
OVER = 0.75  # tile lengths about a tile within which a fingertip is over it
IDLE_S = 9.0
SWUNG, SHIFTED, SCALED = 0.2, 0.03, 0.05  # how far spots are off: radians, tile lengths, a share
TWICE = 2  # spots of each hand that touches


@dataclass(frozen=True, eq=False)
class Strip:
    """Patches of a tile (n, 48, 48, 3) at their times, beside the still one and where it lies in it.

    contact_s: when a finger of the hand from below came to rest on it, None where none did.
    """

    patches: NDArray[np.uint8]
    times_s: Points
    still: Image
    lies: Image
    contact_s: float | None


@dataclass(frozen=True, eq=False)
class Visit:
    """A hand that is over a tile for some time, and when it touches it."""

    moved: Moved
    contact_s: float | None
    span_s: tuple[float, float]


def moment_of(age: float) -> Floats | None:
    """What the network should say of a contact so many frames before the newest one; None where nobody can tell."""
    told = np.zeros(AGES + 1, np.float32)
    if not 0.5 <= age < AGES + 1.5:
        told[0] = 1.0
        return told
    if age > AGES + 0.5:
        return None
    at = float(np.clip(age, 1.0, AGES))
    low = min(int(at), AGES - 1)
    told[low], told[low + 1] = low + 1 - at, at - low
    return told


def strips(seed: int, split: str) -> Iterator[Strip]:
    """Every strip of some hunts and some idle hands over one table."""
    rng = np.random.default_rng((seed, 31))
    hunted = random_hunted(rng, split)
    arms = [random_arm(rng, split, TOUCHING, hunted.view.px_per_mm) for _ in range(ARMS)]
    for _ in range(HUNTS):
        yield from _of_hunt(rng, split, hunted, arms)
    for _ in range(IDLES):
        yield from _of_idle(rng, split, hunted)


class _Rehearsed(Hunt):
    """A hunt whose arms are drawn from a few, because making one costs as much as a strip."""

    arms: Sequence[Arm] = ()

    def arm(self, kinds: Sequence[str]) -> Arm:
        fitting = [one for one in self.arms if one.kind in kinds] or [super().arm(kinds)]
        return fitting[int(self.rng.integers(len(fitting)))]


def _of_hunt(rng: Rng, split: str, hunted: Hunted, arms: Sequence[Arm]) -> Iterator[Strip]:
    hunt = _Rehearsed(rng, split, hunted, int(rng.integers(2, 5)), WAITS)
    hunt.arms = arms
    reaches, carried = hunt.played()
    seconds = max(one.done_s for one in reaches) + 0.05
    moving = tuple(one.moved for one in reaches)
    shot = replace(shooting_of(rng, hunted, moving, 30.0, seconds, int(rng.integers(2**31))), carried=carried)
    done = [(one.moved, one.grab) for one in reaches]
    for place in sorted({place for one in reaches for place in _places(rng, hunted, one.moved, one.grab)}):
        yield from _strips_of(rng, shot, place, _visits(hunted, place, done))


def _of_idle(rng: Rng, split: str, hunted: Hunted) -> Iterator[Strip]:
    going_on = idle(rng, split, hunted, IDLE_S)
    shot = shooting_of(rng, hunted, going_on.arms, 30.0, IDLE_S, int(rng.integers(2**31)))
    shot = replace(shot, light=changing(rng, IDLE_S), rolled=going_on.rolled)
    for moved in going_on.arms:
        for place in _places(rng, hunted, moved, None):
            yield from _strips_of(rng, shot, place, _visits(hunted, place, [(moved, None)]))


def _places(rng: Rng, hunted: Hunted, moved: Moved, grab: Grab | None) -> list[int]:
    """The tile that a hand touches, the one that it comes nearest to beside, and another one over which it goes."""
    times = np.arange(max(0.0, moved.way.start_s), moved.way.end_s, 0.03)
    if not len(times):
        return []
    tips, length = _tips(hunted, moved, times), 2 * hunted.half_mm
    far = np.linalg.norm(tips[:, :, None] - hunted.middles_mm, axis=3).min(axis=0)  # (times, tiles)
    speed = np.linalg.norm(np.diff(tips[0], axis=0, prepend=tips[0][:1]), axis=1)[:, None] / 0.03
    cost = (np.maximum(far, 0.2 * length) / length + speed / 400 + moved.way.at(times)[:, 2:] / 60).min(axis=0)
    told = [grab.place] if grab and grab.place is not None else []
    rest = [int(k) for k in np.argsort(cost) if far[:, k].min() < OVER * length and k not in told]
    other = [rest[int(rng.integers(1, len(rest)))]] if len(rest) > 1 and rng.random() < 0.3 else []
    return [*told, *rest[:1], *other]


def _visits(hunted: Hunted, place: int, hands: Sequence[tuple[Moved, Grab | None]]) -> list[Visit]:
    """The hands over a tile, but for those of which nobody can say whether another finger lies on it."""
    found = []
    for moved, grab in hands:
        contact_s = grab.contact_s if grab and grab.place == place else None
        span_s = _span(hunted, moved, place, contact_s)
        if span_s is not None and not (grab and place in grab.also):
            found.append(Visit(moved, contact_s, span_s))
    return found


def _span(hunted: Hunted, moved: Moved, place: int, contact_s: float | None) -> tuple[float, float] | None:
    """From when to when a hand's strip is worth looking at: while a fingertip is over the tile, about a contact."""
    times = np.arange(max(0.0, moved.way.start_s), moved.way.end_s + 0.1, 0.02)
    tips = _tips(hunted, moved, times)
    over = np.linalg.norm(tips - hunted.middles_mm[place], axis=2).min(axis=0) < OVER * 2 * hunted.half_mm
    if contact_s is None and not over.any():
        return None
    first = float(times[np.argmax(over)])
    last = min(float(times[len(over) - 1 - np.argmax(over[::-1])]) + 0.15, first + LONGEST_S)
    if contact_s is not None:
        first, last = max(first, contact_s - POISED_S), contact_s + AFTER_S
    return max(0.0, first - BEFORE_S), last


def _tips(hunted: Hunted, moved: Moved, times: Points) -> Points:
    """(tips, n, 2) where the fingertips of a hand are over the faces, in millimetres."""
    lifted = moved.way.at(times) + [0.0, 0.0, hunted.view.face_mm + FINGER_MM]
    tips = np.array([moved.arm.sheet.tip, *moved.arm.others])
    placed = moved.arm.sheet.placed(tips, lifted, np.array([*moved.elbow_mm, 0.0]))
    return np.asarray(placed[:, :, :2].transpose(1, 0, 2))


def _strips_of(rng: Rng, shot: Shooting, place: int, visits: Sequence[Visit]) -> Iterator[Strip]:
    """The strips of a tile, each filmed but once for all hands over it."""
    quad = np.array(shot.hunted.places[place])
    length = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[1] - quad[0])))
    middle, reach = quad.mean(axis=0), SPAN * length * 0.85
    lo, hi = (np.clip(at, 0, SIZE).astype(int) // 2 * 2 for at in (middle - reach, middle + reach))
    if not visits or (hi - lo < length).any():
        return
    part = shot.part((int(lo[0]), int(lo[1])), (int(hi[0] - lo[0]), int(hi[1] - lo[1])))
    first, last = min(one.span_s[0] for one in visits), max(one.span_s[1] for one in visits)
    rate, still = float(rng.uniform(*RATE)), part.still()
    frames = list(part.frames(rate, last, first))
    for one in visits:
        seen = frames[max(0, ceil((one.span_s[0] - first) * rate)) : ceil((one.span_s[1] - first) * rate)]
        elbow = shot.hunted.view.project([[*one.moved.elbow_mm, 0.0]])[0]
        for _ in range((TWICE if one.contact_s is not None else 1) * (len(seen) > FRAMES)):
            spot = _loose(rng, quad - lo, elbow - middle, length)
            yield _strip(spot, still, seen, one.contact_s)


def _loose(rng: Rng, quad: Points, way: Points, length: float) -> Spot:
    """A spot as it is found: a little off, of another size, the arm from a little beside."""
    turn = float(rng.normal(0, SWUNG))
    x, y = way @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    left, top = quad.mean(axis=0) + rng.normal(0, SHIFTED, 2) * length
    corners = tuple((float(u), float(v)) for u, v in quad)
    return Spot((float(left), float(top)), corners, length * float(np.exp(rng.normal(0, SCALED))), (float(x), float(y)))


def _strip(spot: Spot, still: Image, frames: Sequence[Frame], contact_s: float | None) -> Strip:
    cut = np.stack([spot.patch(frame.image) for frame in frames])
    return Strip(cut, np.array([frame.time_s for frame in frames]), spot.patch(still), spot.face, contact_s)


def write(folder: Path, seed: int, split: str) -> int:
    """Put the strips over one table into a file, whole or not at all; how many there are."""
    cv2.setNumThreads(1)
    found = list(strips(seed, split))
    draft = folder / f"draft-{seed}.npz"
    np.savez(
        draft,
        patches=np.concatenate([one.patches for one in found]),
        times_s=np.concatenate([one.times_s for one in found]),
        counts=np.array([len(one.patches) for one in found]),
        still=np.stack([one.still for one in found]),
        lies=np.stack([one.lies for one in found]),
        contact_s=np.array([np.nan if one.contact_s is None else one.contact_s for one in found]),
    )
    draft.replace(folder / f"{seed}.npz")
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=200)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(args.tables):
        if not (args.folder / f"{seed}.npz").exists():
            count = write(args.folder, seed, "tuning")
            print(f"table {seed + 1} of {args.tables}: {count} strips", flush=True)


if __name__ == "__main__":
    main()
