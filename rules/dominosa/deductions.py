"""The deductions of the book and their kin, each a search for all that it finds in what is open.

The rules and their numbers are Don Kirkby's; what clashes with every choice of a square or domino, and what two squares
would need at once, are those of the portable puzzle collection in a more general form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from rules.dominosa.candidates import Candidates, Deduction
from rules.dominosa.places import Places, bits
from rules.dominosa.technique import Technique


def only_neighbour(at: Candidates) -> Iterator[Deduction]:
    """Rule 1: a square with one neighbour left joins it."""
    return _single(at, range(at.places.squares), Technique.ONLY_NEIGHBOUR, at.open)


def taken(at: Candidates) -> Iterator[Deduction]:
    """Rule 2: a domino that lies rules out its other places, and the other neighbours of its squares."""
    for place in bits(at.laid):
        gone = at.places.clashes[place] & at.open
        if gone:
            yield at.found(Technique.TAKEN, at.places.items[place], ruled_out=gone, used=1 << place)


def last_place(at: Candidates) -> Iterator[Deduction]:
    """Rule 3: a domino that lost its other places lies in the last one."""
    narrowed = [item for item in _dominoes(at.places) if at.places.at[item] & ~at.open]
    return _single(at, narrowed, Technique.LAST_PLACE, at.open)


def unique_pair(at: Candidates) -> Iterator[Deduction]:
    """Rule 6: a domino that never had more than one place lies there. Finding it takes a search of the whole grid."""
    return _single(at, _dominoes(at.places), Technique.UNIQUE_PAIR, at.open)


def _dominoes(places: Places) -> range:
    return range(places.squares, len(places.at))


def _single(at: Candidates, items: range | list[int], technique: Technique, open_: int) -> Iterator[Deduction]:
    for item in items:
        left = at.places.at[item] & open_
        if left and not left & (left - 1) and not left & at.laid:
            yield at.found(technique, (item,), settled=left)


def same_domino(at: Candidates) -> Iterator[Deduction]:
    """Rule 4: where every choice of a square makes the same domino, that domino lies nowhere else."""
    for square, choices in at.choice_of_squares():
        alike = _shared(at.places, choices, 2)
        gone = at.places.at[alike] & at.open & ~choices if alike is not None else 0
        if gone:
            yield at.found(Technique.SAME_DOMINO, (square,), ruled_out=gone)


def shared_square(at: Candidates) -> Iterator[Deduction]:
    """Rule 5: where all places of a domino share a square, that square joins nothing else."""
    for domino, choices in at.choice_of_dominoes():
        square = _shared(at.places, choices, 0)
        square = _shared(at.places, choices, 1) if square is None else square
        gone = at.places.at[square] & at.open & ~choices if square is not None else 0
        if gone:
            yield at.found(Technique.SHARED_SQUARE, (domino,), ruled_out=gone)


def _shared(places: Places, choices: int, which: int) -> int | None:
    """The item that all these places cover: a square (which is 0 or 1, an end of the first place) or the domino (2)."""
    first = (choices & -choices).bit_length() - 1
    item = places.items[first][which]
    return None if choices & ~places.at[item] else item


def no_place_left(at: Candidates) -> Iterator[Deduction]:
    """Rule 5 in general: what clashes with every place of a domino cannot be."""
    for domino, choices in at.choice_of_dominoes():
        gone = _clashing_with_all(at, choices)
        if gone:
            yield at.found(Technique.NO_PLACE_LEFT, (domino,), ruled_out=gone)


def no_neighbour_left(at: Candidates) -> Iterator[Deduction]:
    """Rule 4 in general: what clashes with every choice of a square cannot be."""
    for square, choices in at.choice_of_squares():
        gone = _clashing_with_all(at, choices)
        if gone:
            yield at.found(Technique.NO_NEIGHBOUR_LEFT, (square,), ruled_out=gone)


def _clashing_with_all(at: Candidates, choices: int) -> int:
    clashes = at.places.clashes
    return reduce(int.__and__, [clashes[place] for place in bits(choices)], at.open)


def needed_twice(at: Candidates) -> Iterator[Deduction]:
    """What would make two squares need the same domino, which cannot lie on both, cannot be."""
    for place in bits(at.open & ~_lying(at)):
        found = _needing_one(at, place)
        if found:
            yield at.found(Technique.NEEDED_TWICE, found, ruled_out=1 << place)


def _lying(at: Candidates) -> int:
    """The places that are the only choice of a square."""
    left = (over & at.open for over in at.places.at[: at.places.squares])
    return reduce(int.__or__, [one for one in left if not one & (one - 1)], 0)


def _needing_one(at: Candidates, place: int) -> tuple[int, int, int] | None:
    """Two squares beside a place, and the domino that both would need if another one lay there."""
    places, open_ = at.places, at.open & ~at.places.clashes[place]
    needs: dict[int, list[tuple[int, int]]] = {}
    for square in places.lattice.beside[place]:
        left = places.at[square] & open_
        domino = places.items[left.bit_length() - 1][2]
        if left and not left & ~places.at[domino]:
            for other, others_left in needs.setdefault(domino, []):
                if not left & others_left:
                    return other, square, domino
            needs[domino].append((square, left))
    return None
