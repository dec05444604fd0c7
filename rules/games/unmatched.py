"""Unmatched Donimoes: slide the dominoes into a rectangle, never a number beside the same one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from random import Random

from rules.certainty import Sight, gaps
from rules.game import GameInfo, IllegalMove, Outcome, Problem, Solution
from rules.making import Grade, explored
from rules.sliding.layout import CORNER, WIDTH, Layout, cell_of
from rules.sliding.layout_reading import allowed, missing, rectangle
from rules.sliding.making import filled_rectangle, slid_back
from rules.sliding.puzzle import SlidingPuzzle, named_slides
from rules.sliding.search import Meetings, fewest_slides
from rules.sliding.slide import Slid, Slide, every_slide, slid, slides, split
from rules.watch import Watch
from rules.words import where

FAR = 250
NO_MATCH = Meetings(False, lambda number: frozenset([number]))


class Unmatched(SlidingPuzzle[Slide]):
    """The puzzle by Don Kirkby. Any filled rectangle wins; only the domino that slides is looked at for matches."""

    info = GameInfo("unmatched", "Unmatched Donimoes", (1, 1), "some dominoes of a double-six set", complete=False)

    grades = (
        Grade("easy", range(3, 9), range(3, 7)),
        Grade("medium", range(9, 16), range(5, 9)),
        Grade("hard", range(16, 61), range(6, 10)),
    )

    def proposed(self, chance: Random, grade: Grade) -> Layout | None:
        """A rectangle that was taken apart by slides taken back, and the layout farthest from an end of all that can
        be reached from there."""
        board = filled_rectangle(chance, chance.choice(grade.dominoes))
        if board is None:
            return None
        known = {Layout.of(board): None}
        waiting = list(known)
        for after in waiting:
            new = [before for before in slid_back(self, after) if before not in known] if len(known) < FAR else []
            known |= dict.fromkeys(new)
            waiting += new
        maze = explored(self, waiting[-1])
        left = maze.left if maze else {}
        fitting = [state for state in left if left[state] in grade.moves]
        return max(fitting, key=lambda state: left[state]) if fitting else None

    def candidates(self, state: Layout) -> Iterable[Slide]:
        """Every slide into a free space."""
        return (made.move for made in slides(state))

    def plays(self, state: Layout) -> Iterator[tuple[Slide, Layout]]:
        """Every legal slide, and the layout after it."""
        return ((made.move, made.layout()) for made in slides(state) if _lawful(made))

    def play(self, state: Layout, move: Slide) -> Layout:
        """Slides a domino. Raises IllegalMove where it meets its own number, or where the group falls apart."""
        made = slid(state, move)
        if not _lawful(made):
            raise IllegalMove(partial(_refusal, made), made.layout)
        return made.layout()

    def outcome(self, state: Layout) -> Outcome | None:
        """Solved once the dominoes fill a rectangle."""
        size = _filled_size(state.covered)
        return Outcome(True, (0,), (), f"The dominoes fill {size[0]} by {size[1]} squares.") if size else None

    def solve(self, state: Layout, watch: Watch) -> Solution[Slide]:
        """The fewest slides to a rectangle, or the proof that there are none."""
        return fewest_slides(state, NO_MATCH, lambda covered: _filled_size(covered) is not None, watch)

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


def _filled_size(covered: int) -> tuple[int, int] | None:
    """The rows and columns of the rectangle that some places fill, None where they do not."""
    rows = covered.bit_length() // WIDTH - CORNER // WIDTH + 1
    cols = (covered >> CORNER & ((1 << WIDTH) - 1)).bit_length()
    return (rows, cols) if covered and covered == _filled(rows, cols) else None


@cache
def _filled(rows: int, cols: int) -> int:
    row = (1 << cols) - 1
    return sum(row << CORNER + number * WIDTH for number in range(rows))


def _lawful(made: Slid) -> bool:
    """Whether a slide meets none of its own numbers and keeps the group together."""
    head, tail, _ = made.move.tile
    return not made.meets(head, tail) and made.holds()


def _refusal(made: Slid) -> Problem:
    alike = [(own, cell_of(at)) for own, other, at in made.contacts() if own == other]
    if not alike:
        return split(made)
    cells = [cell for _, cell in alike]
    numbers = " and its ".join(str(number) for number in sorted({own for own, _ in alike}))
    return made.refused(f"its {numbers} would lie beside the same number at {where(cells)}", cells)


GAME = Unmatched()
