"""Hands over a table that touch no tile: they pass, gesture, wait in the air, lie beside the tiles, throw the dice."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Cell
from rules.cobra_paw.state import SIDES
from training.arms import ghost, random_arm
from training.hunted import SIZE, Hunted
from training.hunting import Seat, seat_of
from training.overhead import FINGER_MM
from training.reaching import Way, duration, held, reach, swaying, trembling
from training.shooting import Moved
from training.stage import PITCH
from training.striking import away, profile
from vision.straighten import Image

Rng = np.random.Generator
Points = NDArray[np.float64]

DOINGS = {"pass": 0.28, "gesture": 0.22, "hover": 0.12, "beside": 0.2, "shadow": 0.08, "dice": 0.1}
ALL_HANDS = ("point", "flat", "grab", "relaxed", "relaxed")
HIGH_MM = (35.0, 150.0)  # above the tiles
GHOST_MM = 260.0
CLEAR_MM = 16.0  # between a finger that lies on the table and any tile
ROLL_S = 0.3


@dataclass(frozen=True)
class Idle:
    """What goes on in a film in which nobody touches a tile. rolled: when the dice changed, and the table since."""

    arms: tuple[Moved, ...]
    rolled: tuple[float, Image] | None


def idle(rng: Rng, split: str, hunted: Hunted, seconds: float) -> Idle:
    """Hands come and go, at times two at once, for so long."""
    players = int(rng.integers(2, 5))
    arms: list[Moved] = []
    rolled = None
    at = float(rng.uniform(0, 1.0))
    while at < seconds:
        doing = str(rng.choice([*DOINGS], p=[*DOINGS.values()]))
        if doing == "shadow":
            arms.append(passing_shadow(rng, split, hunted, at))
        else:
            seat = seat_of(rng, hunted, *_somebody(rng, players))
            arm, hand = random_arm(rng, split, ALL_HANDS, hunted.view.px_per_mm), _Hand(rng, split, hunted, seat)
            points = hand.does(doing, [arm.sheet.tip, *arm.others], arm.sheet.scale)
            if doing == "dice" and rolled is None:
                points, when = hand.throws()
                rolled = (at + when, _thrown(rng, hunted))
            arms.append(Moved(arm, trembling(Way(at, points), float(rng.uniform(0.2, 0.6)), rng), seat.elbow_mm))
        way = arms[-1].way
        at = max(way.start_s + 0.3, way.end_s + float(rng.uniform(-1.0, 0.8)))
    return Idle(tuple(arms), rolled)


def passing_shadow(rng: Rng, split: str, hunted: Hunted, start_s: float) -> Moved:
    """An arm of which the camera sees the shadow alone."""
    seat = seat_of(rng, hunted, *_somebody(rng, 4))
    arm = ghost(random_arm(rng, split, ALL_HANDS, hunted.view.px_per_mm))
    return Moved(arm, Way(start_s, _Hand(rng, split, hunted, seat).passes(GHOST_MM)), seat.elbow_mm)


def _somebody(rng: Rng, players: int) -> tuple[int, str]:
    seat = int(rng.integers(players))
    return seat, SIDES[players][seat]


def _thrown(rng: Rng, hunted: Hunted) -> Image:
    """The table after another throw, the dice near where they were."""
    cells = [die.cell or Cell(0, 0) for die in hunted.table.dice]
    values = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
    moved = [cell.shifted(int(rng.integers(-1, 1)), int(np.sign(cell.col)) * int(rng.integers(0, 2))) for cell in cells]
    return hunted.rolled(values, (moved[0], moved[1]))


class _Hand:
    """One hand that touches no tile, from where it is out of sight and back."""

    def __init__(self, rng: Rng, split: str, hunted: Hunted, seat: Seat) -> None:
        self._rng, self._split, self._hunted, self._seat = rng, split, hunted, seat
        self._start = np.array([*seat.start_mm, float(rng.uniform(*HIGH_MM))])

    def does(self, doing: str, tips: list[tuple[float, float]], scale: float) -> Points:
        """A way by its name; tips: the fingertips in the arm's picture."""
        rng = self._rng
        if doing == "beside" and (spot := self._clear(np.array(tips), scale)) is not None:
            way = self._to(self._start, spot)
            return self._home(np.concatenate([way, held(spot, float(rng.uniform(0.5, 3.0)))[1:]]))
        if doing == "gesture":
            over = self._over(rng.uniform(60, 150))
            sway = swaying(over, float(rng.uniform(0.6, 2.0)), rng.uniform(8, 30, 3), float(rng.uniform(0.8, 2)), rng)
            return self._home(np.concatenate([self._to(self._start, over), sway[1:]]))
        if doing == "hover":
            over = self._over(rng.uniform(40, 120))
            drift = swaying(
                over, float(rng.uniform(0.15, 0.9)), rng.uniform(3, 9, 3), float(rng.uniform(0.7, 1.5)), rng
            )
            return self._home(np.concatenate([self._to(self._start, over), drift[1:]]))
        return self.passes(0.0)

    def passes(self, above_mm: float) -> Points:
        """Over the tiles by one to three places, and out again."""
        points = self._start[None] + [0.0, 0.0, above_mm]
        for _ in range(int(self._rng.integers(1, 4))):
            over = self._over(self._rng.uniform(*HIGH_MM)) + [0.0, 0.0, above_mm]
            points = np.concatenate([points, self._to(points[-1], over)[1:]])
        return self._home(points)

    def throws(self) -> tuple[Points, float]:
        """To the dice, a shake over them, and back; and after how long the dice lie otherwise."""
        cells = [die.cell or Cell(0, 0) for die in self._hunted.table.dice]
        middle = np.mean([(cell.col + 0.5, cell.row + 0.5) for cell in cells], axis=0) * PITCH * self._hunted.half_mm
        over = np.array([*middle, 25.0])
        there = self._to(self._start, over)
        shake = swaying(over, 2 * ROLL_S, (18.0, 18.0, 8.0), 4.0, self._rng)
        return self._home(np.concatenate([there, shake[1:]])), len(there) / 1000 + ROLL_S

    def _over(self, height: float) -> Points:
        """Somewhere above the tiles."""
        spots = self._hunted.middles_mm
        spot = spots[int(self._rng.integers(len(spots)))] + self._rng.normal(0, 25, 2)
        return np.array([*spot, float(height)])

    def _to(self, start: Points, end: Points) -> Points:
        shape = profile(self._rng, self._split)
        seconds = duration(float(np.linalg.norm(end - start)), float(self._rng.uniform(300, 1800)), shape)
        return reach(
            start, end, seconds, shape, bulge_mm=(float(self._rng.uniform(-40, 40)), float(self._rng.uniform(0, 25)))
        )

    def _home(self, points: Points) -> Points:
        return np.concatenate([points, away(self._rng, self._split, points[-1], self._start)[1:]])

    def _clear(self, tips: Points, scale: float) -> Points | None:
        """A spot on the bare table near the tiles, on the player's side, where no fingertip lies on a tile."""
        rng, view = self._rng, self._hunted.view
        quads = [np.array(quad, np.float32) for quad in self._hunted.places]
        far = CLEAR_MM * view.px_per_mm
        for _ in range(30):
            spot = view.on_face(rng.uniform(0.1, 0.9, (1, 2)) * SIZE)[0]
            way = np.array(self._seat.elbow_mm) - spot
            way /= np.linalg.norm(way)
            along, across = ((tips - tips[0]) / scale)[:, 1], ((tips - tips[0]) / scale)[:, 0]
            at = spot + along[:, None] * way + across[:, None] * [way[1], -way[0]]
            seen = view.project(np.column_stack([at, np.full(len(at), FINGER_MM)]))
            over = [cv2.pointPolygonTest(quad, (float(x), float(y)), True) for quad in quads for x, y in seen]
            if max(over) < -far and self._behind(spot, way, quads):
                return np.array([*spot, -view.face_mm])
        return None

    def _behind(self, spot: Points, way: Points, quads: list[NDArray[np.float32]]) -> bool:
        """Whether the hand behind its fingertips covers no tile: it would lie on it."""
        view = self._hunted.view
        palm = spot + np.arange(20, 240, 20)[:, None] * way
        seen = view.project(np.column_stack([palm, np.full(len(palm), 30.0)]))
        far = 55 * view.px_per_mm
        return all(cv2.pointPolygonTest(quad, (float(x), float(y)), True) < -far for quad in quads for x, y in seen)
