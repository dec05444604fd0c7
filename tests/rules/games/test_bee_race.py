"""The race of Bee: claims against the clock, demonstrations and how they fail, points, rounds, and the table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.players_of.bee_race import hasty
from pipsight.events import Moved, Over, Refused, Resynced, Waits, Wrong
from pipsight.follower import Follower
from rules.bee.setup import random_board, touching_starts
from rules.bee.state import Bee
from rules.bee_race.moves import WRITTEN, Claim, Fly, GiveUp, Hesitated, RaceMove, Roll, SetUp, TimeUp, at, parsed
from rules.bee_race.state import Phase, Race
from rules.bee_race.thinking import Thinker, advised
from rules.board import Board, Cell
from rules.course import announced, by_chance, playout
from rules.domino import DominoSet
from rules.engine import check, explain, replay
from rules.errors import BadText, BadVariant
from rules.game import ANYONE, CHANCE, IllegalMove, Outcome, UnreadableTable
from rules.games.bee_race import GAME
from rules.players import Clocked, Owes, SetsUp, Suggests, Tells
from rules.table import Die, Table
from rules.watch import Watch
from tests.rules.drawing import picture

EXAMPLE = picture("""
    4|4 0|1 3|3

    2|2 2|1 0|4

    2|3 0|2 1|4

    0|3 4|2 1|1

    4|3 1|3 0|0
""")
SHORTEST = "2D1 1D3L3 2L3U1"
BARRED = picture("""
    3|0 0 1 0
        - - -
    3|3 0 3 2

    2|2 1|2 1
            -
    2|3 1|0 1
