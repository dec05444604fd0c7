"""Cobra Paw: targets, claims on the double blank, rewards, and how it ends."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.board import Board
from rules.cobra_paw.state import FULL_SET, Hunt, Take, Touch
from rules.domino import Domino
from rules.engine import check, explain, legal_moves, replay
from rules.errors import BadText
from rules.game import ANYONE, CHANCE, IllegalMove, Outcome, UnreadableTable
from rules.games.cobra_paw import GAME
from rules.players import Owes, SetsUp, Suggests, Tells
from rules.table import Die, Hand, LooseTile, Table
from rules.watch import Watch


def after(moves: str, text: str = "players: 3") -> Hunt:
    return replay(GAME, GAME.start(text), moves)[0]


def refusal(moves: str, text: str = "players: 3") -> str:
    with pytest.raises(IllegalMove) as refused:
        after(moves, text)
    return str(refused.value)


def table(state: Hunt, *, dice: tuple[int, ...] | None = None) -> Table:
    loose = tuple(LooseTile(d.high, d.low, 3.0 * n, 0, 0) for n, d in enumerate(state.face_up))
    hands = tuple(Hand(seat, (), held) for seat, held in enumerate(state.counts) if held)
    return Table(loose=loose, hands=hands, dice=tuple(map(Die, dice if dice is not None else state.dice or ())))


def test_the_first_finger_on_the_target_takes_it_and_rolls() -> None:
    state = after("roll(5-3) 2:53@1.25")
    assert (state.counts, state.roller, state.hunting) == ((0, 1, 0), 1, False)
    assert GAME.to_move(state) is CHANCE
    assert GAME.owed(state) == "Player 2 rolls the dice."
    hunting = after("roll(5-3)")
    assert GAME.to_move(hunting) is ANYONE
    assert (
        GAME.describe(hunting, Touch(1, Domino(5, 3))) == "Player 2 finds the 3-5 and takes it: 0 + 1 = 1 domino of 6."
    )


def test_twenty_one_dominoes_can_be_a_target_and_doubles_come_half_as_often() -> None:
    chances = list(GAME.chances(after("")))
    assert len({move for move, _ in chances}) == 21
    assert sum(p for _, p in chances) == pytest.approx(1)
    assert Counter(round(36 * p) for _, p in chances) == {1: 6, 2: 15}


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("2:53", "Nothing is hunted: the dice have to be rolled first."),
        ("roll(5-7)", "Two dice cannot show 7 and 5: 1 to 6 are possible."),
        ("roll(5-3) roll(1-1)", "The 3-5 is hunted still: nobody rolls before it is found."),
        ("roll(5-3) 2:54", "The 4-5 is not the target: the dice show 3-5."),
        ("roll(5-3) 2:53(covered)", "The hand of player 2 covers the numbers of the 3-5: all have to see them."),
        ("roll(5-3) 2:54(covered)", "The 4-5 is not the target: the dice show 3-5."),
        ("roll(5-3) 4:53", "There is no player 4: there are 3."),
        ("roll(5-3) 1:53@2 2:53@2.1", "The 3-5 is taken already by player 1."),
        ("roll(5-3) 1:53@2 roll(5-4) 2:54@1.5", "Player 2 touched it at 1.500 s, before what counted last (2.000 s)."),
        ("roll(5-3) 1:00 2:00", "Player 1 was first on the double blank."),
        ("roll(5-3) 1:00 1:53", "Player 1 has claimed that the 3-5 is gone: only the others may find it now."),
        ("roll(5-3) none", "Nobody has claimed that the target is gone: the first finger on the double blank does."),
        ("roll(5-3) 2+53", "No reward is due to player 2: it is due to nobody."),
        ("roll(5-3) 1:00 none 2+53", "No reward is due to player 2: it is due to player 1."),
        ("roll(5-3) 1:00 none 1+00", "The double blank stays in the middle: any other domino may be taken."),
        ("roll(5-3) 1:00 none roll(1-2)", "Player 1 may take a domino first."),
        ("roll(5-3) 1:00 none 2:53", "Nothing is hunted: the rewards have to be taken first."),
        ("hop", "hop is no move: roll(5-3), 2:53, 2+53 and none are."),
    ],
)
def test_what_does_not_count_is_refused_with_the_reason(moves: str, why: str) -> None:
    assert refusal(moves) == why


def test_a_right_claim_brings_any_domino_but_the_double_blank() -> None:
    state = after("roll(5-3) 2:53 roll(5-3) 1:00 none")
    assert (state.owed, GAME.to_move(state), len(state.rewards)) == ((0,), 0, 26)
    assert GAME.describe(after("roll(5-3) 1:00"), GAME.moves(state, "none")[0]).startswith("Nobody finds the target")
    done = after("roll(5-3) 2:53 roll(5-3) 1:00 none 1+50")
    assert (done.counts, done.roller, done.claimed) == ((1, 1, 0), 0, None)


def test_a_wrong_claim_gives_every_other_player_one_and_the_target_to_its_finder() -> None:
    state = after("roll(5-3) 1:00 3:53")
    assert (state.counts, state.owed, state.roller) == ((0, 0, 1), (1, 2), 2)
    assert GAME.to_move(state) is ANYONE
    done = after("roll(5-3) 1:00 3:53 3+11 2+66")
    assert done.counts == (0, 1, 2)


SIXTH = "players: 3\nplayer 1: 10 20\nplayer 2: 30 40 50 60 11\nplayer 3: 21 31 41 51 61"


def test_who_takes_the_sixth_alone_wins() -> None:
    state = after("roll(5-3) 2:53", SIXTH)
    assert GAME.outcome(state) == Outcome(True, (1,), (2, 6, 5), "Player 2 wins: 6 dominoes of 6.")


def test_two_sixths_at_once_hunt_again_until_one_of_them_takes_another_alone() -> None:
    moves = "roll(5-3) 1:00 3:53 2+22 3+32"
    state = after(moves, SIXTH)
    assert GAME.outcome(state) is None
    assert (state.tied, state.counts) == ((1, 2), (2, 6, 7))
    told = "Player 2 and Player 3 took the sixth together: who of them takes another one alone wins."
    assert GAME.owed(state) == f"Player 3 rolls the dice. {told}"
    other = after(f"{moves} roll(5-4) 1:54", SIXTH)
    assert GAME.outcome(other) is None
    won = GAME.outcome(after(f"{moves} roll(5-4) 1:54 roll(6-6) 2:66", SIXTH))
    assert won
    assert (won.winners, won.reason) == ((1,), "Player 2 wins: 7 dominoes.")
    told = GAME.describe(after(f"{moves} roll(5-4)", SIXTH), Touch(2, Domino(5, 4)))
    assert told == "Player 3 finds the 4-5 and takes it: 7 + 1 = 8 dominoes."
    assert "Player 3: 7 dominoes (" in GAME.told(state)


def test_where_nothing_is_left_to_take_the_tied_win_together() -> None:
    text = "players: 2\nface up: 00\ntied: 1 2\nplayer 1: 10 11 20 21 22 30\nplayer 2: 31 32 33 40 41 42"
    ended = GAME.outcome(GAME.start(text))
    assert ended
    assert ended.winners == (0, 1)


def test_who_has_most_where_nothing_is_left_to_take_wins_alone() -> None:
    ended = GAME.outcome(GAME.start("players: 2\nface up: 00\nplayer 1: 66 65 64\nplayer 2: 11"))
    assert ended
    assert (ended.winners, ended.reason) == ((0,), "Nothing is left to take: Player 1 wins.")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_every_domino_once_and_can_be_written_down(players: int) -> None:
    assert all(isinstance(GAME, asked) for asked in (SetsUp, Suggests, Owes, Tells))
    ties = 0
    for seed in range(67):
        chance = Random(seed)
        state = start = GAME.set_up(players, chance)
        made = []
        while (ended := GAME.outcome(state)) is None:
            move = chance.choice(list(legal_moves(GAME, state)))
            made.append(str(move))
            assert GAME.describe(state, move).endswith(".")
            assert GAME.owed(state).endswith(".")
            state = GAME.play(state, move)
            ties += bool(state.tied)
            assert sorted([*state.face_up, *(d for held in state.taken for d in held)]) == sorted(FULL_SET)
            assert len(made) % 7 or GAME.start(str(state)) == state
        assert max(ended.scores) >= 6
        assert replay(GAME, GAME.start(str(start)), " ".join(made))[0] == state
    assert ties or players == 2


def test_advice_says_where_the_target_lies_or_who_has_it() -> None:
    hunting = GAME.read(table(after("")), after("roll(5-3)"))
    (first, *_) = GAME.suggest(hunting, Watch(), Random(0))
    assert (first.move, first.reason) == (Touch(0, Domino(5, 3)), "The 3-5 lies 54 to the right and 0 down, in halves.")
    gone = after("roll(5-3) 2:53 roll(3-5)")
    assert [str(advice.move) for advice in GAME.suggest(gone, Watch(), Random(0))] == ["1:00", "2:00", "3:00"]
    assert GAME.suggest(gone, Watch(), Random(0))[0].reason == "Player 2 has the 3-5."
    claimed = after("roll(5-3) 2:53 roll(3-5) 3:00")
    assert [str(advice.move) for advice in GAME.suggest(claimed, Watch(), Random(0))] == ["none"]
    owed = after("roll(5-3) 2:53 roll(3-5) 3:00 none")
    assert GAME.suggest(owed, Watch(), Random(0))[0].move == Take(2, Domino(6, 5))
    hints = [GAME.hint(gone, level) for level in (1, 3)]
    assert [hint.text for hint in hints if hint] == ["The 3-5 is gone.", "Player 2 has the 3-5."]


def test_a_real_table_is_followed() -> None:
    state, rolled, found = after(""), after("roll(5-3)"), after("roll(5-3) 2:53")
    assert [str(m) for m in explain(GAME, state, table(rolled)).moves] == ["roll(5-3)"]
    assert [str(m) for m in explain(GAME, rolled, table_of(rolled, found)).moves] == ["2:53"]
    wrong = after("roll(5-4) 2:54")
    told = explain(GAME, rolled, replace(table_of(rolled, wrong), dice=table(rolled).dice), 1)
    assert [problem.text for problem in told.problems] == ["The 4-5 is not the target: the dice show 3-5."]


def test_no_claim_and_no_roll_is_guessed_where_somebody_takes_what_is_not_his() -> None:
    rolled, found, claimed = after("roll(5-3)"), after("roll(5-3) 1:53"), after("roll(5-3) 2:00")
    for before, domino, why in (
        (rolled, Domino(5, 5), "The 5-5 is not the target: the dice show 3-5."),
        (found, Domino(5, 5), "Nothing is hunted: the dice have to be rolled first."),
        (claimed, Domino(5, 3), "Player 2 has claimed that the 3-5 is gone: only the others may find it now."),
    ):
        taken = replace(
            before,
            face_up=tuple(one for one in before.face_up if one != domino),
            taken=tuple(held.plus(domino) if seat == 1 else held for seat, held in enumerate(before.taken)),
        )
        assert [problem.text for problem in explain(GAME, before, table_of(before, taken)).problems] == [why]


def test_while_rewards_are_due_it_is_told_who_may_take_one_and_what_and_that_nobody_rolls_yet() -> None:
    wrong, right = "roll(5-3) 2:00 1:53", "roll(5-3) 2:00 none"
    for moves, seat, domino, why in (
        (wrong, 1, Domino(5, 5), "No reward is due to player 2: it is due to player 1 or player 3."),
        (right, 1, Domino(0, 0), "The double blank stays in the middle: any other domino may be taken."),
    ):
        before = after(moves)
        taken = replace(
            before,
            face_up=tuple(one for one in before.face_up if one != domino),
            taken=tuple(held.plus(domino) if n == seat else held for n, held in enumerate(before.taken)),
        )
        assert [problem.text for problem in explain(GAME, before, table_of(before, taken)).problems] == [why]
    early = explain(GAME, after(wrong), table(after(wrong), dice=(6, 4)))
    assert [problem.text for problem in early.problems] == ["Player 1 and Player 3 may take a domino first."]


def test_who_claimed_and_takes_another_one_shows_that_nobody_found_the_target() -> None:
    claimed, rewarded = after("roll(5-3) 2:00"), after("roll(5-3) 2:00 none 2+66")
    assert [str(m) for m in explain(GAME, claimed, table_of(claimed, rewarded)).moves] == ["none", "2+66"]


def test_what_is_wrong_after_a_move_is_told_in_sentences_for_nobody_at_the_table_writes_moves() -> None:
    claimed = after("roll(5-3) 2:00")
    held = tuple(one.plus(Domino(0, 0)) if seat == 1 else one for seat, one in enumerate(claimed.taken))
    blank = replace(claimed, face_up=claimed.face_up[1:], taken=held)
    (problem,) = explain(GAME, claimed, table_of(claimed, blank)).problems
    assert problem.text == (
        "Nobody finds the target: Player 2 may take any domino but the double blank. "
        "The double blank stays in the middle: any other domino may be taken."
    )


def test_who_takes_another_one_where_the_target_is_gone_has_claimed() -> None:
    gone = "roll(5-3) 1:53 roll(5-3)"
    before, rewarded = after(gone), after(f"{gone} 2:00 none 2+66")
    assert [str(m) for m in explain(GAME, before, table_of(before, rewarded)).moves] == ["2:00", "none", "2+66"]


def test_nobody_rolls_or_takes_anything_once_the_game_is_over() -> None:
    five = "players: 2\nplayer 2: 64 63 62 61 60"
    won = after("roll(5-3) 2:53", five)
    assert GAME.outcome(won)
    assert not list(GAME.chances(won))
    assert not list(legal_moves(GAME, won))
    assert refusal("roll(5-3) 2:53 roll(6-2)", five) == "The game is over."
    assert not explain(GAME, won, table(won, dice=(6, 2))).legal


def table_of(before: Hunt, now: Hunt) -> Table:
    """The table of a state, with a hand on the side of every player who has one."""
    sides = {0: "bottom", 1: "left", 2: "right"}
    hands = tuple(Hand(n, (), now.counts[n], sides[n]) for n in range(3) if now.counts[n])  # type: ignore[arg-type]
    return replace(table(now, dice=before.dice), hands=hands)


def test_a_covered_domino_is_remembered_and_a_returned_one_is_seen() -> None:
    rolled = after("roll(5-3)")
    hidden = replace(table(rolled), loose=table(rolled).loose[:-2])
    assert GAME.read(hidden, rolled) == rolled
    found = after("roll(5-3) 2:53")
    back = GAME.read(table(rolled), found)
    assert (back.face_up, back.counts) == (rolled.face_up, (0, 0, 0))
    problems = explain(GAME, found, table(rolled)).problems
    assert [problem.text for problem in problems] == [
        "The 3-5 lies in the middle again.",
        "Player 2 had 1 domino and has 0 now.",
    ]


def test_a_table_that_cannot_be_this_game_says_what_is_there() -> None:
    state = after("roll(5-3)")
    good = table(state)
    for wrong, why in (
        (replace(good, dice=good.dice[:1]), "There is 1 die; two are expected."),
        (replace(good, dice=(*good.dice, Die(1))), "There are 3 dice; two are expected."),
        (replace(good, dice=(Die(7), Die(1))), "A die shows 7; 1 to 6 are possible."),
        (
            replace(good, loose=(*good.loose, LooseTile(5, 3, 0, 9, 0))),
            "The 3-5 is there twice: in the middle beside the 2-5 and in the middle beside the 0-0.",
        ),
        (
            replace(good, hands=(Hand(0, (Domino(5, 3),), 0, "left"),)),
            "The 3-5 is there twice: in the middle beside the 2-5 and before Player 2.",
        ),
        (replace(good, loose=(*good.loose, LooseTile(7, 3, 0, 9, 0))), "The 3-7 is not in the double-six set."),
        (replace(good, hands=(Hand(0, (), 2, "top"),)), "Dominoes lie at the top; the 3 players sit at bottom, left"),
        (replace(good, hands=(Hand(0, (), 2),)), "From the middle nothing is gone, but Player 1 has 2 more"),
        (Table(), "No domino lies face up in the middle"),
    ):
        with pytest.raises(UnreadableTable, match=why):
            GAME.read(wrong, state)
    found = after("roll(5-3) 1:53")
    with pytest.raises(UnreadableTable, match="Player 1 had 1 domino and shows 0: what was taken stays before"):
        GAME.read(replace(table(found), hands=(Hand(0, (), 0),)), found)
    with pytest.raises(UnreadableTable, match="27 dominoes lie in the middle and 0 before players: 27 are there, 28"):
        GAME.read(replace(good, loose=good.loose[1:]))
    assert check(GAME, table(after(""))).problems[0].text == "The game is not over."
    assert GAME.read(Table(board=Board.parse("1|2")), after("", "players: 2\nface up: 12")).face_up == (Domino(2, 1),)


def test_players_sit_where_they_say() -> None:
    beside = GAME.start("players: 2\nsides: right bottom")
    assert beside.sides == ("right", "bottom")
    assert GAME.start(str(beside)) == beside
    assert GAME.start("sides: bottom top") == GAME.start("players: 2")  # as two do who say nothing
    won = after("roll(5-3) 1:53", str(beside))
    seen = replace(table(won), hands=(Hand(0, (), 1, "right"),))
    assert won.sides == beside.sides
    assert GAME.agrees(won, GAME.read(seen, beside))
    with pytest.raises(UnreadableTable, match="Dominoes lie at the top; the 2 players sit at right and bottom"):
        GAME.read(replace(seen, hands=(Hand(0, (), 1, "top"),)), beside)


def test_texts_that_are_no_game_are_refused() -> None:
    for text, why in (
        ("players: 5", "line 1, column 10: '5' is none of 2, 3 or 4"),
        ("sides: left", "line 1, column 8: 2 sides of bottom, left, top and right are needed, each once"),
        ("players: 3\nsides: left top left", "line 2, column 8: 3 sides of"),
        ("sides: left near", "2 sides of"),
        ("dice: 70", "line 1, column 7: '70' are no two dice"),
        ("player 1: 53 53", "53 is there twice"),
        ("player 3: 53", "there are 2 players"),
        ("claimed: 3", "players have the numbers 1 to 2"),
        ("hunting: yes", "a hunt needs dice"),
        ("dice: 53\nhunting: maybe", "line 2, column 10: 'maybe' is neither yes nor no"),
        ("dice: 53\nhunting: yes\nowed: 1", "line 3, column 1: rewards are due after a hunt, not in it"),
        ("dice: 53\nclaimed: 1", "line 2, column 1: a claim needs a hunt: hunting: yes"),
        ("since: nan", "line 1, column 8: 'nan' are no seconds"),
        ("since: inf", "line 1, column 8: 'inf' are no seconds"),
        ("since: -1", "line 1, column 8: '-1' are no seconds"),
        ("since: soon", "line 1, column 8: 'soon' are no seconds"),
        (f"player 1: {'?? ' * 31}", "line 1, column 1: the players have 31 dominoes, and the double-six set 28"),
        ("before: 1", "2 numbers of dominoes are needed"),
        ("whatever", "a line begins with players:"),
    ):
        with pytest.raises(BadText, match=why):
            GAME.start(text)
    with pytest.raises(ValueError, match="for 2 to 4 players, not 5"):
        GAME.set_up(5, Random(0))
    unknown = GAME.start("player 1: 53 ??")
    assert len(unknown.taken[0]) == 2
    assert GAME.start(str(unknown)) == unknown
