"""Help for a half-solved grid: a domino that lies wrong, or what follows next and why."""

from __future__ import annotations

from rules.board import Board, Cell, Placed
from rules.dominosa.candidates import Candidates, Deduction
from rules.dominosa.cover import Covers, covers
from rules.dominosa.places import Places, bits
from rules.dominosa.reasoning import next_domino
from rules.game import Hint
from rules.grid import Grid
from rules.words import count, listing, said, where


def hint(grid: Grid, laid: Board, level: int) -> Hint | None:
    """A technique (1), the squares to look at (2), or the next domino and why (3); None where all dominoes lie.

    The dominoes that lie there clash neither with the grid's numbers nor with each other. One that no solution has
    there is told first, or some that no solution has together; where there are several solutions left, the squares in
    which they differ.
    """
    places = Places.of(grid)
    left = covers(places, 2, Candidates.of(places, laid).open)
    if not left.solutions:
        return _wrong(places, laid, covers(places, 2), level)
    if 2 * len(laid.placed) == places.squares:
        return None
    steps = next_domino(grid, laid)
    return _next(steps, level) if steps else _undecided(places, left, level)


def _next(steps: tuple[Deduction, ...], level: int) -> Hint:
    names = listing(list(dict.fromkeys(step.technique.title for step in steps)), "then")
    first, last = steps[0], steps[-1]
    if level <= 1:
        return Hint(f"{_capital(names)}: {first.technique.nudge}.", (), 1)
    from_cells = {cell for step in steps for cell in (*step.from_cells, *step.cells)}
    if level == 2:
        near = first.from_cells or first.cells
        return Hint(f"{_capital(names)}: look at {where(near)}.", near, 2)
    (placed,) = last.dominoes
    reasons = " ".join(step.sentence for step in steps)
    return Hint(f"{_capital(names)}: {reasons} Lay it there.", tuple(sorted({*from_cells, *placed.cells})), 3)


def _wrong(places: Places, laid: Board, found: Covers, level: int) -> Hint:
    if not found.solutions:
        return Hint("This grid has no solution.", (), level)
    lying = places.laid(laid)
    nearest = max(found.solutions, key=lambda solution: (solution & lying).bit_count())
    wrong = lying & ~nearest if found.unique else _clashing(places, lying)
    astray = tuple(map(places.placed, bits(wrong)))
    if len(astray) > 1 and not found.unique:
        return _together(places.cells(wrong), level)
    if level <= 1:
        verb = "lies" if len(astray) == 1 else "lie"
        what = count(len(astray), "domino", "dominoes") if found.unique else "A domino"
        return Hint(f"{what} {verb} wrong.", (), 1)
    first = astray[0]
    if level == 2:
        return Hint(f"The domino at {where(first.cells)} cannot stay.", first.cells, 2)
    home = _home(places, nearest, first)
    only = "the only solution" if found.unique else "a solution"
    text = f"The {said(first.domino)} at {where(first.cells)} cannot stay: in {only} it lies at {where(home.cells)}."
    return Hint(text, (*first.cells, *home.cells), 3)


def _clashing(places: Places, lying: int) -> int:
    """Some of the places that hold a domino, of which any but all have a solution: one where one alone has none."""
    alone = (1 << place for place in bits(lying))
    clashing = next((one for one in alone if not _solved(places, one)), lying)
    for place in bits(clashing):
        if not _solved(places, clashing & ~(1 << place)):
            clashing &= ~(1 << place)
    return clashing


def _solved(places: Places, lying: int) -> bool:
    """Whether a solution has dominoes on these places."""
    return bool(covers(places, 1, Candidates.of(places, places.board(lying)).open).solutions)


def _together(cells: tuple[Cell, ...], level: int) -> Hint:
    if level <= 1:
        return Hint("These dominoes cannot all stay: no solution has them together.", (), 1)
    return Hint(f"The dominoes at {where(cells)} cannot all stay: no solution has them together.", cells, level)


def _home(places: Places, solution: int, astray: Placed) -> Placed:
    return next(placed for placed in map(places.placed, bits(solution)) if placed.domino == astray.domino)


def _undecided(places: Places, left: Covers, level: int) -> Hint:
    one, other = left.solutions
    cells = places.cells(one ^ other)
    text = "Nothing more follows: more than one solution is left."
    return Hint(
        text if level <= 1 else f"{text} Two of them differ at {where(cells)}.", cells if level > 1 else (), level
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
