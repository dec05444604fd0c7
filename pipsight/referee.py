"""Cobra Paw's referee: whose finger was first. Frames in, events out, beside the game that is followed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import reduce
from math import dist
from typing import TYPE_CHECKING

import numpy as np

from pipsight.events import Foul, PhotoFinish, Refused, TooClose, WasFirst, places
from pipsight.first import First, first_of, waits
from rules.cobra_paw.state import BLANK, SIDES, Hunt, Roll, Touch, player
from rules.domino import Domino
from rules.table import Hand, Table
from rules.words import listing, said
from vision.finish import Mark, photo_finish
from vision.overlap import covered
from vision.touch import TouchWatch, side_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipsight.events import Event
    from pipsight.follower import Follower
    from pipsight.look import Look
    from rules.game import Seat
    from vision.camera import Frame
    from vision.motion import Polygon
    from vision.scene import HandDetection, Point, Scene
    from vision.straighten import Image
    from vision.touch import Contact

PATIENT_S = 6.0  # hands that stay longer just lie there
CALM_S = 0.3  # a table that has lain so long without a hand is how hands are told from it
STALE_S = 10.0  # light wanders: so often the calm table is looked at anew
RUSH_S = 0.6  # eyes are quicker than the dice are read: so much earlier a touch may have been
FILM_S = 1.2  # frames that are remembered for a photo finish
FINISH_S = 0.7  # after the first touch: nobody waits longer for those who came too late
HIDDEN = 0.92  # of a tile's face: a hand that covers more hides its numbers
ROLLED = 0.5  # edges: a die that lies so far from where it lay was rolled
BEFORE = 0.25  # of the picture: so near its side a domino lies before a player
REACH = 1.6  # tile lengths around the finger on a photo finish


@dataclass
class Hearing:
    """A touch that was judged and whose photo finish is still to be made: who else comes, and until when."""

    place: int
    until_s: float
    contacts: list[Contact] = field(default_factory=list)


@dataclass(frozen=True)
class Calm:
    """The table without hands: what lies in each place, its corners, and the eyes that look for hands over it."""

    watch: TouchWatch
    scene: Scene
    dominoes: tuple[Domino | None, ...]
    corners: tuple[np.ndarray, ...]
    since_s: float


class Referee:
    """Judges the hunts of one game of Cobra Paw.

    follower: the game, in which every touch that counts is played. keep: puts a photo finish where people can look at
    it and returns its name.

    >>> referee = Referee(session.follower, keep)  # doctest: +SKIP
    >>> for event in referee.see(frame, session.look):  # doctest: +SKIP
    ...     print(event)
    """

    def __init__(self, follower: Follower, keep: Callable[[Image], str] = lambda _: "") -> None:
        self._follower, self._keep = follower, keep
        self._calm: Calm | None = None
        self._film: deque[Frame] = deque()
        self._contacts: list[Contact] = []
        self._hearings: list[Hearing] = []
        self._since_s: float | None = None  # from when on touches count, while something is hunted
        self._won: set[Domino] = set()
        self._dice: tuple[Point, ...] = ()
        self._busy_s = self._last_s = 0.0

    @property
    def hands(self) -> tuple[HandDetection, ...]:
        """The hands over the table."""
        return tuple(self._calm.watch.hands) if self._calm else ()

    @property
    def busy(self) -> bool:
        """Whether hands hide what lies on the table; one that stays does not stop the game."""
        return 0 < self._busy_s < PATIENT_S

    @property
    def sides(self) -> tuple[str, ...]:
        """The side of the picture from which each hand comes."""
        size = self._calm.scene.size_px if self._calm else (1, 1)
        return tuple(side_of(hand.entry_px, size) for hand in self.hands)

    def see(self, frame: Frame, look: Look, lit: Sequence[Polygon] = ()) -> list[Event]:
        """What the hands in this frame did. look: the table as it was known before it; lit: where LEDs may shine."""
        self._film.append(frame)
        while frame.time_s - self._film[0].time_s > FILM_S:
            self._film.popleft()
        self._busy_s = self._busy_s + frame.time_s - self._last_s if self.hands else 0.0
        self._last_s = frame.time_s
        found = list(self._calm.watch.see(frame, lit)) if self._calm else []
        events = [*self._rolled(look), *self._judged(frame.time_s, found), *self._finished(frame.time_s)]
        self._rest(frame, look)
        return events

    def tables(self, look: Look) -> tuple[Table, ...]:
        """What lies there, without dominoes that were won and not yet taken away, and with those before players."""
        self._won &= {domino for table in look.tables for domino in _face_up(table)}
        cleared = (reduce(Table.without, self._won, table) for table in look.tables)
        return tuple(self._with_hands(table, look.scene) for table in cleared)

    def _with_hands(self, table: Table, scene: Scene) -> Table:
        """The table with the dominoes before players, where as many came face down as are gone from the middle."""
        state = self._follower.state
        if not isinstance(state, Hunt) or table.hands:
            return table
        backs = _before_seats(scene, state.players)
        more = {seat: n - state.counts[seat] for seat, n in backs.items() if n > state.counts[seat]}
        gone = set(state.face_up) - _face_up(table)
        if not gone or sum(more.values()) != len(gone):
            return table
        return replace(table, hands=tuple(Hand(seat, (), backs[seat], SIDES[state.players][seat]) for seat in more))

    def _rest(self, frame: Frame, look: Look) -> None:
        """Take the table for calm where it is, so that hands can be told from it."""
        calm = self._calm
        if self.hands or self._hearings or look.covered or look.still_s < CALM_S or not look.scene.tiles:
            return
        if calm and calm.scene is look.scene and frame.time_s - calm.since_s < STALE_S:
            return
        tiles = [tile for tile in look.scene.tiles if tile.face_up]
        corners = tuple(np.array(tile.corners_px, np.float64) for tile in tiles)
        dominoes = tuple(Domino.of(*tile.pips) for tile in tiles)
        watch = TouchWatch(frame.image, [tile.corners_px for tile in tiles])
        self._calm = Calm(watch, look.scene, dominoes, corners, frame.time_s)

    @property
    def _hunt(self) -> Hunt | None:
        """The game while something is hunted."""
        state = self._follower.state
        return state if self._follower.states and isinstance(state, Hunt) and state.hunting else None

    def _rolled(self, look: Look) -> list[Event]:
        """Dice that lie elsewhere and show the same as before were rolled too; other numbers the table tells."""
        state = self._follower.state
        dice = sorted(look.scene.dice, key=lambda die: die.center_px)
        if len(dice) != 2 or look.still_s < CALM_S or not isinstance(state, Hunt):
            return []
        before, self._dice = self._dice, tuple(die.center_px for die in dice)
        moved = len(before) == 2 and all(
            min(dist(die.center_px, old) for old in before) > ROLLED * die.edge_px for die in dice
        )
        same = state.dice is not None and sorted(state.dice) == sorted(die.value for die in dice)
        if not moved or not same or state.hunting or state.owed or self._follower.phase != "playing":
            return []
        high, low = state.dice or (0, 0)
        return self._follower.make(str(Roll((high, low))), seen=True)

    def _judged(self, now_s: float, found: list[Contact]) -> list[Event]:
        hunt = self._hunt
        if hunt is None or self._calm is None:
            self._since_s = None
            self._contacts = [contact for contact in [*self._contacts, *found] if now_s - contact.time_s < RUSH_S + 1]
            self._late(found)
            return []
        if self._since_s is None:
            self._since_s = now_s - RUSH_S
        self._contacts += found
        self._late(found)
        due = sorted((c for c in self._contacts if c.time_s >= self._since_s), key=lambda c: c.time_s)
        if not due or waits(due, self._calm.watch.pending):
            return []
        self._contacts = []
        return self._told(due, now_s)

    def _late(self, found: Sequence[Contact]) -> None:
        """Touches after the verdict belong to its photo finish."""
        for hearing in self._hearings:
            hearing.contacts += [c for c in found if c.place == hearing.place and c not in hearing.contacts]

    def _told(self, contacts: Sequence[Contact], now_s: float) -> list[Event]:
        """Judge touches, the earliest first; those on one tile together."""
        events: list[Event] = []
        judged: set[int] = set()
        for contact in contacts:
            hunt = self._hunt
            if hunt is None or contact.place in judged or any(h.place == contact.place for h in self._hearings):
                continue
            judged.add(contact.place)
            rivals = [c for c in contacts if c.place == contact.place]
            domino = self._domino(contact)
            if domino is None or domino not in hunt.face_up:
                continue
            counts = domino in (hunt.target, BLANK)
            events += self._ruled(first_of(rivals), rivals, domino, now_s) if counts else self._touch(contact, domino)
        return events

    def _ruled(self, first: First, rivals: Sequence[Contact], domino: Domino, now_s: float) -> list[Event]:
        """The verdict over a tile that counts: who was first on it, or that nobody can say."""
        self._hearings.append(Hearing(rivals[0].place, rivals[0].time_s + FINISH_S, list(rivals)))
        if first.contact is None:
            seats = tuple(seat for c in first.close if (seat := self._seat(c)) is not None)
            others = "" if len(seats) > 1 else " or somebody whose finger was not seen"
            text = f"Too close to call on the {said(domino)}: {listing([player(seat) for seat in seats])}{others}."
            return [TooClose(text, seats, self._cells(domino), str(domino))]
        return self._touch(first.contact, domino)

    def _touch(self, contact: Contact, domino: Domino) -> list[Event]:
        """Play a touch; what the rules refuse, as a wrong tile or a hidden one, is a foul with their sentence."""
        seat = self._seat(contact)
        if seat is None:
            text = f"A hand touched the {said(domino)} from a side where nobody sits."
            return [Foul(text, None, self._cells(domino), str(domino))]
        touch = Touch(seat, domino, round(contact.time_s, 3), self._hides(contact))
        events = self._follower.make(str(touch), seen=True)
        if isinstance(events[0], Refused):
            return [Foul(events[0].text, seat, self._cells(domino), str(domino))]
        if domino != BLANK:
            self._won.add(domino)
        return [WasFirst(f"{player(seat)} was first.", seat), *events]

    def _finished(self, now_s: float) -> list[Event]:
        """The photo finishes whose time has come."""
        due = [hearing for hearing in self._hearings if now_s >= hearing.until_s]
        self._hearings = [hearing for hearing in self._hearings if hearing not in due]
        return [self._finish(hearing) for hearing in due]

    def _finish(self, hearing: Hearing) -> PhotoFinish:
        order = sorted(hearing.contacts, key=lambda c: c.time_s)
        seats = [self._seat(contact) for contact in order]
        names = [player(seat) if seat is not None else "Nobody's hand" for seat in seats]
        marks = [
            Mark(f"{name}  {1000 * (c.time_s - order[0].time_s):+.0f} ms", c.at_px, c.time_s)
            for name, c in zip(names, order, strict=True)
        ]
        name = self._keep(photo_finish(list(self._film), marks, self._reach(hearing.place)))
        known = tuple(seat for seat in seats if seat is not None)
        first = first_of(order)
        margin = None if first.margin_s is None else round(1000 * first.margin_s)
        sigma = round(1000 * first.sigma_s)
        return PhotoFinish(_sentence(names, first), known, margin, sigma, name)

    def _reach(self, place: int) -> float:
        if self._calm is None or place >= len(self._calm.corners):
            return 150.0
        quad = self._calm.corners[place]
        return REACH * float(np.linalg.norm(quad[2] - quad[1]))

    def _domino(self, contact: Contact) -> Domino | None:
        assert self._calm
        return self._calm.dominoes[contact.place]

    def _seat(self, contact: Contact) -> Seat | None:
        """Whose hand it is, by the side that its arm came from."""
        assert self._calm
        side = side_of(contact.entry_px, self._calm.scene.size_px)
        sides = SIDES[self._follower.state.players]
        return sides.index(side) if side in sides else None

    def _hides(self, contact: Contact) -> bool:
        """Whether that hand covers the whole tile, so that nobody else can read it."""
        assert self._calm
        hand = next((hand for hand in self._calm.watch.hands if hand.number == contact.hand), None)
        if hand is None or len(hand.outline_px) < 3:
            return False
        return covered(self._calm.corners[contact.place], np.array(hand.outline_px, np.float64)) > HIDDEN

    def _cells(self, domino: Domino) -> tuple[tuple[int, int], ...]:
        place = dict(self._follower.state.where).get(domino)
        return places(place.cells) if place else ()


def _before_seats(scene: Scene, players: int) -> dict[Seat, int]:
    """How many dominoes lie face down along each player's side of the picture."""
    width, height = scene.size_px
    found: dict[Seat, int] = {}
    for tile in scene.tiles:
        x, y = (sum(values) / 2 for values in zip(*tile.centers_px, strict=True))
        depths = {"bottom": 1 - y / height, "left": x / width, "top": y / height, "right": 1 - x / width}
        side = min(SIDES[players], key=lambda one: depths[one])
        if not tile.face_up and depths[side] < BEFORE:
            seat = SIDES[players].index(side)
            found[seat] = found.get(seat, 0) + 1
    return found


def _face_up(table: Table) -> set[Domino]:
    """The dominoes that lie face up on a table, those before players not counted."""
    return {
        *(placed.domino for placed in table.board.placed),
        *(tile.domino for tile in table.chain.tiles),
        *(spot.domino for spot in table.spots),
        *(tile.domino for tile in table.loose),
    }


def _sentence(names: Sequence[str], first: First) -> str:
    """Who was before whom, by how much, and how sure that is."""
    if first.margin_s is not None and len(names) > 1:
        margin, sigma = round(1000 * first.margin_s), round(1000 * first.sigma_s)
        return f"{names[0]} was {margin} ms before {names[1]}, give or take {sigma}."
    if first.contact is None:
        return f"{names[0]} touched it; another hand was over it whose finger was not seen."
    return f"{names[0]} alone touched it."
