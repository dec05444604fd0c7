"""Compares who touched what on a film with what the referee's eyes named: pure counting, no pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pipsight.hunt.first import SAME_S, first_of, latest
from training.grabs import Grab
from vision.hands.touches import Contact, side_of

IN_SIGHT = 0.5  # of a fingertip
SEEN = "all films, gap clear, finger seen"
NEAR_S = 0.35  # a contact named farther from the true one is another


@dataclass(frozen=True)
class Watched:
    """One film, its truth, and every contact that was named.

    cpu_ms: the eyes' processor time for one frame. judged_s: the frame in which the referee would have told who was
    first on the target, None if never.
    """

    rate: float
    players: int
    target: int
    size_px: tuple[int, int]
    seconds: float
    grabs: tuple[Grab, ...]
    contacts: tuple[Contact, ...]
    cpu_ms: float
    judged_s: float | None

    def as_json(self) -> dict[str, Any]:
        """In the plain types of JSON."""
        return asdict(self)

    @classmethod
    def of(cls, told: dict[str, Any]) -> Watched:
        """The reverse of as_json."""
        grabs = tuple(Grab(**_tupled(grab)) for grab in told["grabs"])
        contacts = tuple(Contact(**_tupled(contact)) for contact in told["contacts"])
        return cls(**(_tupled(told) | {"grabs": grabs, "contacts": contacts}))

    @property
    def on_target(self) -> list[Grab]:
        """Who touched the hunted tile, in order, each player once."""
        seats: dict[int, Grab] = {}
        for grab in self.grabs:
            if grab.place == self.target:
                seats.setdefault(grab.seat, grab)
        return list(seats.values())

    @property
    def gap_s(self) -> float | None:
        """How long after the first player the second one touched the target; None where nobody else did."""
        times = [grab.contact_s for grab in self.on_target if grab.contact_s is not None]
        return times[1] - times[0] if len(times) > 1 else None

    def side(self, contact: Contact) -> str:
        """From which side of the picture the hand came."""
        return side_of(contact.entry_px, self.size_px)

    @property
    def verdict_s(self) -> float | None:
        """How long after the first touch its player was named."""
        first = self.on_target[0].contact_s if self.verdict == "right" else None
        return None if first is None or self.judged_s is None else self.judged_s - first

    @property
    def verdict(self) -> str:
        """What becomes of the hunt: "right", "wrong", "too close" or "nobody"."""
        if self.judged_s is None:
            return "nobody"
        told = [one for one in self.contacts if one.place == self.target and one.confirmed_s <= self.judged_s]
        first = first_of(told, self.side).contact
        if first is None:
            return "too close"
        true = self.on_target
        return "right" if true and self.side(first) == true[0].side else "wrong"


def _tupled(told: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


@dataclass(frozen=True)
class Matched:
    """What each named contact was: of a true touch, of a hand that only feinted, or of nothing.

    touches: each true touch with the contact that named it, None where none did.
    """

    touches: tuple[tuple[Grab, Contact | None], ...]
    feints: int
    feints_taken: int
    false: tuple[Contact, ...]


def matched(film: Watched) -> Matched:
    """Each contact goes to the nearest true touch of the same tile by a hand from the same side.

    A touch is told anew once its hand takes the tile; that counts once.
    """
    left = [contact for contact in latest(film.contacts) if contact.likely]
    touches: list[tuple[Grab, Contact | None]] = []
    for grab in film.grabs:
        if grab.contact_s is None:
            continue
        mine = [c for c in left if c.place == grab.place and film.side(c) == grab.side]
        mine = [c for c in mine if abs(c.time_s - grab.contact_s) < NEAR_S]
        best = min(mine, key=lambda c: abs(c.time_s - (grab.contact_s or 0.0)), default=None)
        touches.append((grab, best))
        left = [c for c in left if best is None or c not in mine or abs(c.time_s - best.time_s) > SAME_S]
    feinting = [grab.side for grab in film.grabs if grab.contact_s is None]
    beside = {(grab.side, place) for grab in film.grabs if grab.contact_s is not None for place in grab.also}
    left = [c for c in left if (film.side(c), c.place) not in beside]
    taken = {film.side(c) for c in left if film.side(c) in feinting}
    false = tuple(c for c in left if film.side(c) not in feinting)
    return Matched(tuple(touches), len(feinting), len(taken), false)


@dataclass
class Group:
    """Counts over the films that have something in common."""

    films: int = 0
    verdicts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("right", "wrong", "too close", "nobody"), 0)
    )

    def add(self, film: Watched) -> None:
        """Count one film."""
        self.films += 1
        self.verdicts[film.verdict] += 1


def grouped(films: Iterable[Watched], names: Sequence[str]) -> dict[str, Group]:
    """The films by what they are like; a film is in several groups."""
    found = {name: Group() for name in names}
    for film in films:
        for name in groups_of(film):
            found.setdefault(name, Group()).add(film)
    return found


def groups_of(film: Watched) -> list[str]:
    """The groups that a film belongs to, by its rate, players, gap and the first hand."""
    true = film.on_target
    names = ["all films", gap_name(film), f"{film.rate:.0f} a second", f"{film.players} players"]
    if clear(film):
        names += [f"{name}, gap clear" for name in ("all films", *names[2:])]
    if clear(film) and true and true[0].sight > IN_SIGHT:
        names.append(SEEN)
    hand, _, dress = true[0].kind.partition(" ") if true else ("", "", "")
    return [*names, f"first hand {hand}", f"first arm {dress}"]


def clear(film: Watched) -> bool:
    """Whether the first was first by two frames or more, or alone."""
    return film.gap_s is None or film.gap_s >= 2 / film.rate


def gap_name(film: Watched) -> str:
    """The gap between the first two as a group's name."""
    if film.gap_s is None:
        return "alone on the tile"
    frames = film.gap_s * film.rate
    for most, name in ((1, "gap under one frame"), (2, "gap one to two frames"), (4, "gap two to four frames")):
        if frames < most:
            return name
    return "gap four frames or more"
