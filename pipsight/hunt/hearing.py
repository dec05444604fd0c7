"""What is said and shown of a judged touch: who was first and by how much, or between whom nobody can decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipsight.events import PhotoFinish, WasFirst
from pipsight.hunt.first import NAMED, First, first_of, latest
from rules.words import listing, player
from vision.hands.finish import Mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipsight.hunt.calm import Calm
    from pipsight.hunt.film import Film
    from rules.cobra_paw.state import Hunt
    from rules.game import Seat
    from vision.hands.touches import Contact
    from vision.straighten import Image


@dataclass
class Hearing:
    """A touch that was judged and whose photo finish is still to be made: who else comes, and until when.

    hunt: the game as it stood before the verdict: who may not touch the tile then was no rival. named: who was told to
    be first, None where that was too close to call. move: what was made of it.
    """

    place: int
    until_s: float
    hunt: Hunt
    contacts: list[Contact] = field(default_factory=list)
    named: Seat | None = None
    move: str = ""

    @property
    def likely(self) -> list[Contact]:
        """Those of the contacts that were touches sooner than none."""
        return [one for one in latest(self.contacts) if one.likely]


def was_first(seat: Seat, first: First | None) -> WasFirst:
    """That somebody was first, and by how much where another hand came, too."""
    if first is None or first.margin_s is None:
        return WasFirst(f"{player(seat)} was first.", seat)
    margin, sigma = round(1000 * first.margin_s), round(1000 * first.sigma_s)
    return WasFirst(f"{player(seat)} was first, by {margin} ms, give or take {sigma}.", seat, margin, sigma)


def doubted(seats: Sequence[Seat], first: First) -> str:
    """Between whom nobody can decide, or what else is in doubt."""
    names = listing([player(seat) for seat in seats])
    if len(seats) == 1 and first.close[0].chance <= NAMED:
        return f"{names} may have touched it, or only come near it"
    return names if len(seats) > 1 else f"{names} or somebody whose finger was not seen"


def sentence(names: Sequence[str], first: First, *, stands: bool = True) -> str:
    """Who was before whom, by how much, and how sure that is. stands: whether that is what was told before."""
    if first.margin_s is None or len(names) < 2:
        if not stands:
            return f"{names[0]} may have been first: look at the picture."
        if first.contact is None:
            return f"{names[0]} may have touched it, or another hand whose finger was not seen."
        return f"{names[0]} alone touched it."
    margin, sigma = round(1000 * first.margin_s), round(1000 * first.sigma_s)
    if margin == 0:
        look = "." if stands else ": look at the picture."
        return f"{names[0]} and {names[1]} came at the same moment, give or take {sigma} ms{look}"
    if not stands:
        return f"{names[0]} may have been {margin} ms before {names[1]}, give or take {sigma}: look at the picture."
    return f"{names[0]} was {margin} ms before {names[1]}, give or take {sigma}."


def finish(hearing: Hearing, table: Calm, film: Film, keep: Callable[[Image], str]) -> PhotoFinish:
    """The photo finish of a touch on that table, with the picture that was made from the film and kept."""
    first = first_of(hearing.contacts, table.whose)
    alone = sorted(hearing.likely or latest(hearing.contacts), key=lambda c: c.time_s)
    order = alone if first.margin_s is None else first.order
    seats = [table.seat(contact) for contact in order]
    names = [player(seat) if seat is not None else "Nobody's hand" for seat in seats]
    marks = [
        Mark(f"{name}  {1000 * (c.time_s - order[0].time_s):+.0f} ms", c.at_px, c.time_s)
        for name, c in zip(names, order, strict=True)
    ]
    picture = keep(film.finish(marks, table.reach_px(hearing.place)))
    known = tuple(dict.fromkeys(seat for seat in seats if seat is not None))
    margin = None if first.margin_s is None else round(1000 * first.margin_s)
    sigma = round(1000 * first.sigma_s)
    told = sentence(names, first, stands=hearing.named in (None, seats[0]))
    return PhotoFinish(told, known, margin, sigma, picture, str(table.dominoes[hearing.place]))
