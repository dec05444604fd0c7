"""A game followed by what lies on the table: moves named, faults explained, moves taken back, whatever the game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pipsight.commands.demo import SAMPLES
from pipsight.events import (
    Began,
    Hinted,
    Moved,
    Over,
    Refused,
    Resynced,
    Righted,
    SettingUp,
    TakenBack,
    Waits,
    Wrong,
    kind_of,
)
from pipsight.follower import Follower
from rules.board import Board, Cell, Placed, Way
from rules.course import by_chance, decision, playout
from rules.domino import DominoSet
from rules.engine import legal_moves, named, replay
from rules.game import CHANCE, IllegalMove, Mover
from rules.games import game
from rules.puzzles import problem, published
from rules.table import Doubt, LooseTile, Table
from tests.rules.all_fives.lining import chain_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipsight.events import Event

START = """\
2|4 3
    -
    6 5|1
"""


WAITS = LooseTile(1, 3, 9.0, 3.0, 40.0)


def lying(text: str) -> list[Table]:
    return [Table(Board.parse(text))]


def following(slug: str, start: Any) -> Follower:
    """A game whose table is set up."""
    follower = Follower(game(slug), start)
    events = follower.see([game(slug).diagram(start).table], 2.0)  # type: ignore[attr-defined]
    assert [type(event) for event in events][:1] == [Began]
    return follower


def seen(follower: Follower, state: Any, still_s: float = 2.0) -> list[Event]:
    return follower.see([follower.game.diagram(state).table], still_s)  # type: ignore[attr-defined]


def after(follower: Follower, moves: str) -> Any:
    return replay(follower.game, follower.state, moves)[0]


def test_a_table_is_set_up_and_what_lacks_is_said() -> None:
    start = game("unmatched").start(START)  # type: ignore[attr-defined]
    follower = Follower(game("unmatched"), start)
    (missing,) = follower.see([Table(Board(Board.parse(START).placed[:2]))], 1.2)
    assert isinstance(missing, SettingUp)
    assert [fault.text for fault in missing.faults] == ["The 1-5 is missing at row 2, columns 4 and 5."]
    assert str(follower.phase) == "setting up"
    assert [type(event) for event in follower.see(lying(START), 0.2)] == [Began, Waits]
    assert str(follower.phase) == "playing"


def test_a_table_that_moves_is_not_judged() -> None:
    follower = Follower(game("unmatched"), game("unmatched").start(START))  # type: ignore[attr-defined]
    assert follower.see(lying(START), 0.0) == []
    assert follower.see([], 5.0) == []


def test_without_a_problem_what_lies_there_for_a_second_is_the_start() -> None:
    follower = Follower(game("unmatched"))
    assert follower.see(lying(START), 0.5) == []
    assert [type(event) for event in follower.see(lying(START), 1.1)] == [Began, Waits]


def test_a_doubtful_tile_is_no_start() -> None:
    follower = Follower(game("unmatched"))
    board = Board.parse(START)
    doubt = Doubt(board.placed[0].cells, "24", ("25",), 0.6)
    (told,) = follower.see([Table(board, doubts=(doubt,))], 1.5)
    assert isinstance(told, SettingUp)
    assert "not sure" in told.faults[0].text
    assert [type(event) for event in follower.see([Table(board, doubts=(doubt,)), Table(board)], 1.5)] == [Began, Waits]


def test_a_full_map_that_is_wrong_begins_and_its_dominoes_may_be_taken_back() -> None:
    spoilt, solved = ((SAMPLES / f"mountains_{name}.txt").read_text(encoding="utf-8") for name in ("spoilt", "solved"))
    follower = Follower(game("mountains"))
    events = follower.see(lying(spoilt), 1.2)
    assert [type(event) for event in events] == [Began, Waits]
    assert events[-1].text.endswith(": take dominoes back.")  # type: ignore[union-attr]
    table = Table(Board(follower.state.board.placed[1:]))
    assert [type(event) for event in follower.see([table], 2.0)] == [Moved, Waits]
    (told,) = Follower(game("mountains")).see(lying(solved), 1.2)
    assert isinstance(told, SettingUp)
    assert told.faults[0].text.startswith("Every square can be walked to. With what lies here nothing is left to do")


def a_slide(follower: Follower) -> str:
    return str(decision(follower.game, follower.state).moves[0])


def test_a_move_is_named_once_and_taken_back() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    move, before = a_slide(follower), follower.state
    (moved,) = seen(follower, after(follower, move), 0.2)
    assert isinstance(moved, Moved)
    assert (moved.move, moved.number, moved.by, moved.seen) == (move, 1, "player 1", True)
    assert seen(follower, follower.state) == []
    back = seen(follower, before, 0.2)
    assert isinstance(back[0], TakenBack)
    assert (back[0].moves, back[0].number) == ((move,), 0)


def test_a_fault_waits_for_patience_is_told_once_and_righted() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    good = follower.game.diagram(follower.state).table  # type: ignore[attr-defined]
    bad = Table(Board(good.board.placed[1:]))
    assert follower.see([bad], 0.5) == []
    (wrong,) = follower.see([bad], 1.6)
    assert isinstance(wrong, Wrong)
    assert "is missing at" in wrong.faults[0].text
    assert follower.see([bad], 3.0) == []
    assert [type(event) for event in follower.see([good], 0.2)] == [Righted]


def test_what_is_left_of_a_move_that_was_begun_is_said_and_is_no_fault() -> None:
    start = game("capturing").start("5 2|4 1|1\n-\n2   2|6")  # type: ignore[attr-defined]
    follower = following("capturing", start)
    slid = lying("5 2|4 1|1\n-\n2 2|6")
    assert follower.see(slid, 0.5) == []
    (waits,) = follower.see(slid, 1.6)
    assert waits == Waits("After the slide 26L the 2-4, the 2-5 and the 2-6 are collected.", 0)
    assert follower.see(slid, 3.0) == []
    assert follower.wrong == ()
    (moved, *_) = seen(follower, after(follower, "26L"), 0.2)
    assert isinstance(moved, Moved)


def test_a_move_that_was_begun_and_undone_is_waited_for_anew() -> None:
    start = game("capturing").start("5 2|4 1|1\n-\n2   2|6")  # type: ignore[attr-defined]
    follower = following("capturing", start)
    follower.see(lying("5 2|4 1|1\n-\n2 2|6"), 1.6)
    assert seen(follower, start, 0.2) == [Waits("Your move.", 0)]


def test_several_moves_at_once_are_named_in_order() -> None:
    follower = following("capturing", problem("capturing", "1"))
    moves = next(p.moves for p in published("capturing") if p.name == "1").split(", ")[:2]
    events = seen(follower, after(follower, ", ".join(moves)), 0.2)
    assert [event.move for event in events if isinstance(event, Moved)] == moves


def test_much_is_not_undone_before_the_table_was_looked_at_once_more() -> None:
    """One tile that was overlooked may make a table look as it did many moves ago."""
    follower = following("capturing", problem("capturing", "1"))
    moves = next(p.moves for p in published("capturing") if p.name == "1").split(", ")[:4]
    start = follower.state
    for move in moves:
        assert isinstance(seen(follower, after(follower, move), 0.2)[0], Moved)
    assert seen(follower, start, 0.2) == []
    assert follower.puzzled
    back = seen(follower, start, 1.6)[0]
    assert isinstance(back, TakenBack)
    assert list(back.moves) == moves


def three_played() -> Follower:
    """Tetradominoes with two dominoes on the grid, and one that is yet to be played."""
    follower = following("tetradominoes", game("tetradominoes").set_up(1, Random(1)))  # type: ignore[attr-defined]
    assert isinstance(seen(follower, after(follower, "02H2.2"), 0.2)[0], Moved)
    assert isinstance(seen(follower, after(follower, "30V2.0"), 0.2)[0], Moved)
    return follower


def test_what_may_be_no_domino_was_played_once_it_has_lain_there_for_a_second() -> None:
    follower = three_played()
    empty, laid = (
        follower.game.diagram(state).table  # type: ignore[attr-defined]
        for state in (follower.state, after(follower, "53V2.0"))
    )
    assert follower.see([laid, empty], 0.5) == []
    assert isinstance(follower.see([laid, empty], 1.1)[0], Moved)
    assert follower.see([laid, empty], 1.2) == []


def test_what_may_be_no_domino_stays_played_when_more_is_laid_beside_it() -> None:
    follower = three_played()
    before, laid, more = (
        follower.game.diagram(after(follower, moves) if moves else follower.state).table  # type: ignore[attr-defined]
        for moves in ("", "53V2.0", "53V2.0, 15V2.0")
    )
    assert isinstance(follower.see([laid, before], 1.1)[0], Moved)
    told = follower.see([more, before], 0.2)
    assert [event.move for event in told if isinstance(event, Moved)] == ["15V2.0"]
    unsure_away = follower.see([laid, before], 0.2)
    assert [type(event) for event in unsure_away if not isinstance(event, Waits)] == [TakenBack]


def test_what_may_be_no_domino_and_cannot_have_been_played_is_none() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    lies = follower.game.diagram(follower.state).table  # type: ignore[attr-defined]
    more = Table(Board((*lies.board.placed, Placed(Cell(-3, 0), Way.RIGHT, 0, 0))))
    assert follower.see([more, lies], 3.0) == []


def test_a_domino_that_was_laid_otherwise_at_once_is_taken_back_and_laid_there() -> None:
    """Nobody saw it go: a hand took it to another place in one go."""
    follower = three_played()
    one, other = after(follower, "53V2.0"), after(follower, "53H1.1")
    assert isinstance(seen(follower, one, 0.2)[0], Moved)
    assert seen(follower, other, 0.5) == []
    told = seen(follower, other, 1.6)
    assert [type(event) for event in told if not isinstance(event, Waits)] == [TakenBack, Moved]
    assert follower.state == other
    assert [made.move for made in follower.made] == ["02H2.2", "30V2.0", "53H1.1"]


def test_two_dominoes_that_were_told_across_where_two_others_lie_are_taken_back_together() -> None:
    """Two tiles that read alike seem to be the two that their halves make across them."""
    grid = "124231 132001 443322 304014 024031".replace(" ", "\n")
    follower = following("dominosa", game("dominosa").start(grid))  # type: ignore[attr-defined]
    seen(follower, after(follower, "43H23, 30H14, 13H12"), 0.2)
    one, other = after(follower, "40H34"), after(follower, "44V34, 00V44")
    for state in (one, other, one):
        told = seen(follower, state)
    assert [type(event) for event in told if not isinstance(event, Waits)] == [TakenBack, Moved]
    assert [event.moves for event in told if isinstance(event, TakenBack)] == [("44V34", "00V44")]
    assert follower.made[-1].move == "40H34"


def test_nothing_is_named_by_a_reading_that_wavers_before_it_was_looked_at_for_a_while() -> None:
    follower = three_played()
    after_it = follower.game.diagram(after(follower, "53V2.0")).table  # type: ignore[attr-defined]
    laid = after_it.board.placed[-1]
    sure, wavers = (replace(after_it, doubts=(Doubt(laid.cells, "53", ("63",), c),)) for c in (0.7, 0.3))
    assert follower.see([wavers], 0.2) == []
    assert isinstance(follower.see([wavers], 0.7)[0], Moved)
    again = three_played()
    assert isinstance(again.see([sure], 0.2)[0], Moved)


def test_a_domino_that_is_taken_up_again_was_not_passed_either_as_far_as_anybody_saw() -> None:
    start = game("mountains_together").set_up(2, Random(1))  # type: ignore[attr-defined]
    follower = following("mountains_together", start)
    passed = str(decision(follower.game, start).moves[0])
    laid = str(decision(follower.game, after(follower, passed)).moves[0])
    told = seen(follower, after(follower, f"{passed}, {laid}"), 0.2)
    assert [event.move for event in told if isinstance(event, Moved)] == [passed, laid]
    back = seen(follower, start, 0.2)[0]
    assert isinstance(back, TakenBack)
    assert back.moves == (passed, laid)
    assert follower.state == start


def test_a_pass_that_was_said_stays_when_the_domino_is_taken_up_again() -> None:
    start = game("mountains_together").set_up(2, Random(1))  # type: ignore[attr-defined]
    follower = following("mountains_together", start)
    passed = str(decision(follower.game, start).moves[0])
    follower.make(passed)
    laid = str(decision(follower.game, follower.state).moves[0])
    assert isinstance(seen(follower, after(follower, laid), 0.2)[0], Moved)
    back = seen(follower, start, 0.2)[0]
    assert isinstance(back, TakenBack)
    assert back.moves == (laid,)


def test_pawns_that_are_seen_in_another_order_keep_their_colours() -> None:
    follower = following("fujisan", problem("fujisan", published("fujisan")[0].name))
    colors = ("red", "blue", "green", "white")[: len(follower.state.priests)]
    follower.states[-1] = known = replace(follower.state, colors=colors)
    swapped = replace(known, priests=known.priests[::-1], colors=known.colors[::-1])
    assert follower.game.agrees(known, swapped)
    follower._refit(swapped)
    assert (follower.state.priests, follower.state.colors) == (known.priests, known.colors)


def test_a_move_that_was_said_to_be_taken_back_stays_so_until_the_table_changes() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    start, lies = follower.state, after(follower, move := a_slide(follower))
    assert isinstance(seen(follower, lies, 0.2)[0], Moved)
    assert isinstance(follower.take_back()[0], TakenBack)
    for still_s in (0.2, 0.7, 1.2, 2.0):
        assert seen(follower, lies, still_s) == []
    assert follower.state == start
    assert seen(follower, start, 0.2) == []  # it was put back
    assert [event.move for event in seen(follower, lies, 0.2) if isinstance(event, Moved)] == [move]


def test_two_moves_that_were_said_to_be_taken_back_stay_so_too() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    for _ in range(2):
        assert isinstance(seen(follower, lies := after(follower, "65L"), 0.2)[0], Moved)
    follower.take_back()
    assert seen(follower, lies, 0.2) == []
    follower.take_back()
    assert seen(follower, lies, 2.0) == []
    assert follower.made == []


def test_a_typed_move_stays_made_though_the_tile_still_lies_as_it_lay() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    start, move = follower.state, a_slide(follower)
    assert isinstance(follower.make(move)[0], Moved)
    assert seen(follower, start, 2.0) == []
    assert [made.move for made in follower.made] == [move]
    lies = follower.state
    assert seen(follower, lies, 0.2) == []
    assert isinstance(seen(follower, start, 0.2)[0], TakenBack)


def test_two_typed_moves_are_made_on_the_table_one_after_the_other() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    start, one = follower.state, after(follower, "65L")
    follower.make("65L")
    follower.make("65L")
    for state in (start, one, follower.state):
        assert seen(follower, state, 2.0) == []
    assert len(follower.made) == 2
    follower.take_back()
    follower.take_back()
    for state in (after(follower, "65L, 65L"), one, start):
        assert seen(follower, state, 2.0) == []
    assert follower.made == []


def test_what_was_wrong_while_a_said_move_waits_is_righted() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    start = follower.state
    follower.make("65L")
    lies = follower.game.diagram(start).table  # type: ignore[attr-defined]
    assert isinstance(follower.see([Table(Board(lies.board.placed[:-2]))], 2.0)[0], Wrong)
    assert [type(event) for event in seen(follower, start, 0.2)] == [Righted]
    assert [made.move for made in follower.made] == ["65L"]


def test_a_move_that_is_said_while_it_lies_half_done_is_awaited() -> None:
    follower = following("capturing", game("capturing").start("5 2|4 1|1\n-\n2   2|6"))  # type: ignore[attr-defined]
    half = lying("5 2|4 1|1\n-\n2 2|6")
    follower.see(half, 2.0)
    assert isinstance(follower.make("26L")[0], Moved)
    assert not any(isinstance(event, Wrong) for event in follower.see(half, 2.0))
    assert follower.wrong == ()


def test_a_third_roll_that_shows_what_the_first_showed_is_a_roll() -> None:
    follower = following("finder", game("finder").set_up(2, Random(1)))  # type: ignore[attr-defined]
    for roll in ("roll(5-1)", "roll(3-2)", "roll(5-1)"):
        told = seen(follower, after(follower, roll), 2.0)
        assert [event.move for event in told if isinstance(event, Moved)] == [roll]


@pytest.mark.parametrize("done", ["typed", "taken back"])
def test_what_was_said_stays_when_the_game_goes_on_from_its_log(done: str) -> None:
    first = following("unmatched", problem("unmatched", "5"))
    start, lies = first.state, after(first, "65L")
    again = following("unmatched", problem("unmatched", "5"))
    if done == "typed":
        again.again("65L", seen=False)
        assert seen(again, start, 2.0) == []
    else:
        again.again("65L")
        again.back_again(1)
        assert seen(again, lies, 2.0) == []


def test_two_moves_that_were_put_back_at_once_are_taken_back_and_not_made_the_other_way() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    start = follower.state
    for _ in range(2):
        assert isinstance(seen(follower, after(follower, "65L"), 0.2)[0], Moved)
    assert seen(follower, start, 0.2) == []
    back = seen(follower, start, 1.6)[0]
    assert isinstance(back, TakenBack)
    assert len(back.moves) == 2
    assert follower.made == []


def laid_out() -> tuple[Placed, ...]:
    """The dominoes of a puzzle, as they lie."""
    placed: tuple[Placed, ...] = game("unmatched").diagram(problem("unmatched", "5")).table.board.placed  # type: ignore[attr-defined]
    return placed


def test_without_a_problem_the_game_begins_with_all_that_was_laid_before_the_first_move() -> None:
    follower, whole = Follower(game("unmatched")), laid_out()
    (alone,) = follower.see([Table(Board(whole[:1]))], 3.0)
    assert isinstance(alone, SettingUp)
    assert "lay more" in alone.faults[0].text
    counts = range(2, len(whole) + 1)
    told = [event for count in counts for event in follower.see([Table(Board(whole[:count]))], 1.1)]
    began, *more = (type(event) for event in told if isinstance(event, Began | Resynced))
    assert began is Began
    assert more
    assert set(more) == {Resynced}
    assert len(follower.state.board.placed) == len(whole)
    assert isinstance(seen(follower, after(follower, "65L"), 0.2)[0], Moved)


def test_without_a_problem_what_lies_there_may_be_taken_for_the_game_at_any_time() -> None:
    follower, whole = Follower(game("unmatched")), laid_out()
    follower.see([Table(Board(whole))], 1.1)
    assert isinstance(seen(follower, after(follower, "65L"), 0.2)[0], Moved)
    other = Table(Board((*whole[:-1], replace(whole[-1], head=3, tail=3))))
    assert isinstance(follower.resync([other])[0], Resynced)


@pytest.mark.parametrize("slug", ["all_fives", "tetradominoes", "finder", "mountains_together"])
def test_where_several_play_a_hint_is_about_the_next_move_and_nobody_shows_a_solution(slug: str) -> None:
    rules: Any = game(slug)
    chance = Random(3)
    state = rules.set_up(2, chance)
    while isinstance(rules.to_move(state), Mover):
        state = rules.play(state, chance.choice(decision(rules, state).moves))
    follower = Follower(rules, state, states=[state])
    (hinted,) = follower.hint(3)
    assert isinstance(hinted, Hinted)
    assert hinted.text.startswith("Next: ")
    (refused,) = follower.solution()
    assert isinstance(refused, Refused)


def test_a_typed_move_a_refused_one_and_a_hint() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    assert isinstance(follower.make("99X")[0], Refused)
    moved = follower.make(a_slide(follower))[0]
    assert isinstance(moved, Moved)
    assert not moved.seen
    assert [type(event) for event in follower.take_back()][:1] == [TakenBack]
    assert isinstance(follower.take_back()[0], Refused)
    hint = follower.hint(3)[0]
    assert kind_of(hint) == "hinted"


def test_resyncing_takes_the_table_for_the_game() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    good = follower.game.diagram(follower.state).table  # type: ignore[attr-defined]
    fewer = [Table(Board(good.board.placed[1:]))]
    assert isinstance(follower.resync(fewer)[0], Resynced)
    assert follower.see(fewer, 2.0) == []
    assert isinstance(follower.resync([])[0], Refused)


RESYNCED = {
    "domineering": "players: 2\npool: " + " ".join(map(str, DominoSet(6))),
    "mountains_together": "player 1: 64 31 +7\nplayer 2: 50 +8",
    "tetradominoes": "players: 2",
    "finder": "players: 2",
    "all_fives": "players: 2",
}


@pytest.mark.parametrize("slug", RESYNCED)
def test_what_a_table_is_taken_for_can_be_written_down_and_played_on(slug: str) -> None:
    """Moves may have been overlooked before, or dominoes taken away; whoever takes the log up goes on from there."""
    rules: Any = game(slug)
    chance = Random(7)
    start = rules.start(RESYNCED[slug])
    states = [start]
    with suppress(IllegalMove):  # what one player is known to have another may play where hands are unknown
        states += [state for _, state in islice(playout(rules, start, [by_chance] * 2, chance), 80)]
    for state in states:
        other = rules.diagram(chance.choice(states)).table
        follower = Follower(rules, start)
        follower.restart(state)
        taken, *_ = follower.resync([other])
        if isinstance(taken, Resynced):
            assert str(rules.start(taken.state)) == taken.state
            assert (
                rules.outcome(follower.state)
                or rules.to_move(follower.state) is CHANCE
                or legal_moves(rules, follower.state)
            )


@pytest.mark.parametrize(
    ("grid", "named", "made"),
    [
        ("4|1\n\n4\n-\n3\n\n3\n-\n0", "54H1.1 done 12H4.4", "12H3.3 54H1.1 Lw@2.2-3.2-3.3-3.4"),
        ("5|3 3|4\n\n      4|6", "33H2.1 done 44H4.2", "44H4.1 done 33H2.2 Zw@2.2-3.2-3.3-4.3"),
    ],
)
def test_a_tetromino_tells_which_of_two_dominoes_was_played_last(grid: str, named: str, made: str) -> None:
    rules: Any = game("tetradominoes")
    follower = following("tetradominoes", rules.start(f"players: 2\nturn: 2\n===\n{grid}"))
    seen(follower, after(follower, " ".join(made.split()[:-1])))
    assert [one.move for one in follower.made] == named.split()
    last = replay(rules, follower.states[0], made)[0]
    seen(follower, last)
    assert [one.move for one in follower.made] == made.split()


def test_a_hand_of_all_fives_that_seemed_to_be_over_goes_on_with_what_was_drawn_unseen() -> None:
    rules: Any = game("all_fives")
    follower = Follower(rules, rules.start("player 1: +1\nplayer 2: +3\nline: 63 32 [22] 25 54"))
    follower.see([Table(chain=chain_of("63 32 [22] 25 54"))], 2.0)
    laid, shows = follower.see([Table(chain=chain_of("63 32 [22] 25 54 44"))], 2.0)
    assert isinstance(laid, Moved)
    assert isinstance(shows, Waits)
    assert shows.text == "Player 2 shows what is left in the hand, to be counted."
    drew, *_ = follower.see([Table(chain=chain_of("63 32 [22] 25 54 44 46"))], 2.0)
    assert isinstance(drew, Moved)
    assert drew.text == "Player 1 had drawn a domino before."
    assert [made.move for made in follower.made] == ["44R", "draw", "64R"]
    assert follower.waits().text == "Player 1 plays a domino, or draws first."


@pytest.mark.parametrize("slug", ["adding", "capturing", "unmatched"])
def test_a_bare_table_is_taken_for_no_puzzle(slug: str) -> None:
    follower = following(slug, problem(slug, "1"))
    begun = follower.state
    assert follower.resync([Table()]) in (
        [Refused("No domino lies face up on the grid.")],
        [Refused("All dominoes are collected.")],
    )
    assert follower.state == begun


def test_what_is_typed_is_lit_where_it_lies_though_the_map_grows_to_the_other_side() -> None:
    follower = Follower(game("mountains"))
    begun = Board.parse("0|1 1|2").shifted(3, 4)
    follower.see([Table(begun)], 2.0)
    follower.make("11V1,-1")
    on_table: Any = follower.game.on_table  # type: ignore[attr-defined]
    assert {on_table(follower.state, follower.state, cell) for cell in follower.state.board.owner} >= set(begun.owner)


def test_what_is_typed_is_lit_where_it_lies_though_the_first_tile_goes_up() -> None:
    rules: Any = game("freecell")
    start = next(one for one in (rules.deal(Random(seed), 28) for seed in range(99)) if ups(one))
    follower = following("freecell", start)
    lay = follower.state.board
    follower.make(ups(start)[0])
    after = follower.state
    stay = [placed for placed in lay.placed if placed.domino in after.where]
    for placed in stay:
        assert rules.on_table(after, after, after.cells(placed.domino)[0]) == placed.cell


def ups(state: Any) -> list[str]:
    """The tiles that can go up at once."""
    return [str(move) for move in legal_moves(game("freecell"), state) if str(move).endswith("^")]


def test_the_end_is_said() -> None:
    follower = following("capturing", problem("capturing", "1"))
    told: list[Event] = []
    for move in next(p.moves for p in published("capturing") if p.name == "1").split(", "):
        told += seen(follower, after(follower, move), 0.2)
    assert isinstance(told[-1], Over)
    assert told[-1].won
    assert str(follower.phase) == "over"
    assert follower.waits().text == "The game is over."


@pytest.mark.parametrize(("slug", "players"), [("mountains_together", 2), ("tetradominoes", 1), ("tetradominoes", 2)])
def test_dominoes_that_are_taken_up_after_the_end_take_no_move_back(slug: str, players: int) -> None:
    rules: Any = game(slug)
    chance = Random(1)
    start = rules.set_up(players, chance)
    follower = Follower(rules, start)
    follower.see([Table()], 2.0)
    for move, _ in playout(rules, start, [by_chance] * players, chance):
        follower.make(str(move))
    last, made = rules.diagram(follower.state).table, len(follower.made)
    assert follower.see([last], 2.0) == []
    assert follower.see([Table()], 2.0) == []
    assert (str(follower.phase), len(follower.made)) == ("over", made)


def test_who_clears_the_table_amid_a_game_of_several_takes_no_moves_back_but_the_first_ones() -> None:
    rules: Any = game("all_fives")
    follower = Follower(rules, rules.start("players: 2"))
    follower.see([Table()], 2.0)
    row = "63 32 22 25 54 44 46 61".split()
    for number in range(1, len(row)):
        follower.see([Table(chain=chain_of(" ".join(row[: number + 1]).replace("22", "[22]")))], 2.0)
        if number == 2:
            assert isinstance(follower.see([Table()], 2.0)[0], TakenBack)
            assert not follower.made
    assert [type(event) for event in follower.see([Table()], 2.0)] == [Wrong]
    assert len(follower.made) == len(row)


SHOWN = (
    "adding bee capturing country_road domineering dominosa freecell fujisan mountains mountains_together unmatched"
).split()


def begun(slug: str, chance: Random) -> Any:
    rules: Any = game(slug)
    problems = published(slug)
    if problems:
        return problem(slug, chance.choice(problems).name)
    return rules.deal(chance, 28) if slug == "freecell" else rules.set_up(rules.info.players[0], chance)


def course(rules: Any, state: Any, chance: Random, most: int) -> Iterator[tuple[str, Any]]:
    """Random moves, none of which undoes the last."""
    states = [state]
    for _ in range(most):
        moves = decision(rules, states[-1]).moves
        if rules.outcome(states[-1]) or not moves:
            return
        move = chance.choice(moves)
        state = rules.play(states[-1], move)
        if state not in states:
            states.append(state)
            yield str(move), state


@pytest.mark.parametrize("slug", SHOWN)
def test_every_move_of_a_random_course_is_named(slug: str) -> None:
    chance = Random(3)
    follower = following(slug, begun(slug, chance))
    rules: Any = follower.game
    for number, (move, state) in enumerate(course(rules, follower.state, chance, 8), 1):
        told = [event for event in seen(follower, state, 0.2) if isinstance(event, Moved)]
        if not told and rules.diagram(state).table == rules.diagram(follower.state).table:
            follower.make(move)  # a draw, or a domino passed from hand to hand: the table does not show it
        elif not told:
            (wrong,) = seen(follower, state)
            assert "lay one more" in str(wrong)  # it is named with the next
            continue
        assert len(follower.states) == number + 1
        assert follower.made[-1].move == move or follower.state == state
    assert follower.state == state


def elsewhere(follower: Follower, state: Any) -> list[Event]:
    """What is told of a table that a camera sees from another side."""
    table = follower.game.diagram(state).table  # type: ignore[attr-defined]
    return follower.see([table.moved(lambda cell: cell.turned(1))], 2.0)


@pytest.mark.parametrize("slug", ["mountains", "mountains_together"])
def test_a_map_that_is_seen_from_another_side_goes_on(slug: str) -> None:
    chance = Random(3)
    follower = following(slug, begun(slug, chance))
    rules: Any = follower.game
    for move, state in course(rules, follower.state, chance, 12):
        if state.board == follower.state.board:
            follower.make(move)  # a domino that is passed from hand to hand
            continue
        look = seen if len(state.board.placed) < 3 else elsewhere
        assert isinstance(look(follower, state)[0], Moved)
        assert follower.state == state
    assert elsewhere(follower, follower.state) == []
    lying = rules.diagram(follower.state).table.board
    assert rules.on_table(follower.state, follower.state, Cell(0, 0)) == Cell(0, 0).turned(1)
    assert seen(follower, follower.state) == []
    assert rules.on_table(follower.state, follower.state, lying.top_left) == lying.top_left


def test_the_queue_lies_on_the_table_while_its_dominoes_are_added_and_taken_back() -> None:
    queue = Board.parse("1 3 1\n- - -\n5 5 3")
    follower = Follower(game("adding"))
    assert [type(event) for event in follower.see([Table(queue)], 1.2)] == [Began, Waits]
    assert follower.see([Table(queue)], 2.0) == []
    taken, waits = (Board(part) for part in (queue.placed[:2], queue.placed[2:]))
    for beside in (Table(Board((*taken.placed, *waits.shifted(5, 0).placed))), Table(taken, loose=(WAITS,))):
        assert follower.see([beside], 2.0) == []
        (added, over) = follower.see([Table(Board.parse("1|3\n\n1 3\n- -\n5 5"))], 0.2)
        assert isinstance(added, Moved)
        assert isinstance(over, Over)
        (back,) = follower.see([beside], 0.2)
        assert isinstance(back, TakenBack)
    (wrong,) = follower.see([Table(Board.parse("1 3\n- -\n5 5\n\n1|3"))], 2.0)
    assert isinstance(wrong, Wrong)


def test_a_domino_that_was_added_is_not_back_in_the_queue_when_one_between_is_lifted() -> None:
    follower = following("adding", problem("adding", "1"))
    for move in ("15H24", "15R", "54H43", "15R"):
        seen(follower, after(follower, move), 0.2)
    whole = Board.parse("2 3\n- -\n1 5 5|4\n\n    1|5")
    (wrong,) = follower.see([Table(whole.without([whole.owner[Cell(1, 2)]]))], 2.0)
    assert isinstance(wrong, Wrong)
    assert [type(event) for event in follower.see([Table(whole)], 0.2)] == [Righted]
    assert len(follower.made) == 4


def test_a_step_is_taken_back_though_a_priest_hides_the_domino_beneath() -> None:
    follower = following("fujisan", problem("fujisan", "1"))
    rules: Any = follower.game
    tables = [hidden(rules.diagram(after(follower, moves)).table) for moves in ("NR4", "NR4 BL1")]
    for table in tables:
        assert isinstance(follower.see([table], 0.2)[0], Moved)
    (back,) = follower.see([tables[0]], 0.2)
    assert isinstance(back, TakenBack)
    assert back.moves == ("BL1",)


def hidden(table: Table) -> Table:
    """The table without the dominoes that nobody sees beneath the pawns."""
    under = {pawn.cell for pawn in table.pawns}
    seen = (placed for placed in table.board.placed if under.isdisjoint(placed.cells))
    return replace(table, board=Board(tuple(seen)))


def test_two_doubles_that_are_seen_from_the_other_side_lie_as_they_did() -> None:
    follower = following("adding", game("adding").start("2 1 0\n- - -\n2 1 1"))  # type: ignore[attr-defined]
    table = Table(follower.state.board)
    assert follower.see([table.moved(lambda cell: cell.turned(2))], 2.0) == []
    assert follower.wrong == ()


@pytest.mark.parametrize(("first", "second"), [("20V41", "12H13"), ("12H13", "20V41")])
def test_a_first_domino_that_fits_in_several_places_is_named_with_the_next(first: str, second: str) -> None:
    follower = following("dominosa", problem("dominosa", "1"))
    one, two = after(follower, first), after(follower, f"{first} {second}")
    (waits,) = elsewhere(follower, one)
    assert isinstance(waits, Waits)
    assert "places of the grid: lay one more" in waits.text
    told = elsewhere(follower, two)
    assert [event.move for event in told if isinstance(event, Moved)] == [first, second]
    assert any(isinstance(event, TakenBack) for event in elsewhere(follower, one))


def test_a_log_plays_the_moves_again() -> None:
    follower = following("unmatched", problem("unmatched", "5"))
    move = a_slide(follower)
    follower.again(move)
    assert follower.state == follower.game.play(follower.states[0], named(follower.game, follower.states[0], move)[0])
