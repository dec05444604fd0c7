"""Why a deduction follows, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rules.board import Cell, Placed
from rules.domino import Domino
from rules.dominosa.places import bits
from rules.dominosa.technique import Technique
from rules.words import count, listing, said, where

if TYPE_CHECKING:
    from rules.dominosa.candidates import Deduction


def sentence(step: Deduction) -> str:
    """The reason for a deduction, about squares by row and column and dominoes by their numbers."""
    return _WORDS[step.technique](step)


def _only_neighbour(step: Deduction) -> str:
    (cell,), (placed,) = step.from_cells, step.dominoes
    number = _number(step, cell)
    return (
        f"The {number} at {where([cell])} has one neighbour left, so the {said(placed.domino)} lies at {_at(placed)}."
    )


def _taken(step: Deduction) -> str:
    (domino,) = step.from_dominoes
    return f"The {said(domino)} at {where(step.from_cells)} rules out its other places, and all else on its squares."


def _last_place(step: Deduction) -> str:
    (placed,) = step.dominoes
    return f"The {said(placed.domino)} can only lie at {_at(placed)} now."


def _unique_pair(step: Deduction) -> str:
    (placed,) = step.dominoes
    return f"The {said(placed.domino)} can only lie at {_at(placed)}: its numbers meet nowhere else."


def _same_domino(step: Deduction) -> str:
    (cell,) = step.from_cells
    lost = said(_lost(step)[0])
    return (
        f"Whatever the {_number(step, cell)} at {where([cell])} joins, it is the {lost}, which lies nowhere else then."
    )


def _shared_square(step: Deduction) -> str:
    (domino,) = step.from_dominoes
    places = step.before.places
    choices = step.before.choices(step.items[0])
    shared = set.intersection(*(set(places.placed(place).cells) for place in bits(choices)))
    cell = min(shared.intersection(*map(set, step.pairs)))
    return (
        f"Wherever the {said(domino)} lies, it covers the {_number(step, cell)} at {where([cell])}, "
        "which joins nothing else then."
    )


def _parity(step: Deduction) -> str:
    neck, *area = (step.before.places.cell(item) for item in step.items)
    return (
        f"The {count(len(area), 'square')} at {where(area)} are even in number and joined to the rest at "
        f"{where([neck])} only, so they fill up among themselves."
    )


def _no_place_left(step: Deduction) -> str:
    (domino,) = step.from_dominoes
    return f"{_a_domino_at(step)} would leave the {said(domino)} no place."


def _no_neighbour_left(step: Deduction) -> str:
    (cell,) = step.from_cells
    return f"{_supposed(step)} would leave the {_number(step, cell)} at {where([cell])} nothing to join."


def _needed_twice(step: Deduction) -> str:
    (domino,) = step.from_dominoes
    one, other = (where([cell]) for cell in step.from_cells)
    return f"{_supposed(step)} would make the squares at {one} and at {other} both need the {said(domino)}."


def _set(step: Deduction) -> str:
    shared = _listed(_taking(step))
    return f"The squares at {where(step.from_cells)} have just the {shared} to share, so these lie nowhere else."


def _set_with_double(step: Deduction) -> str:
    squares, shared = step.from_cells, _taking(step)
    number = _number(step, squares[0])
    double = Domino(number, number)
    if len(shared) == len(squares) - 1 and double in shared:
        return (
            f"The {len(squares)} squares at {where(squares)} have just the {_listed(shared)} to share, so two of them "
            f"are the {said(double)}, and the others lie nowhere else."
        )
    rest = [domino for domino in shared if domino != double]
    return (
        f"With the {said(double)} at {_listed_places(step)}, the {len(squares)} squares at {where(squares)} would have "
        f"just the {_listed(rest)} to share."
    )


def _forcing_chain(step: Deduction) -> str:
    gone, clashes = step.ruled_out, step.before.places.clashes
    links = [item for item in step.items if step.before.choices(item).bit_count() == 2]
    dead = [item for item in step.items if item not in links]
    linked = f"{listing([_item(step, item) for item in links])} have two choices each, one settles the next"
    if not gone & step.used:
        return f"{_capital(linked)}, and either way something clashes with {_the_places(step)}."
    together = f"{listing([_place(step, place) for place in bits(gone)])} stand or fall together, for {linked}"
    if dead:
        return f"{_capital(together)}; with them {_item(step, dead[0])} would have no choice."
    ends = [_place(step, place) for place in bits(gone) if clashes[place] & gone]
    return f"{_capital(together)}; but {listing(ends[:2])} clash."


def _contradiction(step: Deduction) -> str:
    return f"Suppose that there lay {_the_places(step)}: whatever follows, some square or domino ends without a place."


def _number(step: Deduction, cell: Cell) -> int:
    places = step.before.places
    return places.numbers[cell.row * places.lattice.cols + cell.col]


def _at(placed: Placed) -> str:
    return where(placed.cells)


def _lost(step: Deduction) -> list[Domino]:
    return sorted({step.before.places.placed(place).domino for place in bits(step.ruled_out)})


def _taking(step: Deduction) -> list[Domino]:
    """Every domino that one of the squares reasoned from may still take."""
    places = step.before.places
    choices = (place for item in step.items for place in bits(step.before.choices(item)))
    return sorted({places.placed(place).domino for place in choices})


def _listed(dominoes: Iterable[Domino]) -> str:
    return listing([said(domino) for domino in dominoes])


def _place(step: Deduction, place: int) -> str:
    placed = step.before.places.placed(place)
    return f"the {said(placed.domino)} at {where(placed.cells)}"


def _the_places(step: Deduction) -> str:
    return listing([_place(step, place) for place in bits(step.ruled_out)], "or")


def _listed_places(step: Deduction) -> str:
    return listing([where(cells) for cells in step.pairs], "or at")


def _supposed(step: Deduction) -> str:
    return _capital(_the_places(step))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _a_domino_at(step: Deduction) -> str:
    return f"A domino at {_listed_places(step)}"


def _item(step: Deduction, item: int) -> str:
    places = step.before.places
    if item < places.squares:
        return f"the {places.numbers[item]} at {where([places.cell(item)])}"
    return f"the {said(places.domino(item))}"


_WORDS: dict[Technique, Callable[[Deduction], str]] = {
    Technique.ONLY_NEIGHBOUR: _only_neighbour,
    Technique.TAKEN: _taken,
    Technique.LAST_PLACE: _last_place,
    Technique.SAME_DOMINO: _same_domino,
    Technique.SHARED_SQUARE: _shared_square,
    Technique.UNIQUE_PAIR: _unique_pair,
    Technique.PARITY: _parity,
    Technique.NO_PLACE_LEFT: _no_place_left,
    Technique.NO_NEIGHBOUR_LEFT: _no_neighbour_left,
    Technique.NEEDED_TWICE: _needed_twice,
    Technique.SET: _set,
    Technique.SET_WITH_DOUBLE: _set_with_double,
    Technique.FORCING_CHAIN: _forcing_chain,
    Technique.CONTRADICTION: _contradiction,
}
