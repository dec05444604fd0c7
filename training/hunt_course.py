"""A whole game of Cobra Paw on film: dice are rolled, hands race for the target, and who was first lays it face down.

The truth comes with it: what was rolled, who was on the target when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from random import Random

import numpy as np

from rules.board import Cell
from rules.cobra_paw.state import SIDES, Hunt, Roll, Touch
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import Die, LooseTile, Place, Table
from training.film import Shot, Taking, film
from training.hunted import SIZE, Hunted, softened
from training.hunting import TOUCHING, Reach
from training.hunting import Hunt as Race
from training.lens import looking_down
from training.overhead import Lamp
from training.reaching import minimum_jerk, reach, stopped
from training.samples import set_of
from training.shooting import Carried, Light, Shooting
from training.stage import Stage
from training.truth import Truth
from vision.camera import Frame
from vision.straighten import Image

HALF_PX, HALF_MM, FIELD_DEG = 34.0, 24.0, 60.0
NOISE, EXPOSURE_S = 2.0, 0.008
TAKING = Taking(NOISE, drift=0.0, exposes=0.0, balances=0.0)  # as the races between are taken
SPREAD, ACROSS = 2.6, 7  # halves from tile to tile, tiles in a row
DICE_AT = tuple((Cell(row, col), Cell(row + 3, 23 - col)) for row in (-4, -3, -2, -1, 0) for col in (11, 12))
BEFORE = {"bottom": (0.0, 9.2), "top": (0.0, -9.2), "left": (-16.8, 0.0), "right": (16.8, 0.0)}  # halves
BESIDE = 2.3  # halves from one domino before a player to the next
WAITS_S, READ_S, LAID_S, AFTER_S = 1.0, 1.5, 1.4, 0.35
GAPS_S = (0.08, 0.3)
HOLDS_S = 0.32  # so long who was first keeps the finger on the tile before it moves


@dataclass(frozen=True)
class Told:
    """One hunt: the dice, the target, who touched it, first to last, and when, in the film's time."""

    dice: tuple[int, int]
    target: Domino
    seats: tuple[int, ...]
    contacts_s: tuple[float, ...]


class Softened(Stage):
    """A stage through a lens: no edge is sharper than a pixel."""

    def picture(self, table: Table) -> tuple[Image, Truth]:
        """The table as a camera sees it, and all that lies there."""
        image, truth = super().picture(table)
        return softened(image), truth


