"""The search, asked of a game so small that the answers are plain."""

from collections.abc import Iterator

import pytest

from rules.engine import explain, hint, replay, solve
from rules.game import Game, GameInfo, Hint, IllegalMove, Outcome, Problem, Seat, Solution
from rules.search import breadth_first, nearest_first
from rules.table import Table
from rules.watch import Watch


class Ladder(Game[int, int]):
    """Climb to 20 exactly, one or seven rungs at a time, or fall back to the ground; 13 is the end of the climber."""

    info = GameInfo("ladder", "Ladder", (1, 1), "no dominoes")

    def read(self, table: Table, before: int | None = None) -> int:
        """As many rungs as there are dominoes."""
        return len(table.board.placed)

    def candidates(self, state: int) -> Iterator[int]:
        """Up by one or seven, and down."""
        yield from (1, 7, -state)

    def play(self, state: int, move: int) -> int:
        """Climbs or falls."""
        if move == 0 or state + move > 20:
            raise IllegalMove(Problem(f"There is no rung {state + move}."), lambda: state + move)
        return state + move

    def outcome(self, state: int) -> Outcome | None:
        """Won at the top."""
        return {20: Outcome(True, (0,)), 13: Outcome(False)}.get(state)

    def describe(self, state: int, move: int) -> str:
        """A move in a sentence."""
        return f"Climb {move}."

    def to_move(self, state: int) -> Seat:
        """Always the same player."""
        return 0


class Guided(Ladder):
    """The same with a sense of distance."""

    def estimate(self, state: int) -> int:
        """Seven rungs a move at the best."""
        return (20 - state + 6) // 7


class Knowing(Ladder):
    """The same with a solver and hints of its own."""

    def solve(self, state: int, watch: Watch) -> Solution[int]:
        """Any way up."""
        return Solution((1,) * (20 - state), 1, 1, False)

    def hint(self, state: int, level: int) -> Hint | None:
        """Only on the ground."""
        return None if state else Hint("Up!", (), level)


LADDER = Ladder()


@pytest.mark.parametrize("start", range(21))
def test_both_searches_find_a_shortest_way(start: int) -> None:
    one, other = (breadth_first(LADDER, start, Watch()), nearest_first(LADDER, start, Guided().estimate, Watch()))
    assert one.proved
    assert other.proved
    assert (one.moves is None) == (other.moves is None) == (start == 13)
    if one.moves is not None and other.moves is not None:
        assert len(one.moves) == len(other.moves) == one.at_least == other.at_least
        assert sum(one.moves, start) == sum(other.moves, start) == 20


def test_a_sense_of_distance_spares_positions() -> None:
    plain, guided = solve(LADDER, 0), solve(Guided(), 0)
    assert guided.moves
    assert plain.moves
    assert len(guided.moves) == len(plain.moves)
    assert guided.states_seen < plain.states_seen


def test_a_game_with_a_solver_and_hints_of_its_own_is_asked() -> None:
    assert solve(Knowing(), 17) == Solution((1, 1, 1), 1, 1, False)
    assert hint(Knowing(), 0, 2) == Hint("Up!", (), 2)
    assert hint(Knowing(), 17, 3) == Hint("Next: Climb 1. (1)", (), 3)


def test_a_search_ends_at_its_limit_and_says_how_far_it_came() -> None:
    ticks = iter(range(100))
    stopped = breadth_first(LADDER, 0, Watch(limit_s=3, clock=lambda: next(ticks)))
    assert stopped == Solution(None, stopped.states_seen, stopped.at_least, False)
    assert 1 < stopped.at_least <= 8
    assert not nearest_first(LADDER, 0, Guided().estimate, Watch(most_states=2)).proved
    assert hint(LADDER, 0, 1, Watch(limit_s=0)).text == "No solution was found within 0 seconds."


def test_whatever_progress_raises_ends_the_search() -> None:
    def interrupt(states: int, ahead: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(LADDER, 0, Watch(progress=interrupt, every=1))


def test_moves_are_found_by_their_names_in_any_game() -> None:
    assert replay(LADDER, 0, "7, 7 1") == (15, (7, 7, 1))
    with pytest.raises(IllegalMove, match="There is no move 3 here"):
        replay(LADDER, 0, "3")


def test_what_happened_is_told_by_the_fewest_legal_moves_else_by_one_that_is_not() -> None:
    assert explain(LADDER, 3, 3).moves == ()
    assert explain(LADDER, 0, 8).moves in ((1, 7), (7, 1))
    assert explain(LADDER, 0, 15).moves in ((7, 7, 1), (7, 1, 7), (1, 7, 7))
    slip = explain(LADDER, 18, 25)
    assert (slip.moves, slip.slip, slip.legal) == ((7,), 0, False)
    assert slip.problems == (Problem("There is no rung 25."),)
    later = explain(LADDER, 18, 26)
    assert (later.moves, later.slip) == ((1, 7), 1)
    assert later.problems == (Problem("After 1, there is no rung 26."),)
    assert explain(LADDER, 0, 5).problems == (Problem("No move leads from the last table to this one."),)


@pytest.mark.parametrize("told", ["No.", Problem("No."), lambda: Problem("No.")])
def test_a_refusal_is_a_sentence_however_it_is_told(told: str | Problem) -> None:
    refused = IllegalMove(told)
    assert (str(refused), refused.cells, refused.after) == ("No.", (), None)
