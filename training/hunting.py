"""One hunt as it is played over a table: who reaches for which tile when, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cobra_paw.state import SIDES
from training.arms import Arm, random_arm
from training.hunted import Hunted
from training.overhead import FINGER_MM
from training.reaching import STEPS, Way, held, minimum_jerk, reach, stopped, trembling
from training.shooting import Carried, Moved
from training.striking import approach, away, halted

Rng = np.random.Generator
Points = NDArray[np.float64]

TOUCHING = ("point", "point", "flat", "grab")  # kinds of hands, by how often they grab
GAPS_S = ((0.0, 0.034), (0.034, 0.07), (0.07, 0.3))
FEINT_MM, FEINT_S = (5.0, 30.0), (0.03, 0.2)
RESTS_S = 0.26  # a finger that rests for less may be a feint
AFTER_S = 0.5  # the film goes on for so long after the last contact


@dataclass(frozen=True)
class Grab:
    """One reach of a player, who sits on a side of the picture.

    place: the index of the tile that it touches, None for one that touches none. contact_s: when the skin meets the
    tile. at_px: where that fingertip's skin is seen then. also: tiles that further fingertips of the same hand lie on.
    kind: what hand it is and what it wears, as "flat sleeve".
    """

    seat: int
    side: str
    place: int | None
    contact_s: float | None
    at_px: tuple[float, float] | None
    also: tuple[int, ...] = ()
    kind: str = ""


@dataclass(frozen=True)
class Seat:
    """A player's place: the side of the picture, where the forearm points to, where a hand waits out of sight."""

    number: int
    side: str
    elbow_mm: tuple[float, float]
    start_mm: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Reach:
    """What one arm does, its truth, and when all of it that matters is over."""

    moved: Moved
    grab: Grab | None
    done_s: float


def seat_of(rng: Rng, hunted: Hunted, number: int, side: str) -> Seat:
    """Somewhere along a side of the picture, the shoulder well outside of it."""
    width, height = hunted.stage.lens.width, hunted.stage.lens.height
    along = float(rng.uniform(0.28, 0.72))
    out = float(rng.uniform(180, 420)) * hunted.view.px_per_mm
    hidden = 70 * hunted.view.px_per_mm
    ways = {
        "bottom": ((along * width, height), (0, 1)),
        "top": ((along * width, 0), (0, -1)),
        "left": ((0, along * height), (-1, 0)),
        "right": ((width, along * height), (1, 0)),
    }
    edge, way = (np.array(v, float) for v in ways[side])
    elbow, start = hunted.view.on_face([edge + out * way, edge + hidden * way])
    return Seat(number, side, (float(elbow[0]), float(elbow[1])), (float(start[0]), float(start[1])))


