"""Fujisan: lead four priests to the top of a mountain of twelve dominoes, each counting the free spaces of his way."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rules.climbing.making import Grade, made
from rules.climbing.puzzle import ClimbingPuzzle
from rules.climbing.search import shortest_way
from rules.climbing.state import LETTERS, Pilgrimage, Step, place, stepped
from rules.climbing.text import parse_pilgrimage
from rules.game import Expected, GameInfo, Generated, Outcome, Problem, Solution
from rules.making import require_grade
from rules.watch import Watch

GRADES = (Grade("easy", 0, 12), Grade("medium", 13, 18), Grade("hard", 19, 29), Grade("extreme", 30, 99))


class Fujisan(ClimbingPuzzle):
    """The puzzle by James Droscha, as adapted for dominoes."""

    info = GameInfo(
        "fujisan",
        "Fujisan",
        (1, 1),
        "a double-six set without doubles and sixes, twelve of its fifteen",
        ("four pawns",),
        pieces=(Expected("pawn", 4, 4),),
    )

    @property
    def difficulties(self) -> tuple[str, ...]:
        """By the length of a shortest solution: up to 12 moves, 18, 29, and more."""
        return tuple(grade.name for grade in GRADES)

    def start(self, text: str) -> Pilgrimage:
        """The mountain that a text draws, with its priests if it shows them. Raises BadText with line and column."""
        return parse_pilgrimage(text)

    def play(self, state: Pilgrimage, move: Step) -> Pilgrimage:
        """A priest's step. Raises IllegalMove where the count is wrong, or he would leave the peak or his row."""
        return stepped(state, move)

    def outcome(self, state: Pilgrimage) -> Outcome | None:
        """Solved once all four stand on the peak."""
        on_top = all(state.at_peak(priest) for priest in range(len(LETTERS)))
        return Outcome(True, (0,), (), "All four priests are on the peak.") if on_top else None

    def solve(self, state: Pilgrimage, watch: Watch) -> Solution[Step]:
        """A shortest solution, or the proof that there is none."""
        return shortest_way(state, watch)

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[Pilgrimage, Step] | None:
        """A mountain whose shortest solution is of that grade; the narrower its way, the more interesting it is."""
        require_grade(difficulty, self.difficulties)
        return made(chance, next(grade for grade in GRADES if grade.name == difficulty), self.solve, watch)

    def goal_faults(self, state: Pilgrimage) -> Iterator[Problem]:
        """The priests who are not on the peak."""
        for priest, (letter, cell) in enumerate(zip(LETTERS, state.priests, strict=True)):
            if not state.at_peak(priest):
                yield Problem(f"Priest {letter} is not on the peak, but at {place(cell)}.", (cell,))


GAME = Fujisan()
