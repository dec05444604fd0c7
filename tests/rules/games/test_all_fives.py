"""The rules of All Fives: the examples of the book, drawing and passing, going out, blocked hands, the end."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.all_fives.line import End
from rules.all_fives.line_text import row_text
from rules.all_fives.scoring import rounded, settled
from rules.all_fives.state import Action, FivesMove, FivesState, Lay, Phase, Turned
from rules.domino import Domino, DominoSet
from rules.engine import legal_moves, replay
from rules.errors import BadText
from rules.game import CHANCE, IllegalMove
from rules.games.all_fives import GAME
from rules.holding import Holding

SET = DominoSet(6).dominoes


def start(text: str) -> FivesState:
    return GAME.start("\n".join(line.strip() for line in text.strip().splitlines()))


def play(state: FivesState, moves: str) -> FivesState:
    return replay(GAME, state, moves)[0]


def move(state: FivesState, word: str) -> FivesMove:
    (named,) = GAME.moves(state, word)
    return named


def said(state: FivesState, word: str) -> str:
    return GAME.describe(state, move(state, word))


def refusal(state: FivesState, word: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        play(state, word)
    return str(refused.value)


def hand(dominoes: str) -> Holding:
    return Holding(tuple(Domino.of(int(word[0]), int(word[1])) for word in dominoes.split()))


# The book's example, move by move: who is to move, the move, the sum that is said.
EXAMPLE = [
    ("32", "3 + 2 = 5, score 5."),
    ("63L", "6 + 2 = 8, no score."),
    ("22R", "6 + 2 + 2 = 10, score 10."),
    ("25R", "6 + 2 + 2 + 5 = 15, score 15."),
    ("54R", "6 + 2 + 2 + 4 = 14, no score."),
    ("44R", "6 + 2 + 2 + 4 + 4 = 18, no score."),
    ("40R", "6 + 2 + 2 + 0 = 10, score 10."),
    ("21U", "6 + 1 + 2 + 0 = 9, no score."),
]


def test_the_example_of_the_book_scores_as_it_says() -> None:
    state = start("players: 2")
    for word, sentence in EXAMPLE:
        who = GAME.to_move(state)
        assert said(state, word).endswith(sentence)
        state = play(state, word)
        assert GAME.to_move(state) != who
    assert row_text(state.line) == "63 32 [22] 25 54 44 40"
    assert state.scores == (5 + 10 + 10, 15)


def test_the_sniff_may_lie_along_the_line_where_that_scores() -> None:
    state = start("players: 2\nline: 64")
    assert said(state, "44R").endswith("6 + 4 + 4 = 14, no score.")
    assert said(state, "44Ri") == "Player 1 lays the 4-4 along the line at the right end: 6 + 4 = 10, score 10."
    along = play(state, "44Ri")
    assert {end.value: open_end.number for end, open_end in along.line.ends.items()} == {"L": 6, "U": 4, "D": 4, "R": 4}


def test_all_four_sides_of_the_sniff_can_be_played_on_and_no_side_of_another_double() -> None:
    state = start("players: 2\nline: 63 32 [22] 25 54 44 46")
    assert said(state, "24D").endswith("6 + 2 + 4 + 6 = 18, no score.")
    assert refusal(state, "42R") == "The 2-4 has no 6, which is open at the right end."
    assert {lay.end for lay in legal_moves(GAME, state) if isinstance(lay, Lay) and lay.domino == Domino(4, 2)} == {
        End.UP,
        End.DOWN,
    }


def test_a_difference_raises_the_total() -> None:
    state = start("players: 2\nline: 43")
    assert state.line.total == 7
    assert said(state, "36R").endswith("4 + 6 = 10, score 10.")


REFUSED = [
    ("line: 63 32", "44R", "The 4-4 has no 2, which is open at the right end."),
    ("line: 63 32", "34U", "There is no sniff yet to play above: play at the left end (6) or at the right end (2)."),
    ("line: 63 32", "66Ri", "The 6-6 has no 2, which is open at the right end."),
    ("line: 63 32", "23R", "The 2-3 lies in the line already."),
    ("line: 63 32", "97R", "The 7-9 is not in the double-six set."),
    ("line: 63 32 [22]", "66Li", "Only the sniff, the first double, may lie along the line; the 6-6 is not it."),
    ("line: 63 32", "24Ri", "Only for the sniff, the first double, it is said how it lies; the 2-4 is no double."),
    ("player 1: 44 50", "44i", "There is no line yet: say only 44, and play on any of its four sides."),
    ("line: 63 32", "26", "The 2-6 fits 2 ends: say 62L (at the left end) or 62R (at the right end)."),
    ("line: 63 32", "45", "The 4-5 fits nowhere: not at the left end (6) or at the right end (2)."),
    ("line: 63 32", "55i", "The 5-5 fits nowhere: not at the left end (6) or at the right end (2)."),
    ("line: 63 32", "pass", "Player 1 cannot pass: 12 dominoes can be drawn."),
    ("line: 63 32", "deal", "The hand is not over yet."),
    ("line: 63 32", "=24", "No domino has to be looked at now."),
    ("line: 63 32", "24X", "'24X' is no move: say 24R, 44Ri, draw, pass, deal, or =24 for a domino that is seen."),
    ("line: 63 32\nplayer 1: 21 50", "61L", "The 1-6 is not in player 1's hand."),
    ("line: 63 32\nplayer 2: 61 50", "61L", "The 1-6 is not in player 1's hand."),
    ("line: 63 32\nplayer 1: 21 50 60\nboneyard: +0\nplayer 2: +23", "draw", "The boneyard is empty"),
    (
        "line: 63 32\nplayer 1: 21 50 60\nboneyard: +0\nplayer 2: +23",
        "pass",
        "Player 1 cannot pass: the 1-2 or 0-6 can be played.",
    ),
]


@pytest.mark.parametrize(("text", "word", "sentence"), REFUSED)
def test_every_rule_is_said_when_it_is_broken(text: str, word: str, sentence: str) -> None:
    assert refusal(start(f"players: 2\n{text}"), word).startswith(sentence)


def test_a_domino_goes_where_it_fits_when_there_is_only_one_such_end() -> None:
    state = start("players: 2\nline: 63 32")
    assert move(state, "24") == Lay(Domino(4, 2), End.RIGHT)
    assert move(start("players: 2"), "24") == Lay(Domino(4, 2))
    assert str(move(state, "42r")) == "42R"


def test_who_cannot_play_draws_until_a_domino_fits() -> None:
    state = start("player 1: 11 10 44\nplayer 2: 55 54 33\nline: 63 32")
    state = replace(state, boneyard=hand("40 21 62"))
    assert GAME.owed(state) == "Player 1 draws, for nothing fits."
    drawn = play(state, "draw, draw")
    assert GAME.owed(drawn) == "Player 1 plays a domino, or draws first."
    assert drawn.hand == hand("11 10 44 40 21")
    assert GAME.owed(play(drawn, "21R")) == "Player 2 draws, for nothing fits."


def test_a_player_may_draw_although_something_fits() -> None:
    state = GAME.set_up(2, Random(1))
    assert len(play(state, "draw").hand) == 8


def test_a_seen_hand_draws_what_chance_turns_up() -> None:
    state = play(start("player 1: 11 10 44 45 46 50 40\nline: 63 32"), "draw")
    assert GAME.to_move(state) is CHANCE
    assert GAME.owed(state) == "Player 1 has drawn: say which domino it is."
    chances = dict(GAME.chances(state))
    assert sum(chances.values()) == pytest.approx(1)
    assert set(chances) == {Turned(domino) for domino in state.unseen}
    assert refusal(state, "21R") == "Player 1 has drawn a domino: say first which one."
    assert refusal(state, "=11") == "The 1-1 cannot be in the boneyard."
    after = play(state, "=21, 21R")
    assert row_text(after.line) == "63 32 21"
    assert len(after.boneyard) == 11


def test_a_pass_tells_what_a_hand_cannot_have() -> None:
    state = replace(start("players: 2\nline: 63 32"), boneyard=Holding())
    after = play(state, "pass")
    assert after.hands[0].lacks == {d for d in SET if {6, 2} & {d.high, d.low}} - after.line.dominoes
    assert refusal(play(after, "24R"), "64L") == "The 4-6 is not in player 1's hand."


def test_what_a_pass_rules_out_is_not_drawn_from_that_hand() -> None:
    state = start("player 1: 11 10 44 45 46 50 40\nplayer 2: +3\nboneyard: +16\nline: 63 32")
    sixes = frozenset(d for d in SET if 6 in (d.high, d.low))
    drawing = play(state.with_hand(1, Holding(unknown=3, lacks=sixes)), "draw")
    chances = {turned.domino: chance for turned, chance in GAME.chances(drawing) if isinstance(turned, Turned)}
    assert chances[Domino(6, 6)] == pytest.approx(1 / 16)
    assert chances[Domino(5, 5)] < 1 / 16
    assert sum(chances.values()) == pytest.approx(1)


def test_going_out_scores_what_is_left_in_the_other_hands_each_rounded() -> None:
    state = start("player 1: 21\nplayer 2: 43 66\nplayer 3: 10 11\nboneyard: +21\nline: 63 32")
    assert said(state, "21R") == (
        "Player 1 lays the 1-2 at the right end: 6 + 1 = 7, no score. "
        "Player 1 goes out and scores 25 for what is left: 19 rounded to 20 and 3 rounded to 5."
    )
    after = play(state, "21R")
    assert after.scores == (25, 0, 0)
    assert GAME.owed(after) == "Deal the next hand; player 2 leads."


def test_an_unknown_hand_has_to_be_shown_before_it_is_counted() -> None:
    state = play(start("player 1: 21\nplayer 2: +2\nline: 63 32"), "21R")
    assert state.phase is Phase.SHOWING
    assert GAME.to_move(state) is CHANCE
    assert GAME.owed(state) == "Player 2 shows what is left in the hand, to be counted."
    assert said(state, "=43") == "Player 2 has left the 3-4."
    assert play(state, "=43, =66").scores == (20, 0)
    assert refusal(state, "=63") == "The 3-6 cannot be in player 2's hand."


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ("11|66 21", (15, 0)),  # 13 more
        ("11|20|43 54", (5, 5, 0)),  # 14 more: 7 each
        ("11|66 65|55", (30, 0, 0)),  # 21 and 8 more: 20 and 10
        ("11|20", (0, 0)),
    ],
)
def test_a_blocked_hand_goes_to_whoever_has_least(hands: str, points: tuple[int, ...]) -> None:
    held = [hand(dominoes) for dominoes in hands.split("|")]
    assert settled(held).points == points


def test_shares_round_halves_up() -> None:
    assert [rounded(n) for n in (0, 2, 3, 7, 8, 12, 13)] == [0, 0, 5, 5, 10, 10, 15]
    assert [rounded(n, 2) for n in (4, 5, 14, 15, 16)] == [0, 5, 5, 10, 10]


def test_a_hand_is_blocked_once_all_have_passed() -> None:
    state = replace(start("player 1: 11\nplayer 2: 44 41\nline: 63 32 22"), boneyard=Holding())
    assert GAME.owed(state) == "Player 1 passes: nothing fits, and the boneyard is empty."
    assert said(state, "pass") == "Player 1 passes."
    after = play(state, "pass, pass")
    assert after.scores == (10, 0)
    assert after.phase is Phase.DEALING
    assert said(play(state, "pass"), "pass").endswith(
        "The hand is blocked: Player 1 has the fewest pips, 2, and scores 10."
    )


@pytest.mark.parametrize(
    ("scores", "winners"), [((200, 150), None), ((205, 150), (0,)), ((205, 205), None), ((205, 210), (1,))]
)
def test_more_than_200_wins_after_a_hand_and_a_tie_plays_on(scores: tuple[int, int], winners: object) -> None:
    over = replace(start("players: 2"), scores=scores, phase=Phase.DEALING)
    outcome = GAME.outcome(over)
    assert (outcome.winners if outcome else None) == winners
    assert GAME.outcome(replace(over, phase=Phase.PLAYING)) is None


def test_nothing_is_dealt_once_somebody_has_won() -> None:
    over = replace(start("players: 2"), scores=(215, 35), phase=Phase.DEALING)
    assert refusal(over, "deal") == "The game is over."
    assert list(legal_moves(GAME, over)) == []


def test_the_lead_passes_to_the_left_with_each_hand() -> None:
    state = GAME.set_up(3, Random(5))
    over = replace(state, phase=Phase.DEALING, scores=(10, 20, 30))
    dealt = play(over, "deal")
    assert (dealt.lead, dealt.turn, dealt.number) == ((state.lead + 1) % 3, (state.lead + 1) % 3, 2)
    assert dealt.scores == (10, 20, 30)
    assert dealt.hands != state.hands
    assert GAME.to_move(over) == dealt.lead
    assert refusal(over, "pass") == "The hand is over."


def test_a_deal_at_a_real_table_leaves_every_hand_unknown() -> None:
    over = replace(start("players: 2"), phase=Phase.DEALING)
    assert play(over, "deal").hands == (Holding(unknown=7), Holding(unknown=7))


@pytest.mark.parametrize(("players", "size"), [(2, 7), (3, 5), (4, 5)])
def test_a_game_that_is_set_up_can_be_written_down(players: int, size: int) -> None:
    state = GAME.set_up(players, Random(players))
    assert {len(held) for held in state.hands} == {size}
    assert GAME.start(str(state)) == state
    assert GAME.set_up(players, Random(players)) == state


def test_a_position_in_the_middle_of_a_hand_can_be_written_down() -> None:
    text = "player 1: 21 60\nplayer 2: 43 +2\nboneyard: +18\nline: 62 [22] 25\nup: 24\ndown: 20\nturn: 2\nlead: 1"
    text += "\nhand: 3\nscores: 40 55"
    assert str(start(text)) == text
    assert start(text).turn == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("player 1: 64 64", "line 1, column 14: 64 stands there twice"),
        ("player 1: 64\nplayer 2: 46 51", "line 2, column 1: the 64 is in two places"),
        ("player 1: 7x", "'7x' is no domino"),
        ("player 1: 87", "87 is not in the double-six set"),
        ("player 1: +40", "there are 47 dominoes, and the double-six set has 28"),
        ("players: 5", "2 to 4 play, not 5"),
        ("players: two", "players is a number, not 'two'"),
        ("hands: 7", "'hands: 7' is not understood"),
        ("players: 2\nplayers: 2", "line 2, column 1: players stands there twice"),
        ("players: 2\nturn: 3", "there are players 1 to 2, not 3"),
        ("players: 2\nscores: 1", "2 scores are needed"),
        ("players: 2\nline: 63 42", "line 2, column 10: 4 is laid against 3: they do not match"),
        ("line: 3|2", "line 1, column 7: '3|2' is no domino"),
        ("line: 63 32 [22]\n\nup: 24\ndown: 34", "line 4, column 7: 34 does not go on 2 below the sniff"),
        ("", "nothing is given"),
        ("player 1: +0", "a hand is empty"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(text: str, sentence: str) -> None:
    with pytest.raises(BadText, match=sentence.replace("+", r"\+")):
        GAME.start(text)


@pytest.mark.parametrize(("players", "variant", "sentence"), [(5, "", "2 to 4 players, not 5"), (2, "x", "no variant")])
def test_a_game_that_cannot_be_set_up_is_refused(players: int, variant: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        GAME.set_up(players, Random(1), variant)


def test_a_seat_sees_its_own_hand_and_the_backs_of_the_rest() -> None:
    state = GAME.set_up(3, Random(2))
    seen = GAME.visible(state, 1)
    assert seen.hands == (Holding(unknown=5), state.hands[1], Holding(unknown=5))
    assert (seen.boneyard, seen.seed) == (Holding(unknown=13), None)
    over = replace(state, phase=Phase.DEALING)
    assert GAME.visible(over, 1).hands == state.hands


def test_the_table_is_told_with_its_sum_and_the_hands_that_may_be_seen() -> None:
    state = start("player 1: 64 31 +1\nplayer 2: 55 21\nline: 63 32\nscores: 15 0")
    assert GAME.told(state, 0).splitlines() == [
        "6|3 3|2",
        "",
        "Ends: 6 + 2 = 8, no score.",
        "Player 1: 15 points, hand: 64 31 and 1 unknown <- to move",
        "Player 2: 0 points, hand: 2 unknown",
        "Boneyard: 21 dominoes.",
    ]
    assert "hand: 55 21" in GAME.told(state)


def any_move(state: FivesState, chance: Random) -> FivesMove:
    """A legal move, drawing only where it must be, or now and then."""
    if GAME.to_move(state) is CHANCE:
        turned, weights = zip(*GAME.chances(state), strict=True)
        drawn: FivesMove = chance.choices(turned, weights)[0]
        return drawn
    moves = list(GAME.candidates(state))
    chance.shuffle(moves)
    if chance.random() < 0.95:
        moves.sort(key=lambda one: one is Action.DRAW)
    for one in moves:
        try:
            GAME.play(state, one)
        except IllegalMove:
            continue
        return one
    raise AssertionError(f"no legal move in\n{state}")


def require_sound(state: FivesState) -> None:
    """Every domino is in one place, and the ends are those of the rules."""
    places = [*state.line.tiles]
    known = [tile.domino for tile in places] + [d for h in (*state.hands, state.boneyard) for d in h.known]
    assert sorted(known) == sorted(SET)
    assert all(score % 5 == 0 for score in state.scores)


def test_200_games_by_chance_end_in_every_way() -> None:
    ends: Counter[str] = Counter()
    for seed in range(200):
        chance = Random(seed)
        state = GAME.set_up(2 + seed % 3, chance)
        while not GAME.outcome(state):
            after = GAME.play(state, made := any_move(state, chance))
            if after.phase is Phase.DEALING:
                require_sound(after)
                ends["blocked" if made is Action.PASS else "out"] += 1
                ends["tie"] += max(after.scores) > 200 and not GAME.outcome(after)
            state = after
        ends["over"] += 1
    assert ends["over"] == 200
    assert min(ends["blocked"], ends["out"], ends["tie"]) > 0, ends


@pytest.mark.parametrize("seed", [3, 4])
def test_a_whole_game_is_its_start_and_its_moves_in_words(seed: int) -> None:
    chance = Random(seed)
    first = state = GAME.set_up(2, chance)
    words = []
    while not GAME.outcome(state):
        made = any_move(state, chance)
        words.append(str(made))
        state = GAME.play(state, made)
    assert play(GAME.start(str(first)), " ".join(words)) == state


def test_a_game_can_be_played_from_what_one_seat_sees() -> None:
    for seed in range(8):
        chance = Random(seed)
        whole = GAME.set_up(2 + seed % 3, chance)
        seen = GAME.visible(whole, 0)
        while whole.phase is Phase.PLAYING:
            made = any_move(whole, chance)
            seen, whole = GAME.play(seen, made), GAME.play(whole, made)
            if seen.phase is Phase.DRAWING:
                turned = Turned(whole.hands[seen.turn].known[-1])
                assert dict(GAME.chances(seen))[turned] > 0
                seen = GAME.play(seen, turned)
            assert seen.line == whole.line
            assert [len(h) for h in seen.hands] == [len(h) for h in whole.hands]
        while seen.phase is Phase.SHOWING:
            left = {d for h in whole.hands for d in h.known} - seen.seen
            seen = GAME.play(seen, next(t for t, _ in GAME.chances(seen) if isinstance(t, Turned) and t.domino in left))
        assert seen.phase is Phase.DEALING


@pytest.mark.parametrize(
    ("text", "word", "phase"),
    [
        ("player 1: 10\nline: 14 42\nboneyard: +18", "10L", Phase.SHOWING),
        ("player 1: 10\nplayer 2: 31\nboneyard: +24\nline: 14 42", "10L", Phase.DEALING),
        ("player 1: 66\nline: 14 42\nboneyard: +18", "draw", Phase.DRAWING),
    ],
)
def test_whatever_is_waited_for_can_be_written_down(text: str, word: str, phase: Phase) -> None:
    state = replay(GAME, GAME.start(text), word)[0]
    assert state.phase is phase
    assert GAME.start(str(state)).phase is phase
    assert str(GAME.start(str(state))) == str(state)


def test_hands_that_are_dealt_after_a_hand_are_counted() -> None:
    shown = GAME.start("player 1: 10\nplayer 2: +1\nboneyard: +24\nline: 14 42\nphase: showing")
    counted = GAME.filled(shown, Random(1))
    assert counted.phase is Phase.DEALING
    assert not counted.hands[1].unknown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("phase: asleep", "the phase is playing, drawing, showing or dealing, not 'asleep'"),
        ("phase: drawing", "a domino that is drawn comes from an unknown boneyard to a known hand"),
        ("player 1: 10\nplayer 2: 31\nphase: showing", "every hand is known, and none has to be shown"),
    ],
)
def test_nothing_is_waited_for_that_cannot_come(text: str, why: str) -> None:
    with pytest.raises(BadText) as bad:
        GAME.start(text)
    assert bad.value.reason == why
