"""From a table to a state of Cobra Paw: the middle, the dice, and the dominoes before each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from rules.cobra_paw.state import BLANK, FULL_SET, GiveUp, Hunt, Move, Take, Touch
from rules.domino import Domino
from rules.game import Problem, Seat, UnreadableTable
from rules.holding import Holding
from rules.table import Hand, Place, Table, TableSide
from rules.two_dice import Roll, dice_shown, wrong_dice
from rules.words import count, listing, often, player, said, where

_MOST = 4


def read_hunt(table: Table, before: Hunt | None) -> Hunt:
    """What lies in the middle and before the players; a domino that is covered stays where it was.

    Raises UnreadableTable for dominoes that are there twice or lack, dice that are not two, and hands of nobody.
    """
    base = before or Hunt((Holding(),) * min(max(2, len(table.hands)), _MOST), ())
    middle = _middle(table)
    problems = [*_strange(middle, table, base.sides), *wrong_dice(table), *_homeless(table, base.sides)]
    if problems:
        raise UnreadableTable(tuple(problems))
    shown = {_seat(hand, base.sides): hand for hand in table.hands}
    face_up, taken = _shared(base, set(middle), shown) if before else _first_look(base, set(middle), shown)
    dice = dice_shown(table) or base.dice
    return _over(base, replace(base, face_up=face_up, taken=taken, dice=dice, where=tuple(_places(table))))


def _over(before: Hunt, seen: Hunt) -> Hunt:
    """For whoever takes the table as it lies: a hunt is over whose target somebody took, and other dice begin the next.

    Else nobody could find the target, nor roll before it is found.
    """
    if before.target not in before.face_up or before.target in seen.face_up:
        return seen
    roller = next(iter(_grown(before, seen)), seen.roller)
    return replace(seen, hunting=seen.dice != before.dice, claimed=None, roller=roller, before=before.counts)


def _middle(table: Table) -> Counter[Domino]:
    """How often each domino lies face up in the middle; a chain's tiles may be those of the board."""
    chained = Counter(tile.domino for tile in table.chain.tiles)
    chained.subtract(placed.domino for placed in table.board.placed)
    laid = Counter(placed.domino for placed in table.board.placed)
    return laid + Counter(tile.domino for tile in table.loose) + +chained + Counter(s.domino for s in table.spots)


def _places(table: Table) -> Iterator[tuple[Domino, Place]]:
    for placed in table.board.placed:
        yield placed.domino, Place(placed.cells)
    for tile in table.loose:
        yield tile.domino, Place((), tile.x, tile.y, tile.angle_deg, tile.unit)


def _strange(middle: Counter[Domino], table: Table, sides: Sequence[TableSide]) -> Iterator[Problem]:
    if not middle:
        yield Problem("No domino lies face up in the middle; all that nobody has taken are expected there.")
    everywhere = middle + Counter(domino for hand in table.hands for domino in hand.dominoes)
    for domino in sorted(everywhere):
        cells = tuple(c for placed in table.board.placed if placed.domino == domino for c in placed.cells)
        if domino not in FULL_SET:
            yield Problem(f"The {said(domino)} is not in the {FULL_SET.name} set.", cells)
        elif everywhere[domino] > 1:
            places = list(_told_places(domino, table, sides))
            named = f": {listing(places)}" if len(places) == everywhere[domino] else ""
            yield Problem(f"The {said(domino)} is there {often(everywhere[domino])}{named}.", cells)


def _told_places(domino: Domino, table: Table, sides: Sequence[TableSide]) -> Iterator[str]:
    """Where a domino lies, in words: in the middle beside which other one, or before whom."""
    yield from (f"at {where(placed.cells)}" for placed in table.board.placed if placed.domino == domino)
    for tile in table.loose:
        if tile.domino == domino:
            others = [one for one in table.loose if one.domino != domino and one.unit == tile.unit]
            near = min(others, key=lambda one: hypot(one.x - tile.x, one.y - tile.y), default=None)
            yield f"in the middle beside the {said(near.domino)}" if near else "in the middle"
    for hand in table.hands:
        seat = _seat(hand, sides)
        yield from [f"before {player(seat)}" if seat >= 0 else f"at the {hand.side}"] * hand.dominoes.count(domino)


def _homeless(table: Table, sides: Sequence[TableSide]) -> Iterator[Problem]:
    """Hands where nobody sits, and two hands of one player."""
    seats = [_seat(hand, sides) for hand in table.hands]
    for hand, seat in zip(table.hands, seats, strict=True):
        if seat not in range(len(sides)):
            at = f"at the {hand.side}" if hand.side else "before another player"
            yield Problem(f"Dominoes lie {at}; the {len(sides)} players sit at {listing(list(sides))}.")
        elif seats.count(seat) > 1:
            yield Problem(f"{player(seat)} seems to have two hands.")


def _seat(hand: Hand, sides: Sequence[TableSide]) -> Seat:
    """Whose hand it is: by the side it lies at, else by its number."""
    if hand.side is None:
        return hand.seat
    return sides.index(hand.side) if hand.side in sides else -1


