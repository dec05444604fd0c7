"""Unmatched Donimoes: slide the dominoes into a rectangle, never a number beside the same one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, partial

from rules.certainty import Sight, gaps
from rules.game import GameInfo, IllegalMove, Outcome, Problem
from rules.layout import CORNER, WIDTH, Contact, Layout, cell_of
from rules.layout_reading import allowed, missing, rectangle
from rules.sliding import Slid, Slide, every_slide, keep_together, slid, slides
from rules.sliding_puzzle import SlidingPuzzle, named_slides
from rules.words import where


class Unmatched(SlidingPuzzle[Slide]):
    """The puzzle by Don Kirkby. Any filled rectangle wins; only the domino that slides is looked at for matches."""

    info = GameInfo("unmatched", "Unmatched Donimoes", (1, 1), "some dominoes of a double-six set")

    def candidates(self, state: Layout) -> Iterable[Slide]:
        """Every slide into a free space."""
        return slides(state)

    def play(self, state: Layout, move: Slide) -> Layout:
        """Slides a domino. Raises IllegalMove where it meets its own number, or where the group falls apart."""
        made = slid(state, move)
        alike = [contact for contact in made.contacts() if contact[0] == contact[1]]
        if alike:
            raise IllegalMove(partial(_matching, made, alike), made.layout)
        keep_together(made, made.layout)
        return made.layout()

    def outcome(self, state: Layout) -> Outcome | None:
        """Solved once the dominoes fill a rectangle."""
        if not state.places:
            return None
        rows = state.covered.bit_length() // WIDTH - CORNER // WIDTH + 1
        cols, rest = divmod(2 * len(state.places), rows)
        if rest or state.covered != _filled(rows, cols):
            return None
        return Outcome(True, (0,), (), f"The dominoes fill {rows} by {cols} squares.")

    def moves(self, state: Layout, text: str) -> tuple[Slide, ...]:
        """The slides that a word names, "24R" or "24RR"."""
        return named_slides(state, text)

    def attempts(self, state: Layout, seen: Layout) -> Iterator[Slide]:
        """Any slide, across the long axis too."""
        return every_slide(state)

    def goal_faults(self, sight: Sight, before: Layout | None) -> Iterator[Problem]:
        """The squares that are empty in the rectangle, and the dominoes that lack."""
        yield from gaps(sight, rectangle(sight.covered))
        if before:
            yield from missing(sight, allowed(before))


@cache
def _filled(rows: int, cols: int) -> int:
    row = (1 << cols) - 1
    return sum(row << CORNER + number * WIDTH for number in range(rows))


def _matching(made: Slid, alike: Collection[Contact]) -> Problem:
    cells = [cell_of(at) for _, _, at in alike]
    numbers = " and its ".join(str(number) for number in sorted({own for own, _, _ in alike}))
    return made.refused(f"its {numbers} would lie beside the same number at {where(cells)}", cells)


GAME = Unmatched()
