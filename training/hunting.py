"""One hunt as it is played over a table: who reaches for which tile when, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.cobra_paw.state import SIDES
from training.arms import Arm, random_arm
from training.hunted import Hunted
from training.overhead import FINGER_MM
from training.reaching import STEPS, Way, held, minimum_jerk, reach, stopped, swaying, trembling
from training.shooting import Carried, Moved
from training.striking import MANNERS, approach, away, halted
from training.surfaces import split_of

Rng = np.random.Generator
Points = NDArray[np.float64]
Range = tuple[float, float]

# Kinds of hands, by how often they go for a tile; eyes learn most from those that are hardest to tell.
TOUCHING = {"tuning": ("point", "flat", "grab", "grab"), "judging": ("point", "point", "flat", "grab")}
GAPS_S = ((0.0, 0.034), (0.034, 0.07), (0.07, 0.3))
ARM_WIDE_MM = 65.0  # so far from the middle of an arm nothing of the hand lies
IDLE = ("flat", "grab", "relaxed", "relaxed")
LOOK_MM, LOOK_S = (40.0, 110.0), (0.2, 0.7)  # a hand that hovers and leaves
RESTS_S = 0.26  # a finger that rests for less may be a feint
HIDDEN_MM = 70.0  # a fingertip so far outside of the picture waits out of sight
WAITS, TWO_HANDS = 0.3, 0.12  # how often a player's hand waits in view, and how often one has the other on the table
FIRST_S = 1.5  # when the first one touches, until it is known how long the reaches take
LONG_S = 5.0  # longer than any hunt
AFTER_S = 1.2  # the film goes on for so long after the last contact


@dataclass(frozen=True)
class Grab:
    """One reach of a player, who sits on a side of the picture.

    place: the index of the tile that it touches, None for one that touches none. contact_s: when the skin meets the
    tile. at_px: where that fingertip's skin is seen then. also: tiles that further fingertips of the same hand lie on.
    kind: what hand it is and what it wears, as "flat sleeve". sight: the share of that fingertip that is seen then, for
    another's hand may lie over it.
    """

    seat: int
    side: str
    place: int | None
    contact_s: float | None
    at_px: tuple[float, float] | None
    also: tuple[int, ...] = ()
    kind: str = ""
    sight: float = 1.0


@dataclass(frozen=True)
class Seat:
    """A player's place: the side of the picture, where the forearm points to, and where a hand waits.

    waits: whether that is in the picture, over the table's edge, and not out of sight.
    """

    number: int
    side: str
    elbow_mm: tuple[float, float]
    start_mm: tuple[float, float]
    waits: bool = False


@dataclass(frozen=True, eq=False)
class Reach:
    """What one arm does, its truth, and how long a film of it has to be."""

    moved: Moved
    grab: Grab | None
    done_s: float


class Plan(NamedTuple):
    """A reach before it is known when the film begins; place and contact_s are None where it touches no tile."""

    seat: Seat
    arm: Arm
    way: Way
    place: int | None
    contact_s: float | None


Planned = tuple[Seat, Arm, Way, int | None, float | None]


def seat_of(rng: Rng, hunted: Hunted, number: int, side: str, *, waits: bool = False) -> Seat:
    """Somewhere along a side of the picture, the shoulder well outside of it."""
    width, height = hunted.stage.lens.width, hunted.stage.lens.height
    along = float(rng.uniform(0.28, 0.72))
    out = float(rng.uniform(180, 420)) * hunted.view.px_per_mm
    hidden = (-float(rng.uniform(5, 60)) if waits else HIDDEN_MM) * hunted.view.px_per_mm
    ways = {
        "bottom": ((along * width, height), (0, 1)),
        "top": ((along * width, 0), (0, -1)),
        "left": ((0, along * height), (-1, 0)),
        "right": ((width, along * height), (1, 0)),
    }
    edge, way = (np.array(v, float) for v in ways[side])
    elbow, start = hunted.view.on_face([edge + out * way, edge + hidden * way])
    return Seat(number, side, (float(elbow[0]), float(elbow[1])), (float(start[0]), float(start[1])), waits)


class Hunt:
    """One hunt over a table. waits: how often a player's hand waits in view before it reaches."""

    def __init__(self, rng: Rng, split: str, hunted: Hunted, players: int, waits: float = 0.0) -> None:
        self.rng, self.split, self.hunted, self.players = rng, split, hunted, players
        sides = enumerate(SIDES[players])
        self.seats = [seat_of(rng, hunted, k, side, waits=rng.random() < waits) for k, side in sides]

    def played(self) -> tuple[list[Reach], tuple[Carried, ...]]:
        """Every arm, the lowest first, and the tiles that are carried off."""
        rng = self.rng
        order = [self.seats[k] for k in rng.permutation(self.players)]
        racing = 1 if rng.random() < 0.25 else 2 if rng.random() < 0.9 else min(3, self.players)
        plans, taken = self._race(order[:racing])
        free = self._free(order[:racing])
        plans += [other for seat in order[racing:] if (other := self._other(seat, free)) is not None]
        reaches, carried = self.timed(plans, taken)
        if rng.random() < TWO_HANDS:
            reaches.append(self._idle_hand(order[0]))
        return reaches, carried

    def _race(self, seats: Sequence[Seat]) -> tuple[list[Plan], list[Carried]]:
        """The players who go for the target, the first at FIRST_S, and who of them takes it along."""
        rng, plans, taken = self.rng, list[Plan](), list[Carried]()
        contacts = FIRST_S + np.concatenate([[0.0], np.cumsum([self._gap() for _ in seats[1:]])])
        drag_s = float(contacts[-1] + rng.uniform(0.04, 0.25))
        for seat, contact in zip(seats, contacts, strict=True):
            way = self.touching(
                seat, self.hunted.target, float(contact), feints=rng.random() < MANNERS[self.split].feints
            )
            takes = not plans and rng.random() < 0.8
            way = self.after(way, seat, float(contact), drag_s, takes=takes)
            plans.append(Plan(seat, self.arm(TOUCHING[split_of(self.split)]), way, self.hunted.target, float(contact)))
            if takes:
                taken.append(Carried(self.hunted.target, drag_s, way))
        return plans, taken

    def _idle_hand(self, seat: Seat) -> Reach:
        """A player's other hand, at the table's edge all the time."""
        rng = self.rng
        beside = seat_of(rng, self.hunted, seat.number, seat.side, waits=True)
        place = [*beside.start_mm, float(rng.uniform(-self.hunted.view.face_mm, 30))]
        points = swaying(place, LONG_S, rng.uniform(0, 5, 3) * [1, 1, 0.2], 0.6, rng)
        return Reach(Moved(self.arm(IDLE), Way(-0.1, points), beside.elbow_mm), None, 0.0)

    def _gap(self) -> float:
        return float(self.rng.uniform(*GAPS_S[int(self.rng.choice(3, p=[0.25, 0.15, 0.6]))]))

    def arm(self, kinds: Sequence[str]) -> Arm:
        """Somebody's arm, with a hand of one of these kinds."""
        return random_arm(self.rng, self.split, kinds, self.hunted.view.px_per_mm)

    def _start(self, seat: Seat) -> Points:
        return np.array([*seat.start_mm, float(self.rng.uniform(30, 120))])

    def aim(self, seat: Seat, place: int) -> Points:
        """A spot near a tile's middle, towards the player."""
        quad = self.hunted.view.on_face(self.hunted.places[place])
        middle = quad.mean(axis=0)
        toward = np.array(seat.elbow_mm) - middle
        wish = toward / np.linalg.norm(toward) * self.rng.uniform(0, 9) + self.rng.normal(0, 3, 2)
        along, across = (quad[3] - quad[0]) / 2, (quad[1] - quad[0]) / 2
        spot = middle.copy()
        for half, most in ((along, 0.6), (across, 0.55)):
            spot += half * np.clip(wish @ half / (half @ half), -most, most)
        return np.array([*spot, 0.0])

    def touching(self, seat: Seat, place: int, contact_s: float, *, feints: bool) -> Way:
        """A way from out of sight onto a tile, which it meets at this time; feints: it stops above it on its way."""
        aim = self.aim(seat, place)
        if feints:
            manner = MANNERS[self.split]
            above = aim + [*self.rng.normal(0, 3, 2), float(self.rng.uniform(*manner.feint_mm))]
            points = halted(self.rng, self.split, self._start(seat), above)
            points = np.concatenate([points, held(points[-1], float(self.rng.uniform(*manner.feint_s)))[1:]])
            points = np.concatenate([points, reach(points[-1], aim, float(self.rng.uniform(0.05, 0.1)), cut=0.8)[1:]])
        else:
            points = approach(self.rng, self.split, self._start(seat), aim)
        return Way(contact_s - (len(points) - 1) / STEPS, points)

    def after(self, way: Way, seat: Seat, contact_s: float, drag_s: float, *, takes: bool) -> Way:
        """What the hand does once it has touched: take the tile at its time, or rest and go, or rest."""
        rng = self.rng
        if takes:
            way = way.then(stopped(way.points, drag_s - contact_s))
            toward = np.array(seat.elbow_mm) - way.points[-1][:2]
            goal = way.points[-1][:2] + toward / np.linalg.norm(toward) * rng.uniform(110, 300)
            raised = float(rng.uniform(20, 80)) if rng.random() < 0.3 else 0.0
            return way.then(reach(way.points[-1], [*goal, raised], float(rng.uniform(0.3, 0.6)), minimum_jerk))
        way = way.then(stopped(way.points, RESTS_S + float(rng.uniform(0, 0.3))))
        if rng.random() < 0.5:
            return way.then(held(way.points[-1], 1.0))
        return way.then(away(rng, self.split, way.points[-1], self._start(seat)))

    def _free(self, racing: Sequence[Seat]) -> list[int]:
        """The tiles besides the target that no racing hand or arm lies over: nobody touches a tile through a hand."""
        middles = self.hunted.middles_mm
        target = middles[self.hunted.target]
        free = np.arange(len(middles)) != self.hunted.target
        for seat in racing:
            way = np.array(seat.elbow_mm) - target
            way /= np.linalg.norm(way)
            along = np.clip((middles - target) @ way, 0, None)
            free &= np.linalg.norm(middles - target - along[:, None] * way, axis=1) > ARM_WIDE_MM
        return [int(k) for k in np.flatnonzero(free)]

    def _other(self, seat: Seat, free: Sequence[int]) -> Plan | None:
        """What a player does who does not get to the target: another tile, a feint, a look from above, or nothing."""
        rng = self.rng
        what = str(rng.choice(["none", "wrong", "feint", "look"], p=[0.25, 0.25, 0.35, 0.15]))
        if what == "none":
            return None
        when = FIRST_S + float(rng.uniform(-0.35, 0.3))
        if what == "wrong":
            if not free:
                return None
            place = int(rng.choice(free))
            way = self.touching(seat, place, when, feints=False)
            return Plan(
                seat,
                self.arm(TOUCHING[split_of(self.split)]),
                self.after(way, seat, when, when, takes=False),
                place,
                when,
            )
        place = self.hunted.target if rng.random() < 0.7 else int(rng.integers(len(self.hunted.places)))
        if what == "feint":
            manner = MANNERS[self.split]
            return self._halts(seat, self.aim(seat, place), manner.feint_mm, manner.feint_s, when, (0.0, 0.0, 0.0))
        return self._halts(seat, self.aim(seat, place), LOOK_MM, LOOK_S, when, rng.uniform(4, 10, 3))

    def _halts(
        self, seat: Seat, over: Points, gap_mm: Range, seconds: Range, when_s: float, sway_mm: ArrayLike
    ) -> Plan:
        """A hand that comes to rest in the air over a tile and leaves again."""
        rng = self.rng
        points = halted(rng, self.split, self._start(seat), over + [0.0, 0.0, float(rng.uniform(*gap_mm))])
        way = Way(when_s - (len(points) - 1) / STEPS, points)
        way = way.then(swaying(points[-1], float(rng.uniform(*seconds)), sway_mm, 1.2, rng))
        way = way.then(away(rng, self.split, way.points[-1], self._start(seat)))
        return Plan(seat, self.arm(TOUCHING[split_of(self.split)]), way, None, None)

    def timed(self, planned: Sequence[Planned], taken: Sequence[Carried]) -> tuple[list[Reach], tuple[Carried, ...]]:
        """All of it, begun a moment after the film; tiles that are taken go with the fingertips that take them."""
        plans = [Plan(*plan) for plan in planned]
        early = float(self.rng.uniform(0.05, 0.25)) - min(plan.way.start_s for plan in plans)
        found, carried = list[Reach](), list[Carried]()
        for plan in plans:
            way = self._begun(Way(plan.way.start_s + early, plan.way.points), plan.seat)
            when = None if plan.contact_s is None else plan.contact_s + early
            done = 0.0 if when is None else when + AFTER_S
            found.append(Reach(Moved(plan.arm, way, plan.seat.elbow_mm), self._told(plan, when), done))
            carried += [Carried(one.place, one.from_s + early, way) for one in taken if one.way is plan.way]
        return sorted(found, key=_touches_s), tuple(carried)

    def _begun(self, way: Way, seat: Seat) -> Way:
        """The way with a hand's tremor, and where the hand waits in view with what it does before."""
        way = trembling(way, float(self.rng.uniform(0.2, 0.6)), self.rng)
        if not seat.waits:
            return way
        before = swaying(way.points[0], LONG_S, self.rng.uniform(0, 5, 3), 0.6, self.rng)
        return Way(way.start_s - LONG_S, np.concatenate([before[:-1], way.points]))

    def _told(self, plan: Plan, when_s: float | None) -> Grab:
        """The truth about one reach."""
        seat, kind = plan.seat, f"{plan.arm.kind} {plan.arm.dress}"
        if plan.place is None or plan.contact_s is None:
            return Grab(seat.number, seat.side, None, None, None, (), kind)
        view = self.hunted.view
        tip = plan.way.at([plan.contact_s])[0]
        seen = view.project([[tip[0], tip[1], view.face_mm]])[0]
        at_px, also = (float(seen[0]), float(seen[1])), self._under(plan.arm, tip, seat, plan.place)
        return Grab(seat.number, seat.side, plan.place, when_s, at_px, also, kind)

    def _under(self, arm: Arm, tip: Points, seat: Seat, place: int) -> tuple[int, ...]:
        """Other tiles below the other fingertips."""
        if not arm.others:
            return ()
        view = self.hunted.view
        lifted = tip + [0.0, 0.0, view.face_mm + FINGER_MM]
        at = arm.sheet.place(np.array(arm.others), lifted, np.array([*seat.elbow_mm, 0.0]))
        seen = view.project(np.column_stack([at[:, :2], np.full(len(at), view.face_mm)]))
        quads = [np.array(quad, np.float32) for quad in self.hunted.places]
        return tuple(
            k
            for k, quad in enumerate(quads)
            if k != place and any(cv2.pointPolygonTest(quad, (float(x), float(y)), True) > -4 for x, y in seen)
        )


def _touches_s(one: Reach) -> float:
    """When a reach ends on a tile; those that touch none last, for they stay above the others."""
    return one.grab.contact_s if one.grab and one.grab.contact_s is not None else LONG_S
