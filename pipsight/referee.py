"""Cobra Paw's referee: whose finger was first. Frames in, events out, beside the game that is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipsight.events import Foul, HuntedAgain, Refused, TooClose, places
from pipsight.hunt.calm import CALM_S, Calm, Stillness
from pipsight.hunt.film import Film
from pipsight.hunt.first import First, chances_of, first_of, is_due, is_later, latest
from pipsight.hunt.hearing import Hearing, doubted, finish, was_first
from pipsight.hunt.middle import ROLL_S, Middle, half_rolled, lies_elsewhere
from rules.cobra_paw.state import BLANK, Hunt, Touch
from rules.domino import Domino
from rules.game import IllegalMove
from rules.two_dice import Roll
from rules.words import listing, said
from vision.hands.landing import LandingEyes
from vision.overlap import holds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipsight.events import Event
    from pipsight.follower import Follower
    from pipsight.look import Look
    from rules.game import Seat
    from vision.camera import Frame
    from vision.hands.touches import Contact
    from vision.motion import Polygon
    from vision.scene import HandDetection, Point
    from vision.straighten import Image

PATIENT_S = 6.0  # hands that stay longer just lie there
RUSH_S = 0.6  # eyes are quicker than the dice are read: so much earlier a touch may have been, once the dice lay still
FINISH_S = 0.7  # after the first touch: nobody waits longer for those who came too late
LATER_S = 0.8  # after the photo finish: whoever comes so soon was not before those between whom nobody could decide
RUMOURS_S = 2.0  # so long it is remembered that something may have been a touch
LATE_S = 1.0  # who comes so soon after another onto the double blank has lost the race, and done nothing wrong
STAYS_S = 2.0  # so long a hand may stay on a wrong domino, or come back: that is told of once
HAND_S = 0.25  # all fingers of a hand land within so long
OVERTURNS = 0.95  # who is likelier than that to have been first overturns a verdict that named another one


ANEW = "If somebody does, begin the game anew and say where the players sit."
NO_HUNT = Refused("Nothing is hunted now.")


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
        self.middle = Middle(follower)
        self._size_px = (0, 0)  # of the frames
        self._calm: Calm | None = None
        self._stillness, self._eyes = Stillness(), LandingEyes()
        self._film = Film()
        self._contacts: list[Contact] = []
        self._settled = set[int | None]()  # the numbers of those that were judged
        self._fouls: dict[tuple[Seat | str, Domino], float] = {}  # when somebody last touched what does not count
        self._hearings: list[Hearing] = []
        self._undecided: Hearing | None = None  # the last one that was too close to call
        self._claim: Contact | None = None  # the last one that was seen
        self._since_s: float | None = None  # from when on touches count, while something is hunted
        self._dice: tuple[Point, ...] = ()
        self._warned = False  # of a hand from where nobody sits
        self._busy_s = self._last_s = 0.0
        self._still_s = RUSH_S  # how long nothing has moved on the table

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
        return tuple(map(self._calm.side, self._calm.watch.hands)) if self._calm else ()

    def see(self, frame: Frame, look: Look, lit: Sequence[Polygon] = ()) -> list[Event]:
        """What the hands in this frame did. look: the table as it was known before it; lit: where LEDs may shine."""
        size_px = frame.image.shape[1], frame.image.shape[0]
        if size_px != self._size_px:
            self._size_px = size_px
            self._forget()
        if look.scene.size_px != size_px:
            return []  # the table was not read in this size yet
        self._busy_s = self._busy_s + frame.time_s - self._last_s if self.hands else 0.0
        self._last_s, self._still_s = frame.time_s, look.still_s
        found = list(self._calm.watch.see(frame, lit, self._sought)) if self._calm else []
        self._film.see(frame, self.hands)
        events = [*self._rolled(look), *self._judged(frame.time_s, found), *self._finished(frame.time_s)]
        events += self._strangers()
        self._rest(frame, look)
        return events

    def pause(self) -> list[Event]:
        """Close what is open: nobody watches for a while, and then the table may lie otherwise."""
        events = self._finished(np.inf)
        self._forget()
        return events

    def _forget(self) -> None:
        """Forget all that is known by its pixels."""
        self._calm, self._dice, self._undecided = None, (), None
        self._film.clear()
        self._contacts, self._hearings = [], []

    def decided(self, word: str) -> list[Event]:
        """Make a move that people name, as who was first where that was too close to call."""
        before = self._hunt
        self.middle.lacks()
        events = self._follower.make(word)
        if before is None or isinstance(events[0], Refused):
            return events
        after = self._follower.state
        first = [seat for seat in range(after.players) if after.counts[seat] > before.counts[seat]]
        first += [after.claimed] if after.claimed not in (None, before.claimed) else []
        return [*(was_first(seat, None) for seat in first), *events]

    def again(self) -> list[Event]:
        """Let the hunt go on where nobody can say who was first: whoever comes next is first, be it at once."""
        if self._hunt is None:
            return [NO_HUNT]
        self._undecided = None
        return [HuntedAgain("The hunt goes on.")]

    def _strangers(self) -> list[Event]:
        """A finger over what is hunted that comes from where nobody sits: perhaps more play. That is told once."""
        if self._warned or self._hunt is None or self._calm is None:
            return []
        sits = self._hunt.sides
        sought = [self._calm.corners[place] for place in self._sought]
        for hand, side in zip(self.hands, self.sides, strict=True):
            over = any(holds(corners, tip) for tip in hand.tips_px for corners in sought)
            if over and side not in sits:
                self._warned = True
                told = f"A hand came from the {side}, where nobody sits: there are {len(sits)} players, at the"
                return [Foul(f"{told} {listing(list(sits))}. {ANEW}", None)]
        return []

    def _rest(self, frame: Frame, look: Look) -> None:
        """Take the table for calm where it rests and no touch waits for a verdict: so hands are told from it."""
        now = frame.time_s, look, self._busy_s if self.hands else None
        self._stillness.see(frame.time_s, look)
        if self._hearings or self._contacts or not self._stillness.rests(*now):
            return
        if self._calm and self._stillness.is_fresh(self._calm, *now):
            return
        self._stillness.taken()
        self._undecided = None
        self._calm = Calm.of(frame, look.scene, self._eyes, self._follower.state.sides)

    @property
    def _sought(self) -> tuple[int, ...]:
        """The places of the target and of the double blank, while something is hunted; and of open photo finishes."""
        hunt, open_ = self._hunt, {hearing.place for hearing in self._hearings}
        if self._calm is None:
            return ()
        wanted = (hunt.target, BLANK) if hunt else ()
        return tuple(k for k, domino in enumerate(self._calm.dominoes) if domino in wanted or k in open_)

    @property
    def _table(self) -> Calm:
        """The calm table, wherever somebody touched it: contacts are told from it, and forgotten with it."""
        assert self._calm
        return self._calm

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
        if half_rolled(dice, self._dice) and look.still_s < ROLL_S:
            return []
        before, self._dice = self._dice, tuple(die.center_px for die in dice)
        moved = len(before) == 2 and all(lies_elsewhere(die, before) for die in dice)
        if not moved or state.dice is None or sorted(state.dice) != sorted(die.value for die in dice):
            return []
        events = self._follower.make(str(Roll(state.dice)), seen=True)
        return [] if isinstance(events[0], Refused) else events

    def _judged(self, now_s: float, found: list[Contact]) -> list[Event]:
        hunt = self._hunt
        if hunt is None or self._calm is None:
            self._since_s = self._undecided = None
            self._fouls.clear()
            self._contacts = [one for one in latest([*self._contacts, *found]) if now_s - one.time_s < RUSH_S + 1]
            self._late(found)
            return []
        if self._since_s is None:
            self._since_s = since_s = now_s - min(RUSH_S, self._still_s)
            self._contacts = [one for one in self._contacts if one.time_s >= since_s]
        self._contacts = latest([*self._contacts, *(one for one in found if not self._is_settled(one))])
        self._late(found)
        since = (c for c in self._contacts if c.time_s >= self._since_s)
        self._contacts = [c for c in since if c.likely or now_s - c.time_s < RUMOURS_S]
        # what may be a touch of any tile that a hand passes over keeps nobody waiting
        weighed = [one for one in self._contacts if one.likely or self._is_sought(one)]
        pending = [one for one in self._calm.watch.pending if one.likely or self._is_sought(one)]
        return self._told(self._settle()) if is_due(weighed, pending, now_s, self._calm.whose) else []

    def _settle(self) -> list[Contact]:
        """The touches that are judged now, the earliest first; what may have been one of another tile goes on."""
        due = sorted(self._contacts, key=lambda c: c.time_s)
        judged = {one.place for one in due if one.likely}
        self._contacts = [one for one in due if one.place not in judged]
        self._settled |= {one.number for one in due if one.place in judged} - {None}
        return due

    def _is_settled(self, contact: Contact) -> bool:
        """Whether it is a touch that was judged told anew, as that of a hand is which takes its tile away."""
        return contact.number in self._settled

    def _late(self, found: Sequence[Contact]) -> None:
        """Others' touches after the verdict belong to its photo finish, and what is told anew of those before it."""
        for hearing in self._hearings:
            known = {one.number for one in hearing.contacts} - {None}
            for contact in (c for c in found if c.place == hearing.place):
                other = contact.likely and self._table.whose(contact) not in map(self._table.whose, hearing.likely)
                if contact.number in known or (other and self._counts(contact, hearing.hunt)):
                    hearing.contacts.append(contact)

    def _told(self, contacts: Sequence[Contact]) -> list[Event]:
        """Judge touches, the earliest first; those on one tile together."""
        events: list[Event] = []
        judged: set[int] = set()
        for contact in self._in_time([one for one in contacts if one.likely]):
            hunt = self._hunt
            if hunt is None or contact.place in judged or any(h.place == contact.place for h in self._hearings):
                continue
            judged.add(contact.place)
            before = self._before(contact)
            rivals = [*before, *(c for c in contacts if c.place == contact.place)]
            domino = self._table.domino(contact)
            if domino is None or domino not in hunt.face_up or _comes_late(contact, domino, hunt):
                continue
            if self._is_sought(contact):
                events += [*self._unclaimed(contact), *self._ruled(rivals, domino, again=bool(before))]
            elif not self._lies_beside(contact, contacts):
                events += self._touch(contact, domino)
        return events

    def _before(self, contact: Contact) -> Sequence[Contact]:
        """Who touched that tile just before, where it was too close to call who was first."""
        one = self._open(contact)
        return one.contacts if one and one.place == contact.place else ()

    def _open(self, contact: Contact) -> Hearing | None:
        """What was too close to call just before a touch."""
        one = self._undecided
        return one if one and contact.time_s - one.until_s < LATER_S else None

    def _is_sought(self, contact: Contact) -> bool:
        """Whether it is the target that was touched, or the double blank."""
        return self._hunt is not None and self._table.domino(contact) in (self._hunt.target, BLANK)

    def _lies_beside(self, contact: Contact, contacts: Sequence[Contact]) -> bool:
        """Whether a hand that reached for what is sought only lies on this tile with its other fingers."""
        told = [one for one in (*contacts, *self._table.watch.pending) if self._is_sought(one)]
        whose = self._table.whose(contact)
        return any(self._table.whose(one) == whose and abs(one.time_s - contact.time_s) < HAND_S for one in told)

    def _in_time(self, contacts: Sequence[Contact]) -> list[Contact]:
        """Those touches that are no claim made when the target may have been found already: in doubt it is none."""
        claims = [c for c in contacts if self._table.domino(c) == BLANK]
        found = [c for c in contacts if c not in claims and self._is_sought(c) and self._counts(c, self._hunt)]
        return [c for c in contacts if c not in claims or self._is_first(c, [*found, *self._found_by_some(c)])]

    def _found_by_some(self, claim: Contact) -> Sequence[Contact]:
        """Who found the target just before a claim, where it was too close to call who of them was first."""
        one = self._open(claim)
        return one.likely if one and self._table.dominoes[one.place] != BLANK else ()

    def _is_first(self, claim: Contact, found: Sequence[Contact]) -> bool:
        """Whether the target was surely not found before a claim."""
        earliest = min(found, key=lambda one: one.time_s, default=None)
        return earliest is None or is_later(earliest, claim)

    def _unclaimed(self, found: Contact) -> list[Event]:
        """Take back a claim where it turns out that the target may have been found before it: in doubt it is none."""
        hunt, claim, made = self._hunt, self._claim, self._follower.made
        if hunt is None or claim is None or hunt.claimed is None or hunt.since_s != round(claim.time_s, 3):
            return []  # nobody claimed, or people said so
        if not made or is_later(found, claim) or not self._counts(found, self._follower.states[-2]):
            return []
        self._hearings = [hearing for hearing in self._hearings if hearing.place != claim.place]
        return self._follower.take_back()

    def _counts(self, contact: Contact, hunt: Hunt | None) -> bool:
        """Whether the rules allow this touch: a hidden tile, who claimed already, a side where nobody sits do not."""
        touch = self._played(contact)
        if touch is None or hunt is None:
            return False
        try:
            self._follower.game.play(hunt, touch)
        except IllegalMove:
            return False
        return True

    def _ruled(self, rivals: Sequence[Contact], domino: Domino, *, again: bool) -> list[Event]:
        """The verdict over a tile that counts: who was first on it, or that nobody can say; again: which was said.

        A finger that the rules refuse is a foul, and keeps nobody else from being first.
        """
        right = [contact for contact in rivals if self._counts(contact, self._hunt)]
        best_s = min((contact.time_s for contact in right if contact.likely), default=np.inf)
        wrong = [one for one in rivals if one.likely and one not in right and one.time_s < best_s]
        fouls = [event for contact in wrong for event in self._touch(contact, domino)]
        first = first_of(right, self._table.whose)
        if best_s == np.inf or (again and first.contact is None):
            return fouls
        assert self._hunt
        until_s = (first.contact.time_s if first.contact else best_s) + FINISH_S
        hearing = Hearing(right[0].place, until_s, self._hunt, right)
        self._hearings.append(hearing)
        if first.contact is not None:
            told = self._touch(first.contact, domino, first)
            hearing.named, hearing.move = self._table.seat(first.contact), self._follower.made[-1].move
            return [*fouls, *told]
        self._undecided = hearing
        seats = tuple(seat for c in first.close if (seat := self._table.seat(c)) is not None)
        text = f"Too close to call on the {said(domino)}: {doubted(seats, first)}."
        return [*fouls, TooClose(text, seats, self._cells(domino), str(domino))]

    def _touch(self, contact: Contact, domino: Domino, first: First | None = None) -> list[Event]:
        """Play a touch; what the rules refuse, as a wrong tile or a hidden one, is a foul with their sentence."""
        touch = self._played(contact)
        if touch is None:
            return self._foul(f"A hand touched the {said(domino)} from a side where nobody sits.", contact, domino)
        events = self._follower.make(str(touch), seen=True)
        if isinstance(events[0], Refused):
            return self._foul(events[0].text, contact, domino)
        if domino == BLANK:
            self._claim = contact
        return [was_first(touch.seat, first), *events]

    def _foul(self, text: str, contact: Contact, domino: Domino) -> list[Event]:
        """That a hand touched what does not count; once for a hand that stays there, or comes back."""
        whose = self._table.whose(contact), domino
        told_s, self._fouls[whose] = self._fouls.get(whose, -np.inf), contact.time_s
        again = abs(contact.time_s - told_s) < STAYS_S  # what is told anew may have been a little earlier
        return [] if again else [Foul(text, self._table.seat(contact), self._cells(domino), str(domino))]

    def _played(self, contact: Contact) -> Touch | None:
        """A touch as the move that it is; None from a side where nobody sits."""
        seat, domino = self._table.seat(contact), self._table.domino(contact)
        if seat is None or domino is None:
            return None
        return Touch(seat, domino, round(contact.time_s, 3), self._hides(contact))

    def _finished(self, now_s: float) -> list[Event]:
        """The photo finishes whose time has come."""
        due = [hearing for hearing in self._hearings if now_s >= hearing.until_s]
        self._hearings = [hearing for hearing in self._hearings if hearing not in due]
        events: list[Event] = []
        for hearing in due:
            events += self._reconsidered(hearing)
            events.append(finish(hearing, self._table, self._film, self._keep))
        return events

    def _reconsidered(self, hearing: Hearing) -> list[Event]:
        """What all that was seen since makes of a verdict: somebody else was first, or somebody after all.

        Once the game went on it stands.
        """
        table, states = self._table, self._follower.states
        first = first_of(hearing.contacts, table.whose)
        contact = first.contact
        if contact is None or (domino := table.domino(contact)) is None or table.seat(contact) == hearing.named:
            return []
        if hearing.named is None:
            return self._touch(contact, domino, first) if self._counts(contact, self._hunt) else []
        last = [one.move for one in self._follower.made[-1:]]
        sure = chances_of(hearing.contacts, table.whose)[table.whose(contact)] > OVERTURNS
        if not sure or last != [hearing.move] or not self._counts(contact, states[-2]):
            return []
        hearing.named = table.seat(contact)
        return [*self._follower.take_back(), *self._touch(contact, domino, first)]

    def _hides(self, contact: Contact) -> bool:
        """Whether that hand covers the whole tile, so that nobody else can read it."""
        return self._film.hides(contact, self._table.corners[contact.place])

    def _cells(self, domino: Domino) -> tuple[tuple[int, int], ...]:
        place = dict(self._follower.state.where).get(domino)
        return places(place.cells) if place else ()


def _comes_late(contact: Contact, domino: Domino, hunt: Hunt) -> bool:
    """Whether somebody else has just claimed what this hand was after, too."""
    claimed_s = None if hunt.claimed is None else hunt.since_s
    return domino == BLANK and claimed_s is not None and contact.time_s - claimed_s < LATE_S
