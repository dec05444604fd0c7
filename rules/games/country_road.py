"""Country Road: Fujisan, and then all the way down again to the dominoes of the peak, which lie at the two ends now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rules.climbing.making import Grade, made
from rules.climbing.puzzle import ClimbingPuzzle
from rules.climbing.reading import survey
from rules.climbing.search import shortest_way
from rules.climbing.state import GROUND, LETTERS, Pilgrimage, Step, place, stepped
from rules.climbing.text import parse_pilgrimage
from rules.game import Expected, GameInfo, Generated, Outcome, Problem, Solution, UnreadableTable
from rules.making import require_grade
from rules.table import Table
from rules.watch import Watch

TO_THE_ENDS = Problem(
    "The dominoes of the peak go to the two ends, and the priests stand on the bare peak.", unfinished=True
)
GRADES = (Grade("easy", 0, 23), Grade("medium", 24, 30), Grade("hard", 31, 42), Grade("extreme", 43, 199))


class CountryRoad(ClimbingPuzzle):
    """The variant of James Droscha's Fujisan. With the fourth priest on the peak, its dominoes go straight outwards.

    The left one goes to the left end and the right one to the right end, as they lie; that is no move. The bare peak
    counts as blanks, on which a priest steps freely. A priest leaves the mountain by landing on a space of an end by
    the count, and stays there: all that he may do is step to the other half of that domino, which is the only way onto
    a blank here too.
    """

    info = GameInfo(
        "country_road",
        "Country Road",
        (1, 1),
        "a double-six set without doubles and sixes, twelve of its fifteen",
        ("four pawns",),
        pieces=(Expected("pawn", 4, 4),),
    )
    ends = True

    @property
    def difficulties(self) -> tuple[str, ...]:
        """By the length of a shortest solution: up to 23 moves, 30, 42, and more."""
        return tuple(grade.name for grade in GRADES)

    def settled(self, state: Pilgrimage) -> Pilgrimage:
        """With all four on the peak, its dominoes lie at the ends."""
        on_top = all(state.at_peak(priest) for priest in range(len(LETTERS)))
        return replace(state, descending=True) if on_top else state

    def read(self, table: Table, before: Pilgrimage | None = None) -> Pilgrimage:
        """The mountain and its priests; while the dominoes of a full peak are carried to the ends that alone is told.

        Raises UnreadableTable as on the way up.
        """
        try:
            return super().read(table, before)
        except UnreadableTable:
            if before and _carried(table, before):
                raise UnreadableTable((TO_THE_ENDS,)) from None
            raise

    def start(self, text: str) -> Pilgrimage:
        """The mountain that a text draws, on the way up or down. Raises BadText with line and column."""
        return self.settled(parse_pilgrimage(text, ends=True))

    def play(self, state: Pilgrimage, move: Step) -> Pilgrimage:
        """A priest's step. Raises IllegalMove where the count is wrong, or he would leave the peak too early."""
        return self.settled(stepped(state, move))

    def outcome(self, state: Pilgrimage) -> Outcome | None:
        """Solved once all four have left the mountain."""
        down = state.descending and all(cell.col in GROUND for cell in state.priests)
        return Outcome(True, (0,), (), "All four priests have left the mountain.") if down else None

    def solve(self, state: Pilgrimage, watch: Watch) -> Solution[Step]:
        """A shortest way up and a shortest way down, which together are shortest: there is one way to fill the peak."""
        up = shortest_way(state, watch)
        if state.descending or up.moves is None:
            return up
        top = state
        for move in up.moves:
            top = self.play(top, move)
        down = shortest_way(top, watch)
        seen, least = up.states_seen + down.states_seen, up.at_least + down.at_least
        return Solution(None if down.moves is None else (*up.moves, *down.moves), seen, least, down.proved)

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[Pilgrimage, Step] | None:
        """A mountain whose shortest solution is of that grade; the narrower its way up, the more interesting it is."""
        require_grade(difficulty, self.difficulties)
        return made(chance, next(grade for grade in GRADES if grade.name == difficulty), self.solve, watch)

    def goal_faults(self, state: Pilgrimage) -> Iterator[Problem]:
        """The priests who have not left the mountain."""
        for letter, cell in zip(LETTERS, state.priests, strict=True):
            if not state.descending or cell.col not in GROUND:
                yield Problem(f"Priest {letter} has not left the mountain: he is at {place(cell)}.", (cell,))


def _carried(table: Table, before: Pilgrimage) -> bool:
    """Whether nothing but the peak's dominoes and the priests lies or stands elsewhere than with the peak just full."""
    if not before.descending or not all(before.at_peak(priest) for priest in range(len(LETTERS))):
        return False
    fit = survey(table, before, ends=True).fit
    stays = {placed for placed in before.board.placed if placed.cell.col not in GROUND}
    lying = set(table.board.moved(fit.apply).placed)
    ends = {placed.domino for placed in before.board.placed if placed not in stays}
    return stays <= lying and ends.issuperset(placed.domino for placed in lying - stays)


GAME = CountryRoad()