def _first_look(
    base: Hunt, middle: set[Domino], shown: dict[Seat, Hand]
) -> tuple[tuple[Domino, ...], tuple[Holding, ...]]:
    taken = tuple(
        Holding(shown[seat].dominoes, shown[seat].face_down) if seat in shown else Holding()
        for seat in range(base.players)
    )
    there = len(middle) + sum(map(len, taken))
    if there != len(FULL_SET):
        text = f"{len(middle)} dominoes lie in the middle and {there - len(middle)} before players: {there} are there"
        raise UnreadableTable((Problem(f"{text}, {len(FULL_SET)} are expected."),))
    return tuple(sorted(middle)), taken


def _shared(base: Hunt, middle: set[Domino], shown: dict[Seat, Hand]) -> tuple[tuple[Domino, ...], tuple[Holding, ...]]:
    """The middle and the hands after what was seen before: who has more took what is gone, where that is all of it.

    What is gone while nobody has more is covered, and still there.
    """
    gone = [domino for domino in base.face_up if domino not in middle]
    kept = [tuple(domino for domino in held if domino not in middle) for held in base.taken]
    back = [len(held.known) - len(still) for held, still in zip(base.taken, kept, strict=True)]
    counts = [len(held) - less for held, less in zip(base.taken, back, strict=True)]
    grown = dict[Seat, int]()
    for seat, hand in shown.items():
        more = len(hand.dominoes) + hand.face_down - counts[seat]
        if more < 0:
            text = f"{player(seat)} had {count(counts[seat], 'domino', 'dominoes')} and shows {counts[seat] + more}"
            raise UnreadableTable((Problem(f"{text}: what was taken stays before the player."),))
        if more:
            grown[seat] = more
    if grown and sum(grown.values()) != len(gone):
        names = listing([f"the {said(domino)}" for domino in gone]) or "nothing"
        took = listing([f"{player(seat)} has {more} more" for seat, more in grown.items()])
        raise UnreadableTable((Problem(f"From the middle {names} is gone, but {took}."),))
    taken = []
    for seat, held in enumerate(base.taken):
        known = (*kept[seat], *(gone if list(grown) == [seat] else ()))
        unknown = counts[seat] + grown.get(seat, 0) - len(known)
        taken.append(replace(held, known=known, unknown=unknown))
    face_up = middle if grown else middle.union(gone)
    return tuple(sorted(face_up)), tuple(taken)


def towards(state: Hunt, seen: Hunt) -> Iterator[Move]:
    """What may have led to what is seen.

    A claim leaves no trace on the table: a finger or a word tells of it. Only where the target is gone, who takes
    another domino has claimed. That nobody finds the target is told by a claimer who takes another one.
    """
    grown, gone = _grown(state, seen), _gone(state, seen)
    if state.owed:
        yield from (Take(seat, domino) for seat in state.owed if seat in grown for domino in gone)
    elif not state.hunting:
        yield from [Roll(seen.dice)] if seen.dice and seen.dice != state.dice else []
    elif state.target in gone:
        yield from (Touch(seat, state.target) for seat in grown)
    elif state.claimed in grown:
        yield GiveUp()
    elif state.claimed is None and state.target not in state.face_up:
        yield from (Touch(seat, BLANK) for seat in grown)


def tried(state: Hunt, seen: Hunt) -> Iterator[Move]:
    """What may have been tried: the dice rolled, and the domino that is gone taken by who has one more.

    While rewards are due it was taken as one.
    """
    if seen.dice and seen.dice != state.dice:
        yield Roll(seen.dice)
    for domino in _gone(state, seen):
        for seat in _grown(state, seen):
            yield Take(seat, domino) if state.owed else Touch(seat, domino)


def _gone(state: Hunt, seen: Hunt) -> list[Domino]:
    """What has left the middle."""
    return sorted(set(state.face_up) - set(seen.face_up))


def _grown(state: Hunt, seen: Hunt) -> list[Seat]:
    """Who has more than before."""
    return [seat for seat in range(state.players) if seen.counts[seat] > state.counts[seat]]


def differences(state: Hunt, seen: Hunt) -> Iterator[Problem]:
    """What came, went and was turned, where no move explains it."""
    for domino in _gone(state, seen):
        yield Problem(f"The {said(domino)} is gone from the middle, and it was not to be taken.")
    cells = {domino: place.cells for domino, place in seen.where}
    for domino in sorted(set(seen.face_up) - set(state.face_up)):
        yield Problem(f"The {said(domino)} lies in the middle again.", cells.get(domino, ()))
    for seat, (had, has) in enumerate(zip(state.counts, seen.counts, strict=True)):
        if had != has:
            yield Problem(f"{player(seat)} had {count(had, 'domino', 'dominoes')} and has {has} now.")
    if state.dice != seen.dice and seen.dice:
        yield Problem(f"The dice show {seen.dice[0]} and {seen.dice[1]} now, though nobody was to roll.")
