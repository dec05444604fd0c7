"""A whole game of Cobra Paw on film: dice are rolled, hands race for the target, and who was first lays it face down.

The truth comes with it: what was rolled, who was on the target when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import accumulate, chain
from random import Random

import numpy as np

from rules.board import Cell
from rules.cobra_paw.state import BLANK, SIDES, Hunt, Touch
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import Die, LooseTile, Place, Table
from rules.two_dice import Roll
from training.film import Shot, Taking, film
from training.hunted import SIZE, Hunted, softened
from training.hunting import TOUCHING, Planned, Reach
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
SPREAD, ACROSS = 2.6, 7  # halves from tile to tile, tiles in a row
DICE_AT = tuple((Cell(row, col), Cell(row + 3, 23 - col)) for row in (-4, -3, -2, -1, 0) for col in (11, 12))
BEFORE = {"bottom": (0.0, 9.2), "top": (0.0, -9.2), "left": (-16.8, 0.0), "right": (16.8, 0.0)}  # halves
BESIDE = 2.3  # halves from one domino before a player to the next
WAITS_S, READ_S, LAID_S, AFTER_S = 1.0, 1.5, 1.4, 0.35
FIRST_S, GAPS_S = 1.5, (0.08, 0.3)
HOLDS_S = 0.32  # so long who was first keeps the finger on the tile before it moves


@dataclass(frozen=True)
class Told:
    """One hunt: the dice, the target, who touched it, first to last, and when, in the film's time.

    claims: who touched the double blank, first to last. fouls: who touched any other domino.
    """

    dice: tuple[int, int]
    target: Domino
    seats: tuple[int, ...]
    contacts_s: tuple[float, ...]
    claims: tuple[int, ...] = ()
    fouls: tuple[int, ...] = ()


@dataclass(frozen=True)
class Finger:
    """A player's finger that comes onto a domino: when in a race, and whether the hand takes the domino along."""

    seat: int
    domino: Domino
    contact_s: float
    takes: bool = False


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
        self.state = GAME.set_up(self.players, self._chance)
        self.kinds: tuple[str, ...] = TOUCHING[self.split]  # of hands
        self._at_s = 0.0  # when the next frame is taken
        self._dice_at: tuple[Cell, Cell] = DICE_AT[0]
        self.taking = Taking(NOISE, drift=0.0, exposes=0.0, balances=0.0)  # as the races between are taken
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
        while len(self.told) < self.hunts and not GAME.outcome(self.state):
            yield self._hunt()

    def _hunt(self) -> Iterator[Frame]:
        """The dice roll, hands race, and the tile is laid face down before who was first."""
        target = self._chance.choice([domino for domino in self.state.face_up if domino.low])
        dice, before = (target.high, target.low), self._table(self.state)
        self._dice_at = self._chance.choice([at for at in DICE_AT if not set(at) & set(self._dice_at)])
        self.state = GAME.play(self.state, Roll(dice))
        rolled = self._table(self.state)
        yield from self._still([Shot(before, WAITS_S), Shot(rolled, READ_S)])
        fingers = self._racing(target)
        yield from self._race(rolled, fingers)
        self.state = GAME.play(self.state, Touch(fingers[0].seat, target))
        yield from self._still([Shot(rolled.without(target), 0.1), Shot(self._table(self.state), LAID_S)])

    def _racing(self, target: Domino) -> list[Finger]:
        """Some of the players reach for the target; who is first takes it along."""
        seats = self._chance.sample(range(self.players), self._chance.randint(1, min(self.racing, self.players)))
        gaps = [self._chance.uniform(*GAPS_S) for _ in seats[1:]]
        moments = accumulate(gaps, initial=FIRST_S)
        return [Finger(seat, target, at_s, k == 0) for k, (seat, at_s) in enumerate(zip(seats, moments, strict=True))]

    def _still(self, shots: list[Shot]) -> Iterator[Frame]:
        """What happens without a race."""
        return self._on(film(_softened(self.stage), shots, int(self._rng.integers(2**31)), self.taking, self.rate))

    def _on(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The film goes on with these frames, whose own time begins with them."""
        began_s = self._at_s
        for frame in frames:
            self._at_s = began_s + frame.time_s + 1 / self.rate
            yield Frame(frame.image, began_s + frame.time_s)

    def _table(self, state: Hunt) -> Table:
        """What lies on the table in a state."""
        backs = [
            self._before(SIDES[self.players][seat], k)
            for seat, taken in enumerate(state.taken)
            for k in range(len(taken))
        ]
        shown = () if state.dice is None else tuple(map(Die, state.dice, self._dice_at))
        return Table(loose=tuple(self._lying[d] for d in state.face_up), face_down=tuple(backs), dice=shown)

    def _before(self, side: str, k: int) -> Place:
        """Where the k-th domino lies before the player of a side."""
        x, y = BEFORE[side]
        step = BESIDE * (k - 2.5)
        if side in ("bottom", "top"):
            return Place((), x + step, y, 90.0)
        return Place((), x, y + step, 0.0)

    def _race(self, table: Table, fingers: Sequence[Finger]) -> Iterator[Frame]:
        """Hands go for dominoes; what happened is told as the first of these frames is given."""
        hunted = Hunted(self.stage, table, _place(table, fingers[0].domino), HALF_MM)
        race = Race(self._rng, self.split, hunted, self.players)
        ways, taken = list[Planned](), list[Carried]()
        for one in fingers:
            seat, arm, place = race.seats[one.seat], race.arm(self.kinds), _place(table, one.domino)
            way = race.touching(seat, place, one.contact_s, feints=False)
            if one.takes:
                others = [other.contact_s for other in fingers if other.domino == one.domino]
                holds_s = HOLDS_S + max(others) - one.contact_s
                way = way.then(stopped(way.points, holds_s))
                away = [*seat.start_mm, 20.0]
                way = way.then(reach(way.points[-1], away, self._chance.uniform(0.4, 0.6), minimum_jerk))
                taken.append(Carried(place, one.contact_s + holds_s, way))
            else:
                way = race.after(way, seat, one.contact_s, one.contact_s, takes=False)
            ways.append((seat, arm, way, place, one.contact_s))
        reaches, carried = race.timed(ways, taken)
        self.told.append(self._told(hunted, reaches))
        lamp, arms = Lamp((-0.4, -0.3), 0.15, 0.4, 0.25), tuple(one.moved for one in reaches)
        carried += self._shoved(hunted, carried)
        seed = int(self._rng.integers(2**31))
        shooting = Shooting(hunted, arms, carried, (), lamp, Light(0.0), EXPOSURE_S, self.taking.noise, seed)
        return self._on(shooting.frames(self.rate, max(one.moved.way.end_s for one in reaches) + AFTER_S))

    def _told(self, hunted: Hunted, reaches: Sequence[Reach]) -> Told:
        """What happens in a race that begins now."""
        grabs = [one.grab for one in reaches if one.grab and one.grab.contact_s is not None]
        touches = sorted(
            (grab.contact_s or 0.0, grab.seat, hunted.table.loose[grab.place or 0].domino) for grab in grabs
        )
        dice = self.state.dice
        assert dice
        target = Domino.of(*dice)
        return Told(
            dice,
            target,
            tuple(seat for _, seat, domino in touches if domino == target),
            tuple(self._at_s + at_s for at_s, _, domino in touches if domino == target),
            tuple(seat for _, seat, domino in touches if domino == BLANK),
            tuple(seat for _, seat, domino in touches if domino not in (target, BLANK)),
        )

    def _shoved(self, hunted: Hunted, taken: Sequence[Carried]) -> tuple[Carried, ...]:
        """Other dominoes that hands push aside as they take one: none, where people are careful."""
        return ()


def _place(table: Table, domino: Domino) -> int:
    """Where among the loose tiles a domino is."""
    return [tile.domino for tile in table.loose].index(domino)


def _softened(stage: Stage) -> Stage:
    return Softened(**{one.name: getattr(stage, one.name) for one in fields(stage)})
