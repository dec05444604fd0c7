"""A game of Cobra Paw as it goes at a real table: thrown dice, wrong fingers, claims, dominoes that hands push aside.

Any surface, a camera that stands somewhat aslant, a table that is nudged, shadows that pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.cobra_paw.state import BLANK, SIDES, GiveUp, Hunt, Take, Touch
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import Die, Table
from rules.two_dice import Roll
from training.film import Mishaps, Shot, pushed
from training.hunt_course import (
    BEFORE,
    FIELD_DEG,
    FIRST_S,
    HALF_MM,
    READ_S,
    WAITS_S,
    Finger,
    HuntCourse,
)
from training.hunted import SIZE, Hunted
from training.lens import looking_down
from training.reaching import Way, minimum_jerk, reach
from training.samples import set_of
from training.shooting import Carried
from training.stage import Stage
from vision.camera import Frame

TILT_DEG, TURN_DEG, HALF_PX = 10.0, 4.0, 31.0  # of the camera, at most; how large it sees a half
NOISE = (1.0, 4.0)
FOULS, GONE, BOASTS = 0.2, 0.25, 0.1  # how often a wrong domino is touched, what is taken rolled, what is there claimed
MISHAPS = Mishaps(nudged=0.15, far=0.12, shadows=0.15)  # before a roll
CLOSE, CLOSE_S = 0.15, (0.0, 0.034)  # how often two fingers come closer together, and how close
EARLIER_S = 0.6  # how long before the first finger a wrong one comes
BOASTS_S = (0.6, 1.0)  # how much later the right one comes after a false claim
NEAR, SHOVED, SHOVES, SHOVES_S = 3.6, 0.4, 0.35, 0.15  # halves, how often, halves at most: dominoes pushed aside
ROOM = 2.1  # halves from middle to middle that dominoes need
DICE_WIDE, DICE_HIGH = 13.0, 7.6  # halves: how far from the middle dice come to rest
DIE_ROOM, DICE_APART = 1.7, 1.1  # halves that a die keeps from dominoes and from the other
ROLLS, SLIDES = 10, 0.6  # frames; after which part of its way a die no longer turns over
PICKED_S, SEARCH_S = 0.3, 1.5  # how long no dice lie there, and how long nobody finds what is gone
LAID_S = 2.0  # how long a domino lies before a player until something else happens


@dataclass(eq=False)
class RoughHunts(HuntCourse):
    """The same game, rougher. says: what players have said, each before the next frame."""

    says: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.taking = replace(self.taking, noise=self._chance.uniform(*NOISE))
        self.kinds = ("point",)  # a hand that hides the numbers does not count
        self._dice: tuple[Die, ...] = ()

    @cached_property
    def stage(self) -> Stage:
        """The camera over the table."""
        tilt, turn = self._chance.uniform(0, TILT_DEG), self._chance.uniform(-TURN_DEG, TURN_DEG)
        lens = looking_down(*SIZE, HALF_PX, tilt, turn, FIELD_DEG)
        return Stage(lens, set_of(self.seed), ground=self.seed, split=self.split)

    def _hunt(self) -> Iterator[Frame]:
        """A roll, a race, and all dominoes that are taken for it."""
        yield from self._disturbed()
        target = self._sought()
        yield from self._thrown(Roll((target.high, target.low)))
        before = self._table(self.state)
        fingers = self._fingers(target)
        yield from self._race(before, fingers)
        for one in sorted(fingers, key=lambda finger: finger.contact_s):
            yield from self._counted(one)
        if self.state.claimed is not None and self.state.hunting:
            yield from self._still([Shot(self._table(self.state), SEARCH_S)])
            self.says.append(str(GiveUp()))
            self.state = GAME.play(self.state, GiveUp())
        while self.state.owed:
            yield from self._laid(Take(self.state.owed[0], self._chance.choice(self.state.rewards)))

    def _disturbed(self) -> Iterator[Frame]:
        """The table waits; sometimes somebody nudges it, or a shadow passes."""
        stage = self.stage  # drawn by the same chance, before what befalls it
        shots = MISHAPS.befall(self._table(self.state), WAITS_S, self._chance)
        yield from self._still(shots)
        self.stage = pushed(stage, shots)

    def _sought(self) -> Domino:
        """What the dice are about to show: sometimes one that is gone."""
        taken = [domino for held in self.state.taken for domino in held.known if domino.low]
        if taken and self._chance.random() < GONE:
            return self._chance.choice(taken)
        return self._chance.choice([domino for domino in self.state.face_up if domino.low])

    def _thrown(self, roll: Roll) -> Iterator[Frame]:
        """Somebody takes up the dice and throws them onto the table."""
        roller = self.state.roller
        shots = [Shot(replace(self._table(self.state), dice=()), PICKED_S, carried=True)]
        self.state = GAME.play(self.state, roll)
        self._dice = self._fallen(roll.dice)
        rolled = self._table(self.state)
        start = 0.8 * np.array(BEFORE[SIDES[self.players][roller]])
        for done in np.linspace(0.1, 1.0, ROLLS, endpoint=False):
            rolling = tuple(self._rolling(die, start, done) for die in self._dice)
            shots.append(Shot(replace(rolled, dice=rolling), 1 / self.rate, hand=False))
        yield from self._still([*shots, Shot(rolled, READ_S, hand=False)])

    def _rolling(self, die: Die, start: NDArray[np.float64], done: float) -> Die:
        """A die on its way, slower and slower; at last it slides and turns over no more."""
        x, y = start + (np.array([die.x, die.y]) - start) * done**0.6
        return Die(die.value if done > SLIDES else self._chance.randint(1, 6), None, float(x), float(y))

    def _fallen(self, values: tuple[int, int]) -> tuple[Die, ...]:
        """Where the dice come to rest: on the bare table, anywhere."""
        table, dice = replace(self._table(self.state), dice=()), list[Die]()
        lying = [*((one.x, one.y) for one in table.loose), *((one.x, one.y) for one in table.face_down)]
        while len(dice) < len(values):
            x, y = self._chance.uniform(-DICE_WIDE, DICE_WIDE), self._chance.uniform(-DICE_HIGH, DICE_HIGH)
            free = all(np.hypot(x - a, y - b) > DIE_ROOM for a, b in lying)
            if free and all(np.hypot(x - die.x, y - die.y) > DICE_APART for die in dice):
                dice.append(Die(values[len(dice)], None, x, y))
        return tuple(dice)

    def _table(self, state: Hunt) -> Table:
        """What lies on the table in a state."""
        return replace(super()._table(state), dice=self._dice)

    def _fingers(self, target: Domino) -> list[Finger]:
        """Who touches what: the target, or the double blank where it is gone or seems to be; sometimes a wrong one."""
        gone = target not in self.state.face_up
        fingers = self._racing(BLANK if gone else target)
        if gone:
            fingers = [replace(one, takes=False) for one in fingers]
        others = [seat for seat in range(self.players) if seat not in {one.seat for one in fingers}]
        if others and not gone and self._chance.random() < BOASTS:
            late = self._chance.uniform(*BOASTS_S)
            fingers = [replace(one, contact_s=one.contact_s + late) for one in fingers]
            return [*fingers, Finger(self._chance.choice(others), BLANK, FIRST_S)]
        if others and self._chance.random() < FOULS:
            wrong = self._chance.choice([one for one in self.state.face_up if one not in (target, BLANK)])
            fingers.append(Finger(self._chance.choice(others), wrong, FIRST_S - EARLIER_S))
        return fingers

    def _racing(self, target: Domino) -> list[Finger]:
        """As in any game, but sometimes two come at almost the same time."""
        fingers = super()._racing(target)
        if len(fingers) > 1 and self._chance.random() < CLOSE:
            fingers[1] = replace(fingers[1], contact_s=FIRST_S + self._chance.uniform(*CLOSE_S))
        return fingers

    def _counted(self, finger: Finger) -> Iterator[Frame]:
        """What becomes of a touch, if it is one that counts."""
        touch = Touch(finger.seat, finger.domino)
        if touch.domino == self.state.target:
            yield from self._laid(touch, carried_off=finger.takes)
        elif touch.domino == BLANK and self.state.hunting and self.state.claimed is None:
            self.state = GAME.play(self.state, touch)

    def _laid(self, move: Touch | Take, *, carried_off: bool = False) -> Iterator[Frame]:
        """A domino goes before who has it from now on. carried_off: whether it is in the hand already."""
        table = self._table(self.state)
        if carried_off:
            table = table.without(move.domino)
        self.state = GAME.play(self.state, move)
        yield from self._still([Shot(table, 0.1, hand=False), Shot(self._table(self.state), LAID_S, carried=True)])

    def _shoved(self, hunted: Hunted, taken: Sequence[Carried]) -> tuple[Carried, ...]:
        """Dominoes beside one that is taken are pushed aside as it goes."""
        pushed, tiles = list[Carried](), hunted.table.loose
        for one in taken:
            at = tiles[one.place]
            for place, tile in enumerate(tiles):
                near = np.hypot(tile.x - at.x, tile.y - at.y) < NEAR and tile.domino not in (at.domino, BLANK)
                if not near or self._chance.random() > SHOVED:
                    continue
                by = (self._chance.uniform(-SHOVES, SHOVES), self._chance.uniform(-SHOVES, SHOVES))
                there = replace(tile, x=tile.x + by[0], y=tile.y + by[1])
                others = [other for other in self._lying.values() if other.domino not in (tile.domino, at.domino)]
                if all(np.hypot(there.x - other.x, there.y - other.y) > ROOM for other in others):
                    way = reach(np.zeros(3), [by[0] * HALF_MM, by[1] * HALF_MM, 0.0], SHOVES_S, minimum_jerk)
                    pushed.append(Carried(place, one.from_s, Way(one.from_s, way)))
                    self._lying[tile.domino] = there
        return tuple(pushed)