""")


def race(players: int = 3, *more: str, board: str = EXAMPLE, dice: int = 4) -> Race:
    lines = [f"players: {players}", f"dice: {dice}", "bees: 1,2", *more, "board:", board]
    return GAME.start("\n".join(lines))


def after(moves: str, state: Race | None = None) -> Race:
    return replay(GAME, state or race(), moves)[0]


def refused(moves: str, state: Race | None = None) -> str:
    with pytest.raises(IllegalMove) as told:
        after(moves, state)
    return str(told.value)


def told(moves: str, state: Race | None = None) -> str:
    """What is said of the last event."""
    *before, last = moves.split()
    at = after(" ".join(before), state)
    return announced(GAME, at, parsed(last)[0])


def table(state: Race, *, without: int = 0, turns: int = 0) -> Table:
    lying = Board(state.board.placed[without:])
    dice = tuple(Die(bee.number, bee.cell) for bee in state.bees)
    return Table(lying, dice=dice).moved(lambda cell: cell.turned(turns).shifted(2, 7))


def test_the_queen_comes_by_chance_to_an_empty_starting_space() -> None:
    state = race()
    assert GAME.to_move(state) is CHANCE
    assert [(str(move), share) for move, share in GAME.chances(state)] == [("roll(3)", 0.5), ("roll(4)", 0.5)]
    solving = after("roll(3)@2")
    assert (solving.phase, solving.queen, solving.since_s) == (Phase.SOLVING, 3, 2)
    assert GAME.to_move(solving) is ANYONE
    assert refused("roll(2)") == "The 2 die is there already: roll the die again."
    assert refused("roll(5)") == "No starting space has a 5: roll the die again."


def test_the_first_claim_starts_the_timer_and_the_fewest_moves_lead() -> None:
    state = after("roll(3)@0 2:5@10 1:4@30 3:6@40")
    assert state.deadline_s == 70
    assert [claim.seat for claim in state.ranked] == [0, 1, 2]
    assert GAME.due(state) == TimeUp(70)
    assert told("roll(3)@0 2:5@10") == "Player 2 says: 5 moves. The timer runs: 60 s."
    assert told("roll(3) 2:5 time") == "The time is up. Player 2 demonstrates 5 moves."


@given(st.integers(0, 10_000_000))
@example(83_432)  # 83.432 + 60 is a little more than 143.432
def test_the_timer_ends_whenever_the_first_claim_was_said(moment_ms: int) -> None:
    state = after(f"roll(4) 1:4@{moment_ms / 1000:.3f}")
    due = GAME.due(state)
    assert due is not None
    assert after(str(due), state).phase is Phase.FLYING


def test_a_tie_goes_to_fewer_points_and_then_to_who_said_it_first() -> None:
    state = race(3, "points: 1 0 0", "rounds: 9")
    ranked = after("roll(3) 1:4 3:4 2:4", state).ranked
    assert [claim.seat for claim in ranked] == [2, 1, 0]


def test_a_press_that_is_told_of_late_keeps_its_place_and_may_have_started_the_timer() -> None:
    state = after("roll(3)@0 2:4@10.200 1:4@10.100 3:4@11")
    assert [claim.seat for claim in state.claims] == [0, 1, 2]
    assert state.deadline_s == 70.1


def test_who_pressed_first_says_impossible_first_though_it_is_told_of_late() -> None:
    state = after("roll(3)@0 1:impossible@10.500 3:5@10.700 2:impossible@10.200")
    assert [claim.seat for claim in state.claims] == [1, 2]
    assert after("time give-up", state).points == (0, 1, 0)
    assert refused("1:impossible@10.500", state) == "Player 2 has said first that it is impossible."


def test_a_claim_may_be_told_of_after_a_later_one_and_no_earlier_than_the_queen_came() -> None:
    state = after("roll(3)@95 2:4@100")
    assert after("1:4@95", state).ranked[0].seat == 0
    again = GAME.start(str(state))
    assert again == state
    assert refused("1:4@94.999", again).startswith("That was at 94.999 s")
    assert after("time@160 give-up@161 back@165 roll(4)@170", state).queen_s == 170


def test_what_is_seen_late_happened_no_earlier_than_it_could() -> None:
    state = after("roll(3)@95 2:4@100 time@160")
    flight, claim = *parsed("2D1"), Claim(0, 3)
    assert GAME.stamped(state, flight, 158.0) == at(flight, 160.0)
    assert GAME.stamped(state, flight, 162.0) == at(flight, 162.0)
    assert GAME.stamped(after("roll(3)@95 2:4@100"), claim, 97.0) == at(claim, 97.0)


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("2:4", "There is nothing to claim now."),
        ("roll(3) 4:4", "There is no player 4: there are 3."),
        ("roll(3) 1:0", "A claim is of 1 to 20 moves, not of 0."),
        ("roll(3) 1:4 1:4", "Player 1 has said 4 moves already: only fewer moves are better."),
        ("roll(3) 1:4 1:impossible", "Player 1 has said 4 moves already: only fewer moves are better."),
        ("roll(3) 1:impossible 2:impossible", "Player 1 has said first that it is impossible."),
        ("roll(3)@0 1:4@10 2:3@70.5", "The time is up: Player 2 said 3 moves 0.500 s too late."),
        ("roll(3)@95 2:4@100 1:4@3", "That was at 3.000 s, before the queen came (95.000 s)."),
        ("roll(3)@95 give-up@3", "That was at 3.000 s, before what happened last (95.000 s)."),
        ("roll(3)@95 2:4@100 time@160 2D1@3", "That was at 3.000 s, before what happened last (160.000 s)."),
        ("roll(3) time", "The timer does not run: the first claim starts it."),
        ("roll(3)@0 1:4@10 time@69", "The timer runs for 1.000 s more."),
        ("roll(3) 1:4 give-up", "Player 1 claimed: the timer runs to its end."),
        ("roll(3) late", "Nobody demonstrates now."),
        ("roll(3) back", "The dice stay where they are now."),
        ("roll(3) roll(4)", "Nobody rolls a die now."),
        (
            "roll(3) 1:3 time@60 late@65",
            "Player 1 has 5.000 s more for the next flight.",
        ),
        (
            "roll(3) 2D1",
            "The 2 die was moved to row 4, column 4: nobody touches the dice before the time is up.",
        ),
        ("2D1", "Nobody flies a die now."),
        ("board(5:44R01R)", "The board lies there already: it stays as long as a starting space is empty."),
        ("2:five", f"'2:five' is no move: {WRITTEN}."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(moves: str, why: str) -> None:
    assert refused(moves) == why


def test_a_demonstration_scores_with_the_last_bee_at_home() -> None:
    state = after(f"roll(3) 2:3 time {SHORTEST}")
    assert (state.phase, state.points, state.scored) == (Phase.SETTLED, (0, 1, 0), (1,))
    assert told(f"roll(3) 2:3 time {SHORTEST}").endswith("Player 2 scores a point. 3 moves is right: no fewer will do.")
    assert told(f"roll(3) 2:3 time {SHORTEST}").startswith("3: The 2 die flies left 3 to above the 1, then up 1")
    fewer = after(f"roll(3) 2:5 time {SHORTEST}")
    assert fewer.points == (0, 1, 0)
    assert told(f"roll(3) 2:5 time {SHORTEST}").endswith("5 moves is right: 3 moves would do.")


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("2R1", "The 2 die cannot land on the 1 at row 3, column 5"),
        ("3R1", "The queen bee, the 3, does not move in this round."),
        ("2D1 1D2", "The 1 die cannot land on the 2 at row 3, column 4"),
        ("2D1@61 1D3L3@72", "Nobody waits longer than 10 s for a flight."),
        ("2D1 1D3L3 1R3U2", "3 moves and no more: not all bees are with the queen."),
    ],
)
def test_a_wrong_late_or_superfluous_flight_passes_to_the_next_best_claim(moves: str, why: str) -> None:
    claims = "roll(3)@0 2:3@0 1:4@5 3:4@6 time@60"
    assert f"Player 2 fails. {why}" in told(f"{claims} {moves}")
    state = after(f"{claims} {moves}")
    assert (state.failed, state.flier, state.points) == ((1,), 0, (0, 0, 0))
    if state.phase is Phase.RETURNING:
        assert GAME.owed(state) == "Put the dice back: Player 1 demonstrates next."
        state = after("back@80", state)
    assert (state.phase, state.flown, state.bees) == (Phase.FLYING, 0, state.home)
    assert after(SHORTEST, state).points == (1, 0, 0)


def test_hesitation_and_giving_up_pass_on_until_nobody_is_left() -> None:
    state = after("roll(3)@0 2:3@0 1:4@5 time@60 2D1@65 late@75 back@80")
    assert (state.flier, GAME.due(state)) == (0, Hesitated(90))
    over = after("give-up", state)
    assert (over.phase, over.points) == (Phase.SETTLED, (0, 0, 0))
    assert announced(GAME, state, GiveUp()) == "Player 1 gives up. Nobody scores. 3 moves is right: no fewer will do."


def test_impossible_scores_where_nobody_shows_a_solution() -> None:
    alone = after("roll(3) 2:impossible time")
    assert (alone.phase, alone.points) == (Phase.SETTLED, (0, 1, 0))
    assert told("roll(3) 2:impossible time").endswith("Impossible is wrong: 3 moves will do.")
    assert after(f"roll(3) 2:impossible 1:3 time {SHORTEST}").points == (1, 0, 0)
    assert after("roll(3) 2:impossible 1:3 time give-up").points == (0, 1, 0)
    assert after("roll(3) 2:impossible 2:5 1:impossible time give-up").points == (1, 0, 0)


def test_alone_the_solver_judges_whether_it_is_impossible() -> None:
    barred = GAME.start(f"players: 1\ndice: 3\nbees: 1,2\nboard:\n{BARRED}")
    assert after("roll(3) 1:impossible time", barred).points == (1,)
    assert after("roll(3) 1:impossible time", race(1)).points == (0,)
    assert "There is no solution." not in GAME.owed(after("roll(3) 1:impossible", barred))
    assert GAME.hint(after("roll(3)", barred), 1).text == "There is no solution from here: say that it is impossible."


def test_who_plays_alone_is_advised_only_what_may_be_done_where_there_is_no_solution() -> None:
    barred = after("roll(3)", GAME.start(f"players: 1\ndice: 3\nbees: 1,2\nboard:\n{BARRED}"))
    hopeless = "There is no solution from here"
    for moves, left in [
        ("1:impossible", "the time runs to its end"),
        ("1:4", "give up when the time is up"),
        ("1:4 time", "give up"),
    ]:
        assert GAME.hint(after(moves, barred), 1).text == f"{hopeless}: {left}."


def test_who_has_not_enough_of_the_claimed_moves_left_is_told_so() -> None:
    begun = after("roll(3) 1:3 time", race(1))
    assert GAME.hint(after("2D1", begun), 2).text.startswith("2 moves from here will do")
    for level in (1, 2, 3):
        wasted = GAME.hint(after("1D1", begun), level)
        assert wasted.text == "Of what was claimed 2 moves are left, and it takes 3: give up."


def test_if_nobody_finds_anything_the_solver_tells_after_the_round() -> None:
    assert told("roll(3) give-up") == "All give up. Nobody scores. 3 moves will do."
    assert "3 moves" not in GAME.owed(after("roll(3)")) + GAME.told(after("roll(3)"))
    assert GAME.hint(after("roll(3)"), 3).text == "Nobody is helped in a race."


def test_a_move_that_nobody_has_made_tells_no_secret() -> None:
    solving, showing = after("roll(3)"), after("roll(3) 2:3 1:4 time 2D1 1D3L3")
    assert GAME.describe(solving, GiveUp()) == "All give up."
    assert GAME.describe(solving, Claim(0, None)) == "Player 1 says: it is impossible. The timer runs: 60 s."
    right, wrong = parsed("2L3U1 1R3U2")
    flown = "3: The 2 die flies left 3 to above the 1, then up 1, and lands at row 3, column 1."
    assert GAME.describe(showing, right) == flown
    assert GAME.describe(showing, wrong).startswith("3: The 1 die flies")
    assert "fails" not in GAME.describe(showing, wrong)
    assert announced(GAME, showing, right).startswith(f"{flown} Player 2 scores a point.")
    assert announced(GAME, showing, wrong).startswith(f"{GAME.describe(showing, wrong)} Player 2 fails.")
    together = after("roll(3)", race(3, "together: yes"))
    assert GAME.describe(together, Claim(0, None)) == "Player 1 says: it is impossible."


def test_the_next_queen_comes_to_the_same_board_until_all_spaces_are_full() -> None:
    state = race(2, "rounds: 3")
    second = after("roll(3) give-up back", state)
    assert (second.round, second.phase, second.empty) == (2, Phase.ROLLING, (4,))
    third = after("roll(4) give-up back", second)
    assert (third.round, third.phase, third.boards) == (3, Phase.SETTING_UP, 1)
    board = SetUp(random_board(Random(5), DominoSet(4)))
    assert GAME.play(third, board).phase is Phase.ROLLING
    assert GAME.play(third, board).bees == ()
    with pytest.raises(IllegalMove, match=r"There are 10 dominoes; with 4 dice it takes 15, all up to the 4\."):
        GAME.play(third, SetUp(random_board(Random(5), DominoSet(3))))


def test_starting_spaces_may_not_touch() -> None:
    state = GAME.start("players: 2\nvariant: 4 dice")
    with pytest.raises(IllegalMove, match="The starting spaces 0-4 and 1-0 touch"):
        GAME.play(state, SetUp(Board.parse(EXAMPLE.replace("0|2 1|4", "0|2 1|0").replace("0|1", "4|1"))))


def test_a_series_is_one_two_three_and_four_rounds_with_a_die_more_each() -> None:
    state, dice = GAME.set_up(4, Random(1)), list[int]()
    while len(dice) < 11:
        if state.phase is Phase.SOLVING:
            dice.append(state.dice)
            state = GAME.play(state, GiveUp())
        state = GAME.play(state, next(iter(GAME.chances(state)))[0])
    assert dice == [3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6]
    assert state.round == 12


def test_most_points_win_and_a_tie_is_played_on() -> None:
    state = after("roll(4) 1:impossible time", race(2, "points: 0 1", "round: 2", "rounds: 2"))
    assert state.points == (1, 1)
    assert GAME.outcome(state) is None
    assert GAME.owed(state) == "The dice are back: the next queen may come."
    extra = after("back roll(3) 2:impossible time", state)
    assert GAME.outcome(extra) == Outcome(True, (1,), (1, 2), "Player 2 wins with 2 points.")
    assert "Round 3 (an extra round)" in GAME.told(extra)
    assert refused("back", extra) == "The race is over."
    assert not [*GAME.chances(extra)]


def test_together_all_fly_and_nobody_races() -> None:
    state = race(3, "together: yes", "rounds: 2")
    flying = after("roll(3)", state)
    assert (flying.phase, GAME.to_move(flying), GAME.due(flying)) == (Phase.FLYING, 0, None)
    assert refused("roll(3) 2R1", state).startswith("The 2 die cannot land on the 1")
    assert refused("roll(3) 2:4", state).startswith("Nobody claims a number of moves")
    assert after("2D1 back", flying).flown == 0
    assert after(SHORTEST, flying).points == (1, 1, 1)
    assert after("1:impossible", flying).points == (0, 0, 0)
    assert "row 4, column 1" in GAME.hint(flying, 1).text
    second = after(f"{SHORTEST} back roll(4)", flying)
    assert GAME.owed(second) == "Player 2 flies the bees to the 4; the others help."
    assert GAME.outcome(after("give-up", second)) == Outcome(False, (), (1, 1, 1), "1 of 2 rounds solved.")


@given(st.integers(0, 10_000))
@settings(max_examples=12)
def test_a_race_can_be_written_down_at_any_moment(seed: int) -> None:
    chance = Random(seed)
    state = GAME.set_up(chance.randint(1, 6), chance, chance.choice(GAME.variants))
    for number, (move, then) in enumerate(playout(GAME, state, [by_chance] * state.players, chance)):
        assert parsed(str(move)) == (move,)
        assert announced(GAME, state, move)[-1] in ".:"
        assert GAME.start(str(then)) == then
        state = then
        if number == 12:
            break


def test_two_hundred_races_by_chance_come_to_their_end() -> None:
    chance = Random(7)
    for number in range(200):
        dice = 3 if number % 8 else 3 + number // 8 % 4
        state = GAME.set_up(1 + number % 6, chance, f"{dice} dice" + (", together" if number % 5 == 0 else ""))
        *_, (_, end) = playout(GAME, state, [hasty] * state.players, chance)
        ended = GAME.outcome(end)
        assert ended
        assert sum(ended.scores) <= end.round * (end.players if end.together else 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("players: 7", "line 1, column 10: players: 7 is not between 1 and 6"),
        ("variant: 7 dice", "line 1, column 10: there is no variant '7 dice'"),
        ("points: 1", "line 1, column 9: 2 numbers of points are needed"),
        ("phase: flying", "line 1, column 8: flying needs a board"),
        ("phase: sleeping", "line 1, column 8: a phase is setting up, rolling,"),
        ("claims: 1:5 1:4", "line 1, column 9: each player claims once"),
        ("nonsense", "line 1, column 1: a line begins with players:,"),
        ("series: maybe", "line 1, column 9: 'maybe' is neither yes nor no"),
        ("together: maybe", "line 1, column 11: 'maybe' is neither yes nor no"),
        ("since: nan", "line 1, column 8: since: nan is not between 0 and"),
        ("deadline: 5", "line 1, column 1: no time runs while setting up"),
        (
            f"dice: 4\nphase: solving\nqueen: 3\nbees: 1,2,3\ndeadline: 5\nboard:\n{EXAMPLE}",
            "line 5, column 1: no time runs while solving: nobody has claimed",
        ),
        (f"dice: 3\nboard:\n{EXAMPLE}", "line 2, column 1: with 3 dice the board has 10 dominoes"),
        (
            f"dice: 4\nqueen: 3\nbees: 1,2,3\nboard:\n{EXAMPLE}",
            "line 2, column 1: while rolling there is no queen yet: add phase: solving, or leave it out",
        ),
        (
            f"dice: 4\nclaims: 1:5\nbees: 1,2\nboard:\n{EXAMPLE}",
            "line 2, column 1: while rolling there is no claim yet: add phase: solving, or leave it out",
        ),
        (f"dice: 4\nphase: solving\nbees: 1,2\nboard:\n{EXAMPLE}", "line 2, column 8: solving needs a queen"),
        (f"dice: 4\nphase: flying\nqueen: 3\nbees: 1,2,3\nboard:\n{EXAMPLE}", "line 2, column 8: flying needs claims"),
        (
            f"dice: 4\nphase: flying\nqueen: 3\nbees: 1,2,3\nclaims: 1:5\nflown: 5\nboard:\n{EXAMPLE}",
            "line 6, column 8: all flights that were claimed are flown: then the round is over",
        ),
        (f"dice: 4\nbees: (0,0)1\nboard:\n{EXAMPLE}", "line 2, column 7: while a die is rolled all others stand"),
        ("dice: 4\nboard:\n4|4 0|1", "line 3, column 1: the dominoes reach over 1 by 4 squares"),
    ],
)
def test_a_text_that_is_no_race_is_refused_with_its_place(text: str, why: str) -> None:
    with pytest.raises(BadText) as bad:
        GAME.start(text)
    assert str(bad.value).startswith(why)


@pytest.mark.parametrize(
    ("variant", "why"),
    [
        ("4 dice, 0 rounds", "a race has 1 to 99 rounds, not 0 as in '4 dice, 0 rounds'"),
        ("series, 00 rounds, together", "a race has 1 to 99 rounds, not 0 as in 'series, 00 rounds, together'"),
        ("4 dice, 100 rounds", "a race has 1 to 99 rounds, not 100 as in '4 dice, 100 rounds'"),
        ("9 dice", "there is no variant '9 dice': choose 'series', '3 dice', "),
        ("4 dice, many rounds", "or a number of rounds, as '4 dice, 7 rounds'"),
    ],
)
def test_a_race_of_no_rounds_or_no_such_dice_says_what_is_wrong(variant: str, why: str) -> None:
    with pytest.raises(BadVariant) as bad:
        GAME.set_up(2, Random(1), variant)
    assert why in str(bad.value)
    with pytest.raises(BadText) as in_text:
        GAME.start(f"variant: {variant}")
    assert why in str(in_text.value)


def test_a_race_is_set_up_for_one_to_six_in_ten_ways_and_any_number_of_rounds() -> None:
    assert all(isinstance(GAME, each) for each in (SetsUp, Suggests, Owes, Tells, Clocked))
    assert len(GAME.variants) == 10
    assert GAME.set_up(2, Random(1)).rounds == 10
    assert GAME.set_up(2, Random(1), "5 dice").rounds == 3
    assert GAME.set_up(2, Random(1), "4 dice, 7 rounds").rounds == 7
    state = GAME.set_up(2, Random(1), "4 dice")
    ((shuffled, share),) = GAME.chances(state)
    assert isinstance(shuffled, SetUp)
    assert (share, len(shuffled.board.placed), [*touching_starts(shuffled.board)]) == (1.0, 15, [])


def test_the_program_claims_what_the_solver_finds_after_a_time_of_thought() -> None:
    state = after("roll(3)@100")
    found = advised(state, Watch(), Random(1), Thinker(sees=1))
    assert [move.moves for move in (one.move for one in found) if isinstance(move, Claim)] == [3, 3, 3]
    times = [move.time_s or 0 for move in (one.move for one in found) if isinstance(move, Claim)]
    assert times == sorted(times)
    assert times[0] > 100
    weak = [advised(state, Watch(), Random(k), Thinker(sees=0.2))[0].move for k in range(20)]
    assert {move.moves for move in weak if isinstance(move, Claim)} > {4, 5}
    flying = after("1:3@110 time@170", state)
    way = flying
    while way.phase is Phase.FLYING:
        way = GAME.play(way, GAME.suggest(way, Watch(), Random(1))[0].move)
    assert (way.points, way.flown) == ((1, 0, 0), 3)
    late = after("1:3@110 time@170 2L3", state)
    assert isinstance(GAME.suggest(late, Watch(), Random(1))[0].move, GiveUp)


def test_the_program_says_that_it_is_impossible_though_another_claims_a_way() -> None:
    barred = GAME.start(f"players: 3\ndice: 3\nbees: 1,2\nboard:\n{BARRED}")
    claimed = after("roll(3)@0 1:4@5", barred)
    claims = [advised(claimed, Watch(), Random(k), Thinker(proof_s=5))[0].move for k in range(5)]
    assert {(claim.seat in (1, 2), claim.moves) for claim in claims if isinstance(claim, Claim)} == {(True, None)}
    assert after(f"{claims[0]} time give-up", claimed).scored == (claims[0].seat,)  # type: ignore[union-attr]
    said = after("3:impossible@6", claimed)
    assert [one.move for one in advised(said, Watch(), Random(1))] == [TimeUp(65)]


def test_a_race_is_followed_from_the_table_to_its_end() -> None:
    start = GAME.start("players: 2\nvariant: 4 dice\nrounds: 1")
    follower = Follower(GAME, start)

    def seen(*happened: RaceMove) -> list[str]:
        """What the follower tells of the table after these events."""
        state = follower.state
        for move in happened:
            state = GAME.play(state, move)
        return [event.move for event in follower.see([table(state)], 2.0) if isinstance(event, Moved)]

    assert follower.see([Table()], 2.0)
    assert follower.phase == "playing"
    board = SetUp(Board.parse(EXAMPLE))
    assert seen(board) == [str(board)]
    assert seen(Roll(1)) == ["roll(1)"]
    assert seen(Roll(2)) == ["roll(2)"]
    assert seen(Roll(3)) == ["roll(3)"]
    follower.make("2:4 1:5 time")
    assert seen(*parsed("2D1")) == ["2D1"]
    assert seen(*parsed("2U1 2D1 1D3L3")) == ["1D3L3"]
    assert seen(*parsed("2L3U1")) == ["2L3U1"]
    assert GAME.outcome(follower.state)
    assert follower.state.points == (0, 1)


def test_a_board_that_lies_there_already_begins_the_race_with_its_dice() -> None:
    start = GAME.start("players: 2\nvariant: 4 dice\nrounds: 1")
    follower, rolled = Follower(GAME, start), after("roll(1)", race_of(start))
    assert follower.see([table(rolled)], 0.5) == []
    events = follower.see([table(rolled)], 1.0)
    assert [event.move for event in events if isinstance(event, Moved)] == [str(SetUp(rolled.board)), "roll(1)"]
    assert follower.state.phase is Phase.ROLLING


def test_a_board_that_lies_there_when_the_table_is_taken_as_it_lies_is_laid() -> None:
    start = GAME.start("players: 2\nvariant: 4 dice\nrounds: 1")
    laid = race_of(start)
    for states in ([], [start]):
        follower = Follower(GAME, start, states)
        events = follower.resync([table(laid)])
        assert [type(event) for event in events[:2]] == [Resynced, Moved]
        assert follower.state == laid


@pytest.mark.parametrize("happened", ["", "roll(3)", "roll(3) 1:5"])
def test_a_table_on_which_dice_stand_elsewhere_before_anybody_may_fly_is_not_taken_as_it_lies(happened: str) -> None:
    follower = Follower(GAME, after(happened))
    follower.states = [follower.start]
    moved = [Bee(bee.number, Cell(3, 3)) if bee.number == 2 else bee for bee in follower.start.bees]
    (told,) = follower.resync([table(replace(follower.start, bees=tuple(moved)))])
    assert isinstance(told, Refused)
    assert "stand on their starting spaces" in told.text
    assert follower.state == follower.start


def race_of(start: Race) -> Race:
    """The race with its first board laid."""
    return GAME.play(start, SetUp(Board.parse(EXAMPLE)))


def test_a_wrong_flight_on_the_table_fails_and_the_dice_go_back_for_the_next() -> None:
    follower = Follower(GAME, after("roll(3) 2:4 1:5", race(2, "rounds: 1")))
    follower.states = [follower.start]
    touched = replace(follower.state, bees=follower.start.swarm.landed(2, Cell(3, 3)).bees)
    events = follower.see([table(touched)], 2.0)
    assert [event.faults[0].text for event in events if isinstance(event, Wrong)] == [
        "The 2 die was moved to row 4, column 4: nobody touches the dice before the time is up."
    ]
    follower.see([table(follower.start)], 2.0)
    follower.make("time")
    wrong = replace(follower.state, bees=follower.state.swarm.landed(2, Cell(2, 4)).bees)
    told = [event.text for event in follower.see([table(wrong)], 2.0) if isinstance(event, Moved)]
    assert len(told) == 1
    assert "Player 2 fails. The 2 die cannot land on the 1" in told[0]
    back = [event.move for event in follower.see([table(follower.start)], 2.0) if isinstance(event, Moved)]
    assert (back, follower.state.phase, follower.state.flier) == (["back"], Phase.FLYING, 0)
    events = follower.make(SHORTEST)
    assert any(isinstance(event, Over) for event in events)


def test_dice_that_go_back_one_after_the_other_are_no_flights_of_the_next_player() -> None:
    follower = Follower(GAME, after("roll(3)@0 1:2@1 2:3@2 time@61 2D1@62 1D3L3@63", race(2, "rounds: 1")))
    follower.states = [follower.start]
    failed = follower.state
    assert (failed.phase, failed.flier) == (Phase.RETURNING, 1)
    one_back = replace(failed, bees=failed.swarm.landed(1, failed.home[0].cell).bees)
    assert GAME.play(after("back@64", failed), parsed("2D1@65")[0]).bees == one_back.bees
    assert follower.see([table(one_back)], 5.0) == [Waits("Put the 2 back as well.")]
    home = replace(failed, bees=failed.home)
    assert [event.move for event in follower.see([table(home)], 1.0) if isinstance(event, Moved)] == ["back"]


def test_no_queen_is_guessed_among_dice_that_came_at_once() -> None:
    three, nobody = after("roll(3)"), replace(race(), bees=())
    for before, came in (
        (nobody, "The 1, the 2 and the 3"),
        (replace(race(), bees=race().bees[:1]), "The 2 and the 3"),
    ):
        (problem,) = explain(GAME, before, table(three)).problems
        assert (
            problem.text == f"{came} came at once, and the last one is the queen: take her off and set her down again."
        )
    assert [str(move) for move in explain(GAME, nobody, table(race())).moves] == ["roll(1)", "roll(2)"]


def test_a_domino_that_was_turned_is_told_as_the_board_of_the_round_has_it_for_a_race_has_no_problem() -> None:
    solving = after("roll(3)")
    turned = next(tile for tile in solving.board.placed if str(tile) == "23")
    lying = Board((*solving.board.without([turned]).placed, replace(turned, head=turned.tail, tail=turned.head)))
    (problem,) = explain(GAME, solving, table(replace(solving, board=lying))).problems
    assert problem.text == "At row 3, columns 1 and 2 lies 3-2, but the board of this round has 2-3 there."


@pytest.mark.parametrize(
    ("before", "came", "told"),
    [
        (
            replace(race(), bees=race().bees[:1]),
            Bee(3, Cell(0, 4)),
            "3 die stands at row 1, column 5, not at row 4, column 2",
        ),
        (race(), Bee(3, Cell(0, 4)), "3 die stands at row 1, column 5, not at row 4, column 2"),
        (race(3, "together: yes"), Bee(3, Cell(0, 3)), "3 die stands at row 1, column 4, not at row 4, column 2"),
        (after("roll(3) give-up"), Bee(4, Cell(0, 0)), "4 die stands at row 1, column 1, not at row 2, column 6"),
    ],
)
def test_a_die_that_comes_to_another_square_is_told_its_starting_space(before: Race, came: Bee, told: str) -> None:
    strayed = replace(before, bees=tuple(sorted((*before.bees, came))))
    (problem,) = explain(GAME, before, table(strayed)).problems
    assert problem.text == f"The {told}."


def test_together_a_wrong_flight_on_the_table_is_told_with_the_reason() -> None:
    state = after("roll(3)", race(3, "together: yes", "rounds: 2"))
    assert state.swarm
    wrong = replace(state, bees=state.swarm.landed(2, Cell(2, 4)).bees)
    (problem,) = explain(GAME, state, table(wrong)).problems
    assert problem.text.startswith("The 2 die cannot land on the 1")


def test_together_the_dice_may_go_back_and_the_flights_are_counted_anew() -> None:
    start = after("roll(3)", race(3, "together: yes", "rounds: 2"))
    for flown in ("2D1", "2D1 1D3L3"):  # the 1 came over the 2, and has no flight back once that is gone
        follower = Follower(GAME, start)
        follower.states = [start, after(flown, start)]
        told = follower.see([table(start)], 5.0)
        assert [event.move for event in told if isinstance(event, Moved)] == ["back"]
        assert (follower.state.phase, follower.state.flown) == (Phase.FLYING, 0)


def test_of_two_flights_that_are_seen_together_too_late_the_first_one_ends_the_demonstration() -> None:
    follower = Follower(GAME, after("roll(3)@0 2:3@0 1:4@5 time@60", race(2)))
    follower.states, follower.now_s = [follower.start], 71.5
    told = follower.see([table(after("2D1 1D3L3", follower.start))], 0.5)
    (late,) = [event for event in told if isinstance(event, Moved)]
    assert "Player 2 fails. Nobody waits longer than 10 s for a flight." in late.text
    assert follower.state.flier == 0
    follower.now_s = 75.0
    told = follower.see([table(follower.start)], 0.5)
    assert [event.move for event in told if isinstance(event, Moved)] == ["back@75.000"]


def test_nobody_is_told_of_a_fault_while_the_table_is_cleared_after_the_race() -> None:
    follower = Follower(GAME, after(f"roll(3) 1:3 time {SHORTEST}", race(2, "rounds: 1")))
    follower.states = [follower.start]
    assert follower.phase == "over"
    assert follower.see([replace(table(follower.start), dice=())], 5.0) == []


@pytest.mark.parametrize("happened", ["give-up", "1:impossible 2:3 time 2D1 2D1"])
def test_after_the_last_queen_of_a_board_the_dice_are_taken_off_and_the_next_board_is_laid(happened: str) -> None:
    follower = Follower(GAME, after(f"roll(3) give-up back roll(4) {happened}", race(2, "rounds: 9")))
    follower.states = [follower.start]
    assert GAME.owed(follower.state) == "Take the dice off and shuffle the dominoes: the next round needs a new board."
    one_left = replace(follower.state, bees=follower.state.bees[:1])
    assert not [event for event in follower.see([table(one_left)], 5.0) if isinstance(event, Wrong)]
    told = follower.see([replace(table(follower.state), dice=())], 5.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["back"]
    fewer, new = table(follower.start, without=5), random_board(Random(5), DominoSet(4))
    assert follower.see([replace(fewer, dice=())], 5.0) == follower.see([Table()], 5.0) == []
    told = follower.see([Table(new)], 5.0)
    assert [event.move for event in told if isinstance(event, Moved)] == [str(SetUp(new))]


def test_a_board_that_is_swept_away_with_its_dice_after_its_last_queen_is_no_fault() -> None:
    follower = Follower(GAME, after("roll(3) give-up back roll(4) give-up", race(2, "rounds: 9")))
    follower.states = [follower.start]
    told = follower.see([Table()], 5.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["back"]


@pytest.mark.parametrize("turns", range(4))
def test_the_table_is_read_however_it_lies(turns: int) -> None:
    state = after("roll(3) 2:3 time 2D1")
    assert GAME.agrees(state, GAME.read(table(state, turns=turns), state))
    assert [str(move) for move in explain(GAME, after("roll(3) 2:3 time"), table(state, turns=turns)).moves] == ["2D1"]


def test_a_table_that_is_no_race_is_told_in_sentences() -> None:
    start = GAME.start("players: 2\nvariant: 4 dice")
    assert GAME.read(Table(), start) == start
    assert GAME.read(table(race(), without=3), start) == start
    with pytest.raises(UnreadableTable, match="The 2 die does not stand on its starting space at row 3, column 4"):
        GAME.read(table(replace(race(), bees=after("roll(3) 2:3 time 2D1").bees)), start)
    with pytest.raises(UnreadableTable, match="The 1 die is not on the board"):
        GAME.read(Table(race().board, dice=(Die(2, Cell(2, 3)),)), race())
    first = GAME.read(table(after("roll(3)")))
    assert (first.phase, first.queen, first.dice) == (Phase.SOLVING, 3, 4)
    assert GAME.read(table(race())).phase is Phase.ROLLING
    assert [fault.text for fault in check(GAME, table(race())).problems] == ["The race is not over."]
    assert isinstance(parsed("2R3D1@95")[0], Fly)