@dataclass(eq=False)
class HuntCourse:
    """A game of Cobra Paw on film for so many players, or its first hunts; the same each time for one seed.

    hunts: how many are filmed at most. racing: how many players reach for one target at most. told: what happened in
    the frames that were given so far.
    """

    players: int
    seed: int
    rate: float = 30.0
    hunts: int = 99
    racing: int = 4
    split: str = "judging"
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance, self._rng = Random(self.seed), np.random.default_rng((self.seed, 31))
        self._dice_at = DICE_AT[0]
        places = [(k % ACROSS, k // ACROSS) for k in range(28)]
        self._chance.shuffle(places)
        rows = 28 // ACROSS
        self._lying = {
            domino: LooseTile(
                domino.high,
                domino.low,
                (col - (ACROSS - 1) / 2) * SPREAD + self._chance.uniform(-0.2, 0.2),
                (row - (rows - 1) / 2) * SPREAD + self._chance.uniform(-0.2, 0.2),
                self._chance.uniform(0, 360),
            )
            for domino, (col, row) in zip(GAME.set_up(self.players, Random(0)).face_up, places, strict=True)
        }

    @cached_property
    def stage(self) -> Stage:
        """The camera over the table."""
        return Stage(
            looking_down(*SIZE, HALF_PX, 3.0, 0.0, FIELD_DEG),
            set_of(self.seed),
            ground=self.seed,
            bare=(92.0, 128.0, 84.0),
        )

    def frames(self) -> Iterator[Frame]:
        """The whole film."""
        return chain.from_iterable(self.films())

    def films(self) -> Iterator[Iterator[Frame]]:
        """The film hunt by hunt; each is to be looked at to its end before the next."""
        state, ended_s = GAME.set_up(self.players, self._chance), [-1 / self.rate]
        while len(self.told) < self.hunts and not GAME.outcome(state):
            yield self._timed(self._hunt(state, ended_s[0] + 1 / self.rate), ended_s)
            state = self._after(state)

    def _timed(self, frames: Iterator[Frame], ended_s: list[float]) -> Iterator[Frame]:
        """The same frames; the time of the last one is noted."""
        for frame in frames:
            ended_s[0] = frame.time_s
            yield frame

    def _after(self, state: Hunt) -> Hunt:
        """The state once the hunt that was filmed last is over."""
        told = self.told[-1]
        return GAME.play(GAME.play(state, Roll(told.dice)), Touch(told.seats[0], told.target))

    def _hunt(self, state: Hunt, from_s: float) -> Iterator[Frame]:
        """The dice roll, hands race, and the tile is laid face down before who was first."""
        target = self._chance.choice([domino for domino in state.face_up if domino.low])
        dice, before = (target.high, target.low), self._table(state, state.dice)
        self._dice_at = self._chance.choice([at for at in DICE_AT if not set(at) & set(self._dice_at)])
        rolled = self._table(state, dice)
        for frame in self._still([Shot(before, WAITS_S), Shot(rolled, READ_S)], from_s):
            from_s = frame.time_s + 1 / self.rate
            yield frame
        race, reaches = self._race(state, rolled, target)
        seats = [one.grab for one in reaches if one.grab and one.grab.contact_s is not None]
        order = sorted(seats, key=lambda grab: grab.contact_s or 0.0)
        moments = tuple(from_s + (grab.contact_s or 0.0) for grab in order)
        self.told.append(Told(dice, target, tuple(grab.seat for grab in order), moments))
        for frame in race.frames(self.rate, max(one.moved.way.end_s for one in reaches) + AFTER_S):
            yield Frame(frame.image, from_s + frame.time_s)
        from_s += max(one.moved.way.end_s for one in reaches) + AFTER_S
        gone = rolled.without(target)
        yield from self._still([Shot(gone, 0.1), Shot(self._table(self._after(state), dice), LAID_S)], from_s)

    def _still(self, shots: list[Shot], from_s: float) -> Iterator[Frame]:
        """What happens without a race."""
        for frame in film(_softened(self.stage), shots, int(self._rng.integers(2**31)), TAKING, self.rate):
            yield Frame(frame.image, from_s + frame.time_s)

    def _table(self, state: Hunt, dice: tuple[int, int] | None) -> Table:
        """What lies on the table in a state."""
        backs = [
            self._before(SIDES[self.players][seat], k)
            for seat, taken in enumerate(state.taken)
            for k in range(len(taken))
        ]
        shown = () if dice is None else tuple(Die(n, at) for n, at in zip(dice, self._dice_at, strict=True))
        return Table(loose=tuple(self._lying[d] for d in state.face_up), face_down=tuple(backs), dice=shown)

    def _before(self, side: str, k: int) -> Place:
        """Where the k-th domino lies before the player of a side."""
        x, y = BEFORE[side]
        step = BESIDE * (k - 2.5)
        if side in ("bottom", "top"):
            return Place((), x + step, y, 90.0)
        return Place((), x, y + step, 0.0)

    def _race(self, state: Hunt, table: Table, target: Domino) -> tuple[Shooting, list[Reach]]:
        """Some of the players reach for the target; who is first takes it along."""
        hunted = Hunted(self.stage, table, [tile.domino for tile in table.loose].index(target), HALF_MM)
        race = Race(self._rng, self.split, hunted, self.players)
        order = self._chance.sample(range(self.players), self._chance.randint(1, min(self.racing, self.players)))
        contact, ways, carried = 1.5, [], []
        for k, number in enumerate(order):
            seat, arm = race.seats[number], race.arm(TOUCHING[race.split])
            way = race.touching(seat, hunted.target, contact, feints=False)
            if k == 0:
                holds = HOLDS_S + GAPS_S[1] * (len(order) - 1)
                way = way.then(stopped(way.points, holds))
                away = [*seat.start_mm, 20.0]
                way = way.then(reach(way.points[-1], away, self._chance.uniform(0.4, 0.6), minimum_jerk))
                carried.append(Carried(hunted.target, contact + holds, way))
            else:
                way = race.after(way, seat, contact, contact, takes=False)
            ways.append((seat, arm, way, hunted.target, contact))
            contact += self._chance.uniform(*GAPS_S)
        reaches, moved = race.timed(ways, carried)
        lamp = Lamp((-0.4, -0.3), 0.15, 0.4, 0.25)
        arms = tuple(one.moved for one in reaches)
        seed = int(self._rng.integers(2**31))
        return Shooting(hunted, arms, moved, (), lamp, Light(0.0), EXPOSURE_S, NOISE, seed), reaches


def _softened(stage: Stage) -> Stage:
    return Softened(stage.lens, stage.style, stage.middle, stage.ground, stage.bare)
