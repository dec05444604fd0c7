"""Films of hands that grab for a domino, with the truth to a thousandth of a second: who touched which tile when.

A film is of one of two splits. They share no hand, no skin tone, no sleeve's cloth, no table's surface, no speed
profile: "tuning" reaches by minimum jerk, skewed, or in several strokes, "judging" by log-logistic strokes, even speeds
and sweeps along the table; how strikes are cut short, how hands correct and where they wait have ranges of their own.
Networks learn from a third manner, "learning": the hands and tables of "tuning", which move in more ways (striking.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from training.hunted import SIZE, Hunted, Quad, random_hunted
from training.hunting import WAITS, Grab, Hunt, Reach
from training.idling import idle, passing_shadow
from training.overhead import Lamp
from training.sets import random_color
from training.shooting import Glow, Light, Moved, Polygon, Shooting
from training.sight import in_sight
from training.surfaces import SPLITS, split_of
from vision.camera import Frame
from vision.straighten import Image

__all__ = ["Grab", "GrabFilm", "quiet", "random_grabs"]

Rng = np.random.Generator

EXPOSURE_S = (0.004, 0.025)
NOISE = (1.0, 4.0)  # grey levels
SHADOWS = 0.12  # how often an arm's shadow passes with no hand


@dataclass(frozen=True, eq=False)
class GrabFilm:
    """One hunt on film. A frame sees what happens in its exposure, which ends at the frame's time.

    still: the table before any hand. places: the corners of each tile's face in pixels. target: the tile that is
    hunted. grabs: in the order of contact, those without one last. lit: where lights shine in the frame of a time.
    """

    still: Image
    places: tuple[Quad, ...]
    target: int
    players: int
    rate: float
    grabs: tuple[Grab, ...]
    lit: Callable[[float], tuple[Polygon, ...]]
    seconds: float
    shooting: Shooting = field(repr=False)

    def frames(self) -> Iterator[Frame]:
        """The frames, the same each time."""
        return self.shooting.frames(self.rate, self.seconds)


def random_grabs(seed: int, rate: float, split: str) -> GrabFilm:
    """One hunt: two to four players, of whom one or several go for the target, for another tile, or only feint."""
    rng = np.random.default_rng((seed, 11 + SPLITS.index(split_of(split))))
    hunted = random_hunted(rng, split)
    hunt = Hunt(rng, split, hunted, int(rng.integers(2, 5)), WAITS)
    return _filmed(hunt, rate, seed)


def quiet(seed: int, rate: float, seconds: float, split: str) -> GrabFilm:
    """So many seconds of hands, shadows and changing light over a table, in which nobody touches any tile."""
    rng = np.random.default_rng((seed, 21 + SPLITS.index(split_of(split))))
    hunted = random_hunted(rng, split)
    going_on = idle(rng, split, hunted, seconds)
    shooting = replace(
        _shooting(rng, hunted, going_on.arms, rate, seconds, seed),
        light=_changing(rng, seconds),
        rolled=going_on.rolled,
    )
    still = shooting.still()
    return GrabFilm(still, hunted.places, hunted.target, 0, rate, (), shooting.lit, seconds, shooting)


def _filmed(hunt: Hunt, rate: float, seed: int) -> GrabFilm:
    reaches, carried = hunt.played()
    hunted, seconds = hunt.hunted, max(one.done_s for one in reaches) + 0.05
    arms = tuple(one.moved for one in reaches)
    if hunt.rng.random() < SHADOWS:
        arms += (passing_shadow(hunt.rng, hunt.split, hunted, float(hunt.rng.uniform(0, 0.7))),)
    shooting = replace(_shooting(hunt.rng, hunted, arms, rate, seconds, seed), carried=carried)
    told = sorted(_seen(hunted, reaches), key=lambda grab: grab.contact_s or np.inf)
    return GrabFilm(
        shooting.still(), hunted.places, hunted.target, hunt.players, rate, tuple(told), shooting.lit, seconds, shooting
    )


def _seen(hunted: Hunted, reaches: Sequence[Reach]) -> Iterator[Grab]:
    """The truth about each reach, with how much of its fingertip is seen. reaches: the lowest first."""
    for k, one in enumerate(reaches):
        if one.grab and one.grab.contact_s is not None:
            above = [other.moved for other in reaches[k + 1 :]]
            yield replace(one.grab, sight=round(in_sight(hunted.view, one.moved, above, one.grab.contact_s), 2))
        elif one.grab:
            yield one.grab


def _shooting(rng: Rng, hunted: Hunted, arms: tuple[Moved, ...], rate: float, seconds: float, seed: int) -> Shooting:
    """Arms over a table as a camera with its own exposure and noise films them, under a lamp, with glows."""
    light_deg = np.radians(hunted.stage.style.light_deg)
    throw = -float(rng.uniform(0.25, 0.9)) * np.array([np.cos(light_deg), np.sin(light_deg)])
    soft, dark, under = (float(rng.uniform(*span)) for span in ((0.04, 0.3), (0.2, 0.6), (0.1, 0.4)))
    return Shooting(
        hunted,
        arms,
        (),
        glows(rng, seconds) if rng.random() < 0.4 else (),
        Lamp((float(throw[0]), float(throw[1])), soft, dark, under),
        Light(float(rng.uniform(0, 0.03)), float(rng.uniform(1.0, 6.0))),
        float(min(rng.uniform(*EXPOSURE_S), 0.95 / rate)),
        float(rng.uniform(*NOISE)),
        seed,
    )


def _changing(rng: Rng, seconds: float) -> Light:
    """Light that swings, and often changes once: a lamp is switched, a cloud passes, the camera's exposure follows."""
    change = float(rng.uniform(-0.25, 0.25)) * np.exp(rng.normal(0, 0.1, 3)) * (rng.random() < 0.6)
    blue, green, red = (float(v) for v in change)
    over = float(rng.choice([0.0, rng.uniform(0.1, 2.0)]))
    return Light(
        float(rng.uniform(0, 0.04)), float(rng.uniform(1, 6)), (blue, green, red), float(rng.uniform(0, seconds)), over
    )


def glows(rng: Rng, seconds: float) -> tuple[Glow, ...]:
    """Lights that go on and off somewhere on the table."""
    found = []
    for _ in range(int(rng.integers(1, 4))):
        on = float(rng.uniform(0, seconds))
        size, middle = float(rng.uniform(6, 22)), rng.uniform(0, 1, 2) * SIZE
        color = np.array(random_color(rng)) * float(rng.uniform(0.5, 1.2))
        b, g, r = (float(v) for v in color)
        found.append(Glow((float(middle[0]), float(middle[1])), size, (b, g, r), on, on + float(rng.uniform(0.1, 1.0))))
    return tuple(found)
