"""From the first deduction to the solution: the whole chain of reasons, and as much of it as one domino needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules.board import EMPTY, Board
from rules.dominosa import deductions as book
from rules.dominosa.candidates import Candidates, Deduction, settle
from rules.dominosa.chains import forcing_chains
from rules.dominosa.cover import covers
from rules.dominosa.parity import parity
from rules.dominosa.places import Places, bits
from rules.dominosa.sets import plain_sets, sets_with_doubles
from rules.dominosa.technique import Technique
from rules.grid import Grid

Finds = Callable[[Candidates], Iterator[Deduction]]


def contradiction(at: Candidates) -> Iterator[Deduction]:
    """Rule 8, the last resort: a place that leads to no solution is out."""
    waiting = sorted((choices.bit_count(), choices) for _, choices in at.choice_of_squares())
    tried = dict.fromkeys(place for _, choices in waiting for place in bits(choices))
    for place in tried:
        if not settle(at.places, at.open & ~at.places.clashes[place]):
            yield _out(at, place)
            return
    for place in tried:
        if not covers(at.places, 1, at.open & ~at.places.clashes[place]).solutions:
            yield _out(at, place)
            return


def _out(at: Candidates, place: int) -> Deduction:
    return at.found(Technique.CONTRADICTION, (*at.places.items[place],), ruled_out=1 << place)


FINDS: dict[Technique, Finds] = {
    Technique.ONLY_NEIGHBOUR: book.only_neighbour,
    Technique.TAKEN: book.taken,
    Technique.LAST_PLACE: book.last_place,
    Technique.SAME_DOMINO: book.same_domino,
    Technique.SHARED_SQUARE: book.shared_square,
    Technique.UNIQUE_PAIR: book.unique_pair,
    Technique.PARITY: parity,
    Technique.NO_PLACE_LEFT: book.no_place_left,
    Technique.NO_NEIGHBOUR_LEFT: book.no_neighbour_left,
    Technique.NEEDED_TWICE: book.needed_twice,
    Technique.SET: plain_sets,
    Technique.SET_WITH_DOUBLE: sets_with_doubles,
    Technique.FORCING_CHAIN: forcing_chains,
    Technique.CONTRADICTION: contradiction,
}


def deductions(grid: Grid, laid: Board = EMPTY) -> tuple[Deduction, ...]:
    """The chain of reasons from the dominoes that lie there to the solution, the book's rules first and in its order.

    It ends before the solution where a grid has more than one, and where something is left without a place.
    """
    return tuple(reasons(Candidates.of(Places.of(grid), laid)))


def reasons(at: Candidates) -> Iterator[Deduction]:
    """One deduction after the other, each time the first that any technique finds, until none does."""
    while not at.is_impossible:
        step = next((step for finds in FINDS.values() for step in finds(at)), None)
        if step is None:
            return
        yield step
        at = at.after(step)


def next_domino(grid: Grid, laid: Board) -> tuple[Deduction, ...]:
    """The deductions that the next domino takes, none that it can do without; () where nothing can be deduced."""
    steps = []
    for step in reasons(Candidates.of(Places.of(grid), laid)):
        steps.append(step)
        if step.settled:
            return _needed(steps)
    return ()


def _needed(steps: Sequence[Deduction]) -> tuple[Deduction, ...]:
    """The last step, and whatever ruled out what it and its reasons take as ruled out."""
    needed, missing = [steps[-1]], steps[-1].because
    for step in reversed(steps[:-1]):
        if step.ruled_out & missing:
            needed.append(step)
            missing |= step.because
    return tuple(reversed(needed))
