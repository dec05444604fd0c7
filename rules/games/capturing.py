"""Capturing Donimoes: collect all dominoes by sliding matching numbers side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from rules.board import Board, Cell
from rules.certainty import Sight
from rules.domino import Domino
from rules.game import GameInfo, IllegalMove, Outcome, Problem, Solution
from rules.making import Grade
from rules.sliding.layout import Layout, cover, hangs_together
from rules.sliding.layout_reading import FULL_SET
from rules.sliding.making import TRIES, laid_beside, leads, slid_back
from rules.sliding.puzzle import SlidingPuzzle, named_slides
from rules.sliding.search import Meetings, fewest_slides
from rules.sliding.slide import WORDS, Slid, Slide, every_slide, slid, slides, split
from rules.watch import Watch
from rules.words import count, listing, said, where

SUM = 6
SLIDING = 0.5
MATCH_OR_SIX = Meetings(True, lambda number: frozenset([number, SUM - number]), captures=True)


@dataclass(frozen=True)
class Collect:
    """Slide a domino, then collect just these. A `Slide` alone collects what the rules say. `str` is "24R(42,44)"."""

    slide: Slide
    taken: frozenset[Domino]

    def __str__(self) -> str:
        return f"{self.slide}({','.join(map(str, sorted(self.taken)))})"


class Capturing(SlidingPuzzle[Slide | Collect]):
    """The puzzle by Don Kirkby. A match always captures, also where the slide makes a six too."""

    info = GameInfo("capturing", "Capturing Donimoes", (1, 1), "some dominoes of a double-six set")
    ends_bare = True

    grades = (
        Grade("easy", range(3, 6), range(4, 9)),
        Grade("medium", range(6, 10), range(6, 15)),
        Grade("hard", range(10, 31), range(8, 21)),
    )

    def proposed(self, chance: Random, grade: Grade) -> Layout | None:
        """An empty table on which captures and slides are taken back, until there are as many dominoes as wished."""
        size, state = chance.choice(grade.dominoes), Layout.of(Board())
        for _ in range(TRIES):
            if len(state.tiles) >= size:
                return state
            slid = list(slid_back(self, state)) if chance.random() < SLIDING else []
            state = chance.choice(slid) if slid else self._with_a_capture(chance, state) or state
        return None

    def _with_a_capture(self, chance: Random, after: Layout) -> Layout | None:
        """Two more dominoes of which one captures the other by a slide that leaves just what lies there now."""
        free = [domino for domino in FULL_SET if domino not in after.dominoes]
        one = chance.choice(free)
        alike = [other for other in free if other != one and {one.high, one.low} & {other.high, other.low}]
        if not alike:
            return None
        other = chance.choice(alike)
        before = Layout.of(laid_beside(chance, laid_beside(chance, after.board, one), other))
        tile = next(tile for tile in before.tiles if tile.domino == other)
        return before if any(leads(self, before, Slide(tile, way), after) for way in WORDS) else None

    def candidates(self, state: Layout) -> Iterable[Slide]:
        """Every slide into a free space."""
        return (made.move for made in slides(state))

    def plays(self, state: Layout) -> Iterator[tuple[Slide, Layout]]:
        """Every legal slide, and the layout after it."""
        for made in slides(state):
            captured = _captured(made)
            if _lawful(made, captured):
                yield made.move, _after(made, captured)

    def play(self, state: Layout, move: Slide | Collect) -> Layout:
        """Slides a domino, and collects it with all that match it. Raises IllegalMove where it neither matches nor
        makes a six, where the group falls apart, and where other dominoes are collected than those."""
        made = slid(state, move.slide if isinstance(move, Collect) else move)
        captured = _captured(made)
        if isinstance(move, Collect):
            _require_these(made, move.taken, captured)
        if not _lawful(made, captured):
            raise IllegalMove(partial(_refusal, made, captured), partial(_after, made, captured))
        return _after(made, captured)

    def outcome(self, state: Layout) -> Outcome | None:
        """Solved once nothing is left; lost with one domino, which can match none."""
        if len(state.places) > 1:
            return None
        if state.places:
            return Outcome(False, (), (), "One domino is left, and nothing to match it.")
        return Outcome(True, (0,), (), "All dominoes are collected.")

    def solve(self, state: Layout, watch: Watch) -> Solution[Slide | Collect]:
        """The fewest slides that collect everything, or the proof that none do."""
        return fewest_slides(state, MATCH_OR_SIX, lambda covered: not covered, watch)

    def cells(self, state: Layout, move: Slide | Collect) -> tuple[Cell, ...]:
        """The cells of the domino that slides."""
        return super().cells(state, move.slide if isinstance(move, Collect) else move)

    def describe(self, state: Layout, move: Slide | Collect) -> str:
        """The slide, and what it collects."""
        if isinstance(move, Collect):
            return f"{super().describe(state, move.slide)[:-1]} and collects {_names(move.taken)}."
        gone = state.dominoes - self.play(state, move).dominoes
        return self.describe(state, Collect(move, gone)) if gone else super().describe(state, move)

    def moves(self, state: Layout, text: str) -> tuple[Slide, ...]:
        """The slides that a word names, "24R" or "24RR"."""
        return named_slides(state, text)

    def attempts(self, state: Layout, seen: Layout) -> Iterator[Slide | Collect]:
        """Any slide; and any after which just those are collected that are gone."""
        yield from every_slide(state)
        gone = state.dominoes - seen.dominoes
        likely = sorted(slides(state), key=lambda made: len(_dominoes(made, _captured(made)) ^ gone))
        yield from (Collect(made.move, gone) for made in likely)

    def left_to_do(self, state: Layout, seen: Layout) -> str:
        """What was slid to its match and lies there still, with all that it matches, and is to be collected.

        A domino that is gone alone did not slide, as far as anybody sees.
        """
        gone = state.dominoes - seen.dominoes
        for made in slides(state):
            captured = _captured(made)
            left = _dominoes(made, captured) - gone
            seen_to_slide = gone != {made.move.tile.domino}
            if left and seen_to_slide and gone <= _dominoes(made, captured) and _lawful(made, captured):
                taken = [i for i, tile in enumerate(made.before.tiles) if tile.domino in gone]
                if self.agrees(made.layout().without(taken), seen):
                    return f"After the slide {made.move} {_names(left)} {'is' if len(left) == 1 else 'are'} collected."
        return ""

    def goal_faults(self, sight: Sight, before: Layout | None) -> Iterator[Problem]:
        """The dominoes that are left."""
        cells = sight.covered
        if cells:
            yield Problem(f"{count(len(cells) // 2, 'domino is', 'dominoes are')} left at {where(cells)}.", cells)


def _captured(made: Slid) -> tuple[int, ...]:
    """The numbers of the tiles that a slide captures: its own and those that match it, or none."""
    head, tail, _ = made.move.tile
    if not made.meets(head, tail):
        return ()
    return (made.number, *dict.fromkeys(map(made.before.at, made.met())))


def _after(made: Slid, captured: Collection[int]) -> Layout:
    return made.before.without(captured) if captured else made.layout()


def _makes_six(made: Slid) -> bool:
    return made.meets(SUM - made.move.tile[0], SUM - made.move.tile[1])


def _lawful(made: Slid, captured: Sequence[int]) -> bool:
    """Whether a slide matches or makes a six, and the group is one after it, and once more without the captured."""
    if not captured:
        return _makes_six(made) and made.holds()
    rest, before = made.others, made.before
    for i in captured[1:]:
        rest ^= cover(before.tiles[i], before.places[i])
    return made.holds() and hangs_together(rest)


def _refusal(made: Slid, captured: Collection[int]) -> Problem:
    if not captured and not any(own + other == SUM for own, other, _ in made.contacts()):
        return made.refused("it would match no neighbour and make no six")
    return _parted(made, captured) if made.holds() else split(made)


def _dominoes(made: Slid, captured: Iterable[int]) -> frozenset[Domino]:
    return frozenset(made.before.tiles[i].domino for i in captured)


def _require_these(made: Slid, taken: frozenset[Domino], captured: Collection[int]) -> None:
    """Raises IllegalMove where other dominoes are taken than the rules say."""
    tiles = made.before.tiles
    right = _dominoes(made, captured)
    if taken == right:
        return
    wrong = [made.before.cells(i) for i, tile in enumerate(tiles) if tile.domino in taken ^ right]
    problem = Problem(_why(made, taken, right), tuple(cell for cells in wrong for cell in cells))
    whole = made.layout()
    raise IllegalMove(problem, partial(whole.without, [i for i, tile in enumerate(tiles) if tile.domino in taken]))


def _why(made: Slid, taken: frozenset[Domino], right: frozenset[Domino]) -> str:
    slide = f"The slide {made.move}"
    if not right:
        return f"{slide} matches nothing: {_names(taken)} may not be collected."
    missed, wrong = right - taken, taken - right
    parts = [f"{_names(missed)} must be collected"] if missed else []
    parts += [f"{_names(wrong)} must stay"] if wrong else []
    return f"{slide} matches {_names(right - {made.move.tile.domino})}: {listing(parts)}."


def _parted(made: Slid, captured: Collection[int]) -> Problem:
    cells = tuple(cell for i in sorted(captured) for cell in made.before.cells(i))
    names = _names(_dominoes(made, captured))
    return made.refused(f"without {names} the others would not be in one group", cells)


def _names(dominoes: Collection[Domino]) -> str:
    return listing([f"the {said(domino)}" for domino in sorted(dominoes)])


GAME = Capturing()
