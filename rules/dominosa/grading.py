"""How hard a grid is, and how interesting it seems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.dominosa.candidates import Candidates, Deduction, settle
from rules.dominosa.cover import covers
from rules.dominosa.places import Places
from rules.dominosa.reasoning import FINDS
from rules.dominosa.technique import BASIC, EXTREME, GRADES, GUESSED, HARD, TRIVIAL, Technique
from rules.grid import Grid

_BY_GRADE = {grade: [technique for technique in FINDS if technique.grade == grade] for grade in (BASIC, HARD, EXTREME)}
TEDIOUS = 0.25


def grade(grid: Grid) -> str | None:
    """The grade of a grid: that of the hardest technique it needs; None where it has not just one solution."""
    places = Places.of(grid)
    if not covers(places).unique:
        return None
    left, found = solved_by(places)
    return found if is_solved(places, left) else GUESSED


def solved_by(places: Places, most: str = EXTREME) -> tuple[int, str]:
    """What deduction leaves open, the easiest technique first and none harder than `most`; the hardest that it took.

    Nothing is left, 0, where it meets a contradiction.
    """
    open_, hardest = settle(places, places.all), TRIVIAL
    techniques = [each for grade in GRADES[1 : GRADES.index(most) + 1] for each in _BY_GRADE[grade]]
    while open_ and not is_solved(places, open_):
        technique, gone = _first_that_finds(Candidates(places, open_), techniques)
        if technique is None:
            break
        hardest = max(hardest, technique.grade, key=GRADES.index)
        open_ = settle(places, open_ & ~gone)
    return open_, hardest


def _first_that_finds(at: Candidates, techniques: Sequence[Technique]) -> tuple[Technique | None, int]:
    for technique in techniques:
        gone = 0
        for step in FINDS[technique](at):
            gone |= step.ruled_out
        if gone:
            return technique, gone
    return None, 0


def is_solved(places: Places, open_: int) -> bool:
    """Whether no square has a choice left, where nothing trivial is left to do."""
    return open_.bit_count() == places.squares // 2


def interest(steps: Iterable[Deduction]) -> float:
    """How interesting a chain of reasons seems: how many rules it takes, less a quarter for each tedious search.

    Tedious is looking over the whole grid for a pair that stands there once. After Don Kirkby, who looks for problems
    that take many different rules and few such searches.
    """
    techniques = [step.technique for step in steps]
    return len(set(techniques)) - TEDIOUS * techniques.count(Technique.UNIQUE_PAIR)