class Hunt:
    """One hunt over a table."""

    def __init__(self, rng: Rng, split: str, hunted: Hunted, players: int) -> None:
        self.rng, self.split, self.hunted, self.players = rng, split, hunted, players
        self._seats = [seat_of(rng, hunted, k, side) for k, side in enumerate(SIDES[players])]

    def played(self) -> tuple[list[Reach], tuple[Carried, ...]]:
        """Every arm, the lowest first, and the tiles that are carried off."""
        rng = self.rng
        order = [self._seats[k] for k in rng.permutation(self.players)]
        racing = 1 if rng.random() < 0.25 else 2 if rng.random() < 0.9 else min(3, self.players)
        first = 1.5  # until it is known how long the reaches take
        contacts = first + np.concatenate([[0.0], np.cumsum([self._gap() for _ in range(racing - 1)])])
        drag_s = float(contacts[-1] + rng.uniform(0.04, 0.25))
        target = self.hunted.target
        ways: list[tuple[Seat, Arm, Way, int | None, float | None]] = []
        carried: list[Carried] = []
        for k, (seat, contact) in enumerate(zip(order[:racing], contacts, strict=True)):
            arm = self._arm(TOUCHING)
            way = self._touching(seat, target, float(contact), feints=rng.random() < 0.12)
            takes = k == 0 and rng.random() < 0.8
            ways.append(
                (seat, arm, self._after(way, seat, float(contact), drag_s, takes=takes), target, float(contact))
            )
            if takes:
                carried.append(Carried(target, drag_s, ways[-1][2]))
        for seat in order[racing:]:
            if (other := self._other(seat, first)) is not None:
                ways.append(other)
        return self._timed(ways, carried)

    def _gap(self) -> float:
        return float(self.rng.uniform(*GAPS_S[int(self.rng.choice(3, p=[0.25, 0.15, 0.6]))]))

    def _arm(self, kinds: Sequence[str]) -> Arm:
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

    def _touching(self, seat: Seat, place: int, contact_s: float, *, feints: bool) -> Way:
        """A way from out of sight onto a tile, which it meets at this time; feints: it stops above it on its way."""
        aim = self.aim(seat, place)
        if feints:
            above = aim + [*self.rng.normal(0, 3, 2), float(self.rng.uniform(*FEINT_MM))]
            points = halted(self.rng, self.split, self._start(seat), above)
            points = np.concatenate([points, held(points[-1], float(self.rng.uniform(*FEINT_S)))[1:]])
            points = np.concatenate([points, reach(points[-1], aim, float(self.rng.uniform(0.05, 0.1)), cut=0.8)[1:]])
        else:
            points = approach(self.rng, self.split, self._start(seat), aim)
        return Way(contact_s - (len(points) - 1) / STEPS, points)

    def _after(self, way: Way, seat: Seat, contact_s: float, drag_s: float, *, takes: bool) -> Way:
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

    def _other(self, seat: Seat, first: float) -> tuple[Seat, Arm, Way, int | None, float | None] | None:
        """What a player does who does not get to the target: another tile, a feint, or nothing."""
        rng = self.rng
        what = str(rng.choice(["none", "wrong", "feint"], p=[0.35, 0.25, 0.4]))
        if what == "none":
            return None
        arm, when = self._arm(TOUCHING), first + float(rng.uniform(-0.35, 0.3))
        others = [k for k in range(len(self.hunted.places)) if k != self.hunted.target]
        if what == "wrong":
            place = int(rng.choice(others))
            way = self._touching(seat, place, when, feints=False)
            return seat, arm, self._after(way, seat, when, when, takes=False), place, when
        place = self.hunted.target if rng.random() < 0.7 else int(rng.choice(others))
        above = self.aim(seat, place) + [0.0, 0.0, float(rng.uniform(*FEINT_MM))]
        points = halted(rng, self.split, self._start(seat), above)
        way = Way(when - (len(points) - 1) / STEPS, points).then(held(points[-1], float(rng.uniform(*FEINT_S))))
        return seat, arm, way.then(away(rng, self.split, way.points[-1], self._start(seat))), None, None

    def _timed(
        self, ways: list[tuple[Seat, Arm, Way, int | None, float | None]], carried: list[Carried]
    ) -> tuple[list[Reach], tuple[Carried, ...]]:
        """All of it, begun a moment after the film."""
        early = float(self.rng.uniform(0.05, 0.25)) - min(way.start_s for _, _, way, _, _ in ways)
        found = []
        for seat, arm, way, place, contact in ways:
            shifted = trembling(Way(way.start_s + early, way.points), float(self.rng.uniform(0.2, 0.6)), self.rng)
            when = None if contact is None else contact + early
            grab = self._told(seat, arm, way, place, when, contact)
            done = when + AFTER_S if when is not None else shifted.end_s
            found.append(Reach(Moved(arm, shifted, seat.elbow_mm), grab, done))
            carried = [Carried(one.place, one.from_s + early, shifted) if one.way is way else one for one in carried]
        return sorted(found, key=lambda one: one.grab.contact_s or 99.0 if one.grab else 99.0), tuple(carried)

    def _told(
        self, seat: Seat, arm: Arm, way: Way, place: int | None, when: float | None, contact: float | None
    ) -> Grab:
        """The truth about one reach."""
        kind = f"{arm.kind} {arm.dress}"
        if place is None or contact is None:
            return Grab(seat.number, seat.side, None, None, None, (), kind)
        view = self.hunted.view
        tip = way.at([contact])[0]
        seen = view.project([[tip[0], tip[1], view.face_mm]])[0]
        return Grab(
            seat.number,
            seat.side,
            place,
            when,
            (float(seen[0]), float(seen[1])),
            self._under(arm, tip, seat, place),
            kind,
        )

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
