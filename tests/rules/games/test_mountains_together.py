"""Cooperative Mountains and Valleys: hands, passing, laying, the end, what each seat knows, and the table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.players_of.mountains_together import tidy
from rules.board import Board
from rules.course import by_chance, heard, playout, warned
from rules.domino import Domino
from rules.engine import check, explain, legal_moves, replay, suggest
from rules.errors import BadText
from rules.game import IllegalMove, UnreadableTable
from rules.games.mountains_together import GAME
from rules.holding import Holding
from rules.mountains.walking import Map
from rules.mountains_together.state import Pass, TogetherState
from rules.puzzles import published
from rules.table import Hand, Place, Table
from rules.watch import Watch

PERFECT = Board.parse(published("mountains")[0].solution)


def start(text: str) -> TogetherState:
    return GAME.start(text)


def play(state: TogetherState, moves: str) -> TogetherState:
    return replay(GAME, state, moves)[0]


def refusal(state: TogetherState, word: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        play(state, word)
    return str(refused.value)


def almost(board: Board = PERFECT) -> TogetherState:
    """A map that lacks its last domino, which has been passed."""
    last = board.placed[-1]
    state = TogetherState((Holding(), Holding()), Board(board.placed[:-1]), 0, Holding((last.domino,)))
    return GAME.start(str(state))


@pytest.mark.parametrize(("players", "size"), [(2, 9), (3, 6), (4, 5)])
def test_nine_six_or_five_dominoes_each(players: int, size: int) -> None:
    state = GAME.set_up(players, Random(1))
    assert [len(hand) for hand in state.hands] == [size] * players
    assert {GAME.set_up(players, Random(seed)).turn for seed in range(20)} == set(range(players))
    assert GAME.start(str(state)) == state


def test_who_begins_passes_a_domino_to_the_left_where_it_is_laid() -> None:
    state = start("player 1: 64 31 +7\nplayer 2: 50 +8")
    assert GAME.owed(state) == "Player 1 passes a domino to player 2."
    passed = play(state, "pass64")
    assert GAME.owed(passed) == "Player 2 lays the 4-6."
    laid = play(passed, "46H11")
    assert str(laid.board) == "4|6"
    assert GAME.to_move(laid) == 1
    assert GAME.owed(laid) == "Player 2 passes a domino to player 1."
    assert GAME.describe(laid, Pass(Domino(5, 0))) == "Player 2 passes the 0-5 to player 1."


def test_the_turn_goes_round() -> None:
    state = start("player 1: 64 +5\nplayer 2: 31 +5\nplayer 3: 50 +5")
    state = play(state, "pass64 64H11 pass31 31H31 pass50 50H51")
    assert (state.turn, len(state.passed)) == (0, 0)
    assert [len(hand) for hand in state.hands] == [5, 5, 5]


BEGUN = "player 1: 31 22 +6\nplayer 2: 50 +8\npassed: 64\nturn: 2\n===\n1|2 3"


@pytest.mark.parametrize(
    ("state", "word", "sentence"),
    [
        ("player 1: 64 +8", "46H11", "Player 1 passes a domino first, and player 2 lays it."),
        ("player 1: 64 31 22 50 51 52 53 54 55", "pass66", "The 6-6 is not in player 1's hand."),
        ("player 1: 64 31 22 50 51 52 53 54 55", "pass", "Say which domino player 1 passes: 4-6, 1-3, 2-2, 0-5"),
        ("player 1: 64 +8\nplayer 2: 31 +8", "pass31", "The 1-3 is not in player 1's hand."),
        ("passed: 64\n===\n1|2", "pass31", "Player 1 lays the domino that was passed before passing one on."),
        ("passed: 64\n===\n1|2", "53H31", "The 3-5 was not passed to player 1, but the 4-6."),
        ("passed: 64\n===\n1|2", "64H41", "The 6-4 at row 1, columns 4 and 5 touches no other domino."),
        ("passed: 64\n===\n1|2", "64H21", "Something lies at row 1, column 2 already."),
        ("passed: 64\n===\n1|2 1|3 3|3", "64H71", "With it the map would be 1 by 8, more than 6 by 6."),
        ("passed: +1\n===\n1|2", "12H31", "The 1-2 is there twice: at row 1, columns 1 and 2"),
        ("passed: 64\n===\n1|2", "-12H11", "Nothing is taken back in this game: what lies there stays."),
        ("passed: 64\n===\n1|2", "north", "north is no move"),
    ],
)
def test_what_the_rules_forbid_is_said(state: str, word: str, sentence: str) -> None:
    assert refusal(start(state), word).startswith(sentence)


def test_a_perfect_game_is_won_by_all_together() -> None:
    state = almost()
    (move,) = (move for move in legal_moves(GAME, state) if GAME.play(state, move).board == PERFECT)
    outcome = GAME.outcome(GAME.play(state, move))
    assert outcome
    assert (outcome.won, outcome.winners, outcome.scores) == (True, (0, 1), (0,))
    assert GAME.describe(state, move).endswith("Every square can be walked to: a perfect game, penalty 0.")
    assert refusal(GAME.play(state, move), "pass") == "The map is complete."


def test_the_penalty_is_told_as_a_sum() -> None:
    seen = set()
    for seed in range(2):
        chance = Random(seed)
        state = GAME.set_up(2, chance)
        for _, after in playout(GAME, state, [tidy] * 2, chance):
            state = after
        outcome = GAME.outcome(state)
        assert outcome
        seen.add(bool(outcome.scores))
        if outcome.scores:
            steps = [levels for _, _, levels in Map(state.board.pips).climbs()]
            assert sum(steps) == Map(state.board.pips).penalty() == outcome.scores[0]
            assert f"costs {' + '.join(map(str, steps))} = {sum(steps)}, penalty {sum(steps)}." in outcome.reason
    assert True in seen


def test_less_than_five_is_a_good_game() -> None:
    for placed in PERFECT.placed:
        other = replace(placed, head=placed.tail, tail=placed.head)
        turned = Board(tuple(other if one == placed else one for one in PERFECT.placed))
        penalty = Map(turned.pips).penalty()
        outcome = GAME.outcome(TogetherState((Holding(), Holding()), turned))
        assert outcome
        assert ("good game" in outcome.reason) == (0 < penalty < 5)
        assert outcome.won == (penalty == 0)


def test_with_four_players_the_last_two_keep_a_domino() -> None:
    for seed in range(30):
        chance = Random(seed)
        state = first = GAME.set_up(4, chance)
        for _, after in playout(GAME, first, [tidy] * 4, chance):
            state = after
        if state.is_full:
            assert [len(state.hands[(first.turn + seat) % 4]) for seat in range(4)] == [0, 0, 1, 1]
            return
    pytest.fail("no map was completed")


RING = "player 1: 50 31 +6\npassed: 20\n===\n1|2 3\n    -\n4   5\n-\n6"


def test_a_placement_that_makes_six_by_six_impossible_is_warned_of() -> None:
    state = start(RING)
    (hole,) = GAME.moves(state, "02H23")
    warning = GAME.warning(state, hole)
    assert warning
    assert warning.text.startswith("This placement makes 6 by 6 impossible.")
    assert warned(GAME, state, hole) == warning
    assert not all(warned(GAME, state, move) for move in legal_moves(GAME, state))
    assert GAME.warning(GAME.play(state, hole), Pass(Domino(5, 0))) is None


def test_the_game_is_lost_where_nothing_fits_any_more() -> None:
    for seed in range(40):
        chance = Random(seed)
        state = GAME.set_up(3, chance)
        for _, after in playout(GAME, state, [by_chance] * 3, chance):
            state = after
        outcome = GAME.outcome(state)
        assert outcome
        if not state.is_full:
            assert (outcome.won, outcome.reason) == (
                False,
                "No other domino fits on the map: it cannot be completed.",
            )
            assert list(legal_moves(GAME, state)) == []
            assert refusal(state, f"pass{state.hand.known[0]}") == outcome.reason
            return
    pytest.fail("every map was completed")


def test_a_seat_sees_its_own_hand_and_what_it_gives_or_gets() -> None:
    state = play(GAME.set_up(3, Random(2)), "")
    first = state.turn
    domino = state.hand.known[0]
    passed = GAME.play(state, Pass(domino))
    for seat in range(3):
        seen = GAME.visible(passed, seat)
        assert [bool(hand.known) for hand in seen.hands] == [other == seat for other in range(3)]
        knows = seat in (first, (first + 1) % 3)
        assert seen.passed == (Holding((domino,)) if knows else Holding(unknown=1))
        named = heard(GAME, state, Pass(domino), seat)
        assert ("a domino" in named) != knows


def test_who_saw_only_the_backs_can_follow() -> None:
    state = GAME.set_up(2, Random(4))
    outsider = replace(state, hands=tuple(hand.unseen() for hand in state.hands))
    chance = Random(4)
    for move, after in playout(GAME, state, [tidy, tidy], chance):
        hidden = Pass() if isinstance(move, Pass) else move
        outsider = GAME.play(outsider, hidden)
        assert outsider.board == after.board
        assert [len(hand) for hand in outsider.hands] == [len(hand) for hand in after.hands]


def test_the_table_is_followed_by_what_is_new_on_it() -> None:
    state = start(BEGUN.replace("1|2 3", "1|2"))
    after = play(state, "64H31")
    explained = explain(GAME, state, Table(after.board.rotated(0).shifted(3, 4)))
    assert list(map(str, explained.moves)) == ["64H31"]
    hidden = start("player 1: 31 22 +7\nplayer 2: +8\n===\n1|2")
    table = Table(Board.parse("1|2 3|1"))
    assert list(map(str, explain(GAME, hidden, table).moves)) == ["pass31", "31H31"]
    wrong = explain(GAME, state, Table(Board.parse("1|2 3|5")), 1)
    assert [problem.text for problem in wrong.problems] == ["The 3-5 was not passed to player 2, but the 4-6."]


@pytest.mark.parametrize(
    ("lying", "seen", "moves"),
    [
        ("1|2", "1|2 3|4 5|6", "pass 34H31 pass 56H51"),
        ("3|4", "1|2 3|4 5|6", "pass 12H-1,1 pass 56H51"),
        ("", "1|2 3|4 5|6", "pass 12H11 pass 34H31 pass 56H51"),
    ],
)
def test_several_dominoes_laid_between_two_looks_are_followed(lying: str, seen: str, moves: str) -> None:
    before = start(f"players: 3\n===\n{lying}" if lying else "players: 3")
    explained = explain(GAME, before, Table(Board.parse(seen)))
    assert explained.legal
    assert " ".join(map(str, explained.moves)) == moves


def test_a_domino_that_is_known_was_passed_by_who_had_it() -> None:
    before = start("player 1: 34 +8\nplayer 2: 56 +8\n===\n1|2")
    explained = explain(GAME, before, Table(Board.parse("1|2 3|4 5|6")))
    assert list(map(str, explained.moves)) == ["pass43", "34H31", "pass65", "56H51"]


def test_a_lost_tile_is_said_and_the_game_goes_on() -> None:
    state = start("===\n1|2 3|4".replace("===", "player 1: +7\n==="))
    lost = explain(GAME, state, Table(Board.parse("1|2")), 1)
    assert [problem.text for problem in lost.problems] == ["The 3-4 no longer lies where it lay: put it back."]
    assert explain(GAME, state, Table(state.board)).legal


def test_hands_may_be_shown_to_the_camera() -> None:
    before = start("player 1: +9\nplayer 2: +9")
    table = Table(Board.parse("1|2"), hands=(Hand(0, (Domino(6, 4), Domino(3, 1)), 6), Hand(1, (), 9)))
    state = GAME.read(table, before)
    assert state.hands == (Holding((Domino(6, 4), Domino(3, 1)), 6), Holding(unknown=9))
    assert list(map(str, explain(GAME, before, state).moves)) == ["pass", "12H11"]
    assert GAME.read(table).turn == 1
    strange = Table(Board.parse("1|2"), hands=(Hand(0, (Domino(2, 1), Domino(9, 1)), 9),))
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(strange, before)
    assert [problem.text for problem in refused.value.problems] == [
        "Player 1 shows 11 dominoes; with 2 players there are 9 at most.",
        "The 1-2 is in player 1's hand, and on the map too.",
        "The 1-9 in player 1's hand is not in the double-six set.",
    ]
    known = start("player 1: 31 22")
    differing = explain(GAME, known, GAME.read(replace(table, board=Board()), known), 1)
    assert "Player 1 shows the 4-6, which cannot be in that hand." in [one.text for one in differing.problems]


def test_a_hidden_tile_in_the_map_cannot_be_read() -> None:
    board = Board.parse("1|2 3|4")
    lying = Table(Board(board.placed[:1]), face_down=(Place(board.placed[1].cells),))
    with pytest.raises(UnreadableTable):
        GAME.read(replace(lying, board=Board.parse("1|2     3|3")))


def test_a_line_of_play_is_no_map() -> None:
    with pytest.raises(UnreadableTable, match="2 dominoes at row 1, columns 7 to 10 lie outside the 6 by 6 square"):
        GAME.read(Table(Board.parse("6|4 4|1 1|5 5|2 2|0")))
    apart = Table(Board.parse("6|4 4|1       5|2"))
    assert str(GAME.read(apart, start("player 1: +9")).board) == "6|4 4|1"


def test_a_finished_map_is_judged_as_in_the_solitaire() -> None:
    assert check(GAME, Table(PERFECT)).state == "solved"
    assert check(GAME, Table(Board(PERFECT.placed[1:]))).state == "unsolved"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nothing is given"),
        ("player 1: 64 64", "line 1, column 14: the 64 is in two places"),
        ("player 1: 64\nplayer 2: 46", "line 2, column 11: the 46 is in two places"),
        ("player 1: 7x", "'7x' is no domino"),
        ("player 1: 87", "87 is not in the double-six set"),
        ("player 1: +10", "2 players have 9 dominoes each"),
        ("players: 5", "players is a number from 2 to 4, not '5'"),
        ("turn: 3", "turn is a number from 1 to 2, not '3'"),
        ("turn: 1\nturn: 1", "line 2, column 1: turn stands there twice"),
        ("passed: 64 31", "one domino is passed at a time"),
        ("hands: 7", "'hands: 7' is not understood"),
        ("turn: 1\n===\n1|2     3|4", "falls apart"),
        ("turn: 1\n===\n1|2 1|2", "line 3, column 5: the 1-2 is there twice"),
        ("turn: 1\n===\n1|2 1|3 1|4 1|5", "the map is 1 by 8, more than 6 by 6"),
    ],
)
def test_an_impossible_position_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadText) as refused:
        start(text)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(("players", "variant", "sentence"), [(5, "", "2 to 4 players, not 5"), (2, "x", "no variant")])
def test_a_game_that_cannot_be_set_up_is_refused(players: int, variant: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        GAME.set_up(players, Random(1), variant)


def test_the_advice_names_a_domino_to_pass_or_a_place_and_looks_into_no_hand() -> None:
    state = GAME.set_up(2, Random(3))
    other = replace(state, hands=tuple(h if s == state.turn else h.unseen() for s, h in enumerate(state.hands)))
    advised = suggest(GAME, state, Watch(most_states=9), Random(1))
    assert advised == suggest(GAME, other, Watch(most_states=9), Random(1))
    assert isinstance(advised[0].move, Pass)
    assert "of the unknown dominoes a perfect map was soon found" in advised[0].reason
    laying = suggest(GAME, almost(), Watch(most_states=9), Random(1))
    assert GAME.play(almost(), laying[0].move).board == PERFECT
    assert suggest(GAME, start("passed: +1\n===\n1|2"), Watch(most_states=9), Random(1)) == ()


def penalties(state: TogetherState) -> dict[TogetherState, int]:
    """Each map that the last domino of the hand, or the passed one, may complete, with its penalty."""
    if ended := GAME.outcome(state):
        return {state: ended.scores[0]}
    return {k: v for move in legal_moves(GAME, state) for k, v in penalties(GAME.play(state, move)).items()}


@pytest.mark.parametrize("seed", [43, 49, 60])
def test_the_last_domino_is_passed_and_laid_for_the_least_penalty(seed: int) -> None:
    chance = Random(seed)
    state = GAME.set_up(chance.choice([2, 3, 4]), chance)
    while len(state.board.placed) < 17:
        state = GAME.play(state, chance.choice(list(legal_moves(GAME, state))))
    least = min(penalties(state).values())
    while not (ended := GAME.outcome(state)):
        advised = suggest(GAME, state, Watch(most_states=9), chance)
        assert advised[0].reason.endswith(f", and the map is complete, with a penalty of {least}.")
        state = GAME.play(state, advised[0].move)
    assert ended.scores == (least,)


def test_what_a_player_sees_printed() -> None:
    state = start("player 1: 64 31 +6\nplayer 2: 50 22 +7\npassed: 54\nturn: 2\n===\n1|2")
    assert GAME.told(state, 0).splitlines() == [
        "1|2",
        "",
        "Player 1: 4-6, 1-3 and 6 unknown",
        "Player 2: 9 unknown <- to move",
        "Passed to player 2: 4-5",
        "Laid: 1 of 18. Penalty at least: 0.",
    ]
