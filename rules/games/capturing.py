"""Capturing Donimoes: collect all dominoes by sliding matching numbers side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rules.board import Cell
from rules.certainty import Sight
from rules.domino import Domino
from rules.game import GameInfo, IllegalMove, Outcome, Problem
from rules.layout import Contact, Layout, hangs_together
from rules.sliding import Slid, Slide, every_slide, keep_together, slid, slides
from rules.sliding_puzzle import SlidingPuzzle, named_slides
from rules.words import count, listing, said, where

SUM = 6


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

    def candidates(self, state: Layout) -> Iterable[Slide]:
        """Every slide into a free space."""
        return slides(state)

    def play(self, state: Layout, move: Slide | Collect) -> Layout:
        """Slides a domino, and collects it with all that match it. Raises IllegalMove where it neither matches nor
        makes a six, where the group falls apart, and where other dominoes are collected than those."""
        made = slid(state, move.slide if isinstance(move, Collect) else move)
        contacts = made.contacts()
        captured = _captured(made, contacts)
        if isinstance(move, Collect):
            _require_these(made, move.taken, captured)
        if not captured and not any(own + other == SUM for own, other, _ in contacts):
            raise IllegalMove(partial(made.refused, "it would match no neighbour and make no six"), made.layout)
        left = partial(state.without, captured) if captured else made.layout
        keep_together(made, left)
        after = left()
        if captured and not hangs_together(after.covered, after.covered & -after.covered, after.covered):
            raise IllegalMove(partial(_parted, made, captured), left)
        return after

    def outcome(self, state: Layout) -> Outcome | None:
        """Solved once nothing is left; lost with one domino, which can match none."""
        if len(state.places) > 1:
            return None
        if state.places:
            return Outcome(False, (), (), "One domino is left, and nothing to match it.")
        return Outcome(True, (0,), (), "All dominoes are collected.")

    def cells(self, state: Layout, move: Slide | Collect) -> tuple[Cell, ...]:
        """The cells of the domino that slides."""
        return super().cells(state, move.slide if isinstance(move, Collect) else move)

    def describe(self, state: Layout, move: Slide | Collect) -> str:
        """The slide, and what it collects."""
        if isinstance(move, Collect):
            return f"{super().describe(state, move.slide)[:-1]} and collect {_names(move.taken)}."
        gone = state.dominoes - self.play(state, move).dominoes
        return self.describe(state, Collect(move, gone)) if gone else super().describe(state, move)

    def moves(self, state: Layout, text: str) -> tuple[Slide, ...]:
        """The slides that a word names, "24R" or "24RR"."""
        return named_slides(state, text)

    def attempts(self, state: Layout, seen: Layout) -> Iterator[Slide | Collect]:
        """Any slide; and any after which just those are collected that are gone."""
        yield from every_slide(state)
        gone = state.dominoes - seen.dominoes
        likely = sorted(slides(state), key=lambda slide: len(_collected(state, slide) ^ gone))
        yield from (Collect(slide, gone) for slide in likely)

    def goal_faults(self, sight: Sight, before: Layout | None) -> Iterator[Problem]:
        """The dominoes that are left."""
        cells = sight.covered
        if cells:
            yield Problem(f"{count(len(cells) // 2, 'domino is', 'dominoes are')} left at {where(cells)}.", cells)


def _captured(made: Slid, contacts: Collection[Contact]) -> set[int]:
    """The numbers of the tiles that a slide captures: its own and those that match it, or none."""
    matched = [at for own, other, at in contacts if own == other]
    return {made.number, *map(made.before.at, matched)} if matched else set()


def _collected(state: Layout, slide: Slide) -> frozenset[Domino]:
    made = slid(state, slide)
    return frozenset(state.tiles[i].domino for i in _captured(made, made.contacts()))


def _require_these(made: Slid, taken: frozenset[Domino], captured: Collection[int]) -> None:
    """Raises IllegalMove where other dominoes are taken than the rules say."""
    tiles = made.before.tiles
    right = frozenset(tiles[i].domino for i in captured)
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
    names = _names({made.before.tiles[i].domino for i in captured})
    return made.refused(f"without {names} the others would not be in one group", cells)


def _names(dominoes: Collection[Domino]) -> str:
    return listing([f"the {said(domino)}" for domino in sorted(dominoes)])


GAME = Capturing()
